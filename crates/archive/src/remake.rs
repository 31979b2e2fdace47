//! Makes the tables again from the WARC files. The old ones stay until the new ones are
//! whole. Data that is only in the tables is taken over.

use super::change::ArchiveChange;
use super::disk::{Disk, remove, remove_folder, rename, write_failed};
use super::files::{Folder, Lengths};
use super::lengths::known_lengths;
use super::recover::catch_up;
use super::revisit::RevisitRule;
use super::{paths, tables, transient};
use crate::error::Result;
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};

/// The old tables. They may be damaged or of an earlier version.
#[derive(Debug, Default)]
pub(super) struct OldTables {
    /// Changes that the WARC files do not have: polls, watched sites, servers in back-off.
    changes: Vec<ArchiveChange>,
    /// The lengths up to which the files were in the tables.
    pub(super) committed: Lengths,
}

impl OldTables {
    pub(super) fn read(path: &Path) -> OldTables {
        let opened = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE);
        let Ok(db) = opened else {
            return OldTables::default();
        };
        let changes = transient::changes_of(&db);
        let committed = known_lengths(&db).unwrap_or_default();
        // All data is moved into one file. While other processes read it, the log stays.
        let _ = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        OldTables { changes, committed }
    }
}

/// Makes the tables again in a new file, then replaces the old ones.
pub(super) fn remake(
    dir: &Path,
    (disk, revisit): (&Disk, RevisitRule),
    committed: &Lengths,
) -> Result<()> {
    let (old, new) = (paths::database(dir), paths::new_database(dir));
    remove_database(&new)?;
    let old_tables = if old.exists() {
        OldTables::read(&old)
    } else {
        OldTables::default()
    };
    let mut db = tables::open(&new)?;
    catch_up(&mut db, &Folder::of(dir), committed, revisit)?;
    let tables = db.transaction()?;
    transient::write_all(&tables, old_tables.changes)?;
    tables.commit()?;
    // One file, without a log beside it.
    db.pragma_update(None, "journal_mode", "DELETE")?;
    drop(db);
    let stale = paths::stale(dir);
    if !stale.exists() {
        // The new file must never be used with the old one's log.
        let marked = disk.replace(&stale, b"");
        marked.map_err(|source| write_failed(&stale, source))?;
    }
    for end in ["-wal", "-shm"] {
        remove(&with_end(&old, end))?;
    }
    rename(&new, &old)?;
    remove_folder(&paths::index(dir))?;
    remove(&stale)
}

/// Removes a database with its log and its shared memory file.
pub(super) fn remove_database(path: &Path) -> Result<()> {
    for end in ["", "-wal", "-shm", "-journal"] {
        remove(&with_end(path, end))?;
    }
    Ok(())
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}
