//! The text of an element with the borders that it is shown with.

use super::super::plain::run_together;
use super::super::{Kind, NodeId, Page};
use super::class_names::name_tokens;
use crate::text::push_folded;
use html5ever::local_name;

/// Parts of the classes of a line over a title: `kicker`, German `Dachzeile`, French `surtitre`,
/// Italian `occhiello`, Spanish `antetítulo`, Portuguese `chapéu`.
const KICKERS: [&str; 13] = [
    "antetitulo",
    "chapeu",
    "dachzeile",
    "eyebrow",
    "kicker",
    "occhiello",
    "overline",
    "pretitle",
    "roofline",
    "supertitle",
    "surtitre",
    "topic-label",
    "topline",
];

/// Elements in a heading that are looked at for a kicker.
const MAX_KICKERS: usize = 4;

/// The text of a heading, as [`parted_text`], without a kicker that stands before the title. One
/// that is shown with a colon is part of the title.
pub(super) fn without_kicker(page: &Page, heading: NodeId) -> String {
    let mut text = parted_text(page, heading);
    let is_kicker = |n: &NodeId| {
        name_tokens(page, *n).any(|token| {
            let token = token.to_ascii_lowercase();
            KICKERS.iter().any(|name| token.contains(name))
        })
    };
    let inside = page.subtree(heading).skip(1);
    let elements = inside.filter(|&n| page.kind(n) == Kind::Element);
    let Some(kicker) = elements.take(MAX_KICKERS).find(is_kicker) else {
        return text;
    };
    let kicker = parted_text(page, kicker);
    let rest = text
        .trim_start()
        .strip_prefix(kicker.trim())
        .map(str::trim_start);
    let rest = rest.filter(|rest| !kicker.trim_end().ends_with(':') && !rest.starts_with(':'));
    let rest = rest
        .map(|rest| rest.trim_start_matches(|c: char| "-–—|•·".contains(c) || c.is_whitespace()));
    if let Some(rest) = rest.filter(|rest| !rest.is_empty()) {
        text = rest.to_owned();
    }
    text
}

/// The content text below a node: a line break at the borders of blocks, where the source has
/// one between elements, and between two inline elements that would run together
/// (`<b>Jane Doe</b><i>London</i>`); other white space folded. A letter in an element of its own
/// belongs to its word.
pub(super) fn parted_text(page: &Page, top: NodeId) -> String {
    let mut out = String::new();
    let mut is_parted = false;
    let mut last: Option<NodeId> = None;
    let mut nodes = page.walk_nested(top, page.end(top));
    let mut ended = false;
    while let Some(n) = nodes.next(|()| ended = true) {
        is_parted |= std::mem::take(&mut ended);
        match page.kind(n) {
            // How a word is read aloud.
            Kind::Element if page.is(n, &local_name!("rt")) || page.is(n, &local_name!("rp")) => {
                nodes.pass_over(n);
            }
            Kind::Element if page.breaks_line(n) => {
                is_parted = true;
                nodes.open(n, ());
            }
            Kind::Text if page.is_content(n) => {
                let text = page.text(n);
                let words = text.trim();
                let before = &text[..text.len() - text.trim_start().len()];
                let behind = &text[text.trim_end().len()..];
                is_parted |= before.contains('\n');
                is_parted |= last.is_some_and(|last| run_together(page, last, n));
                if !words.is_empty() && !out.is_empty() {
                    if is_parted {
                        out.truncate(out.trim_end().len());
                        out.push('\n');
                    } else if !before.is_empty() && !out.ends_with(' ') {
                        out.push(' ');
                    }
                }
                if !words.is_empty() {
                    push_folded(words, &mut out);
                    is_parted = false;
                }
                is_parted |= behind.contains('\n');
                if !behind.is_empty() && !out.ends_with(' ') {
                    out.push(' ');
                }
                last = Some(n);
            }
            _ => {}
        }
    }
    out.truncate(out.trim_end().len());
    out
}
