//! The state of the server, for one request.

use super::clients::ClientKey;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use std::convert::Infallible;
use std::ops::Deref;
use std::sync::Arc;

/// The state that all requests share, and the client of this one: what is done for it takes
/// turns with what is done for others.
#[derive(Debug)]
pub struct ServedState<A> {
    shared: Arc<A>,
    pub client: ClientKey,
}

impl<A> Clone for ServedState<A> {
    fn clone(&self) -> ServedState<A> {
        ServedState {
            shared: Arc::clone(&self.shared),
            client: self.client,
        }
    }
}

impl<A> Deref for ServedState<A> {
    type Target = Arc<A>;

    fn deref(&self) -> &Arc<A> {
        &self.shared
    }
}

impl<A: Send + Sync> FromRequestParts<Arc<A>> for ServedState<A> {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &Arc<A>,
    ) -> Result<ServedState<A>, Infallible> {
        Ok(ServedState {
            shared: Arc::clone(shared),
            client: ClientKey::of_extensions(&parts.extensions),
        })
    }
}
