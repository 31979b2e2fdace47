//! Bytes of any kind to a document for prose: Kitten 2.1.
//!
//! Takes the bytes of a document and their [`Source`]; gives a [`Document`]: a page, a
//! dump of text, or the reason for neither.
//!
//! | document | treatment | Kitten |
//! | --- | --- | --- |
//! | HTML, XHTML | parsed as a [`Page`] | preprocessing |
//! | sitemap (`urlset`, `sitemapindex`, a list of addresses) | excluded | file exclusion |
//! | XML of converted documents (`header`, `document`, `textfield`, `page`) | its text, a paragraph an element | direct extraction |
//! | other XML | the same, by its own elements | |
//! | plain text | paragraphs at blank lines, lists of lines with bullets | |
//! | a feed, a list of feeds, a web archive | excluded: other commands read them | |
//! | binary data, PDF, JSON, nothing | a dump of the text in it | textual dump with Lynx |
//!
//! - [`plain`](mod@plain): plain text as a page.
//! - [`markup`]: the text of XML.
//! - [`dump`](mod@dump): the text in other bytes.
//!
//! **Departures.** The paper names four elements of the XML that Exalead made of
//! converted documents and does not show it; the contents of its other elements are text
//! here, too. The paper dumped with Lynx the five files of two million that it could not
//! normalise. Here html5ever makes a page of any text; only binary data is dumped. Raw C1
//! characters are mended before a page is parsed ([`mend_c1`]).

pub mod dump;
pub mod markup;
pub mod plain;

use forest_core::feed::{SniffedType, sniff};
use forest_html::page::binary::has_markup;
use forest_html::page::charset::{self, mend_c1};
use forest_html::page::{Page, Source};
use std::fmt;

/// The result of reading a document's bytes.
#[derive(Debug)]
pub enum Document {
    /// A page and its origin.
    Page(Box<Page>, DocumentOrigin),
    /// The text in bytes of this kind.
    Dump(String, SniffedType),
    /// The document is left out.
    Excluded(Excluded),
}

/// The kind of document that a page was made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentOrigin {
    /// HTML, even broken.
    Html,
    /// XML of a converted document.
    Converted,
    /// XML of another kind.
    Xml,
    /// Plain text.
    Text,
}

/// The reason for leaving a document out; its `Display` has the advice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excluded {
    /// A sitemap: it holds addresses only (Kitten 2.1).
    Sitemap,
    /// A feed, a list of feeds or a web archive.
    Pages(SniffedType),
}

impl fmt::Display for Excluded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Excluded::Sitemap => f.write_str(
                "this is a sitemap: it holds addresses and no text, so it is left out; give the \
                 pages that it names",
            ),
            Excluded::Pages(kind) => write!(
                f,
                "this is {}, not a document: `forest apply` makes articles of its pages",
                kind.name()
            ),
        }
    }
}

/// Reads a document of any kind, of a page at most the first `limit` bytes. A
/// `content_type` of HTML or plain text decides between these two.
///
/// ```
/// use forest_html::page::{MAX_PAGE_BYTES, Source};
/// use forest_text::prose::{Document, DocumentOrigin, Excluded, read};
///
/// let read = |bytes: &str| read(bytes.as_bytes(), Source::default(), MAX_PAGE_BYTES);
/// assert!(matches!(read("<p>a"), Document::Page(_, DocumentOrigin::Html)));
/// assert!(matches!(read("a\n\nb"), Document::Page(_, DocumentOrigin::Text)));
/// assert!(matches!(read("<urlset><url/></urlset>"), Document::Excluded(Excluded::Sitemap)));
/// ```
pub fn read(bytes: &[u8], source: Source<'_>, limit: usize) -> Document {
    let kind = sniff(bytes);
    let served = |kind: &str| {
        source
            .content_type
            .is_some_and(|given| given.trim_start().to_ascii_lowercase().starts_with(kind))
    };
    match kind {
        SniffedType::Feed | SniffedType::Opml | SniffedType::Warc | SniffedType::Mhtml => {
            Document::Excluded(Excluded::Pages(kind))
        }
        // Pages with a stray zero byte are pages.
        SniffedType::Binary if has_markup(bytes) => html(bytes, source, limit),
        SniffedType::Binary
        | SniffedType::Pdf
        | SniffedType::Zip
        | SniffedType::Gzip
        | SniffedType::Empty
        | SniffedType::Json => Document::Dump(dump::dump(bytes), kind),
        SniffedType::UrlList | SniffedType::Sitemap => Document::Excluded(Excluded::Sitemap),
        SniffedType::Text if served("text/html") || served("application/xhtml") => {
            html(bytes, source, limit)
        }
        SniffedType::Html | SniffedType::Xml if served("text/plain") => text(bytes, source, limit),
        SniffedType::Text => text(bytes, source, limit),
        SniffedType::Html | SniffedType::Xml => {
            let decoded = charset::decode(within(bytes, limit), source.content_type);
            let origin = if markup::is_converted(&decoded.text) {
                DocumentOrigin::Converted
            } else if kind == SniffedType::Xml {
                DocumentOrigin::Xml
            } else {
                return html(bytes, source, limit);
            };
            let text = markup::paragraphs(&mend_c1(decoded.text));
            Document::Page(Box::new(plain::page(&text)), origin)
        }
    }
}

fn html(bytes: &[u8], source: Source<'_>, limit: usize) -> Document {
    let page = Page::parse_within(bytes, source, limit, |text| text);
    Document::Page(Box::new(page), DocumentOrigin::Html)
}

fn text(bytes: &[u8], source: Source<'_>, limit: usize) -> Document {
    let decoded = charset::decode(within(bytes, limit), source.content_type);
    let page = plain::page(&mend_c1(decoded.text));
    Document::Page(Box::new(page), DocumentOrigin::Text)
}

fn within(bytes: &[u8], limit: usize) -> &[u8] {
    &bytes[..bytes.len().min(limit)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_html::page::MAX_PAGE_BYTES;
    use proptest::prelude::*;

    fn shown(bytes: &[u8], content_type: Option<&str>) -> String {
        let source = Source {
            content_type,
            ..Source::default()
        };
        match read(bytes, source, MAX_PAGE_BYTES) {
            Document::Page(page, origin) => {
                let text = crate::prose::xhtml::fragment(&page).text;
                format!("{origin:?}: {text}")
            }
            Document::Dump(text, kind) => format!("{kind:?} dump: {text}"),
            Document::Excluded(why) => format!("{why:?}"),
        }
    }

    fn check(bytes: impl AsRef<[u8]>, expected: &str) {
        assert_eq!(shown(bytes.as_ref(), None), expected);
    }

    #[test]
    fn sitemaps_are_excluded() {
        check(
            "<?xml version='1.0'?>\n<urlset xmlns='x'><url><loc>https://a.example/</loc></url></urlset>",
            "Sitemap",
        );
        check("\u{feff}<!-- x --><s:sitemapindex/>", "Sitemap");
        check("https://a.example/\nhttps://a.example/2\n", "Sitemap");
        check(
            "<p>The urlset of a site: <code>&lt;urlset></code>",
            "Html: <p>The urlset of a site: <code>&lt;urlset&gt;</code></p>",
        );
    }

    #[test]
    fn what_other_commands_read_is_excluded() {
        check("<rss version='2.0'/>", "Pages(Feed)");
        check("<opml/>", "Pages(Opml)");
        let why = Excluded::Pages(SniffedType::Feed).to_string();
        assert!(
            why.contains("a feed") && why.contains("forest apply"),
            "{why}"
        );
    }

    #[test]
    fn converted_documents_give_their_text() {
        check(
            "<?xml version='1.0' encoding='iso-8859-1'?><document><header>A caf\u{e9}</header>\
             <page><textfield>One\nline &amp; two.</textfield><textfield/>\
             <textfield><![CDATA[1 < 2]]></textfield></page></document>",
            "Converted: <p>A café</p><p>One<br />line &amp; two.</p><p>1 &lt; 2</p>",
        );
        check(
            "<page><textfield>a<b>b</b></textfield></page>",
            "Converted: <p>ab</p>",
        );
        // HTML has a header, too.
        check("<header>a</header><p>b", "Html: <header>a</header><p>b</p>");
    }

    #[test]
    fn other_xml_gives_its_text_by_its_own_elements() {
        check(
            "<?xml version='1.0'?><book><name>A</name><par>One <w>big</w> thing.</par></book>",
            "Xml: <p>A</p><p>One big thing.</p>",
        );
    }

    #[test]
    fn plain_text_is_paragraphs_and_what_it_is_served_as_decides() {
        check("a\nb\n\n \nc < d", "Text: <p>a<br />b</p><p>c &lt; d</p>");
        let html = shown(b"a\nb", Some("text/html"));
        assert_eq!(html, "Html: a\nb");
        let text = shown(b"<b>a</b>", Some("Text/Plain; charset=utf-8"));
        assert_eq!(text, "Text: <p>&lt;b&gt;a&lt;/b&gt;</p>");
    }

    #[test]
    fn what_is_no_text_is_dumped() {
        check(
            b"\x89PNG\0\0some words\x01\x02abc\xff\xfeand more",
            "Binary dump: some words\nand more",
        );
        check(b"", "Empty dump: ");
        check(b"{\"a\": \"b c\"}", "Json dump: {\"a\": \"b c\"}");
        check(b"<html>\0<p>a", "Html: <p>a</p>");
    }

    #[test]
    fn raw_c1_characters_are_mended() {
        check("<p>it\u{92}s", "Html: <p>it’s</p>");
        check("it\u{92}s", "Text: <p>it’s</p>");
    }

    proptest! {
        #[test]
        fn whatever_bytes_come_in(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            shown(&bytes, None);
        }

        #[test]
        fn whatever_text_comes_in(text in "[<>/a-c!\\[\\]&;\\n*. -]{0,80}", start in 0..4_usize) {
            let start = ["", "<?xml?>", "<document>", "- "][start];
            shown(format!("{start}{text}").as_bytes(), None);
        }
    }
}
