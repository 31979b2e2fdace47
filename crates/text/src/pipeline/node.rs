//! The nodes of a pipeline.

use super::OnePageMethod;
use forest_html::page::Mask;
use forest_html::page::view::View;

/// A node of a pipeline. A list of nodes is never empty.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum PipelineNode {
    /// A one-page method.
    Leaf(OnePageMethod),
    /// One after the other.
    Serial(Vec<PipelineNode>),
    /// Keeps the texts that any of them keeps.
    Union(Vec<PipelineNode>),
    /// Keeps the texts that all of them keep.
    Intersection(Vec<PipelineNode>),
    /// Keeps the texts that at least so many keep, 1 to their number.
    Vote(usize, Vec<PipelineNode>),
}

impl PipelineNode {
    /// The nodes in it.
    pub fn children(&self) -> &[PipelineNode] {
        match self {
            PipelineNode::Leaf(_) => &[],
            PipelineNode::Serial(nodes)
            | PipelineNode::Union(nodes)
            | PipelineNode::Intersection(nodes)
            | PipelineNode::Vote(_, nodes) => nodes,
        }
    }

    /// The methods of its subtree, in order.
    pub fn leaves(&self) -> Vec<&OnePageMethod> {
        match self {
            PipelineNode::Leaf(method) => vec![method],
            node => node.children().iter().flat_map(Self::leaves).collect(),
        }
    }

    /// Changes the leaf at a place among [`leaves`](PipelineNode::leaves).
    pub fn change_leaf(&mut self, at: usize, change: impl FnOnce(OnePageMethod) -> OnePageMethod) {
        let mut leaves = self.leaves_mut();
        if let Some(leaf) = leaves.get_mut(at) {
            let method = std::mem::replace(*leaf, OnePageMethod::Bte);
            **leaf = change(method);
        }
    }

    fn leaves_mut(&mut self) -> Vec<&mut OnePageMethod> {
        match self {
            PipelineNode::Leaf(method) => vec![method],
            PipelineNode::Serial(nodes)
            | PipelineNode::Union(nodes)
            | PipelineNode::Intersection(nodes)
            | PipelineNode::Vote(_, nodes) => nodes.iter_mut().flat_map(Self::leaves_mut).collect(),
        }
    }

    /// Nodes of its subtree, itself included.
    pub fn size(&self) -> usize {
        let children = self.children().iter();
        1 + children.map(PipelineNode::size).sum::<usize>()
    }

    /// Levels of its subtree, 1 for a leaf.
    pub fn height(&self) -> usize {
        let children = self.children().iter();
        1 + children.map(PipelineNode::height).max().unwrap_or(0)
    }

    /// The texts that it keeps of what is left of a page. White space may be kept or not.
    pub fn within(&self, view: &View<'_>) -> Mask {
        let page = view.page();
        let masks = || self.children().iter().map(|node| node.within(view));
        match self {
            PipelineNode::Leaf(method) => method.within(view),
            PipelineNode::Serial(nodes) => {
                let mut nodes = nodes.iter();
                let first = nodes.next().map(|node| node.within(view));
                nodes.fold(first.unwrap_or_else(|| Mask::none(page)), |kept, node| {
                    node.within(&View::left(page, &kept))
                })
            }
            PipelineNode::Union(_) => {
                let mut kept = Mask::none(page);
                masks().for_each(|mask| kept.union(&mask));
                kept
            }
            PipelineNode::Intersection(_) => {
                let mut kept = Mask::all(page);
                masks().for_each(|mask| kept.intersect(&mask));
                kept
            }
            PipelineNode::Vote(at_least, _) => {
                // The i-th mask holds the texts that i + 1 and more have kept so far.
                let mut kept = vec![Mask::none(page); *at_least];
                for mask in masks() {
                    for i in (1..kept.len()).rev() {
                        let mut again = kept[i - 1].clone();
                        again.intersect(&mask);
                        kept[i].union(&again);
                    }
                    if let Some(once) = kept.first_mut() {
                        once.union(&mask);
                    }
                }
                kept.pop().unwrap_or_else(|| Mask::none(page))
            }
        }
    }
}
