//! Feeds over time: when each is asked again, where it has moved, and what is
//! known of the whole. The paper learns once (FOREST, 3.1, takes a feed's items for a
//! sample); here the feed goes on.
//!
//! Takes the answers of feeds and pages as they come; gives the times of the
//! next polls, the feeds' addresses and the figures that are watched. What is
//! decided here, but in `run`, is pure: time comes in as a value, from a [`Clock`] that tests
//! and lives in fast motion set themselves, and all state is plain numbers and
//! strings that the archive keeps.
//!
//! - [`clock`]: what time it is.
//! - [`inputs`]: text to addresses of feeds.
//! - [`metrics`]: what is counted, as Prometheus reads it.
//! - [`moved`]: when a redirect is believed, and when a feed has ended.
//! - [`notify`]: whoever wants to know of it is told.
//! - [`requisites`]: pictures of articles, style sheets and fonts of their pages.
//! - [`run`]: the harvest itself, which fetches, reads, stores, judges and learns.
//! - [`schedule`]: when a feed is polled next.

pub mod clock;
pub mod inputs;
#[cfg(test)]
#[path = "../../tests/shared/loopback.rs"]
mod loopback;
pub mod metrics;
pub mod moved;
pub mod notify;
pub mod requisites;
pub mod run;
pub mod schedule;

pub use clock::{Clock, ManualClock, SystemClock};
pub use metrics::Metrics;
pub use notify::{Notice, Notifier, NotifyOptions, Recipient};
pub use requisites::{PictureTally, RequisiteOptions};
pub use run::{
    FeedNotFound, FoundFeed, Harvest, HarvestOptions, HarvestProgress, HarvestTally, ImportedPages,
    Importer, Learning, SiteState, Until, add_feed, add_unseen, find_feed, request_feed,
};
