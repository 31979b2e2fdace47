//! Entries to feed bytes: Atom 1.0, RSS 2.0 (with `content:encoded`) and JSON Feed
//! 1.1, so that a feed reader gets whole articles where the site's own feed is cut.
//!
//! Takes a [`Channel`] of [`FeedEntry`]s; gives the document as a string. The bytes
//! depend on the entries alone: the feed's own time is that of its newest entry,
//! never the clock's. Whatever the texts hold, the XML is well-formed: characters
//! that XML cannot hold are dropped, line ends are `\n`. Addresses that are neither
//! `http` nor `https` are left out. [`opml()`] writes a list of feeds.
//!
//! [`FeedEntry::html`] is written as it is: whoever makes an entry has sanitised it.

mod atom;
mod json;
mod opml;
mod rss;
mod xml;

#[cfg(test)]
mod rules;
#[cfg(test)]
mod tests;

use super::Enclosure;
use super::{FeedDate, FeedItem};
use chrono::{DateTime, FixedOffset};
use forest_html::address::is_web;
use url::Url;

pub use opml::opml;

/// The format of a feed that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyndicationFormat {
    /// Atom 1.0, RFC 4287.
    Atom,
    /// RSS 2.0 with the content module.
    Rss,
    /// JSON Feed 1.1.
    Json,
}

impl SyndicationFormat {
    /// The media type of a feed in this format, with its charset.
    pub fn media_type(self) -> &'static str {
        match self {
            SyndicationFormat::Atom => "application/atom+xml; charset=utf-8",
            SyndicationFormat::Rss => "application/rss+xml; charset=utf-8",
            SyndicationFormat::Json => "application/feed+json; charset=utf-8",
        }
    }
}

/// A feed as a whole, and its entries in their order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Channel {
    /// A name that never changes: an absolute IRI (RFC 4287, 4.2.6).
    pub id: String,
    /// The title as text.
    pub title: String,
    /// A line on what the feed is about, as text.
    pub description: Option<String>,
    /// The site's home page.
    pub home: Option<Url>,
    /// The address of the feed itself.
    pub address: Option<Url>,
    /// The language: a BCP 47 tag.
    pub language: Option<String>,
    /// A picture that stands for the feed.
    pub image: Option<Url>,
    /// The newest first, as readers expect it.
    pub entries: Vec<FeedEntry>,
    /// The time for whatever has none, as Atom wants times. RSS and JSON leave them out.
    pub at: DateTime<FixedOffset>,
}

impl Channel {
    /// The time of the newest change, if one is known.
    fn updated(&self) -> Option<DateTime<FixedOffset>> {
        self.entries.iter().filter_map(FeedEntry::changed).max()
    }
}

/// One entry.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FeedEntry {
    /// A name that never changes and that no other entry has: an absolute IRI, such
    /// as the page's address.
    pub id: String,
    /// A lasting number of 63 bits, for interfaces that know entries by numbers.
    pub number: Option<i64>,
    /// The page.
    pub url: Option<Url>,
    /// The title as text.
    pub title: String,
    /// The whole content as HTML that is safe to show.
    pub html: String,
    /// Names of the authors.
    pub authors: Vec<String>,
    /// When it was published.
    pub published: Option<DateTime<FixedOffset>>,
    /// When it was last changed, if that is known.
    pub updated: Option<DateTime<FixedOffset>>,
    /// Keywords.
    pub categories: Vec<String>,
    /// Categories of schemes, as that it was read: only Atom has these.
    pub terms: Vec<SchemeTerm>,
    /// The language of the entry, where it is known: a BCP 47 tag.
    pub language: Option<String>,
    /// A picture that goes with it.
    pub image: Option<Url>,
    /// Files that go with it.
    pub enclosures: Vec<Enclosure>,
}

/// A category of a scheme (RFC 4287, 4.2.2).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SchemeTerm {
    /// The scheme: an IRI.
    pub scheme: String,
    /// The category in it.
    pub term: String,
    /// The category for people.
    pub label: String,
}

impl FeedEntry {
    /// The entry of an item, without a name and without content.
    pub fn of_item(item: &FeedItem) -> FeedEntry {
        let time = |date: &Option<FeedDate>| date.as_ref().and_then(|date| date.time);
        let published = time(&item.published);
        FeedEntry {
            url: item.link.clone(),
            title: item.title.clone(),
            authors: item.authors.clone(),
            published,
            updated: time(&item.updated).or(published),
            categories: item.categories.clone(),
            image: item.image.clone(),
            enclosures: item.enclosures.clone(),
            ..FeedEntry::default()
        }
    }

    /// The time of its last change, else of its publication.
    fn changed(&self) -> Option<DateTime<FixedOffset>> {
        self.updated.or(self.published)
    }
}

/// The feed as a document of its format.
///
/// ```
/// use chrono::DateTime;
/// use forest_core::feed::write::{Channel, FeedEntry, SyndicationFormat, write};
///
/// let entry = FeedEntry {
///     id: "https://example.org/a".to_owned(),
///     url: Some(url::Url::parse("https://example.org/a")?),
///     title: "Bridge & tunnel".to_owned(),
///     html: "<p>Open.</p>".to_owned(),
///     updated: Some(DateTime::parse_from_rfc3339("2026-11-21T20:00:00Z")?),
///     ..FeedEntry::default()
/// };
/// let channel = Channel { title: "News".to_owned(), entries: vec![entry], ..Channel::default() };
/// let atom = write(&channel, SyndicationFormat::Atom);
/// assert!(atom.contains("<updated>2026-11-21T20:00:00Z</updated>"));
/// let feed = forest_core::feed::parse(atom.as_bytes(), None, None)?;
/// assert_eq!(feed.items[0].title, "Bridge & tunnel");
/// assert_eq!(feed.items[0].content.as_deref(), Some("<p>Open.</p>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(channel: &Channel, format: SyndicationFormat) -> String {
    match format {
        SyndicationFormat::Atom => atom::atom(channel),
        SyndicationFormat::Rss => rss::rss(channel),
        SyndicationFormat::Json => json::json(channel),
    }
}

/// The media type of a file: the formats want one, so that one of which nothing is known
/// is bytes.
fn media_type(file: &Enclosure) -> String {
    let known = file.media_type.as_deref().map(xml::one_line);
    let known = known.filter(|kind| kind.contains('/') && !kind.contains(' '));
    known.unwrap_or_else(|| "application/octet-stream".to_owned())
}

/// The files whose address is one of the web.
fn files(entry: &FeedEntry) -> impl Iterator<Item = (&Enclosure, &str)> {
    let files = entry.enclosures.iter();
    files
        .filter(|file| is_web(&file.url))
        .map(|file| (file, file.url.as_str()))
}

/// The address, if a browser would show a page there.
fn web(url: &Option<Url>) -> Option<&str> {
    url.as_ref().filter(|url| is_web(url)).map(Url::as_str)
}

/// A time as RFC 3339, in UTC where that is its offset.
fn rfc3339(time: DateTime<FixedOffset>) -> String {
    time.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true)
}

/// A tag that BCP 47 could have: letters, digits and hyphens; `None` for anything else.
fn tag(language: &Option<String>) -> Option<&str> {
    let is_tag = |tag: &&str| {
        tag.len() <= 35
            && tag.starts_with(|c: char| c.is_ascii_alphabetic())
            && tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    language.as_deref().filter(is_tag)
}
