//! The type of a source, by the beginning of its bytes.

use std::io::Read;

use flate2::bufread::MultiGzDecoder;

use super::decode::decode;
use super::plain;
use super::scan::{Token, XmlScanner, local};
use super::xml;
use forest_html::page::binary::{BinaryKind, has_markup};
use forest_html::text::BOM;

/// Bytes looked at. Enough for a licence comment before a feed's root element.
const SNIFF_BYTES: usize = 64 * 1024;

/// Bytes of gzip that are unpacked at once.
const START_BYTES: u64 = 4096;

/// Bytes of a MIME header that are looked at.
const MIME_BYTES: usize = 8 * 1024;

/// The type of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SniffedType {
    /// RSS, Atom or JSON Feed.
    Feed,
    /// A list of feeds in OPML.
    Opml,
    /// A page in MIME, with its pictures, as browsers save it (MHTML).
    Mhtml,
    /// A sitemap, or an index of sitemaps, in gzip or not.
    Sitemap,
    /// An HTML or XHTML page.
    Html,
    /// JSON that is no feed: one value, or one a line.
    Json,
    /// Other XML.
    Xml,
    /// A PDF document.
    Pdf,
    /// A web archive, WARC or ARC, compressed or not.
    Warc,
    /// A ZIP file: a web archive in one (WACZ), a document, or files.
    Zip,
    /// Something else in gzip: unpack it and look again.
    Gzip,
    /// A text file with one `http` or `https` address a line; blank lines and
    /// lines that start with `#` may be between.
    UrlList,
    /// Other text.
    Text,
    /// No text at all: an image, a program, noise.
    Binary,
    /// Nothing, or white space only.
    Empty,
}

impl SniffedType {
    /// Returns true for kinds that are certainly no page. A page with a stray zero byte is
    /// [`Binary`](SniffedType::Binary), too: look for markup in it.
    pub fn is_no_page(self) -> bool {
        matches!(
            self,
            SniffedType::Pdf
                | SniffedType::Warc
                | SniffedType::Zip
                | SniffedType::Gzip
                | SniffedType::Feed
                | SniffedType::Opml
                | SniffedType::Sitemap
                | SniffedType::Mhtml
                | SniffedType::Json
                | SniffedType::Binary
        )
    }

    /// In words, with the article: "an HTML page".
    pub fn name(self) -> &'static str {
        match self {
            SniffedType::Feed => "a feed",
            SniffedType::Opml => "an OPML list of feeds",
            SniffedType::Mhtml => "a saved page in MHTML",
            SniffedType::Sitemap => "a sitemap",
            SniffedType::Html => "an HTML page",
            SniffedType::Json => "JSON",
            SniffedType::Xml => "XML of another kind",
            SniffedType::Pdf => BinaryKind::Pdf.name(),
            SniffedType::Warc => "a web archive",
            SniffedType::Zip => BinaryKind::Zip.name(),
            SniffedType::Gzip => BinaryKind::Gzip.name(),
            SniffedType::UrlList => "a list of addresses",
            SniffedType::Text => "plain text",
            SniffedType::Binary => BinaryKind::Other.name(),
            SniffedType::Empty => "an empty document",
        }
    }
}

/// Says what the bytes of a file or an answer are. The beginning is enough: 64
/// KiB are looked at.
///
/// ```
/// use forest_core::feed::{SniffedType, sniff};
/// assert_eq!(sniff(b"<?xml version='1.0'?><rss version='2.0'>"), SniffedType::Feed);
/// assert_eq!(sniff(b"<!DOCTYPE html><title>Home</title>"), SniffedType::Html);
/// assert_eq!(sniff(b"https://example.org/a\nhttps://example.org/b\n"), SniffedType::UrlList);
/// ```
pub fn sniff(bytes: &[u8]) -> SniffedType {
    if sniff_archive(bytes) {
        return SniffedType::Warc;
    }
    match BinaryKind::of(bytes) {
        Some(BinaryKind::Gzip) => {
            let start = unpacked_start(bytes);
            return if sniff_archive(&start) {
                SniffedType::Warc
            } else if of_text(decode(&start, None).0.trim_start()) == SniffedType::Sitemap {
                SniffedType::Sitemap
            } else {
                SniffedType::Gzip
            };
        }
        Some(BinaryKind::Zip) => return SniffedType::Zip,
        Some(BinaryKind::Pdf) => return SniffedType::Pdf,
        Some(BinaryKind::Other) => return SniffedType::Binary,
        None => {}
    }
    let head = &bytes[..bytes.len().min(SNIFF_BYTES)];
    if is_mhtml(head) {
        return SniffedType::Mhtml;
    }
    let text = decode(head, None).0;
    let text = text.trim_start();
    match text.chars().next() {
        None => SniffedType::Empty,
        Some('{' | '[') if text.contains("jsonfeed.org/version") => SniffedType::Feed,
        Some('{' | '[') => SniffedType::Json,
        _ => of_text(text),
    }
}

/// Returns true if a document begins with the header of MIME, and the header says that HTML
/// follows, alone or with other parts.
fn is_mhtml(head: &[u8]) -> bool {
    let head = head.strip_prefix(BOM).unwrap_or(head);
    let head = head.trim_ascii_start();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    let name = head.iter().take_while(|byte| is_name(byte)).count();
    if name == 0 || head.get(name) != Some(&b':') {
        return false;
    }
    let (mut is_mime, mut kind) = (false, String::new());
    for line in String::from_utf8_lossy(&head[..head.len().min(MIME_BYTES)]).lines() {
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        is_mime |= line.starts_with("mime-version:");
        if let Some(value) = line.strip_prefix("content-type:") {
            value.trim().clone_into(&mut kind);
        }
    }
    let kinds = ["multipart/related", "multipart/alternative", "text/html"];
    is_mime && kinds.iter().any(|known| kind.starts_with(known))
}

/// Returns true if the bytes of a file, not packed, begin as those of a web archive: with the
/// version of a WARC or the first record of an ARC, perhaps behind blank lines.
pub fn sniff_archive(bytes: &[u8]) -> bool {
    let start = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let start = start.trim_ascii_start();
    start.starts_with(b"WARC/") || start.starts_with(b"filedesc://")
}

/// Returns true if bytes begin as an HTML page: with markup, and neither with other text nor
/// with the marks of PHP and ASP programs.
pub fn sniff_page(bytes: &[u8]) -> bool {
    // Without byte order marks and the zeros of UTF-16.
    let start = bytes.iter().copied();
    let start = start.filter(|byte| !matches!(byte, 0 | 0xEF | 0xBB | 0xBF | 0xFE | 0xFF));
    let start = start.skip_while(u8::is_ascii_whitespace).take(5);
    let first: Vec<u8> = start.collect();
    let is_program = first.starts_with(b"<%") || first.starts_with(b"<?") && first != b"<?xml";
    first.starts_with(b"<") && !is_program && sniff(bytes) == SniffedType::Html
}

/// The kind of the bytes, in words, if they are certainly no page. Pages with a stray zero
/// byte are pages.
pub fn sniff_no_page(bytes: &[u8]) -> Option<&'static str> {
    match sniff(bytes) {
        SniffedType::Binary if has_markup(bytes) => None,
        kind => kind.is_no_page().then(|| kind.name()),
    }
}

/// The unpacked beginning of gzip, up to some bytes that are not blank. What can be unpacked is
/// enough: an error shows when all of it is read.
fn unpacked_start(packed: &[u8]) -> Vec<u8> {
    let mut decoder = MultiGzDecoder::new(packed);
    let mut start = Vec::new();
    while start.trim_ascii().is_empty() && start.len() < SNIFF_BYTES {
        let piece = decoder.by_ref().take(START_BYTES);
        if !matches!({ piece }.read_to_end(&mut start), Ok(read) if read > 0) {
            break;
        }
    }
    start
}

/// Returns true if a document with this root element is a sitemap, or an index of sitemaps.
pub(super) fn is_sitemap_root(local_name: &str) -> bool {
    ["urlset", "sitemapindex"]
        .iter()
        .any(|root| local_name.eq_ignore_ascii_case(root))
}

fn of_text(text: &str) -> SniffedType {
    let lines = || {
        text.lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
    };
    let is_url = |line: &str| {
        line.get(..8).is_some_and(|scheme| {
            let scheme = scheme.to_ascii_lowercase();
            scheme.starts_with("http://") || scheme.starts_with("https://")
        }) && !line.contains(char::is_whitespace)
    };
    if lines().next().is_some() && lines().all(is_url) {
        return SniffedType::UrlList;
    }
    let starts_with_markup = text.starts_with('<');
    let doctype_html = text
        .get(..14)
        .is_some_and(|start| start.eq_ignore_ascii_case("<!doctype html"));
    let mut first = None;
    for token in XmlScanner::new(text) {
        let Token::Start(tag) = token else { continue };
        let name = local(tag.name);
        if !doctype_html && xml::is_root(name) {
            return SniffedType::Feed;
        }
        if name.eq_ignore_ascii_case("opml") {
            return SniffedType::Opml;
        }
        if first.is_none() && !doctype_html && is_sitemap_root(name) {
            return SniffedType::Sitemap;
        }
        first.get_or_insert(name);
        if ["html", "head", "body"]
            .iter()
            .any(|html| name.eq_ignore_ascii_case(html))
        {
            return SniffedType::Html;
        }
    }
    match first {
        None if doctype_html => SniffedType::Html,
        Some(_) if doctype_html || plain::looks_like_html(text) => SniffedType::Html,
        Some(name)
            if ["title", "meta", "script", "link"]
                .contains(&name.to_ascii_lowercase().as_str()) =>
        {
            SniffedType::Html
        }
        Some(_) if starts_with_markup => SniffedType::Xml,
        _ => SniffedType::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        let check = |bytes: &[u8], expected: SniffedType| {
            assert_eq!(sniff(bytes), expected, "{}", String::from_utf8_lossy(bytes));
        };
        check(b"", SniffedType::Empty);
        check(b" \n\t", SniffedType::Empty);
        check(b"\n\n<?xml version='1.0'?>\n<!-- feed -->\n<feed xmlns='http://www.w3.org/2005/Atom'/>", SniffedType::Feed);
        check(b"<rdf:RDF xmlns:rdf='x'>", SniffedType::Feed);
        check(
            b"<br />\n<b>Notice</b>: old\n<rss version='2.0'>",
            SniffedType::Feed,
        );
        check(b"\xFF\xFE<\0r\0s\0s\0>\0", SniffedType::Feed);
        check(
            b"{\"version\": \"https://jsonfeed.org/version/1.1\"}",
            SniffedType::Feed,
        );
        check(b"{\"version\": 1}", SniffedType::Json);
        check(b"<opml version='2.0'>", SniffedType::Opml);
        check(b"<!DOCTYPE HTML><rss>", SniffedType::Html);
        check(b"<p>one <b>two</b>", SniffedType::Html);
        check(b"<title>x</title>", SniffedType::Html);
        check(
            b"<?xml version='1.0'?><urlset><url/></urlset>",
            SniffedType::Sitemap,
        );
        check(b"<sm:sitemapindex xmlns:sm='x'>", SniffedType::Sitemap);
        check(b"<p><urlset>", SniffedType::Html);
        check(b"<sitemap><x/></sitemap>", SniffedType::Xml);
        check(b"%PDF-1.7\n\x00\x01", SniffedType::Pdf);
        check(b"WARC/1.0\r\n", SniffedType::Warc);
        check(b"\r\n\r\n WARC/1.0\r\n", SniffedType::Warc);
        check(b"\xEF\xBB\xBFWARC/1.0\r\n", SniffedType::Warc);
        check(
            b"filedesc://a.arc 0.0.0.0 20240205093000 text/plain 76\n1 0 A\n<html>",
            SniffedType::Warc,
        );
        check(b"\n\nfiledesc://a.arc", SniffedType::Warc);
        check(b"PK\x03\x04\x14\0", SniffedType::Zip);
        check(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", SniffedType::Binary);
        check(
            b"# list\nHTTPS://example.org/a\n\nhttp://example.org/b",
            SniffedType::UrlList,
        );
        check(
            b"From: <Saved by Blink>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\tboundary=b\r\n\r\n",
            SniffedType::Mhtml,
        );
        check(
            b"From: a\nMIME-Version: 1.0\nContent-Type: text/plain\n\n<p>One",
            SniffedType::Html,
        );
        check(b"see http://example.org/b", SniffedType::Text);
        check(b"1 < 2", SniffedType::Text);
        check(b"\x1F\x8B\x08noise", SniffedType::Gzip);
    }

    #[test]
    fn archives_in_gzip() {
        use flate2::{Compression, write::GzEncoder};
        use std::io::Write;
        let check = |start: &str, expected: SniffedType| {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
            gzip.write_all(start.as_bytes()).expect("into memory");
            let packed = gzip.finish().expect("into memory");
            assert_eq!(sniff(&packed), expected, "{start}");
        };
        check("WARC/1.1\r\n", SniffedType::Warc);
        check(
            &format!("{}WARC/1.1\r\n", "\r\n".repeat(3000)),
            SniffedType::Warc,
        );
        check("\nfiledesc://a.arc 0.0.0.0", SniffedType::Warc);
        check("<p>WARC/1.1", SniffedType::Gzip);
        check("   ", SniffedType::Gzip);
    }

    #[test]
    fn beginnings_of_pages() {
        for page in [
            "<?xml version='1.0'?><!DOCTYPE html><html>",
            "\u{feff}\n<div>One</div>",
            "<p>One",
        ] {
            assert!(sniff_page(page.as_bytes()), "{page}");
        }
        for other in [
            "One <p>",
            "<?php ?><html>",
            "<% %><html>",
            "<rss><channel>",
            "<x:y/>",
            "",
        ] {
            assert!(!sniff_page(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn what_is_no_page() {
        assert_eq!(sniff_no_page(b"%PDF-1.7\n"), Some("a PDF document"));
        assert_eq!(sniff_no_page(b"\x89PNG\0\0\0"), Some("binary data"));
        assert_eq!(sniff_no_page(b"<html>\0<p>a page"), None);
        assert_eq!(sniff_no_page(b"{\"a\": 1}"), Some("JSON"));
        assert_eq!(sniff_no_page(b""), None);
    }
}
