//! stub
use crate::serve::state::FilterState;
use axum::Router;
use std::sync::Arc;
pub(super) fn router(_state: &Arc<FilterState>) -> Router {
    Router::new()
}
