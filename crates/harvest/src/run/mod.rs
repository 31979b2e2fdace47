//! The harvest itself: due feeds and pages are fetched, read, stored and judged, until
//! nothing is due any more, or for ever.
//!
//! Takes an [`Archive`](forest_archive::Archive), a [`Fetcher`](forest_fetch::Fetcher) and a
//! [`Clock`](crate::Clock); gives a [`HarvestTally`]. One thread decides and writes;
//! pages are fetched by the fetcher's own threads and read on all cores.
//!
//! - `plan`: all decisions, as a pure state: events in, actions out.
//! - `driver`: the loop that hands events to the plan and performs its actions; `look` reads
//!   what is due, `record` writes the responses.
//! - `fetching`: requests and readings under way.
//! - `back_off`: no requests for a while to hosts that fail or ask for a pause.
//! - `feeds`: a feed's response as changes; `adding`: a feed that a person adds.
//! - `lists`: pages that list articles, as feeds; `further_lists`: their pages beyond the first;
//!   `backfill`: walks them back in time.
//! - `sitemaps`: sitemaps, as feeds.
//! - `feed_adder`: a person's list of feeds, one by one; `feed_store`: what a person changes of
//!   feeds, with or without a harvest that runs.
//! - `reading`: reads a fetched page; `further`: further pages of its article;
//!   `page_result`: the page as the archive takes it.
//! - `write`: writes pages and verdicts, for a harvest and for `importing`.
//! - `rereading`: versions that are read again; `rejudging`: their sites.
//! - `sites`: active wrappers, their watches, and when a wrapper is learned; `state`: the
//!   state of a site in the archive.
//! - `robots`: robots.txt between processes.
//!
//! **Order.** Feeds that are due are polled; their new items become pages that are due;
//! pages are visited, each host's in the order of its feed. A batch of pages is written
//! together. A page that is not written yet is still due, so that a harvest that is killed
//! goes on where it was.
//!
//! **Learning.** A site's first pages are read without a wrapper. As soon as there are
//! enough for a sample, or no more are waiting, the wrapper is learned from the archive's
//! pages, and these are read again. When the site's watch reports drift, the same is done
//! with the newest pages, and the new wrapper becomes active if it does better on them. The
//! first wrapper is the one that `learn` learns from the same pages. It does not become
//! active if on none of them it finds a text like an article (walls, lists, comics). The
//! exception: the pages together show that each of them alone misleads, for example by
//! pop-ups that are the same on all of them. The reason why no wrapper became active is
//! stored ([`SiteState::not_learned`]).
//!
//! **Redesigns.** What is read without the wrapper on a page of an article that a wrapper had
//! read, or what the wrapper finds there although it is no article, is a doubtful reading and
//! no version ([`Stored::Doubtful`](forest_archive::Stored::Doubtful)). When another wrapper becomes
//! active, or when the wrapper is found to be well by the pages that follow, it becomes a version
//! if its words are others than before ([`HarvestProgress::Settled`]), else it goes.

mod active;
mod adding;
mod backfill;
mod back_off;
mod driver;
mod feed_adder;
mod feed_store;
mod feeds;
mod fetching;
mod further;
mod further_lists;
mod learning;
mod hand;
mod importing;
mod lists;
mod look;
mod options;
mod page_result;
mod plan;
mod progress;
mod reading;
mod rejudging;
mod rereading;
mod record;
mod robots;
mod sitemaps;
mod sites;
mod state;
#[cfg(test)]
mod tests;
mod write;
pub use adding::find_list;
pub use adding::{FeedNotFound, FoundFeed, add_feed, add_unseen, find_feed, request_feed};
pub use backfill::{feed_of_site, start_of_walk, walk_list};
pub use driver::Harvest;
pub use feed_adder::{FeedAdder, FeedNote};
pub use feed_store::{FeedStore, ImportedFeed, ShownPageOutcome};
pub use hand::{SavedWork, SiteWork, reread_stored};
pub use importing::{ImportedPages, ImportedRecords, Importer};
pub use learning::{Learning, Relearned, relearn_site, roll_back};
pub use options::HarvestOptions;
pub use progress::{HarvestProgress, HarvestTally, Until};
pub use rejudging::{relearn_drifted, report_edits};
pub use state::SiteState;
