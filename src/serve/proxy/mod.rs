//! The proxy for plain HTTP: see the stage's page.
//!
//! - `forward`: a request on its way to the server, and the answer back.
//! - `filtered`: answers that are filtered.
//! - `headers`, `validators`: what a proxy must not hand on, and what a change makes wrong.
//! - `connect`: tunnels.
//! - `page`: the page of the proxy, and the file for its installation.

mod connect;
mod filtered;
mod forward;
mod headers;
pub(super) mod page;
mod validators;

use super::state::FilterState;
use axum::body::{Body, Bytes};
use axum::http::{Method, Request, Response};
use std::sync::Arc;

/// Forwards a request of a client.
pub(super) async fn answer<B>(state: &Arc<FilterState>, request: Request<B>) -> Response<Body>
where
    B: hyper::body::Body<Data = Bytes> + Send + Sync + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    if request.method() == Method::CONNECT {
        connect::tunnel(state, request).await
    } else {
        forward::forward(state, request).await
    }
}
