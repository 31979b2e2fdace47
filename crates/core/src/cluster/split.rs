//! The split of a group of pages that makes its description shortest.
//!
//! The description of a cluster is a symbol for each slot, and of each page the symbols in which it
//! differs. A split is tried for each slot of the layout and the two symbols that most pages have
//! there: the pages with the symbol, and the others. The best is made better by moving each page
//! to the part by which its description is shorter.

use super::layout::SLOTS;
use super::traits::{LIST, PageTraits, SYMBOLS};
use forest_html::text::mixed;
use std::collections::BTreeMap;

/// Pages of a group on which a split is searched.
pub const SPLIT_PAGES: usize = 256;

/// Pages of a cluster at the least: one page shows nothing that it has in common.
pub(super) const MIN_PAGES: usize = 2;

/// Weight of a symbol of the address.
const ADDRESS_WEIGHT: usize = 2;

/// Weight of the symbol for lists. With the address it weighs a quarter of a page's symbols, less than
/// [`TOLD_APART`]: they alone split nothing.
const LIST_WEIGHT: usize = 8;

/// Weight of all symbols of a page.
const TOTAL: usize = SLOTS + ADDRESS_WEIGHT * (LIST - SLOTS) + LIST_WEIGHT;

/// Symbols that it costs to say of a page that it is in the smaller part, and that a further
/// cluster costs.
const TOLD_APART: usize = TOTAL / 3;

/// Times that the pages are moved.
const ROUNDS: usize = 2;

/// Symbols that one slot is tried with.
const TRIED: usize = 2;

fn weight(slot: usize) -> usize {
    match slot {
        LIST => LIST_WEIGHT,
        0..SLOTS => 1,
        _ => ADDRESS_WEIGHT,
    }
}

/// The symbols that the pages of a cluster have in common.
#[derive(Debug, Clone)]
pub(super) struct Centre {
    /// The most frequent symbol of each slot.
    pub symbols: [u32; SYMBOLS],
    /// Pages of the cluster.
    pub pages: usize,
}

impl Centre {
    /// The centre of a group, by some of its pages.
    pub fn of_some(group: &[&PageTraits]) -> Centre {
        Centre {
            pages: group.len(),
            ..Centre::of(&drawn(group))
        }
    }

    fn of(pages: &[&PageTraits]) -> Centre {
        let mut symbols = [0; SYMBOLS];
        for (slot, symbol) in symbols.iter_mut().enumerate() {
            *symbol = by_count(pages, slot)
                .first()
                .map_or(0, |(symbol, _)| *symbol);
        }
        Centre {
            symbols,
            pages: pages.len(),
        }
    }

    /// The weight of the symbols that a row of symbols has in common with this one.
    fn common(&self, symbols: &[u32; SYMBOLS]) -> usize {
        let both = self.symbols.iter().zip(symbols).enumerate();
        both.map(|(slot, (a, b))| if a == b { weight(slot) } else { 0 })
            .sum()
    }

    /// True if a page is cheaper to describe by another centre: of the smaller part it must be said
    /// that it is in that.
    pub fn gives_to(&self, smaller: &Centre, page: &PageTraits) -> bool {
        smaller.common(&page.symbols) > self.common(&page.symbols) + TOLD_APART
    }

    /// The share of a page's symbols that are those of the cluster.
    pub fn agreement(&self, page: &PageTraits) -> f64 {
        self.common(&page.symbols) as f64 / TOTAL as f64
    }

    /// The share of a page's slots of the layout that are those of the cluster.
    pub fn layout_agreement(&self, page: &PageTraits) -> f64 {
        let layouts = self.symbols[..SLOTS].iter().zip(&page.symbols[..SLOTS]);
        layouts.filter(|(a, b)| a == b).count() as f64 / SLOTS as f64
    }

    /// True if another cluster is no other: it differs in less than what it costs to tell a
    /// page apart.
    pub fn is_same(&self, other: &Centre) -> bool {
        TOTAL - self.common(&other.symbols) <= TOLD_APART
    }
}

/// The symbols of a slot by how many pages have them; of equally many the least first.
fn by_count(pages: &[&PageTraits], slot: usize) -> Vec<(u32, usize)> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for page in pages {
        *counts.entry(page.symbols[slot]).or_default() += 1;
    }
    let mut counts: Vec<(u32, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|&(symbol, count)| (std::cmp::Reverse(count), symbol));
    counts
}

/// [`SPLIT_PAGES`] pages of a group: those whose symbols have the least hashes, so that they do not
/// depend on the order of the pages. Pages with the same symbols are told apart by a number.
fn drawn<'a>(group: &[&'a PageTraits]) -> Vec<&'a PageTraits> {
    if group.len() <= SPLIT_PAGES {
        return group.to_vec();
    }
    let mut copies: BTreeMap<u64, u64> = BTreeMap::new();
    let mut all: Vec<(u64, &PageTraits)> = Vec::with_capacity(group.len());
    for &page in group {
        let symbols = page.symbols.iter();
        let own = symbols.fold(0, |hash, &symbol| mixed(hash ^ u64::from(symbol)));
        let copy = copies.entry(own).or_default();
        *copy += 1;
        all.push((mixed(own ^ *copy), page));
    }
    let (least, _, _) = all.select_nth_unstable_by_key(SPLIT_PAGES, |(drawn, _)| *drawn);
    least.iter().map(|(_, page)| *page).collect()
}

/// The symbols of some pages, numbered by slot, so that they can be counted in arrays.
struct SymbolTable<'a> {
    pages: &'a [&'a PageTraits],
    /// The number of each page's symbol in each slot.
    numbers: Vec<[u16; SYMBOLS]>,
    /// Symbols of each slot.
    distinct: [usize; SYMBOLS],
    /// The pages that have each symbol of each slot.
    counts: Vec<Vec<usize>>,
}

impl<'a> SymbolTable<'a> {
    fn of(pages: &'a [&'a PageTraits]) -> SymbolTable<'a> {
        let mut table = SymbolTable {
            pages,
            numbers: vec![[0; SYMBOLS]; pages.len()],
            distinct: [0; SYMBOLS],
            counts: Vec::with_capacity(SYMBOLS),
        };
        for slot in 0..SYMBOLS {
            let by_count = by_count(pages, slot);
            let number: BTreeMap<u32, u16> = by_count.iter().map(|(s, _)| *s).zip(0..).collect();
            for (numbers, page) in table.numbers.iter_mut().zip(pages) {
                numbers[slot] = number[&page.symbols[slot]];
            }
            table.distinct[slot] = by_count.len();
            table
                .counts
                .push(by_count.into_iter().map(|(_, count)| count).collect());
        }
        table
    }

    /// The symbols that a split saves, less its cost.
    fn gain(&self, is_first: &[bool]) -> i64 {
        let first = is_first.iter().filter(|is| **is).count();
        let smaller = first.min(is_first.len() - first);
        if smaller < MIN_PAGES {
            return i64::MIN;
        }
        let mut saved = 0;
        let mut counts = vec![0_usize; SPLIT_PAGES.max(self.pages.len())];
        for slot in 0..SYMBOLS {
            let counts = &mut counts[..self.distinct[slot]];
            counts.fill(0);
            let pages = self.numbers.iter().zip(is_first);
            for (numbers, _) in pages.filter(|(_, is_first)| **is_first) {
                counts[usize::from(numbers[slot])] += 1;
            }
            let all = &self.counts[slot];
            let own = counts.iter().copied().max().unwrap_or(0);
            let others = all.iter().zip(&*counts).map(|(all, own)| all - own);
            let together = all.first().copied().unwrap_or(0);
            saved += weight(slot) * (own + others.max().unwrap_or(0) - together);
        }
        saved as i64 - (TOLD_APART * (smaller + 1)) as i64
    }

    /// The centres of both parts, the larger first.
    fn centres(&self, is_first: &[bool]) -> (Centre, Centre) {
        let part = |first: bool| -> Vec<&PageTraits> {
            let pages = self.pages.iter().zip(is_first);
            pages
                .filter(|(_, is)| **is == first)
                .map(|(page, _)| *page)
                .collect()
        };
        let (a, b) = (Centre::of(&part(true)), Centre::of(&part(false)));
        if a.pages >= b.pages { (a, b) } else { (b, a) }
    }
}

/// The centres of the parts that a group is best split into, the larger first; `None` if it is one
/// cluster.
pub(super) fn split(group: &[&PageTraits]) -> Option<(Centre, Centre)> {
    if group.len() < 2 * MIN_PAGES {
        return None;
    }
    let pages = drawn(group);
    let table = SymbolTable::of(&pages);
    let mut best: Option<(i64, Vec<bool>)> = None;
    for slot in 0..SLOTS {
        for symbol in 0..table.distinct[slot].min(TRIED) {
            let has = |numbers: &[u16; SYMBOLS]| usize::from(numbers[slot]) == symbol;
            let is_first: Vec<bool> = table.numbers.iter().map(has).collect();
            let gain = table.gain(&is_first);
            if gain > best.as_ref().map_or(i64::MIN, |(best, _)| *best) {
                best = Some((gain, is_first));
            }
        }
    }
    let (_, mut is_first) = best?;
    let mut centres = table.centres(&is_first);
    for _ in 0..ROUNDS {
        let goes = |page: &&PageTraits| centres.0.gives_to(&centres.1, page);
        is_first = pages.iter().map(goes).collect();
        let first = is_first.iter().filter(|is| **is).count();
        if first.min(pages.len() - first) < MIN_PAGES {
            return None;
        }
        centres = table.centres(&is_first);
    }
    (table.gain(&is_first) > 0).then_some(centres)
}
