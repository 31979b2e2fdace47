//! One connection: HTTP/1.1 on any stream of bytes, with a bound of time on each of its steps.

use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::pin::Pin;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_io_timeout::TimeoutStream;

/// Time for the head of a request, and between two requests.
pub const HEAD_WITHIN: Duration = Duration::from_secs(60);

/// Bytes of the head of a request.
const MAX_HEAD_BYTES: usize = 256 * 1024;

/// A stream that fails when nothing of what is written to it is read for a time.
pub fn with_write_timeout<S: AsyncRead + AsyncWrite>(
    stream: S,
    time: Duration,
) -> TokioIo<Pin<Box<TimeoutStream<S>>>> {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(time));
    TokioIo::new(Box::pin(stream))
}

/// Answers the requests of a connection until it ends.
pub async fn serve_connection<IO, S>(stream: IO, service: S)
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

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::service::service_fn;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn clients_that_do_not_go_on_are_not_waited_for() {
        let write_within = Duration::from_secs(30);
        let check = async |request: &[u8], seconds: u64, received_bytes: usize| {
            let begun = Instant::now();
            let (mut client, stream) = duplex(64);
            let answer = |_| async { Ok::<_, Infallible>(Response::new("x".repeat(1000).into())) };
            client.write_all(request).await.expect("room");
            serve_connection(with_write_timeout(stream, write_within), service_fn(answer)).await;
            assert_eq!(begun.elapsed().as_secs(), seconds);
            let mut received = Vec::new();
            client.read_to_end(&mut received).await.expect("it ended");
            assert_eq!(received.len(), received_bytes);
        };
        // It is silent, sends half of a head, does not read.
        check(b"", 60, 0).await;
        check(b"GET / HTTP/1.1\r\nHost:", 60, 0).await;
        check(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", 30, 64).await;
    }
}
