//! The figures of a site.

use super::feeds::SAVED_PAGES;
use super::read::ArchiveReader;
use super::sql::{Sql, time_in};
use crate::error::Result;
use chrono::{DateTime, Utc};
use rusqlite::params;

/// The figures of a site's pages.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SiteFigures {
    /// The confidence in pages, 0 to 1, by the times of their visits, the oldest first.
    pub confidence: Vec<(DateTime<Utc>, f64)>,
    /// Visited pages by the status of their last visit, the most frequent first.
    pub pages: Vec<(String, u64)>,
    /// Verdicts with their times and reasons, the latest first.
    pub verdicts: Vec<(DateTime<Utc>, String, String)>,
    /// The errors of the pages that were visited last, and their numbers.
    pub errors: Vec<(String, u64)>,
    /// The feeds that lead to its pages, and their states.
    pub feeds: Vec<(String, String)>,
}

/// Visits whose confidence is shown, of as many pages that were visited last.
const PLOTTED: usize = 300;

/// Refused pages that are named.
const MAX_REFUSED: usize = 1000;

/// Verdicts that are shown.
const JUDGED: usize = 20;

/// Pages that were visited last and whose errors are counted.
const FAILED: usize = 1000;

impl ArchiveReader {
    /// The figures of a site.
    ///
    /// # Errors
    ///
    /// If the database cannot be read; so all of these.
    pub fn site_figures(&self, site: &str) -> Result<SiteFigures> {
        let sql = "SELECT f.at, f.confidence FROM (SELECT id FROM pages WHERE site = ?1 \
                   AND last_visit IS NOT NULL ORDER BY last_visit DESC LIMIT ?2) p \
                   JOIN fetches f ON f.page = p.id \
                   WHERE f.confidence IS NOT NULL ORDER BY f.id DESC LIMIT ?2";
        let mut confidence = self.db.all(sql, params![site, PLOTTED], |row| {
            Ok((time_in(row, "at")?, row.get(1)?))
        })?;
        confidence.reverse();
        let sql = "SELECT status, count(*) FROM pages WHERE site = ?1 AND visits > 0 \
                   AND status IS NOT NULL GROUP BY status ORDER BY count(*) DESC, status";
        let pages = self
            .db
            .all(sql, [site], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let sql = "SELECT at, verdict, why FROM verdicts WHERE site = ?1 ORDER BY id DESC LIMIT ?2";
        let verdicts = self.db.all(sql, params![site, JUDGED], |row| {
            Ok((time_in(row, "at")?, row.get(1)?, row.get(2)?))
        })?;
        let sql = "SELECT error, count(*) FROM (SELECT f.error FROM (SELECT id FROM pages WHERE site = ?1 \
                   AND last_visit IS NOT NULL ORDER BY last_visit DESC LIMIT ?2) p \
                   JOIN fetches f ON f.page = p.id \
                   WHERE f.error IS NOT NULL ORDER BY f.id DESC LIMIT ?2) \
                   GROUP BY error ORDER BY count(*) DESC, error LIMIT 10";
        let errors = self.db.all(sql, params![site, FAILED], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
        let sql = "SELECT DISTINCT f.url, f.state FROM pages p JOIN items i ON i.page = p.id \
                   JOIN feeds f ON f.id = i.feed WHERE p.site = ?1 AND f.state != 'removed' AND f.url != ?2 \
                   ORDER BY f.url LIMIT 50";
        let feeds = self.db.all(sql, [site, SAVED_PAGES], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
        Ok(SiteFigures {
            confidence,
            pages,
            verdicts,
            errors,
            feeds,
        })
    }

    /// The pages of a site that it refused at their last visit, the latest first.
    pub fn refused_pages(&self, site: &str) -> Result<Vec<String>> {
        let sql = "SELECT url FROM pages WHERE site = ?1 AND article IS NULL AND status = 'blocked' \
                   ORDER BY last_visit DESC LIMIT ?2";
        self.db
            .all(sql, params![site, MAX_REFUSED], |row| row.get(0))
    }

    /// Returns true if a page of a site has an address with https.
    pub fn has_https(&self, site: &str) -> Result<bool> {
        let sql = "SELECT EXISTS (SELECT 1 FROM pages WHERE site = ?1 AND url LIKE 'https:%')";
        Ok(self.db.value(sql, [site])?.unwrap_or_default())
    }

    /// The last [`changed`](super::ArticleVersion::changed) of all versions.
    pub fn last_changed(&self) -> Result<i64> {
        let last = self.db.value("SELECT max(changed) FROM versions", [])?;
        Ok(last.unwrap_or_default())
    }
}
