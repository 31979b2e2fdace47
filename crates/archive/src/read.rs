//! A reader of an archive, also while another process writes to it.

use super::files::Folder;
use super::joined::RawArticle;
use super::known::{KnownAddress, article_of, known, raw_known};
use super::raw::{RawPage, raw_page, text_at};
use super::sql::{Sql, list_of, optional_place_of, status_of, time_in, time_of};
use super::{paths, tables};
use crate::error::{ErrorKind, Result};
use chrono::{DateTime, TimeDelta, Utc};
use forest_core::extract::{Article, Status};
use forest_core::feed::{FeedDate, FeedItem};
use forest_core::wrapper::Wrapper;
use forest_html::address::page_key;
use rusqlite::{Connection, Row, params, params_from_iter, types::Value};
use std::path::Path;
use url::Url;

/// A reader of an archive. Each call sees the state at its beginning.
#[derive(Debug)]
pub struct ArchiveReader {
    pub db: Connection,
    pub folder: Folder,
}

/// An article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredArticle {
    /// Its number in the archive.
    pub id: i64,
    /// Its key: see [`page_key`].
    pub key: String,
    /// Its address.
    pub url: String,
    /// Its site.
    pub site: String,
    /// The time of its first version.
    pub first_seen: DateTime<Utc>,
    /// The number of its versions.
    pub versions: u32,
}

/// A version of an article.
#[derive(Debug, Clone, PartialEq)]
pub struct ArticleVersion {
    /// Its number in the archive; numbers increase.
    pub id: i64,
    /// The article's number in the archive.
    pub article: i64,
    /// From 1.
    pub number: u32,
    /// The time of its visit.
    pub at: DateTime<Utc>,
    /// SHA-256 of the file of the wrapper that read it.
    pub wrapper: Option<String>,
    /// The record, with its text.
    pub record: Article,
    /// The number of its last change; it increases also when a version is read again.
    pub changed: i64,
    pub raw: Option<i64>,
}

/// The number of a version of an article, and its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VersionTime {
    /// From 1.
    pub number: u32,
    /// The time of its visit.
    pub at: DateTime<Utc>,
}

/// A selection of versions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// Of this site.
    pub site: Option<String>,
    /// From this time on.
    pub since: Option<DateTime<Utc>>,
    /// Before this time.
    pub until: Option<DateTime<Utc>>,
    /// Of one of these statuses; empty: of any.
    pub statuses: Vec<Status>,
}

/// A page of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitePage {
    /// The last received page.
    pub raw: RawPage,
    /// The status of its last visit.
    pub status: Status,
    /// Its metadata in a feed, if a feed lists it.
    pub item_metadata: Option<ItemMetadata>,
}

/// The metadata that a feed gives for a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ItemMetadata {
    /// The item, its summary cut to the first words.
    pub item: FeedItem,
    /// The feed's own address.
    pub feed: String,
}

/// The item of a row with the columns title, summary, published, authors, tags and image.
pub(super) fn stored_item(row: &Row<'_>) -> rusqlite::Result<FeedItem> {
    let published: Option<String> = row.get("published")?;
    let image: Option<String> = row.get("image")?;
    Ok(FeedItem {
        title: row.get("title")?,
        summary: row.get("summary")?,
        published: published.map(FeedDate::of),
        authors: list_of(row, "authors")?,
        categories: list_of(row, "tags")?,
        image: image.and_then(|image| Url::parse(&image).ok()),
        ..FeedItem::default()
    })
}

/// The metadata of a page in feeds: those of the latest item.
pub(super) fn item_metadata_of(db: &Connection, page: i64) -> Result<Option<ItemMetadata>> {
    let sql = "SELECT i.title, i.summary, i.published, i.authors, i.tags, i.image, f.url FROM items i \
               JOIN feeds f ON f.id = i.feed WHERE i.page = ?1 \
               ORDER BY i.first_seen DESC, i.feed, i.item LIMIT 1";
    db.first(sql, [page], |row| {
        Ok(ItemMetadata {
            item: stored_item(row)?,
            feed: row.get("url")?,
        })
    })
}

/// A wrapper that is or was active.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrapperRow {
    /// SHA-256 of its file, in hex.
    pub sha256: String,
    /// Its file.
    pub yaml: String,
    /// From when on.
    pub since: DateTime<Utc>,
    /// Until when; `None`: it still is.
    pub until: Option<DateTime<Utc>>,
    /// The reason why it became active.
    pub why: String,
}

/// The number of versions that are read at once: their texts are in memory together.
const AT_ONCE: usize = 64;

/// The columns that [`version_of_row`] reads, with the article's metadata in feeds.
const COLUMNS: &str = "a.id AS article, a.key, a.url, a.site, a.first_seen, a.versions, \
    v.id, v.number, v.at, v.wrapper, v.record, v.changed, v.raw, v.file, v.place, v.length, \
    (SELECT i.published FROM pages g JOIN items i ON i.page = g.id WHERE g.article = a.id \
     AND i.published IS NOT NULL ORDER BY i.first_seen, i.feed, i.item LIMIT 1) AS published, \
    (SELECT i.authors FROM pages g JOIN items i ON i.page = g.id WHERE g.article = a.id \
     AND i.authors != '[]' ORDER BY i.first_seen, i.feed, i.item LIMIT 1) AS authors, \
    (SELECT i.tags FROM pages g JOIN items i ON i.page = g.id WHERE g.article = a.id \
     AND i.tags != '[]' ORDER BY i.first_seen, i.feed, i.item LIMIT 1) AS tags";

/// The versions `v` with their articles `a`.
const VERSIONS: &str = "versions v JOIN articles a ON a.id = v.article";

impl ArchiveReader {
    /// Opens an archive.
    ///
    /// # Errors
    ///
    /// If there is no archive, or it is of another version.
    pub fn open(dir: &Path) -> Result<ArchiveReader> {
        let path = paths::database(dir);
        if !path.is_file() {
            let path = dir.to_owned();
            let has_files = !Folder::of(dir).lengths_or_none()?.is_empty();
            return Err(if has_files {
                ErrorKind::ArchiveWithoutTables { path }
            } else {
                ErrorKind::NoArchive { path }
            }
            .into());
        }
        Ok(ArchiveReader {
            db: tables::open_to_read(&path)?,
            folder: Folder::of(dir),
        })
    }

    /// The article with this address among its addresses.
    ///
    /// # Errors
    ///
    /// If the database cannot be read; so all of these.
    pub fn article(&self, url: &str) -> Result<Option<StoredArticle>> {
        let Some(id) = article_of(&self.db, &page_key(url))? else {
            return Ok(None);
        };
        let sql = "SELECT id AS article, key, url, site, first_seen, versions FROM articles WHERE id = ?1";
        self.db.first(sql, [id], article_of_row)
    }

    /// The last read robots.txt of an origin, and the time.
    pub fn robots(&self, origin: &str) -> Result<Option<(DateTime<Utc>, Vec<u8>)>> {
        let sql = "SELECT at, text FROM robots WHERE origin = ?1";
        let read = |row: &Row<'_>| Ok((time_in(row, "at")?, row.get("text")?));
        self.db.first(sql, [origin], read)
    }

    /// The versions of an article, the oldest first.
    pub fn versions(&self, article: i64) -> Result<Vec<ArticleVersion>> {
        let sql =
            format!("SELECT {COLUMNS} FROM {VERSIONS} WHERE v.article = ?1 ORDER BY v.number");
        let mut versions = Vec::new();
        self.rows(&sql, vec![article.into()], &mut |_, version| {
            versions.push(version);
            Ok(())
        })?;
        Ok(versions)
    }

    /// A version by its number in the archive.
    pub fn version(&self, id: i64) -> Result<Option<(StoredArticle, ArticleVersion)>> {
        self.one_version("v.id = ?1", vec![id.into()])
    }

    /// The latest version of an article.
    pub fn latest_of(&self, id: i64) -> Result<Option<(StoredArticle, ArticleVersion)>> {
        self.one_version("a.id = ?1 AND v.id = a.latest", vec![id.into()])
    }

    /// The version of an article with this number; its latest one without a number.
    pub fn numbered_version(
        &self,
        article: i64,
        number: Option<u32>,
    ) -> Result<Option<ArticleVersion>> {
        let found = match number {
            Some(number) => {
                let values = vec![article.into(), i64::from(number).into()];
                self.one_version("v.article = ?1 AND v.number = ?2", values)?
            }
            None => self.latest_of(article)?,
        };
        Ok(found.map(|(_, version)| version))
    }

    /// The numbers and times of an article's versions, the first one first, without their texts.
    pub fn version_times(&self, article: i64) -> Result<Vec<VersionTime>> {
        let sql = "SELECT number, at FROM versions WHERE article = ?1 ORDER BY number";
        self.db.all(sql, [article], |row| {
            Ok(VersionTime {
                number: row.get("number")?,
                at: time_in(row, "at")?,
            })
        })
    }

    fn one_version(
        &self,
        condition: &str,
        values: Vec<Value>,
    ) -> Result<Option<(StoredArticle, ArticleVersion)>> {
        let sql = format!("SELECT {COLUMNS} FROM {VERSIONS} WHERE {condition}");
        let mut found = None;
        self.rows(&sql, values, &mut |article, version| {
            found = Some((article, version));
            Ok(())
        })?;
        Ok(found)
    }

    /// The latest version of each article, ordered by site, by the time at which the article
    /// was first seen, and by key. The filter's times are those of the latest version.
    pub fn each_latest(
        &self,
        filter: &Filter,
        f: &mut dyn FnMut(StoredArticle, ArticleVersion) -> Result<()>,
    ) -> Result<()> {
        let mut sql =
            format!("SELECT {COLUMNS} FROM articles a JOIN versions v ON v.id = a.latest WHERE 1");
        let mut values: Vec<Value> = Vec::new();
        let mut with = |condition: &str, value: Value| {
            values.push(value);
            sql.push_str(&format!(" AND {condition} ?{}", values.len()));
        };
        if let Some(site) = &filter.site {
            with("a.site =", site.clone().into());
        }
        if let Some(since) = filter.since {
            with("v.at >=", since.timestamp_millis().into());
        }
        if let Some(until) = filter.until {
            with("v.at <", until.timestamp_millis().into());
        }
        if !filter.statuses.is_empty() {
            let names = filter.statuses.iter().map(|status| status.name());
            let names: Vec<&str> = names.collect();
            sql.push_str(&format!(" AND v.status IN ('{}')", names.join("','")));
        }
        sql.push_str(" ORDER BY a.site, a.first_seen, a.key");
        self.rows(&sql, values, f)
    }

    /// The versions that were stored or read again after the change with this number, in the
    /// order of [`ArticleVersion::changed`].
    pub fn versions_after(
        &self,
        changed: i64,
        f: &mut dyn FnMut(StoredArticle, ArticleVersion) -> Result<()>,
    ) -> Result<()> {
        let sql =
            format!("SELECT {COLUMNS} FROM {VERSIONS} WHERE v.changed > ?1 ORDER BY v.changed");
        self.rows(&sql, vec![changed.into()], f)
    }

    /// Versions from this time on, each with the one before it, without first versions; in
    /// the order of their visits.
    pub fn changed_since(
        &self,
        since: DateTime<Utc>,
        f: &mut dyn FnMut(StoredArticle, ArticleVersion, ArticleVersion) -> Result<()>,
    ) -> Result<()> {
        let sql = format!(
            "SELECT {COLUMNS} FROM {VERSIONS} WHERE v.at >= ?1 AND v.number > 1 ORDER BY v.at, v.id"
        );
        let since = vec![since.timestamp_millis().into()];
        self.rows(&sql, since, &mut |article, after| {
            let values = vec![after.article.into(), i64::from(after.number - 1).into()];
            match self.one_version("v.article = ?1 AND v.number = ?2", values)? {
                Some((_, before)) => f(article, before, after),
                None => Ok(()),
            }
        })
    }

    pub(super) fn raw(&self, fetch: i64) -> Result<Option<RawPage>> {
        match raw_known(&self.db, Some(fetch))? {
            Some(known) => raw_page(&self.folder, &known),
            None => Ok(None),
        }
    }

    /// The pages that a version was read on; `None` if the first is not there.
    pub fn raw_of(&self, version: &ArticleVersion) -> Result<Option<RawArticle>> {
        let first = match version.raw {
            Some(fetch) => self.raw(fetch)?,
            None => None,
        };
        let Some(first) = first else { return Ok(None) };
        let sql = "SELECT g.url, t.fetch FROM parts t JOIN pages g ON g.id = t.page \
                   WHERE t.version = ?1 AND t.fetch IS NOT NULL ORDER BY t.nth";
        let wanted: Vec<(String, i64)> = self
            .db
            .all(sql, [version.id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut parts = Vec::new();
        for (url, fetch) in wanted {
            parts.extend(self.raw(fetch)?.map(|raw| (url, raw)));
        }
        Ok(Some(RawArticle { first, parts }))
    }

    /// Received pages of a site that were not blocked, those with the latest bytes first.
    pub fn latest_pages(&self, site: &str, count: usize) -> Result<Vec<SitePage>> {
        let sql = "SELECT p.id, p.raw, p.status FROM pages p WHERE p.site = ?1 AND p.raw IS NOT NULL \
                   AND p.status NOT IN ('blocked', 'error') ORDER BY p.raw DESC LIMIT ?2 OFFSET ?3";
        self.site_pages(sql, site, 0..count)
    }

    /// The addresses of a site's pages that were visited, by the first visit; of articles over
    /// several pages the first page.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub fn visited_pages(&self, site: &str) -> Result<Vec<String>> {
        let sql = "SELECT url FROM pages WHERE site = ?1 AND visits > 0 ORDER BY id";
        self.db.values(sql, [site])
    }

    /// Received pages of a site, in the present order of its feed, the newest first: those at
    /// these positions, from 0. Pages of no feed are the last.
    pub fn feed_pages(&self, site: &str, places: std::ops::Range<usize>) -> Result<Vec<SitePage>> {
        let sql = "SELECT p.id, p.raw, p.status FROM pages p WHERE p.site = ?1 AND p.raw IS NOT NULL \
                   AND p.status != 'error' ORDER BY EXISTS (SELECT 1 FROM items i WHERE i.page = p.id) DESC, \
                   p.first_seen DESC, p.id LIMIT ?2 OFFSET ?3";
        self.site_pages(sql, site, places)
    }

    fn site_pages(
        &self,
        sql: &str,
        site: &str,
        places: std::ops::Range<usize>,
    ) -> Result<Vec<SitePage>> {
        let params = params![site, places.len(), places.start];
        let rows: Vec<(i64, i64, Option<Status>)> = self.db.all(sql, params, |row| {
            Ok((row.get("id")?, row.get("raw")?, status_of(row)?))
        })?;
        let mut found = Vec::new();
        for (page, raw, status) in rows {
            if let Some(raw) = self.raw(raw)? {
                found.push(SitePage {
                    raw,
                    status: status.unwrap_or(Status::Error),
                    item_metadata: item_metadata_of(&self.db, page)?,
                });
            }
        }
        Ok(found)
    }

    /// The known facts of an address.
    pub fn known(&self, url: &str) -> Result<KnownAddress> {
        known(&self.db, url)
    }

    /// The wrappers of a site, the latest first.
    pub fn wrappers(&self, site: &str) -> Result<Vec<WrapperRow>> {
        let sql =
            "SELECT sha256, yaml, since, until, why FROM wrappers WHERE site = ?1 ORDER BY id DESC";
        self.db.all(sql, [site], |row| {
            Ok(WrapperRow {
                sha256: row.get("sha256")?,
                yaml: row.get("yaml")?,
                since: time_in(row, "since")?,
                until: row.get::<_, Option<i64>>("until")?.map(time_of),
                why: row.get("why")?,
            })
        })
    }

    /// The wrapper with this digest, as far as it was ever active here.
    pub fn wrapper(&self, sha256: &str) -> Result<Option<Wrapper>> {
        let sql = "SELECT yaml FROM wrappers WHERE sha256 = ?1 LIMIT 1";
        let yaml: Option<String> = self.db.value(sql, [sha256])?;
        yaml.map(|yaml| Ok(Wrapper::from_yaml(&yaml)?.wrapper))
            .transpose()
    }

    /// Sites with the numbers of their articles, by name.
    pub fn sites(&self) -> Result<Vec<(String, u64)>> {
        let sql = "SELECT site, count(*) FROM articles GROUP BY site ORDER BY site";
        self.db.all(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    fn rows(
        &self,
        sql: &str,
        values: Vec<Value>,
        f: &mut dyn FnMut(StoredArticle, ArticleVersion) -> Result<()>,
    ) -> Result<()> {
        let mut statement = self.db.prepare_cached(sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
        loop {
            let mut chunk = Vec::new();
            while chunk.len() < AT_ONCE {
                let Some(row) = rows.next()? else { break };
                let (article, version) = version_of_row(row)?;
                chunk.push((article, version, optional_place_of(row)?));
            }
            if chunk.is_empty() {
                return Ok(());
            }
            for (article, mut version, place) in chunk {
                version.record.text = text_at(&self.folder, place)?;
                f(article, version)?;
            }
        }
    }
}

/// Returns true if a feed's time of publication is plausible: an article is not stored
/// before it is published.
fn is_past(published: &str, article: &StoredArticle) -> bool {
    let published = DateTime::parse_from_rfc3339(published);
    published.is_ok_and(|published| published.to_utc() <= article.first_seen + TimeDelta::days(1))
}

pub(super) fn article_of_row(row: &Row<'_>) -> rusqlite::Result<StoredArticle> {
    Ok(StoredArticle {
        id: row.get("article")?,
        key: row.get("key")?,
        url: row.get("url")?,
        site: row.get("site")?,
        first_seen: time_in(row, "first_seen")?,
        versions: row.get("versions")?,
    })
}

/// A version without its text, completed by its metadata in feeds.
fn version_of_row(row: &Row<'_>) -> rusqlite::Result<(StoredArticle, ArticleVersion)> {
    let article = article_of_row(row)?;
    let json: String = row.get("record")?;
    let mut record: Article = serde_json::from_str(&json).map_err(|error| {
        let column = rusqlite::types::Type::Text;
        rusqlite::Error::FromSqlConversionFailure(10, column, Box::new(error))
    })?;
    if record.date_published.is_none() {
        let published: Option<String> = row.get("published")?;
        record.date_published = published.filter(|published| is_past(published, &article));
    }
    record.complete(&list_of(row, "authors")?, &list_of(row, "tags")?);
    if record.site.is_none() && !article.site.is_empty() {
        record.site = Some(article.site.clone());
    }
    let version = ArticleVersion {
        article: article.id,
        id: row.get("id")?,
        number: row.get("number")?,
        at: time_in(row, "at")?,
        wrapper: row.get("wrapper")?,
        record,
        changed: row.get("changed")?,
        raw: row.get("raw")?,
    };
    Ok((article, version))
}
