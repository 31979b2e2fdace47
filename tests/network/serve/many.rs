//! A thousand connections at once.

use super::{PAGE, Running, options};
use axum::Router;
use axum::http::header;
use forest_web::server::raise_file_limit;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Barrier;

const CONNECTIONS: usize = 1000;

#[test]
fn a_thousand_connections_at_once_are_all_answered() {
    raise_file_limit();
    let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    let router = Router::new().fallback(move || async move { (kind, PAGE) });
    let origin = crate::loopback::Loopback::of(|_| router);
    let proxy = Running::proxy(options());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let (to, page) = (proxy.address, origin.address);
    let good = runtime.block_on(async move {
        // No connection asks before all are there.
        let barrier = Arc::new(Barrier::new(CONNECTIONS));
        let asked = (0..CONNECTIONS).map(|_| {
            let barrier = Arc::clone(&barrier);
            tokio::spawn(async move {
                let mut stream = TcpStream::connect(to).await.expect("a connection");
                barrier.wait().await;
                let asked =
                    format!("GET http://{page}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                stream.write_all(asked.as_bytes()).await.expect("sent");
                let mut answer = String::new();
                stream.read_to_string(&mut answer).await.expect("an answer");
                answer.starts_with("HTTP/1.1 200")
                    && answer.contains("ferry")
                    && !answer.contains("evil")
            })
        });
        let asked: Vec<_> = asked.collect();
        let mut good = 0;
        for answer in asked {
            good += usize::from(answer.await.expect("a task"));
        }
        good
    });
    assert_eq!(good, CONNECTIONS);
}
