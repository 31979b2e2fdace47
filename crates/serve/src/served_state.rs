//! The state of the server, for one request.

use super::clients::ClientKey;
use super::state::FilterState;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use std::convert::Infallible;
use std::ops::Deref;
use std::sync::Arc;

/// The state that all requests share, and the client of this one: what is done for it takes
/// turns with what is done for others.
#[derive(Debug, Clone)]
pub(super) struct ServedState {
    shared: Arc<FilterState>,
    pub(super) client: ClientKey,
}

impl Deref for ServedState {
    type Target = Arc<FilterState>;

    fn deref(&self) -> &Arc<FilterState> {
        &self.shared
    }
}

impl FromRequestParts<Arc<FilterState>> for ServedState {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &Arc<FilterState>,
    ) -> Result<ServedState, Infallible> {
        Ok(ServedState {
            shared: Arc::clone(shared),
            client: ClientKey::of_extensions(&parts.extensions),
        })
    }
}
