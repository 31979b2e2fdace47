//! A page as its blocks, in one pass.
//!
//! A block is a run of text that layout sets apart: a paragraph, a heading, a cell, or
//! the text between two of them. Marks between the blocks are the beginnings and ends of
//! lists and of their items. All text is in one buffer; nodes and blocks have no
//! allocations of their own.

mod walk;

pub(super) use walk::blocks;

use forest_html::page::NodeId;
use std::ops::Range;

/// The kind of a block, or of a mark between blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// A paragraph or any other text between two breaks. A `\n` in it is a `br`.
    Text,
    /// A heading. A `\n` in it is a `br`.
    Heading,
    /// Text that keeps all its lines.
    Pre,
    /// A finished line of a data table.
    TableLine,
    /// A list begins: its index among the page's lists.
    ListStart(u32),
    /// An item of the innermost open list begins.
    ItemStart(ItemKind),
    /// The innermost open list ends.
    ListEnd,
}

/// The kind of a list's item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemKind {
    /// `li`
    Plain,
    /// `dt`
    Term,
    /// `dd`
    Definition,
}

/// A block or a mark between blocks.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageBlock {
    /// Its kind.
    pub kind: BlockKind,
    /// The innermost line-breaking element around it.
    pub node: NodeId,
    /// The number of its hyperlinks; 0 if it has other text.
    pub links: u32,
    start: u32,
    end: u32,
}

/// The facts of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListFacts {
    /// True if it is a `dl`.
    pub is_definitions: bool,
    /// The number of lists around it.
    pub depth: u32,
    /// True if it contains a list.
    pub is_nested: bool,
    /// True if it contains a table or a `pre`, which cannot be put into a sentence.
    pub is_fixed: bool,
    /// True if all its text, without nested lists, is in hyperlinks.
    pub is_links: bool,
    /// The index of its end among the blocks.
    pub end: u32,
}

/// A page's blocks in document order.
#[derive(Debug, Default)]
pub(super) struct PageBlocks {
    /// The text of all blocks, one after the other.
    pub text: String,
    /// The blocks and the marks between them.
    pub blocks: Vec<PageBlock>,
    /// The lists, in the order in which they begin.
    pub lists: Vec<ListFacts>,
}

impl PageBlocks {
    /// A block's text; empty for marks.
    pub fn text(&self, block: &PageBlock) -> &str {
        &self.text[block.range()]
    }
}

impl PageBlock {
    fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Leaves out the first bytes.
    pub fn skip(&mut self, bytes: usize) {
        self.start = (self.start + bytes as u32).min(self.end);
    }

    /// Leaves out all of its text.
    pub fn empty(&mut self) {
        self.start = self.end;
    }

    /// Returns true for paragraphs and headings.
    pub fn is_text(&self) -> bool {
        matches!(self.kind, BlockKind::Text | BlockKind::Heading)
    }
}
