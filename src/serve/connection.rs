//! One connection: HTTP/1.1 on any stream of bytes, and its place among all connections.

use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::TokioTimer;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;

/// Time for the head of a request, and between two requests.
pub(super) const HEAD_WITHIN: Duration = Duration::from_secs(60);

/// Bytes of the head of a request.
const MAX_HEAD_BYTES: usize = 256 * 1024;

/// The permit of a connection. It goes with its requests, so that a tunnel has it for as long
/// as it is open.
#[derive(Debug, Clone)]
pub(super) struct ConnectionPermit(
    #[expect(dead_code, reason = "it is held")] Arc<OwnedSemaphorePermit>,
);

impl ConnectionPermit {
    pub(super) fn of(permit: OwnedSemaphorePermit) -> ConnectionPermit {
        ConnectionPermit(Arc::new(permit))
    }
}

/// Answers the requests of a connection until it ends.
pub(super) async fn serve_connection<IO, S>(stream: IO, service: S)
where
    IO: hyper::rt::Read + hyper::rt::Write + Unpin + Send + 'static,
    S: Service<Request<Incoming>, Response = Response<Body>, Error = Infallible>,
    S::Future: Send,
{
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(stream, service)
        .with_upgrades();
    if let Err(error) = served.await {
        tracing::debug!(%error, "the connection ended");
    }
}
