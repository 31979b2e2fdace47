//! Expressions, and what they select of the pages of a sample.

use super::evidence::{Amount, PageEvidence};
use super::names::Simple;
use crate::page::{NodeId, Page};
use foldhash::{HashMap, HashSet};
use std::fmt;

/// An expression of one or two steps.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Expression {
    /// What selects it.
    pub last: Simple,
    /// What it stands in.
    pub within: Option<Simple>,
}

/// As XPath: `//main//div[...]`.
impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(within) = &self.within {
            write!(f, "//{within}")?;
        }
        write!(f, "//{}", self.last)
    }
}

impl Expression {
    /// What it selects of a page, as indices of holders in document order, nested
    /// ones left out.
    pub fn holders(&self, page: &PageEvidence<'_>) -> Vec<usize> {
        select(self, page, |holder, simple| {
            Simple::of(page.page, page.holders[holder].element).contains(simple)
        })
    }
}

/// The selectors of every holder of a page that are asked for.
#[derive(Debug)]
pub(super) struct Index<'a> {
    by_simple: HashMap<&'a Simple, Vec<u32>>,
}

impl<'a> Index<'a> {
    /// The holders of a page by those selectors that are in `asked`.
    pub fn of(page: &PageEvidence<'_>, asked: &HashSet<&'a Simple>) -> Index<'a> {
        let mut by_simple: HashMap<&Simple, Vec<u32>> = HashMap::default();
        for (i, holder) in page.holders.iter().enumerate() {
            for simple in Simple::of(page.page, holder.element) {
                if let Some(simple) = asked.get(&simple) {
                    by_simple.entry(simple).or_default().push(i as u32);
                }
            }
        }
        Index { by_simple }
    }

    /// [`Expression::holders`].
    pub fn holders(&self, expression: &Expression, page: &PageEvidence<'_>) -> Vec<usize> {
        let of = |simple: &Simple| self.by_simple.get(simple).map_or(&[][..], Vec::as_slice);
        let within = expression.within.as_ref().map(of);
        let mut end = NodeId(0);
        let mut out = Vec::new();
        for &i in of(&expression.last) {
            let element = page.holders[i as usize].element;
            let inside = |outer: &u32| {
                let outer = page.holders[*outer as usize].element;
                outer != element && page.page.contains(outer, element)
            };
            if element >= end && within.is_none_or(|within| within.iter().any(inside)) {
                end = page.page.end(element);
                out.push(i as usize);
            }
        }
        out
    }
}

fn select(
    expression: &Expression,
    page: &PageEvidence<'_>,
    is: impl Fn(usize, &Simple) -> bool,
) -> Vec<usize> {
    let mut end = NodeId(0);
    let mut out = Vec::new();
    for (i, holder) in page.holders.iter().enumerate() {
        if holder.element < end || !is(i, &expression.last) {
            continue;
        }
        if let Some(within) = &expression.within
            && !around(page, i).any(|outer| is(outer, within))
        {
            continue;
        }
        end = page.page.end(holder.element);
        out.push(i);
    }
    out
}

/// The holders around one, innermost first.
pub(super) fn around<'p>(
    page: &'p PageEvidence<'_>,
    holder: usize,
) -> impl Iterator<Item = usize> + 'p {
    let up = |i: usize| Some(page.holders[i].parent).filter(|&parent| parent != i);
    std::iter::successors(up(holder), move |&i| up(i))
}

/// What expressions select of a page together, without the blocks in `gone`.
pub(super) fn amount(body: &[Expression], page: &PageEvidence<'_>, gone: &[bool]) -> Amount {
    let mut amount = Amount::default();
    for range in ranges(body, page) {
        amount.add(page.amount(range, gone));
    }
    amount
}

/// The blocks that expressions select of a page together, each once.
pub(super) fn ranges(body: &[Expression], page: &PageEvidence<'_>) -> Vec<std::ops::Range<usize>> {
    let mut all: Vec<std::ops::Range<usize>> = body
        .iter()
        .flat_map(|expression| expression.holders(page))
        .map(|i| page.holders[i].blocks.clone())
        .collect();
    all.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut end = 0;
    all.retain(|range| {
        let outside = range.start >= end;
        end = end.max(range.end);
        outside && !range.is_empty()
    });
    all
}

/// Whether an element is one that a page has once.
pub(super) fn is_page(page: &Page, n: NodeId) -> bool {
    page.body() == Some(n)
}
