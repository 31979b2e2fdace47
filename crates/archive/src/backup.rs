//! A copy of an archive, taken while another process may write to it.
//!
//! The tables have the lengths up to which the WARC files are whole. The copy has the files
//! up to these lengths and the tables of that moment. WARC files only grow, so a file of the
//! same length is not copied again.

use super::disk::{make_folder, remove, remove_folder, rename, write_failed};
use super::files::{FileId, FileKind, Folder, Lengths};
use super::handle::lock;
use super::lengths::known_lengths;
use super::paths;
use super::read::ArchiveReader;
use crate::error::{Error, ErrorKind, Result};
use rusqlite::backup::Backup;
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Pages of the database that are copied at once, and the pause after that, in which a writer
/// can write.
const AT_ONCE: i32 = 4096;
const REST: Duration = Duration::from_millis(1);

/// The counts of a backup.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BackedUp {
    /// WARC files of the archive.
    pub files: u64,
    /// Of these, files that were copied.
    pub copied: u64,
    /// Bytes that were copied.
    pub bytes: u64,
    /// Wrappers.
    pub wrappers: u64,
}

impl ArchiveReader {
    /// Copies the archive in `from`, the reader's own folder, to `to`: a new folder, or
    /// an earlier copy. `sites` is the folder of the wrappers. `progress` gets the number of
    /// copied files and the number of all.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written, if `to` holds other files, another archive
    /// or more than this one, or if the archive is rebuilt meanwhile.
    pub fn backup(
        &self,
        from: &Path,
        sites: &Path,
        to: &Path,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<BackedUp> {
        let _lock = lock(to)?;
        self.may_become(to)?;
        let new = to.join("archive.sqlite.new");
        remove(&new)?;
        let mut copy = Connection::open(&new)?;
        Backup::new(&self.db, &mut copy)?.run_to_completion(AT_ONCE, REST, None)?;
        let lengths = known_lengths(&copy)?;
        // One file, without a log beside it.
        copy.pragma_update(None, "journal_mode", "DELETE")?;
        drop(copy);
        let folder = Folder::of(to);
        make_folder(folder.path())?;
        let mut report = BackedUp::default();
        let all = lengths.len() as u64;
        for (&file, &length) in &lengths {
            progress(report.files, all);
            report.files += 1;
            let path = folder.file(file);
            if fs::metadata(&path).is_ok_and(|about| about.len() == length) {
                continue;
            }
            copy_file(&self.folder.file(file), &path, Some(length))?;
            (report.copied, report.bytes) = (report.copied + 1, report.bytes + length);
        }
        make_folder(&paths::sites(to))?;
        for path in wrappers(sites)? {
            if let Some(name) = path.file_name() {
                copy_file(&path, &paths::sites(to).join(name), None)?;
                report.wrappers += 1;
            }
        }
        for path in [paths::marks, paths::reading_settings] {
            if !path(from).exists() {
                continue;
            }
            copy_file(&path(from), &path(to), None)?;
        }
        // Files that are rewritten while they are copied do not match the tables.
        if paths::stale(from).exists() {
            let source = io::Error::other("the archive is being rebuilt: try again");
            return Err(Error::read(from, source));
        }
        for name in ["archive.sqlite-wal", "archive.sqlite-shm"] {
            remove(&to.join(name))?;
        }
        remove_folder(&paths::index(to))?;
        rename(&new, &paths::database(to))?;
        Ok(report)
    }

    /// Returns true if a folder is empty, or holds an earlier copy and nothing else.
    fn may_become(&self, to: &Path) -> Result<()> {
        let copy = Folder::of(to);
        if !copy.path().exists() {
            return Ok(());
        }
        let refuse = |reason| {
            let path = to.to_owned();
            Err(ErrorKind::NotACopy { path, reason }.into())
        };
        let (ours, theirs) = (self.folder.lengths_or_none()?, copy.lengths()?);
        for number in theirs.keys().map(|file| file.segment()) {
            // An unreadable copy is replaced.
            let Some(began) = first_record(&copy, &theirs, number) else {
                continue;
            };
            if first_record(&self.folder, &ours, number) != Some(began) {
                return refuse("this holds another archive than the one that is to be copied");
            }
        }
        let is_shorter = ours.values().sum::<u64>() < theirs.values().sum();
        if is_shorter && forgotten(&self.db)? <= forgotten_in(&paths::database(to)) {
            return refuse("this holds more than the archive that is to be copied");
        }
        Ok(())
    }
}

/// The id of the first record of a segment's pages. It is unique to the segment, and stays
/// when the segment is written anew.
fn first_record(folder: &Folder, lengths: &Lengths, segment: u32) -> Option<String> {
    let file = FileId::new(segment, FileKind::Pages);
    lengths.get(&file)?;
    let record = folder.records(file, 0).ok()?.read().ok()??;
    Some(record.id)
}

/// The forgotten addresses: the only reason for which a copy becomes shorter. After a
/// salvage it may be the only data left.
fn forgotten(db: &Connection) -> Result<u64> {
    Ok(db.query_row("SELECT count(*) FROM forgotten", [], |row| row.get(0))?)
}

/// The same of tables that need not be whole.
fn forgotten_in(database: &Path) -> u64 {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let opened = Connection::open_with_flags(database, flags);
    let count = opened.map_err(Error::from).and_then(|db| forgotten(&db));
    count.unwrap_or_default()
}

/// The wrappers' files, by name; none if there is no folder.
fn wrappers(dir: &Path) -> Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|source| Error::read(dir, source))?,
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "yaml"))
        .collect();
    paths.sort();
    Ok(paths)
}

/// The first `length` bytes of a file, or all of it, under a temporary name, synced,
/// renamed.
fn copy_file(from: &Path, to: &Path, length: Option<u64>) -> Result<()> {
    let input = File::open(from).map_err(|source| Error::read(from, source))?;
    let mut new = to.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let copy = || {
        let mut out = File::create(&new)?;
        let copied = io::copy(&mut input.take(length.unwrap_or(u64::MAX)), &mut out)?;
        if length.is_some_and(|length| copied != length) {
            return Err(io::Error::other(
                "the file became shorter meanwhile: try again",
            ));
        }
        out.sync_all()?;
        fs::rename(&new, to)
    };
    copy().map_err(|source| write_failed(to, source))
}
