//! The store: every harvested article, every version of it, and the unchanged pages.
//!
//! An inner crate of `forest-wrappers`: its interface may change with any version.
//!
//! Takes fetched and read pages ([`Arrival`]) and other events ([`Event`]); gives
//! [`Stored`]: new, another version, nothing new. An [`Archive`] is written by
//! one process at a time and read by any number ([`ArchiveReader`]).
//!
//! An archive is a folder:
//!
//! ```text
//! warc/pages-000001.warc.gz ...    the responses, in WARC/1.1; the texts of the articles
//!                                  and the events (`files`): the primary data
//! sites/<site>.yaml                the wrappers in use
//! archive.sqlite                   tables made of the WARC files, and when to ask next
//! index/                           words, made of the tables
//! inbox/                           feeds to add, and urgent requests, for the running harvest; its receipts
//! marks.json                       articles that were read or starred (`marks`)
//! reader.json                      how a reader wants to read (`reading_settings`)
//! browsers.json                    browsers that gave the server's password (`browsers`)
//! drafts.json                      wrappers that a person changed and has not saved (`drafts`)
//! devices.json                     devices whose apps read it (`devices`)
//! secrets.json                     headers and cookies that sites want (`secrets`)
//! lock                             held by the writing process
//! ```
//!
//! **What is stored cannot be lost.** [`Archive::write`] adds pages and texts to the last
//! WARC files, waits for the disk, adds the events about them, waits again, and
//! then commits the tables. Records without an event do not count. Each layer stores its
//! position in the layer before it, and on opening it catches up: the tables with the files
//! (`recover`), the index with the tables. Records behind the last event were never reported
//! as stored and are cut off. Any other damage is an error (`recover`), until a person
//! decides to drop the damaged data ([`Archive::salvage`]). Rebuilding is catching up from
//! empty tables and an empty index.
//!
//! **Nothing is stored twice.** A page with the same bytes is a `revisit` record. An
//! article is known by its address without scheme, `www.` and tracking parameters
//! ([`page_key`](forest_html::address::page_key)), by the addresses that redirect to it, by the
//! canonical address that it names on its own host, and by its text (`arrival`, `store`).
//!
//! **A version is another text under the same wrapper.** If the wrapper has changed, the old
//! raw page is read again by the new one before texts are compared. A text that was found in
//! another way is doubtful, until a wrapper finds the article on its page (`doubts`). If an
//! article is now behind a wall, the text before the wall is not a version (`teaser`).
//!
//! **An article may have several pages.** Each is visited and stored as a page. The page at
//! the article's address is written last and names the others. A new visit covers all of
//! them. A page that could not be fetched is added later to the version that lacks it.
//!
//! **Other answers** are kept for the record and for players, with the requests: redirects,
//! failures, the first of several in a row with 64 kB of its body, and each robots.txt. A poll
//! without news leaves none. They go with the address that they were received for.
//!
//! **Pictures** of articles, icons of sites, and style sheets and fonts of their pages, are stored if a
//! harvest fetches them (`requisites`): equal bytes once, whatever their addresses.
//!
//! Not from the papers, which keep nothing.

mod answers;
mod apply;
mod arrival;
mod backup;
mod browsers;
mod change;
mod compare;
mod cookie_file;
mod devices;
pub mod diff;
mod disk;
mod doubts;
mod drafts;
mod due;
mod entries;
pub mod error;
mod event;
mod event_kind;
mod feeds;
mod files;
pub mod export;
mod forget;
mod groups;
pub mod history;
mod handle;
mod imported;
mod inbox;
mod item_names;
mod joined;
mod journal;
mod known;
mod known_hosts;
mod latest;
mod lengths;
mod markup;
mod marks;
mod numbered;
mod other_lines;
mod past_events;
pub mod paths;
mod raw;
mod read;
mod reading_settings;
mod rebuild;
mod recent_pages;
mod recover;
mod receipt;
mod reextract;
mod remake;
mod requisites;
mod reread;
mod revisit;
mod rewrite;
mod salvage;
mod scan;
mod site_figures;
mod sites;
pub mod search;
mod secret_fault;
mod secrets;
mod sql;
mod status;
mod store;
mod tables;
mod teaser;
mod transient;
mod user_file;
#[cfg(test)]
pub mod tests;
mod verify;
mod watch;

pub use backup::BackedUp;
pub use entries::ListPlace;
pub use error::{Error, Result};
pub use event_kind::EventKind;
pub use feeds::{FeedRow, SAVED_PAGES};
pub use forget::ForgetReport;
pub use handle::{Archive, ArchiveOptions, is_in_use};
pub use past_events::PastEvent;
pub use raw::{RawPage, RawPages};
pub use read::{
    ArchiveReader, ArticleVersion, Filter, ItemMetadata, SitePage, StoredArticle, VersionTime,
};
pub use recent_pages::RecentPages;
pub use revisit::RevisitRule;
pub use salvage::SalvageReport;
pub use status::{FeedStatus, SiteStatus};
pub use user_file::others_may_read;
pub use verify::{Damage, Verified};

pub use arrival::{Arrival, ArticlePart, HttpExchange, PreparedVisit, VisitResponse};
pub use browsers::{BrowserSession, KnownBrowsers};
pub use change::{
    ArchiveChange, DoubtRecord, FeedPoll, FetchedRequisite, ReceivedAnswers, Reread, SettledDoubt,
    Stored,
};
pub use cookie_file::{CookieFile, MAX_COOKIE_FILE_BYTES};
pub use devices::{AppDevice, AppDevices, MAX_DEVICES, OWNER};
pub use doubts::DoubtsOf;
pub use drafts::{StoredDraft, StoredDrafts};
pub use due::DuePage;
pub use entries::{EntryFeed, EntryOrigin, EntryRange, ListedEntry, LoneItem};
pub use event::{
    Event, Extraction, Picture, Requisite, RequisiteKind, StoredItem, Visit, VisitOutcome,
};
pub use files::{FileId, RecordPlace};
pub use imported::RecordState;
pub use inbox::{
    FeedAnswer, MAX_SHOWN_BYTES, ShownPage, TakenRequests, UrgentRequest, WaitingPage, request,
    request_now, request_page,
};
pub use item_names::{NamedItem, name_unknown_items};
pub use joined::{EarlierReading, JoinedArticle, RawArticle};
pub use known::{KnownAddress, KnownPart, KnownRaw, LatestVersion};
pub use known_hosts::KnownHost;
pub use latest::FeedProfile;
pub use marks::{ArticleMark, ArticleMarks, KnownMarks};
pub use markup::MarkupRenderer;
pub use numbered::{EntryOrder, EntryPlace, EntryQuery, NumberedEntry};
pub use read::WrapperRow;
pub use reading_settings::{
    ReaderFont, ReaderMeasure, ReaderTheme, ReadingSettings, UnstoredPictures,
};
pub use receipt::RereadReceipt;
pub use reextract::{ChangedText, ReextractOptions};
pub use requisites::{StoredRequisite, UnpicturedVersion};
pub use reread::{Reextracted, RereadBy, SettledEdit};
pub use revisit::PageVisits;
pub use secret_fault::{MAX_SECRET_BYTES, SecretFault};
pub use secrets::{
    KnownSecrets, RequestSecrets, SecretCookie, SecretHeader, SecretSite, SecretsOfSite,
    SiteSecret, SiteSecrets,
};
pub use site_figures::SiteFigures;
pub use sites::{SiteFile, list_file, replace_list, replace_wrapper, wrapper_file};
pub use watch::{ArchiveWatch, TablesState};
