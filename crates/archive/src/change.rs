//! The changes that are written to an archive, and the outcomes for pages.

use super::arrival::{HttpExchange, PreparedVisit};
use super::event::{Event, RequisiteKind};
use super::joined::JoinedArticle;
use chrono::{DateTime, Utc};
use forest_sources::warc::EncodedRecord;

/// A change to an archive.
#[derive(Debug, Clone)]
pub enum ArchiveChange {
    /// A page that was visited.
    Page(Box<PreparedVisit>),
    /// A version, read again by another wrapper.
    Reading(Box<Reread>),
    /// A doubtful reading that was settled.
    Settled(Box<SettledDoubt>),
    /// A picture, a style sheet or a font that was received.
    Requisite(Box<FetchedRequisite>),
    /// Anything else that happened.
    Event {
        /// When.
        at: DateTime<Utc>,
        /// The event.
        event: Event,
    },
    /// An answer of a feed with news, to be kept unchanged. It is written before the
    /// [`Event::FeedRead`] that names it.
    Feed {
        /// When.
        at: DateTime<Utc>,
        /// Its address.
        url: String,
        /// The request, and the answer with the feed.
        exchange: HttpExchange,
    },
    /// Answers that are no page, no news of a feed and no requisite.
    Received(Box<ReceivedAnswers>),
    /// Records of another archive, as they are there.
    Records {
        /// The time of the newest one.
        at: DateTime<Utc>,
        /// The records.
        records: Vec<EncodedRecord>,
    },
    /// The last poll of a feed, and the time of the next one.
    Poll(Box<FeedPoll>),
    /// A server asks for a pause.
    Rest {
        /// Its origin.
        origin: String,
        /// Until when.
        until: DateTime<Utc>,
    },
    /// The robots.txt of an origin.
    Robots {
        /// The origin.
        origin: String,
        /// When it was read.
        at: DateTime<Utc>,
        /// Its text; empty if the origin has no robots.txt.
        text: Vec<u8>,
    },
    /// The state of a site's watch.
    Watch {
        /// The site.
        site: String,
        /// The state, as JSON.
        state: String,
    },
}

/// A version, read again by another wrapper.
#[derive(Debug, Clone)]
pub struct Reread {
    /// When it was read.
    pub at: DateTime<Utc>,
    /// Key of the article.
    pub key: String,
    /// The version, from 1.
    pub number: u32,
    /// The article as it was read.
    pub joined: JoinedArticle,
    /// SHA-256 of the wrapper's file.
    pub wrapper: String,
}

/// A doubt that was settled, or an edit that an earlier wrapper did not see.
#[derive(Debug, Clone)]
pub struct SettledDoubt {
    /// When it was settled.
    pub at: DateTime<Utc>,
    /// Key of the article.
    pub key: String,
    /// The time of the visit.
    pub seen: DateTime<Utc>,
    /// The record with the page.
    pub record: DoubtRecord,
    /// The article as a new version, and SHA-256 of the file of the wrapper that read it;
    /// `None`: nothing was edited.
    pub edit: Option<(JoinedArticle, String)>,
}

/// The record of the page of a doubtful reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoubtRecord {
    /// Its id.
    pub id: String,
    /// Its address.
    pub url: String,
}

/// A picture, a style sheet or a font that was received.
#[derive(Debug, Clone)]
pub struct FetchedRequisite {
    /// The time of the response.
    pub at: DateTime<Utc>,
    /// The address in the page.
    pub url: String,
    /// The address that answered.
    pub final_url: String,
    /// Its kind.
    pub kind: RequisiteKind,
    /// Its `Content-Type`.
    pub content_type: Option<String>,
    /// The extension of a file with it.
    pub extension: String,
    /// The request and the answer.
    pub exchange: HttpExchange,
}

/// Answers that are no page, no news of a feed and no requisite: redirects, failures,
/// robots.txt. They are kept for the record and for players; nothing is read in them.
#[derive(Debug, Clone)]
pub struct ReceivedAnswers {
    /// When.
    pub at: DateTime<Utc>,
    /// The address that was to be fetched.
    pub url: String,
    /// The address to which its redirects led.
    pub final_url: String,
    /// The answers with their own addresses, in their order.
    pub exchanges: Vec<(String, HttpExchange)>,
}

/// The last poll of a feed. Not in the WARC files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeedPoll {
    /// The feed's address.
    pub feed: String,
    /// When it was polled last.
    pub last: Option<DateTime<Utc>>,
    /// The time of the last poll that succeeded.
    pub success: Option<DateTime<Utc>>,
    /// When it is polled next.
    pub next: Option<DateTime<Utc>>,
    /// The times at which its items were seen, as JSON.
    pub rhythm: Option<String>,
    /// Failures in a row.
    pub failures: u32,
    /// The last failure; of a feed that was read, the reason why items of it may be missing.
    pub error: Option<String>,
    /// For the next conditional request.
    pub etag: Option<String>,
    /// For the next conditional request.
    pub last_modified: Option<String>,
    /// SHA-256 of the last received feed, in hex.
    pub sha256: Option<String>,
    /// Redirects seen in a row, as JSON.
    pub moved: Option<String>,
}

/// The outcome of an [`ArchiveChange::Page`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    /// A new article.
    New,
    /// A new version of a known article.
    Version,
    /// A reading of a known article that may be an edit or a redesign.
    Doubtful,
    /// Nothing new.
    Same,
    /// A known article under another address.
    Known,
    /// No article.
    Nothing,
    /// The address was forgotten: nothing was written.
    Forgotten,
}
