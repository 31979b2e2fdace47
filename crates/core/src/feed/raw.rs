//! The parts of a feed as it has them, before its links and dates are read.

use super::text::FeedText;
use super::{FeedVersion, FeedWarning};
use std::ops::Range;
use url::Url;

/// Items read of one feed; feeds with a site's whole history have some
/// thousands. More are left out with a warning.
pub(super) const MAX_ITEMS: usize = 10_000;

/// Authors, categories and enclosures kept of one item, each.
pub(super) const MAX_NAMES: usize = 100;

/// A feed as it is written.
#[derive(Debug)]
pub(super) struct RawFeed {
    pub format: FeedVersion,
    /// The feed's own parts.
    pub feed: RawItem,
    /// In the feed's order.
    pub items: Vec<RawItem>,
    pub warnings: Vec<FeedWarning>,
}

/// The parts of an item, or of the feed.
#[derive(Debug, Default, Clone)]
pub(super) struct RawItem {
    /// Its bytes in the text of an XML feed, from its start tag to its end. `None` for the feed, and
    /// for an item that is the whole document.
    pub source: Option<Range<usize>>,
    /// The nearest `xml:base`, else the feed's address.
    pub base: Option<Url>,
    /// The base of the content, if an `xml:base` gives one.
    pub content_base: Option<Url>,
    /// The base of the summary, if an `xml:base` of its own gives one.
    pub summary_base: Option<Url>,
    pub id: String,
    pub title: RankedText,
    pub summary: RankedText,
    pub content: RankedText,
    /// `feedburner:origLink`: the link before a redirector took its place.
    pub original_link: Option<String>,
    /// Links to the page itself; whether one is second choice (another format).
    pub links: Vec<(bool, String)>,
    /// A `guid` that may be a link.
    pub permalink: Option<String>,
    /// `rdf:about`, or the address of content that is not in the feed.
    pub about: Option<String>,
    pub published: Option<String>,
    pub updated: Option<String>,
    pub authors: Vec<String>,
    /// Those of the feed that an item comes from.
    pub source_authors: Vec<String>,
    pub categories: Vec<String>,
    pub image: Option<String>,
    pub enclosures: Vec<Attached>,
    pub language: Option<String>,
    /// Of the feed: `ttl` in minutes.
    pub ttl: Option<String>,
    /// Of the feed: `sy:updatePeriod` and `sy:updateFrequency`.
    pub update_period: Option<String>,
    pub update_frequency: Option<String>,
}

impl RawItem {
    /// The links to the page itself, HTML pages first.
    pub(super) fn sorted_links(&self) -> impl Iterator<Item = &str> {
        let best = self.links.iter().filter(|(second, _)| !second);
        let rest = self.links.iter().filter(|(second, _)| *second);
        best.chain(rest).map(|(_, link)| link.as_str())
    }

    /// Adds a name of an author, each once.
    pub(super) fn add_author(&mut self, name: String) {
        if self.authors.len() < MAX_NAMES && !self.authors.contains(&name) {
            self.authors.push(name);
        }
    }

    /// Adds a category, each once.
    pub(super) fn add_category(&mut self, name: String) {
        let is_new = !name.is_empty() && !self.categories.contains(&name);
        if is_new && self.categories.len() < MAX_NAMES {
            self.categories.push(name);
        }
    }
}

/// The vocabulary that a text stands in: the first that an item has counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TextVocabulary {
    /// The feed's own elements.
    Core,
    DublinCore,
    /// Media RSS, which speaks of a picture or film that goes with the item, or is the item.
    Media,
    Podcast,
}

/// A text with the vocabulary that it stands in.
#[derive(Debug, Default, Clone)]
pub(super) struct RankedText(Option<(TextVocabulary, FeedText)>);

impl RankedText {
    /// Takes a text if it is the first of the best vocabulary.
    pub(super) fn offer(&mut self, source: TextVocabulary, text: FeedText) {
        let is_better = self.0.as_ref().is_none_or(|(known, _)| source < *known);
        if is_better && !text.is_empty() {
            self.0 = Some((source, text));
        }
    }

    pub(super) fn get(&self) -> Option<&FeedText> {
        self.0.as_ref().map(|(_, text)| text)
    }

    /// The text if it is certainly the item's and no picture's.
    pub(super) fn of_item(&self) -> Option<&FeedText> {
        let own = self.0.as_ref();
        let own = own.filter(|(source, _)| *source <= TextVocabulary::DublinCore);
        own.map(|(_, text)| text)
    }

    pub(super) fn into_text(self) -> Option<FeedText> {
        self.0.map(|(_, text)| text)
    }
}

/// A file that goes with an item, as the feed has it.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Attached {
    pub url: String,
    pub media_type: Option<String>,
    pub bytes: Option<u64>,
}
