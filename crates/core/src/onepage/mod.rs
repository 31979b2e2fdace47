//! `onepage`: the strongest extractor for a single page of an unknown site.
//!
//! Takes a [`Page`]. Gives the [`Mask`] of its article's text nodes, the F1 to expect
//! of them and, if there is nothing to read, why ([`refusal`](crate::refusal)). There
//! are four steps:
//!
//! 1. [`blocks`](crate::blocks) cuts the page into blocks, and [`kind`](crate::kind) says
//!    what the page is.
//! 2. `features` takes some hundred numbers of each block.
//! 3. [`BlockModel`], boosted decision trees, makes of them the block's score: the
//!    probability that the block is part of the article.
//! 4. Blocks with a probability above one half ([`Favor`] moves it) are kept, and whole programs, tables, lists and groups
//!    of short texts among them; boxes to subscribe are dropped (`pieces`).
//!
//! A page that is hardly an article has its blocks scored by [`OtherBlockModel`]: the same
//! numbers and the probability of each kind, learned by `forest-lab train-kinds` from pages
//! that are no articles. All blocks above .35 are kept then: all posts, all items.
//!
//! The numbers of a block are:
//!
//! - of its text: words, links, capitals, ends of sentences;
//! - of the four containers around it: their words, links, density of tags, and
//!   how many containers of the page look the same;
//! - steps up to the nearest container with a role, by tag (`article`, `main`,
//!   `nav`) or by the names in its class and id;
//! - its place on the page and relative to the headline, the page's centre, and
//!   the paragraphs next to it (the densities of Gottron 5 and of boilerpipe, in
//!   numbers);
//! - the share of its words in the page's title, its summary, and the `articleBody`
//!   of its JSON-LD.
//!
//! No word of any language is among them, so that a page may be in any. One pass
//! over the page, then a few over its blocks and containers; linear in the page.
//!
//! **The model** is learned by `forest-lab train-onepage` from the development gold,
//! each publisher with the weight of the root of its pages. The file holds thresholds and
//! scores, no text of any page. Its F1 on sites that it has not seen is measured with
//! five folds over publishers: `docs/experiments.md`.

mod favor;
mod features;
mod pieces;
mod overlap;
mod scored;
mod scores;
#[cfg(test)]
mod tests;
mod training;
mod trees;

use crate::blocks::PageFacts;
use crate::kind::KindScores;
use crate::refusal::{Refusal, judge};
pub use favor::Favor;
use forest_html::page::view::View;
use forest_html::page::{Mask, Page};
pub use overlap::{MIN_AGREEMENT, MIN_LIKELY_WORDS, Overlap};
pub use scored::{OtherKindsModel, ScoredPage};
pub use scores::{BlockScores, RaisedScores, ScoredBlock};
pub use training::{
    BlockFeatures, block_features, feature_names, features_of_kind, other_feature_names,
};
pub use trees::{BlockModel, OtherBlockModel};

pub use crate::model::{Corpus, PageDigest};
pub use scores::kept;

/// The article of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct OnePage {
    /// The text nodes of the article; empty if no block is part of one. A page without
    /// an article may have text that looks like one: see `refusal`.
    pub kept: Mask,
    /// The F1 to expect times the probability that there is an article, 0 to 1. The
    /// probability that the text is right is something else: `extract::confidence`.
    pub confidence: f64,
    /// The probability that the page holds an article, 0 to 1.
    pub article: f64,
    /// The overlap of `kept` and the article, over all blocks.
    pub overlap: Overlap,
    /// The kind of the page.
    pub kind: KindScores,
    /// The reasons to take the page for one without an article.
    pub refusal: Option<Refusal>,
}

/// The main text of a page.
///
/// ```
/// use forest_core::onepage;
/// use forest_html::page::Page;
///
/// let page = Page::from_html(
///     "<title>Rain in the valley</title><ul class=menu><li><a href=/>Home</a><li><a href=/news>News</a></ul>
///      <div class=story><h1>Rain in the valley</h1>
///      <p>It rained for nine days, and on the tenth the river was in the cellar of the old mill.</p>
///      <p>Nobody was hurt, said the miller, who had carried his flour to the church in time.</p></div>
///      <div class=footer><a href=/imprint>Imprint</a></div>",
/// );
/// let found = onepage::article(&page);
/// let text: String = found.kept.texts(&page).map(|n| page.text(n)).collect();
/// assert!(text.contains("It rained") && text.contains("Nobody was hurt"));
/// assert!(!text.contains("Home") && !text.contains("Imprint"));
/// ```
pub fn article(page: &Page) -> OnePage {
    ScoredPage::from(page).article().clone()
}

impl OnePage {
    /// The main text `kept` of a page whose blocks have these scores.
    fn of(page: &Page, kind: KindScores, scores: &BlockScores, kept: Mask) -> OnePage {
        let judgement = judge(page, &kept);
        let overlap = Overlap::of_all_blocks(scores);
        OnePage {
            confidence: f64::from(overlap.expected_f1()) * judgement.article,
            article: judgement.article,
            overlap,
            refusal: judgement.refusal,
            kept,
            kind,
        }
    }
}

/// The text nodes of the article in what is left of a page.
pub fn within(view: &View<'_>) -> Mask {
    let scores = BlockScores::of_article(&PageFacts::of(view), BlockModel::shipped());
    scores.kept(view.page(), Favor::default())
}
