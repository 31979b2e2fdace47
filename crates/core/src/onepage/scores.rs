//! The scores of a page's blocks, and what is kept by them.

use super::pieces;
use super::trees::{BlockModel, OtherBlockModel};
use crate::blocks::{BlockId, Layout, LayoutContainer, PageFacts};
use crate::kind::KindScores;
use forest_html::page::view::View;
use forest_html::page::{Kind, Mask, NodeId, Page};
use forest_html::page::{articles, walk};
use forest_html::text::fnv1a;
use std::ops::Range;

/// Probability from which a block is kept. Five folds over publishers: 0.45 to 0.6
/// differ by less than 0.002 in mean F1.
pub(super) const KEEP: f32 = 0.5;

/// The same on a page of another kind, whose text is in shorter blocks.
const KEEP_OF_OTHER_KIND: f32 = 0.35;

/// The probability that a block of a piece that is kept whole has at the least. Any
/// above [`KEEP`] keeps it; a learned strip takes up to 0.45.
const OF_PIECE: f32 = 0.6;

/// If no block is that likely, blocks are kept that are half as likely as the
/// likeliest, provided that this has at least this probability.
const KEEP_UNSURE: f32 = 0.05;

/// Blocks whose features are held at once: 100 kB.
const ROWS_TOGETHER: usize = 256;

/// A block of text with its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoredBlock {
    /// Its first and its last text node; no other block's text is between them.
    pub span: (NodeId, NodeId),
    /// Words; in scripts without spaces two characters are one.
    pub words: f32,
    /// Words in links.
    pub linked: f32,
    /// The probability that it is part of the article.
    pub probability: f32,
    /// A hash of its words: equal for equal text.
    pub text_hash: u64,
}

/// An element of block level that is not empty, with the blocks in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockContainer {
    /// The element.
    pub element: NodeId,
    /// The blocks of its subtree, as indices.
    pub blocks: Range<usize>,
}

/// The blocks of a page with their scores.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockScores {
    /// The blocks in document order.
    pub blocks: Vec<ScoredBlock>,
    /// The elements around them in document order.
    pub containers: Vec<BlockContainer>,
}

impl BlockScores {
    /// The scores that `model` gives the blocks of a page.
    pub fn of(page: &Page, model: &BlockModel) -> BlockScores {
        BlockScores::of_article(&PageFacts::of(&View::whole(page)), model)
    }

    /// The scores of a page's blocks as those of an article.
    pub(super) fn of_article(facts: &PageFacts, model: &BlockModel) -> BlockScores {
        let all = all_blocks(&facts.layout);
        BlockScores::from_probabilities(facts, article_probabilities(facts, &all, model))
    }

    /// The scores of a page's blocks as those of a page of another kind.
    pub(super) fn of_other_kind(
        facts: &PageFacts,
        kind: &KindScores,
        model: &OtherBlockModel,
    ) -> BlockScores {
        let all = all_blocks(&facts.layout);
        let row = |&at: &BlockId| facts.row_of_kind(at, kind);
        let chunks = all.chunks(ROWS_TOGETHER);
        let probabilities = chunks.flat_map(|some| {
            let rows: Vec<_> = some.iter().map(row).collect();
            model.probabilities(&rows)
        });
        BlockScores::from_probabilities(facts, probabilities.collect())
    }

    fn from_probabilities(facts: &PageFacts, probabilities: Vec<f32>) -> BlockScores {
        let layout = &facts.layout;
        let blocks = layout.blocks.iter().zip(probabilities);
        let scored = blocks.map(|(block, probability)| ScoredBlock {
            span: block.span(),
            words: block.all.words,
            linked: block.linked,
            probability,
            text_hash: fnv1a(layout.words(block).iter().copied()),
        });
        let container = |container: &LayoutContainer| BlockContainer {
            element: container.element,
            blocks: container.blocks.clone(),
        };
        BlockScores {
            blocks: scored.collect(),
            containers: layout.containers.iter().map(container).collect(),
        }
    }

    /// The text nodes of the blocks that are kept.
    pub fn kept(&self, page: &Page) -> Mask {
        let spans = self.blocks.iter().map(|block| block.span);
        kept(page, spans, &self.raised(page))
    }

    /// The text nodes of a page of another kind than an article: all posts of a thread, all items of
    /// a list.
    pub(super) fn kept_of_other_kind(&self, page: &Page) -> Mask {
        let spans = self.blocks.iter().map(|block| block.span);
        let texts = likely_texts(page, spans, &self.probabilities(), KEEP_OF_OTHER_KIND);
        walk::mask_of(page, &texts)
    }

    /// The probabilities of the blocks. Those of programs, data tables and lists between two
    /// blocks that are kept are at least [`OF_PIECE`]: the model is unsure of their short blocks.
    pub fn raised(&self, page: &Page) -> Vec<f32> {
        let mut probabilities = self.probabilities();
        let is_kept = |block: Option<&ScoredBlock>| block.is_some_and(|b| b.probability > KEEP);
        for piece in self.pieces(page) {
            let before = piece.start.checked_sub(1).map(|at| &self.blocks[at]);
            if is_kept(before) && is_kept(self.blocks.get(piece.end)) {
                for probability in &mut probabilities[piece] {
                    *probability = probability.max(OF_PIECE);
                }
            }
        }
        probabilities
    }

    fn pieces(&self, page: &Page) -> Vec<Range<usize>> {
        let spans: Vec<_> = self.blocks.iter().map(|block| block.span).collect();
        // Words, and words in links, before each block.
        let mut before = vec![[0.0_f32; 2]];
        for block in &self.blocks {
            let [words, linked] = before[before.len() - 1];
            before.push([words + block.words, linked + block.linked]);
        }
        let is_links = |piece: &Range<usize>| {
            let [words, linked] = [0, 1].map(|i| before[piece.end][i] - before[piece.start][i]);
            2.0 * linked >= words
        };
        pieces::pieces(page, &spans, is_links)
    }

    /// The probability above which a block is kept.
    pub(super) fn threshold(&self) -> f32 {
        threshold(&self.probabilities())
    }

    fn probabilities(&self) -> Vec<f32> {
        self.blocks.iter().map(|block| block.probability).collect()
    }
}

fn all_blocks(layout: &Layout) -> Vec<BlockId> {
    (0..layout.blocks.len()).map(BlockId).collect()
}

/// The probabilities that some blocks of a page are an article's.
pub(super) fn article_probabilities(
    facts: &PageFacts,
    blocks: &[BlockId],
    model: &BlockModel,
) -> Vec<f32> {
    let rows = |some: &[BlockId]| -> Vec<_> { some.iter().map(|&i| facts.row(i)).collect() };
    blocks
        .chunks(ROWS_TOGETHER)
        .flat_map(|some| model.probabilities(&rows(some)))
        .collect()
}

/// The text nodes that are kept of a page whose blocks have these probabilities; of several
/// articles those of the first.
pub fn kept(
    page: &Page,
    blocks: impl Iterator<Item = (NodeId, NodeId)>,
    probabilities: &[f32],
) -> Mask {
    let texts = likely_texts(page, blocks, probabilities, threshold(probabilities));
    walk::mask_of(page, &articles::of_first(page, texts))
}

/// The text nodes of a page's blocks with a probability above `least`.
fn likely_texts(
    page: &Page,
    blocks: impl Iterator<Item = (NodeId, NodeId)>,
    probabilities: &[f32],
    least: f32,
) -> Vec<NodeId> {
    let likely = blocks.zip(probabilities).filter(|(_, p)| **p > least);
    let nodes = likely.flat_map(|((first, last), _)| (first.0..=last.0).map(NodeId));
    let is_text = |n: &NodeId| page.kind(*n) == Kind::Text && page.is_content(*n);
    nodes.filter(is_text).collect()
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
