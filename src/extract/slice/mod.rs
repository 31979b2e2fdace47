//! The fast road: an article from a part of its page's source.
//!
//! A wrapper takes little from a page: an article's text, some fields, the metadata. Where its
//! expressions ask for names and attributes only, the source is cut to these elements before it
//! is parsed (`page::slice`), and the same extraction runs on the small page. Of the article
//! all but `confidence`, `field_confidence` of fields that the wrapper gives, and what follows
//! from them is what [`Extractor::extract`] gives of the whole page.
//!
//! The promise of equality has four parts:
//!
//! - The wrapper has `fast: true` only if both roads agreed on every page of its sample that
//!   was not refused, and slices are the faster ([`learn`](crate::learn::learn) writes it): at
//!   most half of the sample's nodes are in them or in refused pages.
//! - A page is refused ([`SliceRefusal`]), and to be read whole, where the tree of its
//!   source is not sure, its template or status is not surely the same, its article may have other
//!   pages, it may be a wall, or its text is not surely an article.
//! - Each 1,000th page is read on both roads. A difference is a warning of the log, and
//!   the extractor takes the fast road no more ([`Extractor::has_differed`]).
//! - Without `fast`, or with [`Options::with_whole_pages`], no page is cut.
//!
//! **Bylines.** Most heads name author and day, and the elements that may be bylines are cut.
//! A page that asks for them is cut again, and those that follow keep theirs.
//!
//! **Confidence.** The block scores of a part of a page do not doubt its text: a page whose
//! confidence [by the sample](super::confidence) is not enough is read whole. Only texts of
//! wrappers that `forest` learned have one.
//!
//! **Measured** by `forest-lab slices --mutated 2500` on seven pools of gold and the feeds: of
//! 1,455 slices of gold pages and 14,383 of mutated ones none differs from its whole page in
//! text, fields, pictures, HTML or Markdown.
//!
//! - `road`: a page on the fast road, or on both; `state`: if the road is open.

mod road;
mod state;

pub(crate) use road::SampledSource;
pub use road::{ArticleRoad, SliceRefusal};
pub(super) use state::FastRoad;

lab! {
    pub use road::differences;
}
