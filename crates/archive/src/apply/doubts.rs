//! Doubtful readings of articles.

use super::super::event::Extraction;
use super::super::files::StoredRecord;
use super::super::known::article_of;
use super::super::sql::{Sql, insert};
use super::dates::date_article;
use super::versions;
use crate::error::Result;
use chrono::{DateTime, Utc};
use rusqlite::{Connection, params};

/// Adds the doubtful reading of a page: of the bytes that the visit brought, or else of those
/// that the page had.
pub(super) fn add(
    db: &Connection,
    (site, page, brought): (&str, i64, Option<i64>),
    article: i64,
    at: i64,
) -> Result<()> {
    let raw: Option<i64> = match brought {
        Some(raw) => Some(raw),
        None => db.value("SELECT raw FROM pages WHERE id = ?1", [page])?,
    };
    let Some(raw) = raw else { return Ok(()) };
    let sql = "SELECT v.wrapper FROM articles a JOIN versions v ON v.id = a.latest WHERE a.id = ?1";
    let wrapper: Option<String> = db.value(sql, [article])?;
    insert!(
        db, "doubts",
        site: site, article: article, raw: raw, at: at, wrapper: wrapper,
    )
}

/// Removes the doubt about the visit at a time, if there is one; with a reading it becomes a
/// version.
pub(super) fn settle(
    db: &Connection,
    (key, seen): (&str, DateTime<Utc>),
    reading: Option<&Extraction>,
    text: Option<&StoredRecord>,
    at: i64,
) -> Result<()> {
    let Some(article) = article_of(db, key)? else {
        return Ok(());
    };
    let seen = seen.timestamp_millis();
    let sql = "SELECT id, raw FROM doubts WHERE article = ?1 AND at = ?2 LIMIT 1";
    let found = db.first(sql, params![article, seen], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
    })?;
    let raw = match found {
        Some((doubt, raw)) => {
            db.run("DELETE FROM doubts WHERE id = ?1", [doubt])?;
            Some(raw)
        }
        None => later_page(db, article, seen)?,
    };
    let (Some(raw), Some(reading)) = (raw, reading) else {
        return Ok(());
    };
    let version = versions::add_to(db, article, Some(raw), reading, text, seen)?;
    versions::put_parts(db, (article, version), reading, at)?;
    versions::set_page_status(db, raw, reading)?;
    date_article(db, article)
}

/// The bytes that a visit at a time brought of the page of an article's latest version.
fn later_page(db: &Connection, article: i64, seen: i64) -> Result<Option<i64>> {
    let sql = "SELECT f.id FROM articles a JOIN versions v ON v.id = a.latest \
               JOIN fetches o ON o.id = v.raw JOIN fetches f ON f.page = o.page \
               WHERE a.id = ?1 AND f.at = ?2 AND f.kind IN ('response', 'resource') \
               ORDER BY f.id LIMIT 1";
    db.value(sql, params![article, seen])
}
