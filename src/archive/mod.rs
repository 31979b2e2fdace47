//! The store: every article that was ever harvested, every version of it, and the
//! pages as they came.
//!
//! Takes what was fetched and read ([`Arrival`]) and what else happened ([`Event`]);
//! gives [`Stored`]: new, another version, nothing new. An [`Archive`] is written by
//! one process at a time and read by any number ([`ArchiveReader`]).
//!
//! An archive is a folder:
//!
//! ```text
//! warc/pages-000001.warc.gz ...    what came, in WARC/1.1; beside it the texts of the
//!                                  articles and what happened (`files`): the truth
//! sites/<site>.yaml                the wrappers in use
//! archive.sqlite                   tables made of the WARC files, and when to ask next
//! index/                           words, made of the tables
//! inbox/                           feeds to add, and what to do now, for the harvest that runs
//! lock                             held by whoever writes
//! ```
//!
//! **What is stored cannot be lost.** [`Archive::write`] adds pages and texts to the last
//! WARC files, waits for the disk, adds the events that tell of them, waits again, and
//! then commits the tables. What has no event did not happen. Each layer says up to where
//! it has followed the one before it, and on opening it catches up: the tables with the
//! files (`recover`), the index with the tables. What stands behind the last event belongs
//! to nothing that was reported stored and is cut off; any other damage stops it
//! (`recover`), until somebody has decided to go on without what is damaged
//! ([`Archive::salvage`]).
//! With neither tables nor index, catching up begins at the beginning, and that is all
//! that rebuilding is.
//!
//! **Nothing is stored twice.** A page with the same bytes is a `revisit` record. An
//! article is known by its address without scheme, `www.` and tracking parameters
//! ([`key_of`]), by the addresses that redirect to it, by the canonical address that it
//! names on its own host, and by its text (`arrival`, `store`).
//!
//! **A version is another text under the same wrapper.** Where the wrapper has changed,
//! the old raw page is read again by the new one before texts are compared. Where an article
//! went behind a wall, what is left of it is no version (`teaser`).
//!
//! **An article may have several pages.** Each is visited and stored as a page; that of
//! the article's address is written last and says which the others are. Visited again,
//! all of them are. One that could not be had comes later into the version that lacks it.
//!
//! **Pictures** of articles, and style sheets and fonts of their pages, are stored where a
//! harvest asks for them (`requisites`): bytes once, whatever their addresses.
//!
//! Not from the papers, which keep nothing.

mod answers;
mod apply;
mod arrival;
mod backup;
pub mod diff;
mod disk;
mod due;
mod event;
mod files;
pub mod export;
mod forget;
mod groups;
mod event_kind;
mod identity;
mod inbox;
mod joined;
mod journal;
mod markup;
pub mod paths;
mod read;
mod rebuild;
mod recover;
mod reextract;
mod requisites;
mod rewrite;
mod salvage;
mod sites;
pub mod search;
mod status;
mod store;
mod tables;
mod teaser;
#[cfg(test)]
pub(crate) mod tests;
mod verify;

pub use arrival::{
    Arrival, ArticlePart, KnownAddress, KnownRaw, LatestVersion, PreparedVisit, VisitResponse,
};
pub use backup::BackedUp;
pub use due::DuePage;
pub use event::{
    Event, Extraction, Picture, Requisite, RequisiteKind, StoredItem, Visit, VisitOutcome,
};
pub use event_kind::{EventKind, PastEvent};
pub use files::{FileId, RecordPlace};
pub use forget::ForgetReport;
pub use identity::key_of;
pub use inbox::{FeedAnswer, TakenRequests, UrgentRequest, request, request_now};
pub use joined::{EarlierReading, JoinedArticle, KnownPart, RawArticle, before_of};
pub use markup::MarkupRenderer;
pub use read::{
    ArchiveReader, ArticleVersion, FeedRow, Filter, ItemMetadata, RawPage, SitePage, StoredArticle,
    WrapperRow,
};
pub use reextract::{ChangedText, ReextractOptions, Reextracted, RereadBy};
pub use requisites::{FetchedRequisite, StoredRequisite, UnpicturedVersion};
pub use salvage::SalvageReport;
pub use sites::{RawPages, SiteFile};
pub use status::{FeedStatus, SiteStatus};
pub use store::{ArchiveChange, FeedPoll, Reread, Stored};
pub use teaser::close_teaser;
pub use verify::{Damage, Verified};

use crate::error::{Error, Kind, Result};
use crate::extract::Status;
use disk::Disk;
use files::{Folder, Lengths};
use journal::{FULL, Journal};
use rewrite::settle;
use rusqlite::Connection;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The lock of a folder, until it is dropped.
#[derive(Debug)]
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // A process that another thread is starting holds the file, too, until it is
        // another program: closing it alone would leave the folder locked.
        let _ = self.0.unlock();
    }
}

/// An archive that is written to.
#[derive(Debug)]
pub struct Archive {
    dir: PathBuf,
    folder: Folder,
    db: Connection,
    journal: Journal,
    disk: Disk,
    /// The folder of the wrappers.
    sites: PathBuf,
    /// Held until the archive is dropped.
    lock: Lock,
}

/// How an archive is written.
#[derive(Debug, Clone)]
pub struct ArchiveOptions {
    full: u64,
    sites: Option<PathBuf>,
    disk: Disk,
}

impl Default for ArchiveOptions {
    fn default() -> Self {
        ArchiveOptions {
            full: FULL,
            sites: None,
            disk: Disk::default(),
        }
    }
}

impl ArchiveOptions {
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
    pub(crate) fn with_disk(mut self, disk: Disk) -> Self {
        self.disk = disk;
        self
    }
}

impl Archive {
    /// Opens an archive, or makes one in a folder that is not there or empty.
    ///
    /// # Errors
    ///
    /// If another process writes to it, if the folder is none of an archive or cannot
    /// be written to, or if a WARC file is damaged before its end.
    pub fn open(dir: &Path, options: ArchiveOptions) -> Result<Archive> {
        let lock = lock(dir)?;
        Archive::open_locked(dir, options, lock)
    }

    fn open_locked(dir: &Path, options: ArchiveOptions, lock: Lock) -> Result<Archive> {
        let folder = Folder::of(dir);
        let sites = sites::folder_of(dir, options.sites.clone());
        for path in [folder.path(), &sites] {
            fs::create_dir_all(path).map_err(|source| write_failed(path, source))?;
        }
        settle(dir)?;
        let database = paths::database(dir);
        if paths::stale(dir).exists() {
            rebuild::remake(dir, &options, &Lengths::default())?;
        } else if tables::is_old(&database) {
            let committed = rebuild::TransientState::of_file(&database).committed;
            rebuild::remake(dir, &options, &committed)?;
        }
        let mut db = tables::open(&database)?;
        let found = recover::catch_up(&mut db, &folder, &Lengths::default())?;
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
        let ArchiveOptions { full, disk, .. } = options;
        let journal = Journal::open(folder.clone(), found.end, full, disk.clone())?;
        Ok(Archive {
            dir: dir.to_owned(),
            folder,
            db,
            journal,
            disk,
            sites,
            lock,
        })
    }

    /// Its folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Reads it. What is not committed yet is not seen.
    ///
    /// # Errors
    ///
    /// If the database cannot be opened once more.
    pub fn reader(&self) -> Result<ArchiveReader> {
        ArchiveReader::open(&self.dir)
    }
}

/// Takes the lock of a folder.
fn lock(dir: &Path) -> Result<Lock> {
    fs::create_dir_all(dir).map_err(|source| write_failed(dir, source))?;
    let path = paths::lock(dir);
    let is_archive = path.exists() || paths::database(dir).exists() || dir.join("warc").is_dir();
    let is_empty = || fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none());
    if !is_archive && !is_empty() {
        return Err(Kind::NotAnArchive {
            path: dir.to_owned(),
        }
        .into());
    }
    let open = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path);
    let file = open.map_err(|source| write_failed(&path, source))?;
    match file.try_lock() {
        Ok(()) => Ok(Lock(file)),
        Err(TryLockError::WouldBlock) => Err(Kind::ArchiveLocked {
            path: dir.to_owned(),
        }
        .into()),
        Err(TryLockError::Error(source)) => Err(write_failed(&path, source)),
    }
}

/// Makes a file shorter.
fn cut(disk: &Disk, path: &Path, length: u64) -> Result<()> {
    let open = File::options().write(true).open(path);
    let cut = open.and_then(|mut file| disk.cut(&mut file, length));
    cut.map_err(|source| write_failed(path, source))
}

/// Removes a file that may be there.
fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(write_failed(path, error)),
        _ => Ok(()),
    }
}

fn write_failed(path: &Path, source: std::io::Error) -> Error {
    Kind::Write {
        path: path.to_owned(),
        source,
    }
    .into()
}

/// The status with this name.
pub(crate) fn status_of(name: &str) -> Option<Status> {
    let all = [
        Status::Ok,
        Status::Degraded,
        Status::Fallback,
        Status::Empty,
        Status::Blocked,
        Status::Error,
    ];
    all.into_iter()
        .find(|status| apply::status_name(*status) == name)
}
