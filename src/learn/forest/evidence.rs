//! What is known of the blocks of a sample page: the one-page extractor's scores,
//! and what the other pages say against it.

use super::holders::{self, Holder};
use super::names::{Name, Names};
use crate::onepage::{BlockModel, BlockScores};
use crate::page::Page;
use foldhash::HashMap;
use std::ops::Range;

/// Share of the sample's pages on which a text stands that is the template's, and
/// how many pages that are at the least.
const REPEATED: f32 = 0.4;
const REPEATED_PAGES: u32 = 2;

/// Share of the sample's pages on which a text stands that can tell its element.
const LABEL: f32 = 0.25;

/// What a text that is repeated keeps of its probability.
const OF_REPEATED: f32 = 0.02;

/// What of the F1 to expect of a page alone is left where a template selects nothing.
const UNMATCHED: f32 = 0.9;

/// The pages of a sample.
#[derive(Debug)]
pub(super) struct Sample<'a> {
    pub pages: Vec<PageEvidence<'a>>,
    /// The selectors of their holders.
    pub names: Names,
}

/// A page of the sample.
#[derive(Debug)]
pub(super) struct PageEvidence<'a> {
    pub page: &'a Page,
    pub blocks: Vec<BlockEvidence>,
    /// What the page shows alone.
    pub scores: BlockScores,
    /// What has text, in document order; the first is around all others.
    pub holders: Vec<Holder>,
    /// The holders that a selector selects, in document order.
    by_name: HashMap<Name, Vec<u32>>,
    /// Words of the article that are to be expected.
    pub expected: f32,
    /// The F1 to expect of what is more likely than not.
    pub alone: f32,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct BlockEvidence {
    pub words: f32,
    pub probability: f32,
}

impl BlockEvidence {
    /// Its words.
    pub fn amount(self) -> Amount {
        Amount {
            words: self.words,
            likely: self.words * self.probability,
        }
    }
}

/// Words in blocks, and those among them that are likely the article's.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Amount {
    pub words: f32,
    pub likely: f32,
}

impl Amount {
    pub fn add(&mut self, other: Amount) {
        self.words += other.words;
        self.likely += other.likely;
    }

    /// The share that is likely the article's.
    pub fn share(self) -> f32 {
        if self.words > 0.0 {
            self.likely / self.words
        } else {
            0.0
        }
    }
}

impl<'a> Sample<'a> {
    /// What `trees` and the pages say of each other.
    pub fn of(pages: &[&'a Page], trees: &BlockModel) -> Sample<'a> {
        let all_scores: Vec<BlockScores> = pages
            .iter()
            .map(|page| BlockScores::of(page, trees))
            .collect();
        let pages_with = pages_with(&all_scores);
        let share = |of: f32| ((pages.len() as f32 * of).ceil() as u32).max(REPEATED_PAGES);
        let (enough, labels) = (share(REPEATED), share(LABEL));
        let mut names = Names::default();
        let evidence = pages.iter().zip(all_scores).map(|(page, scores)| {
            let times: Vec<u32> = scores
                .blocks
                .iter()
                .map(|block| {
                    pages_with
                        .get(&block.text_hash)
                        .map_or(1, |(pages, _)| *pages)
                })
                .collect();
            let kept = |times: u32| if times >= enough { OF_REPEATED } else { 1.0 };
            let blocks: Vec<BlockEvidence> = scores
                .blocks
                .iter()
                .zip(&times)
                .map(|(block, &times)| BlockEvidence {
                    words: block.words,
                    probability: block.probability * kept(times),
                })
                .collect();
            let is_repeated = |block: usize| times[block] >= labels;
            let holders = holders::of(page, &scores, is_repeated, &mut names);
            PageEvidence::new(page, blocks, holders, scores)
        });
        let pages = evidence.collect();
        Sample { pages, names }
    }
}

/// On how many pages each text stands, and the last of them.
fn pages_with(all_scores: &[BlockScores]) -> HashMap<u64, (u32, usize)> {
    let mut pages_with: HashMap<u64, (u32, usize)> = HashMap::default();
    for (i, scores) in all_scores.iter().enumerate() {
        for block in scores.blocks.iter().filter(|b| b.words >= 1.0) {
            let (count, last) = pages_with.entry(block.text_hash).or_insert((0, usize::MAX));
            if *last != i {
                (*count, *last) = (*count + 1, i);
            }
        }
    }
    pages_with
}

impl<'a> PageEvidence<'a> {
    fn new(
        page: &'a Page,
        blocks: Vec<BlockEvidence>,
        holders: Vec<Holder>,
        scores: BlockScores,
    ) -> Self {
        let mut by_name: HashMap<Name, Vec<u32>> = HashMap::default();
        for (at, holder) in holders.iter().enumerate() {
            for &name in &holder.names {
                by_name.entry(name).or_default().push(at as u32);
            }
        }
        let mut likely = Amount::default();
        for block in blocks.iter().filter(|block| block.probability > 0.5) {
            likely.add(block.amount());
        }
        let mut page = PageEvidence {
            page,
            expected: blocks.iter().map(|b| b.words * b.probability).sum(),
            alone: 0.0,
            blocks,
            scores,
            holders,
            by_name,
        };
        page.alone = page.f1(likely);
        page
    }

    /// The holders that a selector selects, in document order.
    pub fn named(&self, name: Name) -> &[u32] {
        self.by_name.get(&name).map_or(&[], Vec::as_slice)
    }

    /// The holders around one, innermost first.
    pub fn around(&self, holder: usize) -> impl Iterator<Item = usize> {
        let up = |i: usize| Some(self.holders[i].parent).filter(|&parent| parent != i);
        std::iter::successors(up(holder), move |&i| up(i))
    }

    /// [`f1`](Self::f1) of what a template selects; what it selects nothing of is for
    /// another one, or for what this page alone shows.
    pub fn f1_or_alone(&self, amount: Amount) -> f32 {
        match amount.words > 0.0 {
            true => self.f1(amount),
            false => UNMATCHED * self.alone,
        }
    }

    /// The F1 to expect of a text of this amount.
    pub fn f1(&self, amount: Amount) -> f32 {
        let both = amount.words + self.expected;
        if both > 0.0 {
            2.0 * amount.likely / both
        } else {
            0.0
        }
    }
}

/// A page of which some blocks are gone, with sums from its beginning on.
#[derive(Debug, Clone)]
pub(super) struct Rest<'e> {
    page: &'e PageEvidence<'e>,
    pub gone: Vec<bool>,
    /// What is there of the blocks before each.
    before: Vec<Amount>,
}

impl<'e> Rest<'e> {
    pub fn whole(page: &'e PageEvidence<'e>) -> Rest<'e> {
        Rest::without(page, vec![false; page.blocks.len()])
    }

    pub fn without(page: &'e PageEvidence<'e>, gone: Vec<bool>) -> Rest<'e> {
        let mut rest = Rest {
            page,
            gone,
            before: Vec::with_capacity(page.blocks.len() + 1),
        };
        rest.sum();
        rest
    }

    /// To be called when `gone` has changed.
    pub fn sum(&mut self) {
        self.before.clear();
        let mut sum = Amount::default();
        self.before.push(sum);
        for (block, gone) in self.page.blocks.iter().zip(&self.gone) {
            if !gone {
                sum.add(block.amount());
            }
            self.before.push(sum);
        }
    }

    /// What is there of the blocks in a range.
    pub fn amount(&self, range: &Range<usize>) -> Amount {
        if range.is_empty() {
            return Amount::default();
        }
        let (first, end) = (self.before[range.start], self.before[range.end]);
        Amount {
            words: (end.words - first.words).max(0.0),
            likely: (end.likely - first.likely).max(0.0),
        }
    }

    /// What is there of a holder.
    pub fn held(&self, holder: &Holder) -> Amount {
        match holder.part {
            Some(words) if words > 0.0 && !self.gone[holder.blocks.start] => Amount {
                words,
                likely: words * self.page.blocks[holder.blocks.start].probability,
            },
            Some(_) => Amount::default(),
            None => self.amount(&holder.blocks),
        }
    }
}
