//! The features of blocks, as the lab trains models on them.

use super::facts::PageFacts;
use super::features;
use super::layout::{BlockId, Layout};
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
    let layout = Layout::of(&View::whole(page));
    let facts = PageFacts::of(page, &layout);
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
