//! The axes that lead from sets of nodes to sets of nodes.

use foldhash::HashSet;
use forest_html::page::{Kind, Mask, NodeId, Page};
use xpath_eval::Axis;

/// True of an axis that is followed without the engine.
pub(super) fn is_followed(axis: Axis) -> bool {
    !matches!(
        axis,
        Axis::Attribute | Axis::Namespace | Axis::Following | Axis::Preceding
    )
}

/// The axis that leads back.
pub(super) fn backwards(axis: Axis) -> Axis {
    match axis {
        Axis::Child => Axis::Parent,
        Axis::Parent => Axis::Child,
        Axis::Descendant => Axis::Ancestor,
        Axis::Ancestor => Axis::Descendant,
        Axis::DescendantOrSelf => Axis::AncestorOrSelf,
        Axis::AncestorOrSelf => Axis::DescendantOrSelf,
        Axis::FollowingSibling => Axis::PrecedingSibling,
        Axis::PrecedingSibling => Axis::FollowingSibling,
        same => same,
    }
}

/// Calls `see` for each node on an axis from nodes, which are in document order: each node of
/// the page a few times at the most. `parent` may give one several times, and the axes of
/// children, siblings and ancestors give them in any order.
pub(super) fn follow(page: &Page, axis: Axis, from: &[NodeId], mut see: impl FnMut(NodeId)) {
    match axis {
        Axis::Descendant | Axis::DescendantOrSelf => {
            let mut done = NodeId(0);
            for &n in from {
                let own = u32::from(axis == Axis::Descendant);
                for at in done.0.max(n.0 + own)..page.end(n).0 {
                    see(NodeId(at));
                }
                done = done.max(page.end(n));
            }
        }
        Axis::Child => {
            for &n in from {
                let first = NodeId(n.0 + 1);
                let is_template = first < page.end(n) && page.kind(first) == Kind::Fragment;
                let holder = if is_template { first } else { n };
                page.children(holder).for_each(&mut see);
            }
        }
        Axis::Parent => from.iter().filter_map(|&n| parent(page, n)).for_each(see),
        Axis::Ancestor | Axis::AncestorOrSelf => {
            let mut seen = Mask::none(page);
            for &n in from {
                let mut at = match axis {
                    Axis::Ancestor => parent(page, n),
                    _ => Some(n),
                };
                while let Some(n) = at.filter(|&n| !seen.contains(n)) {
                    seen.keep(n);
                    see(n);
                    at = parent(page, n);
                }
            }
        }
        Axis::FollowingSibling | Axis::PrecedingSibling => siblings(page, axis, from, see),
        _ => from.iter().copied().for_each(see),
    }
}

/// The parent, which for the contents of a template is the template.
fn parent(page: &Page, n: NodeId) -> Option<NodeId> {
    let parent = page.parent(n)?;
    match page.kind(parent) {
        Kind::Fragment => page.parent(parent),
        _ => Some(parent),
    }
}

/// The siblings of nodes: of one parent's children the first has all that stand behind any of
/// them, and the last all before.
fn siblings(page: &Page, axis: Axis, from: &[NodeId], mut see: impl FnMut(NodeId)) {
    let mut parents = HashSet::default();
    let mut of_first = |n: NodeId| {
        let Some(parent) = page.parent(n).filter(|parent| parents.insert(*parent)) else {
            return;
        };
        let all = page.children(parent);
        match axis {
            Axis::PrecedingSibling => all.take_while(|&sibling| sibling < n).for_each(&mut see),
            _ => all.skip_while(|&sibling| sibling <= n).for_each(&mut see),
        }
    };
    match axis {
        Axis::PrecedingSibling => from.iter().rev().for_each(|&n| of_first(n)),
        _ => from.iter().for_each(|&n| of_first(n)),
    }
}
