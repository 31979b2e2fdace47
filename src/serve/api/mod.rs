//! Interfaces for programs: what is in the archive as feeds, and the articles of pages.
//!
//! - `archive`: the archive that is served.
//! - `feeds`: the feeds of the archive, their list, and the page that shows them.
//! - `conditional`: answers that a client may have already.
//! - `extract`: the article of a page; `reader`: how it is fetched and read; `fault`: why it
//!   is not.
//! - `full_text`: a feed with the articles of its items, and `kept_articles`, those that were
//!   read for it.
//!
//! A GET changes nothing. The interfaces are for this machine alone: see
//! [`program_guard`](super::guard::program_guard).

#[cfg(feature = "archive")]
mod archive;
#[cfg(feature = "archive")]
mod conditional;
mod extract;
mod fault;
#[cfg(feature = "archive")]
mod feeds;
mod full_text;
mod kept_articles;
mod reader;

#[cfg(feature = "archive")]
pub(super) use archive::ServedArchive;
pub(super) use kept_articles::KeptArticles;
pub(super) use reader::PageReader;

use super::state::FilterState;
use axum::Router;
use axum::routing::get;
use std::sync::Arc;

/// The routes of the interfaces.
pub(super) fn router(state: &Arc<FilterState>) -> Router {
    let router = Router::new()
        .route("/extract", get(extract::of_address).post(extract::of_body))
        .route("/makefulltextfeed", get(full_text::make));
    #[cfg(feature = "archive")]
    let router = router.merge(feeds::router());
    router.with_state(Arc::clone(state))
}
