//! Words, links and images of a page, before and after.

use super::tree::FilteredTree;
use forest_html::page::walk::is_link;
use forest_html::page::{Kind, NodeId, Page};
use forest_html::text::word_count;
use html5ever::local_name;

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
pub struct PageSize {
    /// Words (metric tokens) of its text.
    pub words: usize,
    /// Elements `a` with an `href`.
    pub links: usize,
    /// Elements `img`.
    pub images: usize,
}

impl PageSize {
    /// The size of what is left of a page.
    pub(super) fn of(tree: &FilteredTree<'_>) -> PageSize {
        let page = tree.page;
        let mut size = PageSize::default();
        let mut nodes = page.walk(page.root());
        while let Some(n) = nodes.next() {
            if !tree.kept.contains(n) {
                nodes.pass_over(n);
            } else if let Some(text) = tree.replacement(n) {
                size.words += word_count(text);
                nodes.pass_over(n);
            } else if page.is_content(n) {
                size.add(page, n);
            }
        }
        size
    }

    /// The size of a whole page.
    pub(super) fn of_page(page: &Page) -> PageSize {
        let mut size = PageSize::default();
        let shown = page.nodes().filter(|&n| page.is_content(n));
        shown.for_each(|n| size.add(page, n));
        size
    }

    fn add(&mut self, page: &Page, n: NodeId) {
        match page.kind(n) {
            Kind::Text => self.words += word_count(page.text(n)),
            _ if is_link(page, n) => self.links += 1,
            _ if page.is(n, &local_name!("img")) => self.images += 1,
            _ => {}
        }
    }
}
