//! Articles in the order in which they were published, and the figures of a site.

use super::read::{ArchiveReader, StoredArticle, article_of_row};
use super::sql::{Sql, status_of, time_in};
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_core::extract::Status;
use rusqlite::{params, params_from_iter, types::Value};
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

/// An article in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedArticle {
    /// The article.
    pub article: StoredArticle,
    /// The title of its latest version.
    pub title: Option<String>,
    /// The status of its latest version.
    pub status: Option<Status>,
    /// When it was published; when it was first seen, if that is not known or would be later.
    pub dated: DateTime<Utc>,
}

/// An article's place in the list of all, the newest first. Of those of one time, the one that was
/// stored first stands first: a feed begins with its newest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListPlace {
    dated_ms: i64,
    id: i64,
}

impl ListPlace {
    /// Before all articles.
    const START: ListPlace = ListPlace {
        dated_ms: i64::MAX,
        id: 0,
    };

    pub fn of(listed: &ListedArticle) -> ListPlace {
        ListPlace {
            dated_ms: listed.dated.timestamp_millis(),
            id: listed.article.id,
        }
    }
}

impl fmt::Display for ListPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.dated_ms, self.id)
    }
}

impl FromStr for ListPlace {
    type Err = ParseIntError;

    fn from_str(text: &str) -> std::result::Result<ListPlace, ParseIntError> {
        let (dated_ms, id) = text.split_once('_').unwrap_or_default();
        Ok(ListPlace {
            dated_ms: dated_ms.parse()?,
            id: id.parse()?,
        })
    }
}

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

/// Verdicts that are shown.
const JUDGED: usize = 20;

/// Pages that were visited last and whose errors are counted.
const FAILED: usize = 1000;

impl ArchiveReader {
    /// The articles that stand after a place, the newest first, of these feeds or of all: those
    /// whose key is `wanted`, `most` of them.
    ///
    /// # Errors
    ///
    /// If the database cannot be read; so all of these.
    pub fn newest(
        &self,
        feeds: Option<&[String]>,
        after: Option<ListPlace>,
        most: usize,
        mut wanted: impl FnMut(&str) -> bool,
    ) -> Result<Vec<ListedArticle>> {
        let after = after.unwrap_or(ListPlace::START);
        let mut values: Vec<Value> = vec![after.dated_ms.into(), after.id.into()];
        let of_feeds = feeds.map_or("", |urls| {
            let urls = serde_json::to_string(urls).expect("addresses are strings");
            values.push(urls.into());
            "AND a.id IN (SELECT g.article FROM feeds f JOIN items i ON i.feed = f.id \
             JOIN pages g ON g.id = i.page WHERE f.url IN (SELECT value FROM json_each(?3)))"
        });
        let sql = format!(
            "SELECT a.id, a.key FROM articles a WHERE a.dated <= ?1 AND (a.dated < ?1 OR a.id > ?2) \
             AND a.latest IS NOT NULL {of_feeds} ORDER BY a.dated DESC, a.id"
        );
        let mut statement = self.db.prepare_cached(&sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
        let mut found = Vec::new();
        while found.len() < most {
            let Some(row) = rows.next()? else { break };
            if wanted(row.get_ref("key")?.as_str().unwrap_or_default()) {
                found.extend(self.listed(row.get("id")?)?);
            }
        }
        Ok(found)
    }

    /// An article as it is listed.
    pub fn listed(&self, id: i64) -> Result<Option<ListedArticle>> {
        let sql = "SELECT a.id AS article, a.key, a.url, a.site, a.first_seen, a.versions, a.dated, v.status, \
                   json_extract(v.record, '$.title') AS title \
                   FROM articles a JOIN versions v ON v.id = a.latest WHERE a.id = ?1";
        self.db.first(sql, [id], |row| {
            Ok(ListedArticle {
                article: article_of_row(row)?,
                title: row.get("title")?,
                status: status_of(row)?,
                dated: time_in(row, "dated")?,
            })
        })
    }

    /// The figures of a site.
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
                   JOIN feeds f ON f.id = i.feed WHERE p.site = ?1 AND f.state != 'removed' \
                   ORDER BY f.url LIMIT 50";
        let feeds = self
            .db
            .all(sql, [site], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(SiteFigures {
            confidence,
            pages,
            verdicts,
            errors,
            feeds,
        })
    }

    /// The last [`changed`](super::ArticleVersion::changed) of all versions.
    pub fn last_changed(&self) -> Result<i64> {
        let last = self.db.value("SELECT max(changed) FROM versions", [])?;
        Ok(last.unwrap_or_default())
    }
}
