//! Items of feeds that the latest answer does not have: read again from the answer that had them
//! last, or without a kept one from the tables, with fewer fields.
use super::item_names::digest_item;
use super::known::is_forgotten;
use super::raw::feed_in;
use super::read::{ArchiveReader, stored_item};
use super::sql::{Sql, place_of, status_of, time_in};
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_core::extract::Status;
use forest_core::feed::FeedItem;
use forest_html::address::page_key;
use rusqlite::{Row, params};
use std::collections::HashMap;
use url::Url;

/// The items of a kept answer.
#[derive(Debug)]
pub struct AnsweredItems {
    items: Vec<FeedItem>,
    by_digest: HashMap<String, usize>,
    by_page: HashMap<String, usize>,
}

impl AnsweredItems {
    fn of(items: Vec<FeedItem>) -> AnsweredItems {
        let (mut by_digest, mut by_page) = (HashMap::new(), HashMap::new());
        for (place, item) in items.iter().enumerate() {
            by_digest.entry(digest_item(item)).or_insert(place);
            if let Some(link) = &item.link {
                by_page.entry(page_key(link.as_str())).or_insert(place);
            }
        }
        AnsweredItems {
            items,
            by_digest,
            by_page,
        }
    }

    /// The item of a row that this answer wrote: by its digest, or by its page, since earlier
    /// releases read some feeds otherwise.
    fn item(&self, row: &ItemRow) -> Option<&FeedItem> {
        let place = self
            .by_digest
            .get(&row.digest)
            .or_else(|| self.by_page.get(&page_key(&row.link)))?;
        self.items.get(*place)
    }
}

/// An item that the archive knows.
#[derive(Debug)]
pub struct ItemRow {
    /// The feed's number.
    pub feed: i64,
    /// Its name among the items of its feed.
    pub name: String,
    /// The name of its entry.
    pub entry: String,
    /// Its title.
    pub title: String,
    link: String,
    digest: String,
    /// The number of its page; `None`: it links to none.
    pub page: Option<i64>,
    /// The lasting number of its entry.
    pub number: i64,
    pub first_seen: DateTime<Utc>,
    /// The time of publication; if unknown, the time at which it was first seen.
    pub date: DateTime<Utc>,
    /// The latest answer with it, if that was kept.
    pub answer: Option<i64>,
}

/// The page of an item.
#[derive(Debug, Clone)]
pub struct KnownPage {
    pub id: i64,
    pub first_seen: DateTime<Utc>,
    pub visits: u64,
    /// The status of the last visit.
    pub status: Option<Status>,
    /// Its HTTP status.
    pub http_status: Option<u16>,
    /// The reason why there is no page.
    pub error: Option<String>,
    /// The number of its article.
    pub article: Option<i64>,
}

/// A feed that lists pages of a site.
#[derive(Debug)]
pub struct FeedOfSite {
    /// Its number.
    pub number: i64,
    /// More than half of its items are pages of the site.
    pub is_own: bool,
}

const ITEM: &str = "SELECT i.feed, i.item, i.entry, i.title, i.link, i.digest, i.page, i.number, \
     i.first_seen, i.published, i.answer FROM items i";
const NEWEST: &str = "ORDER BY i.first_seen DESC, i.published DESC, i.feed, i.item";

impl ArchiveReader {
    /// The feeds that list pages of a site, those with the most items first.
    pub(super) fn feeds_of_site(&self, site: &str) -> Result<Vec<FeedOfSite>> {
        let sql = "SELECT i.feed, 2 * count(*) FILTER (WHERE g.site = ?1) > count(*) AS is_own \
                   FROM items i JOIN pages g ON g.id = i.page WHERE i.feed IN \
                   (SELECT j.feed FROM items j JOIN pages h ON h.id = j.page WHERE h.site = ?1) \
                   GROUP BY i.feed ORDER BY count(*) DESC, i.feed";
        self.db.all(sql, [site], |row| {
            Ok(FeedOfSite {
                number: row.get("feed")?,
                is_own: row.get("is_own")?,
            })
        })
    }

    /// An answer by its number; `None` if it cannot be parsed as a feed any more.
    pub(super) fn answered_items(&self, answer: i64) -> Result<Option<AnsweredItems>> {
        let sql = "SELECT file, place, length FROM answers WHERE id = ?1";
        let Some(place) = self.db.first(sql, [answer], place_of)? else {
            return Ok(None);
        };
        let feed = feed_in(&self.folder.record(place)?);
        Ok(feed.map(|feed| AnsweredItems::of(feed.items)))
    }

    /// At most `most` items whose pages are of an article, the newest first.
    pub(super) fn items_of_article(&self, article: i64, most: u32) -> Result<Vec<ItemRow>> {
        let sql =
            format!("{ITEM} JOIN pages g ON g.id = i.page WHERE g.article = ?1 {NEWEST} LIMIT ?2");
        self.db.all(&sql, params![article, most], item_of_row)
    }

    /// The item of an entry by its lasting number.
    pub(super) fn numbered_item(&self, number: i64) -> Result<Option<ItemRow>> {
        self.db.first(
            &format!("{ITEM} WHERE i.number = ?1"),
            [number],
            item_of_row,
        )
    }

    /// The items of a feed, the newest first.
    pub(super) fn items_of(&self, feed: i64) -> Result<Vec<ItemRow>> {
        let sql = format!("{ITEM} WHERE i.feed = ?1 {NEWEST}");
        self.db.all(&sql, [feed], item_of_row)
    }

    /// The items whose pages are of a site, the newest first.
    pub(super) fn items_on(&self, site: &str) -> Result<Vec<ItemRow>> {
        let sql = format!("{ITEM} JOIN pages g ON g.id = i.page WHERE g.site = ?1 {NEWEST}");
        self.db.all(&sql, [site], item_of_row)
    }

    /// The feed that listed a page first, by its address, and the name of its latest entry of it.
    pub(super) fn first_listing(&self, page: i64) -> Result<Option<(String, String)>> {
        let sql = "SELECT f.url, i.entry FROM items i JOIN feeds f ON f.id = i.feed WHERE i.page = ?1 \
                   AND i.feed = (SELECT feed FROM items WHERE page = ?1 ORDER BY first_seen, feed LIMIT 1) \
                   ORDER BY i.first_seen DESC, i.item LIMIT 1";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        self.db.first(sql, [page], read)
    }

    /// The item in an answer; without an answer, the item in the tables.
    pub(super) fn item_in(
        &self,
        row: &ItemRow,
        answer: Option<&AnsweredItems>,
    ) -> Result<FeedItem> {
        if let Some(item) = answer.and_then(|answer| answer.item(row)) {
            return Ok(item.clone());
        }
        let sql = "SELECT title, summary, published, authors, tags, image FROM items \
                   WHERE feed = ?1 AND item = ?2";
        let mut item = self.db.prepare_cached(sql)?;
        let item = item.query_row(params![row.feed, row.name], |columns| {
            Ok(FeedItem {
                id: row.name.clone(),
                link: Url::parse(&row.link).ok(),
                ..stored_item(columns)?
            })
        })?;
        Ok(item)
    }

    /// The page at an address.
    pub(super) fn page_at(&self, url: &str) -> Result<Option<KnownPage>> {
        self.known_page("g.key = ?1", page_key(url))
    }

    /// A page by its number.
    pub(super) fn page(&self, id: i64) -> Result<Option<KnownPage>> {
        self.known_page("g.id = ?1", id)
    }

    fn known_page(
        &self,
        condition: &str,
        value: impl rusqlite::ToSql,
    ) -> Result<Option<KnownPage>> {
        let sql = format!(
            "SELECT g.id, g.first_seen, g.visits, g.status, g.article, f.http_status, f.error \
             FROM pages g LEFT JOIN fetches f ON f.id = (SELECT max(id) FROM fetches WHERE page = g.id) \
             WHERE {condition}"
        );
        self.db.first(&sql, [value], |row| {
            Ok(KnownPage {
                id: row.get("id")?,
                first_seen: time_in(row, "first_seen")?,
                visits: row.get("visits")?,
                status: status_of(row)?,
                article: row.get("article")?,
                http_status: row.get("http_status")?,
                error: row.get("error")?,
            })
        })
    }

    /// The articles of a site that no feed lists.
    pub(super) fn unnamed_articles(&self, site: &str) -> Result<Vec<i64>> {
        let sql = "SELECT a.id FROM articles a WHERE a.site = ?1 AND NOT EXISTS \
                   (SELECT 1 FROM pages g JOIN items i ON i.page = g.id WHERE g.article = a.id) \
                   ORDER BY a.id";
        self.db.values(sql, [site])
    }

    /// Returns true if an address was forgotten.
    pub(super) fn is_forgotten(&self, url: &str) -> Result<bool> {
        is_forgotten(&self.db, &page_key(url))
    }
}

fn item_of_row(row: &Row<'_>) -> rusqlite::Result<ItemRow> {
    let first_seen = time_in(row, "first_seen")?;
    let published: Option<String> = row.get("published")?;
    let published = published.and_then(|time| DateTime::parse_from_rfc3339(&time).ok());
    Ok(ItemRow {
        feed: row.get("feed")?,
        name: row.get("item")?,
        entry: row.get("entry")?,
        title: row.get("title")?,
        link: row.get("link")?,
        digest: row.get("digest")?,
        page: row.get("page")?,
        number: row.get("number")?,
        first_seen,
        date: published.map_or(first_seen, |time| time.to_utc()),
        answer: row.get("answer")?,
    })
}
