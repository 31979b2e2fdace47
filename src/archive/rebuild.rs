//! The tables made again from the WARC files: beside the old ones, which stay until the
//! new ones are whole. What stands in the tables alone is taken over.

use super::files::{Folder, Lengths};
use super::recover::{catch_up, known_lengths};
use super::store::{ArchiveChange, time_of, write_poll, write_rest, write_watch};
use super::{Archive, ArchiveOptions, lock, paths, remove, tables, write_failed};
use crate::error::Result;
use rusqlite::Connection;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What tables know that the WARC files do not.
#[derive(Debug, Default)]
pub(crate) struct TransientState {
    /// How feeds were polled, how sites are watched, and which servers rest.
    changes: Vec<ArchiveChange>,
    /// Up to where the files were in the tables.
    pub(super) committed: Lengths,
}

impl TransientState {
    /// Those of tables that need not be whole, nor of this version.
    pub(super) fn of_file(path: &Path) -> TransientState {
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
        Connection::open_with_flags(path, flags)
            .map_or_else(|_| TransientState::default(), TransientState::of)
    }

    /// The same; the connection is closed, so that all is in one file.
    fn of(db: Connection) -> TransientState {
        let mut changes = super::read::polls(&db).unwrap_or_default();
        changes.extend(watches(&db).unwrap_or_default());
        changes.extend(rests(&db).unwrap_or_default());
        let committed = known_lengths(&db).unwrap_or_default();
        // While others read it, the log stays.
        let _ = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        TransientState { changes, committed }
    }
}

fn watches(db: &Connection) -> Result<Vec<ArchiveChange>> {
    let mut rows = db.prepare("SELECT site, state FROM watches ORDER BY site")?;
    let rows = rows.query_map([], |row| {
        let (site, state) = (row.get(0)?, row.get(1)?);
        Ok(ArchiveChange::Watch { site, state })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn rests(db: &Connection) -> Result<Vec<ArchiveChange>> {
    let mut rows = db.prepare("SELECT origin, until FROM rests ORDER BY until")?;
    let rows = rows.query_map([], |row| {
        let (origin, until) = (row.get(0)?, time_of(row.get(1)?));
        Ok(ArchiveChange::Rest { origin, until })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

impl Archive {
    /// Makes the tables again from the WARC files. The index follows when it is opened.
    /// Interrupted, the archive has the tables that it had.
    ///
    /// # Errors
    ///
    /// If a WARC file is damaged, or lacks what the tables had of it; if a file cannot
    /// be read or written.
    pub fn rebuild(self) -> Result<Archive> {
        let committed = known_lengths(&self.db)?;
        self.remade_with(&committed)
    }

    /// Makes the tables again from WARC files that became others under them.
    pub(super) fn rebuild_anew(self) -> Result<Archive> {
        self.remade_with(&Lengths::default())
    }

    fn remade_with(self, committed: &Lengths) -> Result<Archive> {
        let Archive {
            dir,
            db,
            journal,
            disk,
            sites,
            lock,
            ..
        } = self;
        let options = ArchiveOptions {
            full: journal.full_bytes(),
            sites: Some(sites),
            disk,
        };
        drop(db);
        Archive::remade(&dir, options, lock, committed)
    }

    /// The same where the tables cannot even be opened; what can be read of them is
    /// taken over.
    ///
    /// # Errors
    ///
    /// If another process writes to the archive, and as [`rebuild`](Self::rebuild).
    pub fn rebuilt(dir: &Path, options: ArchiveOptions) -> Result<Archive> {
        let lock = lock(dir)?;
        let committed = match paths::stale(dir).exists() {
            // The files became others under the tables.
            true => Lengths::default(),
            false => TransientState::of_file(&paths::database(dir)).committed,
        };
        super::settle(dir)?;
        Archive::remade(dir, options, lock, &committed)
    }

    /// Makes the tables again and opens the archive. `committed`: how long the files
    /// must be at least.
    pub(super) fn remade(
        dir: &Path,
        options: ArchiveOptions,
        lock: super::Lock,
        committed: &Lengths,
    ) -> Result<Archive> {
        remake(dir, &options, committed)?;
        Archive::open_locked(dir, options, lock)
    }
}

/// Makes the tables again beside the old ones, and puts them in their place.
pub(super) fn remake(dir: &Path, options: &ArchiveOptions, committed: &Lengths) -> Result<()> {
    let (old, new) = (paths::database(dir), paths::new_database(dir));
    remove_database(&new)?;
    let passing = match old.exists() {
        true => TransientState::of_file(&old),
        false => TransientState::default(),
    };
    let mut db = tables::open(&new)?;
    catch_up(&mut db, &Folder::of(dir), committed)?;
    let tables = db.transaction()?;
    for change in passing.changes {
        match change {
            ArchiveChange::Poll(poll) => write_poll(&tables, &poll)?,
            ArchiveChange::Rest { origin, until } => write_rest(&tables, &origin, until)?,
            ArchiveChange::Watch { site, state } => write_watch(&tables, &site, &state)?,
            _ => {}
        }
    }
    tables.commit()?;
    // One file, without a log beside it.
    db.pragma_update(None, "journal_mode", "DELETE")?;
    drop(db);
    let stale = paths::stale(dir);
    if !stale.exists() {
        // The new file must never stand beside the old one's log.
        let marked = options.disk.replace(&stale, b"");
        marked.map_err(|source| write_failed(&stale, source))?;
    }
    for end in ["-wal", "-shm"] {
        remove(&with_end(&old, end))?;
    }
    fs::rename(&new, &old).map_err(|source| write_failed(&old, source))?;
    let index = paths::index(dir);
    match fs::remove_dir_all(&index) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(write_failed(&index, error));
        }
        _ => {}
    }
    remove(&stale)
}

/// Removes a database with what stands beside it.
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
