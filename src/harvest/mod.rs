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
//! - [`requisites`]: pictures of articles, style sheets and fonts of their pages.
//! - [`run`]: the harvest itself, which fetches, reads, stores, judges and learns.
//! - [`schedule`]: the time of a feed's next poll.

#[cfg(feature = "net")]
pub(crate) mod clock;
#[cfg(all(feature = "net", feature = "_lab"))]
pub mod inputs;
#[cfg(all(feature = "net", not(feature = "_lab")))]
pub(crate) mod inputs;
#[cfg(all(test, feature = "net"))]
#[path = "../../tests/shared/loopback.rs"]
mod loopback;
#[cfg(feature = "net")]
pub(crate) mod metrics;
#[cfg(all(feature = "net", feature = "_lab"))]
pub mod moved;
#[cfg(all(feature = "net", not(feature = "_lab")))]
pub(crate) mod moved;
#[cfg(feature = "net")]
pub(crate) mod notify;
#[cfg(feature = "net")]
pub(crate) mod requisites;
#[cfg(feature = "net")]
pub(crate) mod run;
#[cfg(feature = "_lab")]
pub mod schedule;
#[cfg(not(feature = "_lab"))]
pub(crate) mod schedule;

#[cfg(feature = "net")]
pub use clock::{Clock, ManualClock, SystemClock};
#[cfg(feature = "net")]
pub use metrics::Metrics;
#[cfg(feature = "net")]
pub use notify::{Notice, Notifier, NotifyOptions, Recipient};
#[cfg(feature = "serve")]
pub(crate) use requisites::is_style_sheet;
#[cfg(feature = "net")]
pub use requisites::{PictureTally, RequisiteOptions};
#[cfg(all(feature = "net", any(feature = "cli", feature = "serve")))]
pub(crate) use run::find_list;
#[cfg(all(feature = "net", feature = "cli"))]
pub(crate) use run::walk_list;
#[cfg(feature = "net")]
pub use run::{
    FeedNotFound, FoundFeed, Harvest, HarvestOptions, HarvestProgress, HarvestTally, Learning,
    SiteState, Until, add_feed, find_feed, request_feed,
};
#[cfg(feature = "serve")]
pub(crate) use run::{SavedWork, SiteWork};

#[cfg(feature = "net")]
lab! {
    pub use requisites::picture_type;
    pub use run::{FeedStore, ImportedPages, Importer, add_unseen, learn_again, roll_back};
}
