//! Blocks that lost all that they had, and blocks that a statistical method leaves out.

use super::cells::is_plain_block;
use crate::filter::edit::PageEdit;
use crate::filter::settings::BlockMethod;
use crate::filter::{Descent, FilterPhase, PageFilter};
use forest_core::baseline::{lqf, sw};
use forest_core::onepage;
use forest_html::page::view::{View, is_text};
use forest_html::page::{Mask, NodeId};
use html5ever::LocalName;

/// Removes blocks in which nothing is left of what there was.
#[derive(Debug)]
pub(super) struct EmptiedBlockRemover;

impl PageFilter for EmptiedBlockRemover {
    fn name(&self) -> &'static str {
        "emptied_blocks"
    }

    fn wants(&self, phase: FilterPhase, name: Option<&LocalName>) -> bool {
        phase == FilterPhase::Leave && name.is_some_and(is_plain_block)
    }

    fn leave(&self, n: NodeId, page: &mut PageEdit<'_>) {
        let left = page.contents();
        let is_empty = left.characters == 0 && left.substance == 0 && left.fields == 0;
        let had_something = page.contents_before(n) != left;
        if is_empty && had_something && page.tag(n).is_some_and(is_plain_block) {
            page.delete(n);
        }
    }
}

/// Removes the texts that a statistical method leaves out, and elements without any other.
#[derive(Debug)]
pub(in crate::filter) struct BlockRemover {
    kept: Mask,
    body: Option<NodeId>,
}

impl BlockRemover {
    /// The texts that a method keeps of what is left of a page.
    pub fn of(method: BlockMethod, left: &PageEdit<'_>) -> BlockRemover {
        let page = left.page();
        let view = View::left(page, &left.kept);
        BlockRemover {
            kept: match method {
                BlockMethod::None => Mask::all(page),
                BlockMethod::Lqf => lqf::article(&view, &lqf::Lqf::default()),
                BlockMethod::Sw => sw::article(&view, &sw::Sw::default()),
                BlockMethod::Onepage => onepage::within(&view),
            },
            body: page.body(),
        }
    }

    /// True for a node of the body, of which alone the methods read the text.
    fn is_in_body(&self, n: NodeId) -> bool {
        self.body.is_some_and(|body| body < n)
    }
}

impl PageFilter for BlockRemover {
    fn name(&self) -> &'static str {
        "blocks"
    }

    fn delete(&self, n: NodeId, page: &mut PageEdit<'_>) -> Descent {
        if self.is_in_body(n) && page.is_link(n) && !page.is_in_link(n) && page.has_text(n) {
            let is_kept = |text| self.kept.contains(text) && is_text(page.page(), text);
            if !page.page().subtree(n).any(is_kept) {
                page.delete(n);
            }
        }
        Descent::Children
    }

    fn text(&self, n: NodeId, page: &mut PageEdit<'_>) {
        if self.is_in_body(n) && is_text(page.page(), n) && !self.kept.contains(n) {
            page.delete(n);
        }
    }

    fn leave(&self, n: NodeId, page: &mut PageEdit<'_>) {
        let lost_its_text =
            page.contents().characters == 0 && page.contents_before(n).characters > 0;
        if self.is_in_body(n) && lost_its_text {
            page.delete(n);
        }
    }
}
