//! Answers and requests that pass as they are.

use super::changed::packed;
use super::{Client, PAGE, Running, options};
use crate::hostile_server::server::Server as Origin;
use std::io::Read;

const HTML: (&str, &str) = ("Content-Type", "text/html; charset=utf-8");

/// An answer comes through with its body, its length and this header.
fn check(status: u16, headers: &'static [(&'static str, &'static str)], body: &[u8]) {
    let sent = body.to_vec();
    let origin = Origin::new(move |mut peer| {
        let sent = sent.clone();
        async move {
            peer.answer(status, headers, &sent).await;
        }
    });
    let proxy = Running::proxy(options());
    let answer = proxy.ask(&format!("GET {}", origin.url("/x?y=1")), &[]);
    assert_eq!(answer.status, status);
    assert!(answer.body == body, "{headers:?}: {}", answer.text());
    for (name, value) in headers {
        assert_eq!(answer.header(&name.to_ascii_lowercase()), Some(*value));
    }
}

#[test]
fn what_is_no_whole_page_passes_byte_for_byte() {
    let page = PAGE.as_bytes();
    check(
        200,
        &[("Content-Type", "image/png"), ("ETag", "\"a\"")],
        b"\x89PNG\0\xff",
    );
    check(200, &[("Content-Type", "text/plain")], page);
    check(200, &[("Content-Type", "application/json")], page);
    check(200, &[], page);
    check(404, &[HTML], page);
    check(500, &[HTML], page);
    check(203, &[HTML], page);
    check(302, &[HTML, ("Location", "/elsewhere")], page);
    check(206, &[HTML, ("Content-Range", "bytes 0-9/99")], page);
    check(
        200,
        &[HTML, ("Content-Disposition", "attachment; filename=a.html")],
        page,
    );
    check(
        200,
        &[HTML, ("Cache-Control", "public, no-transform")],
        page,
    );
    check(200, &[("Content-Type", "text/html; charset=klingon")], page);
    check(200, &[HTML, ("Content-Encoding", "compress")], page);
    check(200, &[HTML, ("Content-Encoding", "gzip, gzip")], page);
    check(204, &[("X-A", "b")], b"");
    check(304, &[("ETag", "\"a\"")], b"");
    check(200, &[HTML], b"");
}

#[test]
fn a_body_that_is_not_in_its_coding_passes_as_it_came() {
    let half = packed("gzip", PAGE.as_bytes());
    for body in [PAGE.as_bytes(), &half[..half.len() / 2], b"\x1f\x8b"] {
        check(200, &[HTML, ("Content-Encoding", "gzip")], body);
    }
}

#[test]
fn a_page_that_is_too_large_passes_as_it_came() {
    // 21 MB, over the bound of a page; packed it has 100 kB.
    let large = vec![b' '; 21_000_000];
    check(
        200,
        &[HTML, ("Content-Encoding", "gzip")],
        &packed("gzip", &large),
    );
    check(
        200,
        &[HTML, ("Content-Encoding", "zstd")],
        &packed("zstd", &large),
    );
    check(200, &[HTML], &large);
}

#[test]
fn a_page_that_takes_too_long_passes_as_it_comes() {
    let origin = Origin::new(|mut peer| async move {
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\
            Content-Length: 9999\r\n\r\n";
        peer.send(head).await;
        peer.send(PAGE.as_bytes()).await;
        peer.stall().await;
    });
    let patience = std::time::Duration::from_millis(20);
    let proxy = Running::proxy(options().with_whole_within(patience));
    let mut client = Client::to(proxy.address);
    client.send(format!("GET {} HTTP/1.1\r\nHost: a\r\n\r\n", origin.url("/")).as_bytes());
    let answer = client.head();
    assert_eq!(
        (answer.status, answer.header("x-forest-filter")),
        (200, Some("unread"))
    );
    let mut begin = vec![0; PAGE.len()];
    client
        .stream
        .read_exact(&mut begin)
        .expect("the part that came");
    assert_eq!(begin, PAGE.as_bytes());
}

#[test]
fn a_page_without_room_passes_as_it_came_and_gives_its_room_back() {
    let page = format!("{PAGE}{}", "<p>The ferry leaves.</p>".repeat(10_000));
    let origin = Origin::new(move |mut peer| {
        let page = if peer.path == "/large" {
            page.clone()
        } else {
            PAGE.to_owned()
        };
        async move {
            peer.answer(200, &[HTML], page.as_bytes()).await;
        }
    });
    // A piece of the room, 64 kB: less than the large page.
    let proxy = Running::proxy(options().with_room_bytes(64 * 1024));
    let ask = |path| proxy.ask(&format!("GET {}", origin.url(path)), &[]);
    for _ in 0..3 {
        let large = ask("/large");
        assert_eq!(large.header("x-forest-filter"), Some("unread"));
        assert!(large.text().contains("evil()") && large.text().ends_with("leaves.</p>"));
        let small = ask("/small");
        assert_eq!(
            small.header("x-forest-filter"),
            Some("filtered"),
            "{}",
            small.text()
        );
    }
}

#[test]
fn a_request_reaches_the_server_as_it_was() {
    let origin = Origin::new(|mut peer| async move {
        let head = peer.head.clone();
        peer.answer(200, &[], head.as_bytes()).await;
    });
    let proxy = Running::proxy(options());
    let headers = [
        "Host: wrong.example",
        "Accept-Encoding: gzip, br, dcb",
        "Cookie: a=b",
        "Connection: keep-alive, X-Hop",
        "X-Hop: secret",
        "Proxy-Authorization: Basic x",
        "Proxy-Connection: keep-alive",
        "Range: bytes=0-9",
        "User-Agent: me",
    ];
    let answer = proxy.ask(&format!("DELETE {}", origin.url("/a%20b?c=%2F")), &headers);
    let head = answer.text().to_ascii_lowercase();
    assert!(
        head.starts_with("delete /a%20b?c=%2f http/1.1\r\n"),
        "{head}"
    );
    let own = format!("host: 127.0.0.1:{}\r\n", origin.port());
    for line in [
        &*own,
        "accept-encoding: gzip, br\r\n",
        "cookie: a=b\r\n",
        "range: bytes=0-9\r\n",
        "user-agent: me\r\n",
        "via: 1.1 forest-",
    ] {
        assert!(head.contains(line), "{line}: {head}");
    }
    for gone in ["secret", "proxy-", "wrong.example", "keep-alive"] {
        assert!(!head.contains(gone), "{gone}: {head}");
    }
}

#[test]
fn bodies_go_both_ways_with_their_trailers() {
    let site = axum::Router::new().fallback(|body: axum::body::Bytes| async move {
        let mut back = body.to_vec();
        back.reverse();
        back
    });
    let loopback = crate::loopback::Loopback::of(|_| site);
    let proxy = Running::proxy(options());
    let line = format!("PUT http://{}/up", loopback.address);
    assert_eq!(proxy.ask_with(&line, &[], b"abc").body, b"cba");
    let mut client = Client::to(proxy.address);
    let head = format!("{line} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    client.send(head.as_bytes());
    client.send(b"2\r\nab\r\n1\r\nc\r\n0\r\n\r\n");
    assert_eq!(client.read(false).body, b"cba");

    let origin = Origin::new(|mut peer| async move {
        peer.send(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\
              Trailer: X-Sum\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n",
        )
        .await;
    });
    let answer = proxy.ask(&format!("GET {}", origin.url("/")), &["TE: trailers"]);
    assert_eq!(answer.body, b"abc");
    assert_eq!(answer.trailers, [("x-sum".to_owned(), "7".to_owned())]);
}

#[test]
fn a_length_beside_pieces_stays_behind() {
    let origin = Origin::new(|mut peer| async move {
        peer.send(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 99\r\n\
              Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        )
        .await;
    });
    let proxy = Running::proxy(options());
    for method in ["GET", "HEAD"] {
        let answer = proxy.ask(&format!("{method} {}", origin.url("/")), &[]);
        assert_eq!(answer.header("content-length"), None, "{method}");
        let whole: &[u8] = if method == "GET" { b"abc" } else { b"" };
        assert_eq!((answer.status, &*answer.body), (200, whole));
    }
}

#[test]
fn no_server_is_asked_for_another_protocol() {
    let origin = Origin::new(|mut peer| async move {
        let head = peer.head.clone();
        peer.answer(200, &[], head.as_bytes()).await;
    });
    let proxy = Running::proxy(options());
    let headers = ["Connection: upgrade", "Upgrade: websocket"];
    let answer = proxy.ask(&format!("GET {}", origin.url("/")), &headers);
    assert_eq!(answer.status, 200);
    assert!(!answer.text().to_ascii_lowercase().contains("upgrade"));
}

/// Bytes that a server sends at a time.
#[cfg(target_os = "linux")]
const PIECE: usize = 65_536;

/// Time after which a server that cannot send waits for its client.
#[cfg(target_os = "linux")]
const PAUSE: std::time::Duration = std::time::Duration::from_millis(500);

/// Bytes that the system keeps at most for a connection on this machine, both ends together.
#[cfg(target_os = "linux")]
fn socket_buffers() -> u64 {
    ["tcp_rmem", "tcp_wmem"]
        .into_iter()
        .map(|name| std::fs::read_to_string(format!("/proc/sys/net/ipv4/{name}")))
        .map(|limits| limits.expect("three limits of the system"))
        .map(|limits| limits.split_whitespace().last().map(str::parse::<u64>))
        .map(|most| most.expect("a limit").expect("bytes"))
        .sum()
}

#[cfg(target_os = "linux")]
#[test]
fn a_download_takes_no_more_memory_than_a_piece_of_it() {
    // Two connections, and a piece in the proxy.
    let room = 2 * socket_buffers() + 1_000_000;
    let pieces = 2 * room / PIECE as u64;
    let download = pieces * PIECE as u64;
    let (sender, waits) = std::sync::mpsc::channel();
    let origin = Origin::new(move |mut peer| {
        let sender = sender.clone();
        async move {
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {download}\r\n\r\n");
            peer.send(head.as_bytes()).await;
            for _ in 0..pieces {
                let mut sending = std::pin::pin!(peer.send(&[7; PIECE]));
                if tokio::time::timeout(PAUSE, &mut sending).await.is_err() {
                    let _ = sender.send(());
                    sending.await;
                }
            }
            let _ = sender.send(());
        }
    });
    let proxy = Running::proxy(options());
    let mut client = Client::to(proxy.address);
    let line = format!("GET {} HTTP/1.1\r\nHost: a\r\n\r\n", origin.url("/"));
    client.send(line.as_bytes());
    assert_eq!(client.head().status, 200);
    waits.recv().expect("the server waits for its client");
    let ahead = origin.sent();
    assert!(ahead < room, "{ahead} of {download} bytes were taken");
    let mut read = 0;
    let mut piece = vec![0; 1 << 20];
    while read < download {
        let count = client.stream.read(&mut piece).expect("a piece");
        assert!(count > 0 && piece[..count] == [7; 1 << 20][..count]);
        read += count as u64;
    }
}

#[test]
fn a_client_that_goes_away_ends_the_request() {
    let (sender, ended) = std::sync::mpsc::channel();
    let origin = Origin::new(move |mut peer| {
        let sender = sender.clone();
        async move {
            peer.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
                .await;
            while peer.send(&[7; 4096]).await {}
            let _ = sender.send(());
        }
    });
    let proxy = Running::proxy(options());
    let mut client = Client::to(proxy.address);
    let line = format!("GET {} HTTP/1.1\r\nHost: a\r\n\r\n", origin.url("/"));
    client.send(line.as_bytes());
    assert_eq!(client.head().status, 200);
    drop(client);
    let patience = std::time::Duration::from_secs(60);
    ended
        .recv_timeout(patience)
        .expect("the server's connection ends");
}

#[test]
fn a_tunnel_carries_bytes_of_which_nothing_is_known() {
    let origin = Origin::new(|mut peer| async move {
        let head = peer.head.clone();
        peer.send(head.as_bytes()).await;
    });
    let proxy = Running::proxy_with(
        options(),
        forest_proxy::ProxyOptions::default().with_tunnel_port(origin.port()),
    );
    let mut client = Client::to(proxy.address);
    let connect = format!(
        "CONNECT 127.0.0.1:{} HTTP/1.1\r\nHost: a\r\n\r\n",
        origin.port()
    );
    client.send(connect.as_bytes());
    assert_eq!(client.head().status, 200);
    client.send(b"\x16\x03 raw \xff\r\n\r\n");
    let mut echo = Vec::new();
    client.stream.read_to_end(&mut echo).expect("the echo");
    assert!(echo.starts_with(b"\x16\x03 raw"), "{echo:?}");
}
