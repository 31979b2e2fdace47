//! Feed bytes to items: RSS 0.9x, 1.0 and 2.0, Atom and JSON Feed; and the lists
//! that lead to feeds, a home page's links and OPML. FOREST section 3.1: the
//! pages to learn from, and the words to know their articles by, come from the
//! site's own feed.
//!
//! Takes the bytes of a feed, its address and the `Content-Type` it was served
//! with; gives a [`Feed`]. [`parse`] finds the charset, cuts the feed into items and
//! fields as they are written, mending what can be mended, and reads links, dates and texts
//! of these. [`mod@write`] goes the other way, from entries to a feed.
//!
//! **Departures**: the paper names only RSS and takes `title` and
//! `description` as text. Here HTML in them is reduced to text, and an item's
//! whole content, where the feed carries it, is kept apart as
//! [`FeedItem::content`], and a description that is HTML as [`FeedItem::summary_html`], too.

mod date;
mod decode;
mod discovery;
mod field;
mod fuller;
mod items;
mod json;
mod opml;
mod plain;
mod raw;
mod rules;
pub mod scan;
mod sitemap;
mod sniff;
mod space;
mod strike;
#[cfg(test)]
mod tests;
mod text;
mod ttl;
pub mod write;
mod xml;

use forest_html::address::page_key;
use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use chrono::{DateTime, FixedOffset};
use serde::{Deserialize, Serialize};
use url::Url;

pub use discovery::{FeedCandidate, FeedLinkKind, discover};
pub use opml::feed_attributes;
pub use opml::{Opml, Outline, RefusedOutline, parse_opml, read_opml};
pub use plain::plain_text;
pub use sniff::{sniff_archive, sniff_no_page, sniff_page};

pub use rules::ItemRules;
pub use sitemap::{
    ChosenSection, MAX_SITEMAP_BYTES, ROBOTS_PATH, Section, Sitemap, SitemapFile, SitemapIndex,
    named_in_robots, names_sitemap, read_sitemap, sort_newest_first,
};
pub use sniff::{SniffedType, sniff};
pub use strike::{StruckFeed, strike_out};

use crate::error::{Error, ErrorKind, Result};
use forest_html::error::counted;

/// Bytes of the largest feed that is read, after decompression (DESIGN, limits).
pub const MAX_FEED_BYTES: usize = 10_000_000;

/// A feed as it was read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Feed {
    /// The format it was written in.
    pub format: FeedVersion,
    /// The title as text; may be empty.
    pub title: String,
    /// The description or subtitle as text.
    pub description: Option<String>,
    /// The language as the feed has it (`en-us`).
    pub language: Option<String>,
    /// The site's home page.
    pub site: Option<Url>,
    /// The feed's picture: its logo, else its icon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<Url>,
    /// The time that it asks to be kept before it is fetched again: RSS's `ttl`, else
    /// the syndication module's `updatePeriod` and `updateFrequency`. Above zero, a
    /// year at the most.
    #[serde(
        rename = "ttl_s",
        serialize_with = "as_seconds",
        skip_serializing_if = "Option::is_none"
    )]
    pub ttl: Option<Duration>,
    /// The items in the feed's order.
    pub items: Vec<FeedItem>,
    /// The faults of the feed that could be mended.
    #[serde(serialize_with = "as_text")]
    pub warnings: Vec<FeedWarning>,
}

impl Feed {
    /// Its items by the [`page_key`] of their link.
    pub fn by_page(self) -> HashMap<String, FeedItem> {
        let keyed = self.items.into_iter().filter_map(|item| {
            let key = page_key(item.link.as_ref()?.as_str());
            Some((key, item))
        });
        keyed.collect()
    }
}

/// The format of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FeedVersion {
    /// RSS 0.90 to 0.94.
    Rss0,
    /// RSS 1.0, in RDF.
    Rss1,
    /// RSS 2.0.
    Rss2,
    /// Atom 1.0 or 0.3.
    Atom,
    /// JSON Feed.
    Json,
    /// A page of HTML that lists articles, read by the wrapper of its list.
    List,
    /// A sitemap's pages.
    Sitemap,
}

/// One entry of a feed: the one type from the feed to the archive. What is stored of it
/// is read back as the same type, without the fields that an archive does not keep.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FeedItem {
    /// The feed's own name of it (`guid`, `id`), else its link, else its place
    /// (`#1`).
    pub id: String,
    /// The title as one line of text; may be empty.
    pub title: String,
    /// The summary or description as text, a line a block; empty if there is
    /// none.
    pub summary: String,
    /// The summary as HTML as the feed gives it (untrusted, links relative), if it is HTML.
    #[serde(skip)]
    pub summary_html: Option<String>,
    /// The content as HTML as the feed gives it (untrusted, links relative), if
    /// the feed carries it apart from the summary.
    pub content: Option<String>,
    /// The address that the links in the content and in the summary are relative to, where
    /// it is not the item's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_base: Option<Url>,
    /// The page: absolute, `http` or `https`.
    pub link: Option<Url>,
    /// When it was published.
    pub published: Option<FeedDate>,
    /// When it was last changed, if the feed says so.
    pub updated: Option<FeedDate>,
    /// Names of the authors; the feed's own where the item has none.
    pub authors: Vec<String>,
    /// Categories, tags, subjects.
    pub categories: Vec<String>,
    /// An image that goes with it.
    pub image: Option<Url>,
    /// Files that go with it, in the feed's order, each once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub enclosures: Vec<Enclosure>,
}

impl FeedItem {
    /// The item without its content, which may be as long as its page.
    pub fn without_content(&self) -> FeedItem {
        FeedItem {
            content: None,
            summary_html: None,
            content_base: None,
            ..self.clone()
        }
    }

    /// The address that relative links of the content and the summary are resolved against.
    pub fn content_address(&self) -> Option<&Url> {
        self.content_base.as_ref().or(self.link.as_ref())
    }

    /// The date of publication, else of the last change: Atom's `published` is optional,
    /// its `updated` is not.
    pub fn date(&self) -> Option<&FeedDate> {
        self.published.as_ref().or(self.updated.as_ref())
    }

    /// The title and the summary, without those that are empty.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let texts = [&*self.title, &*self.summary];
        texts.into_iter().filter(|text| !text.is_empty())
    }

    /// The title and the summary as one text, a line each; `None` if both are empty.
    pub fn text(&self) -> Option<String> {
        let texts: Vec<&str> = self.texts().collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    }
}

/// A file that goes with an item: a recording, a film, a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enclosure {
    /// Its address: absolute, `http` or `https`.
    pub url: Url,
    /// Its media type, where the feed says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// Its length, where the feed says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// A date in a feed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeedDate {
    /// As the feed has it.
    pub raw: String,
    /// As a time with its offset, if it can be read.
    pub time: Option<DateTime<FixedOffset>>,
}

impl FeedDate {
    /// A date as it was stored: RFC 3339, or as a feed has it.
    pub fn of(raw: impl Into<String>) -> FeedDate {
        let raw = raw.into();
        FeedDate {
            time: DateTime::parse_from_rfc3339(&raw).ok(),
            raw,
        }
    }
}

/// RFC 3339 if the time is known, else as the feed has it.
impl fmt::Display for FeedDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.time {
            Some(time) => f.write_str(&time.to_rfc3339()),
            None => f.write_str(&self.raw),
        }
    }
}

/// A fault of a feed that could be mended, or left out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FeedWarning {
    /// The bytes are in another charset than the feed or its server says.
    WrongCharset {
        /// The declared charset (UTF-8 if there is no declaration).
        declared: &'static str,
        /// The charset that the bytes were read in.
        used: &'static str,
    },
    /// UTF-8 with a few bytes that are not valid.
    InvalidUtf8 {
        /// Sequences replaced by U+FFFD.
        sequences: usize,
    },
    /// The feed ends before it is closed; a cut item is left out.
    Truncated,
    /// More items than are read of one feed.
    TooManyItems,
    /// More entries than a sitemap may have.
    TooManyEntries,
    /// Entries of a sitemap that are of other sites.
    OtherHosts {
        /// The number of entries.
        entries: usize,
    },
    /// Items that link to no page.
    NoLink {
        /// The number of items.
        items: usize,
    },
}

impl fmt::Display for FeedWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FeedWarning::WrongCharset { declared, used } => write!(
                f,
                "the feed is declared as {declared} but was read as {used}; check its titles"
            ),
            FeedWarning::InvalidUtf8 { sequences } => write!(
                f,
                "the feed is UTF-8 but for {}, now U+FFFD; check its titles",
                counted(*sequences, "byte sequence", "byte sequences")
            ),
            FeedWarning::Truncated => f.write_str(
                "the feed is cut off; its whole items are used, fetch it again for the others",
            ),
            FeedWarning::TooManyItems => write!(
                f,
                "the feed has more than {} items; the others are left out",
                raw::MAX_ITEMS
            ),
            FeedWarning::TooManyEntries => write!(
                f,
                "the sitemap has more than {} entries; the others are left out",
                sitemap::MAX_SITEMAP_ENTRIES
            ),
            FeedWarning::OtherHosts { entries } => write!(
                f,
                "left out: {} of the sitemap of other hosts: a sitemap names its own site alone",
                counted(*entries, "entry", "entries")
            ),
            FeedWarning::NoLink { items } => write!(
                f,
                "{} to no web page; no page can be fetched for {}",
                counted(*items, "item of the feed links", "items of the feed link"),
                if *items == 1 { "it" } else { "them" }
            ),
        }
    }
}

fn as_seconds<S: serde::Serializer>(time: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
    time.map(|time| time.as_secs()).serialize(to)
}

fn as_text<S: serde::Serializer>(warnings: &[FeedWarning], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(warnings.iter().map(FeedWarning::to_string))
}

/// Reads a feed.
///
/// `base` is the feed's own address, against which relative links are resolved
/// (after `xml:base`; without either, against the feed's link to itself or the
/// site's home page).
/// `content_type` is the value of the HTTP header, of which the charset counts.
///
/// An item's link is the first of: `feedburner:origLink`, its `link` (of Atom's
/// the `alternate` ones, HTML before other types), a `guid` or JSON `id` that is
/// an absolute address and not declared otherwise, `rdf:about` or the `src` of
/// content that is elsewhere. A feed without items is a feed. The pages of a sitemap are
/// items of one, up to [`MAX_SITEMAP_BYTES`], see [`read_sitemap`].
///
/// # Errors
///
/// If the bytes are no feed (the message says what they are and what to give
/// instead), or are more than [`MAX_FEED_BYTES`].
///
/// # Examples
///
/// ```
/// let rss = b"<rss version='2.0'><channel><title>News</title>
///     <item><title>Bridge &amp; tunnel</title><link>/a</link></item></channel></rss>";
/// let base = url::Url::parse("https://example.org/feed.xml")?;
/// let feed = forest_core::feed::parse(rss, Some(&base), None)?;
/// assert_eq!(feed.items[0].title, "Bridge & tunnel");
/// assert_eq!(feed.items[0].link.as_ref().unwrap().as_str(), "https://example.org/a");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(bytes: &[u8], base: Option<&Url>, content_type: Option<&str>) -> Result<Feed> {
    let kind = sniff(bytes);
    if kind == SniffedType::Sitemap {
        return match read_sitemap(bytes, base)? {
            Sitemap::Pages(feed) => Ok(*feed),
            Sitemap::Index(_) => Err(ErrorKind::NotAFeed {
                found: "an index of sitemaps",
                remedy: "give one of the sitemaps that it names",
            }
            .into()),
        };
    }
    if bytes.len() > MAX_FEED_BYTES {
        return Err(ErrorKind::FeedTooLarge {
            bytes: bytes.len(),
            limit: MAX_FEED_BYTES,
        }
        .into());
    }
    // Only what may still be a feed is looked at further.
    if !matches!(
        kind,
        SniffedType::Feed | SniffedType::Json | SniffedType::Xml
    ) {
        return Err(not_a_feed(kind));
    }
    let (text, warning) = decode::decode(bytes, content_type);
    let raw = if text.trim_start().starts_with(['{', '[']) {
        json::read(text.trim(), base)?
    } else {
        xml::read(&text, base)
    };
    let raw = raw.ok_or_else(|| not_a_feed(kind))?;
    Ok(items::assemble(raw, warning.into_iter().collect()))
}

/// The error for something else in place of a feed.
fn not_a_feed(kind: SniffedType) -> Error {
    let remedy = match kind {
        SniffedType::Html => "give its feed, or the home page to discover the feed",
        SniffedType::Opml => "give it as a source of its own, or one of the feeds it lists",
        SniffedType::UrlList => "give it as a source of its own, without a feed",
        SniffedType::Pdf | SniffedType::Warc | SniffedType::Zip => {
            "give the feed that lists the pages to learn from"
        }
        SniffedType::Gzip => "unpack it first",
        SniffedType::Empty => "check the address, and that the feed has been generated",
        _ => "give the address of an RSS, Atom or JSON feed",
    };
    let found = kind.name();
    ErrorKind::NotAFeed { found, remedy }.into()
}
