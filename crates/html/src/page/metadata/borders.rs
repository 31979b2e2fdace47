//! The text of an element with the borders that it is shown with.

use super::super::plain::run_together;
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
