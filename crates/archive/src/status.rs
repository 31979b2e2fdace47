//! The state of feeds and sites.

use super::feeds::{FeedRow, feed_columns, feed_of_row};
use super::read::ArchiveReader;
use super::sql::{Sql, list_of, time_in};
use crate::error::Result;
use chrono::{DateTime, Utc};
use rusqlite::{Row, params};

/// The number of articles of the mean confidence.
const RECENT: i64 = 20;

/// A feed and the counts of its items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedStatus {
    /// The feed.
    pub feed: FeedRow,
    /// Its items so far.
    pub items: u64,
    /// Pages of these that were visited.
    pub pages: u64,
    /// Their articles.
    pub articles: u64,
    /// The sites of these pages, by name.
    pub sites: Vec<String>,
}

/// A site and the state of its wrapper.
#[derive(Debug, Clone, PartialEq)]
pub struct SiteStatus {
    /// The site.
    pub site: String,
    /// Its articles.
    pub articles: u64,
    /// Its pages that were visited.
    pub pages: u64,
    /// The active wrapper: since when, and the reason.
    pub wrapper: Option<(DateTime<Utc>, String)>,
    /// Mean confidence of its newest articles.
    pub confidence: Option<f64>,
    /// The last verdict and its time; `None` before the first change.
    pub verdict: Option<(DateTime<Utc>, String)>,
    /// The number of times that its wrapper drifted.
    pub drifts: u64,
    /// The state of its watch, as JSON.
    pub watch: Option<String>,
}

impl ArchiveReader {
    /// The feeds with the counts of their items, by address, without removed ones.
    ///
    /// # Errors
    ///
    /// If the database cannot be read; so all of these.
    pub fn feed_statuses(&self) -> Result<Vec<FeedStatus>> {
        self.statuses_of_feeds("?1 = ''", "")
    }

    /// A feed with the counts of its items, by its address; `None` if it was removed or is not
    /// known.
    pub fn feed_status(&self, url: &str) -> Result<Option<FeedStatus>> {
        Ok(self.statuses_of_feeds("f.url = ?1", url)?.pop())
    }

    fn statuses_of_feeds(&self, condition: &str, value: &str) -> Result<Vec<FeedStatus>> {
        let sql = format!(
            "SELECT {}, count(i.item) AS items, \
             count(DISTINCT CASE WHEN g.visits > 0 THEN g.id END) AS pages, \
             count(DISTINCT g.article) AS articles, \
             json_group_array(DISTINCT g.site) FILTER (WHERE g.visits > 0 AND g.site != '') AS sites \
             FROM feeds f LEFT JOIN polls p ON p.feed = f.id LEFT JOIN items i ON i.feed = f.id \
             LEFT JOIN pages g ON g.id = i.page WHERE f.state != 'removed' AND {condition} \
             GROUP BY f.id ORDER BY f.url",
            feed_columns()
        );
        self.db.all(&sql, [value], |row| {
            let mut sites = list_of(row, "sites")?;
            sites.sort_unstable();
            Ok(FeedStatus {
                feed: feed_of_row(row)?,
                items: row.get("items")?,
                pages: row.get("pages")?,
                articles: row.get("articles")?,
                sites,
            })
        })
    }

    /// The sites whose pages were visited, by name.
    pub fn site_statuses(&self) -> Result<Vec<SiteStatus>> {
        self.statuses("> ''", "")
    }

    /// A site, if its pages were visited.
    pub fn site_status(&self, site: &str) -> Result<Option<SiteStatus>> {
        Ok(self.statuses("= ?1", site)?.pop())
    }

    /// The states of the sites with these names. All is read from indexes: an archive has a
    /// hundred thousand pages.
    fn statuses(&self, names: &str, value: &str) -> Result<Vec<SiteStatus>> {
        let sql = format!(
            "SELECT site, count(*) AS pages, \
             (SELECT count(*) FROM articles a WHERE a.site = p.site) AS articles \
             FROM pages p WHERE site {names} AND last_visit IS NOT NULL AND ?1 IS NOT NULL \
             GROUP BY site ORDER BY site"
        );
        let mut sites = self.db.all(&sql, [value], |row| {
            Ok(SiteStatus {
                site: row.get("site")?,
                articles: row.get("articles")?,
                pages: row.get("pages")?,
                wrapper: None,
                confidence: None,
                verdict: None,
                drifts: 0,
                watch: None,
            })
        })?;
        for status in &mut sites {
            let site = status.site.as_str();
            let sql =
                "SELECT since AS at, why FROM wrappers WHERE site = ?1 ORDER BY id DESC LIMIT 1";
            status.wrapper = self.latest_of_site(sql, site)?;
            let sql = "SELECT at, verdict FROM verdicts WHERE site = ?1 ORDER BY id DESC LIMIT 1";
            status.verdict = self.latest_of_site(sql, site)?;
            let sql = "SELECT count(*) FROM verdicts WHERE site = ?1 AND verdict = 'drift'";
            status.drifts = self.db.value(sql, [site])?.unwrap_or_default();
            let sql = "SELECT avg(json_extract(v.record, '$.confidence')) FROM (SELECT latest FROM articles \
                       WHERE site = ?1 ORDER BY first_seen DESC, key DESC LIMIT ?2) a \
                       JOIN versions v ON v.id = a.latest";
            status.confidence = self.db.value(sql, params![site, RECENT])?;
            let sql = "SELECT state FROM watches WHERE site = ?1";
            status.watch = self.db.value(sql, [site])?;
        }
        Ok(sites)
    }

    fn latest_of_site(&self, sql: &str, site: &str) -> Result<Option<(DateTime<Utc>, String)>> {
        let read = |row: &Row<'_>| Ok((time_in(row, "at")?, row.get(1)?));
        self.db.first(sql, [site], read)
    }
}
