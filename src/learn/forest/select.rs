//! Expressions, and what they select of the pages of a sample.

use super::evidence::{Amount, PageEvidence, Rest};
use super::names::{Name, Names};
use crate::page::NodeId;
use std::cmp::Ordering;
use std::ops::Range;

/// An expression of one or two steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Expression {
    /// What selects it.
    pub last: Name,
    /// What it stands in.
    pub within: Option<Name>,
}

impl Expression {
    /// As XPath: `//main//div[...]`.
    pub fn xpath(&self, names: &Names) -> String {
        match self.within {
            Some(within) => format!("//{}//{}", names[within], names[self.last]),
            None => format!("//{}", names[self.last]),
        }
    }

    /// The order of preference among equals.
    pub fn order(&self, other: &Expression, names: &Names) -> Ordering {
        let key = |e: &Expression| (&names[e.last], e.within.map(|within| &names[within]));
        key(self).cmp(&key(other))
    }

    /// What it selects of a page, as indices of holders in document order, nested
    /// ones left out.
    pub fn holders(&self, page: &PageEvidence<'_>) -> Vec<usize> {
        let end_of = |i: u32| page.page.end(page.holders[i as usize].element);
        let mut around = self.within.map(|within| page.named(within).iter().copied());
        let mut around = around.iter_mut().flatten().peekable();
        // One past the last node in what it stands in, and in what is selected.
        let (mut inside, mut end) = (NodeId(0), NodeId(0));
        let mut out = Vec::new();
        for &i in page.named(self.last) {
            while let Some(outer) = around.next_if(|outer| *outer < i) {
                inside = inside.max(end_of(outer));
            }
            let element = page.holders[i as usize].element;
            if element >= end && (self.within.is_none() || element < inside) {
                end = end_of(i);
                out.push(i as usize);
            }
        }
        out
    }
}

/// The holders that expressions select of a page together, none in another.
pub(super) fn tops(body: &[Expression], page: &PageEvidence<'_>) -> Vec<usize> {
    let mut all: Vec<usize> = body.iter().flat_map(|e| e.holders(page)).collect();
    all.sort_unstable();
    let mut end = NodeId(0);
    all.retain(|&i| {
        let element = page.holders[i].element;
        let is_outside = element >= end;
        if is_outside {
            end = page.page.end(element);
        }
        is_outside
    });
    all
}

/// What of a page these holders hold together.
pub(super) fn amount(tops: &[usize], page: &PageEvidence<'_>, rest: &Rest<'_>) -> Amount {
    let mut amount = Amount::default();
    for &i in tops {
        amount.add(rest.held(&page.holders[i]));
    }
    amount
}

/// The blocks that these holders hold.
pub(super) fn ranges(tops: &[usize], page: &PageEvidence<'_>) -> Vec<Range<usize>> {
    let ranges = tops.iter().map(|&i| page.holders[i].blocks.clone());
    ranges.filter(|range| !range.is_empty()).collect()
}
