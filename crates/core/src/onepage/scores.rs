//! The scores of a page's blocks, and what is kept by them.

use super::favor::Favor;
use super::pieces::{self, ArticlePiece, PieceKind};
use super::trees::{BlockModel, OtherBlockModel};
use crate::blocks::{BlockId, Layout, LayoutContainer, PageFacts};
use crate::kind::KindScores;
use foldhash::HashMap;
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

/// The probability of a heading that is kept with what stands below it, at the least: "Related"
/// has less.
const HEADING: f32 = 0.25;

/// Share of the words of a data table that may be links: of files, of versions.
const LINKS_OF_TABLE: f32 = 0.8;

/// Words of a block of a group at the most, in the mean: longer ones are for the model alone.
const MAX_WORDS_OF_MEMBER: f32 = 30.0;

/// Words of a box to subscribe, or around an advertisement, at the most: some pages are in an
/// element with such a name.
const MAX_WORDS_OF_BOX: f32 = 60.0;

/// Blocks behind a program that are its output or its caption, at the most.
const MAX_SAID: usize = 2;

/// The mean probability of the blocks of a group at the least.
const MEAN_OF_GROUP: f32 = 0.1;

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

/// The scores of a page's blocks with its pieces kept whole.
#[derive(Debug, Clone, PartialEq)]
pub struct RaisedScores {
    /// By block, 0 to 1.
    pub probabilities: Vec<f32>,
    /// The blocks of each list and group that is the article's as a whole.
    pub groups: Vec<Range<usize>>,
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
    pub fn kept(&self, page: &Page, favor: Favor) -> Mask {
        let spans = self.blocks.iter().map(|block| block.span);
        let probabilities = self.raised(page).probabilities;
        kept_above(
            page,
            spans,
            &probabilities,
            favor.least(threshold(&probabilities)),
        )
    }

    /// The text nodes of a page of another kind than an article: all posts of a thread, all items of
    /// a list.
    pub(super) fn kept_of_other_kind(&self, page: &Page, favor: Favor) -> Mask {
        let spans = self.blocks.iter().map(|block| block.span);
        let least = favor.least(KEEP_OF_OTHER_KIND);
        let texts = likely_texts(page, spans, &self.probabilities(), least);
        walk::mask_of(page, &texts)
    }

    /// The scores of the blocks with those of programs, data tables, lists and groups of short
    /// texts in the article raised to [`OF_PIECE`], with what goes with them, and those of headings
    /// between kept blocks: the model is unsure of short blocks. Those of boxes to subscribe are 0.
    pub fn raised(&self, page: &Page) -> RaisedScores {
        let mut probabilities = self.probabilities();
        let spans: Vec<_> = self.blocks.iter().map(|block| block.span).collect();
        let pieces = pieces::pieces(page, &spans);
        let run_ends = self.run_ends(&pieces);
        let mut groups = Vec::new();
        for mut piece in pieces.iter().cloned() {
            if piece.kind == PieceKind::Box {
                if self.words_of(&piece) <= MAX_WORDS_OF_BOX {
                    probabilities[piece.blocks].fill(0.0);
                }
                continue;
            }
            let run_end = run_ends.get(&piece.blocks.start);
            let ends_around = run_end.is_some_and(|&end| end >= piece.around.end);
            let with_rest = self.with_rest(page, &piece, &probabilities);
            let own = piece.blocks.clone();
            piece.blocks.start = with_rest.start;
            if !self.is_of_article(&piece, with_rest.end, ends_around, &probabilities) {
                continue;
            }
            let is_followed = probabilities.get(with_rest.end).is_some_and(|&p| p > KEEP);
            let raised = if is_followed { with_rest } else { piece.blocks };
            for probability in &mut probabilities[raised] {
                *probability = probability.max(OF_PIECE);
            }
            if matches!(piece.kind, PieceKind::Group | PieceKind::List) {
                groups.push(own);
            }
        }
        self.raise_formulas(page, &mut probabilities);
        self.raise_headings(page, &mut probabilities);
        self.raise_below_headings(page, &pieces, &mut probabilities);
        RaisedScores {
            probabilities,
            groups,
        }
    }

    /// The blocks of a piece with those that go with it: a heading or a formula above it, those
    /// behind it of which the model is unsure, and what a program says.
    fn with_rest(&self, page: &Page, piece: &ArticlePiece, probabilities: &[f32]) -> Range<usize> {
        let least = if piece.kind == PieceKind::List && self.is_plain(piece) {
            MEAN_OF_GROUP
        } else {
            HEADING
        };
        let is_open = |at: usize| {
            let goes_with = || self.is_likely_heading(page, at, least) || self.is_formula(page, at);
            probabilities[at] <= KEEP && goes_with()
        };
        let is_said = |at: usize| {
            let block = &self.blocks[at];
            let is_short = block.words <= MAX_WORDS_OF_MEMBER;
            probabilities[at] <= KEEP && block.linked == 0.0 && is_short
        };
        let Range { start, mut end } = piece.blocks.clone();
        let above = start.checked_sub(1).filter(|&at| is_open(at));
        let mut said = match piece.kind {
            PieceKind::Program => MAX_SAID,
            _ => 0,
        };
        while end < self.blocks.len() && (is_open(end) || said > 0 && is_said(end)) {
            said -= usize::from(!is_open(end));
            end += 1;
        }
        above.unwrap_or(start)..end
    }

    /// The end of the run of plain pieces, one directly behind the other, that begins with the
    /// first block of each piece.
    fn run_ends(&self, pieces: &[ArticlePiece]) -> HashMap<usize, usize> {
        let mut ends: HashMap<usize, usize> = HashMap::default();
        for piece in pieces.iter().rev().filter(|piece| self.is_plain(piece)) {
            let Range { start, end } = piece.blocks;
            let end = ends.get(&end).copied().unwrap_or(end);
            let known = ends.entry(start).or_insert(end);
            *known = end.max(*known);
        }
        ends
    }

    /// True for a piece of short texts without links that the model holds possible, and for a
    /// table or program without links.
    fn is_plain(&self, piece: &ArticlePiece) -> bool {
        let blocks = &self.blocks[piece.blocks.clone()];
        let sum = |of: fn(&ScoredBlock) -> f32| -> f32 { blocks.iter().map(of).sum() };
        let is_possible = || {
            sum(|b| b.words) <= MAX_WORDS_OF_MEMBER * blocks.len() as f32
                && sum(|b| b.probability) >= MEAN_OF_GROUP * blocks.len() as f32
        };
        sum(|b| b.linked) == 0.0
            && match piece.kind {
                PieceKind::Program | PieceKind::Table => true,
                PieceKind::List | PieceKind::Group => is_possible(),
                PieceKind::Box => false,
            }
    }

    /// Raises formulas in lines of their own between two blocks that are kept.
    fn raise_formulas(&self, page: &Page, probabilities: &mut [f32]) {
        let mut at = 1;
        while at < probabilities.len() {
            let start = at;
            while at < probabilities.len() && self.is_formula(page, at) {
                at += 1;
            }
            let is_behind = probabilities.get(at).is_some_and(|&p| p > KEEP);
            if at > start && is_behind && probabilities[start - 1] > KEEP {
                for probability in &mut probabilities[start..at] {
                    *probability = probability.max(OF_PIECE);
                }
            }
            at += 1;
        }
    }

    /// Raises headings between two blocks that are kept.
    fn raise_headings(&self, page: &Page, probabilities: &mut [f32]) {
        for at in (1..probabilities.len().saturating_sub(1)).rev() {
            let is_between = probabilities[at - 1] > KEEP && probabilities[at + 1] > KEEP;
            if is_between && probabilities[at] <= KEEP && self.is_likely_heading(page, at, HEADING)
            {
                probabilities[at] = OF_PIECE;
            }
        }
    }

    /// Raises plain pieces behind the first heading, and the blocks above them, of a page of which
    /// no more than headings would be kept: its tables are its text.
    fn raise_below_headings(
        &self,
        page: &Page,
        pieces: &[ArticlePiece],
        probabilities: &mut [f32],
    ) {
        let least = threshold(probabilities);
        let mut kept = (0..probabilities.len()).filter(|&at| probabilities[at] > least);
        let Some(first) = kept.clone().next() else {
            return;
        };
        if !kept.all(|at| pieces::is_in_heading(page, self.blocks[at].span.0)) {
            return;
        }
        for piece in pieces.iter().filter(|piece| self.is_plain(piece)) {
            let Range { start, end } = piece.blocks;
            if start <= first {
                continue;
            }
            let label = &self.blocks[start - 1];
            let is_label = label.linked == 0.0 && label.words <= MAX_WORDS_OF_MEMBER;
            let start = start - usize::from(is_label);
            for probability in &mut probabilities[start..end] {
                *probability = probability.max(OF_PIECE);
            }
        }
    }

    /// True for a formula in lines of its own.
    fn is_formula(&self, page: &Page, at: usize) -> bool {
        page.is_formula(self.blocks[at].span.0)
    }

    /// True for a heading of this probability at the least that leads to no other page.
    fn is_likely_heading(&self, page: &Page, at: usize, least: f32) -> bool {
        let block = &self.blocks[at];
        block.probability >= least && block.linked == 0.0 && pieces::is_heading(page, block.span.0)
    }

    fn words_of(&self, piece: &ArticlePiece) -> f32 {
        self.blocks[piece.blocks.clone()]
            .iter()
            .map(|block| block.words)
            .sum()
    }

    /// True for a piece between two blocks that are kept, the second one being `behind` it, or one without
    /// links that ends the element around it, alone or with other pieces, and whose last block
    /// before it is kept.
    fn is_of_article(
        &self,
        piece: &ArticlePiece,
        behind: usize,
        ends_around: bool,
        probabilities: &[f32],
    ) -> bool {
        let blocks = &self.blocks[piece.blocks.clone()];
        let sum = |of: fn(&ScoredBlock) -> f32| -> f32 { blocks.iter().map(of).sum() };
        let (words, linked) = (sum(|b| b.words), sum(|b| b.linked));
        let is_article_s = match piece.kind {
            PieceKind::Program => true,
            PieceKind::Table => linked <= LINKS_OF_TABLE * words,
            PieceKind::List => 2.0 * linked < words,
            PieceKind::Group | PieceKind::Box => self.is_plain(piece),
        };
        let is_kept = |at: usize| probabilities.get(at).is_some_and(|&p| p > KEEP);
        let before = piece.blocks.start.checked_sub(1);
        if !is_article_s || !before.is_some_and(is_kept) {
            return false;
        }
        let is_last = ends_around
            && before.is_some_and(|at| piece.around.contains(&at))
            && piece.kind != PieceKind::List;
        is_last || is_kept(behind)
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
    kept_above(page, blocks, probabilities, threshold(probabilities))
}

fn kept_above(
    page: &Page,
    blocks: impl Iterator<Item = (NodeId, NodeId)>,
    probabilities: &[f32],
    least: f32,
) -> Mask {
    let texts = likely_texts(page, blocks, probabilities, least);
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
