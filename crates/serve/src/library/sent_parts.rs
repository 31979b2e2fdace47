//! A form with a file, as a browser sends it (`multipart/form-data`, RFC 7578): takes its headers and
//! its body; gives its fields by their names. Names of files are not read.

use axum::http::header::{self, HeaderMap};
use memchr::memmem;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Fields of a form.
const MAX_PARTS: usize = 16;

/// Bytes of a boundary (RFC 2046, 5.1.1).
const MAX_BOUNDARY_BYTES: usize = 70;

/// The fields of a form by their names; of two with one name the last.
#[derive(Debug, Default)]
pub(super) struct SentParts<'a>(BTreeMap<String, &'a [u8]>);

impl<'a> SentParts<'a> {
    /// Reads a form; `None` if it is no such form, breaks off, or has too many fields.
    pub(super) fn read(headers: &HeaderMap, body: &'a [u8]) -> Option<SentParts<'a>> {
        let delimiter = format!("\r\n--{}", boundary(content_type(headers))?);
        let delimiter = memmem::Finder::new(delimiter.as_bytes());
        // The first one stands at the beginning, without a line before it.
        let mut rest = body.strip_prefix(&delimiter.needle()[2..])?;
        let mut parts = BTreeMap::new();
        while !rest.starts_with(b"--") {
            let part = rest.strip_prefix(b"\r\n")?;
            let end = delimiter.find(part)?;
            let (name, value) = part_of(&part[..end])?;
            parts.insert(name, value);
            if parts.len() > MAX_PARTS {
                return None;
            }
            rest = &part[end + delimiter.needle().len()..];
        }
        Some(SentParts(parts))
    }

    /// A field, or nothing.
    pub(super) fn bytes(&self, name: &str) -> &'a [u8] {
        self.0.get(name).copied().unwrap_or_default()
    }

    /// A field as text.
    pub(super) fn text(&self, name: &str) -> Cow<'a, str> {
        String::from_utf8_lossy(self.bytes(name))
    }
}

/// True for the headers of such a form.
pub(super) fn is_multipart(headers: &HeaderMap) -> bool {
    let kind = content_type(headers).split(';').next().unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("multipart/form-data")
}

fn content_type(headers: &HeaderMap) -> &str {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok());
    kind.unwrap_or_default()
}

fn boundary(content_type: &str) -> Option<&str> {
    let (kind, parameters) = content_type.split_once(';')?;
    if !kind.trim().eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let boundary = parameter(parameters, "boundary")?;
    (1..=MAX_BOUNDARY_BYTES)
        .contains(&boundary.len())
        .then_some(boundary)
}

/// A parameter of a header.
fn parameter<'a>(parameters: &'a str, name: &str) -> Option<&'a str> {
    let pairs = parameters
        .split(';')
        .filter_map(|pair| pair.split_once('='));
    let mut found = pairs.filter(|(found, _)| found.trim().eq_ignore_ascii_case(name));
    let (_, value) = found.next()?;
    Some(value.trim().trim_matches('"'))
}

/// The name and the value of a part.
fn part_of(part: &[u8]) -> Option<(String, &[u8])> {
    let head = memmem::find(part, b"\r\n\r\n")?;
    let (head, value) = (std::str::from_utf8(&part[..head]).ok()?, &part[head + 4..]);
    let lines = head.split("\r\n").filter_map(|line| line.split_once(':'));
    let mut found = lines.filter(|(name, _)| name.eq_ignore_ascii_case("content-disposition"));
    let (_, disposition) = found.next()?;
    let name = parameter(disposition, "name")?;
    Some((name.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    const KIND: &str = "multipart/form-data; boundary=\"x-y\"";

    fn read<'a>(kind: &str, body: &'a [u8]) -> Option<SentParts<'a>> {
        let kind = HeaderValue::from_str(kind).expect("a value");
        SentParts::read(&HeaderMap::from_iter([(header::CONTENT_TYPE, kind)]), body)
    }

    #[test]
    fn fields_and_files_are_read() {
        let body = b"--x-y\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nabc\r\n\
            --x-y\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a;name=b.opml\"\r\n\
            Content-Type: text/x-opml\r\n\r\n<opml>\r\n\xff--x-y\r\n\r\n\r\n--x-y--\r\n";
        let parts = read(KIND, body).expect("a form");
        assert_eq!(parts.text("token"), "abc");
        assert_eq!(parts.bytes("file"), b"<opml>\r\n\xff--x-y\r\n\r\n");
        assert_eq!(parts.bytes("other"), b"");
    }

    #[test]
    fn what_is_no_form_or_breaks_off_is_refused() {
        let part =
            |n: usize| format!("--x\r\nContent-Disposition: form-data; name={n}\r\n\r\n\r\n");
        let whole = |count: usize| (0..count).map(part).collect::<String>() + "--x--";
        let kind = "Multipart/Form-Data;boundary=x";
        assert!(read(kind, whole(16).as_bytes()).is_some());
        assert!(read(kind, whole(17).as_bytes()).is_none());
        for cut in 0..whole(1).len() - 1 {
            assert!(read(kind, &whole(1).as_bytes()[..cut]).is_none(), "{cut}");
        }
        for kind in [
            "",
            "multipart/form-data",
            "text/plain; boundary=x",
            "multipart/form-data; boundary=",
        ] {
            assert!(read(kind, whole(1).as_bytes()).is_none(), "{kind}");
        }
        let long = format!("multipart/form-data; boundary={}", "x".repeat(71));
        assert!(read(&long, whole(1).as_bytes()).is_none());
        let no_name = b"--x\r\nContent-Disposition: form-data\r\n\r\n\r\n--x--";
        assert!(read(kind, no_name).is_none());
    }

    #[test]
    fn a_damaged_form_does_not_panic() {
        let body = b"--x-y\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--x-y--\r\n";
        for at in 0..body.len() {
            for byte in *b"\r\n-\";:\xff" {
                let mut damaged = body.to_vec();
                damaged[at] = byte;
                let parts = read(KIND, &damaged);
                assert!(parts.is_none_or(|parts| parts.0.len() <= 1), "{at} {byte}");
            }
        }
    }
}
