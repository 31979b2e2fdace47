//! The nodes of a pipeline.

use super::Extractor;
use crate::page::Mask;
use crate::page::view::View;

/// A node of a pipeline. A list of nodes is never empty.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    /// An extractor.
    Leaf(Extractor),
    /// One after the other.
    Serial(Vec<Node>),
    /// What any keeps.
    Union(Vec<Node>),
    /// What all keep.
    Intersection(Vec<Node>),
    /// What at least so many keep, 1 to their number.
    Vote(usize, Vec<Node>),
}

impl Node {
    /// What it keeps of what is there of a page. Of white space it says nothing.
    pub fn within(&self, view: &View<'_>) -> Mask {
        let page = view.page();
        let each = |nodes: &[Node], add: &mut dyn FnMut(Mask)| {
            nodes.iter().for_each(|node| add(node.within(view)));
        };
        match self {
            Node::Leaf(extractor) => extractor.within(view),
            Node::Serial(nodes) => {
                let mut nodes = nodes.iter();
                let first = nodes.next().map(|node| node.within(view));
                nodes.fold(first.unwrap_or_else(|| Mask::none(page)), |kept, node| {
                    node.within(&View::left(page, &kept))
                })
            }
            Node::Union(nodes) => {
                let mut kept = Mask::none(page);
                each(nodes, &mut |mask| kept.union(&mask));
                kept
            }
            Node::Intersection(nodes) => {
                let mut kept = Mask::all(page);
                each(nodes, &mut |mask| kept.intersect(&mask));
                kept
            }
            Node::Vote(at_least, nodes) => {
                // The i-th mask holds what i + 1 and more of them have kept so far.
                let mut kept = vec![Mask::none(page); *at_least];
                each(nodes, &mut |mask| {
                    for i in (1..kept.len()).rev() {
                        let mut again = kept[i - 1].clone();
                        again.intersect(&mask);
                        kept[i].union(&again);
                    }
                    if let Some(once) = kept.first_mut() {
                        once.union(&mask);
                    }
                });
                kept.pop().unwrap_or_else(|| Mask::none(page))
            }
        }
    }
}
