//! The proxy for plain HTTP: see the stage's page.
//!
//! - `forward`: a request on its way to the server, and the answer back.
//! - `filtered`: answers that are filtered.
//! - `headers`, `validators`: what a proxy must not hand on, and what a change makes wrong.
//! - `connect`: tunnels; `decrypt`: connections with https that are opened (feature `ca`).
//! - `page`: the page of the proxy, and the file for its installation; `certificate`: that of
//!   the authority.

#[cfg(feature = "ca")]
mod certificate;
mod connect;
#[cfg(feature = "ca")]
mod decrypt;
mod filtered;
mod forward;
mod headers;
pub(super) mod page;
mod validators;

use super::answers::plain;
use super::state::FilterState;
use axum::body::{Body, Bytes};
use axum::http::{Method, Request, Response, StatusCode};
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

/// The answer to a request that is refused, which is counted.
fn refused(state: &FilterState, status: StatusCode, why: &str) -> Response<Body> {
    state.log().refused += 1;
    plain(status, why)
}
