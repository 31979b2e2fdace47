//! A filtered page as a tree: a mask, edits, and links to append.

use crate::page::{Mask, NodeId, Page};
use std::collections::{BTreeMap, BTreeSet};

/// The edits of one node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NodeEdit {
    /// Attributes that are left out, by their place among [`Page::attrs`].
    pub dropped: BTreeSet<usize>,
    /// Attributes that are written besides, or in the place of those of the same name.
    pub set: BTreeMap<String, String>,
    /// The text that stands in the place of the element.
    pub text: Option<String>,
    /// The element's tags are left out, its children stay.
    pub unwrapped: bool,
}

/// A text link that a filter took away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedLink {
    /// The `a` element.
    pub node: NodeId,
    /// Its address, as the page has it.
    pub href: String,
    /// Its text, white space folded.
    pub text: String,
}

/// The tree of a filtered page.
#[derive(Debug, Clone)]
pub(super) struct FilteredTree<'p> {
    pub page: &'p Page,
    pub kept: Mask,
    pub edits: BTreeMap<NodeId, NodeEdit>,
    /// In document order.
    pub links: Vec<RemovedLink>,
}

impl FilteredTree<'_> {
    /// The edit of a node.
    pub fn edit(&self, n: NodeId) -> Option<&NodeEdit> {
        self.edits.get(&n)
    }

    /// The text in the place of a node.
    pub fn replacement(&self, n: NodeId) -> Option<&str> {
        self.edit(n)?.text.as_deref()
    }
}
