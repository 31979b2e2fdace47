//! The lengths up to which the WARC files are in the tables.

use super::files::{FileId, FileKind, Lengths};
use super::sql::Sql;
use crate::error::Result;
use rusqlite::{Connection, Row, params};

/// The first version of the tables for segments of three files.
const SEGMENTS_SINCE: i64 = 5;

/// The lengths in bytes up to which the files are in the tables.
pub(super) fn known_lengths(db: &Connection) -> Result<Lengths> {
    let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = if version < SEGMENTS_SINCE {
        // One file a segment, by its number.
        db.all("SELECT number, length FROM files", [], |row| {
            Ok((FileId::new(row.get(0)?, FileKind::Mixed), row.get(1)?))
        })?
    } else {
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        db.all("SELECT file, length FROM files", [], read)?
    };
    Ok(known.into_iter().collect())
}

/// Notes how much of a file is in the tables.
pub(super) fn set_length(tables: &Connection, file: FileId, length: u64) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO files (file, length) VALUES (?1, ?2)";
    tables.run(sql, params![file, length])
}
