//! `kind`: what a page is: an article, a page of documentation or of a company, a thread of a
//! forum, a product, a list of other pages.
//!
//! Takes a [`Page`] and its [`PageFacts`](crate::blocks). Gives
//! [`KindScores`], the probability of each [`PageKind`]. A page without text of its own (a
//! wall, an error, a shell) has a kind, too, and nothing to read: that is
//! [`refusal`](crate::refusal)'s question.
//!
//! - `signs`: what the elements, the names in their attributes, the address and the page's
//!   claims about itself say, in one pass.
//! - `repeated`: what varies in siblings that are made alike ([`repeat`](crate::repeat)).
//! - `features`: these as numbers, with the shares of the page's words.
//! - `scores`: the kinds and their probabilities.
//! - `trees`: [`KindModel`], boosted trees, one set for each kind.
//!
//! No word of any language is among the features except those that tools write into class
//! names and addresses. One pass over the elements, a few over the blocks and containers.
//!
//! **Departures.** No paper has kinds: FOREST learns from the pages that a feed points to, and takes
//! them for articles. What they change, by kind and collection: `docs/kinds.md`.
//!
//! **The model** is learned by `forest-lab train-kinds`. What it gets right on sites that it
//! has not seen: `docs/kinds.md`.

mod features;
mod names;
mod repeated;
mod scores;
mod signs;
mod trees;

pub use scores::{KindScores, MIN_ARTICLE, PageKind};
pub use trees::KindModel;

use crate::blocks::PageFacts;
use forest_html::page::Page;
use forest_html::page::view::View;

/// The kind of a page whose facts are known.
pub(crate) fn judge(page: &Page, facts: &PageFacts, model: &KindModel) -> KindScores {
    model.scores(&features::features(page, facts))
}

/// The features of a page, in the order of [`feature_names`], as the lab trains on them.
pub fn feature_row(page: &Page) -> Vec<f32> {
    features::features(page, &PageFacts::of(&View::whole(page))).to_vec()
}

/// The features of the same page without an address.
pub fn without_address(row: &[f32]) -> Vec<f32> {
    features::without_address(row)
}

/// The names of the features of a page.
pub fn feature_names() -> &'static [&'static str] {
    &features::NAMES
}
