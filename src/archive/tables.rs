//! The database: made, opened, checked.

use crate::error::{Kind, Result};
use rusqlite::Connection;
use std::path::Path;
use std::time::Duration;

/// The version of the tables; another one is not opened.
const VERSION: i64 = 3;

/// How long a reader waits for a writer's commit, and the other way round.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Memory for pages of the database, in kB: of an archive of ten thousand pages more is
/// filled within hours and does not make it faster, since the system keeps the file, too.
const CACHE_KB: i64 = 4_000;

/// Opens the database for writing; made if there is none.
pub(crate) fn open(path: &Path) -> Result<Connection> {
    let db = Connection::open(path)?;
    db.busy_timeout(PATIENCE)?;
    db.pragma_update(None, "journal_mode", "WAL")?;
    // The WARC files are synced first, and what the tables lose is done again from
    // them.
    db.pragma_update(None, "synchronous", "NORMAL")?;
    db.pragma_update(None, "cache_size", -CACHE_KB)?;
    db.set_prepared_statement_cache_capacity(64);
    make(&db, path)?;
    Ok(db)
}

/// A database in memory.
pub(crate) fn in_memory() -> Result<Connection> {
    let db = Connection::open_in_memory()?;
    make(&db, Path::new(":memory:"))?;
    Ok(db)
}

fn make(db: &Connection, path: &Path) -> Result<()> {
    if version(db)? == 0 {
        db.execute_batch(&format!("BEGIN;{}COMMIT;", include_str!("schema.sql")))?;
    }
    check(db, path)
}

/// Refuses a database of another version.
pub(crate) fn check(db: &Connection, path: &Path) -> Result<()> {
    match version(db)? {
        VERSION => Ok(()),
        found => Err(Kind::ArchiveVersion {
            path: path.to_owned(),
            found,
        }
        .into()),
    }
}

/// Whether the tables are those of an earlier version, to be made again.
pub(crate) fn is_old(path: &Path) -> bool {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
    let found = Connection::open_with_flags(path, flags).map_err(Into::into);
    found
        .and_then(|db| version(&db))
        .is_ok_and(|found| (1..VERSION).contains(&found))
}

fn version(db: &Connection) -> Result<i64> {
    Ok(db.pragma_query_value(None, "user_version", |row| row.get(0))?)
}
