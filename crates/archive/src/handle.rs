//! An archive that is written to: its lock and its options.

use super::disk::{Disk, make_folder, remove, write_failed};
use super::files::{Folder, Lengths};
use super::journal::{FULL, Journal};
use super::read::ArchiveReader;
use super::recover::catch_up;
use super::remake::{OldTables, remake};
use super::revisit::RevisitRule;
use super::rewrite::settle;
use super::{paths, tables};
use crate::error::{Error, ErrorKind, Result};
use rusqlite::Connection;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Tries to lock a folder after the first, and the time between two of them.
const LOCK_TRIES: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// The lock of a folder, until it is dropped: on its file, and on the folder itself where the
/// system has that. A file that somebody deletes would be locked by the next writer anew.
#[derive(Debug)]
pub(super) struct Lock(pub(super) Vec<File>);

impl Drop for Lock {
    fn drop(&mut self) {
        // A process that another thread is starting inherits the file until its exec: merely
        // closing the file would leave the folder locked.
        for file in &self.0 {
            let _ = file.unlock();
        }
    }
}

/// An archive that is written to.
#[derive(Debug)]
pub struct Archive {
    pub(super) dir: PathBuf,
    pub(super) folder: Folder,
    pub(super) db: Connection,
    pub(super) journal: Journal,
    pub(super) disk: Disk,
    /// The folder of the wrappers.
    pub(super) sites: PathBuf,
    /// When pages are visited again.
    pub(super) revisit: RevisitRule,
    /// Held until the archive is dropped.
    pub(super) lock: Lock,
}

/// Options of an archive that is written to.
#[derive(Debug, Clone)]
pub struct ArchiveOptions {
    pub(super) full: u64,
    pub(super) sites: Option<PathBuf>,
    pub(super) disk: Disk,
    pub(super) revisit: RevisitRule,
    pub(super) about: Vec<(String, String)>,
}

impl ArchiveOptions {
    /// Options of an archive whose pages are visited again by this rule.
    #[must_use]
    pub fn new(revisit: RevisitRule) -> Self {
        ArchiveOptions {
            full: FULL,
            sites: None,
            disk: Disk::default(),
            revisit,
            about: Vec::new(),
        }
    }

    /// Further fields of the `warcinfo` records of new WARC files: `operator`, `isPartOf`,
    /// `robots` and the others of the standard.
    #[must_use]
    pub fn with_warcinfo(mut self, fields: impl IntoIterator<Item = (String, String)>) -> Self {
        self.about = fields.into_iter().collect();
        self
    }

    /// Bytes from which a WARC file is full (1 GB).
    #[must_use]
    pub fn with_file_bytes(mut self, bytes: u64) -> Self {
        self.full = bytes.max(1);
        self
    }

    /// The folder of the wrappers (`sites` in the archive).
    #[must_use]
    pub fn with_sites(mut self, dir: impl Into<PathBuf>) -> Self {
        self.sites = Some(dir.into());
        self
    }

    #[cfg(test)]
    pub fn with_disk(mut self, disk: Disk) -> Self {
        self.disk = disk;
        self
    }
}

impl Archive {
    /// Opens an archive, or makes one in a folder that is not there or empty.
    ///
    /// # Errors
    ///
    /// If another process writes to it, if the folder is not an archive's or cannot
    /// be written to, or if a WARC file is damaged before its end.
    pub fn open(dir: &Path, options: ArchiveOptions) -> Result<Archive> {
        let lock = lock(dir)?;
        Archive::open_locked(dir, options, lock)
    }

    pub(super) fn open_locked(dir: &Path, options: ArchiveOptions, lock: Lock) -> Result<Archive> {
        let folder = Folder::of(dir);
        let sites = options.sites.clone().unwrap_or_else(|| paths::sites(dir));
        make_folder(folder.path())?;
        make_folder(&sites)?;
        settle(dir)?;
        let database = paths::database(dir);
        let storage = (&options.disk, options.revisit);
        if paths::stale(dir).exists() {
            remake(dir, storage, &Lengths::default())?;
        } else if tables::is_old(&database) {
            let committed = OldTables::read(&database).committed;
            remake(dir, storage, &committed)?;
        }
        let mut db = tables::open(&database)?;
        let found = catch_up(&mut db, &folder, &Lengths::default(), options.revisit)?;
        for file in found.empty {
            remove(&folder.file(file))?;
        }
        for (file, length) in found.torn {
            cut(&options.disk, &folder.file(file), length)?;
        }
        if found.cut > 0 {
            tracing::warn!(
                bytes = found.cut,
                "the last WARC files end with what was never stored: cut off"
            );
        }
        if found.events > 0 {
            tracing::debug!(events = found.events, "caught up with the WARC files");
        }
        let ArchiveOptions {
            full,
            disk,
            revisit,
            about,
            ..
        } = options;
        let journal = Journal::open(folder.clone(), found.end, full, disk.clone())?;
        let journal = journal.with_warcinfo(about);
        Ok(Archive {
            dir: dir.to_owned(),
            folder,
            db,
            journal,
            disk,
            sites,
            revisit,
            lock,
        })
    }

    /// Its folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Opens a reader. Uncommitted changes are not seen.
    ///
    /// # Errors
    ///
    /// If the database cannot be opened once more.
    pub fn reader(&self) -> Result<ArchiveReader> {
        ArchiveReader::open(&self.dir)
    }
}

/// Returns true if a process has the archive in a folder open to write it, such as a harvest.
pub fn is_in_use(dir: &Path) -> bool {
    let file = File::open(paths::lock(dir));
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Takes the lock of a folder.
pub(super) fn lock(dir: &Path) -> Result<Lock> {
    make_folder(dir)?;
    let path = paths::lock(dir);
    let is_archive = path.exists() || paths::database(dir).exists() || dir.join("warc").is_dir();
    let is_empty = || fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none());
    if !is_archive && !is_empty() {
        let path = dir.to_owned();
        return Err(ErrorKind::NotAnArchive { path }.into());
    }
    let open = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path);
    let mut lock = Lock(Vec::new());
    let file = open.map_err(|source| write_failed(&path, source))?;
    match lock_past_questions(&file) {
        Ok(()) => lock.0.push(file),
        Err(TryLockError::WouldBlock) => return Err(locked(dir)),
        Err(TryLockError::Error(source)) => return Err(write_failed(&path, source)),
    }
    // Windows opens no folder, and a network's file system may lock none.
    if let Ok(folder) = File::open(dir) {
        match folder.try_lock() {
            Ok(()) => lock.0.push(folder),
            Err(TryLockError::WouldBlock) => return Err(locked(dir)),
            Err(TryLockError::Error(error)) => tracing::debug!(%error, "the folder is not locked"),
        }
    }
    Ok(lock)
}

/// Locks a file. [`is_in_use`] shares it for a moment, which no writer does.
fn lock_past_questions(file: &File) -> Result<(), TryLockError> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => file.try_lock_shared()?,
            done => return done,
        }
        file.unlock().map_err(TryLockError::Error)?;
        thread::sleep(LOCK_PAUSE);
    }
    file.try_lock()
}

fn locked(dir: &Path) -> Error {
    let path = dir.to_owned();
    ErrorKind::ArchiveLocked { path }.into()
}

/// Makes a file shorter.
fn cut(disk: &Disk, path: &Path, length: u64) -> Result<()> {
    let open = File::options().write(true).open(path);
    let cut = open.and_then(|mut file| disk.cut(&mut file, length));
    cut.map_err(|source| write_failed(path, source))
}
