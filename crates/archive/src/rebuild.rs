//! An archive whose tables are made again from its WARC files (`remake`).

use super::files::Lengths;
use super::handle::{Archive, ArchiveOptions, Lock, lock};
use super::lengths::known_lengths;
use super::paths;
use super::remake::{OldTables, remake};
use super::rewrite::settle;
use crate::error::Result;
use std::path::Path;

impl Archive {
    /// Makes the tables again from the WARC files. The index is updated when it is opened.
    /// After an interruption the archive has its former tables.
    ///
    /// # Errors
    ///
    /// If a WARC file is damaged, or shorter than the tables recorded; if a file cannot be
    /// read or written.
    pub fn rebuild(self) -> Result<Archive> {
        let committed = known_lengths(&self.db)?;
        self.remade_with(&committed)
    }

    /// Makes the tables again after the WARC files were replaced.
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
            revisit,
            lock,
            ..
        } = self;
        let options = ArchiveOptions {
            full: journal.full_bytes(),
            sites: Some(sites),
            disk,
            revisit,
            about: journal.about,
        };
        drop(db);
        Archive::remade(&dir, options, lock, committed)
    }

    /// The same if the tables cannot be opened; their readable data is taken over.
    ///
    /// # Errors
    ///
    /// If another process writes to the archive, and as [`rebuild`](Self::rebuild).
    pub fn rebuilt(dir: &Path, options: ArchiveOptions) -> Result<Archive> {
        let lock = lock(dir)?;
        let committed = if paths::stale(dir).exists() {
            // The files were replaced.
            Lengths::default()
        } else {
            OldTables::read(&paths::database(dir)).committed
        };
        settle(dir)?;
        Archive::remade(dir, options, lock, &committed)
    }

    /// Makes the tables again and opens the archive. `committed`: the minimum lengths of the
    /// files.
    pub(super) fn remade(
        dir: &Path,
        options: ArchiveOptions,
        lock: Lock,
        committed: &Lengths,
    ) -> Result<Archive> {
        remake(dir, (&options.disk, options.revisit), committed)?;
        Archive::open_locked(dir, options, lock)
    }
}
