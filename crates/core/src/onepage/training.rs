//! The features of blocks, as the lab trains models on them.

use super::features;
use crate::blocks::BlockId;
use crate::blocks::PageFacts;
use crate::kind::KindScores;
use forest_html::page::view::View;
use forest_html::page::{NodeId, Page};

/// A block's features, for training a model.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockFeatures {
    /// Its first and its last text node; no other block's text is between them.
    pub span: (NodeId, NodeId),
    /// Its features, in the order of [`feature_names`].
    pub features: Vec<f32>,
}

/// The features of a page's blocks, in document order.
pub fn block_features(page: &Page) -> Vec<BlockFeatures> {
    let facts = PageFacts::of(&View::whole(page));
    let layout = &facts.layout;
    let of_block = |id| BlockFeatures {
        span: layout.block(id).span(),
        features: facts.row(id).to_vec(),
    };
    (0..layout.blocks.len())
        .map(BlockId)
        .map(of_block)
        .collect()
}

/// The names of the features of [`BlockFeatures`].
pub fn feature_names() -> &'static [&'static str] {
    &features::NAMES
}

/// The features of a page's blocks by which they are scored where the page is no article, in
/// document order.
pub fn features_of_kind(page: &Page, kind: &KindScores) -> Vec<Vec<f32>> {
    let facts = PageFacts::of(&View::whole(page));
    let blocks = (0..facts.layout.blocks.len()).map(BlockId);
    let rows = blocks.map(|at| facts.row_of_kind(at, kind).to_vec());
    rows.collect()
}

/// The names of these features: those of [`feature_names`], and the
/// probability of each [`PageKind`](crate::kind::PageKind).
pub fn other_feature_names() -> &'static [&'static str] {
    &features::OTHER_NAMES
}
