//! A document of any kind to its text, in one of the formats.

use super::input::{self, Document, DocumentOrigin};
use super::options::TextOptions;
use super::{prose, sentence, xhtml};
use forest_core::feed::SniffedType;
use forest_core::onepage;
use forest_html::page::links::Base;
use forest_html::page::{Kind, MAX_GROWTH, Mask, Page, PageWarning, Source};
use forest_html::text::Language;
use std::ops::Range;

/// The format of the output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TextFormat {
    /// A line a block.
    #[default]
    Text,
    /// A line a sentence.
    Sentences,
    /// The normalised page as well-formed XHTML.
    Xhtml,
}

/// Makes texts of documents.
#[derive(Debug)]
pub struct Normaliser {
    pub options: TextOptions,
    pub format: TextFormat,
    /// Only the article of each page, by the one-page method.
    pub only_article: bool,
    /// Bytes of a document at the most.
    pub limit: usize,
}

/// The text of a document.
#[derive(Debug, Default)]
pub struct DocumentText {
    /// `None` without a text; the reason is among the warnings.
    pub text: Option<String>,
    /// The removed items of lists of links.
    pub removed: Vec<String>,
    pub warnings: Vec<String>,
}

impl DocumentText {
    /// A document without a text, for this reason.
    pub fn failed(why: impl Into<String>) -> DocumentText {
        DocumentText {
            warnings: vec![why.into()],
            ..DocumentText::default()
        }
    }
}

impl Normaliser {
    /// The text of a document.
    pub fn text(&self, bytes: &[u8], source: Source<'_>) -> DocumentText {
        let (text, kind) = match input::read(bytes, source, self.limit) {
            Document::Excluded(why) => return DocumentText::failed(why.to_string()),
            Document::Page(page, origin) => return self.page_text(&page, origin),
            Document::Dump(text, kind) => (text, kind.name()),
        };
        if text.is_empty() {
            return DocumentText::failed(format!("this is {kind}: no text in it"));
        }
        let warning = format!(
            "this is {kind}, of which no page can be made: the text that is in it, as it stands"
        );
        DocumentText {
            text: Some(match self.format {
                TextFormat::Sentences => self.sentences(&text, &[], None),
                TextFormat::Xhtml => xhtml::xhtml(&input::plain::page(&text)).text,
                TextFormat::Text => text,
            }),
            ..DocumentText::failed(warning)
        }
    }

    fn page_text(&self, page: &Page, origin: DocumentOrigin) -> DocumentText {
        let mut out = DocumentText::default();
        out.warnings
            .extend(page.warnings().iter().map(ToString::to_string));
        if origin == DocumentOrigin::Xml {
            let xml = SniffedType::Xml.name();
            out.warnings
                .push(format!("this is {xml}: the text of its elements"));
        }
        let is_xhtml = self.format == TextFormat::Xhtml;
        if is_xhtml && !self.only_article {
            out.text = Some(page_xhtml(page, &mut out.warnings));
            return out;
        }
        let mut kept = Mask::all(page);
        if self.only_article {
            let article = onepage::article(page);
            if let Some(refusal) = article.refusal {
                out.warnings.push(format!("no article: {}", refusal.kind));
                return out;
            }
            kept = article.kept;
        }
        if is_xhtml {
            let html = forest_core::render::html(page, &kept, &Base::of(page));
            out.text = Some(xhtml::xhtml(&Page::from_html(&html)).text);
            return out;
        }
        let normal = prose(page, &kept, &self.options);
        out.removed = normal.removed;
        if normal.text.trim().is_empty() {
            out.warnings.push("no text in it".to_owned());
            return out;
        }
        out.text = Some(match self.format {
            TextFormat::Sentences => {
                self.sentences(&normal.text, &normal.fixed, language_tag(page))
            }
            _ => normal.text,
        });
        out
    }

    fn sentences(&self, text: &str, fixed: &[Range<usize>], tag: Option<&str>) -> String {
        let set = self.options.language.as_deref().map(Language::from_tag);
        let language = set.unwrap_or_else(|| Language::detect(text, tag));
        let mut out = String::with_capacity(text.len() + text.len() / 16);
        for sentence in sentence::sentences(text, fixed, language) {
            out.push_str(sentence);
            out.push('\n');
        }
        out
    }
}

/// A whole page as XHTML.
fn page_xhtml(page: &Page, warnings: &mut Vec<String>) -> String {
    let xhtml = xhtml::xhtml(page);
    if xhtml.cut {
        warnings.push(format!(
            "its XHTML was cut: it would be more than {} times as long as it is, or has an \
             attribute or a comment of more than {} MB",
            MAX_GROWTH,
            xhtml::MAX_RUN_BYTES / 1_000_000
        ));
    }
    if xhtml.dissolved > 0 {
        let warning = PageWarning::TooDeep {
            dropped: xhtml.dissolved,
            depth: xhtml::MAX_DEPTH,
        };
        warnings.push(warning.to_string());
    }
    xhtml.text
}

/// The language tag in a page's markup.
fn language_tag(page: &Page) -> Option<&str> {
    let html = page
        .children(page.root())
        .find(|&n| page.kind(n) == Kind::Element)?;
    page.attr(html, "lang")
        .or_else(|| page.attr(html, "xml:lang"))
}
