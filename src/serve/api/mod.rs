//! Interfaces for programs: what is in the archive as feeds.
//!
//! - `archive`: the archive that is served.
//! - `feeds`: the feeds of the archive, their list, and the page that shows them.
//! - `conditional`: answers that a client may have already.
//!
//! A GET changes nothing. The interfaces are for this machine alone: see
//! [`program_guard`](super::guard::program_guard).

#[cfg(feature = "archive")]
mod archive;
#[cfg(feature = "archive")]
mod conditional;
#[cfg(feature = "archive")]
mod feeds;

#[cfg(feature = "archive")]
pub(super) use archive::ServedArchive;

use super::state::FilterState;
use axum::Router;
use std::sync::Arc;

/// The routes of the interfaces.
pub(super) fn router(state: &Arc<FilterState>) -> Router {
    let router = Router::new();
    #[cfg(feature = "archive")]
    let router = router.merge(feeds::router());
    router.with_state(Arc::clone(state))
}
