//! The latest kept answer of each feed, read when it comes: its items in their order, each with
//! all that the feed says of it. Whoever asks for a feed reads them from the tables.
//!
//! The rows are not made of events but of the answers themselves, and only of the latest one of
//! each feed: [`catch_up`] brings them up after a write, and after events were replayed. So a
//! rebuild parses one answer of a feed, not those of years.

use super::files::Folder;
use super::item_names::{NamedItem, name_items};
use super::raw::feed_in;
use super::read::ArchiveReader;
use super::sql::{Sql, insert, place_of, time_in};
use crate::error::Result;
use chrono::{DateTime, Utc};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use forest_core::feed::{Feed, FeedItem, FeedVersion, sort_newest_first};
use rusqlite::types::{FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, Row};
use std::io::{Read, Write};
use url::Url;

/// Kept answers that are tried, from the latest on: a list of articles is a page, no feed.
const TRIED: i64 = 3;

/// Items of a sitemap that are read: the newest.
const SITEMAP_ITEMS: usize = 100;

/// The feed itself, as its latest answer describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedProfile {
    /// The time of the answer.
    pub at: DateTime<Utc>,
    /// Its title; may be empty.
    pub title: String,
    /// Its description as text.
    pub description: Option<String>,
    /// The site's home page.
    pub home: Option<Url>,
    /// Its picture.
    pub image: Option<Url>,
    /// The language as the feed has it.
    pub language: Option<String>,
    /// It is a sitemap.
    pub is_sitemap: bool,
}

/// An item of the latest answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LatestItem {
    /// Its name among the items of its feed.
    pub name: String,
    /// The name of its entry.
    pub entry: String,
    /// The lasting number of its entry: see [`entry_number`](super::item_names::entry_number).
    /// `None` for an item that was never stored because a rule skips it.
    pub number: Option<i64>,
    /// The item.
    pub item: FeedItem,
}

/// Reads the latest answers that the tables do not have yet. The WARC files hold all answers
/// that the tables name.
pub(super) fn catch_up(db: &Connection, folder: &Folder) -> Result<()> {
    let sql = "SELECT f.id, f.url FROM feeds f LEFT JOIN profiles p ON p.feed = f.id \
               WHERE (SELECT max(id) FROM answers WHERE feed = f.id) > coalesce(p.answer, 0)";
    let behind: Vec<(i64, String)> = db.all(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for (feed, url) in behind {
        read_latest(db, folder, (feed, &url))?;
    }
    Ok(())
}

fn read_latest(db: &Connection, folder: &Folder, (feed, url): (i64, &str)) -> Result<()> {
    let sql = "SELECT id, at, file, place, length FROM answers WHERE feed = ?1 \
               AND id > coalesce((SELECT answer FROM profiles WHERE feed = ?1), 0) \
               ORDER BY id DESC LIMIT ?2";
    let answers = db.all(sql, [feed, TRIED], |row| {
        Ok((
            row.get::<_, i64>("id")?,
            row.get::<_, i64>("at")?,
            place_of(row)?,
        ))
    })?;
    for (answer, at, place) in answers {
        if let Some(mut content) = feed_in(&folder.record(place)?) {
            if content.format == FeedVersion::Sitemap {
                // Its order means nothing, and it may have all pages of a site.
                sort_newest_first(&mut content.items);
                content.items.truncate(SITEMAP_ITEMS);
            }
            let named = name_items(db, url, &content)?;
            return replace(db, feed, (answer, at), &content, &named);
        }
    }
    Ok(())
}

/// Replaces the rows of a feed by those of an answer.
fn replace(
    db: &Connection,
    feed: i64,
    (answer, at): (i64, i64),
    content: &Feed,
    named: &[NamedItem],
) -> Result<()> {
    db.run("DELETE FROM latest_items WHERE feed = ?1", [feed])?;
    db.run("DELETE FROM profiles WHERE feed = ?1", [feed])?;
    insert!(
        db, "profiles", feed: feed, answer: answer, at: at, title: content.title,
        description: content.description, language: content.language,
        home: content.site.as_ref().map(Url::as_str),
        image: content.image.as_ref().map(Url::as_str),
        is_sitemap: content.format == FeedVersion::Sitemap,
    )?;
    for (nth, (item, named)) in (0_i64..).zip(content.items.iter().zip(named)) {
        insert!(
            db, "latest_items", feed: feed, nth: nth, item: named.name, entry: named.entry,
            fields: pack(item),
        )?;
    }
    Ok(())
}

/// The fields of an item: JSON, deflated. The markup of its summary is no part of its JSON.
fn pack(item: &FeedItem) -> Vec<u8> {
    let json = serde_json::to_vec(&(item, &item.summary_html));
    let json = json.expect("an item has string keys only");
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&json).expect("memory takes all");
    packed.finish().expect("memory takes all")
}

fn unpack(packed: ValueRef<'_>) -> FromSqlResult<FeedItem> {
    let failed = |error: std::io::Error| FromSqlError::Other(error.into());
    let mut json = Vec::new();
    let mut unpacked = ZlibDecoder::new(packed.as_blob()?);
    unpacked.read_to_end(&mut json).map_err(failed)?;
    let read: serde_json::Result<(FeedItem, Option<String>)> = serde_json::from_slice(&json);
    let (item, summary_html) = read.map_err(|error| failed(error.into()))?;
    Ok(FeedItem {
        summary_html,
        ..item
    })
}

impl ArchiveReader {
    /// The feed itself, as its latest answer describes it; `None` if no answer was kept that is a
    /// feed.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub fn feed_profile(&self, url: &str) -> Result<Option<FeedProfile>> {
        match self.numbered_feed(url)? {
            Some((feed, _)) => self.profile_of(feed),
            None => Ok(None),
        }
    }

    pub(super) fn profile_of(&self, feed: i64) -> Result<Option<FeedProfile>> {
        let sql = "SELECT at, title, description, home, image, language, is_sitemap FROM profiles WHERE feed = ?1";
        let address = |row: &Row<'_>, column: &str| -> rusqlite::Result<Option<Url>> {
            let text: Option<String> = row.get(column)?;
            Ok(text.and_then(|text| Url::parse(&text).ok()))
        };
        self.db.first(sql, [feed], |row| {
            Ok(FeedProfile {
                at: time_in(row, "at")?,
                title: row.get("title")?,
                description: row.get("description")?,
                home: address(row, "home")?,
                image: address(row, "image")?,
                language: row.get("language")?,
                is_sitemap: row.get("is_sitemap")?,
            })
        })
    }

    /// The items of the latest answer of a feed, in its order.
    pub(super) fn latest_items(&self, feed: i64) -> Result<Vec<LatestItem>> {
        let sql = "SELECT l.item, coalesce(i.entry, l.entry) AS entry, i.number, l.fields \
                   FROM latest_items l LEFT JOIN items i ON i.feed = l.feed AND i.item = l.item \
                   WHERE l.feed = ?1 ORDER BY l.nth";
        self.db.all(sql, [feed], |row| {
            Ok(LatestItem {
                name: row.get("item")?,
                entry: row.get("entry")?,
                number: row.get("number")?,
                item: unpack(row.get_ref("fields")?)?,
            })
        })
    }
}
