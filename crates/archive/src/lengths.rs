//! The lengths up to which the WARC files are in the tables.

use super::files::{FileId, Lengths};
use super::sql::Sql;
use crate::error::Result;
use rusqlite::{Connection, Row, params};

/// The lengths in bytes up to which the files are in the tables.
pub(super) fn known_lengths(db: &Connection) -> Result<Lengths> {
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let known = db.all("SELECT file, length FROM files", [], read)?;
    Ok(known.into_iter().collect())
}

/// Notes how much of a file is in the tables.
pub(super) fn set_length(tables: &Connection, file: FileId, length: u64) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO files (file, length) VALUES (?1, ?2)";
    tables.run(sql, params![file, length])
}
