//! Two sequences side by side, with bounded effort.
//!
//! The common beginning and end are equal. Items that occur once in each sequence, in the
//! same order, are equal too. These anchors (Cohen's patience diff) divide the sequences into
//! gaps, in O(n log n). In the gaps Myers' algorithm finds the fewest changes, in
//! O((n + m) d). It is used while the budget of `n * m` lasts; after that a gap is one change.

use foldhash::{HashMap, HashMapExt};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;

/// Comparisons (`n * m`, which Myers' algorithm does not exceed by more than a small
/// factor) for one diff. Two wholly different texts of 5,000 words are within it, which
/// is longer than most articles.
const BUDGET: usize = 25_000_000;

/// The remaining number of comparisons.
pub struct DiffBudget(usize);

impl Default for DiffBudget {
    fn default() -> Self {
        DiffBudget(BUDGET)
    }
}

/// A range of the old sequence and a range of the new one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlignedRange {
    /// True if they are the same.
    pub equal: bool,
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// Aligns two sequences: the ranges cover both, in order; equal ones and changes
/// alternate.
pub fn align(old: &[u32], new: &[u32], effort: &mut DiffBudget) -> Vec<AlignedRange> {
    let mut ops = AlignedRanges(Vec::new());
    let prefix = common(old.iter(), new.iter());
    let (a, b) = (&old[prefix..], &new[prefix..]);
    let suffix = common(a.iter().rev(), b.iter().rev());
    let (a_end, b_end) = (old.len() - suffix, new.len() - suffix);
    ops.push(true, 0..prefix, 0..prefix);
    let (mut i, mut j) = (prefix, prefix);
    for (x, y) in anchors(&old[prefix..a_end], &new[prefix..b_end]) {
        let (x, y) = (x + prefix, y + prefix);
        ops.gap(old, new, i..x, j..y, effort);
        ops.push(true, x..x + 1, y..y + 1);
        (i, j) = (x + 1, y + 1);
    }
    ops.gap(old, new, i..a_end, j..b_end, effort);
    ops.push(true, a_end..old.len(), b_end..new.len());
    ops.0
}

/// The number of equal items at the beginning of both.
fn common<'a>(a: impl Iterator<Item = &'a u32>, b: impl Iterator<Item = &'a u32>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}

/// The places of items that occur once in each sequence: the longest run that increases in
/// both.
fn anchors(old: &[u32], new: &[u32]) -> Vec<(usize, usize)> {
    // For each item its place, unless it occurs twice.
    let places = |items: &[u32]| {
        let mut places: HashMap<u32, Option<usize>> = HashMap::with_capacity(items.len());
        for (at, &item) in items.iter().enumerate() {
            places
                .entry(item)
                .and_modify(|place| *place = None)
                .or_insert(Some(at));
        }
        places
    };
    let (in_old, in_new) = (places(old), places(new));
    let pairs: Vec<(usize, usize)> = old
        .iter()
        .enumerate()
        .filter(|(_, item)| in_old.get(item).is_some_and(Option::is_some))
        .filter_map(|(at, item)| Some((at, (*in_new.get(item)?)?)))
        .collect();
    // Patience sorting: `tops` holds the pair that ends the best run of each length.
    let mut tops: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, &(_, y)) in pairs.iter().enumerate() {
        let length = tops.partition_point(|&top| pairs[top].1 < y);
        before.push(length.checked_sub(1).map(|shorter| tops[shorter]));
        match tops.get_mut(length) {
            Some(top) => *top = at,
            None => tops.push(at),
        }
    }
    let mut run = Vec::with_capacity(tops.len());
    let mut at = tops.last().copied();
    while let Some(pair) = at {
        run.push(pairs[pair]);
        at = before[pair];
    }
    run.reverse();
    run
}

struct AlignedRanges(Vec<AlignedRange>);

impl AlignedRanges {
    /// Adds ranges behind the last ones; those of one kind become one.
    fn push(&mut self, equal: bool, old: Range<usize>, new: Range<usize>) {
        if old.is_empty() && new.is_empty() {
            return;
        }
        match self.0.last_mut() {
            Some(last) if last.equal == equal => {
                last.old.end = old.end;
                last.new.end = new.end;
            }
            _ => self.0.push(AlignedRange { equal, old, new }),
        }
    }

    fn gap(
        &mut self,
        a: &[u32],
        b: &[u32],
        old: Range<usize>,
        new: Range<usize>,
        effort: &mut DiffBudget,
    ) {
        let cost = old.len().saturating_mul(new.len());
        if cost == 0 || cost > effort.0 {
            self.push(false, old, new);
            return;
        }
        effort.0 -= cost;
        let (x, y) = (old.start, new.start);
        for op in capture_diff_slices(Algorithm::Myers, &a[old], &b[new]) {
            let (old, new) = (op.old_range(), op.new_range());
            let equal = matches!(op, DiffOp::Equal { .. });
            self.push(
                equal,
                old.start + x..old.end + x,
                new.start + y..new.end + y,
            );
        }
    }
}
