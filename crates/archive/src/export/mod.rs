//! The stored articles, for other programs.
//!
//! Takes an [`ArchiveReader`](super::ArchiveReader); gives [articles](each_article) one by
//! one, with the feature `parquet` columns, and [feeds](forest_core::feed::write). There are three
//! kinds of feeds: the items of a feed with their whole articles, for any feed reader; edits;
//! and events.
//!
//! The same archive gives the same bytes. Articles are ordered by site, by the time at which
//! they were first seen, and by key; times are the archive's, never the clock's.

mod articles;
mod cdx;
mod duplicates;
mod epub;
mod events;
mod feeds;
mod fuller;
mod held;
mod numbered;
mod pictures;
mod records;
mod shared_pages;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(test)]
mod tests;
mod wacz;
mod whole;

pub use articles::{AddedField, ExportCounts, ExportOptions};
pub use articles::{each_article, names_at};
pub use cdx::cdx_lines;
pub use epub::{EpubCounts, MAX_EPUB_ARTICLES, epub};
pub use events::events_channel;
pub use feeds::{changes_channel, versions_channel};
pub use fuller::ArticleItems;
pub use held::HeldPayloads;
pub use numbered::EntryRenderer;
#[cfg(feature = "parquet")]
pub use parquet::parquet;
pub use pictures::serve_pictures;
pub use shared_pages::find_shared_links;
pub use wacz::{WaczCounts, wacz};
pub use whole::{DEFAULT_ENTRIES, WhichItems, feed_channel, site_channel};
