//! The past events of an archive, by their kinds.

use super::event_kind::EventKind;
use super::read::ArchiveReader;
use super::sql::{Sql, time_in};
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_html::address::site_of;
use rusqlite::params;
use std::cmp::Reverse;

/// An event of a kind that a person may want to know of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastEvent {
    /// When.
    pub at: DateTime<Utc>,
    /// Its kind.
    pub kind: EventKind,
    /// The site.
    pub site: String,
    /// The address of the article or of the feed.
    pub url: Option<String>,
    /// The article's title.
    pub title: Option<String>,
    /// The number of the article's version.
    pub version: Option<u32>,
    /// The reason or the target; may be empty.
    pub why: String,
}

const ARTICLES: &str = "SELECT v.at, a.site, a.url, json_extract(v.record, '$.title') AS title, \
    v.number, '' AS why FROM versions v JOIN articles a ON a.id = v.article \
    WHERE (?1 IS NULL OR a.site = ?1)";
const VERDICTS: &str = "SELECT v.at, v.site, NULL AS url, NULL AS title, NULL AS number, v.why \
    FROM verdicts v WHERE (?1 IS NULL OR v.site = ?1)";
const WRAPPERS: &str = "SELECT v.since AS at, v.site, NULL AS url, NULL AS title, \
    NULL AS number, '' AS why FROM wrappers v WHERE (?1 IS NULL OR v.site = ?1)";
const NEWEST: &str = "ORDER BY 1 DESC, v.id DESC LIMIT ?2";

impl ArchiveReader {
    /// The past events of these kinds, on one site or on all, the newest first; of each
    /// kind `limit` at the most.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub fn past_events(
        &self,
        kinds: &[EventKind],
        site: Option<&str>,
        limit: usize,
    ) -> Result<Vec<PastEvent>> {
        let mut found = Vec::new();
        let mut kinds = kinds.to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds {
            found.extend(match kind {
                EventKind::FeedMoved | EventKind::FeedGone => self.notices(kind, site, limit)?,
                EventKind::New | EventKind::Edited => {
                    let which = if kind == EventKind::New { "=" } else { ">" };
                    let sql = format!("{ARTICLES} AND v.number {which} 1 {NEWEST}");
                    self.of_kind(kind, &sql, site, limit)?
                }
                EventKind::Drift | EventKind::Blocked => {
                    let sql = format!("{VERDICTS} AND v.verdict = '{kind}' {NEWEST}");
                    self.of_kind(kind, &sql, site, limit)?
                }
                EventKind::Relearned => {
                    let sql = format!("{WRAPPERS} AND v.why = '{kind}' {NEWEST}");
                    self.of_kind(kind, &sql, site, limit)?
                }
            });
        }
        // At equal times in the order of kinds, then as found.
        found.sort_by_key(|one| (Reverse(one.at), one.kind));
        Ok(found)
    }

    fn of_kind(
        &self,
        kind: EventKind,
        sql: &str,
        site: Option<&str>,
        limit: usize,
    ) -> Result<Vec<PastEvent>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.db.all(sql, params![site, limit], |row| {
            Ok(PastEvent {
                at: time_in(row, "at")?,
                kind,
                site: row.get("site")?,
                url: row.get("url")?,
                title: row.get("title")?,
                version: row.get("number")?,
                why: row.get("why")?,
            })
        })
    }

    /// Feeds that moved or ended; few do.
    fn notices(&self, kind: EventKind, site: Option<&str>, limit: usize) -> Result<Vec<PastEvent>> {
        let sql = "SELECT at, feed, why FROM notices WHERE kind = ?1 ORDER BY at DESC, id DESC";
        let mut found = self.db.all(sql, [kind.name()], |row| {
            let feed: String = row.get("feed")?;
            Ok(PastEvent {
                at: time_in(row, "at")?,
                kind,
                site: site_of(Some(&feed)).unwrap_or_default(),
                url: Some(feed),
                title: None,
                version: None,
                why: row.get("why")?,
            })
        })?;
        found.retain(|one| site.is_none_or(|site| one.site == site));
        found.truncate(limit);
        Ok(found)
    }
}
