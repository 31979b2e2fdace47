//! Events of feeds.

use super::super::event::StoredItem;
use super::super::feeds::SAVED_PAGES;
use super::super::files::EventRecords;
use super::super::item_names::entry_number;
use super::super::known::is_forgotten;
use super::super::revisit::RevisitRule;
use super::super::sql::{Sql, insert};
use super::dates::date_article;
use super::pages::{page_id, visits_of};
use crate::error::Result;
use forest_html::address::page_key;
use rusqlite::{Connection, named_params, params};
use url::Url;

pub(super) fn add(db: &Connection, feed: &str, at: i64) -> Result<()> {
    let sql = "INSERT INTO feeds (url, named, added, state) VALUES (?1, ?1, ?2, 'active') \
               ON CONFLICT (url) DO UPDATE SET state = 'active', why = '', typed = 1";
    db.run(sql, params![feed, at])?;
    if feed != SAVED_PAGES {
        // It is polled at once.
        let sql = "INSERT OR IGNORE INTO polls (feed, next) SELECT id, 0 FROM feeds WHERE url = ?1";
        db.run(sql, [feed])?;
    }
    name_pages(db, feed)
}

pub(super) fn set_state(db: &Connection, feed: &str, state: &str, why: &str) -> Result<()> {
    let sql = "UPDATE feeds SET state = ?2, why = ?3 WHERE url = ?1";
    db.run(sql, params![feed, state, why])?;
    name_pages(db, feed)
}

/// Pages of a feed are visited while a feed that lists them is harvested, or has ended by
/// itself.
fn name_pages(db: &Connection, feed: &str) -> Result<()> {
    let sql = "UPDATE pages SET named = EXISTS (SELECT 1 FROM items i JOIN feeds f ON f.id = i.feed \
               WHERE i.page = pages.id AND f.state IN ('active', 'ended')) \
               WHERE id IN (SELECT i.page FROM items i JOIN feeds f ON f.id = i.feed WHERE f.url = ?1)";
    db.run(sql, [feed])
}

/// Harvests a paused feed again. Its given up pages are tried once more.
pub(super) fn resume(db: &Connection, feed: &str, at: i64) -> Result<()> {
    set_state(db, feed, "active", "")?;
    let sql = "UPDATE pages SET next_visit = ?2, failures = 0 WHERE next_visit IS NULL AND failures > 0 \
               AND id IN (SELECT i.page FROM items i JOIN feeds f ON f.id = i.feed WHERE f.url = ?1)";
    db.run(sql, params![feed, at])
}

pub(super) fn move_to(db: &Connection, feed: &str, to: &str, named: Option<&str>) -> Result<()> {
    let state: Option<String> = db.value("SELECT state FROM feeds WHERE url = ?1", [to])?;
    let Some(state) = state else {
        let sql = "UPDATE feeds SET url = ?2, named = ?4, typed = typed AND ?3 WHERE url = ?1";
        let typed = same_server(feed, to);
        return db.run(sql, params![feed, to, typed, named.unwrap_or(to)]);
    };
    // There is a feed at the new address already. A paused one stays paused.
    let mut why = format!("moved to {to}");
    match state.as_str() {
        "active" => {}
        "paused" => why.push_str(", which is paused"),
        _ => set_state(db, to, "active", "")?,
    }
    set_state(db, feed, "ended", &why)
}

/// Returns true if two addresses are those of one host and port. `http` and `https` count
/// as one, each at its own port.
fn same_server(one: &str, other: &str) -> bool {
    let server = |url: &str| {
        let url = Url::parse(url).ok()?;
        Some((url.host_str()?.to_owned(), url.port()))
    };
    server(one).is_some_and(|server_of_one| server(other) == Some(server_of_one))
}

/// Stores the answer of a feed; returns its number.
fn keep_answer(db: &Connection, feed: i64, records: &EventRecords, at: i64) -> Result<Option<i64>> {
    let Some(place) = records.raw.as_ref().map(|raw| raw.place) else {
        return Ok(None);
    };
    insert!(
        db, "answers", feed: feed, at: at,
        file: place.file, place: place.offset, length: place.length,
    )?;
    Ok(Some(db.last_insert_rowid()))
}

/// Takes the new items of a feed, with its title.
pub(super) fn read(
    db: &Connection,
    revisit: RevisitRule,
    (feed, title): (&str, &str),
    items: &[StoredItem],
    at: i64,
    records: &EventRecords,
) -> Result<()> {
    let sql = "SELECT id, state IN ('active', 'ended'), named FROM feeds WHERE url = ?1";
    let found = db.first(sql, [feed], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?))
    })?;
    let Some((id, is_harvested, named)): Option<(i64, bool, String)> = found else {
        return Ok(());
    };
    let sql = "UPDATE feeds SET title = ?2 WHERE id = ?1";
    db.run(sql, params![id, title])?;
    let answer = keep_answer(db, id, records, at)?;
    for item in items {
        if item.link.is_empty() {
            put_item(db, (id, &named), (None, answer), item, at)?;
            continue;
        }
        let key = page_key(&item.link);
        if is_forgotten(db, &key)? {
            continue;
        }
        let page = page_id(db, &key, &item.link, at)?;
        let next = (revisit.after_news)(&visits_of(db, page)?, at);
        let sql =
            "UPDATE pages SET named = max(named, ?2), failures = 0, next_visit = ?3 WHERE id = ?1";
        db.run(sql, params![page, is_harvested, next])?;
        put_item(db, (id, &named), (Some(page), answer), item, at)?;
        if let Some(article) = db.value("SELECT article FROM pages WHERE id = ?1", [page])? {
            date_article(db, article)?;
        }
    }
    Ok(())
}

fn put_item(
    db: &Connection,
    (feed, named): (i64, &str),
    (page, answer): (Option<i64>, Option<i64>),
    item: &StoredItem,
    at: i64,
) -> Result<()> {
    let json = |names: &[String]| serde_json::to_string(names).expect("names are strings");
    let sql = "INSERT INTO items (feed, item, entry, page, link, title, summary, published, authors, tags, image, \
               digest, first_seen, answer, number) \
               VALUES (:feed, :item, :entry, :page, :link, :title, :summary, :published, :authors, :tags, :image, \
               :digest, :at, :answer, :number) \
               ON CONFLICT (feed, item) DO UPDATE SET entry = :entry, page = :page, link = :link, title = :title, \
               summary = :summary, published = coalesce(:published, published), authors = :authors, \
               tags = :tags, image = :image, digest = :digest, answer = :answer";
    let params = named_params! {
        ":feed": feed,
        ":item": item.id,
        ":entry": item.entry.as_ref().unwrap_or(&item.link),
        ":page": page,
        ":link": item.link,
        ":title": item.title,
        ":summary": item.summary,
        ":published": item.published,
        ":authors": json(&item.authors),
        ":tags": json(&item.tags),
        ":image": item.image,
        ":digest": item.digest,
        ":at": at,
        ":answer": answer,
        ":number": free_number(db, named, &item.id, at)?,
    };
    db.run(sql, params)
}

/// The number of a new item of the feed that is `named` so: the first from its own on that no item
/// has.
fn free_number(db: &Connection, named: &str, item: &str, at: i64) -> Result<i64> {
    let mut number = entry_number(at, named, item);
    let sql = "SELECT EXISTS (SELECT 1 FROM items WHERE number = ?1)";
    while db.value::<bool>(sql, [number])?.unwrap_or(false) {
        number += 1;
    }
    Ok(number)
}
