//! An event to the tables. The only place where the first part of `schema.sql` is
//! written to.

use super::event::{
    Event, EventRecord, Extraction, Picture, Requisite, StoredItem, Visit, VisitOutcome,
};
use super::event_kind::EventKind;
use super::files::StoredRecord;
use super::identity::key_of;
use crate::error::Result;
use crate::extract::Status;
use crate::learn::site_of;
use crate::warc::{RecordType, hex};
use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use url::Url;

/// The records that an event is about.
#[derive(Debug, Clone, Default)]
pub(crate) struct Records {
    /// Response, resource or revisit.
    pub raw: Option<StoredRecord>,
    /// The text of a version.
    pub text: Option<StoredRecord>,
}

/// The name of a record's type.
fn kind_of(record: &StoredRecord) -> &'static str {
    record.kind.map(RecordType::name).unwrap_or_default()
}

/// Days after the first visit on which a page is visited again, to see whether its
/// article was edited: most corrections come within a day.
const AGAIN_DAYS: [i64; 3] = [1, 7, 30];

/// Hours after which a page that could not be had is tried again; then not any more,
/// unless its feed says something new of it or is resumed: after six weeks.
const RETRY_HOURS: [i64; 11] = [1, 4, 12, 24, 48, 96, 168, 168, 168, 168, 168];

pub(crate) const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

/// The name of a status in the tables.
pub(crate) fn status_name(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::Degraded => "degraded",
        Status::Fallback => "fallback",
        Status::Empty => "empty",
        Status::Blocked => "blocked",
        Status::Error => "error",
    }
}

/// SHA-256 of a key, in hex.
pub(crate) fn key_digest(key: &str) -> String {
    hex(&Sha256::digest(key))
}

/// Writes one event.
pub(crate) fn apply(db: &Connection, entry: &EventRecord, records: &Records) -> Result<()> {
    let at = entry.at.timestamp_millis();
    match &entry.event {
        Event::FeedAdded { feed } => add_feed(db, feed, at),
        Event::FeedRemoved { feed } => set_feed(db, feed, "removed", ""),
        Event::FeedPaused { feed, paused: true } => set_feed(db, feed, "paused", ""),
        Event::FeedPaused {
            feed,
            paused: false,
        } => {
            set_feed(db, feed, "active", "")?;
            try_again(db, feed, at)
        }
        Event::FeedEnded { feed, why } => {
            set_feed(db, feed, "ended", why)?;
            notice(db, at, EventKind::FeedGone, feed, why)
        }
        Event::FeedMoved { feed, to } => {
            move_feed(db, feed, to)?;
            notice(db, at, EventKind::FeedMoved, feed, to)
        }
        Event::FeedListed {
            feed,
            title,
            home,
            folders,
        } => {
            let folders = serde_json::to_string(folders).expect("names are strings");
            let sql =
                "UPDATE feeds SET listed_title = ?2, listed_home = ?3, folders = ?4 WHERE url = ?1";
            db.prepare_cached(sql)?
                .execute(params![feed, title, home, folders])?;
            Ok(())
        }
        Event::FeedRules { feed, rules } => {
            let rules = serde_json::to_string(rules).expect("patterns are strings");
            db.prepare_cached("UPDATE feeds SET rules = ?2 WHERE url = ?1")?
                .execute(params![feed, rules])?;
            Ok(())
        }
        Event::FeedRead { feed, title, items } => read_feed(db, feed, title, items, at, records),
        Event::Page(visit) => visit_page(db, visit, entry.at, records),
        Event::Wrapper {
            site,
            sha256,
            yaml,
            why,
        } => wrapper(db, site, sha256, yaml, why, at),
        Event::Judged { site, verdict, why } => {
            let sql = "INSERT INTO verdicts (site, at, verdict, why) VALUES (?1, ?2, ?3, ?4)";
            db.prepare_cached(sql)?
                .execute(params![site, at, verdict, why])?;
            Ok(())
        }
        Event::Reextracted {
            key,
            number,
            reading,
        } => reread(db, key, *number, reading, records, at),
        Event::Requisite(requisite) => add_requisite(db, requisite, records, at),
        Event::Pictured {
            key,
            number,
            pictures,
        } => put_pictures(db, key, *number, pictures),
        Event::Forgotten { digest } => forget(db, digest, at),
    }
}

fn add_feed(db: &Connection, feed: &str, at: i64) -> Result<()> {
    let sql = "INSERT INTO feeds (url, added, state) VALUES (?1, ?2, 'active') \
               ON CONFLICT (url) DO UPDATE SET state = 'active', why = '', typed = 1";
    db.prepare_cached(sql)?.execute(params![feed, at])?;
    // It is polled at once.
    let sql = "INSERT OR IGNORE INTO polls (feed, next) SELECT id, 0 FROM feeds WHERE url = ?1";
    db.prepare_cached(sql)?.execute([feed])?;
    name_pages(db, feed)
}

fn set_feed(db: &Connection, feed: &str, state: &str, why: &str) -> Result<()> {
    let sql = "UPDATE feeds SET state = ?2, why = ?3 WHERE url = ?1";
    db.prepare_cached(sql)?.execute(params![feed, state, why])?;
    name_pages(db, feed)
}

/// Pages of a feed are visited while one feed that names them is harvested, or has ended
/// by itself.
fn name_pages(db: &Connection, feed: &str) -> Result<()> {
    let sql = "UPDATE pages SET named = EXISTS (SELECT 1 FROM items i JOIN feeds f ON f.id = i.feed \
               WHERE i.page = pages.id AND f.state IN ('active', 'ended')) \
               WHERE id IN (SELECT i.page FROM items i JOIN feeds f ON f.id = i.feed WHERE f.url = ?1)";
    db.prepare_cached(sql)?.execute([feed])?;
    Ok(())
}

/// The pages of a feed that were given up are tried once more.
fn try_again(db: &Connection, feed: &str, at: i64) -> Result<()> {
    let sql = "UPDATE pages SET next_visit = ?2, failures = 0 WHERE next_visit IS NULL AND failures > 0 \
               AND id IN (SELECT i.page FROM items i JOIN feeds f ON f.id = i.feed WHERE f.url = ?1)";
    db.prepare_cached(sql)?.execute(params![feed, at])?;
    Ok(())
}

fn move_feed(db: &Connection, feed: &str, to: &str) -> Result<()> {
    let there: Option<String> = db
        .prepare_cached("SELECT state FROM feeds WHERE url = ?1")?
        .query_row([to], |row| row.get(0))
        .optional()?;
    let Some(there) = there else {
        let sql = "UPDATE feeds SET url = ?2, typed = typed AND ?3 WHERE url = ?1";
        db.prepare_cached(sql)?
            .execute(params![feed, to, same_server(feed, to)])?;
        return Ok(());
    };
    // There is a feed at its new address already. One that a person paused stays so.
    let mut why = format!("moved to {to}");
    match there.as_str() {
        "active" => {}
        "paused" => why.push_str(", which is paused"),
        _ => set_feed(db, to, "active", "")?,
    }
    set_feed(db, feed, "ended", &why)
}

/// Whether two addresses are those of one host and port; `http` and `https` are, too,
/// each at its own port.
fn same_server(one: &str, other: &str) -> bool {
    let server = |url: &str| {
        let url = Url::parse(url).ok()?;
        Some((url.host_str()?.to_owned(), url.port()))
    };
    server(one).is_some_and(|server_of_one| server(other) == Some(server_of_one))
}

fn notice(db: &Connection, at: i64, kind: EventKind, feed: &str, why: &str) -> Result<()> {
    let sql = "INSERT INTO notices (at, kind, feed, why) VALUES (?1, ?2, ?3, ?4)";
    db.prepare_cached(sql)?
        .execute(params![at, kind.kind(), feed, why])?;
    Ok(())
}

/// The answer of a feed that was kept; its number.
fn keep_answer(db: &Connection, feed: i64, records: &Records, at: i64) -> Result<Option<i64>> {
    let Some(place) = records.raw.as_ref().map(|raw| raw.place) else {
        return Ok(None);
    };
    let sql = "INSERT INTO answers (feed, at, file, place, length) VALUES (?1, ?2, ?3, ?4, ?5)";
    db.prepare_cached(sql)?
        .execute(params![feed, at, place.file, place.offset, place.length])?;
    Ok(Some(db.last_insert_rowid()))
}

fn read_feed(
    db: &Connection,
    feed: &str,
    title: &str,
    items: &[StoredItem],
    at: i64,
    records: &Records,
) -> Result<()> {
    let found: Option<(i64, bool)> = db
        .prepare_cached("SELECT id, state IN ('active', 'ended') FROM feeds WHERE url = ?1")?
        .query_row([feed], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((id, is_harvested)) = found else {
        return Ok(());
    };
    db.prepare_cached("UPDATE feeds SET title = ?2 WHERE id = ?1")?
        .execute(params![id, title])?;
    let answer = keep_answer(db, id, records, at)?;
    for item in items {
        let key = key_of(&item.link);
        if is_forgotten(db, &key)? {
            continue;
        }
        let page = page_id(db, &key, &item.link, at)?;
        // What the feed says anew is a reason to visit the page now; less so, the more
        // often it was visited: some feeds say another thing at each poll.
        let sql = "UPDATE pages SET named = max(named, ?6), failures = 0, \
                   next_visit = min(coalesce(next_visit, ?3), \
                   max(?2, coalesce(last_visit, 0) + min(?4, ?5 << min(visits, 30)) / 2)) WHERE id = ?1";
        db.prepare_cached(sql)?.execute(params![
            page,
            at,
            i64::MAX,
            2 * DAY_MS,
            HOUR_MS,
            is_harvested
        ])?;
        let sql = "INSERT INTO items (feed, item, page, link, title, summary, published, authors, tags, image, digest, first_seen, answer) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) \
                   ON CONFLICT (feed, item) DO UPDATE SET page = ?3, link = ?4, title = ?5, \
                   summary = ?6, published = coalesce(?7, published), authors = ?8, tags = ?9, \
                   image = ?10, digest = ?11, answer = ?13";
        db.prepare_cached(sql)?.execute(params![
            id,
            item.id,
            page,
            item.link,
            item.title,
            item.summary,
            item.published,
            serde_json::to_string(&item.authors).expect("names are strings"),
            serde_json::to_string(&item.tags).expect("tags are strings"),
            item.image,
            item.digest,
            at,
            answer
        ])?;
    }
    Ok(())
}

/// Whether the address with this key was forgotten.
pub(crate) fn is_forgotten(db: &Connection, key: &str) -> Result<bool> {
    let mut found = db.prepare_cached("SELECT 1 FROM forgotten WHERE digest = ?1")?;
    Ok(found.exists([key_digest(key)])?)
}

/// The page with this key; made if there is none.
fn page_id(db: &Connection, key: &str, url: &str, at: i64) -> Result<i64> {
    let found: Option<i64> = db
        .prepare_cached("SELECT id FROM pages WHERE key = ?1")?
        .query_row([key], |row| row.get(0))
        .optional()?;
    if let Some(id) = found {
        return Ok(id);
    }
    let site = site_of(Some(url)).unwrap_or_default();
    let sql = "INSERT INTO pages (key, url, site, first_seen) VALUES (?1, ?2, ?3, ?4)";
    db.prepare_cached(sql)?
        .execute(params![key, url, site, at])?;
    Ok(db.last_insert_rowid())
}

fn visit_page(db: &Connection, visit: &Visit, at: DateTime<Utc>, records: &Records) -> Result<()> {
    let now = at.timestamp_millis();
    let key = key_of(&visit.url);
    let page = page_id(db, &key, &visit.url, now)?;
    let (kind, record, place) = match &records.raw {
        Some(raw) => (kind_of(raw), raw.id.as_str(), Some(raw.place)),
        None => ("failed", "", None),
    };
    let sql = "INSERT INTO fetches (page, url, at, http_status, kind, record, sha256, content_type, status, \
               confidence, error, file, place, length) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";
    let url = visit.final_url.as_deref().unwrap_or(&visit.url);
    db.prepare_cached(sql)?.execute(params![
        page,
        url,
        now,
        visit.http_status,
        kind,
        record,
        visit.sha256,
        visit.content_type,
        status_name(visit.status),
        visit.confidence,
        visit.error,
        place.map(|place| place.file),
        place.map(|place| place.offset),
        place.map(|place| place.length),
    ])?;
    let fetch = db.last_insert_rowid();
    let brought = matches!(kind, "response" | "resource").then_some(fetch);
    if matches!(visit.outcome, VisitOutcome::Part) {
        return visit_part(db, visit, page, brought);
    }
    let article = match &visit.outcome {
        VisitOutcome::Version(reading) => Some(add_version(
            db, visit, &key, reading, now, page, brought, records,
        )?),
        VisitOutcome::Known(key) => article_of(db, key)?,
        VisitOutcome::Same | VisitOutcome::Nothing | VisitOutcome::Part => None,
    };
    let (visits, failures, first_seen): (i64, i64, i64) = db
        .prepare_cached("SELECT visits, failures, first_seen FROM pages WHERE id = ?1")?
        .query_row([page], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let failed = visit.incomplete || matches!(visit.status, Status::Error | Status::Blocked);
    let failures = if failed { failures + 1 } else { 0 };
    let next = next_visit(now, first_seen, failures);
    let sql = "UPDATE pages SET visits = ?2, failures = ?3, next_visit = ?4, last_visit = ?5, status = ?6, \
               article = coalesce(?7, article), raw = coalesce(?8, raw), sha256 = coalesce(?9, sha256), \
               etag = CASE WHEN ?10 THEN ?11 ELSE etag END, \
               last_modified = CASE WHEN ?10 THEN ?12 ELSE last_modified END, \
               site = CASE WHEN ?13 = '' THEN site ELSE ?13 END WHERE id = ?1";
    db.prepare_cached(sql)?.execute(params![
        page,
        visits + 1,
        failures,
        next,
        now,
        status_name(visit.status),
        article,
        brought,
        visit.sha256,
        // A page that failed keeps what the next conditional request needs; one that was
        // confirmed in error must not be asked so again.
        visit.sha256.is_some() || visit.http_status == Some(304),
        visit.etag,
        visit.last_modified,
        visit.site,
    ])?;
    let mut also: Vec<&str> = visit.also.iter().map(String::as_str).collect();
    also.extend(visit.final_url.as_deref());
    for address in also {
        let other = key_of(address);
        if other != key
            && let Some(article) = article
        {
            let other = page_id(db, &other, address, now)?;
            db.prepare_cached("UPDATE pages SET article = ?2 WHERE id = ?1 AND article IS NULL")?
                .execute(params![other, article])?;
        }
    }
    Ok(())
}

/// A page that is visited with the first one of its article: when, is not its own
/// business, unless a feed names it, too.
fn visit_part(db: &Connection, visit: &Visit, page: i64, brought: Option<i64>) -> Result<()> {
    let sql = "UPDATE pages SET raw = coalesce(?2, raw), sha256 = coalesce(?3, sha256), etag = ?4, \
               last_modified = ?5 WHERE id = ?1";
    db.prepare_cached(sql)?.execute(params![
        page,
        brought,
        visit.sha256,
        visit.etag,
        visit.last_modified
    ])?;
    Ok(())
}

/// The further pages of a version. Those that it has already stay as they are; others
/// are taken as they came last.
fn put_parts(
    db: &Connection,
    (article, version): (i64, i64),
    reading: &Extraction,
    at: i64,
) -> Result<()> {
    let mut had = db.prepare_cached("SELECT page, fetch FROM parts WHERE version = ?1")?;
    let had = had.query_map([version], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let had: HashMap<i64, Option<i64>> = had.collect::<Result<_, _>>()?;
    db.prepare_cached("DELETE FROM parts WHERE version = ?1")?
        .execute([version])?;
    let parts = reading.parts.iter().map(|url| (url, true));
    let missing = reading.missing.iter().map(|url| (url, false));
    for (nth, (url, is_there)) in parts.chain(missing).enumerate() {
        let page = page_id(db, &key_of(url), url, at)?;
        let mut fetch = None;
        if is_there {
            let came = "SELECT raw FROM pages WHERE id = ?1";
            let came = || db.prepare_cached(came)?.query_row([page], |row| row.get(0));
            fetch = match had.get(&page) {
                Some(Some(fetch)) => Some(*fetch),
                _ => came()?,
            };
            db.prepare_cached("UPDATE pages SET article = ?2 WHERE id = ?1 AND article IS NULL")?
                .execute([page, article])?;
        }
        db.prepare_cached("INSERT INTO parts (version, nth, page, fetch) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![version, nth, page, fetch])?;
    }
    Ok(())
}

/// When a page is visited again, if at all.
fn next_visit(now: i64, first_seen: i64, failures: i64) -> Option<i64> {
    if failures > 0 {
        let hours = RETRY_HOURS.get(usize::try_from(failures - 1).ok()?)?;
        return Some(now + hours * HOUR_MS);
    }
    let times = AGAIN_DAYS.iter().map(|days| first_seen + days * DAY_MS);
    times.into_iter().find(|time| *time > now)
}

/// The article that an address is known for, by its key.
pub(crate) fn article_of(db: &Connection, key: &str) -> Result<Option<i64>> {
    let sql = "SELECT article FROM pages WHERE key = ?1 AND article IS NOT NULL \
               UNION SELECT id FROM articles WHERE key = ?1 LIMIT 1";
    Ok(db
        .prepare_cached(sql)?
        .query_row([key], |row| row.get(0))
        .optional()?)
}

#[expect(clippy::too_many_arguments, reason = "one row of two tables")]
fn add_version(
    db: &Connection,
    visit: &Visit,
    key: &str,
    reading: &Extraction,
    now: i64,
    page: i64,
    raw: Option<i64>,
    records: &Records,
) -> Result<i64> {
    let known: Option<i64> = db
        .prepare_cached("SELECT article FROM pages WHERE id = ?1")?
        .query_row([page], |row| row.get(0))?;
    let article = match known {
        Some(article) => article,
        None => {
            let url = reading.record.url.as_deref().unwrap_or(&visit.url);
            let sql = "INSERT INTO articles (key, url, site, first_seen, text_sha256) VALUES (?1, ?2, ?3, ?4, '')";
            db.prepare_cached(sql)?
                .execute(params![key, url, visit.site, now])?;
            db.last_insert_rowid()
        }
    };
    // Without new bytes it is the raw page of the last visit that brought some, if these
    // are the same: those of a lost record are not.
    let raw = match raw {
        Some(raw) => Some(raw),
        None => db
            .prepare_cached(
                "SELECT CASE WHEN ?2 IS NULL OR sha256 IS NULL OR sha256 = ?2 THEN raw END \
                 FROM pages WHERE id = ?1",
            )?
            .query_row(params![page, visit.sha256], |row| row.get(0))?,
    };
    let number: i64 = db
        .prepare_cached("SELECT versions + 1 FROM articles WHERE id = ?1")?
        .query_row([article], |row| row.get(0))?;
    let text = records.text.as_ref().map(|text| text.place);
    let sql = "INSERT INTO versions (article, number, at, raw, text_sha256, words, status, wrapper, record, \
               file, place, length, changed, pictured) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";
    db.prepare_cached(sql)?.execute(params![
        article,
        number,
        now,
        raw,
        reading.text_sha256,
        reading.words,
        status_name(reading.record.status),
        reading.wrapper,
        json_of(reading),
        text.map(|text| text.file),
        text.map(|text| text.offset),
        text.map(|text| text.length),
        next_change(db)?,
        without_pictures(reading),
    ])?;
    let version = db.last_insert_rowid();
    let sql = "UPDATE articles SET versions = ?2, latest = ?3, text_sha256 = ?4 WHERE id = ?1";
    db.prepare_cached(sql)?
        .execute(params![article, number, version, reading.text_sha256])?;
    put_parts(db, (article, version), reading, now)?;
    Ok(article)
}

fn next_change(db: &Connection) -> Result<i64> {
    let sql = "SELECT coalesce(max(changed), 0) + 1 FROM versions";
    Ok(db.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
}

/// The column `pictured` of a version of whose pictures nothing was said yet.
fn without_pictures(reading: &Extraction) -> i64 {
    match reading.record.images.is_empty() {
        true => 2,
        false => 0,
    }
}

fn json_of(reading: &Extraction) -> String {
    serde_json::to_string(&reading.record).expect("a record has string keys only")
}

fn reread(
    db: &Connection,
    key: &str,
    number: u32,
    reading: &Extraction,
    records: &Records,
    at: i64,
) -> Result<()> {
    let Some(article) = article_of(db, key)? else {
        return Ok(());
    };
    let text = records.text.as_ref().map(|text| text.place);
    let sql = "UPDATE versions SET text_sha256 = ?3, words = ?4, status = ?5, wrapper = ?6, record = ?7, \
               file = ?8, place = ?9, length = ?10, changed = ?11, \
               pictured = CASE WHEN pictured = 1 AND record ->> 'images' IS ?7 ->> 'images' THEN 1 ELSE ?12 END \
               WHERE article = ?1 AND number = ?2";
    db.prepare_cached(sql)?.execute(params![
        article,
        number,
        reading.text_sha256,
        reading.words,
        status_name(reading.record.status),
        reading.wrapper,
        json_of(reading),
        text.map(|text| text.file),
        text.map(|text| text.offset),
        text.map(|text| text.length),
        next_change(db)?,
        without_pictures(reading),
    ])?;
    let sql = "UPDATE articles SET text_sha256 = ?3 WHERE id = ?1 AND versions = ?2";
    db.prepare_cached(sql)?
        .execute(params![article, number, reading.text_sha256])?;
    let sql = "SELECT v.id, f.page, f.kind, v.id = a.latest FROM versions v JOIN articles a ON a.id = v.article \
               LEFT JOIN fetches f ON f.id = v.raw WHERE v.article = ?1 AND v.number = ?2";
    let found = db
        .prepare_cached(sql)?
        .query_row(params![article, number], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        });
    let found: Option<(i64, Option<i64>, Option<String>, bool)> = found.optional()?;
    let Some((version, page, kind, is_latest)) = found else {
        return Ok(());
    };
    put_parts(db, (article, version), reading, at)?;
    if is_latest {
        // What came of the page, unless it could not be had lately.
        let sql = "UPDATE pages SET status = ?2 WHERE id = ?1 AND status IN ('ok', 'degraded', 'fallback')";
        db.prepare_cached(sql)?
            .execute(params![page, status_name(reading.record.status)])?;
    }
    // What it lacks is asked for with its first page, if that came from the web.
    if reading.missing.is_some() && is_latest && kind.as_deref() == Some("response") {
        db.prepare_cached("UPDATE pages SET next_visit = ?2, failures = 0 WHERE id = ?1")?
            .execute(params![page, at])?;
    }
    Ok(())
}

fn wrapper(
    db: &Connection,
    site: &str,
    sha256: &str,
    yaml: &str,
    why: &str,
    at: i64,
) -> Result<()> {
    db.prepare_cached("UPDATE wrappers SET until = ?2 WHERE site = ?1 AND until IS NULL")?
        .execute(params![site, at])?;
    let sql = "INSERT INTO wrappers (site, sha256, yaml, since, why) VALUES (?1, ?2, ?3, ?4, ?5)";
    db.prepare_cached(sql)?
        .execute(params![site, sha256, yaml, at, why])?;
    Ok(())
}

/// Without its record there is nothing of it.
fn add_requisite(db: &Connection, of: &Requisite, records: &Records, at: i64) -> Result<()> {
    let Some(raw) = &records.raw else {
        return Ok(());
    };
    let sql = "INSERT INTO requisites (url, target, at, kind, record, sha256, extension, file, place, length) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    db.prepare_cached(sql)?.execute(params![
        of.url,
        of.final_url.as_deref().unwrap_or(&of.url),
        at,
        kind_of(raw),
        raw.id,
        of.sha256,
        of.extension,
        raw.place.file,
        raw.place.offset,
        raw.place.length
    ])?;
    Ok(())
}

fn put_pictures(db: &Connection, key: &str, number: u32, pictures: &[Picture]) -> Result<()> {
    let sql = "SELECT v.id FROM versions v WHERE v.article = ?1 AND v.number = ?2";
    let version: Option<i64> = match article_of(db, key)? {
        Some(article) => db
            .prepare_cached(sql)?
            .query_row(params![article, number], |row| row.get(0))
            .optional()?,
        None => None,
    };
    let Some(version) = version else {
        return Ok(());
    };
    db.prepare_cached("DELETE FROM pictures WHERE version = ?1")?
        .execute([version])?;
    for (nth, picture) in pictures.iter().enumerate() {
        let sql = "INSERT INTO pictures (version, nth, url, sha256, extension) VALUES (?1, ?2, ?3, ?4, ?5)";
        let Picture {
            url,
            sha256,
            extension,
            ..
        } = picture;
        db.prepare_cached(sql)?
            .execute(params![version, nth, url, sha256, extension])?;
    }
    db.prepare_cached("UPDATE versions SET pictured = 1 WHERE id = ?1")?
        .execute([version])?;
    Ok(())
}

/// The rows of a forgotten address, and its name for ever.
fn forget(db: &Connection, digest: &str, at: i64) -> Result<()> {
    db.prepare_cached("INSERT OR REPLACE INTO forgotten (digest, at) VALUES (?1, ?2)")?
        .execute(params![digest, at])?;
    Ok(())
}
