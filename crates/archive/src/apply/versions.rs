//! Versions of articles, with their further pages and their pictures.

use super::super::event::{Extraction, Picture, Visit};
use super::super::files::StoredRecord;
use super::super::known::article_of;
use super::super::sql::{Sql, insert};
use super::dates::date_article;
use super::pages::{page_id, set_article};
use crate::error::Result;
use forest_html::address::page_key;
use rusqlite::{Connection, named_params, params};
use std::collections::HashMap;

/// Adds a version of the article of a page; returns the number of the article.
pub(super) fn add(
    db: &Connection,
    (visit, page, brought): (&Visit, i64, Option<i64>),
    key: &str,
    reading: &Extraction,
    text: Option<&StoredRecord>,
    at: i64,
) -> Result<i64> {
    let article = match db.value("SELECT article FROM pages WHERE id = ?1", [page])? {
        Some(article) => article,
        None => {
            let url = reading.record.url.as_deref().unwrap_or(&visit.url);
            insert!(
                db, "articles",
                key: key, url: url, site: visit.site, first_seen: at, text_sha256: "",
            )?;
            db.last_insert_rowid()
        }
    };
    // Without new bytes it is the raw page of the last visit with bytes, if the digests are
    // equal: after the loss of a record they are not.
    let same = "SELECT CASE WHEN ?2 IS NULL OR sha256 IS NULL OR sha256 = ?2 THEN raw END \
                FROM pages WHERE id = ?1";
    let raw = match brought {
        Some(raw) => Some(raw),
        None => db.value(same, params![page, visit.sha256])?,
    };
    let version = add_to(db, article, raw, reading, text, at)?;
    put_parts(db, (article, version), reading, at)?;
    Ok(article)
}

/// Adds a version to an article; returns its number in the archive.
pub(super) fn add_to(
    db: &Connection,
    article: i64,
    raw: Option<i64>,
    reading: &Extraction,
    text: Option<&StoredRecord>,
    at: i64,
) -> Result<i64> {
    let sql = "SELECT versions + 1 FROM articles WHERE id = ?1";
    let number: Option<i64> = db.value(sql, [article])?;
    let place = text.map(|text| text.place);
    insert!(
        db, "versions",
        article: article,
        number: number,
        at: at,
        raw: raw,
        text_sha256: reading.text_sha256,
        words: reading.words,
        status: reading.record.status.name(),
        wrapper: reading.wrapper,
        record: json_of(reading),
        file: place.map(|place| place.file),
        place: place.map(|place| place.offset),
        length: place.map(|place| place.length),
        changed: next_change(db)?,
        pictured: without_pictures(reading),
    )?;
    let version = db.last_insert_rowid();
    let sql = "UPDATE articles SET versions = ?2, latest = ?3, text_sha256 = ?4 WHERE id = ?1";
    db.run(sql, params![article, number, version, reading.text_sha256])?;
    Ok(version)
}

/// Sets the status of the page whose visit brought the bytes of a reading, unless its last
/// visit failed.
pub(super) fn set_page_status(db: &Connection, raw: i64, reading: &Extraction) -> Result<()> {
    let sql = "UPDATE pages SET status = ?2 WHERE raw = ?1 \
               AND status IN ('ok', 'degraded', 'fallback')";
    db.run(sql, params![raw, reading.record.status.name()])
}

/// Another reading of a version.
pub(super) fn reread(
    db: &Connection,
    (key, number): (&str, u32),
    reading: &Extraction,
    records: &super::super::files::EventRecords,
    at: i64,
) -> Result<()> {
    let Some(article) = article_of(db, key)? else {
        return Ok(());
    };
    let place = records.text.as_ref().map(|text| text.place);
    let sql = "UPDATE versions SET text_sha256 = :text_sha256, words = :words, status = :status, \
               wrapper = :wrapper, record = :record, file = :file, place = :place, length = :length, \
               changed = :changed, pictured = CASE WHEN pictured = 1 \
               AND record ->> 'images' IS :record ->> 'images' THEN 1 ELSE :pictured END \
               WHERE article = :article AND number = :number";
    let params = named_params! {
        ":article": article,
        ":number": number,
        ":text_sha256": reading.text_sha256,
        ":words": reading.words,
        ":status": reading.record.status.name(),
        ":wrapper": reading.wrapper,
        ":record": json_of(reading),
        ":file": place.map(|place| place.file),
        ":place": place.map(|place| place.offset),
        ":length": place.map(|place| place.length),
        ":changed": next_change(db)?,
        ":pictured": without_pictures(reading),
    };
    db.run(sql, params)?;
    let sql = "UPDATE articles SET text_sha256 = ?3 WHERE id = ?1 AND versions = ?2";
    db.run(sql, params![article, number, reading.text_sha256])?;
    let sql = "SELECT v.id, f.page, f.kind IS 'response', v.id = a.latest FROM versions v \
               JOIN articles a ON a.id = v.article LEFT JOIN fetches f ON f.id = v.raw \
               WHERE v.article = ?1 AND v.number = ?2";
    let found = db.first(sql, params![article, number], |row| {
        let page: Option<i64> = row.get(1)?;
        Ok((row.get(0)?, page, row.get(2)?, row.get(3)?))
    })?;
    let Some((version, page, is_from_web, is_latest)) = found else {
        return Ok(());
    };
    put_parts(db, (article, version), reading, at)?;
    if is_latest {
        date_article(db, article)?;
        // The status and confidence of the page, unless its last visit failed.
        let sql = "UPDATE pages SET status = ?2 WHERE id = ?1 AND status IN ('ok', 'degraded', 'fallback')";
        db.run(sql, params![page, reading.record.status.name()])?;
    }
    // A missing page is requested together with the first page, if that is from the web.
    if reading.missing.is_some() && is_latest && is_from_web {
        let sql = "UPDATE pages SET next_visit = ?2, failures = 0 WHERE id = ?1";
        db.run(sql, params![page, at])?;
    }
    Ok(())
}

/// The further pages of a version. Those that it has already stay; others are those of the
/// last visit.
pub(super) fn put_parts(
    db: &Connection,
    (article, version): (i64, i64),
    reading: &Extraction,
    at: i64,
) -> Result<()> {
    let sql = "SELECT page, fetch FROM parts WHERE version = ?1";
    let had = db.all(sql, [version], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let had: HashMap<i64, Option<i64>> = had.into_iter().collect();
    db.run("DELETE FROM parts WHERE version = ?1", [version])?;
    let parts = reading.parts.iter().map(|url| (url, true));
    let missing = reading.missing.iter().map(|url| (url, false));
    for (nth, (url, is_there)) in parts.chain(missing).enumerate() {
        let page = page_id(db, &page_key(url), url, at)?;
        let mut fetch = None;
        if is_there {
            fetch = match had.get(&page) {
                Some(Some(fetch)) => Some(*fetch),
                _ => db.value("SELECT raw FROM pages WHERE id = ?1", [page])?,
            };
            set_article(db, page, article)?;
        }
        insert!(db, "parts", version: version, nth: nth, page: page, fetch: fetch)?;
    }
    Ok(())
}

/// Replaces the pictures of a version.
pub(super) fn put_pictures(
    db: &Connection,
    (key, number): (&str, u32),
    pictures: &[Picture],
) -> Result<()> {
    let sql = "SELECT id FROM versions WHERE article = ?1 AND number = ?2";
    let version: Option<i64> = match article_of(db, key)? {
        Some(article) => db.value(sql, params![article, number])?,
        None => None,
    };
    let Some(version) = version else {
        return Ok(());
    };
    db.run("DELETE FROM pictures WHERE version = ?1", [version])?;
    for (nth, picture) in pictures.iter().enumerate() {
        insert!(
            db, "pictures",
            version: version, nth: nth,
            url: picture.url, sha256: picture.sha256, extension: picture.extension,
        )?;
    }
    db.run("UPDATE versions SET pictured = 1 WHERE id = ?1", [version])
}

fn next_change(db: &Connection) -> Result<Option<i64>> {
    db.value("SELECT coalesce(max(changed), 0) + 1 FROM versions", [])
}

/// The column `pictured` of a version without an event about its pictures.
fn without_pictures(reading: &Extraction) -> i64 {
    if reading.record.images.is_empty() {
        2
    } else {
        0
    }
}

fn json_of(reading: &Extraction) -> String {
    serde_json::to_string(&reading.record).expect("a record has string keys only")
}
