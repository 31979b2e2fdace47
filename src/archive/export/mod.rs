//! The stored articles, for other programs.
//!
//! Takes what an [`ArchiveReader`](super::ArchiveReader) gives; gives
//! [articles](each_article) one by one
//! for whatever writes them, with the feature `parquet` columns, and
//! [feeds](crate::feed::write): a feed with the whole articles of its items, so that any
//! feed reader can subscribe to what the feed itself cuts; what was edited; and what
//! happened.
//!
//! The same archive gives the same bytes: articles in the order of sites, of when they
//! were first seen and of keys; times are the archive's, never the clock's.

mod articles;
mod duplicates;
mod events;
mod feeds;
mod pictures;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(test)]
mod tests;
mod wacz;
mod whole;

pub(crate) use articles::each_article;
pub use articles::{AddedField, ExportCounts, ExportOptions};
pub use events::events_channel;
pub use feeds::{changes_channel, versions_channel};
#[cfg(feature = "parquet")]
pub use parquet::parquet;
pub use pictures::serve_pictures;
pub use wacz::{WaczCounts, wacz};
pub use whole::{DEFAULT_ENTRIES, WhichItems, feed_channel, site_channel};
