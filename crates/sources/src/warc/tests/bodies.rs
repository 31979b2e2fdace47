//! Bodies under codings, and under the names of codings.

use super::*;

const PAGE_BY_BROTLI: &[u8] = b"\x1b\x25\x00\xf8\x8d\xd3\x65\x34\x75\xd4\xa6\xe4\xa1\x82\xab\x17\x9f\x2e\x44\x13\x4e\x88\xd1\x0c\xa8\x20\xc4\x3a\xc6\x75\x2c\xd0\x03";

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).expect("into memory")
}

/// The body stands under the coding, and gives these bytes.
#[track_caller]
fn check_body(coding: &str, packed: &[u8], expected: &[u8]) {
    let warc = body(&format!("Content-Encoding: {coding}"), packed);
    let pages: Vec<_> = WarcReader::new(warc.as_slice()).expect("a WARC").collect();
    let [Ok(page)] = &pages[..] else {
        panic!("{coding}: {pages:?}")
    };
    let payload = String::from_utf8_lossy(&page.payload);
    assert_eq!(payload, String::from_utf8_lossy(expected), "{coding}");
}

#[track_caller]
fn check_refused(coding: &str, packed: &[u8]) {
    let refused = format!(
        "http://a.example/: content coding `{coding}` cannot be undone, left out; archive it \
         uncompressed or with gzip"
    );
    check(
        &body(&format!("Content-Encoding: {coding}"), packed),
        &refused,
    );
}

#[test]
fn brotli_and_zstd_are_undone() {
    let text = PAGE.as_bytes();
    check_body("br", PAGE_BY_BROTLI, text);
    check_body("BR", PAGE_BY_BROTLI, text);
    check_body("zstd", &zstd(text), text);
    check_body("gzip, br", PAGE_BY_BROTLI, text);
    check_body("gzip, zstd", &zstd(&gzip(text)), text);
    check_body("zstd, gzip", &gzip(&zstd(text)), text);
    let frames = [zstd(&text[..20]), zstd(&text[20..])].concat();
    check_body("zstd", &frames, text);
}

#[test]
fn a_coding_under_the_name_of_another_is_undone() {
    let text = PAGE.as_bytes();
    check_body("br", &gzip(text), text);
    check_body("zstd", &gzip(text), text);
    check_body("gzip", &zstd(text), text);
    check_body("br", &zstd(text), text);
}

#[test]
fn chunks_of_brotli_are_joined_before() {
    let mut chunks = Vec::new();
    for part in PAGE_BY_BROTLI.chunks(16) {
        chunks.extend(format!("{:x}\r\n", part.len()).into_bytes());
        chunks.extend(part);
        chunks.extend(b"\r\n");
    }
    chunks.extend(b"0\r\n\r\n");
    check(
        &body(
            "Transfer-Encoding: chunked\r\nContent-Encoding: br",
            &chunks,
        ),
        GOOD,
    );
}

#[test]
fn what_brotli_and_zstd_give_is_bounded() {
    let large = "http://a.example/: larger than 20000000 bytes, left out";
    let zeros = vec![b' '; MAX_PAGE_BYTES + 1];
    check(&body("Content-Encoding: zstd", &zstd(&zeros)), large);
    // 30 MB of spaces.
    let packed = b"\xcb\xff\xff\x3f\xf8\x25\x40\xe2\xb1\x40\x20\xf7\xfe\x8f\xff\xff\x7f\xf0\x4b\x00\xc4\x61\x11\x80\xee\xfd\x1f\xff\xff\xff\xe0\x97\x00\x88\xc3\x02\x00\xdd\xfb\xbf\xfc\x1b\x4e\xc2\x2f\x01\x10\x87\x05\x00\x3a\xbb\x49";
    check(&body("Content-Encoding: br", packed), large);
}

#[test]
fn damaged_brotli_and_zstd_are_refused() {
    check_refused("br", &PAGE_BY_BROTLI[..20]);
    check_refused("br", b"\x8b\x02");
    let packed = zstd(PAGE.as_bytes());
    check_refused("zstd", &packed[..packed.len() - 8]);
    check_refused("zstd", b"\x28\xb5\x2f\xfd\x04");
}

/// Bodies as crawlers store them once they have undone the coding.
const UNDONE: [&str; 8] = [
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<html xmlns=\"x\"><p>One</html>",
    "<div class=\"story\"><p>One</div>",
    "<p>One",
    "<!-- served by a cache --><p>One",
    "One line of plain text.",
    "\u{feff}<section>One</section>",
    "x^2 + y^2 = z^2, and more of it",
    "Ein R\u{fc}ckblick \u{2013} auf zwei Jahre",
];

#[test]
fn bodies_whose_coding_was_undone_are_taken_as_they_are() {
    for coding in ["gzip", "x-gzip", "deflate", "br", "zstd", "gzip, br"] {
        for text in UNDONE {
            check_body(coding, text.as_bytes(), text.as_bytes());
        }
        check_body(coding, b"", b"");
    }
    let latin = b"<p>R\xFCckblick\x85 auf zwei Jahre";
    check_body("gzip", latin, latin);
    let wide = b"\xFF\xFE<\0p\0>\0O\0n\0e\0";
    check_body("gzip", wide, wide);
}

#[test]
fn codings_that_are_none() {
    for coding in [
        "aws-chunked",
        "7bit",
        "8bit",
        "binary",
        "UTF-8",
        "none",
        "x-own",
    ] {
        for text in UNDONE {
            check_body(coding, text.as_bytes(), text.as_bytes());
        }
    }
    for coding in ["gzip, aws-chunked", "aws-chunked, gzip", "binary,gzip"] {
        check_body(coding, &gzip(PAGE.as_bytes()), PAGE.as_bytes());
    }
}

#[test]
fn packed_bytes_of_no_known_coding_are_refused() {
    let noise = b"\x01\x00\x8e\x17\x03\xfe\x11\x06\x90\x02\x0f\x1f";
    for coding in ["gzip", "deflate", "zstd", "br", "x-own"] {
        check_refused(coding, noise);
    }
}
