//! Expressions, and what they select of the pages of a sample.

use super::evidence::{LikelyWords, PageEvidence, RemainingBlocks, SampleEvidence};
use super::selectors::{SelectorId, SelectorTable, SelectorTest};
use foldhash::HashSet;
use forest_html::page::NodeId;
use std::cmp::Ordering;
use std::ops::Range;

/// Elements around a candidate whose selectors can be the outer step.
const AROUND: usize = 4;

/// Pages from which on a name that one of them has is no name.
const SEVERAL_PAGES: usize = 4;

/// An expression of one or two steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct BodySelector {
    /// The selector of the element.
    pub last: SelectorId,
    /// The selector of an element around it.
    pub within: Option<SelectorId>,
}

impl BodySelector {
    /// As XPath: `//main//div[...]`.
    pub fn xpath(&self, selectors: &SelectorTable) -> String {
        match self.within {
            Some(within) => format!("//{}//{}", selectors[within], selectors[self.last]),
            None => format!("//{}", selectors[self.last]),
        }
    }

    /// The order of preference among equals.
    pub fn order(&self, other: &BodySelector, selectors: &SelectorTable) -> Ordering {
        let key = |e: &BodySelector| {
            (
                &selectors[e.last],
                e.within.map(|within| &selectors[within]),
            )
        };
        key(self).cmp(&key(other))
    }

    /// False with a name that only one of several pages has: the next page has another.
    pub fn identifies(&self, sample: &SampleEvidence<'_>) -> bool {
        let is_shared = |selector: SelectorId| {
            let with_it = sample.pages.iter();
            let with_it = with_it.filter(|page| !page.named(selector).is_empty());
            !sample.selectors[selector].is_named() || with_it.take(2).count() > 1
        };
        sample.pages.len() < SEVERAL_PAGES
            || is_shared(self.last) && self.within.is_none_or(is_shared)
    }

    /// The elements that it selects on a page, as indices in document order, nested
    /// ones left out.
    pub fn elements(&self, page: &PageEvidence<'_>) -> Vec<usize> {
        let end_of = |i: u32| page.page.end(page.elements[i as usize].node);
        let mut around = self.within.map(|within| page.named(within).iter().copied());
        let mut around = around.iter_mut().flatten().peekable();
        // One past the last node in what it stands in, and in what is selected.
        let (mut inside, mut end) = (NodeId(0), NodeId(0));
        let mut out = Vec::new();
        for &i in page.named(self.last) {
            while let Some(outer) = around.next_if(|outer| *outer < i) {
                inside = inside.max(end_of(outer));
            }
            let element = page.elements[i as usize].node;
            if element >= end && (self.within.is_none() || element < inside) {
                end = end_of(i);
                out.push(i as usize);
            }
        }
        out
    }
}

/// Adds the expressions of one or two steps that select an element.
pub(super) fn steps_to(
    page: &PageEvidence<'_>,
    element: usize,
    selectors: &SelectorTable,
    out: &mut HashSet<BodySelector>,
) {
    let own = page.elements[element].selectors.iter();
    let is_text =
        |test: &SelectorTest| matches!(test, SelectorTest::Text(_) | SelectorTest::Numbers);
    let own = own.filter(|&&selector| !is_text(&selectors[selector].test));
    let alone = |&last: &SelectorId| BodySelector { last, within: None };
    out.extend(own.clone().map(alone));
    for outer in page.around(element).take(AROUND) {
        let outer = &page.elements[outer];
        if page.page.body() == Some(outer.node) {
            continue;
        }
        for &within in outer.selectors.iter() {
            let within = Some(within);
            out.extend(own.clone().map(|&last| BodySelector { last, within }));
        }
    }
}

/// The elements that expressions select of a page together, none in another.
pub(super) fn tops(body: &[BodySelector], page: &PageEvidence<'_>) -> Vec<usize> {
    let mut all: Vec<usize> = body.iter().flat_map(|e| e.elements(page)).collect();
    all.sort_unstable();
    let mut end = NodeId(0);
    all.retain(|&i| {
        let element = page.elements[i].node;
        let is_outside = element >= end;
        if is_outside {
            end = page.page.end(element);
        }
        is_outside
    });
    all
}

/// The words that these elements of a page hold together.
pub(super) fn amount(
    tops: &[usize],
    page: &PageEvidence<'_>,
    rest: &RemainingBlocks<'_>,
) -> LikelyWords {
    let mut amount = LikelyWords::default();
    for &i in tops {
        amount.add(rest.held(&page.elements[i]));
    }
    amount
}

/// The blocks that these elements hold.
pub(super) fn ranges(tops: &[usize], page: &PageEvidence<'_>) -> Vec<Range<usize>> {
    let ranges = tops.iter().map(|&i| page.elements[i].blocks.clone());
    ranges.filter(|range| !range.is_empty()).collect()
}
