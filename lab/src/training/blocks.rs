//! Pages with gold, their blocks with features and labels.

use super::publisher::Publishers;
use forest_core::onepage::PageDigest;
use forest_core::onepage::{self, BlockFeatures};
use forest_html::page::{Kind, NodeId, Page, Source};
use forest_html::text::Interner;
use forest_sources::gold::{Gold, GoldPage};
use std::collections::HashSet;

/// Words in a row that are looked up in the gold.
const RUN: usize = 3;

/// A page with gold.
pub struct Example {
    pub collection: String,
    pub id: String,
    /// The publisher of its site.
    pub publisher: String,
    /// The fold of its publisher.
    pub fold: u64,
    /// The digest of its bytes.
    pub digest: PageDigest,
    pub page: Page,
    pub gold: Gold,
    pub blocks: Vec<BlockFeatures>,
    pub labels: Vec<f64>,
    /// Relative to the page.
    pub weights: Vec<f64>,
}

impl Example {
    /// A page with its blocks; `None` if it has no gold.
    ///
    /// # Errors
    ///
    /// If its file cannot be read.
    pub fn read(
        collection: &str,
        page: &GoldPage,
        publishers: &Publishers,
    ) -> forest_eval::Result<Option<Example>> {
        let Some(gold) = page.gold.clone() else {
            return Ok(None);
        };
        let source = Source {
            url: page.url.as_deref(),
            content_type: None,
        };
        let bytes = page.read()?;
        let parsed = Page::parse(&bytes, source);
        let blocks = onepage::block_features(&parsed);
        let (labels, weights) = label(&parsed, &blocks, &gold);
        Ok(Some(Example {
            collection: collection.to_owned(),
            id: page.id.clone(),
            publisher: publishers.publisher(collection, page.site()).to_owned(),
            fold: publishers.fold(collection, page.site()),
            digest: PageDigest::of(&bytes),
            page: parsed,
            gold,
            blocks,
            labels,
            weights,
        }))
    }
}

/// Labels and weights of a page's blocks.
fn label(page: &Page, blocks: &[BlockFeatures], gold: &Gold) -> (Vec<f64>, Vec<f64>) {
    let mut words = Interner::default();
    let main = if gold.text.is_empty() {
        &gold.refs[0]
    } else {
        &gold.text
    };
    let main_ids = words.ids(main);
    let longest = gold
        .refs
        .iter()
        .map(|text| words.ids(text))
        .max_by_key(Vec::len)
        .unwrap_or_default();
    let lines: HashSet<Vec<u32>> = main.lines().map(|line| words.ids(line)).collect();
    let of_blocks: Vec<Vec<u32>> = blocks
        .iter()
        .map(|b| words.ids(&text_of(page, b.span)))
        .collect();
    let article = covered(&of_blocks, &main_ids, &lines);
    let any = covered(&of_blocks, &longest, &lines);
    let weights = of_blocks
        .iter()
        .zip(article.iter().zip(&any))
        .map(|(ids, (article, any))| {
            let weight = (ids.len() as f64 / (main_ids.len() as f64).max(30.0)).min(1.0);
            if (any - article).abs() > 0.5 {
                weight * 0.1
            } else {
                weight
            }
        });
    let weights = weights.collect();
    (article, weights)
}

fn text_of(page: &Page, (first, last): (NodeId, NodeId)) -> String {
    let nodes = (first.0..=last.0).map(NodeId);
    let texts = nodes.filter(|&n| page.kind(n) == Kind::Text && page.is_content(n));
    texts.map(|n| page.text(n)).collect()
}

/// For each block the share of its words in runs that the gold has; a block of
/// fewer words counts if it is a line of the gold.
fn covered(blocks: &[Vec<u32>], gold: &[u32], lines: &HashSet<Vec<u32>>) -> Vec<f64> {
    let run = RUN.min(gold.len().max(1));
    let known: HashSet<&[u32]> = gold.windows(run).collect();
    let all: Vec<u32> = blocks.concat();
    let mut is_covered = vec![false; all.len()];
    for (at, words) in all.windows(run).enumerate() {
        if known.contains(words) {
            is_covered[at..at + run].fill(true);
        }
    }
    let mut at = 0;
    let share = |block: &Vec<u32>| {
        let of_block = &is_covered[at..at + block.len()];
        at += block.len();
        match block.len() {
            0 => 0.0,
            n if n < RUN => f64::from(u8::from(lines.contains(block))),
            n => of_block.iter().filter(|c| **c).count() as f64 / n as f64,
        }
    };
    blocks.iter().map(share).collect()
}
