//! Bytes that hold no text, so that they are no page, whatever they are named.

/// Bytes that are looked at: the head of every binary format has its marks there.
const HEAD_BYTES: usize = 4096;

/// Bytes before which the mark of a PDF document stands.
const PDF_BYTES: usize = 1024;

/// Bytes of a page with zero bytes that are searched for tags.
const MARKUP_BYTES: usize = 64 * 1024;

/// The kind of bytes that hold no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryKind {
    Gzip,
    /// A ZIP file, as documents of word processors are.
    Zip,
    Pdf,
    /// An image, a program, noise.
    Other,
}

impl BinaryKind {
    /// The kind of bytes without a text; `None` of a text.
    pub fn of(bytes: &[u8]) -> Option<BinaryKind> {
        if bytes.starts_with(&[0x1F, 0x8B]) {
            return Some(BinaryKind::Gzip);
        }
        if bytes.starts_with(b"PK\x03\x04") {
            return Some(BinaryKind::Zip);
        }
        let first = &bytes[..bytes.len().min(PDF_BYTES)];
        if first.windows(5).any(|five| five == b"%PDF-") && !has_markup(first) {
            return Some(BinaryKind::Pdf);
        }
        let head = &bytes[..bytes.len().min(HEAD_BYTES)];
        let utf16 = matches!(
            head,
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [0, b'<', ..] | [b'<', 0, ..]
        );
        (!utf16 && has_controls(head)).then_some(BinaryKind::Other)
    }

    /// [`of`](Self::of) bytes that may be a page: pages with a stray zero byte are pages.
    pub fn of_no_page(bytes: &[u8]) -> Option<BinaryKind> {
        BinaryKind::of(bytes).filter(|kind| *kind != BinaryKind::Other || !has_markup(bytes))
    }

    /// In words, with the article.
    pub fn name(self) -> &'static str {
        match self {
            BinaryKind::Gzip => "a gzip file",
            BinaryKind::Zip => "a ZIP file",
            BinaryKind::Pdf => "a PDF document",
            BinaryKind::Other => "binary data",
        }
    }
}

/// More than one control character in a hundred, or a zero.
fn has_controls(head: &[u8]) -> bool {
    let controls = head
        .iter()
        .filter(|&&byte| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B))
        .count();
    head.contains(&0) || controls * 100 > head.len()
}

/// Returns true if bytes with control characters begin with a tag, as no binary format does,
/// or hold the tags that make a page.
pub fn has_markup(bytes: &[u8]) -> bool {
    if bytes.trim_ascii_start().starts_with(b"<") {
        return true;
    }
    let head = bytes[..bytes.len().min(MARKUP_BYTES)].to_ascii_lowercase();
    let tags: [&[u8]; 4] = [b"<html", b"<body", b"<!doctype html", b"<head"];
    tags.iter()
        .any(|tag| head.windows(tag.len()).any(|part| part == *tag))
}

#[cfg(test)]
mod tests {
    use crate::page::{Page, Source};

    fn kind(bytes: &[u8], content_type: Option<&str>) -> Option<&'static str> {
        let source = Source {
            content_type,
            ..Source::default()
        };
        Page::parse(bytes, source).binary()
    }

    #[test]
    fn binary_bytes_are_an_empty_page() {
        for (bytes, expected) in [
            (&b"\x1f\x8b\x08\0<p>A text"[..], "a gzip file"),
            (b"PK\x03\x04<p>A text", "a ZIP file"),
            (b"%PDF-1.7\n<p>A text", "a PDF document"),
            (b"\x89PNG\r\n\x1a\n\0\0<p>A text", "binary data"),
            (b"\xff\xd8\xff\xe0\0\x10JFIF\0<p>A text", "binary data"),
        ] {
            assert_eq!(kind(bytes, Some("text/html")), Some(expected));
            let page = Page::parse(bytes, Source::default());
            assert_eq!(page.text(page.root()), "");
        }
    }

    #[test]
    fn pages_are_no_binary_bytes() {
        let utf16: Vec<u8> = "A page".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(kind(&[b"\xff\xfe", &utf16[..]].concat(), None), None);
        for bytes in [
            &b""[..],
            b"A text",
            b"<html>\0<p>a page",
            b"\n<p>\0a page",
            b"<!doctype html><title>Files that begin with %PDF-</title>",
        ] {
            assert_eq!(kind(bytes, None), None);
        }
    }
}
