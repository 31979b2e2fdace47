//! Servers that misbehave, behind the proxy.

use super::changed::packed;
use super::{Client, Running, options};
use crate::hostile_server::server::Server as Origin;
use std::io::Read;

const HTML: (&str, &str) = ("Content-Type", "text/html; charset=utf-8");

#[test]
fn a_server_that_breaks_off_or_says_nonsense_is_a_bad_gateway() {
    let proxy = Running::proxy(options());
    let check = |bytes: &'static [u8]| {
        let origin = Origin::new(move |mut peer| async move {
            peer.send(bytes).await;
        });
        let answer = proxy.ask(&format!("GET {}", origin.url("/")), &[]);
        let said = String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(answer.status, 502, "{said}");
        assert!(answer.text().starts_with("forest: "), "{said}");
    };
    check(b"");
    check(b"nonsense\r\n\r\n");
    check(b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n");
    check(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab");
    check(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\n<p>half");
    check(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>",
    );
    check(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    );
    check(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n");
    check(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n");
    check(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\na");
    // Nobody asked for another protocol.
    check(b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
    let nobody = Origin::echo().url("/");
    assert_eq!(proxy.ask(&format!("GET {nobody}"), &[]).status, 502);
}

#[test]
fn what_passes_and_breaks_off_is_seen_to_break_off() {
    let origin = Origin::new(|mut peer| async move {
        peer.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 99\r\n\r\nhalf")
            .await;
    });
    let proxy = Running::proxy(options());
    let mut client = Client::to(proxy.address);
    client.send(format!("GET {} HTTP/1.1\r\nHost: a\r\n\r\n", origin.url("/")).as_bytes());
    let mut answer = Vec::new();
    let _ = client.stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    // It ends before its length, or before it begins.
    assert!(
        answer.is_empty() || answer.contains("content-length: 99"),
        "{answer}"
    );
    assert!(answer.is_empty() || answer.ends_with("half"), "{answer}");
}

#[test]
fn bombs_are_not_unpacked() {
    // A page of 4 GB in some megabytes goes on packed; what is read of it is bounded.
    let mut zeros = packed("gzip", &vec![0; 50_000_000]);
    let one = zeros.clone();
    (0..79).for_each(|_| zeros.extend_from_slice(&one));
    let sent = zeros.clone();
    let origin = Origin::new(move |mut peer| {
        let body = zeros.clone();
        async move {
            peer.answer(200, &[HTML, ("Content-Encoding", "gzip")], &body)
                .await;
        }
    });
    let proxy = Running::proxy(options());
    let answer = proxy.ask(&format!("GET {}", origin.url("/")), &[]);
    assert_eq!(answer.header("content-encoding"), Some("gzip"));
    assert_eq!(answer.header("x-forest-filter"), Some("unread"));
    assert!(answer.body == sent);
}

#[test]
fn hostile_pages_are_answers_in_bounded_size() {
    let proxy = Running::proxy(options());
    let pages = [
        "<div>".repeat(100_000),
        "<table><tr><td>".repeat(20_000),
        "<a><b><i><p>".repeat(20_000),
        format!("<p {}>", "a=b ".repeat(100_000)),
        format!("<!--{}", "-".repeat(1_000_000)),
        "<script>".repeat(50_000),
        "\0\u{feff}<".repeat(50_000),
        "&#0;&#x110000;".repeat(10_000),
    ];
    for page in pages {
        let sent = page.clone();
        let origin = Origin::new(move |mut peer| {
            let page = page.clone();
            async move {
                peer.answer(200, &[HTML], page.as_bytes()).await;
            }
        });
        let answer = proxy.ask(&format!("GET {}", origin.url("/")), &[]);
        assert_eq!(answer.status, 200, "{:.20}", sent);
        let bound = 4 * sent.len() + 2048;
        assert!(
            answer.body.len() <= bound,
            "{:.20}: {} bytes",
            sent,
            answer.body.len()
        );
    }
}

#[test]
fn headers_without_end_are_cut() {
    let origin = Origin::new(|mut peer| async move {
        peer.send(b"HTTP/1.1 200 OK\r\n").await;
        let line = format!("X: {}\r\n", "a".repeat(4000));
        while peer.send(line.as_bytes()).await {}
    });
    let proxy = Running::proxy(options());
    assert_eq!(
        proxy.ask(&format!("GET {}", origin.url("/")), &[]).status,
        502
    );
    let mut client = Client::to(proxy.address);
    client.send(b"GET / HTTP/1.1\r\n");
    for _ in 0..1000 {
        client.send(format!("X: {}\r\n", "a".repeat(4000)).as_bytes());
    }
    let mut answer = Vec::new();
    let _ = client.stream.read_to_end(&mut answer);
    assert!(
        answer.is_empty() || answer.starts_with(b"HTTP/1.1 431"),
        "{answer:?}"
    );
}
