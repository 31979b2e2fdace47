//! Text links (figure 1).

use crate::filter::edit::PageEdit;
use crate::filter::{Descent, FilterPhase, PageFilter};
use forest_html::page::NodeId;
use html5ever::{LocalName, local_name};

/// Removes links with text.
#[derive(Debug)]
pub(super) struct TextLinkRemover;

impl PageFilter for TextLinkRemover {
    fn name(&self) -> &'static str {
        "text_links"
    }

    fn wants(&self, phase: FilterPhase, name: Option<&LocalName>) -> bool {
        phase == FilterPhase::Delete && name == Some(&local_name!("a"))
    }

    fn delete(&self, n: NodeId, page: &mut PageEdit<'_>) -> Descent {
        // A link within a link went with it, or has no text either.
        if page.is_link(n) && !page.is_in_link(n) && page.has_text(n) {
            page.delete(n);
        }
        Descent::Children
    }
}
