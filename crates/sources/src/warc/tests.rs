mod arc;
mod bodies;
mod dates;
mod faults;
mod frames;
mod others;

use std::io::{Read, Write};

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use proptest::prelude::*;

use super::*;
use chrono::DateTime;
use forest_html::page::MAX_PAGE_BYTES;

const PAGE: &str = "<!DOCTYPE html><title>T</title><p>text";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("into memory");
    encoder.finish().expect("into memory")
}

fn record(fields: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\n{fields}\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn response(url: &str, head: &str, body: &[u8]) -> Vec<u8> {
    let fields = format!(
        "WARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-02-05T09:30:00Z\r\nContent-Type: application/http; msgtype=response"
    );
    let head = format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n");
    record(&fields, &[head.as_bytes(), body].concat())
}

fn page(url: &str) -> Vec<u8> {
    response(
        url,
        "Content-Type: text/html; charset=utf-8",
        PAGE.as_bytes(),
    )
}

/// A line a result: address, status, length and beginning of the page, or the
/// warning.
fn read(bytes: &[u8]) -> String {
    let reader = match WarcReader::new(bytes) {
        Ok(reader) => reader,
        Err(error) => return error.to_string(),
    };
    let lines: Vec<String> = reader
        .map(|result| match result {
            Ok(page) => {
                let start = &page.payload[..page.payload.len().min(9)];
                let start = String::from_utf8_lossy(start);
                format!(
                    "{} {:?} {} {start}",
                    page.url,
                    page.status,
                    page.payload.len()
                )
            }
            Err(warning) => warning.to_string(),
        })
        .collect();
    lines.join("\n")
}

#[track_caller]
fn check(bytes: &[u8], expected: &str) {
    assert_eq!(read(bytes), expected);
}

fn body(head: &str, body: &[u8]) -> Vec<u8> {
    response(
        "http://a.example/",
        &format!("Content-Type: text/html\r\n{head}"),
        body,
    )
}

const GOOD: &str = "http://a.example/ Some(200) 38 <!DOCTYPE";

/// An editor that took the file for a text has put it there.
#[test]
fn a_byte_order_mark_is_no_part_of_an_archive() {
    let archive = [page("http://a.example/"), page("http://b.example/")].concat();
    let marked = |bytes: &[u8]| [b"\xEF\xBB\xBF", bytes].concat();
    assert_eq!(read(&marked(&archive)), read(&archive));
    assert_eq!(read(&marked(&gzip(&archive))), read(&archive));
    assert_ne!(read(&marked(&marked(&archive))), read(&archive));
}

#[test]
fn fields_of_a_response() {
    let head = "content-type:text/html; charset=koi8-r\r\nContent-Language: ru\r\nLast-Modified: Mon, 05 Feb 2024 09:30:00 GMT";
    let warc = response("<http://a.example/>", head, PAGE.as_bytes());
    let pages: Vec<_> = WarcReader::new(warc.as_slice()).expect("a WARC").collect();
    let expected = Response {
        url: "http://a.example/".to_owned(),
        date: DateTime::parse_from_rfc3339("2024-02-05T09:30:00Z").ok(),
        status: Some(200),
        head: format!(
            "HTTP/1.1 200\r\nContent-Length: {}\r\ncontent-type: text/html; charset=koi8-r\r\n\
             content-language: ru\r\nlast-modified: Mon, 05 Feb 2024 09:30:00 GMT\r\n\r\n",
            PAGE.len()
        )
        .into_bytes(),
        content_type: Some("text/html; charset=koi8-r".to_owned()),
        content_language: Some("ru".to_owned()),
        last_modified: Some("Mon, 05 Feb 2024 09:30:00 GMT".to_owned()),
        payload: PAGE.as_bytes().to_vec(),
        truncated: false,
    };
    assert_eq!(pages, [Ok(expected)]);
}

#[test]
fn members() {
    let (a, b) = (page("http://a.example/"), page("http://b.example/"));
    let both = [a.as_slice(), &b].concat();
    let expected = format!("{GOOD}\nhttp://b.example/ Some(200) 38 <!DOCTYPE");
    check(&both, &expected);
    check(&gzip(&both), &expected);
    check(&[gzip(&a), gzip(&b)].concat(), &expected);
    // A member that ends inside a record.
    let (start, end) = both.split_at(a.len() + 40);
    check(&[gzip(start), gzip(end)].concat(), &expected);
}

#[test]
fn only_pages() {
    let info = record("WARC-Type: warcinfo", b"software: x");
    let request = record(
        "WARC-Type: request\r\nWARC-Target-URI: http://a.example/",
        b"GET / HTTP/1.1\r\n\r\n",
    );
    let image = response("http://a.example/i", "Content-Type: image/png", b"\x89PNG");
    let no_type = response("http://a.example/n", "Server: x", PAGE.as_bytes());
    let no_type_image = response("http://a.example/m", "Server: x", b"\x89PNG");
    let resource = record(
        "WARC-Type: resource\r\nWARC-Target-URI: http://a.example/r\r\nContent-Type: text/html",
        PAGE.as_bytes(),
    );
    let text = record(
        "WARC-Type: resource\r\nWARC-Target-URI: http://a.example/t\r\nContent-Type: text/plain",
        b"x",
    );
    let dns = record(
        "WARC-Type: response\r\nWARC-Target-URI: dns:a.example",
        b"20240101\n",
    );
    check(
        &[
            info,
            request,
            image,
            no_type,
            no_type_image,
            resource,
            text,
            dns,
        ]
        .concat(),
        "http://a.example/n Some(200) 38 <!DOCTYPE\nhttp://a.example/r None 38 <!DOCTYPE",
    );
}

#[test]
fn codings() {
    let text = PAGE.as_bytes();
    check(&body("Content-Encoding: gzip", &gzip(text)), GOOD);
    check(
        &body("Content-Encoding: gzip, gzip", &gzip(&gzip(text))),
        GOOD,
    );
    check(&body("Content-Encoding: gzip", text), GOOD);
    check(&body("Content-Encoding: br", text), GOOD);
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
    zlib.write_all(text).expect("into memory");
    check(
        &body(
            "Content-Encoding: deflate",
            &zlib.finish().expect("into memory"),
        ),
        GOOD,
    );
    let mut raw = DeflateEncoder::new(Vec::new(), Compression::fast());
    raw.write_all(text).expect("into memory");
    check(
        &body(
            "Content-Encoding: deflate",
            &raw.finish().expect("into memory"),
        ),
        GOOD,
    );
    let refused = |coding: &str| {
        format!(
            "http://a.example/: content coding `{coding}` cannot be undone, left out; archive it uncompressed or with gzip"
        )
    };
    check(&body("Content-Encoding: br", b"\x8b\x02"), &refused("br"));
    let cut = &gzip(text)[..20];
    check(&body("Content-Encoding: gzip", cut), &refused("gzip"));
}

#[test]
fn chunks() {
    let chunked = |text: &[u8]| body("Transfer-Encoding: chunked", text);
    let joined = "http://a.example/ Some(200) 10 <html>tex";
    check(
        &chunked(b"6;x=y\r\n<html>\r\n4\r\ntext\r\n0\r\n\r\n"),
        joined,
    );
    check(&chunked(b"6\r\n<html>\r\n4\r\ntext"), joined);
    check(&chunked(b"6\r\n<html>\r\nffff\r\ntext"), joined);
    check(&chunked(b"<html>text"), joined);
    let packed = gzip(b"<html>text");
    let mut chunk = format!("{:x}\r\n", packed.len()).into_bytes();
    chunk.extend(packed);
    chunk.extend(b"\r\n0\r\n\r\n");
    check(
        &body(
            "Transfer-Encoding: chunked\r\nContent-Encoding: gzip",
            &chunk,
        ),
        joined,
    );
}

#[test]
fn limits() {
    let zeros = vec![b' '; MAX_PAGE_BYTES + 1];
    let large = "http://a.example/: larger than 20000000 bytes, left out";
    check(
        &gzip(&[body("X: y", &zeros), page("http://a.example/")].concat()),
        &format!("{large}\n{GOOD}"),
    );
    check(&body("Content-Encoding: gzip", &gzip(&zeros)), large);
    check(
        &body("X: y", &zeros[1..]),
        &format!("http://a.example/ Some(200) {MAX_PAGE_BYTES}          "),
    );
    // A block that is too large to be kept at all is passed over.
    let huge = [zeros.as_slice(), &zeros].concat();
    check(
        &gzip(&[body("X: y", &huge), page("http://a.example/")].concat()),
        &format!("{large}\n{GOOD}"),
    );
}

#[test]
fn lies_about_length() {
    let head =
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: ";
    check(
        format!("{head}18446744073709551615\r\n\r\nx").as_bytes(),
        "record 1 is cut off or damaged (1 of 18446744073709551615 bytes are there); the file is read up to there, copy it again",
    );
    let no_page = "record 1 has no address or no HTTP header, left out";
    let none = "record 1 states no length that can be read and has";
    check(
        format!("{head}-1\r\n\r\nxy").as_bytes(),
        &format!("{no_page}\n{none} 2 bytes, which were read"),
    );
    check(
        b"WARC/1.0\r\nWARC-Type: response\r\n\r\n",
        &format!("{no_page}\n{none} 0 bytes, which were read"),
    );
    check(
        &[b"WARC/1.0\r\n".as_slice(), &[b'x'; 100_000]].concat(),
        "record 1, at byte 0 of the unpacked file, has no header of an archive, left out; the file is read on at the next record",
    );
}

#[test]
fn records_that_are_left_out() {
    let segment = record(
        "WARC-Type: response\r\nWARC-Segment-Number: 1\r\nWARC-Target-URI: http://a.example/",
        b"HTTP/1.1 200 OK\r\n\r\n",
    );
    let continuation = record("WARC-Type: continuation\r\nWARC-Segment-Number: 2", b"x");
    check(
        &[segment, continuation, page("http://a.example/")].concat(),
        &format!(
            "http://a.example/: split over several records, left out; join the segments first\n{GOOD}"
        ),
    );
    let folded = record(
        "WARC-Type: response\r\nWARC-Target-URI:\r\n http://a.example/",
        b"HTTP/1.1 404 Not Found\r\n\r\n<html>",
    );
    check(&folded, "http://a.example/ Some(404) 6 <html>");
}

#[test]
fn a_page_that_the_crawler_cut() {
    let packed = gzip(PAGE.repeat(100).as_bytes());
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n";
    let block = [head.as_bytes(), &packed[..packed.len() - 12]].concat();
    let warc = record(
        "WARC-Type: response\r\nWARC-Truncated: length\r\nWARC-Target-URI: http://a.example/",
        &block,
    );
    let pages: Vec<_> = WarcReader::new(warc.as_slice()).expect("a WARC").collect();
    let page = pages[0].as_ref().expect("a page");
    assert!(page.truncated);
    assert!(page.payload.starts_with(PAGE.as_bytes()));
}

#[test]
fn no_archives() {
    let wrong = "this is no web archive: it must begin with `WARC/` or `filedesc://`, or be packed and do so";
    check(b"", wrong);
    check(b"<html>", wrong);
    check(&gzip(b"<html>"), wrong);
    check(b"\x1F\x8B", wrong);
    check(b"\x1Fnoise of some length", wrong);
}

/// A reader that fails after some bytes, as a disk does.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        match self.0.read(to)? {
            0 => Err(std::io::Error::other("the disk is gone")),
            read => Ok(read),
        }
    }
}

#[test]
fn a_reader_that_fails() {
    let bytes = page("http://a.example/");
    let reader = WarcReader::new(std::io::BufReader::new(Failing(&bytes))).expect("a WARC");
    let results: Vec<_> = reader.collect();
    assert_eq!(results.len(), 2);
    assert!(results[0].is_ok());
    let warning = results[1].as_ref().expect_err("a warning").to_string();
    assert!(warning.contains("the disk is gone"), "{warning}");
}

proptest! {
    #[test]
    fn a_cut_file_gives_its_whole_records(cut in 0usize..2000, packed: bool) {
        let pages = [page("http://a.example/"), page("http://b.example/"), page("http://c.example/")];
        let one = if packed { gzip(&pages[0]).len() } else { pages[0].len() };
        let bytes: Vec<u8> = pages.iter().flat_map(|page| if packed { gzip(page) } else { page.clone() }).collect();
        let cut = cut.min(bytes.len());
        if let Ok(reader) = WarcReader::new(&bytes[..cut]) {
            let results: Vec<_> = reader.collect();
            let whole = results.iter().filter(|result| result.is_ok()).count();
            prop_assert!(whole >= cut / one);
            prop_assert!(whole <= cut / one + 1);
            prop_assert!(results.iter().filter(|result| result.is_err()).count() <= 1);
        }
    }

    #[test]
    fn edited_archives_end(
        kind in 0usize..6,
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..60, any::<Vec<u8>>()), 1..5),
    ) {
        let names = ["a", "b", "c", "d"];
        let pages = names.map(|name| page(&format!("http://{name}.example/")));
        let frame = |bytes: &[u8]| zstd::encode_all(bytes, 1).expect("into memory");
        let mut bytes = match kind {
            0 => pages.concat(),
            1 => pages.map(|page| gzip(&page)).concat(),
            2 => gzip(&pages.concat()),
            3 => pages.map(|page| frame(&page)).concat(),
            4 => arc::file(&names),
            _ => gzip(&arc::file(&names)),
        };
        for (at, length, with) in edits {
            let at = at.index(bytes.len() + 1);
            let end = bytes.len().min(at + length);
            bytes.splice(at..end, with);
        }
        if let Ok(reader) = WarcReader::new(bytes.as_slice()) {
            let results: Vec<_> = reader.collect();
            let pages = results.iter().filter(|result| result.is_ok()).count();
            prop_assert!(pages <= names.len());
            prop_assert!(results.len() <= 40);
        }
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), kind in 0usize..8) {
        let prefix: &[u8] = match kind {
            0 => b"",
            1 => b"WARC/1.0\r\n",
            2 => b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: x\r\nContent-Length: 20\r\n\r\n",
            3 => b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: x\r\nContent-Length: 90\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: deflate\r\n\r\n",
            4 => b"http://a.example/ 192.0.2.7 20240205093000 text/html 40\nHTTP/1.1 200 OK\r\n",
            5 => b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: x\r\nContent-Length: 90\r\n\r\nHTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n",
            6 => b"\x5D\x2A\x4D\x18\x04\0\0\0word\x28\xB5\x2F\xFD",
            _ => b"\x1F\x8B\x08\0\0\0\0\0\0\0",
        };
        let all = [prefix, &bytes].concat();
        if let Ok(reader) = WarcReader::new(all.as_slice()) {
            prop_assert!(reader.count() <= all.len());
        }
        let packed = gzip(&all);
        if let Ok(reader) = WarcReader::new(packed.as_slice()) {
            prop_assert!(reader.count() <= all.len());
        }
    }
}
