//! The text of an element with the borders that it is shown with.

use super::super::{Kind, NodeId, Page};
use crate::text::push_folded;
use html5ever::local_name;

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
                is_parted |= last.is_some_and(|last| runs_together(page, last, n));
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

/// True if between two texts an element ends and another begins, and neither text has white space
/// there nor is a letter alone.
fn runs_together(page: &Page, last: NodeId, n: NodeId) -> bool {
    let (before, behind) = (page.text(last), page.text(n));
    let ends = page
        .parent(last)
        .is_some_and(|parent| page.end(parent) <= n);
    let begins = page.parent(n).is_some_and(|parent| parent > last);
    ends && begins
        && before.chars().nth(1).is_some()
        && before.ends_with(char::is_alphanumeric)
        && behind.starts_with(|c: char| c.is_uppercase() || c.is_numeric())
}
