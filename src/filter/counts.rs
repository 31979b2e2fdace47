//! Words, links and images of a page, before and after.

use super::edit::NodeEdit;
use crate::page::walk::is_link;
use crate::page::{Kind, Mask, NodeId, Page};
use crate::text::metric_tokens;
use html5ever::local_name;
use std::collections::BTreeMap;

/// The changes of one filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilterCount {
    /// The filter's name.
    pub filter: &'static str,
    /// Nodes that it deleted or emptied, and edits.
    pub changes: usize,
}

/// The size of a page for a reader.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PageCounts {
    /// Words (metric tokens) of its text.
    pub words: usize,
    /// Elements `a` with an `href`.
    pub links: usize,
    /// Elements `img`.
    pub images: usize,
}

impl PageCounts {
    /// The size of a whole page.
    pub fn of(page: &Page) -> PageCounts {
        PageCounts::left(page, &Mask::all(page), &BTreeMap::new())
    }

    /// The size of what is left of a page.
    pub(super) fn left(page: &Page, kept: &Mask, edits: &BTreeMap<NodeId, NodeEdit>) -> PageCounts {
        let mut counts = PageCounts::default();
        let mut at = page.root();
        let end = page.end(at);
        while at < end {
            let n = at;
            at = NodeId(n.0 + 1);
            if !kept.contains(n) {
                at = page.end(n);
                continue;
            }
            if let Some(text) = edits.get(&n).and_then(|edit| edit.text.as_deref()) {
                counts.words += metric_tokens(text).len();
                at = page.end(n);
                continue;
            }
            if !page.is_content(n) {
                continue;
            }
            match page.kind(n) {
                Kind::Text => counts.words += metric_tokens(page.text(n)).len(),
                _ if is_link(page, n) => counts.links += 1,
                _ if page.is(n, &local_name!("img")) => counts.images += 1,
                _ => {}
            }
        }
        counts
    }
}
