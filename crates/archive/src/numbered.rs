//! The entries of feeds by their lasting numbers, for programs that keep a copy of them.
//!
//! They are [all entries](ArchiveReader::entries), each once for each feed that has it: of a feed's
//! items with one article or one page the first one counts. They stand in the order of that list, or
//! the other way round, and are read from place to place: nothing is loaded but what is asked for.

use super::entries::{EntryRange, FIRST_ITEM, ITEM_DATED, ITEMS, ListPlace};
use super::read::ArchiveReader;
use super::sql::{Sql, time_in, time_of};
use crate::error::Result;
use chrono::{DateTime, Utc};
use std::collections::HashMap;
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;
use std::sync::Arc;

/// An entry of a feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberedEntry {
    /// Its lasting number, 63 bits.
    pub number: i64,
    /// The address of its feed.
    pub feed: Arc<str>,
    /// Its number in the list: see [`ListedEntry`](super::ListedEntry), as for the next two.
    pub listed: i64,
    pub key: String,
    pub dated: DateTime<Utc>,
    /// When the feed had it and its article was stored; without an article, when its page was
    /// visited first.
    pub stored: DateTime<Utc>,
}

/// The place of an entry among all: no two have the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryPlace {
    listed: ListPlace,
    number: i64,
}

impl EntryPlace {
    pub fn of(entry: &NumberedEntry) -> EntryPlace {
        EntryPlace {
            listed: ListPlace {
                dated_ms: entry.dated.timestamp_millis(),
                id: entry.listed,
            },
            number: entry.number,
        }
    }
}

impl fmt::Display for EntryPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.listed, self.number)
    }
}

impl FromStr for EntryPlace {
    type Err = ParseIntError;

    fn from_str(text: &str) -> std::result::Result<EntryPlace, ParseIntError> {
        let (listed, number) = text.rsplit_once('_').unwrap_or_default();
        Ok(EntryPlace {
            listed: listed.parse()?,
            number: number.parse()?,
        })
    }
}

/// The order of entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EntryOrder {
    #[default]
    NewestFirst,
    OldestFirst,
}

/// The entries that are asked for.
#[derive(Debug, Clone, Default)]
pub struct EntryQuery {
    /// Of feeds with these addresses; `None`: of all that were not removed.
    pub feeds: Option<Vec<String>>,
    /// Behind this place.
    pub after: Option<EntryPlace>,
    /// In this order.
    pub order: EntryOrder,
    /// Stored at this time or later.
    pub since: Option<DateTime<Utc>>,
    /// Stored at this time or earlier.
    pub until: Option<DateTime<Utc>>,
}

impl EntryQuery {
    fn is_of_time(&self, stored: DateTime<Utc>) -> bool {
        let is_late = self.since.is_none_or(|since| stored >= since);
        is_late && self.until.is_none_or(|until| stored <= until)
    }

    /// True if an entry stands behind the place from which the query goes on.
    fn is_behind(&self, entry: &NumberedEntry) -> bool {
        self.after.is_none_or(|after| {
            let is_of_place = EntryPlace::of(entry).listed == after.listed;
            !is_of_place
                || match self.order {
                    EntryOrder::NewestFirst => entry.number > after.number,
                    EntryOrder::OldestFirst => entry.number < after.number,
                }
        })
    }

    /// The stretch of the list from the place on, that of the place included.
    fn range(&self) -> EntryRange {
        let place = self.after.map(|after| after.listed);
        let range = EntryRange {
            feeds: self.feeds.clone(),
            ..EntryRange::default()
        };
        match self.order {
            EntryOrder::NewestFirst => EntryRange {
                after: place.map(ListPlace::just_before),
                ..range
            },
            EntryOrder::OldestFirst => EntryRange {
                until: place,
                from_end: true,
                ..range
            },
        }
    }
}

/// The entry of an article in each feed that has it, by number.
const OF_ARTICLE: &str = "SELECT min(i.number) AS number, i.feed, max(i.first_seen, a.first_seen) AS stored \
    FROM articles a JOIN pages g ON g.article = a.id JOIN items i ON i.page = g.id \
    WHERE a.id = ?1 GROUP BY i.feed ORDER BY 1";

/// When the page of an item was visited first; when the item was first seen, without one.
const VISITED: &str = "coalesce((SELECT min(at) FROM fetches WHERE page = g.id), i.first_seen)";

impl ArchiveReader {
    /// Entries in their order, until `each` returns false: those of articles whose key is `wanted`.
    ///
    /// # Errors
    ///
    /// If the database cannot be read; so both of these.
    pub fn each_numbered_entry(
        &self,
        query: &EntryQuery,
        mut wanted: impl FnMut(&str) -> bool,
        mut each: impl FnMut(NumberedEntry) -> bool,
    ) -> Result<()> {
        let feeds = self.feeds_of(query)?;
        self.each_placed(&query.range(), |place, key| {
            if !wanted(&key) {
                return Ok(true);
            }
            let mut entries = self.entries_at(place, &key, &feeds)?;
            if query.order == EntryOrder::OldestFirst {
                entries.reverse();
            }
            entries.retain(|entry| query.is_behind(entry) && query.is_of_time(entry.stored));
            Ok(entries.into_iter().all(&mut each))
        })
    }

    /// An entry by its number, whatever became of its feed.
    pub fn numbered_entry(&self, number: i64) -> Result<Option<NumberedEntry>> {
        let of_article = "SELECT i.number, f.url, a.id AS listed, a.key, a.dated, \
             max(i.first_seen, a.first_seen) AS stored FROM items i JOIN feeds f ON f.id = i.feed \
             JOIN pages g ON g.id = i.page JOIN articles a ON a.id = g.article \
             WHERE i.number = ?1 AND a.latest IS NOT NULL";
        let of_item = format!(
            "SELECT i.number, f.url, i.number AS listed, coalesce(g.key, i.entry) AS key, \
             {ITEM_DATED} AS dated, max(i.first_seen, {VISITED}) AS stored FROM {ITEMS} AND i.number = ?1"
        );
        for sql in [of_article, &of_item] {
            let found = self.db.first(sql, [number], |row| {
                Ok(NumberedEntry {
                    number: row.get("number")?,
                    feed: row.get::<_, String>("url")?.into(),
                    listed: row.get("listed")?,
                    key: row.get("key")?,
                    dated: time_in(row, "dated")?,
                    stored: time_in(row, "stored")?,
                })
            })?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The addresses of the feeds of a query, by number.
    fn feeds_of(&self, query: &EntryQuery) -> Result<HashMap<i64, Arc<str>>> {
        let sql = "SELECT id, url FROM feeds WHERE state != 'removed'";
        let all: Vec<(i64, String)> = self.db.all(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let is_asked = |url: &String| query.feeds.as_ref().is_none_or(|urls| urls.contains(url));
        let asked = all.into_iter().filter(|(_, url)| is_asked(url));
        Ok(asked.map(|(id, url)| (id, url.into())).collect())
    }

    /// The entries at a place of the list in these feeds, by number.
    fn entries_at(
        &self,
        place: ListPlace,
        key: &str,
        feeds: &HashMap<i64, Arc<str>>,
    ) -> Result<Vec<NumberedEntry>> {
        let of_item = format!(
            "SELECT min(i.number) AS number, i.feed, max(i.first_seen, {VISITED}) AS stored FROM {ITEMS} \
             AND (i.number = ?1 OR i.page = (SELECT page FROM items WHERE number = ?1)) \
             GROUP BY i.feed ORDER BY 1"
        );
        let sql = if place.id < FIRST_ITEM {
            OF_ARTICLE
        } else {
            &of_item
        };
        let found = self.db.all(sql, [place.id], |row| {
            let Some(feed) = feeds.get(&row.get("feed")?) else {
                return Ok(None);
            };
            Ok(Some(NumberedEntry {
                number: row.get("number")?,
                feed: Arc::clone(feed),
                listed: place.id,
                key: key.to_owned(),
                dated: time_of(place.dated_ms),
                stored: time_in(row, "stored")?,
            }))
        })?;
        Ok(found.into_iter().flatten().collect())
    }
}
