//! An archive as it is read, beside whoever writes it.

use super::apply::article_of;
use super::files::{Folder, RecordPlace};
use super::identity::key_of;
use super::store::{FeedPoll, known, may_be_place, raw_known, status_column, time_of};
use super::{KnownAddress, paths, tables};
use crate::error::{Kind, Result};
use crate::extract::{Article, Extractor, Status};
use crate::feed::{ItemRules, Outline};
use crate::page::{Page, Source};
use crate::warc::RecordType;
use crate::wrapper::Wrapper;
use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter, types::Value};
use std::path::Path;
use url::Url;

/// An archive that is read. Sees what was written up to the beginning of each call.
#[derive(Debug)]
pub struct ArchiveReader {
    pub(crate) db: Connection,
    pub(crate) folder: Folder,
}

/// An article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredArticle {
    /// Its number in the archive.
    pub id: i64,
    /// Its key: see [`key_of`].
    pub key: String,
    /// Its address.
    pub url: String,
    /// Its site.
    pub site: String,
    /// When its first version came.
    pub first_seen: DateTime<Utc>,
    /// How many versions there are.
    pub versions: u32,
}

/// A version of an article.
#[derive(Debug, Clone, PartialEq)]
pub struct ArticleVersion {
    /// Its number in the archive, which grows.
    pub id: i64,
    /// The article's number in the archive.
    pub article: i64,
    /// From 1.
    pub number: u32,
    /// When it came.
    pub at: DateTime<Utc>,
    /// SHA-256 of the file of the wrapper that read it.
    pub wrapper: Option<String>,
    /// The record, with its text.
    pub record: Article,
    /// Grows over the archive, also when a version is read again.
    pub changed: i64,
    pub(crate) raw: Option<i64>,
}

/// Which versions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// Of this site.
    pub site: Option<String>,
    /// That came at this time or later.
    pub since: Option<DateTime<Utc>>,
    /// That came before this time.
    pub until: Option<DateTime<Utc>>,
    /// Of one of these statuses; empty: of any.
    pub statuses: Vec<Status>,
}

/// A page's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawPage {
    /// The address that answered.
    pub url: String,
    /// When it came.
    pub at: DateTime<Utc>,
    /// Its `Content-Type`.
    pub content_type: Option<String>,
    /// The page.
    pub body: Vec<u8>,
}

impl RawPage {
    /// The page, as a wrapper wants it. All of it: whoever stored it had a limit.
    pub(crate) fn parse(&self, by: Option<&Extractor>) -> Page {
        let source = Source {
            url: Some(&self.url),
            content_type: self.content_type.as_deref(),
        };
        let limit = self.body.len();
        match by {
            Some(extractor) => extractor.parse_within(&self.body, source, limit),
            None => Page::parse_within(&self.body, source, limit, |text| text),
        }
    }
}

/// A page of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitePage {
    /// As it came last.
    pub raw: RawPage,
    /// What came of it.
    pub status: Status,
    /// What a feed says of it.
    pub said: Option<ItemMetadata>,
}

/// What a feed says of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ItemMetadata {
    /// The title.
    pub title: String,
    /// The first words of the summary.
    pub summary: String,
    /// When it was published, as in [`StoredItem::published`](super::StoredItem).
    pub published: Option<String>,
    /// Names of the authors.
    pub authors: Vec<String>,
    /// Its categories.
    pub tags: Vec<String>,
    /// The address of its picture.
    pub image: Option<String>,
    /// The feed's own address.
    pub feed: String,
}

/// What the feeds say of a page: the item that came last, if there is one.
pub(crate) fn said_of(db: &Connection, page: i64) -> Result<Option<ItemMetadata>> {
    let sql = "SELECT i.title, i.summary, i.published, i.authors, i.tags, i.image, f.url FROM items i \
               JOIN feeds f ON f.id = i.feed WHERE i.page = ?1 \
               ORDER BY i.first_seen DESC, i.feed, i.item LIMIT 1";
    let said = db.prepare_cached(sql)?.query_row([page], |row| {
        Ok(ItemMetadata {
            title: row.get(0)?,
            summary: row.get(1)?,
            published: row.get(2)?,
            authors: list_of(row, 3)?,
            tags: list_of(row, 4)?,
            image: row.get(5)?,
            feed: row.get(6)?,
        })
    });
    Ok(said.optional()?)
}

/// A list of names, as JSON in its column; empty where there is none.
pub(crate) fn list_of(row: &Row<'_>, column: usize) -> rusqlite::Result<Vec<String>> {
    let json: Option<String> = row.get(column)?;
    let list = json.and_then(|json| serde_json::from_str(&json).ok());
    Ok(list.unwrap_or_default())
}

/// A wrapper that was in force.
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
    /// Why it came.
    pub why: String,
}

/// A feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedRow {
    /// Its address.
    pub url: String,
    /// `active`, `paused`, `ended` or `removed`.
    pub state: String,
    /// Its title.
    pub title: String,
    /// Why it ended.
    pub why: String,
    /// A person gave this address; no redirect did.
    pub typed: bool,
    /// When it was added.
    pub added: DateTime<Utc>,
    /// Its title in the list that it came with; empty where there is none.
    pub listed_title: String,
    /// The site's home page, as that list says.
    pub listed_home: Option<String>,
    /// Its folders in that list, each with those around it, the outermost first.
    pub folders: Vec<Vec<String>>,
    /// What is not wanted of it.
    pub rules: ItemRules,
    /// How its last poll went.
    pub poll: FeedPoll,
}

impl FeedRow {
    /// The feed as a list of feeds names it, there at this address.
    pub fn outline(&self, xml_url: Url) -> Outline {
        let title = match self.listed_title.is_empty() {
            true => &self.title,
            false => &self.listed_title,
        };
        Outline {
            title: title.clone(),
            html_url: self
                .listed_home
                .as_deref()
                .and_then(|home| Url::parse(home).ok()),
            folders: self
                .folders
                .iter()
                .map(|path| path.as_slice().into())
                .collect(),
            ..Outline::of(xml_url)
        }
    }
}

/// Versions that are read at once: their texts are held together.
const AT_ONCE: usize = 64;

/// What is known of a feed `f`, but for its polls.
const OWN_COLUMNS: &str = "f.url, f.state, f.title, f.why, f.added, f.typed, f.listed_title, \
    f.listed_home, f.folders, f.rules";

/// How a feed was polled: `p`.
const POLL_COLUMNS: &str = "p.last, p.success, p.next, p.rhythm, p.failures, p.error, p.etag, \
    p.last_modified, p.sha256, p.moved";

/// The columns that [`feed_row`] reads, of a feed `f` and its polls `p`.
pub(crate) fn feed_columns() -> String {
    format!("{OWN_COLUMNS}, {POLL_COLUMNS}")
}

const COLUMNS: &str = "a.id, a.key, a.url, a.site, a.first_seen, a.versions, \
    v.id, v.number, v.at, v.wrapper, v.record, v.changed, v.raw, v.file, v.place, v.length, \
    (SELECT i.published FROM pages g JOIN items i ON i.page = g.id WHERE g.article = a.id \
     AND i.published IS NOT NULL ORDER BY i.first_seen, i.feed, i.item LIMIT 1), \
    (SELECT i.authors FROM pages g JOIN items i ON i.page = g.id WHERE g.article = a.id \
     AND i.authors != '[]' ORDER BY i.first_seen, i.feed, i.item LIMIT 1), \
    (SELECT i.tags FROM pages g JOIN items i ON i.page = g.id WHERE g.article = a.id \
     AND i.tags != '[]' ORDER BY i.first_seen, i.feed, i.item LIMIT 1)";

impl ArchiveReader {
    /// Opens an archive.
    ///
    /// # Errors
    ///
    /// If there is none, or it is of another version.
    pub fn open(dir: &Path) -> Result<ArchiveReader> {
        let path = paths::database(dir);
        if !path.is_file() {
            let path = dir.to_owned();
            let has_files = !Folder::of(dir).lengths_or_none()?.is_empty();
            return Err(match has_files {
                true => Kind::ArchiveWithoutTables { path },
                false => Kind::NoArchive { path },
            }
            .into());
        }
        Ok(ArchiveReader {
            db: tables::open_to_read(&path)?,
            folder: Folder::of(dir),
        })
    }

    /// The article that an address is known for, by any of its addresses.
    ///
    /// # Errors
    ///
    /// If the database cannot be read; so all of these.
    pub fn article(&self, url: &str) -> Result<Option<StoredArticle>> {
        let Some(id) = article_of(&self.db, &key_of(url))? else {
            return Ok(None);
        };
        let sql = "SELECT a.id, a.key, a.url, a.site, a.first_seen, a.versions FROM articles a WHERE a.id = ?1";
        let article = self.db.prepare_cached(sql)?.query_row([id], article_row);
        Ok(article.optional()?)
    }

    /// What robots.txt of an origin said when it was read last, and when that was.
    pub fn robots(&self, origin: &str) -> Result<Option<(DateTime<Utc>, Vec<u8>)>> {
        let sql = "SELECT at, text FROM robots WHERE origin = ?1";
        let found = self
            .db
            .prepare_cached(sql)?
            .query_row([origin], |row| Ok((time_of(row.get(0)?), row.get(1)?)));
        Ok(found.optional()?)
    }

    /// Its versions, the oldest first.
    pub fn versions(&self, article: i64) -> Result<Vec<ArticleVersion>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM versions v JOIN articles a ON a.id = v.article \
             WHERE v.article = ?1 ORDER BY v.number"
        );
        let mut versions = Vec::new();
        self.rows(&sql, vec![article.into()], &mut |_, version| {
            versions.push(version);
            Ok(())
        })?;
        Ok(versions)
    }

    /// A version by its number in the archive.
    pub(crate) fn version(&self, id: i64) -> Result<Option<(StoredArticle, ArticleVersion)>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM versions v JOIN articles a ON a.id = v.article WHERE v.id = ?1"
        );
        let mut found = None;
        self.rows(&sql, vec![id.into()], &mut |article, version| {
            found = Some((article, version));
            Ok(())
        })?;
        Ok(found)
    }

    /// The latest version of each article, in the order of sites, of when they were
    /// first seen and of keys. The filter's times are those of the latest version.
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
            let names = filter
                .statuses
                .iter()
                .map(|status| format!("'{}'", super::apply::status_name(*status)));
            let names: Vec<String> = names.collect();
            sql.push_str(&format!(" AND v.status IN ({})", names.join(",")));
        }
        sql.push_str(" ORDER BY a.site, a.first_seen, a.key");
        self.rows(&sql, values, f)
    }

    /// The versions that came or were read again after the change with this number, in
    /// the order of [`ArticleVersion::changed`].
    pub fn versions_after(
        &self,
        changed: i64,
        f: &mut dyn FnMut(StoredArticle, ArticleVersion) -> Result<()>,
    ) -> Result<()> {
        let sql = format!(
            "SELECT {COLUMNS} FROM versions v JOIN articles a ON a.id = v.article \
             WHERE v.changed > ?1 ORDER BY v.changed"
        );
        self.rows(&sql, vec![changed.into()], f)
    }

    /// Versions that came at this time or later, each with the one before it; first
    /// versions are not among them. In the order in which they came.
    pub fn changed_since(
        &self,
        since: DateTime<Utc>,
        f: &mut dyn FnMut(StoredArticle, ArticleVersion, ArticleVersion) -> Result<()>,
    ) -> Result<()> {
        let sql = format!(
            "SELECT {COLUMNS} FROM versions v JOIN articles a ON a.id = v.article \
             WHERE v.at >= ?1 AND v.number > 1 ORDER BY v.at, v.id"
        );
        let before = format!(
            "SELECT {COLUMNS} FROM versions v JOIN articles a ON a.id = v.article \
             WHERE v.article = ?1 AND v.number = ?2"
        );
        self.rows(
            &sql,
            vec![since.timestamp_millis().into()],
            &mut |article, after| {
                let mut earlier = None;
                let values = vec![after.article.into(), i64::from(after.number - 1).into()];
                self.rows(&before, values, &mut |_, version| {
                    earlier = Some(version);
                    Ok(())
                })?;
                match earlier {
                    Some(before) => f(article, before, after),
                    None => Ok(()),
                }
            },
        )
    }

    pub(crate) fn raw(&self, fetch: i64) -> Result<Option<RawPage>> {
        raw_page(&self.db, &self.folder, fetch)
    }

    /// Pages of a site that came and were not blocked, those whose bytes came last, the
    /// last first.
    pub fn latest_pages(&self, site: &str, count: usize) -> Result<Vec<SitePage>> {
        let sql = "SELECT p.id, p.raw, p.status FROM pages p WHERE p.site = ?1 AND p.raw IS NOT NULL \
                   AND p.status NOT IN ('blocked', 'error') ORDER BY p.raw DESC LIMIT ?2 OFFSET ?3";
        self.site_pages(sql, site, 0..count)
    }

    /// Pages of a site that came, as its feed has them today, the newest first: those with
    /// these places among them, from 0. Pages of no feed are the last.
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
        let mut rows = self.db.prepare_cached(sql)?;
        let rows = rows.query_map(params![site, places.len(), places.start], |row| {
            Ok((
                row.get::<_, i64>(0)?,
                row.get::<_, i64>(1)?,
                status_column(row, 2)?,
            ))
        })?;
        let mut found = Vec::new();
        for row in rows.collect::<Result<Vec<_>, _>>()? {
            let (page, raw, status) = row;
            if let Some(raw) = self.raw(raw)? {
                found.push(SitePage {
                    raw,
                    status,
                    said: said_of(&self.db, page)?,
                });
            }
        }
        Ok(found)
    }

    /// What is known of an address.
    pub fn known(&self, url: &str) -> Result<KnownAddress> {
        known(&self.db, url)
    }

    /// The wrappers of a site, the latest first.
    pub fn wrappers(&self, site: &str) -> Result<Vec<WrapperRow>> {
        let sql =
            "SELECT sha256, yaml, since, until, why FROM wrappers WHERE site = ?1 ORDER BY id DESC";
        let mut rows = self.db.prepare_cached(sql)?;
        let rows = rows.query_map([site], |row| {
            Ok(WrapperRow {
                sha256: row.get(0)?,
                yaml: row.get(1)?,
                since: time_of(row.get(2)?),
                until: row.get::<_, Option<i64>>(3)?.map(time_of),
                why: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The wrapper with this digest, as far as it was ever in force here.
    pub fn wrapper(&self, sha256: &str) -> Result<Option<Wrapper>> {
        let sql = "SELECT yaml FROM wrappers WHERE sha256 = ?1 LIMIT 1";
        let yaml: Option<String> = self
            .db
            .prepare_cached(sql)?
            .query_row([sha256], |row| row.get(0))
            .optional()?;
        yaml.map(|yaml| Ok(Wrapper::from_yaml(&yaml)?.wrapper))
            .transpose()
    }

    /// The feeds, by address; those that were removed are not among them.
    pub fn feeds(&self) -> Result<Vec<FeedRow>> {
        let sql = format!(
            "SELECT {} FROM feeds f LEFT JOIN polls p ON p.feed = f.id \
             WHERE f.state != 'removed' ORDER BY f.url",
            feed_columns()
        );
        let mut rows = self.db.prepare_cached(&sql)?;
        let rows = rows.query_map([], feed_row)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Sites with their articles, by name.
    pub fn sites(&self) -> Result<Vec<(String, u64)>> {
        let sql = "SELECT site, count(*) FROM articles GROUP BY site ORDER BY site";
        let mut rows = self.db.prepare_cached(sql)?;
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
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
                let (article, mut version) = (article_row(row)?, version_row(row)?);
                if version.record.date_published.is_none() {
                    let said: Option<String> = row.get(16)?;
                    version.record.date_published = said.filter(|said| is_past(said, &article));
                }
                version
                    .record
                    .complete(&list_of(row, 17)?, &list_of(row, 18)?);
                if version.record.site.is_none() && !article.site.is_empty() {
                    version.record.site = Some(article.site.clone());
                }
                chunk.push((article, version, may_be_place(row, 13)?));
            }
            if chunk.is_empty() {
                return Ok(());
            }
            for (article, mut version, place) in chunk {
                version.record.text = self.text(place)?;
                f(article, version)?;
            }
        }
    }

    fn text(&self, place: Option<RecordPlace>) -> Result<String> {
        text_at(&self.folder, place)
    }
}

/// Whether a feed's time of publication may be that of an article: none is stored
/// before it is published.
fn is_past(said: &str, article: &StoredArticle) -> bool {
    let said = DateTime::parse_from_rfc3339(said);
    said.is_ok_and(|said| said.to_utc() <= article.first_seen + TimeDelta::days(1))
}

/// The text at a place; empty where a version has none.
pub(crate) fn text_at(folder: &Folder, place: Option<RecordPlace>) -> Result<String> {
    let Some(place) = place else {
        return Ok(String::new());
    };
    let record = folder.record(place)?;
    match (record.kind, String::from_utf8(record.block)) {
        (Some(RecordType::Conversion), Ok(text)) => Ok(text),
        _ => Err(folder.broken(place.file, place.offset, "it is no text")),
    }
}

/// The bytes that a visit brought.
pub(crate) fn raw_page(db: &Connection, folder: &Folder, fetch: i64) -> Result<Option<RawPage>> {
    let Some(known) = raw_known(db, fetch)? else {
        return Ok(None);
    };
    let record = folder.record(known.place)?;
    let body = match record.kind {
        Some(RecordType::Resource) => record.block,
        _ => match record.answer() {
            Some((_, _, payload)) => payload.to_vec(),
            None => return Ok(None),
        },
    };
    let at = DateTime::parse_from_rfc3339(&known.earlier.date);
    Ok(Some(RawPage {
        url: known.earlier.url,
        at: at.map(|at| at.to_utc()).unwrap_or_default(),
        content_type: known.content_type,
        body,
    }))
}

fn article_row(row: &Row<'_>) -> rusqlite::Result<StoredArticle> {
    Ok(StoredArticle {
        id: row.get(0)?,
        key: row.get(1)?,
        url: row.get(2)?,
        site: row.get(3)?,
        first_seen: time_of(row.get(4)?),
        versions: row.get(5)?,
    })
}

fn version_row(row: &Row<'_>) -> rusqlite::Result<ArticleVersion> {
    let json: String = row.get(10)?;
    let record = serde_json::from_str(&json).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(10, rusqlite::types::Type::Text, Box::new(error))
    })?;
    Ok(ArticleVersion {
        article: row.get(0)?,
        id: row.get(6)?,
        number: row.get(7)?,
        at: time_of(row.get(8)?),
        wrapper: row.get(9)?,
        record,
        changed: row.get(11)?,
        raw: row.get(12)?,
    })
}

/// How feeds were polled, those that were removed included.
pub(crate) fn polls(db: &Connection) -> Result<Vec<super::ArchiveChange>> {
    let sql = format!(
        "SELECT f.url, {POLL_COLUMNS} FROM polls p JOIN feeds f ON f.id = p.feed \
         WHERE p.last IS NOT NULL ORDER BY f.id"
    );
    let mut rows = db.prepare(&sql)?;
    let rows = rows.query_map([], |row| {
        let poll = Box::new(poll_row(row, row.get(0)?, 1)?);
        Ok(super::ArchiveChange::Poll(poll))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// How a feed was polled, from the columns [`POLL_COLUMNS`].
fn poll_row(row: &Row<'_>, feed: String, first: usize) -> rusqlite::Result<FeedPoll> {
    let time = |at: usize| {
        let ms: Option<i64> = row.get(first + at)?;
        Ok::<_, rusqlite::Error>(ms.map(time_of))
    };
    Ok(FeedPoll {
        feed,
        last: time(0)?,
        success: time(1)?,
        next: time(2)?,
        rhythm: row.get(first + 3)?,
        failures: row.get::<_, Option<u32>>(first + 4)?.unwrap_or(0),
        error: row.get(first + 5)?,
        etag: row.get(first + 6)?,
        last_modified: row.get(first + 7)?,
        sha256: row.get(first + 8)?,
        moved: row.get(first + 9)?,
    })
}

/// A feed from [`feed_columns`].
pub(crate) fn feed_row(row: &Row<'_>) -> rusqlite::Result<FeedRow> {
    let json = |at: usize| row.get::<_, String>(at);
    let url: String = row.get(0)?;
    Ok(FeedRow {
        state: row.get(1)?,
        title: row.get(2)?,
        why: row.get(3)?,
        added: time_of(row.get(4)?),
        typed: row.get(5)?,
        listed_title: row.get(6)?,
        listed_home: row.get(7)?,
        folders: serde_json::from_str(&json(8)?).unwrap_or_default(),
        rules: serde_json::from_str(&json(9)?).unwrap_or_default(),
        poll: poll_row(row, url.clone(), 10)?,
        url,
    })
}
