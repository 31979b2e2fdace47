//! The entries of feeds by their lasting numbers, for programs that keep a copy of them.
//!
//! An entry is an item of a feed with a stored article. Of a feed's items with one article the
//! first one counts. They stand as their articles do among [all entries](ArchiveReader::entries), or the
//! other way round, and are read from place to place: nothing is loaded but what is asked for.

use super::entries::articles_of_feeds;
use super::read::ArchiveReader;
use super::sql::{Sql, time_in, time_of};
use crate::error::Result;
use chrono::{DateTime, Utc};
use rusqlite::{Row, params_from_iter, types::Value};
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
    /// The number of its article in the archive.
    pub article: i64,
    /// The key of its article.
    pub key: String,
    /// The time by which its article is listed: see [`ListedEntry`](super::ListedEntry).
    pub dated: DateTime<Utc>,
    /// When the feed had it and its article was stored.
    pub stored: DateTime<Utc>,
}

/// The place of an entry among all: no two have the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryPlace {
    dated_ms: i64,
    article: i64,
    number: i64,
}

impl EntryPlace {
    pub fn of(entry: &NumberedEntry) -> EntryPlace {
        EntryPlace {
            dated_ms: entry.dated.timestamp_millis(),
            article: entry.article,
            number: entry.number,
        }
    }
}

impl fmt::Display for EntryPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}_{}", self.dated_ms, self.article, self.number)
    }
}

impl FromStr for EntryPlace {
    type Err = ParseIntError;

    fn from_str(text: &str) -> std::result::Result<EntryPlace, ParseIntError> {
        let (dated_ms, rest) = text.split_once('_').unwrap_or_default();
        let (article, number) = rest.split_once('_').unwrap_or_default();
        Ok(EntryPlace {
            dated_ms: dated_ms.parse()?,
            article: article.parse()?,
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

    /// The place behind which the first entry stands.
    fn start(&self) -> EntryPlace {
        self.after.unwrap_or(match self.order {
            EntryOrder::NewestFirst => EntryPlace {
                dated_ms: i64::MAX,
                article: 0,
                number: 0,
            },
            EntryOrder::OldestFirst => EntryPlace {
                dated_ms: i64::MIN,
                article: i64::MAX,
                number: i64::MAX,
            },
        })
    }

    /// The statement for the articles from a place on, that of the place included.
    fn articles_sql(&self) -> String {
        let (at, before, order) = match self.order {
            EntryOrder::NewestFirst => ("<=", "a.dated < ?1 OR a.id >= ?2", "a.dated DESC, a.id"),
            EntryOrder::OldestFirst => (">=", "a.dated > ?1 OR a.id <= ?2", "a.dated, a.id DESC"),
        };
        let of_feeds = articles_of_feeds(self.feeds.as_ref().map(|_| 3));
        format!(
            "SELECT a.id AS article, a.key, a.dated, a.first_seen FROM articles a \
             WHERE a.dated {at} ?1 AND ({before}) AND a.latest IS NOT NULL {of_feeds} ORDER BY {order}"
        )
    }
}

/// The entry of an item in each feed with an article, by number.
const OF_ARTICLE: &str = "SELECT min(i.number) AS number, i.feed, i.first_seen FROM pages g \
    JOIN items i ON i.page = g.id WHERE g.article = ?1 GROUP BY i.feed ORDER BY 1";

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
        let start = query.start();
        let mut values: Vec<Value> = vec![start.dated_ms.into(), start.article.into()];
        if let Some(urls) = &query.feeds {
            let urls = serde_json::to_string(urls).expect("addresses are strings");
            values.push(urls.into());
        }
        let mut statement = self.db.prepare_cached(&query.articles_sql())?;
        let mut rows = statement.query(params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            if !wanted(row.get_ref("key")?.as_str().unwrap_or_default()) {
                continue;
            }
            let mut entries = self.entries_of(row, &feeds)?;
            if query.order == EntryOrder::OldestFirst {
                entries.reverse();
            }
            if row.get::<_, i64>("article")? == start.article {
                entries.retain(|entry| match query.order {
                    EntryOrder::NewestFirst => entry.number > start.number,
                    EntryOrder::OldestFirst => entry.number < start.number,
                });
            }
            entries.retain(|entry| query.is_of_time(entry.stored));
            for entry in entries {
                if !each(entry) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// An entry by its number, whatever became of its feed.
    pub fn numbered_entry(&self, number: i64) -> Result<Option<NumberedEntry>> {
        let sql = "SELECT i.number, f.url, a.id AS article, a.key, a.dated, \
                   max(i.first_seen, a.first_seen) AS stored FROM items i JOIN feeds f ON f.id = i.feed \
                   JOIN pages g ON g.id = i.page JOIN articles a ON a.id = g.article \
                   WHERE i.number = ?1 AND a.latest IS NOT NULL";
        self.db.first(sql, [number], |row| {
            Ok(NumberedEntry {
                number: row.get("number")?,
                feed: row.get::<_, String>("url")?.into(),
                article: row.get("article")?,
                key: row.get("key")?,
                dated: time_in(row, "dated")?,
                stored: time_in(row, "stored")?,
            })
        })
    }

    /// The addresses of the feeds of a query, by number.
    fn feeds_of(&self, query: &EntryQuery) -> Result<HashMap<i64, Arc<str>>> {
        let sql = "SELECT id, url FROM feeds WHERE state != 'removed'";
        let all: Vec<(i64, String)> = self.db.all(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let is_asked = |url: &String| query.feeds.as_ref().is_none_or(|urls| urls.contains(url));
        let asked = all.into_iter().filter(|(_, url)| is_asked(url));
        Ok(asked.map(|(id, url)| (id, url.into())).collect())
    }

    /// The entries of an article's row in these feeds, by number.
    fn entries_of(
        &self,
        article: &Row<'_>,
        feeds: &HashMap<i64, Arc<str>>,
    ) -> Result<Vec<NumberedEntry>> {
        let id: i64 = article.get("article")?;
        let (key, dated): (String, _) = (article.get("key")?, time_in(article, "dated")?);
        let first_seen: i64 = article.get("first_seen")?;
        let found = self.db.all(OF_ARTICLE, [id], |row| {
            let Some(feed) = feeds.get(&row.get("feed")?) else {
                return Ok(None);
            };
            Ok(Some(NumberedEntry {
                number: row.get("number")?,
                feed: Arc::clone(feed),
                article: id,
                key: key.clone(),
                dated,
                stored: time_of(first_seen.max(row.get("first_seen")?)),
            }))
        })?;
        Ok(found.into_iter().flatten().collect())
    }
}
