//! The WARC files of an archive, in the order in which they were written:
//! `warc/forest-000001.warc.gz` ... Records are added at the end of the last one and
//! nowhere else.

use super::disk::Disk;
use crate::error::{Error, Kind, Result};
use crate::warc::{Members, Record, Whole};
use chrono::{DateTime, Utc};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Bytes from which a file is full: 1 GB, as crawlers cut theirs.
pub(crate) const FULL: u64 = 1_000_000_000;

/// Where a record stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Number of the file, from 1.
    pub file: u32,
    /// Where its member begins.
    pub offset: u64,
    /// Bytes of the member.
    pub length: u64,
}

/// What follows the name of a file that was damaged and is kept.
pub(crate) const DAMAGED: &str = ".damaged";

/// The folder of the files.
#[derive(Debug, Clone)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn of(archive: &Path) -> Folder {
        Folder(archive.join("warc"))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The name of a file.
    pub(crate) fn name(number: u32) -> String {
        format!("forest-{number:06}.warc.gz")
    }

    pub(crate) fn file(&self, number: u32) -> PathBuf {
        self.0.join(Self::name(number))
    }

    /// The files that are there, with their lengths.
    pub(crate) fn lengths(&self) -> Result<BTreeMap<u32, u64>> {
        let failed = |source| Error::read(&self.0, source);
        let mut found = BTreeMap::new();
        for entry in fs::read_dir(&self.0).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| {
                let digits = name.strip_prefix("forest-")?.strip_suffix(".warc.gz")?;
                digits.parse().ok()
            });
            if let Some(number) = number {
                found.insert(number, entry.metadata().map_err(failed)?.len());
            }
        }
        Ok(found)
    }

    /// The damaged files that are kept since a [salvage](super::Archive::salvage), by name.
    pub(crate) fn damaged(&self) -> Result<Vec<PathBuf>> {
        let failed = |source| Error::read(&self.0, source);
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.0).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with("forest-") && name.contains(DAMAGED) {
                found.push(entry.path());
            }
        }
        found.sort();
        Ok(found)
    }

    /// [`lengths`](Self::lengths); none where there is no folder yet.
    pub(crate) fn lengths_or_none(&self) -> Result<BTreeMap<u32, u64>> {
        match self.0.exists() {
            true => self.lengths(),
            false => Ok(BTreeMap::new()),
        }
    }

    /// The records of a file from `offset` on.
    pub(crate) fn records(&self, number: u32, offset: u64) -> Result<Members<BufReader<File>>> {
        let path = self.file(number);
        let open = || {
            let mut file = File::open(&path)?;
            file.seek(SeekFrom::Start(offset))?;
            Ok(BufReader::with_capacity(1 << 16, file))
        };
        let file = open().map_err(|source| Error::read(&path, source))?;
        Ok(Members::new(file, offset))
    }

    /// The record at a place.
    pub(crate) fn record(&self, at: Place) -> Result<Whole> {
        let path = self.file(at.file);
        let bytes = || {
            let mut file = File::open(&path)?;
            file.seek(SeekFrom::Start(at.offset))?;
            let mut bytes = Vec::new();
            file.take(at.length).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        let bytes: Vec<u8> = bytes().map_err(|source| Error::read(&path, source))?;
        let read = Members::new(bytes.as_slice(), at.offset).read();
        let broken = |reason: String| Kind::ArchiveBroken {
            path: path.clone(),
            reason: format!("at byte {}: {reason}", at.offset),
        };
        match read {
            Ok(Some(record)) => Ok(record),
            Ok(None) => Err(broken("nothing is there".to_owned()).into()),
            Err(error) => Err(broken(error.reason).into()),
        }
    }
}

/// The last file, open for what comes.
#[derive(Debug)]
pub(crate) struct Journal {
    folder: Folder,
    disk: Disk,
    full: u64,
    file: Option<File>,
    number: u32,
    length: u64,
    /// Files that were begun since the last [`mark`](Self::mark), with the length of
    /// the one before.
    mark: (u32, u64),
    /// A step failed and could not be undone: nothing more is written.
    lost: bool,
}

impl Journal {
    /// Goes on behind the last file's `length` bytes; what stands behind them is cut
    /// off. No files: begins the first.
    pub(crate) fn open(
        folder: Folder,
        last: Option<(u32, u64)>,
        full: u64,
        disk: Disk,
    ) -> Result<Journal> {
        let mut journal = Journal {
            folder,
            disk,
            full,
            file: None,
            number: 0,
            length: 0,
            mark: (0, 0),
            lost: false,
        };
        if let Some((number, length)) = last {
            let path = journal.folder.file(number);
            let open = || {
                let mut file = File::options().write(true).open(&path)?;
                if file.metadata()?.len() != length {
                    journal.disk.cut(&mut file, length)?;
                }
                file.seek(SeekFrom::Start(length))?;
                Ok(file)
            };
            let file = open().map_err(|source| Kind::Write {
                path: path.clone(),
                source,
            })?;
            journal.file = Some(file);
            (journal.number, journal.length) = (number, length);
        }
        journal.mark = (journal.number, journal.length);
        Ok(journal)
    }

    /// What is written from here on is lasting together, or not at all.
    pub(crate) fn mark(&mut self) -> Result<()> {
        if self.lost {
            return Err(self.failed(io::Error::other("an earlier write could not be undone")));
        }
        self.mark = (self.number, self.length);
        Ok(())
    }

    /// Begins the next file if this one is full. Before the records of a visit, so
    /// that these stay together.
    pub(crate) fn rotate(&mut self, at: DateTime<Utc>) -> Result<()> {
        if self.file.is_some() && self.length < self.full {
            return Ok(());
        }
        let result = self.begin(at);
        result.map_err(|error| self.failed(error))
    }

    fn begin(&mut self, at: DateTime<Utc>) -> io::Result<()> {
        if let Some(file) = &self.file {
            self.disk.sync(file)?;
        }
        let number = self.number + 1;
        let file = self.disk.create(&self.folder.file(number))?;
        (self.file, self.number, self.length) = (Some(file), number, 0);
        let name = Folder::name(number);
        let software = concat!("forest ", env!("CARGO_PKG_VERSION"));
        let fields = [("software", software), ("format", "WARC file version 1.1")];
        let info = Record::warcinfo(&name, at, &fields).member();
        self.write(&info)?;
        Ok(())
    }

    /// Adds a record.
    pub(crate) fn append(&mut self, member: &[u8]) -> Result<Place> {
        let written = self.write(member);
        written.map_err(|error| self.failed(error))
    }

    fn write(&mut self, member: &[u8]) -> io::Result<Place> {
        let file = self.file.as_mut().expect("a file is begun before a record");
        let offset = self.length;
        self.disk.append(file, member)?;
        self.length += member.len() as u64;
        Ok(Place {
            file: self.number,
            offset,
            length: member.len() as u64,
        })
    }

    /// Makes what was added lasting.
    pub(crate) fn sync(&mut self) -> Result<()> {
        let synced = match &self.file {
            Some(file) => self.disk.sync(file),
            None => Ok(()),
        };
        synced.map_err(|error| self.failed(error))
    }

    /// Takes back what was added since the mark.
    pub(crate) fn undo(&mut self) -> Result<()> {
        let undone = self.cut_to_mark();
        self.lost = undone.is_err();
        undone.map_err(|error| self.failed(error))
    }

    fn cut_to_mark(&mut self) -> io::Result<()> {
        let (number, length) = self.mark;
        while self.number > number {
            self.file = None;
            match fs::remove_file(self.folder.file(self.number)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => self.number -= 1,
            }
        }
        if self.number == 0 {
            self.length = 0;
            return Ok(());
        }
        let mut file = match self.file.take() {
            Some(file) => file,
            None => File::options().write(true).open(self.folder.file(number))?,
        };
        self.disk.cut(&mut file, length)?;
        (self.file, self.length) = (Some(file), length);
        Ok(())
    }

    /// Number and length of the last file.
    pub(crate) fn end(&self) -> (u32, u64) {
        (self.number, self.length)
    }

    /// Bytes from which a file is full.
    pub(crate) fn full_bytes(&self) -> u64 {
        self.full
    }

    fn failed(&self, source: io::Error) -> Error {
        Kind::Write {
            path: self.folder.file(self.number.max(1)),
            source,
        }
        .into()
    }
}
