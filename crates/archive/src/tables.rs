//! The database: made, opened, checked.

use crate::error::{ErrorKind, Result};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The version of the tables, as in `schema.sql`; every change there increases it. Tables of
/// an earlier version are made again, those of a later one are not opened.
///
/// - 1: the first.
/// - 2: table `parts`, index `polls_last`.
/// - 3: table `rests`, column `named` of `pages`.
/// - 4: table `robots`, column `authors` of `items`.
/// - 5: `files` and places name one of the three files of a segment.
/// - 6: tables `answers` and `notices`, what lists and rules say in `feeds`, column `answer`
///   of `items`.
/// - 7: columns `tags` and `image` of `items`.
/// - 8: tables `requisites` and `pictures`, column `pictured` of `versions`.
/// - 9: column `dated` of `articles`.
/// - 10: columns `entry` of `items` and `named` of `feeds`.
/// - 11: tables `profiles` and `latest_items` (with `FeedItem` as its JSON is), column `number`
///   of `items`, items without a page; table `records`, column `digest` of `fetches` and
///   `requisites`; table `doubts`.
const VERSION: i64 = 11;

/// The time for which a reader waits for a writer's commit, and the other way round.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Memory for pages of the database, in kB. An archive of ten thousand pages fills more
/// within hours without becoming faster, since the system caches the file, too.
const CACHE_KB: i64 = 4_000;

/// Opens the database for writing; made if it is not there.
pub fn open(path: &Path) -> Result<Connection> {
    let db = Connection::open(path)?;
    db.busy_timeout(PATIENCE)?;
    db.pragma_update(None, "journal_mode", "WAL")?;
    // The WARC files are synced first, and lost rows of the tables are made again from them.
    db.pragma_update(None, "synchronous", "NORMAL")?;
    db.pragma_update(None, "cache_size", -CACHE_KB)?;
    db.set_prepared_statement_cache_capacity(64);
    make(&db, path)?;
    Ok(db)
}

/// Opens the database for reading, also while another process writes. In a folder without
/// write permission it is opened as immutable, without locks: the log beside it shows that no
/// other process is writing.
pub fn open_to_read(path: &Path) -> Result<Connection> {
    let opened = match connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE) {
        Err(error) if may_not_write(&error) => connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY),
        opened => opened,
    };
    let db = match opened {
        Err(error) if may_not_write(&error) => {
            let mut log = path.as_os_str().to_owned();
            log.push("-wal");
            if std::fs::metadata(PathBuf::from(log)).is_ok_and(|about| about.len() > 0) {
                let path = path.to_owned();
                return Err(ErrorKind::ArchiveNotWritable { path }.into());
            }
            let whole = path.canonicalize().ok();
            let url = whole.and_then(|path| url::Url::from_file_path(path).ok());
            let url = url.ok_or(error)?;
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            connect(format!("{url}?immutable=1").as_ref(), flags)?
        }
        opened => opened?,
    };
    check(&db, path)?;
    Ok(db)
}

fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let db = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    db.pragma_update(None, "query_only", true)?;
    db.busy_timeout(PATIENCE)?;
    // Only a first statement shows if it can be read at all.
    db.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(db)
}

fn may_not_write(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied)
    )
}

/// A database in memory.
pub fn in_memory() -> Result<Connection> {
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
pub fn check(db: &Connection, path: &Path) -> Result<()> {
    match version(db)? {
        VERSION => Ok(()),
        1..VERSION => Err(ErrorKind::ArchiveEarlier {
            path: path.to_owned(),
        }
        .into()),
        found => Err(ErrorKind::ArchiveVersion {
            path: path.to_owned(),
            found,
        }
        .into()),
    }
}

/// Returns true if the tables are of an earlier version and must be made again.
pub fn is_old(path: &Path) -> bool {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
    let found = Connection::open_with_flags(path, flags).map_err(Into::into);
    found
        .and_then(|db| version(&db))
        .is_ok_and(|found| (1..VERSION).contains(&found))
}

fn version(db: &Connection) -> Result<i64> {
    Ok(db.pragma_query_value(None, "user_version", |row| row.get(0))?)
}
