//! What the feeds said of themselves and of their items: their answers as they were kept,
//! read again. What no answer that is kept says, the tables say in part.

use super::apply::is_forgotten;
use super::identity::key_of;
use super::read::{
    ArchiveReader, ArticleVersion, FeedRow, StoredArticle, feed_columns, feed_row, list_of,
};
use super::status_of;
use super::store::{place_of, time_of};
use crate::error::Result;
use crate::extract::Status;
use crate::feed::{self, Date, Feed};
use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, Row, params};
use url::Url;

/// A feed as it was at a time.
#[derive(Debug)]
pub(crate) struct KeptFeed {
    /// When it came.
    pub at: DateTime<Utc>,
    /// What it said.
    pub feed: Feed,
}

/// An item that the archive knows.
#[derive(Debug)]
pub(crate) struct ItemRow {
    /// The feed's number.
    feed: i64,
    /// The feed's name of it.
    name: String,
    link: String,
    /// The number of its page.
    pub page: i64,
    pub first_seen: DateTime<Utc>,
    /// When it was published; where that is not known, when it was first seen.
    pub date: DateTime<Utc>,
    /// The answer that says the latest of it, if it was kept.
    pub answer: Option<i64>,
}

/// A page that an item names, and what became of it.
#[derive(Debug, Clone)]
pub(crate) struct KnownPage {
    pub id: i64,
    pub first_seen: DateTime<Utc>,
    pub visits: u64,
    /// What came of the last visit.
    pub status: Option<Status>,
    /// Its HTTP status.
    pub http_status: Option<u16>,
    /// Why there is no page.
    pub error: Option<String>,
    /// The number of its article.
    pub article: Option<i64>,
}

/// A feed that names pages of a site.
#[derive(Debug)]
pub(crate) struct FeedOfSite {
    /// Its number.
    pub number: i64,
    /// More than half of its items are pages of the site.
    pub is_own: bool,
}

const ITEM: &str =
    "SELECT i.feed, i.item, i.link, i.page, i.first_seen, i.published, i.answer FROM items i";
const NEWEST: &str = "ORDER BY i.first_seen DESC, i.published DESC, i.feed, i.item";

impl ArchiveReader {
    /// A feed by its address, whatever its state.
    ///
    /// # Errors
    ///
    /// If the database cannot be read; so all of these.
    pub fn feed(&self, url: &str) -> Result<Option<FeedRow>> {
        Ok(self.numbered_feed(url)?.map(|(_, row)| row))
    }

    /// What a feed said when its answer was kept last.
    pub fn last_said(&self, url: &str) -> Result<Option<Feed>> {
        let Some((number, _)) = self.numbered_feed(url)? else {
            return Ok(None);
        };
        Ok(self.latest_answer(number)?.map(|kept| kept.feed))
    }

    /// The number of a feed, and what is known of it.
    pub(crate) fn numbered_feed(&self, url: &str) -> Result<Option<(i64, FeedRow)>> {
        self.one_feed("f.url = ?1", url)
    }

    /// A feed by its number.
    pub(crate) fn feed_of(&self, number: i64) -> Result<Option<(i64, FeedRow)>> {
        self.one_feed("f.id = ?1", number)
    }

    fn one_feed(&self, which: &str, value: impl rusqlite::ToSql) -> Result<Option<(i64, FeedRow)>> {
        let sql = format!(
            "SELECT {}, f.id FROM feeds f LEFT JOIN polls p ON p.feed = f.id WHERE {which}",
            feed_columns()
        );
        let found = self
            .db
            .prepare_cached(&sql)?
            .query_row([value], |row| Ok((row.get("id")?, feed_row(row)?)));
        Ok(found.optional()?)
    }

    /// The feeds that name pages of a site, those with the most items first.
    pub(crate) fn feeds_of_site(&self, site: &str) -> Result<Vec<FeedOfSite>> {
        let sql = "SELECT i.feed, 2 * count(*) FILTER (WHERE g.site = ?1) > count(*) \
                   FROM items i JOIN pages g ON g.id = i.page WHERE i.feed IN \
                   (SELECT j.feed FROM items j JOIN pages h ON h.id = j.page WHERE h.site = ?1) \
                   GROUP BY i.feed ORDER BY count(*) DESC, i.feed";
        let mut rows = self.db.prepare_cached(sql)?;
        let rows = rows.query_map([site], |row| {
            Ok(FeedOfSite {
                number: row.get(0)?,
                is_own: row.get(1)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The last answer of a feed that was kept and can be read.
    pub(crate) fn latest_answer(&self, feed: i64) -> Result<Option<KeptFeed>> {
        let sql = "SELECT id FROM answers WHERE feed = ?1 ORDER BY id DESC LIMIT 3";
        let mut rows = self.db.prepare_cached(sql)?;
        let ids = rows.query_map([feed], |row| row.get(0))?;
        for id in ids.collect::<Result<Vec<i64>, _>>()? {
            if let Some(kept) = self.kept_feed(id)? {
                return Ok(Some(kept));
            }
        }
        Ok(None)
    }

    /// An answer by its number; `None` if it is no feed any more.
    pub(crate) fn kept_feed(&self, answer: i64) -> Result<Option<KeptFeed>> {
        let sql = "SELECT at, file, place, length FROM answers WHERE id = ?1";
        let found = self.db.prepare_cached(sql)?.query_row([answer], |row| {
            Ok((time_of(row.get(0)?), place_of(row, 1)?))
        });
        let Some((at, place)) = found.optional()? else {
            return Ok(None);
        };
        let record = self.folder.record(place)?;
        let Some((_, content_type, payload)) = record.answer() else {
            return Ok(None);
        };
        let base = Url::parse(&record.url).ok();
        let read = feed::parse(payload, base.as_ref(), content_type.as_deref());
        Ok(read.ok().map(|feed| KeptFeed { at, feed }))
    }

    /// The items of a feed, the newest first.
    pub(crate) fn items_of(&self, feed: i64) -> Result<Vec<ItemRow>> {
        let sql = format!("{ITEM} WHERE i.feed = ?1 {NEWEST}");
        let mut rows = self.db.prepare_cached(&sql)?;
        let rows = rows.query_map([feed], item_row)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The items whose pages are of a site, the newest first.
    pub(crate) fn items_on(&self, site: &str) -> Result<Vec<ItemRow>> {
        let sql = format!("{ITEM} JOIN pages g ON g.id = i.page WHERE g.site = ?1 {NEWEST}");
        let mut rows = self.db.prepare_cached(&sql)?;
        let rows = rows.query_map([site], item_row)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The item as an answer says it, or, without one, as the tables do.
    pub(crate) fn item_in(&self, row: &ItemRow, answer: Option<&Feed>) -> Result<feed::Item> {
        let key = key_of(&row.link);
        let is_it = |item: &&feed::Item| {
            let link = item.link.as_ref();
            link.is_some_and(|link| key_of(link.as_str()) == key)
        };
        if let Some(item) = answer.and_then(|feed| feed.items.iter().find(is_it)) {
            return Ok(item.clone());
        }
        let sql = "SELECT title, summary, published, authors, tags, image FROM items \
                   WHERE feed = ?1 AND item = ?2";
        let found = self
            .db
            .prepare_cached(sql)?
            .query_row(params![row.feed, row.name], |said| {
                let published: Option<String> = said.get(2)?;
                let image: Option<String> = said.get(5)?;
                Ok(feed::Item {
                    id: row.name.clone(),
                    title: said.get(0)?,
                    summary: said.get(1)?,
                    content: None,
                    link: Url::parse(&row.link).ok(),
                    published: published.map(|raw| Date {
                        time: DateTime::parse_from_rfc3339(&raw).ok(),
                        raw,
                    }),
                    updated: None,
                    authors: list_of(said, 3)?,
                    categories: list_of(said, 4)?,
                    image: image.and_then(|image| Url::parse(&image).ok()),
                    enclosures: Vec::new(),
                })
            });
        Ok(found?)
    }

    /// The feed of an item.
    pub(crate) fn feed_of_item(&self, row: &ItemRow) -> Result<Option<FeedRow>> {
        Ok(self.feed_of(row.feed)?.map(|(_, feed)| feed))
    }

    /// The page at an address.
    pub(crate) fn page_at(&self, url: &str) -> Result<Option<KnownPage>> {
        self.known_page("g.key = ?1", key_of(url))
    }

    /// A page by its number.
    pub(crate) fn page(&self, id: i64) -> Result<Option<KnownPage>> {
        self.known_page("g.id = ?1", id)
    }

    fn known_page(&self, which: &str, value: impl rusqlite::ToSql) -> Result<Option<KnownPage>> {
        let sql = format!(
            "SELECT g.id, g.first_seen, g.visits, g.status, g.article, f.http_status, f.error \
             FROM pages g LEFT JOIN fetches f ON f.id = (SELECT max(id) FROM fetches WHERE page = g.id) \
             WHERE {which}"
        );
        let page = self.db.prepare_cached(&sql)?.query_row([value], |row| {
            let status: Option<String> = row.get(3)?;
            Ok(KnownPage {
                id: row.get(0)?,
                first_seen: time_of(row.get(1)?),
                visits: row.get(2)?,
                status: status.as_deref().and_then(status_of),
                article: row.get(4)?,
                http_status: row.get(5)?,
                error: row.get(6)?,
            })
        });
        Ok(page.optional()?)
    }

    /// The latest version of an article.
    pub(crate) fn latest_of(
        &self,
        article: i64,
    ) -> Result<Option<(StoredArticle, ArticleVersion)>> {
        let sql = "SELECT latest FROM articles WHERE id = ?1";
        let latest: Option<Option<i64>> = self
            .db
            .prepare_cached(sql)?
            .query_row([article], |row| row.get(0))
            .optional()?;
        match latest.flatten() {
            Some(version) => self.version(version),
            None => Ok(None),
        }
    }

    /// The articles of a site that no feed names.
    pub(crate) fn unnamed_articles(&self, site: &str) -> Result<Vec<i64>> {
        let sql = "SELECT a.id FROM articles a WHERE a.site = ?1 AND NOT EXISTS \
                   (SELECT 1 FROM pages g JOIN items i ON i.page = g.id WHERE g.article = a.id) \
                   ORDER BY a.id";
        let mut rows = self.db.prepare_cached(sql)?;
        let rows = rows.query_map([site], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Whether an address was forgotten.
    pub(crate) fn is_forgotten(&self, url: &str) -> Result<bool> {
        is_forgotten(&self.db, &key_of(url))
    }
}

fn item_row(row: &Row<'_>) -> rusqlite::Result<ItemRow> {
    let first_seen = time_of(row.get(4)?);
    let published: Option<String> = row.get(5)?;
    let published = published.and_then(|time| DateTime::parse_from_rfc3339(&time).ok());
    Ok(ItemRow {
        feed: row.get(0)?,
        name: row.get(1)?,
        link: row.get(2)?,
        page: row.get(3)?,
        first_seen,
        date: published.map_or(first_seen, |time| time.to_utc()),
        answer: row.get(6)?,
    })
}
