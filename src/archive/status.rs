//! How feeds and sites are doing.

use super::read::{ArchiveReader, FeedRow, feed_columns, feed_row};
use super::store::time_of;
use crate::error::Result;
use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, params};

/// Articles of which the confidence is the mean.
const RECENT: i64 = 20;

/// A feed and what it brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedStatus {
    /// The feed.
    pub feed: FeedRow,
    /// Items that it had so far.
    pub items: u64,
    /// Pages of these that were visited.
    pub pages: u64,
    /// Their articles.
    pub articles: u64,
    /// The sites of these pages, by name.
    pub sites: Vec<String>,
}

/// A site and what is thought of its wrapper.
#[derive(Debug, Clone, PartialEq)]
pub struct SiteStatus {
    /// The site.
    pub site: String,
    /// Its articles.
    pub articles: u64,
    /// Its pages that were visited.
    pub pages: u64,
    /// The wrapper in force: since when, and why it came.
    pub wrapper: Option<(DateTime<Utc>, String)>,
    /// Mean confidence of its newest articles.
    pub confidence: Option<f64>,
    /// The last verdict and since when; none while nothing has changed.
    pub verdict: Option<(DateTime<Utc>, String)>,
    /// How often its wrapper drifted.
    pub drifts: u64,
    /// How it is watched, as JSON.
    pub watch: Option<String>,
}

impl ArchiveReader {
    /// The feeds with what they brought, by address; those that were removed are not
    /// among them.
    ///
    /// # Errors
    ///
    /// If the database cannot be read; so all of these.
    pub fn feed_statuses(&self) -> Result<Vec<FeedStatus>> {
        let sql = format!(
            "SELECT {}, count(i.item), count(DISTINCT CASE WHEN g.visits > 0 THEN g.id END), \
             count(DISTINCT g.article), \
             json_group_array(DISTINCT g.site) FILTER (WHERE g.visits > 0 AND g.site != '') \
             FROM feeds f LEFT JOIN polls p ON p.feed = f.id LEFT JOIN items i ON i.feed = f.id \
             LEFT JOIN pages g ON g.id = i.page WHERE f.state != 'removed' \
             GROUP BY f.id ORDER BY f.url",
            feed_columns()
        );
        let mut rows = self.db.prepare_cached(&sql)?;
        let rows = rows.query_map([], |row| {
            let sites: String = row.get(23)?;
            let mut sites: Vec<String> = serde_json::from_str(&sites).unwrap_or_default();
            sites.sort_unstable();
            Ok(FeedStatus {
                feed: feed_row(row)?,
                items: row.get(20)?,
                pages: row.get(21)?,
                articles: row.get(22)?,
                sites,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The sites whose pages were visited, by name.
    pub fn site_statuses(&self) -> Result<Vec<SiteStatus>> {
        let sql = "SELECT site, count(*), count(DISTINCT article) FROM pages WHERE visits > 0 AND site != '' \
                   GROUP BY site ORDER BY site";
        let mut rows = self.db.prepare_cached(sql)?;
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let sites: Vec<(String, u64, u64)> = rows.collect::<Result<_, _>>()?;
        let mut found = Vec::with_capacity(sites.len());
        for (site, pages, articles) in sites {
            let sql = "SELECT since, why FROM wrappers WHERE site = ?1 ORDER BY id DESC LIMIT 1";
            let wrapper = self.latest(sql, &site)?;
            let sql = "SELECT at, verdict FROM verdicts WHERE site = ?1 ORDER BY id DESC LIMIT 1";
            let verdict = self.latest(sql, &site)?;
            let sql = "SELECT count(*) FROM verdicts WHERE site = ?1 AND verdict = 'drift'";
            let drifts = self
                .db
                .prepare_cached(sql)?
                .query_row([&site], |row| row.get(0))?;
            let sql = "SELECT avg(c) FROM (SELECT json_extract(v.record, '$.confidence') AS c FROM articles a \
                       JOIN versions v ON v.id = a.latest WHERE a.site = ?1 ORDER BY v.id DESC LIMIT ?2)";
            let confidence = self
                .db
                .prepare_cached(sql)?
                .query_row(params![site, RECENT], |row| row.get(0))?;
            let sql = "SELECT state FROM watches WHERE site = ?1";
            let watch = self
                .db
                .prepare_cached(sql)?
                .query_row([&site], |row| row.get(0))
                .optional()?;
            found.push(SiteStatus {
                watch,
                site,
                articles,
                pages,
                wrapper,
                confidence,
                verdict,
                drifts,
            });
        }
        Ok(found)
    }

    fn latest(&self, sql: &str, site: &str) -> Result<Option<(DateTime<Utc>, String)>> {
        let found = self
            .db
            .prepare_cached(sql)?
            .query_row([site], |row| Ok((time_of(row.get(0)?), row.get(1)?)));
        Ok(found.optional()?)
    }
}
