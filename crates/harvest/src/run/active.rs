//! The wrapper that reads a site's pages.

use forest_core::extract::Extractor;
use std::sync::Arc;

/// The active wrapper of a site.
#[derive(Debug)]
pub(super) struct ActiveWrapper {
    pub extractor: Arc<Extractor>,
    /// SHA-256 of its file, in hex.
    pub sha256: String,
}
