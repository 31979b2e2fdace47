//! Records that are no pages.

use super::*;

/// A response without a `Content-Type` is a page if it begins like one.
#[track_caller]
fn check_bare(body: &[u8], is_page: bool) {
    let warc = response("http://a.example/", "Server: x", body);
    let found = WarcReader::new(warc.as_slice()).expect("a WARC").count();
    assert_eq!(found == 1, is_page, "{}", String::from_utf8_lossy(body));
}

#[test]
fn pages_without_a_type() {
    for page in [
        "<?xml version=\"1.0\"?>\n<!DOCTYPE html>\n<html><p>One",
        "<?xml version=\"1.0\"?><html xmlns=\"x\"><body/></html>",
        "<div class=\"a\"><p>One</div>",
        "<p>One<p>Two",
        "\u{feff}\n<section><h1>One</h1></section>",
        "<!-- of a server --><table><tr><td>One</table>",
        "<HTML><p>One",
    ] {
        check_bare(page.as_bytes(), true);
    }
    check_bare(b"\xFF\xFE<\0p\0>\0O\0n\0e\0", true);
}

#[test]
fn what_is_no_page_without_a_type() {
    for other in [
        "",
        "One line of text with <b>a word</b> in it",
        "document.write(\"<html><body>\");",
        "{\"html\": \"<p>One\"}",
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel/></rss>",
        "<?xml version=\"1.0\"?><urlset><url/></urlset>",
        "<?xml version=\"1.0\"?><svg xmlns=\"x\"><path/></svg>",
        "<?php echo \"<html>\";",
    ] {
        check_bare(other.as_bytes(), false);
    }
    check_bare(b"\x89PNG\r\n\x1a\n\0\0<html>", false);
    check_bare(b"GIF89a\x01\0<p>", false);
}
