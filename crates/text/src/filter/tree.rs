//! A filtered page as a tree: a mask, edits, and links to append.

use forest_html::page::{Mask, NodeId, Page};
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

/// The edits of a page's nodes. A mask answers for the many nodes without one.
#[derive(Debug, Clone)]
pub(super) struct NodeEdits {
    edited: Mask,
    by_node: BTreeMap<NodeId, NodeEdit>,
}

impl NodeEdits {
    /// No node has an edit.
    pub fn none(page: &Page) -> NodeEdits {
        NodeEdits {
            edited: Mask::none(page),
            by_node: BTreeMap::new(),
        }
    }

    /// The edit of a node.
    pub fn of(&self, n: NodeId) -> Option<&NodeEdit> {
        if self.edited.contains(n) {
            self.by_node.get(&n)
        } else {
            None
        }
    }

    /// The edit of a node, to change it.
    pub fn change(&mut self, n: NodeId) -> &mut NodeEdit {
        self.edited.keep(n);
        self.by_node.entry(n).or_default()
    }

    /// Bytes of the attributes that filters set: they are no growth of the page's own.
    pub fn set_bytes(&self) -> usize {
        let values = self.by_node.values().flat_map(|edit| edit.set.values());
        values.map(String::len).sum()
    }

    /// All edits, in document order.
    pub fn all(&self) -> &BTreeMap<NodeId, NodeEdit> {
        &self.by_node
    }
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
    pub edits: NodeEdits,
    /// In document order.
    pub links: Vec<RemovedLink>,
}

impl FilteredTree<'_> {
    /// The edit of a node.
    pub fn edit(&self, n: NodeId) -> Option<&NodeEdit> {
        self.edits.of(n)
    }

    /// The text in the place of a node.
    pub fn replacement(&self, n: NodeId) -> Option<&str> {
        self.edit(n)?.text.as_deref()
    }
}
