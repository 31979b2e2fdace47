//! What is stored, for other programs.
//!
//! Takes what a [`Reader`] gives; gives lines of JSON, with the feature
//! `parquet` columns, and [feeds](crate::feed::write): a feed with the whole articles of its
//! items, so that any feed reader can subscribe to what the feed itself cuts; what was
//! edited; and what happened.
//!
//! The same archive gives the same bytes: articles in the order of sites, of when they
//! were first seen and of keys; times are the archive's, never the clock's.

mod events;
mod feeds;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(test)]
mod tests;
mod wacz;
mod whole;

use super::{Filter, Reader};
use crate::error::{Kind, Result};
use std::io::{self, Write};

pub use events::events_channel;
pub use feeds::{article_entry, change_entry, changes_channel, versions_channel};
#[cfg(feature = "parquet")]
pub use parquet::parquet;
pub use wacz::{WaczCounts, wacz};
pub use whole::{DEFAULT_ENTRIES, WhichItems, feed_channel, site_channel};

/// Writes the latest version of each article as a line of JSON, the
/// [record](crate::extract::Article). Gives their number.
///
/// # Errors
///
/// If the archive cannot be read or `out` cannot be written.
pub fn jsonl(archive: &Reader, filter: &Filter, out: &mut dyn Write) -> Result<usize> {
    let mut count = 0;
    archive.each_latest(filter, &mut |_, version| {
        count += 1;
        let mut line = serde_json::to_vec(&version.record).expect("all keys are strings");
        line.push(b'\n');
        out.write_all(&line).map_err(failed)
    })?;
    Ok(count)
}

fn failed(source: io::Error) -> crate::Error {
    Kind::Export { source }.into()
}
