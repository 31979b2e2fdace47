//! The fast road: an article from a part of its page's source.
//!
//! A wrapper takes little from a page: an article's text, some fields, the metadata. Where its
//! expressions ask for names and attributes only, the source is cut to these elements before it is parsed
//! (`page::slice`), and the same extraction runs on the small page. Of the article
//! all but `confidence`, `field_confidence` of fields that the wrapper gives, and what follows
//! from them is what [`Extractor::extract`] gives of the whole page.
//!
//! The promise of equality has four parts:
//!
//! - The wrapper has `fast: true` only if both roads agreed on every page of its sample
//!   ([`learn`](crate::learn::learn) writes it).
//! - A page is refused ([`SliceRefusal`]), and to be read whole, where the tree of its
//!   source is not sure, its template or status is not surely the same, its authors or its date
//!   may be a byline, it may be a wall, or its text is not surely an article.
//! - Each 1,000th page is read on both roads. A difference is a warning of the log, and
//!   the extractor takes the fast road no more.
//! - Without `fast`, or with [`Options::with_whole_pages`], no page is cut.
//!
//! **Confidence.** That of a slice is the model's over the slice: the blocks that are cut are
//! not there to doubt it, so a page with less than 0.8 is read whole. **Measured**
//! on the pages of five collections and 2,000 mutated ones of each (`forest-lab slices`): of 3,394
//! slices none differs from its whole page in text, fields, pictures, HTML or Markdown; of 11,
//! all of `daniel`, the whole page is `degraded` and the slice is not.
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
