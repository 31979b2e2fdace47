//! Signifiers and other terms of every subtree of a page, in one pass.

use crate::signifier::{PageTerms, Signifiers};
use forest_html::page::{NodeId, Page};

/// Signifiers and other terms in a text, with multiplicity: x and y of an element,
/// X and Y of a page (FOREST 3.3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TermCounts {
    /// Terms that are signifiers.
    pub signifiers: u32,
    /// The other terms.
    pub others: u32,
}

/// Prefix sums over the nodes of a page.
pub(super) struct PageCounts {
    /// Counts of the text nodes before the i-th node.
    before: Vec<TermCounts>,
    /// Text nodes with signifiers.
    leaves: Vec<NodeId>,
    /// For each signifier its share of the weight and the leaves that hold it.
    holders: Vec<(f64, Vec<NodeId>)>,
}

impl PageCounts {
    pub fn of(page: &Page, terms: &PageTerms, signifiers: &Signifiers) -> PageCounts {
        let total = signifiers.total_weight();
        let mut holders: Vec<(f64, Vec<NodeId>)> = signifiers
            .iter()
            .map(|s| {
                // Words that stand on all pages weigh nothing: all the same.
                let share = if total > 0.0 {
                    s.weight / total
                } else {
                    1.0 / signifiers.len() as f64
                };
                (share, Vec::new())
            })
            .collect();
        let mut before = Vec::with_capacity(page.len() + 1);
        let mut leaves = Vec::new();
        let mut sum = TermCounts::default();
        for &text in terms.texts() {
            before.resize(text.node.index() + 1, sum);
            let x = sum.signifiers;
            for &term in terms.of(text) {
                let Some(position) = signifiers.position(term) else {
                    sum.others += 1;
                    continue;
                };
                sum.signifiers += 1;
                let held = &mut holders[position].1;
                if held.last() != Some(&text.node) {
                    held.push(text.node);
                }
            }
            if sum.signifiers > x {
                leaves.push(text.node);
            }
        }
        before.resize(page.len() + 1, sum);
        PageCounts {
            before,
            leaves,
            holders,
        }
    }

    pub fn leaves(&self) -> &[NodeId] {
        &self.leaves
    }

    pub fn total(&self) -> TermCounts {
        self.before.last().copied().unwrap_or_default()
    }

    pub fn of_subtree(&self, page: &Page, n: NodeId) -> TermCounts {
        let (start, end) = (self.before[n.index()], self.before[page.end(n).index()]);
        TermCounts {
            signifiers: end.signifiers - start.signifiers,
            others: end.others - start.others,
        }
    }

    /// Equation 6: sum of the normalised weights of the signifiers in the subtree,
    /// over the number of the page's signifiers.
    pub fn coverage(&self, page: &Page, n: NodeId) -> f64 {
        let end = page.end(n);
        let held = |leaves: &[NodeId]| {
            let at = leaves.partition_point(|&leaf| leaf < n);
            leaves.get(at).is_some_and(|&leaf| leaf < end)
        };
        let sum: f64 = self
            .holders
            .iter()
            .filter(|(_, leaves)| held(leaves))
            .map(|(share, _)| share)
            .sum();
        sum / self.holders.len().max(1) as f64
    }
}
