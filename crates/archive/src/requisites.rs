//! Requisites of pages: pictures of articles, style sheets and fonts, unchanged. Each is a
//! response of its own, followed by an event ([`Requisite`](super::Requisite)). Bytes that
//! are stored already, at any address, are a `revisit`. The pictures of a version are an
//! event, too ([`Event::Pictured`](super::Event::Pictured)). It is written when all of them
//! were received or failed.

use super::event::Picture;
use super::handle::Archive;
use super::known::article_of;
use super::read::ArchiveReader;
use super::sql::{Sql, place_of, time_in};
use crate::error::{Error, Result};
use chrono::{DateTime, Utc};
use forest_core::extract::Article;
use forest_core::feed::ItemRules;
use forest_html::address::page_key;
use forest_html::text::sha256_hex;
use rusqlite::params;
use std::borrow::Cow;
use std::collections::HashMap;

/// A version of an article without an event about its pictures.
#[derive(Debug, Clone, PartialEq)]
pub struct UnpicturedVersion {
    /// Its number in the archive.
    pub version: i64,
    /// Key of the article.
    pub key: String,
    /// The site that answered with its page. A page may name an address of another one.
    pub site: String,
    /// The version, from 1.
    pub number: u32,
    /// The time of its visit.
    pub at: DateTime<Utc>,
    /// The article's record, without its text.
    pub record: Article,
}

/// The last received bytes at an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRequisite {
    /// When.
    pub at: DateTime<Utc>,
    /// SHA-256 of the bytes, in hex.
    pub sha256: String,
    /// The extension of a file with them.
    pub extension: String,
}

impl Archive {
    /// The latest versions whose pictures were not requested yet; with `all` those without
    /// pictures, too. Only versions from `since` on with a number above `after`, the oldest
    /// first.
    ///
    /// # Errors
    ///
    /// If the database cannot be read; so all of these.
    pub fn unpictured(
        &self,
        since: DateTime<Utc>,
        after: i64,
        all: bool,
        most: usize,
    ) -> Result<Vec<UnpicturedVersion>> {
        let sql = "SELECT v.id, a.key, a.site, v.number, v.at, v.record FROM versions v \
                   JOIN articles a ON a.latest = v.id \
                   WHERE v.pictured IN (0, ?4) AND v.at >= ?1 AND v.id > ?2 ORDER BY v.at, v.id LIMIT ?3";
        let other = if all { 2 } else { 0 };
        let params = params![since.timestamp_millis(), after, most, other];
        self.db.all(sql, params, |row| {
            let record: String = row.get("record")?;
            Ok(UnpicturedVersion {
                version: row.get("id")?,
                key: row.get("key")?,
                site: row.get("site")?,
                number: row.get("number")?,
                at: time_in(row, "at")?,
                record: serde_json::from_str(&record).unwrap_or_default(),
            })
        })
    }

    /// The latest versions with a number above `after`: their numbers, the lowest first, and the keys
    /// and addresses of their articles.
    pub fn versions_after(&self, after: i64, most: usize) -> Result<Vec<(i64, String, String)>> {
        let sql = "SELECT v.id, a.key, a.url FROM versions v JOIN articles a ON a.latest = v.id \
                   WHERE v.id > ?1 ORDER BY v.id LIMIT ?2";
        (self.db).all(sql, params![after, most], |row| {
            Ok((row.get("id")?, row.get("key")?, row.get("url")?))
        })
    }

    /// The number of the latest version; 0 if there is no version.
    pub fn last_version(&self) -> Result<i64> {
        let last = self.db.value("SELECT max(id) FROM versions", [])?;
        Ok(last.unwrap_or_default())
    }

    /// The known bytes at the address of a requisite.
    pub fn requisite(&self, url: &str) -> Result<Option<StoredRequisite>> {
        requisite(&self.db, url)
    }

    /// The numbers of the feeds whose items lead to an article.
    pub fn feeds_of_article(&self, key: &str) -> Result<Vec<i64>> {
        let sql = "SELECT DISTINCT i.feed FROM articles a JOIN pages p ON p.article = a.id \
                   JOIN items i ON i.page = p.id WHERE a.key = ?1 ORDER BY 1";
        self.db.values(sql, [key])
    }

    /// Bytes that the rules of a feed give to its pictures; `None`: they say nothing of them.
    pub fn picture_budget(&self, feed: i64) -> Result<Option<u64>> {
        let sql = "SELECT rules FROM feeds WHERE id = ?1";
        let rules: Option<String> = self.db.value(sql, [feed])?;
        let rules: ItemRules = serde_json::from_str(&rules.unwrap_or_default()).unwrap_or_default();
        let bytes = |megabytes: u64| megabytes.saturating_mul(1_000_000);
        Ok(rules.image_budget_mb.map(bytes))
    }

    /// Bytes in the archive's files of the pictures of a feed's articles: of versions from `since`
    /// on.
    pub fn picture_bytes(&self, feed: i64, since: DateTime<Utc>) -> Result<u64> {
        let sql = "SELECT sum(length) FROM requisites WHERE kind = 'response' AND sha256 IN \
                   (SELECT q.sha256 FROM items i JOIN pages p ON p.id = i.page \
                   JOIN versions v ON v.article = p.article JOIN pictures q ON q.version = v.id \
                   WHERE i.feed = ?1 AND v.at >= ?2)";
        let sum = (self.db).value(sql, params![feed, since.timestamp_millis()])?;
        Ok(sum.unwrap_or_default())
    }

    /// Bytes of all requisites in the archive's files, and those that the disk has left.
    pub fn requisite_space(&self) -> Result<(u64, u64)> {
        let sum = (self.db).value("SELECT sum(length) FROM requisites", [])?;
        let free = fs4::available_space(self.dir());
        let free = free.map_err(|source| Error::read(self.dir(), source))?;
        Ok((sum.unwrap_or_default(), free))
    }
}

fn requisite(db: &impl Sql, url: &str) -> Result<Option<StoredRequisite>> {
    let sql =
        "SELECT at, sha256, extension FROM requisites WHERE url = ?1 ORDER BY id DESC LIMIT 1";
    db.first(sql, [url], |row| {
        Ok(StoredRequisite {
            at: time_in(row, "at")?,
            sha256: row.get("sha256")?,
            extension: row.get("extension")?,
        })
    })
}

impl ArchiveReader {
    /// The known bytes at the address of a requisite.
    pub fn requisite(&self, url: &str) -> Result<Option<StoredRequisite>> {
        requisite(&self.db, url)
    }

    /// The first picture of the latest version of an article that the archive has: SHA-256 of its
    /// bytes, in hex, and the extension of a file with them.
    pub fn first_picture(&self, article: i64) -> Result<Option<(String, String)>> {
        let sql = "SELECT q.sha256, q.extension FROM articles a JOIN pictures q ON q.version = a.latest \
                   WHERE a.id = ?1 AND q.sha256 IS NOT NULL ORDER BY q.nth LIMIT 1";
        (self.db).first(sql, [article], |row| {
            Ok((row.get("sha256")?, row.get("extension")?))
        })
    }

    /// The pictures of a version that the archive has.
    pub fn pictures(&self, version: i64) -> Result<Vec<Picture>> {
        let sql = "SELECT url, sha256, extension FROM pictures WHERE version = ?1 AND sha256 IS NOT NULL \
                   ORDER BY nth";
        self.db.all(sql, [version], |row| {
            Ok(Picture {
                url: row.get("url")?,
                sha256: row.get("sha256")?,
                extension: row.get("extension")?,
                error: None,
            })
        })
    }

    /// Bytes in the archive's files of the pictures of each feed's articles, by the feed's address.
    pub fn pictures_of_feeds(&self) -> Result<HashMap<String, u64>> {
        let sql = "SELECT url, sum(length) FROM (SELECT DISTINCT f.url, r.id, r.length FROM feeds f \
                   JOIN items i ON i.feed = f.id JOIN pages p ON p.id = i.page \
                   JOIN versions v ON v.article = p.article JOIN pictures q ON q.version = v.id \
                   JOIN requisites r ON r.sha256 = q.sha256 AND r.kind = 'response') GROUP BY url";
        let sums = (self.db).all(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(sums.into_iter().collect())
    }

    /// The stored pictures of the latest version of the article at an address.
    pub fn latest_pictures(&self, url: &str) -> Result<Vec<Picture>> {
        let Some(article) = article_of(&self.db, &page_key(url))? else {
            return Ok(Vec::new());
        };
        let sql = "SELECT latest FROM articles WHERE id = ?1";
        match self.db.value(sql, [article])? {
            Some(version) => self.pictures(version),
            None => Ok(Vec::new()),
        }
    }

    /// The bytes with this digest, if they are a requisite.
    pub fn requisite_bytes(&self, sha256: &str) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT file, place, length FROM requisites WHERE sha256 = ?1 AND kind = 'response' LIMIT 1";
        let Some(place) = self.db.first(sql, [sha256], place_of)? else {
            return Ok(None);
        };
        let record = self.folder.record(place)?;
        let body = record.page_bytes().map(Cow::into_owned);
        Ok(body.filter(|body| sha256_hex(body) == sha256))
    }
}
