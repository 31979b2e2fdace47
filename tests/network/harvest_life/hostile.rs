//! What a site answers that has turned hostile: by turns of the clock, so that each
//! life is the same.

use std::io::Write as _;
use std::sync::LazyLock;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::hostile_server::server::Peer;

const LOGIN: &str = "<title>Log in</title><h1>Log in</h1><form><input name=user><input type=password></form>\
    <p>Forgot your password?</p>";

const PDF: &[u8] = b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n1 0 obj\n<<>>\nendobj\n";

/// 100 MB of spaces.
static BOMB: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    let spaces = vec![b' '; 1 << 20];
    for _ in 0..100 {
        gzip.write_all(&spaces).expect("to memory");
    }
    gzip.finish().expect("to memory")
});

/// Ways to be hostile.
pub const WAYS: i64 = 7;

/// Answers by one of the ways.
pub async fn answer(mut peer: Peer, way: i64) {
    let html = ("Content-Type", "text/html");
    match way {
        0 => peer.answer(200, &[html], LOGIN.as_bytes()).await,
        // 10 kB a second, without end.
        1 => {
            let mut open = peer.answer(200, &[html], b"<p>").await;
            while open {
                tokio::time::sleep(Duration::from_millis(100)).await;
                open = peer.send(&[b'x'; 1000]).await;
            }
            open
        }
        2 => {
            let headers = [html, ("Content-Encoding", "gzip")];
            peer.answer(200, &headers, &BOMB).await
        }
        // Each address leads to another one.
        3 => {
            let to = format!("{}x", peer.path);
            peer.answer(302, &[("Location", &to)], b"").await
        }
        4 => {
            peer.answer(500, &[html], b"<h1>Internal Server Error</h1>")
                .await
        }
        5 => peer.answer(200, &[html], PDF).await,
        _ => {
            let json = ("Content-Type", "application/json");
            peer.answer(200, &[json], b"{\"error\": \"nothing to see\"}")
                .await
        }
    };
}
