//! Pages that a browser saved with their address and date: MHTML (RFC 2557) and SingleFile.
//!
//! Takes the bytes of a file; gives the page in it with the address that it had and the time of
//! its saving, as a record of a web archive has both. Of MHTML the page is the part that
//! `Snapshot-Content-Location` names, or `start`, else the first HTML; frames and pictures are
//! left out. SingleFile writes address and date into a comment at the beginning of its HTML. What
//! is known already, from a sidecar or the web, stays.

use super::pages::PageContent;
use crate::error::{Result, SourceFault};
use chrono::{DateTime, FixedOffset, SecondsFormat};
use forest_core::feed::{SniffedType, sniff};
use forest_html::address::web_address;
use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{Encoding, Message, MessageParser, MessagePart, MimeHeaders, PartType};
use std::path::Path;
use std::sync::Arc;

/// Bytes of an MHTML file for a byte of the largest page: its pictures are in it, too.
const WITH_PICTURES: usize = 5;

/// Bytes in which SingleFile's comment is searched: it stands in front of the head.
const COMMENT_BYTES: usize = 4096;

/// The words with which SingleFile's comment begins.
const SINGLE_FILE: &str = "Page saved with SingleFile";

/// Bytes of a file that are read, where a page has `limit`.
pub fn limit_of(path: &Path, limit: usize) -> usize {
    let end = path.extension().unwrap_or_default();
    let is_mhtml = ["mhtml", "mht"].iter().any(|e| end.eq_ignore_ascii_case(e));
    if is_mhtml {
        with_pictures(limit)
    } else {
        limit
    }
}

/// Bytes of MHTML whose page has `limit`.
pub fn with_pictures(limit: usize) -> usize {
    limit.saturating_mul(WITH_PICTURES)
}

/// The page in a document that a browser saved; other documents stay as they are.
///
/// # Errors
///
/// If an MHTML file has no page, or one of more than `limit` bytes.
pub fn opened(content: Arc<PageContent>, limit: usize, name: &str) -> Result<Arc<PageContent>> {
    let found = if sniff(&content.bytes) == SniffedType::Mhtml {
        let found = page_in_mhtml(&content.bytes);
        Some(found.ok_or_else(|| SourceFault::NoPageInMhtml)?)
    } else {
        single_file(&content.bytes)
    };
    let Some(SavedPage {
        url,
        date,
        document,
    }) = found
    else {
        return Ok(content);
    };
    let (bytes, content_type) = match document {
        Some((bytes, content_type)) => (bytes, Some(content_type)),
        None => (content.bytes.clone(), content.content_type.clone()),
    };
    if bytes.len() > limit {
        let name = name.to_owned();
        return Err(SourceFault::Large { name, limit }.into());
    }
    Ok(Arc::new(PageContent {
        url: content.url.clone().or(url),
        date: content.date.clone().or(date),
        bytes,
        content_type,
        further: content.further.clone(),
    }))
}

/// A page as it was saved.
#[derive(Debug, PartialEq, Eq)]
struct SavedPage {
    url: Option<String>,
    /// RFC 3339, in UTC.
    date: Option<String>,
    /// Its bytes and its media type, where they are not the file's.
    document: Option<(Vec<u8>, String)>,
}

fn page_in_mhtml(bytes: &[u8]) -> Option<SavedPage> {
    let message = MessageParser::default().parse(bytes)?;
    let snapshot = message.header_raw("Snapshot-Content-Location");
    let snapshot = snapshot.map(|url| url.split_whitespace().collect::<String>());
    let part = page_part(&message, snapshot.as_deref())?;
    let own = || part.content_location().map(str::to_owned);
    let url = snapshot.clone().and_then(web).or_else(|| web(own()?));
    let date = message.date().map(|date| date.to_rfc3339());
    let date = date.and_then(|date| DateTime::parse_from_rfc3339(&date).ok());
    let charset = part.content_type().and_then(|own| own.attribute("charset"));
    let mut content_type = if is_xhtml(part) {
        "application/xhtml+xml".to_owned()
    } else {
        "text/html".to_owned()
    };
    if let Some(charset) = charset {
        content_type.push_str("; charset=");
        content_type.push_str(charset);
    }
    Some(SavedPage {
        url,
        date: date.map(utc),
        document: Some((decoded(bytes, part), content_type)),
    })
}

/// The part that is the page.
fn page_part<'m>(message: &'m Message<'m>, snapshot: Option<&str>) -> Option<&'m MessagePart<'m>> {
    let is_html =
        |part: &&MessagePart<'_>| is_xhtml(part) || matches!(part.body, PartType::Html(_));
    let all = || message.parts.iter().filter(is_html);
    let start = message
        .content_type()
        .and_then(|own| own.attribute("start"))
        .map(|id| id.trim_matches(['<', '>']));
    all()
        .find(|part| snapshot.is_some() && part.content_location() == snapshot)
        .or_else(|| all().find(|part| start.is_some() && part.content_id() == start))
        .or_else(|| all().next())
}

fn is_xhtml(part: &MessagePart<'_>) -> bool {
    let kind = part.content_type().and_then(|own| own.c_subtype.as_deref());
    kind.is_some_and(|kind| kind.eq_ignore_ascii_case("xhtml+xml"))
}

/// The bytes of a part in its own charset; where its coding is broken, in UTF-8 as far as they
/// can be read.
fn decoded(whole: &[u8], part: &MessagePart<'_>) -> Vec<u8> {
    let raw = whole.get(part.offset_body as usize..part.offset_end as usize);
    let raw = raw.unwrap_or_default();
    let decoded = match part.encoding {
        Encoding::None => Some(raw.to_vec()),
        Encoding::QuotedPrintable => quoted_printable_decode(raw),
        Encoding::Base64 => base64_decode(raw),
    };
    decoded.unwrap_or_else(|| part.contents().to_vec())
}

/// The address and the date in SingleFile's comment.
fn single_file(bytes: &[u8]) -> Option<SavedPage> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(COMMENT_BYTES)]);
    let (before, comment) = head.split_once("<!--")?;
    // A page may speak of it: the comment is before its head.
    let (comment, _) = comment.split_once("-->")?;
    if !comment.trim_start().starts_with(SINGLE_FILE) || before.contains("<body") {
        return None;
    }
    let field = |name: &str| {
        let mut lines = comment.lines().map(str::trim);
        lines.find_map(|line| line.strip_prefix(name).map(|value| value.trim().to_owned()))
    };
    let date = field("saved date:");
    Some(SavedPage {
        url: field("url:").and_then(web),
        date: date.and_then(|date| script_date(&date)).map(utc),
        document: None,
    })
}

/// A date as scripts write it: `Tue Nov 03 2026 10:11:12 GMT+0100 (Central European Standard
/// Time)`.
fn script_date(date: &str) -> Option<DateTime<FixedOffset>> {
    let date = date.split(" (").next()?.trim();
    DateTime::parse_from_str(date, "%a %b %d %Y %H:%M:%S GMT%z").ok()
}

fn utc(date: DateTime<FixedOffset>) -> String {
    date.to_utc().to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// An address of the web.
fn web(url: String) -> Option<String> {
    web_address(&url).map(String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "https://www.a.example/news/1?a=b";

    /// An MHTML file of parts: media type, coding, location, body.
    fn mhtml(head: &str, parts: &[(&str, &str, &str, &str)]) -> Vec<u8> {
        let mut text = format!(
            "From: <Saved by Blink>\r\n{head}Subject: A page\r\nDate: Tue, 3 Nov 2026 10:11:12 +0100\r\n\
             MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\
             \tboundary=\"----Boundary--x----\"\r\n\r\n\r\n"
        );
        for (kind, coding, place, body) in parts {
            text.push_str(&format!(
                "------Boundary--x----\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: \
                 {coding}\r\nContent-Location: {place}\r\n\r\n{body}\r\n"
            ));
        }
        (text + "------Boundary--x------\r\n").into_bytes()
    }

    fn snapshot() -> String {
        format!("Snapshot-Content-Location: {PAGE}\r\n")
    }

    fn content(bytes: &[u8]) -> Arc<PageContent> {
        Arc::new(PageContent {
            bytes: bytes.to_vec(),
            ..PageContent::default()
        })
    }

    fn open(bytes: &[u8]) -> Arc<PageContent> {
        opened(content(bytes), 1 << 20, "a.mhtml").expect("a page")
    }

    #[test]
    fn the_page_of_mhtml_is_the_part_of_the_snapshot() {
        let frame = ("text/html", "8bit", "cid:frame@mhtml.blink", "<p>A frame");
        let picture = (
            "image/png",
            "base64",
            "https://a.example/x.png",
            "iVBORw0KGgo=",
        );
        let page = (
            "text/html",
            "quoted-printable",
            PAGE,
            "<p class=3D\"a\">Caf=C3=A9 on=\r\ne",
        );
        let opened = open(&mhtml(&snapshot(), &[frame, picture, page]));
        assert_eq!(opened.url.as_deref(), Some(PAGE));
        assert_eq!(opened.date.as_deref(), Some("2026-11-03T09:11:12Z"));
        let text = String::from_utf8_lossy(&opened.bytes);
        assert_eq!(text.trim_end(), "<p class=\"a\">Café one");
        assert_eq!(opened.content_type.as_deref(), Some("text/html"));
    }

    #[test]
    fn without_a_snapshot_it_is_the_start_or_the_first_html() {
        let first = (
            "text/html; charset=windows-1251",
            "base64",
            PAGE,
            "PHA+z/Do4uXy",
        );
        let opened = open(&mhtml(
            "",
            &[first, ("text/html", "8bit", "cid:x", "<p>No")],
        ));
        assert_eq!(opened.url.as_deref(), Some(PAGE));
        assert_eq!(opened.bytes, b"<p>\xCF\xF0\xE8\xE2\xE5\xF2");
        let charset = opened.content_type.as_deref();
        assert_eq!(charset, Some("text/html; charset=windows-1251"));
        // One part alone, of an old browser.
        let single = b"From: <Saved by X>\nSubject: =?utf-8?Q?A?=\nMIME-Version: 1.0\n\
            Content-Type: text/html; charset=\"utf-8\"\nContent-Transfer-Encoding: 8bit\n\
            Content-Location: https://a.example/old\n\n<p>Old";
        let opened = open(single);
        assert_eq!(opened.url.as_deref(), Some("https://a.example/old"));
        assert_eq!(opened.bytes.trim_ascii(), b"<p>Old");
    }

    #[test]
    fn a_page_of_xhtml_is_read_as_that() {
        let part = (
            "application/xhtml+xml; charset=utf-8",
            "8bit",
            PAGE,
            "<html xmlns='http://www.w3.org/1999/xhtml'><p>One</p></html>",
        );
        let opened = open(&mhtml(&snapshot(), &[part]));
        let kind = opened.content_type.as_deref();
        assert_eq!(kind, Some("application/xhtml+xml; charset=utf-8"));
        assert!(opened.bytes.starts_with(b"<html xmlns"));
    }

    #[test]
    fn what_is_broken_or_has_no_page_costs_that_file() {
        let broken = (
            "text/html",
            "quoted-printable",
            PAGE,
            "<p>1 = 2 and =ZZ =C3=A9",
        );
        let opened_page = open(&mhtml(&snapshot(), &[broken]));
        assert!(String::from_utf8_lossy(&opened_page.bytes).contains("<p>1"));
        let css = [("text/css", "8bit", "https://a.example/x.css", "a {}")];
        let refused = opened(content(&mhtml("", &css)), 1 << 20, "a.mhtml");
        let message = refused.expect_err("no page").to_string();
        assert!(message.contains("no HTML page in this MHTML"), "{message}");
        let page = [(
            "text/html",
            "8bit",
            PAGE,
            "<p>A page that is longer than that",
        )];
        let refused = opened(content(&mhtml("", &page)), 20, "a.mhtml");
        assert!(
            refused
                .expect_err("too large")
                .to_string()
                .contains("larger")
        );
        // Thousands of parts in one another.
        let mut deep = String::from("MIME-Version: 1.0\r\n");
        for n in 0..20_000 {
            deep.push_str(&format!(
                "Content-Type: multipart/related; boundary=b{n}\r\n\r\n--b{n}\r\n"
            ));
        }
        let _ = opened(content(deep.as_bytes()), 1 << 24, "a.mhtml");
    }

    #[test]
    fn single_file_says_address_and_date_in_its_first_comment() {
        let saved = "<!DOCTYPE html> <html lang=en><!--\n Page saved with SingleFile \n \
            url: https://www.a.example/news/1?a=b \n saved date: Tue Nov 03 2026 10:11:12 GMT+0100 \
            (Central European Standard Time)\n--><meta charset=utf-8><title>A</title>";
        let opened = open(saved.as_bytes());
        assert_eq!(opened.url.as_deref(), Some(PAGE));
        assert_eq!(opened.date.as_deref(), Some("2026-11-03T09:11:12Z"));
        assert_eq!(opened.bytes, saved.as_bytes());
        for other in [
            "<html><body><!-- Page saved with SingleFile\nurl: https://b.example/\n-->",
            "<html><!-- a --><!-- Page saved with SingleFile\nurl: https://b.example/\n-->",
            "<html><!-- Page saved with SingleFile\nurl: javascript:alert(1)\nsaved date: soon\n-->",
            "<html><!-- Page saved with SingleFile",
        ] {
            let opened = open(other.as_bytes());
            assert_eq!((&opened.url, &opened.date), (&None, &None), "{other}");
        }
    }

    #[test]
    fn what_is_known_of_a_page_stays() {
        let page = ("text/html", "8bit", PAGE, "<p>One");
        let known = Arc::new(PageContent {
            url: Some("https://b.example/".to_owned()),
            bytes: mhtml(&snapshot(), &[page]),
            date: Some("2020-01-01T00:00:00Z".to_owned()),
            ..PageContent::default()
        });
        let opened = opened(known, 1 << 20, "a").expect("a page");
        assert_eq!(opened.url.as_deref(), Some("https://b.example/"));
        assert_eq!(opened.date.as_deref(), Some("2020-01-01T00:00:00Z"));
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_panic(body in "(Content-Type: (multipart/related; boundary=b|text/html)\n|\n|--b(--)?\n|=[0-9A-F]{0,2}|<p>){0,20}") {
            let text = format!("MIME-Version: 1.0\n{body}");
            let _ = opened(content(text.as_bytes()), 1000, "a");
        }
    }
}
