//! What is to be done now, and when the next thing is.

use super::read::{FeedRow, feed_row};
use super::store::time_of;
use super::{Archive, Poll};
use crate::error::Result;
use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, params};

/// A page that is to be visited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuePage {
    /// Its number in the archive.
    pub id: i64,
    /// Its address.
    pub url: String,
}

const FEED: &str = "SELECT f.url, f.state, f.title, f.why, f.added, p.last, p.success, p.next, p.rhythm, \
    p.failures, p.error, p.etag, p.last_modified, p.sha256, p.moved, f.typed \
    FROM polls p JOIN feeds f ON f.id = p.feed WHERE f.state = 'active'";

impl Archive {
    /// Active feeds whose time has come, the longest waiting first.
    ///
    /// # Errors
    ///
    /// If the database cannot be read; so all of these.
    pub fn due_feeds(&self, now: DateTime<Utc>, most: usize) -> Result<Vec<FeedRow>> {
        self.feed_rows(
            &format!("{FEED} AND p.next <= ?1 ORDER BY p.next, f.id LIMIT ?2"),
            now,
            most,
        )
    }

    /// Active feeds that were polled in what is now the future.
    pub fn feeds_ahead(&self, now: DateTime<Utc>) -> Result<Vec<FeedRow>> {
        self.feed_rows(
            &format!("{FEED} AND p.last > ?1 ORDER BY f.id LIMIT ?2"),
            now,
            usize::MAX >> 1,
        )
    }

    fn feed_rows(&self, sql: &str, now: DateTime<Utc>, most: usize) -> Result<Vec<FeedRow>> {
        let mut rows = self.db.prepare_cached(sql)?;
        let rows = rows.query_map(params![now.timestamp_millis(), most], feed_row)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Pages whose time has come, new ones first, in the order in which they were seen.
    /// A page that was never visited waits for no clock.
    pub fn due_pages(&self, now: DateTime<Utc>, most: usize) -> Result<Vec<DuePage>> {
        let page = |row: &rusqlite::Row<'_>| {
            Ok(DuePage {
                id: row.get(0)?,
                url: row.get(1)?,
            })
        };
        let sql = "SELECT id, url FROM pages WHERE visits = 0 AND next_visit IS NOT NULL ORDER BY id LIMIT ?1";
        let mut rows = self.db.prepare_cached(sql)?;
        let mut found: Vec<DuePage> = rows.query_map([most], page)?.collect::<Result<_, _>>()?;
        let sql = "SELECT id, url FROM pages WHERE next_visit IS NOT NULL AND next_visit <= ?1 AND visits > 0 \
                   ORDER BY next_visit, id LIMIT ?2";
        let mut rows = self.db.prepare_cached(sql)?;
        let rows = rows.query_map(params![now.timestamp_millis(), most - found.len()], page)?;
        found.extend(rows.collect::<Result<Vec<_>, _>>()?);
        Ok(found)
    }

    /// When the next feed or page is due.
    pub fn next_due(&self) -> Result<Option<DateTime<Utc>>> {
        let sql = "SELECT min(next) FROM (\
                   SELECT min(p.next) AS next FROM polls p JOIN feeds f ON f.id = p.feed WHERE f.state = 'active' \
                   UNION ALL SELECT min(next_visit) FROM pages WHERE next_visit IS NOT NULL)";
        let next: Option<i64> = self
            .db
            .prepare_cached(sql)?
            .query_row([], |row| row.get(0))?;
        Ok(next.map(time_of))
    }

    /// The digest of what a feed said of an item when it was read last.
    pub fn item_digest(&self, feed: &str, item: &str) -> Result<Option<String>> {
        let sql = "SELECT i.digest FROM items i JOIN feeds f ON f.id = i.feed WHERE f.url = ?1 AND i.item = ?2";
        let found = self
            .db
            .prepare_cached(sql)?
            .query_row([feed, item], |row| row.get(0));
        Ok(found.optional()?)
    }

    /// Title and summary that a feed gave a page, of several the latest.
    pub fn said_of(&self, page: i64) -> Result<Option<(String, String)>> {
        let sql = "SELECT title, summary FROM items WHERE page = ?1 ORDER BY first_seen DESC, feed, item LIMIT 1";
        let found = self
            .db
            .prepare_cached(sql)?
            .query_row([page], |row| Ok((row.get(0)?, row.get(1)?)));
        Ok(found.optional()?)
    }

    /// Pages of a site with an article, and those that are to be visited for the first
    /// time.
    pub fn page_counts(&self, site: &str) -> Result<(u64, u64)> {
        let sql = "SELECT count(*) FILTER (WHERE raw IS NOT NULL AND status NOT IN ('blocked', 'error', 'empty')), \
                   count(*) FILTER (WHERE visits = 0 AND next_visit IS NOT NULL) FROM pages WHERE site = ?1";
        let counts = self
            .db
            .prepare_cached(sql)?
            .query_row([site], |row| Ok((row.get(0)?, row.get(1)?)));
        Ok(counts?)
    }

    /// How a site is watched, as JSON.
    pub fn watch(&self, site: &str) -> Result<Option<String>> {
        let sql = "SELECT state FROM watches WHERE site = ?1";
        Ok(self
            .db
            .prepare_cached(sql)?
            .query_row([site], |row| row.get(0))
            .optional()?)
    }

    /// The wrapper of a site that is in force: the digest of its file.
    pub fn wrapper_in_force(&self, site: &str) -> Result<Option<String>> {
        let sql = "SELECT sha256 FROM wrappers WHERE site = ?1 ORDER BY id DESC LIMIT 1";
        Ok(self
            .db
            .prepare_cached(sql)?
            .query_row([site], |row| row.get(0))
            .optional()?)
    }

    /// How the feed is polled; `None` for one that is not there.
    pub fn poll(&self, feed: &str) -> Result<Option<Poll>> {
        let found = self.feed(feed)?;
        Ok(found.map(|feed| feed.poll))
    }

    /// A feed by its address, whatever its state.
    pub fn feed(&self, url: &str) -> Result<Option<FeedRow>> {
        let sql = "SELECT f.url, f.state, f.title, f.why, f.added, p.last, p.success, p.next, p.rhythm, \
                   p.failures, p.error, p.etag, p.last_modified, p.sha256, p.moved, f.typed \
                   FROM feeds f LEFT JOIN polls p ON p.feed = f.id WHERE f.url = ?1";
        Ok(self
            .db
            .prepare_cached(sql)?
            .query_row([url], feed_row)
            .optional()?)
    }
}
