//! A page as its blocks, in one pass.
//!
//! A block is a run of text that layout sets apart: a paragraph, a heading, a cell, a
//! piece of text between two of them. Between the blocks stand the beginnings and ends
//! of lists and of their items. All text is in one buffer; no node and no block has an
//! allocation of its own.

mod walk;

pub(super) use walk::blocks;

use crate::page::NodeId;
use std::ops::Range;

/// What stands at a place of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// A paragraph, or whatever else is text between two breaks. A `\n` in it is a `br`.
    Text,
    /// A heading. A `\n` in it is a `br`.
    Heading,
    /// Text of which all lines are kept.
    Pre,
    /// A line of a data table, as it is to be written.
    TableLine,
    /// A list begins: its index among the page's lists.
    ListStart(u32),
    /// An item of the innermost open list begins.
    ItemStart(ItemKind),
    /// The innermost open list ends.
    ListEnd,
}

/// What kind of item.
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
    /// What it is.
    pub kind: BlockKind,
    /// The innermost element around it that breaks lines.
    pub node: NodeId,
    /// How many hyperlinks it is, if it is nothing else.
    pub links: u32,
    start: u32,
    end: u32,
}

/// What is known of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListFacts {
    /// Whether it is a `dl`.
    pub is_definitions: bool,
    /// Lists that it stands in.
    pub depth: u32,
    /// Whether a list stands in it.
    pub is_nested: bool,
    /// Whether it holds what cannot be put into a sentence: a table, a `pre`.
    pub is_fixed: bool,
    /// Whether its own text, nested lists apart, stands in hyperlinks.
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

    /// Whether it is a block of text, and neither a line of a table nor a mark.
    pub fn is_text(&self) -> bool {
        matches!(self.kind, BlockKind::Text | BlockKind::Heading)
    }
}
