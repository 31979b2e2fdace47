//! Answers that are filtered, and their headers.

use super::{Client, PAGE, Running, options};
use crate::hostile_server::server::Server as Origin;
use async_compression::tokio::write::{BrotliEncoder, GzipEncoder, ZlibEncoder, ZstdEncoder};
use forest_text::filter::{FilterSettings, OutputFormat, Profile};
use tokio::io::AsyncWriteExt;

const HTML: (&str, &str) = ("Content-Type", "text/html; charset=utf-8");

/// A server of one answer.
fn origin(headers: &'static [(&'static str, &'static str)], body: Vec<u8>) -> Origin {
    Origin::new(move |mut peer| {
        let body = body.clone();
        async move {
            peer.answer(200, headers, &body).await;
        }
    })
}

pub fn packed(coding: &str, bytes: &[u8]) -> Vec<u8> {
    macro_rules! packed_by {
        ($encoder:ident) => {{
            let mut encoder = $encoder::new(Vec::new());
            encoder.write_all(bytes).await.expect("packed");
            encoder.shutdown().await.expect("packed");
            encoder.into_inner()
        }};
    }
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("a runtime").block_on(async {
        match coding {
            "gzip" | "x-gzip" => packed_by!(GzipEncoder),
            "deflate" => packed_by!(ZlibEncoder),
            "br" => packed_by!(BrotliEncoder),
            "zstd" => packed_by!(ZstdEncoder),
            _ => bytes.to_vec(),
        }
    })
}

#[test]
fn a_page_comes_without_its_clutter_and_with_headers_that_fit() {
    let origin = Origin::new(|mut peer| async move {
        let headers = [
            HTML,
            ("Content-Length", "9999"),
            ("ETag", "\"abc\""),
            ("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT"),
            ("Content-MD5", "x"),
            ("Digest", "sha-256=x"),
            ("Content-Digest", "sha-256=:x:"),
            ("Repr-Digest", "sha-256=:x:"),
            ("Accept-Ranges", "bytes"),
            ("Content-Security-Policy", "script-src 'sha256-x'"),
            ("Set-Cookie", "a=b"),
            ("X-Own", "1"),
        ];
        let length = PAGE.len().to_string();
        let headers = headers.map(|(name, value)| match name {
            "Content-Length" => (name, &*length),
            _ => (name, value),
        });
        peer.answer(200, &headers, PAGE.as_bytes()).await;
    });
    let proxy = Running::proxy(options());
    let answer = proxy.ask(&format!("GET {}", origin.url("/")), &[]);
    assert_eq!(answer.status, 200);
    let text = answer.text();
    assert!(text.contains("The ferry to the islands"), "{text}");
    assert!(!text.contains("script"), "{text}");
    let length = answer.body.len().to_string();
    assert_eq!(answer.header("content-length"), Some(&*length));
    assert_eq!(
        answer.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert_eq!(answer.header("x-forest-filter"), Some("filtered"));
    assert_eq!(answer.header("accept-ranges"), Some("none"));
    for gone in [
        "last-modified",
        "content-md5",
        "digest",
        "content-digest",
        "repr-digest",
        "content-encoding",
        "transfer-encoding",
    ] {
        assert_eq!(answer.header(gone), None, "{gone}");
    }
    assert_eq!(
        answer.header("content-security-policy"),
        Some("script-src 'sha256-x'")
    );
    assert_eq!(answer.header("set-cookie"), Some("a=b"));
    assert_eq!(answer.header("x-own"), Some("1"));
    let etag = answer.header("etag").expect("a tag");
    assert!(etag.starts_with("\"abc~forest-"), "{etag}");
    assert!(answer.header("via").expect("the way").contains("forest-"));
}

#[test]
fn every_known_coding_is_undone() {
    let proxy = Running::proxy(options());
    for coding in ["gzip", "x-gzip", "deflate", "br", "zstd", "identity"] {
        let body = packed(coding, PAGE.as_bytes());
        let origin = Origin::new(move |mut peer| {
            let body = body.clone();
            async move {
                peer.answer(200, &[HTML, ("Content-Encoding", coding)], &body)
                    .await;
            }
        });
        let answer = proxy.ask(&format!("GET {}", origin.url("/")), &["Accept-Encoding: *"]);
        let text = answer.text();
        assert_eq!(answer.header("content-encoding"), None, "{coding}");
        assert!(
            text.contains("ferry") && !text.contains("script"),
            "{coding}: {text}"
        );
    }
}

#[test]
fn a_page_in_pieces_and_in_an_old_charset_is_one_page() {
    let page = PAGE
        .replace("utf-8", "windows-1252")
        .replace("ferry", "f\u{1}rry");
    let mut bytes = page.into_bytes();
    for byte in &mut bytes {
        if *byte == 1 {
            *byte = 0xe9;
        }
    }
    let origin = Origin::new(move |mut peer| {
        let bytes = bytes.clone();
        async move {
            let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\
                Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
            peer.send(head).await;
            for piece in bytes.chunks(7) {
                peer.send(format!("{:x}\r\n", piece.len()).as_bytes()).await;
                peer.send(piece).await;
                peer.send(b"\r\n").await;
            }
            peer.send(b"0\r\n\r\n").await;
        }
    });
    let proxy = Running::proxy(options());
    let text = proxy.ask(&format!("GET {}", origin.url("/")), &[]).text();
    assert!(
        text.contains("The férry to") && !text.contains("script"),
        "{text}"
    );
    assert!(
        text.contains("utf-8") && !text.contains("windows-1252"),
        "{text}"
    );
}

#[test]
fn other_formats_have_their_media_type() {
    let origin = origin(&[HTML], PAGE.as_bytes().to_vec());
    let check = |output, kind: &str, begins: &str| {
        let settings = FilterSettings {
            output,
            ..Profile::Light.settings()
        };
        let proxy = Running::proxy(options().with_settings(settings));
        let answer = proxy.ask(&format!("GET {}", origin.url("/")), &[]);
        assert_eq!(answer.header("content-type"), Some(kind));
        assert!(
            answer.text().trim_start().starts_with(begins),
            "{}",
            answer.text()
        );
        let head = proxy.ask(&format!("HEAD {}", origin.url("/")), &[]);
        assert_eq!(head.header("content-type"), Some(kind));
    };
    check(
        OutputFormat::Text,
        "text/plain; charset=utf-8",
        "T\nThe ferry",
    );
    check(
        OutputFormat::Xhtml,
        "application/xhtml+xml; charset=utf-8",
        "<",
    );
}

#[test]
fn a_head_is_that_of_the_filtered_page() {
    let origin = Origin::new(|mut peer| async move {
        let length = PAGE.len().to_string();
        let headers = [HTML, ("Content-Length", &*length), ("ETag", "W/\"abc\"")];
        peer.answer(200, &headers, b"").await;
    });
    let proxy = Running::proxy(options());
    let answer = proxy.ask(&format!("HEAD {}", origin.url("/")), &[]);
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-length"), None);
    assert!(
        answer
            .header("etag")
            .is_some_and(|tag| tag.starts_with("W/\"abc~forest-"))
    );
}

#[test]
fn a_browser_asks_again_by_the_tag_of_the_filtered_page() {
    let origin = Origin::new(|mut peer| async move {
        let headers = [HTML, ("ETag", "\"abc\"")];
        if peer
            .head
            .to_ascii_lowercase()
            .contains("if-none-match: \"abc\"\r\n")
        {
            peer.answer(304, &headers, b"").await;
        } else {
            peer.answer(200, &headers, PAGE.as_bytes()).await;
        }
    });
    let proxy = Running::proxy(options());
    let line = format!("GET {}", origin.url("/"));
    let first = proxy.ask(&line, &[]);
    let tag = first.header("etag").expect("a tag").to_owned();
    let asked = format!("If-None-Match: {tag}");
    let again = proxy.ask(&line, &[&asked]);
    assert_eq!((again.status, again.header("etag")), (304, Some(&*tag)));
    // With other settings the page is another.
    let other = Running::proxy(options().with_settings(Profile::Reader.settings()));
    assert_eq!(other.ask(&line, &[&asked]).status, 200);
}

#[test]
fn a_connection_serves_one_request_after_another() {
    let origin = origin(&[HTML], PAGE.as_bytes().to_vec());
    let proxy = Running::proxy(options());
    let mut client = Client::to(proxy.address);
    for _ in 0..3 {
        let answer = client.ask(&format!("GET {}", origin.url("/")), &[], b"");
        assert_eq!(answer.status, 200);
        assert!(!answer.text().contains("script"));
    }
    // Two at once, one behind the other.
    let both = format!(
        "GET {0} HTTP/1.1\r\nHost: a\r\n\r\nGET {0} HTTP/1.1\r\nHost: a\r\n\r\n",
        origin.url("/")
    );
    client.send(both.as_bytes());
    assert_eq!(client.read(false).body, client.read(false).body);
}
