//! Records that are no pages.

use super::*;

/// A record of any type.
fn other(kind: &str, url: &str, content_type: &str, block: &[u8]) -> Vec<u8> {
    let fields = format!(
        "WARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-02-05T09:30:00Z\r\n\
         Content-Type: {content_type}"
    );
    record(&fields, block)
}

/// The record is passed over, and the page behind it is read.
#[track_caller]
fn check_silent(record: Vec<u8>) {
    check(&[record, page("http://a.example/")].concat(), GOOD);
}

#[test]
fn names_of_hosts_are_no_pages() {
    let answer = b"20240205093000\na.example.\t300\tIN\tA\t192.0.2.7\n";
    check_silent(other("response", "dns:a.example", "text/dns", answer));
    check_silent(other("response", "DNS:a.example", "text/dns", answer));
    check_silent(other(
        "response",
        "<dns:a.example>",
        "text/dns; charset=x",
        answer,
    ));
    check_silent(other("response", "http://a.example/", "text/dns", answer));
    check_silent(other("resource", "dns:a.example", "text/dns", answer));
}

#[test]
fn owners_of_names_are_no_pages() {
    check_silent(other(
        "response",
        "whois://whois.example/a.example",
        "text/plain",
        b"owner: Ada Quill\n",
    ));
    check_silent(other(
        "response",
        "whois:a.example",
        "text/whois",
        b"owner: Ada Quill\n",
    ));
    check_silent(other(
        "response",
        "ftp://a.example/news.txt",
        "text/plain",
        b"News\n",
    ));
}

#[test]
fn what_should_be_http_is_reported() {
    let broken = other("response", "http://a.example/", "application/http", b"x");
    check(
        &broken,
        "record 1 has no address or no HTTP header, left out",
    );
    let nameless = other(
        "response",
        "",
        "application/http",
        b"HTTP/1.1 200 OK\r\n\r\n",
    );
    check(
        &nameless,
        "record 1 has no address or no HTTP header, left out",
    );
}

#[test]
fn a_large_answer_of_another_type_is_no_page_that_is_missing() {
    let film = vec![0; MAX_PAGE_BYTES + 1_000_000];
    let film = response("http://a.example/film", "Content-Type: video/mp4", &film);
    check(&gzip(&[film, page("http://a.example/")].concat()), GOOD);
}

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
