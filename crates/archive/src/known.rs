//! The known facts of an address from the tables: its page, its article, the latest
//! version of that.

use super::files::RecordPlace;
use super::sql::{Sql, optional_place_of, place_of, status_of, time_in};
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_core::extract::Status;
use forest_html::address::page_key;
use forest_html::text::sha256_hex;
use forest_sources::warc::{EarlierRecord, record_date};
use rusqlite::Connection;

/// The known facts of an address.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KnownAddress {
    /// Its key: see [`page_key`].
    pub key: String,
    /// It was forgotten and must not be visited.
    pub forgotten: bool,
    /// The `ETag` of the last visit, for a conditional request.
    pub etag: Option<String>,
    /// The `Last-Modified` of the last visit, for a conditional request.
    pub last_modified: Option<String>,
    /// The status of the last visit.
    pub status: Option<Status>,
    /// The last received page.
    pub raw: Option<KnownRaw>,
    /// The latest version of its article.
    pub latest: Option<LatestVersion>,
}

impl KnownAddress {
    /// Returns true if the address is that of a further page of its article. Then the article
    /// contains the page's text.
    pub fn is_part(&self) -> bool {
        let parts = self.latest.iter().flat_map(|latest| &latest.parts);
        parts
            .into_iter()
            .any(|part| page_key(&part.url) == self.key)
    }
}

/// A page's bytes in the archive.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownRaw {
    /// SHA-256 of the bytes, in hex.
    pub sha256: String,
    /// Its `Content-Type`.
    pub content_type: Option<String>,
    /// The status of that visit.
    pub status: Status,
    /// The confidence in its text, 0 to 1.
    pub confidence: Option<f64>,
    pub earlier: EarlierRecord,
    pub place: RecordPlace,
}

impl KnownRaw {
    /// The time of the response.
    pub fn raw_page_at(&self) -> DateTime<Utc> {
        let at = DateTime::parse_from_rfc3339(&self.earlier.date);
        at.map(|at| at.to_utc()).unwrap_or_default()
    }
}

/// The latest version of an article.
#[derive(Debug, Clone, PartialEq)]
pub struct LatestVersion {
    /// Number of the version, from 1.
    pub number: u32,
    /// SHA-256 of its text, in hex.
    pub text_sha256: String,
    /// Words (metric tokens) of its text.
    pub words: usize,
    /// The page that it was read on: not always the last received one.
    pub raw: Option<KnownRaw>,
    /// SHA-256 of the wrapper's file that read it.
    pub wrapper: Option<String>,
    /// The expression of the wrapper that found it.
    pub found_by: Option<String>,
    /// Its further pages; if the article is not whole, the last one has no bytes.
    pub parts: Vec<KnownPart>,
    pub text: Option<RecordPlace>,
}

/// A further page of the latest version of an article.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownPart {
    /// Its address.
    pub url: String,
    /// Its last received bytes; `None`: it could not be fetched yet.
    pub raw: Option<KnownRaw>,
}

/// SHA-256 of a key, in hex.
pub(super) fn key_digest(key: &str) -> String {
    sha256_hex(key)
}

/// Returns true if the address with this key was forgotten.
pub(super) fn is_forgotten(db: &Connection, key: &str) -> Result<bool> {
    let sql = "SELECT 1 FROM forgotten WHERE digest = ?1";
    Ok(db.value::<i64>(sql, [key_digest(key)])?.is_some())
}

/// The article that an address is known for, by its key.
pub(super) fn article_of(db: &Connection, key: &str) -> Result<Option<i64>> {
    let sql = "SELECT article FROM pages WHERE key = ?1 AND article IS NOT NULL \
               UNION SELECT id FROM articles WHERE key = ?1 LIMIT 1";
    db.value(sql, [key])
}

/// The known facts of an address.
pub(super) fn known(db: &Connection, url: &str) -> Result<KnownAddress> {
    let key = page_key(url);
    let forgotten = is_forgotten(db, &key)?;
    let sql = "SELECT etag, last_modified, raw, article, status FROM pages WHERE key = ?1";
    let page = db.first(sql, [&key], |row| {
        let known = KnownAddress {
            etag: row.get("etag")?,
            last_modified: row.get("last_modified")?,
            status: status_of(row)?,
            ..KnownAddress::default()
        };
        let numbers: (Option<i64>, Option<i64>) = (row.get("raw")?, row.get("article")?);
        Ok((known, numbers))
    })?;
    let (mut known, (raw, article)) = page.unwrap_or_default();
    (known.key, known.forgotten) = (key, forgotten);
    known.raw = raw_known(db, raw)?;
    if let Some(article) = article {
        known.latest = latest_known(db, article)?;
    }
    Ok(known)
}

fn latest_known(db: &Connection, article: i64) -> Result<Option<LatestVersion>> {
    let sql = "SELECT v.number, v.text_sha256, v.wrapper, v.words, v.file, v.place, v.length, \
               v.id, v.raw, json_extract(v.record, '$.wrapper.xpath') AS found_by FROM articles a JOIN versions v ON v.id = a.latest WHERE a.id = ?1";
    let latest = db.first(sql, [article], |row| {
        let latest = LatestVersion {
            number: row.get("number")?,
            text_sha256: row.get("text_sha256")?,
            wrapper: row.get("wrapper")?,
            found_by: row.get("found_by")?,
            words: row.get("words")?,
            text: optional_place_of(row)?,
            raw: None,
            parts: Vec::new(),
        };
        Ok((latest, row.get("id")?, row.get("raw")?))
    })?;
    let Some((mut latest, version, raw)) = latest else {
        return Ok(None);
    };
    latest.parts = known_parts(db, version)?;
    latest.raw = raw_known(db, raw)?;
    Ok(Some(latest))
}

/// The further pages of a version.
fn known_parts(db: &Connection, version: i64) -> Result<Vec<KnownPart>> {
    let sql = "SELECT g.url, CASE WHEN t.fetch IS NOT NULL THEN g.raw END \
               FROM parts t JOIN pages g ON g.id = t.page WHERE t.version = ?1 ORDER BY t.nth";
    let parts: Vec<(String, Option<i64>)> =
        db.all(sql, [version], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let parts = parts.into_iter();
    let known = parts.map(|(url, fetch)| {
        let raw = raw_known(db, fetch)?;
        Ok(KnownPart { url, raw })
    });
    known.collect()
}

/// The bytes that a visit received.
pub(super) fn raw_known(db: &Connection, fetch: Option<i64>) -> Result<Option<KnownRaw>> {
    let sql = "SELECT sha256, content_type, status, confidence, record, url, at, digest, file, place, length \
               FROM fetches WHERE id = ?1 AND file IS NOT NULL AND sha256 IS NOT NULL";
    let Some(fetch) = fetch else { return Ok(None) };
    db.first(sql, [fetch], |row| {
        Ok(KnownRaw {
            sha256: row.get("sha256")?,
            content_type: row.get("content_type")?,
            status: status_of(row)?.unwrap_or(Status::Error),
            confidence: row.get("confidence")?,
            earlier: EarlierRecord {
                id: row.get("record")?,
                url: row.get("url")?,
                date: record_date(time_in(row, "at")?),
                digest: row.get::<_, Option<String>>("digest")?.unwrap_or_default(),
            },
            place: place_of(row)?,
        })
    })
}
