//! The parts of a page that are beside its article.

use super::super::{NodeId, Page};
use html5ever::{LocalName, local_name};

/// The side bars, menus and footers of a page, for a walk over its elements in document order.
#[derive(Debug, Default)]
pub(super) struct Regions {
    /// One past the last node of the `article`, and of what is beside it.
    article_end: NodeId,
    side_end: NodeId,
    /// One past the last node of a `section`: a footer in it is the section's.
    section_end: NodeId,
}

impl Regions {
    /// The walk comes to an element.
    pub fn enter(&mut self, page: &Page, n: NodeId, tag: &LocalName) {
        match *tag {
            local_name!("article") | local_name!("main") if n >= self.side_end => {
                self.article_end = self.article_end.max(page.end(n));
            }
            local_name!("section") => self.section_end = self.section_end.max(page.end(n)),
            local_name!("footer") if n < self.section_end => {}
            local_name!("aside") | local_name!("nav") | local_name!("footer")
                if n >= self.article_end =>
            {
                self.side_end = self.side_end.max(page.end(n));
            }
            _ => {}
        }
    }

    /// True if an element that the walk has come to is in a side bar, a menu or a footer.
    pub fn in_side(&self, n: NodeId) -> bool {
        n < self.side_end
    }
}
