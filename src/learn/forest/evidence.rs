//! What is known of the blocks of a sample page: the one-page extractor's opinion,
//! and what the other pages say against it.

use crate::density::onepage::{Holder, Opinion, Trees};
use crate::page::Page;
use foldhash::HashMap;

/// Share of the sample's pages on which a text stands that is the template's, and
/// how many pages that are at the least.
const REPEATED: f32 = 0.4;
const REPEATED_PAGES: u32 = 2;

/// What a text that is repeated keeps of its probability.
const OF_REPEATED: f32 = 0.02;

/// A page of the sample.
#[derive(Debug)]
pub(super) struct PageEvidence<'a> {
    pub page: &'a Page,
    pub holders: Vec<Holder>,
    pub blocks: Vec<BlockEvidence>,
    /// Words of the article that are to be expected.
    pub expected: f32,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct BlockEvidence {
    pub words: f32,
    pub probability: f32,
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

impl<'a> PageEvidence<'a> {
    /// The pages of a sample.
    pub fn of_sample(pages: &[&'a Page], trees: &Trees) -> Vec<PageEvidence<'a>> {
        let opinions: Vec<Opinion> = pages.iter().map(|page| Opinion::of(page, trees)).collect();
        let mut pages_with: HashMap<u64, (u32, usize)> = HashMap::default();
        for (i, opinion) in opinions.iter().enumerate() {
            for block in opinion.blocks.iter().filter(|b| b.words >= 1.0) {
                let (count, last) = pages_with.entry(block.text).or_insert((0, usize::MAX));
                if *last != i {
                    (*count, *last) = (*count + 1, i);
                }
            }
        }
        let enough = ((pages.len() as f32 * REPEATED).ceil() as u32).max(REPEATED_PAGES);
        let evidence = pages.iter().zip(opinions).map(|(page, opinion)| {
            let blocks: Vec<BlockEvidence> = opinion
                .blocks
                .iter()
                .map(|block| {
                    let is_repeated = pages_with.get(&block.text).is_some_and(|p| p.0 >= enough);
                    BlockEvidence {
                        words: block.words,
                        probability: block.probability
                            * if is_repeated { OF_REPEATED } else { 1.0 },
                    }
                })
                .collect();
            PageEvidence {
                page,
                expected: blocks.iter().map(|b| b.words * b.probability).sum(),
                holders: opinion.holders,
                blocks,
            }
        });
        evidence.collect()
    }

    /// What of the blocks in `range` is there, those in `gone` left out.
    pub fn amount(&self, range: std::ops::Range<usize>, gone: &[bool]) -> Amount {
        let mut amount = Amount::default();
        for i in range.filter(|&i| !gone[i]) {
            let block = self.blocks[i];
            amount.words += block.words;
            amount.likely += block.words * block.probability;
        }
        amount
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
