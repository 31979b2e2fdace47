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
        let mut end = NodeId(0);
        let mut out = Vec::new();
        for &i in page.named(self.last) {
            let i = i as usize;
            let element = page.holders[i].element;
            let is_within = |within: Name| {
                let mut around = page.around(i);
                around.any(|outer| page.holders[outer].names.contains(&within))
            };
            if element >= end && self.within.is_none_or(is_within) {
                end = page.page.end(element);
                out.push(i);
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
