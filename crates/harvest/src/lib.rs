//! Feeds over time: when each is polled again, where it has moved, and the figures of the
//! whole. The paper learns once (FOREST, 3.1, takes a feed's items for a
//! sample); here the feed goes on.
//!
//! Takes the responses of feeds and pages as they come; gives the times of the next polls,
//! the feeds' addresses and the figures that are watched. All decisions are pure: time comes
//! in as a value, from a [`Clock`] that tests set themselves, and all state is plain numbers
//! and strings that the archive keeps.
//!
//! - [`clock`]: the current time.
//! - [`inputs`]: text to addresses of feeds.
//! - [`metrics`]: the figures, as Prometheus reads them.
//! - [`moved`]: when a redirect moves a feed, and when a feed has ended.
//! - [`notify`]: notices for people and programs.
//! - [`report`]: the harvest in words and as JSON.
//! - [`requisites`]: pictures of articles, style sheets and fonts of their pages.
//! - [`run`]: the harvest itself, which fetches, reads, stores, judges and learns.
//! - [`schedule`]: the time of a feed's next poll.
//! - `secrets`: headers and cookies that are sent to their own sites ([`ArchiveSecrets`]).
//!
//! An inner crate of `forest-wrappers`: its interface may change with any version.

mod answers;
pub mod clock;
pub mod error;
pub mod inputs;
#[cfg(test)]
#[path = "../../../tests/shared/loopback.rs"]
mod loopback;
pub mod metrics;
pub mod moved;
pub mod notify;
mod page_store;
pub mod report;
pub mod requisites;
pub mod run;
pub mod schedule;
mod secrets;

pub use clock::{Clock, ManualClock, SystemClock};
pub use error::{Error, Result};
pub use metrics::Metrics;
pub use notify::{Notice, Notifier, NotifyOptions, Recipient};
pub use page_store::PageStore;
pub use requisites::{
    PictureBudget, PictureTally, RequisiteOptions, icon_address, is_style_sheet, picture_extension,
    picture_type,
};
pub use run::{
    FeedAdder, FeedNotFound, FeedNote, FeedStore, FoundFeed, Harvest, HarvestOptions,
    HarvestProgress, HarvestTally, ImportedFeed, ImportedPages, ImportedRecords, Importer,
    Learning, Relearned, SavedWork, ShownPageOutcome, SiteState, SiteWork, Until, add_feed,
    add_unseen, feed_of_site, find_feed, find_list, relearn_drifted, relearn_site, report_edits,
    request_feed, reread_stored, roll_back, start_of_walk, walk_list,
};
pub use schedule::archive_options;
pub use secrets::{ArchiveSecrets, keep_secret_header};
