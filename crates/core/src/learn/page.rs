//! A page to learn from, and the verdict on it.

use crate::feed::FeedItem;
use crate::onepage::ScoredPage;
use crate::refusal::NoArticle;
use foldhash::HashSet;
use forest_html::error::counted;
use forest_html::page::Page;
use std::fmt;
use std::sync::OnceLock;

/// A page to learn from.
#[derive(Debug)]
pub struct SamplePage {
    /// The page, with its scores once they are known.
    pub page: ScoredPage<'static>,
    /// Its address, or the name of its file.
    pub name: String,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// The feed item that points to it, without its content.
    pub item: Option<FeedItem>,
    /// Its screening, once it is known.
    pub(super) screening: OnceLock<Screening>,
}

impl SamplePage {
    /// A page without a feed item.
    pub fn new(page: Page, name: impl Into<String>) -> SamplePage {
        SamplePage {
            page: page.into(),
            name: name.into(),
            sha256: String::new(),
            item: None,
            screening: OnceLock::new(),
        }
    }

    /// The page with what its feed item says.
    #[must_use]
    pub fn with_item(mut self, item: &FeedItem) -> SamplePage {
        self.item = Some(item.without_content());
        self
    }

    /// Title and summary of the item as one text, if it has any.
    pub fn item_text(&self) -> Option<String> {
        self.item.as_ref()?.text()
    }

    /// Title and summary of the item.
    pub(super) fn item_texts(&self) -> impl Iterator<Item = &str> {
        self.item.iter().flat_map(FeedItem::texts)
    }
}

/// The hashes of a page's 2-grams of words, or why the page teaches nothing.
pub(super) type Screening = Result<WordPairs, SampleVerdict>;

/// Hashes of 2-grams of words.
pub(super) type WordPairs = HashSet<u64>;

/// The verdict on a page of a sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SampleVerdict {
    /// It is learned from.
    Good,
    /// It is of another host than the site.
    OtherHost {
        /// Its host.
        host: String,
    },
    /// It has no HTML elements of its own: plain text, a PDF, JSON, an image.
    NotHtml,
    /// It says next to nothing.
    NearlyEmpty {
        /// Words in its body.
        words: usize,
    },
    /// It holds no article.
    NoArticle {
        /// The kind of the page.
        kind: NoArticle,
    },
    /// It lists other pages, and most of the sample's pages do not.
    List,
    /// Its cluster of pages taught no template.
    NoTemplate,
    /// It says the same as an earlier page of the sample.
    NearDuplicate {
        /// Name of the earlier page.
        of: String,
    },
}

impl SampleVerdict {
    /// True if the page's elements hold no article, which may stand in its own JSON.
    pub(super) fn is_of_shell(&self) -> bool {
        matches!(
            self,
            SampleVerdict::NearlyEmpty { .. } | SampleVerdict::NoArticle { .. }
        )
    }
}

impl fmt::Display for SampleVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SampleVerdict::Good => f.write_str("good"),
            SampleVerdict::OtherHost { host } => write!(f, "left out: on another host, {host}"),
            SampleVerdict::NotHtml => f.write_str("left out: no HTML page"),
            SampleVerdict::NearlyEmpty { words } => {
                write!(f, "left out: only {}", counted(*words, "word", "words"))
            }
            SampleVerdict::NoArticle { kind } => write!(f, "left out: {kind}"),
            SampleVerdict::List => f.write_str("left out: the page lists other pages"),
            SampleVerdict::NoTemplate => {
                f.write_str("left out: no template was learned for pages like it")
            }
            SampleVerdict::NearDuplicate { of } => write!(f, "left out: says the same as {of}"),
        }
    }
}
