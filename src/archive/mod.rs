//! The store: every article that was ever harvested, every version of it, and the
//! pages as they came.
//!
//! Takes what was fetched and read ([`Arrival`]) and what else happened ([`Event`]);
//! gives [`Stored`]: new, another version, nothing new. An [`Archive`] is written by
//! one process at a time and read by any number ([`ArchiveReader`]).
//!
//! An archive is a folder:
//!
//! ```text
//! warc/pages-000001.warc.gz ...    what came, in WARC/1.1; beside it the texts of the
//!                                  articles and what happened (`files`): the truth
//! sites/<site>.yaml                the wrappers in use
//! archive.sqlite                   tables made of the WARC files, and when to ask next
//! index/                           words, made of the tables
//! inbox/                           feeds to add, and what to do now, for the harvest that runs
//! lock                             held by whoever writes
//! ```
//!
//! **What is stored cannot be lost.** [`Archive::write`] adds pages and texts to the last
//! WARC files, waits for the disk, adds the events about them, waits again, and
//! then commits the tables. What has no event did not happen. Each layer says up to where
//! it has followed the one before it, and on opening it catches up: the tables with the
//! files (`recover`), the index with the tables. What stands behind the last event belongs
//! to nothing that was reported stored and is cut off; any other damage stops it
//! (`recover`), until somebody has decided to go on without what is damaged
//! ([`Archive::salvage`]).
//! With neither tables nor index, catching up begins at the beginning, and that is all
//! that rebuilding is.
//!
//! **Nothing is stored twice.** A page with the same bytes is a `revisit` record. An
//! article is known by its address without scheme, `www.` and tracking parameters
//! ([`page_key`](crate::address::page_key)), by the addresses that redirect to it, by the canonical address that it
//! names on its own host, and by its text (`arrival`, `store`).
//!
//! **A version is another text under the same wrapper.** Where the wrapper has changed,
//! the old raw page is read again by the new one before texts are compared. Where an article
//! went behind a wall, what is left of it is no version (`teaser`).
//!
//! **An article may have several pages.** Each is visited and stored as a page; that of
//! the article's address is written last and says which the others are. Visited again,
//! all of them are. One that could not be had comes later into the version that lacks it.
//!
//! **Pictures** of articles, and style sheets and fonts of their pages, are stored where a
//! harvest asks for them (`requisites`): bytes once, whatever their addresses.
//!
//! Not from the papers, which keep nothing.

mod answers;
mod apply;
mod arrival;
mod backup;
mod change;
#[cfg(feature = "_lab")]
pub mod diff;
#[cfg(not(feature = "_lab"))]
pub(crate) mod diff;
mod disk;
mod due;
mod event;
mod event_kind;
mod feeds;
mod files;
pub mod export;
mod forget;
mod groups;
mod handle;
mod inbox;
mod joined;
mod journal;
mod known;
mod lengths;
mod markup;
mod past_events;
#[cfg(feature = "_lab")]
pub mod paths;
#[cfg(not(feature = "_lab"))]
pub(crate) mod paths;
mod raw;
mod read;
mod rebuild;
mod recover;
mod reextract;
mod remake;
mod requisites;
mod revisit;
mod rewrite;
mod salvage;
mod scan;
mod sites;
pub mod search;
mod sql;
mod status;
mod store;
mod tables;
mod teaser;
mod transient;
#[cfg(test)]
pub(crate) mod tests;
mod verify;

pub use backup::BackedUp;
pub use event_kind::EventKind;
pub use feeds::FeedRow;
pub use forget::ForgetReport;
pub use handle::{Archive, ArchiveOptions};
pub use past_events::PastEvent;
pub use raw::{RawPage, RawPages};
pub use read::{ArchiveReader, ArticleVersion, Filter, ItemMetadata, SitePage, StoredArticle};
pub use revisit::RevisitRule;
pub use salvage::SalvageReport;
pub use status::{FeedStatus, SiteStatus};
pub use verify::{Damage, Verified};

lab! {
    pub use arrival::{Arrival, ArticlePart, HttpExchange, PreparedVisit, VisitResponse};
    pub use change::{ArchiveChange, FeedPoll, FetchedRequisite, Reread, Stored};
    pub use due::DuePage;
    pub use event::{Event, Extraction, Picture, Requisite, RequisiteKind, StoredItem, Visit, VisitOutcome};
    pub use files::{FileId, RecordPlace};
    pub use inbox::{FeedAnswer, TakenRequests, UrgentRequest, request, request_now};
    pub use joined::{EarlierReading, JoinedArticle, RawArticle, earlier_reading};
    pub use known::{KnownAddress, KnownPart, KnownRaw, LatestVersion};
    pub use markup::MarkupRenderer;
    pub use read::WrapperRow;
    pub use reextract::{ChangedText, ReextractOptions, Reextracted, RereadBy};
    pub use requisites::{StoredRequisite, UnpicturedVersion};
    pub use revisit::PageVisits;
    pub use sites::SiteFile;
    pub use teaser::close_teaser;
}
