//! The rows of pages.

use super::super::revisit::PageVisits;
use super::super::sql::{Sql, insert};
use crate::error::Result;
use forest_html::address::site_of;
use rusqlite::{Connection, params};

/// The page with this key; it is made if it does not exist.
pub(super) fn page_id(db: &Connection, key: &str, url: &str, at: i64) -> Result<i64> {
    if let Some(id) = db.value("SELECT id FROM pages WHERE key = ?1", [key])? {
        return Ok(id);
    }
    let site = site_of(Some(url)).unwrap_or_default();
    insert!(db, "pages", key: key, url: url, site: site, first_seen: at)?;
    Ok(db.last_insert_rowid())
}

/// The visits to a page.
pub(super) fn visits_of(db: &Connection, page: i64) -> Result<PageVisits> {
    let sql =
        "SELECT first_seen, last_visit, next_visit, visits, failures FROM pages WHERE id = ?1";
    let visits = db.first(sql, [page], |row| {
        Ok(PageVisits {
            first_seen: row.get("first_seen")?,
            last_visit: row.get("last_visit")?,
            next_visit: row.get("next_visit")?,
            visits: row.get("visits")?,
            failures: row.get("failures")?,
        })
    })?;
    Ok(visits.unwrap_or_default())
}

/// Sets the article of a page that has none yet.
pub(super) fn set_article(db: &Connection, page: i64, article: i64) -> Result<()> {
    let sql = "UPDATE pages SET article = ?2 WHERE id = ?1 AND article IS NULL";
    db.run(sql, params![page, article])
}
