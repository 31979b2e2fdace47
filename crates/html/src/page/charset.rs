//! Which encoding a page is in, and its text.
//!
//! The order: byte order mark; valid UTF-8 that holds multi-byte characters; the
//! HTTP header; the `meta` prescan of the HTML standard; chardetng on the first
//! [`DETECT_BYTES`].
//!
//! **Departure** from the standard: bytes that are valid UTF-8 with multi-byte
//! characters are UTF-8 whatever the header or a `meta` says. Saved and transcoded
//! pages keep their old `meta`: some fifty pages of the development gold do. A
//! legacy text that is valid UTF-8 by accident is very unlikely. The other way round, a page that is
//! declared as UTF-8 and has hardly a character of several bytes, but bytes that are none, is of the
//! encoding that chardetng finds.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use std::borrow::Cow;

/// Bytes of a page that chardetng sees: on whole pages it costs more than parsing.
pub const DETECT_BYTES: usize = 32 * 1024;

/// Bytes in which a `meta` is looked for. The standard says 1,024; real pages
/// carry comments and scripts before it.
pub const PRESCAN_BYTES: usize = 4096;

/// A page's text and how it was read.
#[derive(Debug)]
pub struct Decoded<'a> {
    /// The text, without byte order mark.
    pub text: Cow<'a, str>,
    /// The encoding's name.
    pub charset: &'static str,
    /// True if some bytes were not valid and became U+FFFD.
    pub malformed: bool,
}

/// Finds the encoding of `bytes` and decodes them.
///
/// ```
/// use forest_html::page::charset::decode;
///
/// let d = decode("<meta charset=gbk>é".as_bytes(), None);
/// assert_eq!(d.charset, "UTF-8");
/// let d = decode(b"<p>caf\xe9", Some("text/html; charset=iso-8859-1"));
/// assert_eq!((&*d.text, d.charset), ("<p>café", "windows-1252"));
/// ```
pub fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Decoded<'a> {
    let encoding = detect(bytes, content_type);
    let (text, malformed) = encoding.decode_with_bom_removal(bytes);
    Decoded {
        text,
        charset: encoding.name(),
        malformed,
    }
}

/// Mends raw C1 characters (U+0080 to U+009F) in a text. No page means these control
/// characters: they are bytes that were read in the wrong charset before the page was
/// written.
///
/// A run of characters up to U+00FF that, taken as bytes, is valid UTF-8 is decoded
/// (`â\u{80}\u{99}` is `’`). In other runs each C1 character is decoded as windows-1252,
/// as in a numeric reference. A run without C1 characters stays: `Ã©` may be meant.
///
/// ```
/// use forest_html::page::charset::mend_c1;
///
/// assert_eq!(mend_c1("it\u{92}s".into()), "it’s");
/// assert_eq!(mend_c1("it\u{e2}\u{80}\u{99}s".into()), "it’s");
/// assert_eq!(mend_c1("caf\u{c3}\u{a9}".into()), "caf\u{c3}\u{a9}");
/// ```
pub fn mend_c1(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_c1 = |c: char| ('\u{80}'..='\u{9F}').contains(&c);
    if !has_c1(&text) {
        return text;
    }
    let is_high = |c: char| ('\u{80}'..='\u{FF}').contains(&c);
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(start) = rest.find(is_high) {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let run = &rest[..rest.find(|c| !is_high(c)).unwrap_or(rest.len())];
        rest = &rest[run.len()..];
        if !run.contains(is_c1) {
            out.push_str(run);
            continue;
        }
        let bytes: Vec<u8> = run.chars().map(|c| c as u8).collect();
        match std::str::from_utf8(&bytes) {
            Ok(meant) if !meant.contains(is_c1) => out.push_str(meant),
            _ => out.push_str(&WINDOWS_1252.decode_without_bom_handling(&bytes).0),
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn has_c1(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Both bytes of each: U+0080 is C2 80.
    memchr::memchr_iter(0xC2, bytes).any(|at| bytes[at + 1] < 0xA0)
}

pub(super) fn detect(bytes: &[u8], content_type: Option<&str>) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding;
    }
    let ascii_up_to = Encoding::ascii_valid_up_to(bytes);
    let valid_utf8 = Encoding::utf8_valid_up_to(bytes) == bytes.len();
    if valid_utf8 && ascii_up_to < bytes.len() {
        return UTF_8;
    }
    let declared = content_type
        .and_then(from_content_type)
        .or_else(|| prescan(&bytes[..bytes.len().min(PRESCAN_BYTES)]))
        .map(usable);
    if let Some(encoding) = declared {
        return if encoding == UTF_8 && !valid_utf8 && is_no_utf8(bytes) {
            guess(bytes, ascii_up_to, Utf8Detection::Deny)
        } else {
            encoding
        };
    }
    if ascii_up_to == bytes.len() && !bytes.contains(&0x1b) {
        return UTF_8;
    }
    guess(bytes, 0, Utf8Detection::Allow)
}

/// True if more places are no UTF-8 than are characters of several bytes, which are chance then. The
/// end of a page may be cut within one.
fn is_no_utf8(bytes: &[u8]) -> bool {
    if std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none()) {
        return false;
    }
    let (mut characters, mut malformed) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        characters += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        malformed += usize::from(!chunk.invalid().is_empty());
    }
    malformed > characters
}

/// The encoding that chardetng finds in [`DETECT_BYTES`] that begin at `from` at the latest.
fn guess(bytes: &[u8], from: usize, utf8: Utf8Detection) -> &'static Encoding {
    let from = from.min(bytes.len().saturating_sub(DETECT_BYTES));
    let part = &bytes[from..bytes.len().min(from + DETECT_BYTES)];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(part, from + part.len() == bytes.len());
    detector.guess(None, utf8)
}

/// True if a page that begins with `head` is UTF-8, unless it has bytes that are none. Any other
/// charset is known by the whole page alone: bytes that are valid UTF-8 go before what is declared.
pub(super) fn is_declared_utf8(head: &[u8], content_type: Option<&str>) -> bool {
    if let Some((encoding, _)) = Encoding::for_bom(head) {
        return encoding == UTF_8;
    }
    let declared = content_type
        .and_then(from_content_type)
        .or_else(|| prescan(&head[..head.len().min(PRESCAN_BYTES)]));
    declared.is_some_and(|encoding| usable(encoding) == UTF_8)
}

/// The standard's reading of a declared encoding: bytes in which a declaration
/// could be read are not UTF-16, and x-user-defined is windows-1252.
fn usable(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else if encoding == ISO_2022_JP {
        ISO_2022_JP
    } else {
        encoding
    }
}

/// The charset named in a `Content-Type` or in a `meta`'s `content`.
pub fn from_content_type(value: &str) -> Option<&'static Encoding> {
    let lower = value.to_ascii_lowercase();
    let mut rest = lower.as_str();
    loop {
        let at = rest.find("charset")?;
        rest = rest[at + "charset".len()..].trim_start();
        if let Some(after) = rest.strip_prefix('=') {
            let label = after.trim_start();
            let label = match label.chars().next() {
                Some(quote @ ('"' | '\'')) => label[1..].split(quote).next(),
                _ => label.split([';', ' ', '\t', '\n', '"', '\'']).next(),
            };
            return Encoding::for_label(label?.trim().as_bytes());
        }
    }
}

/// The `meta` prescan: `<meta charset=..>` or `<meta http-equiv=content-type
/// content=..>` or an XML declaration, comments left out.
fn prescan(head: &[u8]) -> Option<&'static Encoding> {
    let text = String::from_utf8_lossy(head).to_ascii_lowercase();
    let mut rest = text.as_str();
    if let Some(declaration) = rest.trim_start().strip_prefix("<?xml") {
        let declaration = declaration.split("?>").next()?;
        if let Some(label) = attribute(declaration, "encoding")
            && let Some(encoding) = Encoding::for_label(label.as_bytes())
        {
            return Some(encoding);
        }
    }
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = &comment[comment.find("-->")?..];
            continue;
        }
        let Some(tag) = rest.strip_prefix("<meta") else {
            rest = &rest[1..];
            continue;
        };
        let tag = &tag[..tag.find('>').unwrap_or(tag.len())];
        let declared = attribute(tag, "content")
            .filter(|_| tag.contains("http-equiv"))
            .and_then(from_content_type);
        let encoding = declared.or_else(|| {
            attribute(tag, "charset").and_then(|label| Encoding::for_label(label.trim().as_bytes()))
        });
        if encoding.is_some() {
            return encoding;
        }
        rest = &rest[1..];
    }
    None
}

/// The value of `name=` in a tag in lower case.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut from = 0;
    while let Some(found) = tag[from..].find(name) {
        let at = from + found;
        from = at + name.len();
        let starts_a_word = tag[..at]
            .chars()
            .next_back()
            .is_none_or(|c| c.is_ascii_whitespace() || matches!(c, '"' | '\'' | '/'));
        let Some(value) = tag[from..].trim_start().strip_prefix('=') else {
            continue;
        };
        if !starts_a_word {
            continue;
        }
        let value = value.trim_start();
        return match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].split(quote).next(),
            _ => value
                .split(|c: char| c.is_ascii_whitespace() || c == '/')
                .next(),
        };
    }
    None
}

/// Returns true if a `Content-Type` is HTML's or XHTML's.
pub fn is_html(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("text/html") || kind.eq_ignore_ascii_case("application/xhtml+xml")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Page, Source};

    fn check(bytes: &[u8], content_type: Option<&str>, charset: &str) {
        assert_eq!(decode(bytes, content_type).charset, charset);
    }

    #[test]
    fn a_byte_order_mark_comes_first() {
        check(b"\xff\xfea\0", Some("text/html; charset=utf-8"), "UTF-16LE");
        let d = decode(b"\xef\xbb\xbf<p>", None);
        assert_eq!(&*d.text, "<p>");
    }

    #[test]
    fn valid_utf8_with_multibyte_characters_is_utf8_whatever_is_declared() {
        check("<meta charset=gb2312>é".as_bytes(), None, "UTF-8");
        check("é".as_bytes(), Some("text/html; charset=gbk"), "UTF-8");
    }

    #[test]
    fn the_header_comes_before_the_meta() {
        check(
            b"<meta charset=windows-1251>\xe9",
            Some("text/html; charset=\"ISO-8859-2\""),
            "ISO-8859-2",
        );
    }

    #[test]
    fn the_meta_is_found_in_both_forms_and_not_in_comments() {
        check(b"<meta charset = 'big5'>\xa4\xa4", None, "Big5");
        check(
            b"<meta http-equiv=Content-Type content='text/html; charset=gb2312'>\xd6\xd0",
            None,
            "GBK",
        );
        check(
            b"<!-- <meta charset=big5> --><meta charset=koi8-r>\xd6",
            None,
            "KOI8-R",
        );
        check(
            b"<?xml version='1.0' encoding='koi8-u'?>\xd6",
            None,
            "KOI8-U",
        );
    }

    #[test]
    fn a_declared_utf16_is_utf8_and_an_unknown_label_is_passed_over() {
        check(b"<meta charset=utf-16>\xc3\xa9\xe9", None, "UTF-8");
        check(
            b"<meta charset=nonsense><meta charset=koi8-r>\xe9",
            None,
            "KOI8-R",
        );
    }

    #[test]
    fn undeclared_legacy_text_is_detected() {
        let (bytes, _, _) = encoding_rs::WINDOWS_1251
            .encode("Сегодня в городе открылась выставка старых книг и карт");
        check(&bytes, None, "windows-1251");
    }

    #[test]
    fn invalid_bytes_are_reported() {
        assert!(decode(b"<meta charset=utf-8>\xc3\xa9\xff", None).malformed);
    }

    #[test]
    fn a_declared_utf8_without_any_is_detected() {
        let utf8 = Some("text/html; charset=utf-8");
        check(
            b"<meta charset=utf-8><p>The caf\xe9 by the r\xe9servoir \x96 \x93old mill\x94",
            None,
            "windows-1252",
        );
        check(b"<p>The caf\xe9 is open again", utf8, "windows-1252");
        let russian = "<p>Сегодня в городе открылась выставка старых книг и карт";
        check(
            &encoding_rs::WINDOWS_1251.encode(russian).0,
            utf8,
            "windows-1251",
        );
        let chinese = "<p>今天城里开了一个旧书和地图的展览，有很多人来参观。";
        check(&encoding_rs::GBK.encode(chinese).0, utf8, "GBK");
        let polish = format!(
            "<!-- {} --><p>Zażółć gęślą jaźń, powiedział wójt",
            "x".repeat(40_000)
        );
        check(
            &encoding_rs::ISO_8859_2.encode(&polish).0,
            utf8,
            "ISO-8859-2",
        );
        // A page in UTF-8 with a broken byte, and one that was cut.
        check("<p>café".as_bytes(), utf8, "UTF-8");
        check(b"<p>caf\xc3\xa9 \xff", utf8, "UTF-8");
        check(b"<p>It was late\xe2\x80", utf8, "UTF-8");
        check(b"<p>It was late", utf8, "UTF-8");
    }

    #[test]
    fn raw_c1_characters() {
        let mended = |text: &str| mend_c1(text.to_owned().into()).into_owned();
        assert_eq!(mended("caf\u{e9}\u{92}s"), "café’s");
        assert_eq!(mended("a \u{96} b\u{85}"), "a – b…");
        assert_eq!(mended("\u{81}\u{c2}\u{92}"), "\u{81}Â’");
        assert_eq!(mended("é漢Ã©"), "é漢Ã©");
        let page = Page::parse(
            "<p>don\u{92}t \u{96} caf\u{e9}".as_bytes(),
            Source::default(),
        );
        assert_eq!(page.text(page.root()), "don’t – café");
    }
}
