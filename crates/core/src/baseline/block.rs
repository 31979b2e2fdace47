//! Blocks: an element of block level with the text that is its own.

use forest_html::page::tags;
use forest_html::page::view::View;
use forest_html::page::walk::{self, Step, is_link};
use forest_html::page::{Mask, NodeId, Page};
use html5ever::local_name;

/// The texts of a page by their block: the innermost element of block level around a text.
/// The texts before and behind a nested block belong to the same block.
#[derive(Debug, Default)]
pub(super) struct OwnTexts {
    /// Texts in document order: the node, its block, and true if it is in a link.
    pub texts: Vec<BlockText>,
    /// The block around each block, which has a lower number. Blocks are numbered from 0, the
    /// body, which is its own.
    pub parents: Vec<usize>,
}

/// A text node and its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockText {
    pub node: NodeId,
    /// The number of its block.
    pub block: usize,
    pub linked: bool,
}

impl OwnTexts {
    /// The blocks of a page's body, which is the first.
    pub fn of(view: &View<'_>) -> OwnTexts {
        let page = view.page();
        let mut blocks = OwnTexts {
            texts: Vec::new(),
            parents: vec![0],
        };
        // Numbers of the blocks that are open, innermost last.
        let mut open = vec![0];
        let mut links = 0_usize;
        walk::walk(view, |step| match step {
            // An empty block has no text (and `hr` no end that would close it).
            Step::Start(n) | Step::End(n) if page.end(n).0 == n.0 + 1 => {}
            Step::Start(n) if is_block_by_name(page, n) => {
                blocks.parents.push(open.last().copied().unwrap_or(0));
                open.push(blocks.len() - 1);
            }
            Step::End(n) if is_block_by_name(page, n) => {
                open.pop();
            }
            Step::Start(n) => links += usize::from(is_link(page, n)),
            Step::End(n) => links -= usize::from(is_link(page, n)),
            Step::Text(node) => blocks.texts.push(BlockText {
                node,
                block: open.last().copied().unwrap_or(0),
                linked: links > 0,
            }),
        });
        blocks
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// The texts of the blocks for whose number `keep` returns true.
    pub fn mask(&self, page: &Page, keep: impl Fn(usize) -> bool) -> Mask {
        let texts = self.texts.iter().filter(|text| keep(text.block));
        let kept: Vec<NodeId> = texts.map(|text| text.node).collect();
        walk::mask_of(page, &kept)
    }
}
/// True for a block by its name: the published methods know no other.
fn is_block_by_name(page: &Page, n: NodeId) -> bool {
    page.tag(n)
        .is_some_and(|tag| tags::has(tag, tags::BLOCK) && *tag != local_name!("br"))
}
