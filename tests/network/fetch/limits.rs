//! Sizes and times.

use std::io::Write;
use std::time::{Duration, Instant};

use forest_fetch::{Resource, VisitRequest, Why};

use crate::fetch::site::{End, Raw, Site, answer, status};
use crate::fetch::{fetcher, get, quick, reason, why};

const MB: u64 = 1_000_000;

/// A site that answers with these bytes in this encoding.
fn encoded(encoding: &'static str, body: Vec<u8>) -> Site {
    Site::new(move |seen| match seen.path.as_str() {
        "/robots.txt" => status(404),
        _ => answer(200, &[("content-encoding", encoding)], body.clone()),
    })
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory")
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory")
}

/// Without zlib's frame.
fn raw_deflate(bytes: &[u8]) -> Vec<u8> {
    let best = flate2::Compression::best();
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), best);
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory")
}

/// `<p>brotli</p>` by the reference encoder.
const BROTLI: [u8; 17] = [
    11, 6, 128, 60, 112, 62, 98, 114, 111, 116, 108, 105, 60, 47, 112, 62, 3,
];

/// Three million zeros by the reference encoder.
const BROTLI_BOMB: [u8; 14] = [155, 191, 198, 45, 248, 39, 0, 226, 177, 64, 32, 207, 183, 5];

/// A zstd frame of `blocks` run-length blocks of 128 KiB (RFC 8878, 3.1.1).
fn zstd_bomb(blocks: usize) -> Vec<u8> {
    // Magic number; no size, no checksum; a window of 128 KiB.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 7 << 3];
    for block in 0..blocks {
        let last = u32::from(block + 1 == blocks);
        let header = (128 * 1024) << 3 | 1 << 1 | last;
        frame.extend_from_slice(&header.to_le_bytes()[..3]);
        frame.push(b'0');
    }
    frame
}

#[test]
fn every_encoding_is_decoded() {
    let check = |encoding, body: Vec<u8>, expected: &[u8]| {
        let page = get(quick(), &encoded(encoding, body).url("/")).expect(encoding);
        assert_eq!(page.body, expected, "{encoding}");
    };
    check("identity", b"plain".to_vec(), b"plain");
    check("gzip", gzip(b"<p>gzip</p>"), b"<p>gzip</p>");
    check("deflate", deflate(b"<p>deflate</p>"), b"<p>deflate</p>");
    check("Deflate", raw_deflate(b"<p>raw</p>"), b"<p>raw</p>");
    check("deflate", Vec::new(), b"");
    check("br", BROTLI.to_vec(), b"<p>brotli</p>");
    check("zstd", zstd_bomb(2), &[b'0'; 256 * 1024]);
}

#[test]
fn the_limit_counts_decompressed_bytes() {
    let check = |encoding, body: Vec<u8>| {
        let site = encoded(encoding, body);
        let limit = 2 * MB;
        let too_large = why(quick().with_page_limit(limit), &site.url("/"));
        assert_eq!(too_large, Why::TooLarge { limit }, "{encoding}");
    };
    let zeros = vec![0; 3_000_000];
    check("gzip", gzip(&zeros));
    check("deflate", deflate(&zeros));
    check("deflate", raw_deflate(&zeros));
    check("br", BROTLI_BOMB.to_vec());
    check("zstd", zstd_bomb(30));
}

#[test]
fn a_bomb_stops_at_the_limit() {
    // 64 GB, were it read to its end.
    let bomb = encoded("zstd", zstd_bomb(500_000));
    let start = Instant::now();
    assert_eq!(
        why(quick(), &bomb.url("/")),
        Why::TooLarge { limit: 20 * MB }
    );
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_broken_encoding_is_a_broken_body() {
    let whole = raw_deflate(b"<p>The ferry sails again.</p>");
    for (encoding, body) in [
        ("gzip", b"this is no gzip".to_vec()),
        ("X-GZIP", b"this is no gzip".to_vec()),
        ("deflate", b"this is not deflated".to_vec()),
        ("deflate", whole[..whole.len() - 3].to_vec()),
        ("deflate", whole[..1].to_vec()),
    ] {
        let site = encoded(encoding, body);
        assert!(matches!(why(quick(), &site.url("/")), Why::Body(_)));
    }
}

/// What was undone is not named in what is kept.
#[test]
fn the_head_of_a_page_describes_the_unpacked_body() {
    let page = b"<p>page</p>";
    for (coding, body) in [
        ("deflate", deflate(page)),
        ("deflate", raw_deflate(page)),
        ("x-gzip", gzip(page)),
        ("GZIP", gzip(page)),
    ] {
        let site = encoded(coding, body);
        let fetcher = fetcher(quick());
        fetcher.allow(&site.url("/"));
        let visited = fetcher.visit(&VisitRequest::new(site.url("/"), Resource::Page));
        let visited = visited.expect("a page");
        let head = String::from_utf8(visited.response_head).expect("text");
        let head = head.to_ascii_lowercase();
        assert!(head.contains("\r\ncontent-length: 11\r\n"), "{head}");
        assert!(!head.contains("encoding"), "{head}");
    }
}

#[test]
fn a_limit_is_the_last_size_that_passes() {
    let site = encoded("identity", vec![b'x'; 1000]);
    assert!(get(quick().with_page_limit(1000), &site.url("/")).is_ok());
    let refused = why(quick().with_page_limit(999), &site.url("/"));
    assert_eq!(refused, Why::TooLarge { limit: 999 });
}

#[test]
fn pages_and_feeds_have_limits_of_their_own() {
    let site = encoded("identity", vec![b'x'; 1000]);
    let fetcher = fetcher(quick().with_page_limit(2000).with_feed_limit(500));
    fetcher.allow(&site.url("/"));
    assert!(fetcher.get(&site.url("/"), Resource::Page).is_ok());
    let feed = fetcher.get(&site.url("/"), Resource::Feed);
    assert_eq!(reason(feed), Why::TooLarge { limit: 500 });
}

#[test]
fn a_length_above_the_limit_is_refused_before_the_body() {
    // No byte of the body is sent: waiting for it would time out.
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 20000001\r\n\r\n".to_vec();
    let raw = Raw::new(vec![(head, End::Stall)]);
    assert_eq!(
        why(quick(), &raw.url("/")),
        Why::TooLarge { limit: 20 * MB }
    );
}

#[test]
fn a_body_without_a_length_stops_at_the_limit() {
    let mut endless = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    endless.resize(100_000, b'x');
    let raw = Raw::new(vec![(endless, End::Stall)]);
    let limited = quick().with_page_limit(50_000);
    assert_eq!(why(limited, &raw.url("/")), Why::TooLarge { limit: 50_000 });
}

#[test]
fn a_silent_server_times_out() {
    let raw = Raw::new(vec![(Vec::new(), End::Stall)]);
    let limited = quick().with_timeout(Duration::from_millis(50));
    assert_eq!(why(limited, &raw.url("/")), Why::Timeout);
}

#[test]
fn a_body_that_stalls_times_out() {
    let half = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nha".to_vec();
    let raw = Raw::new(vec![(half, End::Stall)]);
    let limited = quick().with_idle_timeout(Duration::from_millis(50));
    let start = Instant::now();
    assert_eq!(why(limited, &raw.url("/")), Why::Timeout);
    // The whole request has 30 s.
    assert!(start.elapsed() < Duration::from_secs(15));
}
