//! The overlap of a text with the article that a page's block scores expect.

use super::scores::{BlockScores, KEEP, ScoredBlock, article_probabilities};
use super::trees::BlockModel;
use crate::blocks::{BlockId, LayoutBlock, PageFacts, share};
use forest_html::page::view::View;
use forest_html::page::{Mask, Page};

/// Words below which a block is left out: most blocks are menus' words. The
/// confidence that is made of the rest is as good as with all blocks (AUC 0.81, Brier score
/// 0.054), for half of the time; of blocks with ten words and more it is worse (0.055).
const FEW_WORDS: f32 = 5.0;

/// Share of a text's words in blocks with few words from which these blocks count as
/// well: the text is a poem, or a menu.
const MOSTLY: f32 = 0.5;

/// A text whose [`Overlap::agreement`] is less is another text than the likely blocks.
pub const MIN_AGREEMENT: f64 = 0.6;

/// Words in likely blocks that a page must have, if these are to decide alone.
pub const MIN_LIKELY_WORDS: usize = 80;

/// Amounts of words; in scripts without spaces two characters are one. Blocks with
/// less than five words are left out, unless most of the text is in such. A likely
/// block has a probability above one half.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Overlap {
    /// Words of the text.
    pub text_words: f32,
    /// Words to expect in both: the text's, each block's times its probability.
    pub shared_words: f32,
    /// Words to expect in the article: the page's, each block's times its probability.
    pub article_words: f32,
    /// Variance of `article_words`.
    pub article_variance: f32,
    /// Words of the page in likely blocks.
    pub likely_words: f32,
    /// Words of the text in likely blocks.
    pub shared_likely_words: f32,
}

impl Overlap {
    /// The overlap of the text `kept` and the article. Linear in the page; only blocks
    /// that count get a score.
    ///
    /// ```
    /// use forest_core::onepage::{BlockModel, Overlap};
    /// use forest_html::page::{Mask, Page};
    ///
    /// let page = Page::from_html("<ul><li><a href=/>The menu of a page is not the story</a></ul>");
    /// let all = Overlap::of(&page, &Mask::all(&page), BlockModel::shipped());
    /// assert_eq!((all.text_words, all.recall()), (9.0, 1.0));
    /// assert!(all.precision() < 0.5);
    /// ```
    pub fn of(page: &Page, kept: &Mask, model: &BlockModel) -> Overlap {
        Overlap::from_facts(&PageFacts::of(&View::whole(page)), kept, model)
    }

    /// [`of`](Self::of) a page whose facts are known.
    pub(super) fn from_facts(facts: &PageFacts, kept: &Mask, model: &BlockModel) -> Overlap {
        let layout = &facts.layout;
        let is_kept = |block: &LayoutBlock| kept.contains(block.first) || kept.contains(block.last);
        let blocks = &layout.blocks;
        let text = blocks.iter().filter(|block| is_kept(block));
        let least = least_words(text.map(|block| block.all.words));
        let counted: Vec<BlockId> = (0..blocks.len())
            .map(BlockId)
            .filter(|&id| layout.block(id).all.words >= least)
            .collect();
        let found = article_probabilities(facts, &counted, model);
        let counted = counted.iter().map(|&id| layout.block(id)).zip(found);
        Overlap::sum(counted.map(|(block, p)| (block.all.words, p, is_kept(block))))
    }

    /// The overlap of the text `kept` and the article on a page whose scores are known.
    pub fn from_scores(scores: &BlockScores, kept: &Mask) -> Overlap {
        let is_kept =
            |block: &ScoredBlock| kept.contains(block.span.0) || kept.contains(block.span.1);
        let text = scores.blocks.iter().filter(|block| is_kept(block));
        let least = least_words(text.map(|block| block.words));
        let counted = scores.blocks.iter().filter(|block| block.words >= least);
        Overlap::sum(counted.map(|block| (block.words, block.probability, is_kept(block))))
    }

    /// The overlap of the blocks that are kept and the article; all blocks count.
    pub(super) fn of_all_blocks(scores: &BlockScores) -> Overlap {
        let threshold = scores.threshold();
        let blocks = scores.blocks.iter();
        Overlap::sum(blocks.map(|block| {
            let is_kept = block.probability > threshold;
            (block.words, block.probability, is_kept)
        }))
    }

    /// The sum over blocks: words, probability, and true for a block of the text.
    pub(super) fn sum(blocks: impl Iterator<Item = (f32, f32, bool)>) -> Overlap {
        let mut out = Overlap::default();
        for (words, p, is_kept) in blocks {
            out.article_words += words * p;
            out.article_variance += words * words * p * (1.0 - p);
            if is_kept {
                out.text_words += words;
                out.shared_words += words * p;
            }
            if p > KEEP {
                out.likely_words += words;
                out.shared_likely_words += if is_kept { words } else { 0.0 };
            }
        }
        out
    }

    /// Share of the text that is expected to be the article's, 0 to 1; 0 for no text.
    pub fn precision(&self) -> f32 {
        ratio(self.shared_words, self.text_words)
    }

    /// Share of the article that is expected in the text, 0 to 1; 0 if no article is
    /// expected.
    pub fn recall(&self) -> f32 {
        ratio(self.shared_words, self.article_words)
    }

    /// F1 to expect, `2 shared / (text + article)`, 0 to 1; 0 without text and article.
    pub fn expected_f1(&self) -> f32 {
        ratio(
            2.0 * self.shared_words,
            self.text_words + self.article_words,
        )
    }

    /// The harmonic mean of the shares that the text and the likely blocks have of each
    /// other, `2 shared_likely / (text + likely)`, 0 to 1.
    pub fn agreement(&self) -> f32 {
        ratio(
            2.0 * self.shared_likely_words,
            self.text_words + self.likely_words,
        )
    }

    /// Standard deviation of the article's words, as a share of them, 0 to 1: high if
    /// the probability of a few large blocks decides.
    pub fn doubt(&self) -> f32 {
        ratio(self.article_variance.sqrt(), self.article_words)
    }
}

/// Words from which a block counts, for a text whose blocks have so many.
fn least_words(of_text: impl Iterator<Item = f32>) -> f32 {
    let (mut text, mut few) = (0.0, 0.0);
    for words in of_text {
        text += words;
        few += if words < FEW_WORDS { words } else { 0.0 };
    }
    if few > MOSTLY * text { 0.0 } else { FEW_WORDS }
}

/// `part / whole`, at most 1; 0 if the whole is 0.
fn ratio(part: f32, whole: f32) -> f32 {
    share(part, whole).min(1.0)
}
