//! Visits to pages, and received pictures, style sheets and fonts.

use super::super::event::{Requisite, Visit, VisitOutcome};
use super::super::files::EventRecords;
use super::super::known::article_of;
use super::super::revisit::RevisitRule;
use super::super::sql::{Sql, insert};
use super::dates::date_article;
use super::doubts;
use super::pages::{page_id, set_article, visits_of};
use super::versions;
use crate::error::Result;
use forest_core::extract::Status;
use forest_html::address::page_key;
use rusqlite::{Connection, named_params, params};

pub(super) fn visit(
    db: &Connection,
    revisit: RevisitRule,
    visit: &Visit,
    at: i64,
    records: &EventRecords,
) -> Result<()> {
    let key = page_key(&visit.url);
    let page = page_id(db, &key, &visit.url, at)?;
    let brought = add_fetch(db, page, visit, at, records)?;
    if matches!(visit.outcome, VisitOutcome::Part) {
        // The first page of its article decides when the page is visited again, unless a feed
        // lists the page, too.
        let sql = "UPDATE pages SET raw = coalesce(?2, raw), sha256 = coalesce(?3, sha256), etag = ?4, \
                   last_modified = ?5 WHERE id = ?1";
        let (etag, last_modified) = (&visit.etag, &visit.last_modified);
        return db.run(
            sql,
            params![page, brought, visit.sha256, etag, last_modified],
        );
    }
    let article = match &visit.outcome {
        VisitOutcome::Version(reading) => {
            let text = records.text.as_ref();
            Some(versions::add(
                db,
                (visit, page, brought),
                &key,
                reading,
                text,
                at,
            )?)
        }
        VisitOutcome::Known(key) => article_of(db, key)?,
        VisitOutcome::Doubtful => {
            let article = article_of(db, &key)?;
            if let Some(article) = article {
                doubts::add(db, (&visit.site, page, brought), article, at)?;
            }
            article
        }
        _ => None,
    };
    let mut known = visits_of(db, page)?;
    let failed = visit.incomplete || matches!(visit.status, Status::Error | Status::Blocked);
    known.failures = if failed { known.failures + 1 } else { 0 };
    let sql = "UPDATE pages SET visits = visits + 1, failures = :failures, next_visit = :next, \
               last_visit = :at, status = :status, article = coalesce(:article, article), \
               raw = coalesce(:raw, raw), sha256 = coalesce(:sha256, sha256), \
               etag = CASE WHEN :is_answer THEN :etag ELSE etag END, \
               last_modified = CASE WHEN :is_answer THEN :last_modified ELSE last_modified END, \
               site = CASE WHEN :site = '' THEN site ELSE :site END WHERE id = :page";
    let params = named_params! {
        ":page": page,
        ":failures": known.failures,
        // What everybody gets may be less than what the browser showed.
        ":next": if visit.from_browser { None } else { (revisit.after_visit)(&known, at) },
        ":at": at,
        ":status": visit.status.name(),
        ":article": article,
        ":raw": brought,
        ":sha256": visit.sha256,
        // A failed page keeps the fields for the next conditional request. A page that was
        // wrongly confirmed must not be requested conditionally again.
        ":is_answer": visit.sha256.is_some() || visit.http_status == Some(304),
        ":etag": visit.etag,
        ":last_modified": visit.last_modified,
        ":site": visit.site,
    };
    db.run(sql, params)?;
    for address in visit.also.iter().chain(&visit.final_url) {
        let other = page_key(address);
        if other != key
            && let Some(article) = article
        {
            let other = page_id(db, &other, address, at)?;
            set_article(db, other, article)?;
        }
    }
    match article {
        Some(article) => date_article(db, article),
        None => Ok(()),
    }
}

/// Adds the row of a visit; returns its number if it has bytes.
fn add_fetch(
    db: &Connection,
    page: i64,
    visit: &Visit,
    at: i64,
    records: &EventRecords,
) -> Result<Option<i64>> {
    let raw = records.raw.as_ref();
    let kind = raw.map_or("failed", |raw| raw.type_name());
    let place = raw.map(|raw| raw.place);
    insert!(
        db, "fetches",
        page: page,
        url: visit.address(),
        at: at,
        http_status: visit.http_status,
        kind: kind,
        record: raw.map_or("", |raw| &raw.id),
        sha256: visit.sha256,
        content_type: visit.content_type,
        status: visit.status.name(),
        confidence: visit.confidence,
        error: visit.error,
        digest: raw.and_then(|raw| raw.digest.as_deref()),
        file: place.map(|place| place.file),
        place: place.map(|place| place.offset),
        length: place.map(|place| place.length),
    )?;
    let is_brought = matches!(kind, "response" | "resource");
    Ok(is_brought.then(|| db.last_insert_rowid()))
}

/// A received requisite. Without its record it is not stored.
pub(super) fn requisite(
    db: &Connection,
    of: &Requisite,
    records: &EventRecords,
    at: i64,
) -> Result<()> {
    let Some(raw) = &records.raw else {
        return Ok(());
    };
    insert!(
        db, "requisites",
        url: of.url,
        target: of.final_url.as_deref().unwrap_or(&of.url),
        at: at,
        kind: raw.type_name(),
        record: raw.id,
        sha256: of.sha256,
        extension: of.extension,
        digest: raw.digest.as_deref().unwrap_or_default(),
        file: raw.place.file,
        place: raw.place.offset,
        length: raw.place.length,
    )
}
