//! What the trees make of a text that somebody else found on a page.

use super::features::Features;
use super::layout::{Block, Layout};
use super::{Judged, KEEP, Opinion, Trees};
use crate::page::view::View;
use crate::page::{Mask, Page};

/// Words below which a block is not asked for: most blocks are menus' words. The
/// confidence that is made of it is as good as with all blocks (AUC 0.81, Brier score
/// 0.054), for half of the time; of those with ten words and more it is worse (0.055).
const FEW_WORDS: f32 = 5.0;

/// Share of a text's words in blocks with few words from which these are asked for as
/// well: the text is a poem, or a menu.
const MOSTLY: f32 = 0.5;

/// A text of which [`Weighing::agreement`] is less is another than the page shows by
/// its shape.
pub const DISAGREES: f64 = 0.6;

/// Words that a page must show by its shape, if they are to be heard alone.
pub const WITNESS_WORDS: usize = 80;

/// Amounts of words; in scripts without spaces two characters are one. Blocks with
/// less than five words are left out, unless most of the text is in such.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Weighing {
    /// Of the text.
    pub words: f32,
    /// Of the text, as many as are to be expected in the article: each block's times
    /// its probability.
    pub likely: f32,
    /// Of the article, as many as are to be expected on the page.
    pub expected: f32,
    /// Variance of `expected`.
    pub variance: f32,
    /// Of the page, in blocks that are the article's rather than not.
    pub witness: f32,
    /// And of the text, in such blocks.
    pub agreed: f32,
}

impl Weighing {
    /// Weighs the text that `kept` is. Linear in the page.
    ///
    /// ```
    /// use forest::onepage::{Trees, Weighing};
    /// use forest::page::{Mask, Page};
    ///
    /// let page = Page::from_html("<ul><li><a href=/>The menu of a page is not the story</a></ul>");
    /// let all = Weighing::of(&page, &Mask::all(&page), Trees::shipped());
    /// assert_eq!((all.words, all.recall()), (9.0, 1.0));
    /// assert!(all.precision() < 0.5);
    /// ```
    pub fn of(page: &Page, kept: &Mask, trees: &Trees) -> Weighing {
        let layout = Layout::of(&View::whole(page));
        let features = Features::of(page, &layout);
        let is_kept = |block: &Block| kept.contains(block.first) || kept.contains(block.last);
        let blocks = &layout.blocks;
        let text = blocks.iter().filter(|block| is_kept(block));
        let least = least_words(text.map(|block| block.all.words));
        let asked: Vec<usize> = (0..blocks.len())
            .filter(|&i| blocks[i].all.words >= least)
            .collect();
        let probabilities = super::probabilities(&features, &asked, trees);
        let asked = asked.iter().map(|&i| &blocks[i]).zip(probabilities);
        Weighing::sum(asked.map(|(block, p)| (block.all.words, p, is_kept(block))))
    }

    /// Weighs a text by what is thought of the page's blocks already.
    pub fn by(opinion: &Opinion, kept: &Mask) -> Weighing {
        let is_kept = |block: &Judged| kept.contains(block.span.0) || kept.contains(block.span.1);
        let text = opinion.blocks.iter().filter(|block| is_kept(block));
        let least = least_words(text.map(|block| block.words));
        let asked = opinion.blocks.iter().filter(|block| block.words >= least);
        Weighing::sum(asked.map(|block| (block.words, block.probability, is_kept(block))))
    }

    /// The sum over blocks: words, probability and whether they are the text's.
    pub(super) fn sum(blocks: impl Iterator<Item = (f32, f32, bool)>) -> Weighing {
        let mut out = Weighing::default();
        for (words, p, is_kept) in blocks {
            out.expected += words * p;
            out.variance += words * words * p * (1.0 - p);
            if is_kept {
                out.words += words;
                out.likely += words * p;
            }
            if p > KEEP {
                out.witness += words;
                out.agreed += if is_kept { words } else { 0.0 };
            }
        }
        out
    }

    /// Share of the text that is likely the article's, 0 to 1; 0 for no text.
    pub fn precision(&self) -> f32 {
        share(self.likely, self.words)
    }

    /// Share of the article that is likely in the text, 0 to 1; 0 where no article is
    /// to be expected.
    pub fn recall(&self) -> f32 {
        share(self.likely, self.expected)
    }

    /// F1 to expect, `2 likely / (words + expected)`; 0 where there is neither.
    pub fn expected_f1(&self) -> f32 {
        share(2.0 * self.likely, self.words + self.expected)
    }

    /// How far the text is that which the page shows by its shape, 0 to 1: the harmonic
    /// mean of the shares of both that are the other's, `2 agreed / (words + witness)`.
    pub fn agreement(&self) -> f32 {
        share(2.0 * self.agreed, self.words + self.witness)
    }

    /// Standard deviation of the words to be expected, as a share of them: high where
    /// the trees judge a few large blocks. 0 to 1.
    pub fn doubt(&self) -> f32 {
        share(self.variance.sqrt(), self.expected)
    }
}

/// Words below which a block is not asked for, where the text's blocks have so many.
fn least_words(of_text: impl Iterator<Item = f32>) -> f32 {
    let (mut text, mut few) = (0.0, 0.0);
    for words in of_text {
        text += words;
        few += if words < FEW_WORDS { words } else { 0.0 };
    }
    if few > MOSTLY * text { 0.0 } else { FEW_WORDS }
}

/// `part / whole`, at most 1; 0 where there is no whole.
fn share(part: f32, whole: f32) -> f32 {
    super::layout::share(part, whole).min(1.0)
}
