//! stub
use crate::serve::state::FilterState;
use axum::Router;
use std::sync::Arc;
pub(in crate::serve) fn router(_state: &Arc<FilterState>) -> Router {
    Router::new()
}
