//! `onepage`: the strongest extractor for a single page of an unknown site.
//!
//! Takes a [`Page`], gives the [`Mask`] of its article's text nodes, how sure it is
//! and, where the page holds no article, why ([`refusal`](crate::refusal)). The page is cut into blocks of text (`layout`: the text between borders
//! of block elements, or between two `br`); of each block some hundred numbers are
//! taken (`features`); boosted decision trees (`trees`) make of them the
//! probability that the block is the article's; what is more likely than not is
//! kept.
//!
//! The numbers of a block are:
//!
//! - of its text: words, links, capitals, ends of sentences;
//! - of the four containers around it: their words, links, density of tags, and
//!   how many containers of the page look the same;
//! - steps up to the nearest container with a role, by tag (`article`, `main`,
//!   `nav`) or by the names in its class and id (`roles`);
//! - its place on the page and relative to the headline, the page's centre, and
//!   the paragraphs next to it (the densities of Gottron 5 and of boilerpipe, in
//!   numbers);
//! - whether its words are in the page's title, its summary, or the `articleBody`
//!   of its JSON-LD (`topic`).
//!
//! No word of any language is among them, so that a page may be in any. One pass
//! over the page, then a few over its blocks and containers; linear in the page.
//!
//! **The trees** are learned by `forest-lab train-onepage` from the development gold,
//! each publisher with the weight of the root of its pages. The file holds thresholds and
//! scores, no text of any page. How good they are on sites that they have not seen
//! is measured with five folds over publishers: `docs/experiments.md`.

mod features;
mod layout;
mod measure;
mod roles;
#[cfg(test)]
mod tests;
mod topic;
mod trees;
mod weighing;

pub use crate::model::{Corpus, PageDigest};
use crate::page::view::View;
use crate::page::walk;
use crate::page::{Kind, Mask, NodeId, Page};
use crate::refusal::{Refusal, judge};
use features::Features;
use layout::Layout;
pub use trees::Trees;
pub use weighing::{DISAGREES, WITNESS_WORDS, Weighing};

/// Probability from which a block is kept. Five folds over publishers: 0.45 to 0.6
/// differ by less than 0.002 in mean F1.
const KEEP: f32 = 0.5;

/// Where no block is that likely, those are kept that are half as likely as the
/// likeliest, if that has at least this probability.
const KEEP_UNSURE: f32 = 0.05;

/// Blocks whose features are held at once: 100 kB.
const ROWS_TOGETHER: usize = 256;

/// What was found on a page.
#[derive(Debug, Clone, PartialEq)]
pub struct OnePage {
    /// The text nodes of the article; empty where no block is one's. A page that
    /// holds no article may have text that looks like one: see `refusal`.
    pub kept: Mask,
    /// The F1 to expect times the probability that there is an article, 0 to 1. How
    /// likely the text is right is something else: `extract::confidence`.
    pub confidence: f64,
    /// How likely the page holds an article, 0 to 1.
    pub article: f64,
    /// What the trees make of `kept`, all blocks asked.
    pub weighing: Weighing,
    /// Why the page is taken for one without an article.
    pub refusal: Option<Refusal>,
}

/// The article of a page.
///
/// ```
/// use forest::onepage;
/// use forest::page::Page;
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
    article_by(page, Trees::shipped())
}

/// [`article`] by other trees than those that come with the program.
pub fn article_by(page: &Page, trees: &Trees) -> OnePage {
    let (layout, probabilities) = judged(&View::whole(page), trees);
    let kept = kept(page, spans(&layout), &probabilities);
    let judgement = judge(page, &kept);
    let keep = threshold(&probabilities);
    let blocks = layout.blocks.iter().zip(&probabilities);
    let weighing = Weighing::sum(blocks.map(|(block, &p)| (block.all.words, p, p > keep)));
    OnePage {
        confidence: f64::from(weighing.expected_f1()) * judgement.article,
        article: judgement.article,
        weighing,
        refusal: judgement.refusal,
        kept,
    }
}

/// What is kept of what is there of a page.
pub(crate) fn within(view: &View<'_>) -> Mask {
    let (layout, probabilities) = judged(view, Trees::shipped());
    kept(view.page(), spans(&layout), &probabilities)
}

/// The blocks of what is there of a page, and what `trees` think of each.
fn judged(view: &View<'_>, trees: &Trees) -> (Layout, Vec<f32>) {
    let layout = Layout::of(view);
    let features = Features::of(view.page(), &layout);
    let all: Vec<usize> = (0..layout.blocks.len()).collect();
    let probabilities = probabilities(&features, &all, trees);
    (layout, probabilities)
}

/// What `trees` think of some blocks of a page.
fn probabilities(features: &Features<'_>, blocks: &[usize], trees: &Trees) -> Vec<f32> {
    let rows = |some: &[usize]| -> Vec<_> { some.iter().map(|&i| features.row(i)).collect() };
    blocks
        .chunks(ROWS_TOGETHER)
        .flat_map(|some| trees.probabilities(&rows(some)))
        .collect()
}

/// A block of text and what the trees think of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// Its first and its last text node; no other block's text is between them.
    pub span: (NodeId, NodeId),
    /// Words; in scripts without spaces two characters are one.
    pub words: f32,
    /// How likely it is the article's.
    pub probability: f32,
    /// A hash of its words: equal for equal text.
    pub text: u64,
}

/// An element of block level that is not empty, with the blocks in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The element.
    pub element: NodeId,
    /// Index of the holder around it; the body, which is the first, is its own.
    pub parent: usize,
    /// The blocks of its subtree, as indices.
    pub blocks: std::ops::Range<usize>,
}

/// What the trees think of a page: a witness for who learns from several pages.
#[derive(Debug, Clone, PartialEq)]
pub struct Opinion {
    /// The blocks in document order.
    pub blocks: Vec<Judged>,
    /// The elements around them in document order.
    pub holders: Vec<Holder>,
}

impl Opinion {
    /// What `trees` think of a page.
    pub fn of(page: &Page, trees: &Trees) -> Opinion {
        let (layout, probabilities) = judged(&View::whole(page), trees);
        let blocks = layout.blocks.iter().zip(probabilities);
        let judged = blocks.map(|(block, probability)| Judged {
            span: (block.first, block.last),
            words: block.all.words,
            probability,
            text: layout.words(block).iter().fold(SEED, |hash, word| {
                (hash ^ u64::from(*word)).wrapping_mul(FACTOR)
            }),
        });
        Opinion {
            blocks: judged.collect(),
            holders: layout
                .containers
                .iter()
                .map(|c| Holder {
                    element: c.element,
                    parent: c.parent,
                    blocks: c.first..c.end,
                })
                .collect(),
        }
    }
}

impl Opinion {
    /// What is kept of the page.
    pub fn kept(&self, page: &Page) -> Mask {
        let probabilities: Vec<f32> = self.blocks.iter().map(|b| b.probability).collect();
        kept(page, self.blocks.iter().map(|b| b.span), &probabilities)
    }
}

/// Start value and factor of FNV-1a, 64 bits.
const SEED: u64 = 0xcbf2_9ce4_8422_2325;
const FACTOR: u64 = 0x100_0000_01b3;

/// A block as the trees see it, for training them.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// Its first and its last text node; no other block's text is between them.
    pub span: (NodeId, NodeId),
    /// Its features, in the order of [`feature_names`].
    pub features: Vec<f32>,
}

/// The blocks of a page as the trees see them, in document order.
pub fn seen(page: &Page) -> Vec<Seen> {
    let layout = Layout::of(&View::whole(page));
    let features = Features::of(page, &layout);
    let spans = spans(&layout).enumerate();
    let see = |(i, span)| Seen {
        span,
        features: features.row(i).to_vec(),
    };
    spans.map(see).collect()
}

/// The names of the features of [`Seen`].
pub fn feature_names() -> &'static [&'static str] {
    &features::NAMES
}

/// What is kept of a page where its blocks have these probabilities.
pub fn kept(
    page: &Page,
    blocks: impl Iterator<Item = (NodeId, NodeId)>,
    probabilities: &[f32],
) -> Mask {
    let keep = threshold(probabilities);
    let chosen = blocks.zip(probabilities).filter(|(_, p)| **p > keep);
    let nodes = chosen.flat_map(|((first, last), _)| (first.0..=last.0).map(NodeId));
    let is_text = |n: &NodeId| page.kind(*n) == Kind::Text && page.is_content(*n);
    walk::mask_of(page, &nodes.filter(is_text).collect::<Vec<_>>())
}

/// The probability above which a page's blocks are kept.
fn threshold(probabilities: &[f32]) -> f32 {
    let likeliest = probabilities.iter().copied().fold(0.0, f32::max);
    if likeliest < KEEP_UNSURE {
        KEEP
    } else {
        KEEP.min(likeliest / 2.0)
    }
}

fn spans(layout: &Layout) -> impl Iterator<Item = (NodeId, NodeId)> {
    layout.blocks.iter().map(|block| (block.first, block.last))
}
