//! XHTML as its media type means it, in the words of HTML.
//!
//! Under `application/xhtml+xml` an empty element is closed (`<script/>`) and text may stand in
//! CDATA sections. HTML has neither: its parser takes the first for open, so that a page ends in
//! it, and drops the second. So both are written as HTML has them, and what is then parsed is
//! HTML: a page that is not well-formed is still read, where a browser shows an error.

use super::plain::escape;
use super::tags::{self, VOID};
use std::borrow::Cow;

/// Returns true for the media type of XHTML.
pub(super) fn is_xhtml(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/xhtml+xml")
}

/// The text grows by this factor at the most; what is beyond is cut off.
const MAX_GROWTH: usize = 3;

/// The page with its empty elements and CDATA sections as HTML has them. One pass.
pub(super) fn as_html(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains("/>") && !text.contains("<![CDATA[") {
        return text;
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = &*text;
    let limit = text.len() * MAX_GROWTH;
    while let Some(start) = rest.find('<') {
        if out.len() > limit {
            return Cow::Owned(out);
        }
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        rest = match MarkupPiece::first_of(rest) {
            MarkupPiece::CData { inside, after } => {
                escape(inside, &mut out);
                after
            }
            MarkupPiece::Empty { name, tag, after } => {
                // The slash stays for elements of other namespaces.
                out.push_str(tag);
                if !tags::has(&name, VOID) {
                    out.push_str("</");
                    out.push_str(&name);
                    out.push('>');
                }
                after
            }
            MarkupPiece::Other { piece, after } => {
                out.push_str(piece);
                after
            }
        };
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The markup that begins at a `<`.
enum MarkupPiece<'a> {
    CData {
        inside: &'a str,
        after: &'a str,
    },
    /// An empty element: its name in small letters and its tag.
    Empty {
        name: String,
        tag: &'a str,
        after: &'a str,
    },
    /// Any other markup; a script or style with its text.
    Other {
        piece: &'a str,
        after: &'a str,
    },
}

impl<'a> MarkupPiece<'a> {
    fn first_of(text: &'a str) -> MarkupPiece<'a> {
        let until = |end: &str| text.find(end).map_or(text.len(), |at| at + end.len());
        let other = |end: usize| MarkupPiece::Other {
            piece: &text[..end],
            after: &text[end..],
        };
        if let Some(inside) = text.strip_prefix("<![CDATA[") {
            let end = inside.find("]]>").unwrap_or(inside.len());
            let after = inside[end..].strip_prefix("]]>").unwrap_or_default();
            return MarkupPiece::CData {
                inside: &inside[..end],
                after,
            };
        }
        if text.starts_with("<!--") {
            return other(until("-->"));
        }
        if !text[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            return other(1);
        }
        let end = tag_end(text);
        let tag = &text[..end];
        let name_end = tag.find(|c: char| c.is_ascii_whitespace() || "/>".contains(c));
        let name = tag[1..name_end.unwrap_or(end)].to_ascii_lowercase();
        if tag.ends_with("/>") {
            let after = &text[end..];
            return MarkupPiece::Empty { name, tag, after };
        }
        if !matches!(name.as_str(), "script" | "style") {
            return other(end);
        }
        let close = format!("</{name}");
        other(text[end..].find(&close).map_or(text.len(), |at| end + at))
    }
}

/// The length of a tag with its `>`; quoted values may hold one.
fn tag_end(text: &str) -> usize {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return at + 1,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use crate::page::plain::text_without;
    use crate::page::{Page, Source};
    use crate::text::fold;

    fn text(html: &str, content_type: &str) -> String {
        let source = Source {
            url: None,
            content_type: Some(content_type),
        };
        let page = Page::parse(html.as_bytes(), source);
        fold(&text_without(&page, page.root(), &|_| false))
    }

    #[test]
    fn empty_elements_of_xhtml_are_closed() {
        for empty in [
            "<script src='a.js'/>",
            "<script type=\"text/x\" title='a>b' />",
            "<style/>",
            "<title/>",
            "<iframe src='b'/>",
            "<textarea/>",
            "<a id='x'/>",
            "<noscript/>",
            "<p/><select/>",
        ] {
            let html = format!(
                "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head>{empty}</head>\
                 <body><p>Before {empty} after<br/>all</p><!-- <b/> --></body></html>"
            );
            for kind in [
                "application/xhtml+xml",
                "Application/XHTML+XML; charset=utf-8",
            ] {
                let text = text(&html, kind);
                assert!(
                    text.starts_with("Before") && text.ends_with("all"),
                    "{empty}: {text}"
                );
                assert!(text.contains("after"), "{empty}: {text}");
            }
        }
    }

    #[test]
    fn html_stays_html() {
        assert_eq!(text("<p>One<script/>two", "text/html"), "One");
        assert_eq!(text("<p>One<![CDATA[two]]>", "text/html"), "One");
    }

    #[test]
    fn cdata_is_text_but_in_scripts() {
        let xhtml = |html: &str| text(html, "application/xhtml+xml");
        assert_eq!(
            xhtml("<p>1 <![CDATA[< 2 & <b>]]> end</p>"),
            "1 < 2 & <b> end"
        );
        assert_eq!(
            xhtml("<script>//<![CDATA[\nif (a<b) x('<br/>');\n//]]></script><p>One</p>"),
            "One"
        );
        assert_eq!(xhtml("<p>One <![CDATA[two"), "One two");
        assert_eq!(xhtml("<p>1 < 2 <b/> <"), "1 < 2 <");
    }

    #[test]
    fn what_grows_too_much_is_cut() {
        let signs = format!("<![CDATA[{}]]>", "<".repeat(100)).repeat(100);
        let html = super::as_html(signs.as_str().into());
        assert!(html.len() < 4 * signs.len(), "{}", html.len());
        assert_eq!(super::as_html("<b/>".into()), "<b/></b>");
    }

    #[test]
    fn open_markup_is_read_once() {
        for open in ["<a x='", "<![CDATA[", "<!--", "<b/><", "<script>"] {
            text(&open.repeat(50_000), "application/xhtml+xml");
        }
    }
}
