//! The figures of a harvest for Prometheus, over HTTP.
//!
//! `GET /metrics` and nothing else, on a thread with a runtime of its own, so that
//! it answers while other threads are busy. It has no authentication: it is meant for
//! loopback, or for a network whose users may know the feeds. Slow clients get no more than
//! [`MOST`] connections of [`LASTS`] each.

use super::bounded::Bounded;
use axum::Router;
use axum::http::{HeaderName, StatusCode, header};
use axum::routing::get;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::oneshot;

/// Connections at once. A Prometheus needs one.
const MOST: usize = 16;

/// Time of a connection: the default `scrape_timeout` of Prometheus.
const LASTS: Duration = Duration::from_secs(10);

/// Answers until it is dropped.
#[derive(Debug)]
pub struct MetricsServer {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Shows the text of `figures`, which has this media type, at `http://<address>/metrics`; port 0 is
/// one that is free.
///
/// # Errors
///
/// If nobody may listen there, or the system gives no more threads or files.
pub fn serve_figures(
    address: SocketAddr,
    media_type: &'static str,
    figures: impl Fn() -> String + Clone + Send + Sync + 'static,
) -> io::Result<MetricsServer> {
    // Before the thread begins, so that an error reaches the user.
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let (stop, stopped) = oneshot::channel();
    let thread = std::thread::Builder::new()
        .name("forest-metrics".to_owned())
        .spawn(move || {
            runtime.block_on(async move {
                let served = async {
                    let listener = tokio::net::TcpListener::from_std(listener)?;
                    let listener = Bounded::new(listener, MOST, LASTS);
                    axum::serve(listener, router(media_type, figures)).await
                };
                // Those who are still reading are not waited for.
                tokio::select! {
                    result = served => if let Err(error) = result {
                        tracing::warn!(%error, "the metrics are no longer shown");
                    },
                    _ = stopped => {}
                }
            });
        })?;
    Ok(MetricsServer {
        address,
        stop: Some(stop),
        thread: Some(thread),
    })
}

/// A connection is for one request: the end of its time cuts no other off.
const CLOSE: (HeaderName, &str) = (header::CONNECTION, "close");

fn router(
    media_type: &'static str,
    figures: impl Fn() -> String + Clone + Send + Sync + 'static,
) -> Router {
    let kind = (header::CONTENT_TYPE, media_type);
    let text = move || async move { ([kind, CLOSE], figures()) };
    let not_found = "only GET /metrics is here\n";
    let nothing = move || async move { (StatusCode::NOT_FOUND, [CLOSE], not_found) };
    Router::new()
        .route("/metrics", get(text).fallback(nothing))
        .fallback(nothing)
}

impl MetricsServer {
    /// The address on which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for MetricsServer {
    fn drop(&mut self) {
        // The sender is gone, and that is the sign.
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // A panic in it has been reported where it happened.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpStream;

    fn loopback() -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], 0))
    }

    /// The answer's head and body.
    fn ask(address: SocketAddr, request: &str) -> (String, String) {
        let mut stream = TcpStream::connect(address).expect("it listens");
        let head = format!("{request} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        (head.to_ascii_lowercase(), body.to_owned())
    }

    #[test]
    fn figures_and_nothing_else() {
        let figures = || "forest_fetch_total 1\n".to_owned();
        let server = serve_figures(loopback(), "text/plain; version=1", figures);
        let server = server.expect("it listens");
        let (head, body) = ask(server.address(), "GET /metrics");
        assert!(head.starts_with("http/1.1 200"), "{head}");
        assert!(
            head.contains("\r\ncontent-type: text/plain; version=1"),
            "{head}"
        );
        assert!(head.contains("\r\nconnection: close"), "{head}");
        assert_eq!(body, figures());
        for other in [
            "GET /",
            "GET /metrics/",
            "POST /metrics",
            "GET /../etc/passwd",
        ] {
            let (head, _) = ask(server.address(), other);
            assert!(head.starts_with("http/1.1 404"), "{other}: {head}");
        }
        let address = server.address();
        // A silent client is not waited for.
        let silent = TcpStream::connect(address).expect("it listens");
        drop(server);
        assert!(TcpStream::connect(address).is_err(), "it still listens");
        drop(silent);
    }
}
