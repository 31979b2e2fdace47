//! The marks of a page's texts: body, strip rule, field.

use crate::wrapper::{Trace, WrapperField};
use forest_html::page::{NodeId, Page};

/// The mark of a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeMark {
    /// The wrapper leaves it alone.
    Rest,
    /// It is part of the article.
    Body,
    /// It stands in the body, and a strip rule takes it away; its index.
    Strip(u16),
    /// A field is read from it.
    Field(WrapperField),
}

/// The mark of each node of a page.
pub fn marks(
    page: &Page,
    trace: Option<&Trace>,
    fields: &[(WrapperField, Vec<NodeId>)],
) -> Vec<NodeMark> {
    let mut marks = vec![NodeMark::Rest; page.len()];
    let Some(trace) = trace else {
        return marks;
    };
    let found = &trace.found;
    found
        .kept
        .nodes()
        .for_each(|n| marks[n.index()] = NodeMark::Body);
    // The first rule that takes a text is the one that counts.
    for (rule, nodes) in trace.strips.iter().enumerate().rev() {
        let in_body = nodes.iter().filter(|&&n| {
            let at = found.nodes.partition_point(|&body| body <= n);
            at.checked_sub(1)
                .is_some_and(|at| page.contains(found.nodes[at], n))
        });
        fill(
            page,
            in_body.copied(),
            NodeMark::Strip(rule as u16),
            &mut marks,
        );
    }
    for (field, nodes) in fields {
        fill(
            page,
            nodes.iter().copied(),
            NodeMark::Field(*field),
            &mut marks,
        );
    }
    marks
}

/// Marks subtrees, whose tops come in document order.
fn fill(page: &Page, tops: impl Iterator<Item = NodeId>, mark: NodeMark, marks: &mut [NodeMark]) {
    let mut end = NodeId(0);
    for top in tops {
        if top >= end {
            end = page.end(top);
            marks[top.index()..end.index()].fill(mark);
        }
    }
}
