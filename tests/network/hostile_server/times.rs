//! Slow servers.

use std::time::Duration;

use forest_fetch::Why;

use crate::hostile_server::server::{Peer, Server};
use crate::hostile_server::{fetcher, page, quick, visit, why};

/// Sends these bytes again and again, one each ten milliseconds.
async fn trickle(peer: &mut Peer, bytes: &[u8]) {
    let mut tick = tokio::time::interval(Duration::from_millis(10));
    for byte in bytes.iter().cycle() {
        tick.tick().await;
        if !peer.send(&[*byte]).await {
            return;
        }
    }
}

/// No pause between two bytes is too long, only the whole time.
#[test]
fn one_byte_at_a_time_ends_with_the_whole_time() {
    let head = Server::new(|mut peer| async move {
        peer.send(b"HTTP/1.1 200 OK\r\n").await;
        trickle(&mut peer, b"X-A: b\r\n").await;
    });
    let body = Server::new(|mut peer| async move {
        peer.answer(200, &[("Content-Length", "1000000")], b"")
            .await;
        trickle(&mut peer, b"x").await;
    });
    let chunks = Server::new(|mut peer| async move {
        peer.answer(200, &[("Transfer-Encoding", "chunked")], b"")
            .await;
        trickle(&mut peer, b"1\r\nx\r\n").await;
    });
    let options = || {
        quick()
            .with_timeout(Duration::from_secs(1))
            .with_idle_timeout(Duration::from_secs(60))
    };
    // With the bytes that are sent at once.
    for (name, server, start) in [
        ("head", head, 17),
        ("body", body, 67),
        ("chunks", chunks, 70),
    ] {
        let result = visit(options(), &server.url("/"));
        assert_eq!(why(result), Why::Timeout, "{name}");
        assert!(server.sent() > start + 3, "{name}: it was alive");
        assert_eq!(server.requests(), 1, "{name}: it is not asked again");
    }
}

/// The whole time is long, the pause is too long.
#[test]
fn a_stall_ends_with_the_idle_time_wherever_it_is() {
    let starts: [&[u8]; 6] = [
        b"",
        b"HTTP/1.1 200",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    ];
    for start in starts {
        let server = Server::new(move |mut peer| async move {
            peer.send(start).await;
            peer.stall().await;
        });
        let options = quick()
            .with_timeout(Duration::from_secs(3600))
            .with_idle_timeout(Duration::from_millis(100));
        let result = visit(options, &server.url("/"));
        assert_eq!(why(result), Why::Timeout, "{}", start.escape_ascii());
    }
}

#[test]
fn chunks_without_end_end_at_the_limit() {
    let server = Server::new(|mut peer| async move {
        peer.answer(200, &[("Transfer-Encoding", "chunked")], b"")
            .await;
        while peer.send(b"400\r\n").await && peer.send(&[b'x'; 0x400]).await {
            peer.send(b"\r\n").await;
        }
    });
    let limit = 1_000_000;
    let result = visit(quick().with_page_limit(limit), &server.url("/"));
    assert_eq!(why(result), Why::TooLarge { limit });
    // The rest is in the systems' buffers of the connection.
    assert!(server.sent() < 10_000_000, "{} bytes", server.sent());
}

#[test]
fn a_head_without_end_ends() {
    let endless = |piece: &'static [u8]| {
        Server::new(move |mut peer| async move {
            peer.send(b"HTTP/1.1 200 OK\r\n").await;
            while peer.send(piece).await {}
        })
    };
    for piece in [&b"X-A: b\r\n"[..], &[b'x'; 4096]] {
        let server = endless(piece);
        let result = visit(quick().with_retries(0), &server.url("/"));
        assert!(matches!(why(result), Why::Connect(_)));
        assert!(server.sent() < 10_000_000, "{} bytes", server.sent());
    }
}

/// One host of each kind of fault, with two of its pages requested first. The pages of two
/// working sites are received while the faults last.
#[test]
fn other_hosts_go_on_meanwhile() {
    let (arrived, arrivals) = std::sync::mpsc::channel();
    let trouble = |kind: usize| {
        let arrived = arrived.clone();
        Server::new(move |mut peer| {
            // The receiver is gone once all have arrived.
            let _ = arrived.send(kind);
            async move {
                match kind {
                    0 => peer.stall().await,
                    1 => {
                        let length = [("Content-Length", "9")];
                        peer.answer(200, &length, b"half").await;
                        peer.stall().await;
                    }
                    2 => {
                        peer.answer(200, &[], b"").await;
                        trickle(&mut peer, b"x").await;
                    }
                    _ => {
                        let later = [("Retry-After", "50")];
                        peer.answer(503, &later, b"").await;
                    }
                }
            }
        })
    };
    let lasting = [trouble(0), trouble(1), trouble(2), trouble(3)];
    let round = Server::new(|mut peer| async move {
        peer.answer(302, &[("Location", "/")], b"").await;
    });
    let (one, other) = (Server::echo(), Server::echo());
    let mut typed: Vec<_> = lasting.iter().map(|server| server.url("/")).collect();
    typed.extend([round.url("/"), one.url("/"), other.url("/")]);
    let typed: Vec<_> = typed.iter().collect();
    // An hour: no lasting fault ends within the test.
    let hour = Duration::from_secs(3600);
    let options = quick().with_timeout(hour).with_idle_timeout(hour);
    let fetcher = fetcher(options, &typed);
    let mut visits = fetcher.visits(10);
    for (tag, server) in lasting.iter().enumerate() {
        for _ in 0..20 {
            visits.submit(tag as u64, page(&server.url("/")));
        }
    }
    let mut waiting = std::collections::BTreeSet::from([0, 1, 2, 3]);
    while !waiting.is_empty() {
        waiting.remove(&arrivals.recv().expect("a request"));
    }
    visits.submit(50, page(&round.url("/")));
    for tag in 100..160 {
        let server = if tag % 2 == 0 { &one } else { &other };
        visits.submit(tag, page(&server.url(&format!("/{tag}"))));
    }
    let (mut pages, mut loops) = (0, 0);
    for _ in 0..61 {
        let (tag, result) = visits.next(None).expect("a result");
        if tag == 50 {
            assert_eq!(why(result), Why::Redirects(10));
            loops += 1;
        } else {
            let body = result.expect("a page").body;
            assert_eq!(body, format!("/{tag}").into_bytes());
            pages += 1;
        }
    }
    assert_eq!((pages, loops, visits.under_way()), (60, 1, 80));
    assert!(lasting.iter().all(|server| server.requests() <= 2));
    visits.cancel();
    assert!(visits.next(None).is_none());
}
