//! The WARC files of an archive: their names, and the records in them.
//!
//! Files belong to segments, numbered from 1. A segment has three files, as Common Crawl
//! separates WARC, WAT and WET: a web archive's index takes every record of a file for a
//! page, so other records are in files of their own.
//!
//! ```text
//! pages-000001.warc.gz       requests, responses, revisits, resources
//! texts-000001.warc.wet.gz   texts of articles, in conversion records; of an imported archive
//!                            the records that are no pages, as its warcinfo and metadata
//! events-000001.warc.wat.gz  what happened, in metadata records
//! ```

use crate::error::{Error, ErrorKind, Result};
use forest_sources::warc::{Members, ReadRecord, RecordType};
use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The records of its segment that a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// Requests, responses, revisits and resources.
    Pages = 1,
    /// Conversions, and of an imported archive all that is no page.
    Texts,
    /// Metadata.
    Events,
}

impl FileKind {
    /// The files of a segment. An event is written after its records are on the disk, so its
    /// file is the last one.
    pub const ALL: [FileKind; 3] = [FileKind::Pages, FileKind::Texts, FileKind::Events];

    /// Its place in [`ALL`](Self::ALL).
    pub fn nth(self) -> usize {
        self as usize - 1
    }

    fn affixes(self) -> (&'static str, &'static str) {
        match self {
            FileKind::Pages => ("pages-", ".warc.gz"),
            FileKind::Texts => ("texts-", ".warc.wet.gz"),
            FileKind::Events => ("events-", ".warc.wat.gz"),
        }
    }
}

/// A WARC file of an archive. Ordered by segment, then kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId {
    segment: u32,
    kind: FileKind,
}

impl FileId {
    pub fn new(segment: u32, kind: FileKind) -> FileId {
        FileId { segment, kind }
    }

    /// The files of a segment, in the order of [`FileKind::ALL`].
    pub fn of_segment(segment: u32) -> [FileId; 3] {
        FileKind::ALL.map(|kind| FileId { segment, kind })
    }

    /// Number of its segment, from 1.
    pub fn segment(self) -> u32 {
        self.segment
    }

    pub fn kind(self) -> FileKind {
        self.kind
    }

    /// The file with this name.
    pub fn named(name: &str) -> Option<FileId> {
        FileKind::ALL.into_iter().find_map(|kind| {
            let (before, after) = kind.affixes();
            let digits = name.strip_prefix(before)?.strip_suffix(after)?;
            let is_number = digits.len() >= 6 && digits.bytes().all(|b| b.is_ascii_digit());
            let segment = digits.parse().ok().filter(|_| is_number)?;
            Some(FileId { segment, kind })
        })
    }
}

/// Its name, without a folder.
impl fmt::Display for FileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, after) = self.kind.affixes();
        write!(f, "{before}{:06}{after}", self.segment)
    }
}

/// The number in the tables: four times the segment, plus the code of the kind.
impl ToSql for FileId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let code = i64::from(self.segment) * 4 + self.kind as i64;
        Ok(ToSqlOutput::from(code))
    }
}

impl FromSql for FileId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<FileId> {
        let code = value.as_i64()?;
        let segment = u32::try_from(code / 4).map_err(|_| FromSqlError::OutOfRange(code))?;
        let mut kinds = FileKind::ALL.into_iter();
        let kind = kinds.find(|kind| *kind as i64 == code % 4);
        let kind = kind.ok_or(FromSqlError::OutOfRange(code))?;
        Ok(FileId { segment, kind })
    }
}

/// The place of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecordPlace {
    /// The file.
    pub file: FileId,
    /// The offset of its gzip member.
    pub offset: u64,
    /// Bytes of the member.
    pub length: u64,
}

/// A record in a file, without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRecord {
    /// `None` for a type that is not written here.
    pub kind: Option<RecordType>,
    pub id: String,
    /// The address of its page.
    pub page: String,
    /// The digest of its payload, as it states it.
    pub digest: Option<String>,
    /// The id of the record that it is about.
    pub refers_to: Option<String>,
    pub place: RecordPlace,
}

impl StoredRecord {
    /// A record that was read from a file.
    pub fn of(record: &ReadRecord, file: FileId) -> StoredRecord {
        StoredRecord {
            kind: record.kind,
            id: record.id.clone(),
            page: record.page().to_owned(),
            digest: record.payload_digest.clone(),
            refers_to: record.refers_to.clone(),
            place: RecordPlace {
                file,
                offset: record.offset,
                length: record.length,
            },
        }
    }

    /// The name of its type; empty for a type that is not written here.
    pub(super) fn type_name(&self) -> &'static str {
        self.kind.map(RecordType::name).unwrap_or_default()
    }

    /// Returns true if it is a page: a response, a resource or a revisit.
    pub fn is_page(&self) -> bool {
        self.kind.is_some_and(RecordType::is_page)
    }
}

/// The records that an event is about.
#[derive(Debug, Clone, Default)]
pub struct EventRecords {
    /// Response, resource or revisit.
    pub raw: Option<StoredRecord>,
    /// The text of a version.
    pub text: Option<StoredRecord>,
    /// The others: requests, and all records of an event about records.
    pub others: Vec<StoredRecord>,
}

/// Lengths of files in bytes.
pub type Lengths = BTreeMap<FileId, u64>;

/// The extension of a damaged file that is kept.
pub const DAMAGED: &str = ".damaged";

/// The extension of a file that is being written anew.
pub const NEW: &str = ".new";

/// The folder of the files.
#[derive(Debug, Clone)]
pub struct Folder(PathBuf);

impl Folder {
    pub fn of(archive: &Path) -> Folder {
        Folder(archive.join("warc"))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn file(&self, file: FileId) -> PathBuf {
        self.0.join(file.to_string())
    }

    /// The path under which a file is written anew.
    pub fn new_file(&self, file: FileId) -> PathBuf {
        self.0.join(format!("{file}{NEW}"))
    }

    fn names(&self) -> Result<Vec<(String, fs::DirEntry)>> {
        let failed = |source| Error::read(&self.0, source);
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.0).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if let Ok(name) = entry.file_name().into_string() {
                found.push((name, entry));
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(found)
    }

    /// The files that are there, with their lengths. A WARC file of another name is an error:
    /// its pages would be missing from the tables, and nothing would say so.
    pub fn lengths(&self) -> Result<Lengths> {
        let failed = |source| Error::read(&self.0, source);
        let mut found = Lengths::new();
        for (name, entry) in self.names()? {
            if let Some(file) = FileId::named(&name) {
                found.insert(file, entry.metadata().map_err(failed)?.len());
            } else if name.ends_with(".warc.gz") {
                let source = io::Error::other(
                    "it is not named like a file of an archive: move it elsewhere; \
                     `forest apply FILE --archive DIR` adds its pages",
                );
                return Err(Error::read(&entry.path(), source));
            }
        }
        Ok(found)
    }

    /// [`lengths`](Self::lengths); empty if there is no folder yet.
    pub fn lengths_or_none(&self) -> Result<Lengths> {
        if self.0.exists() {
            self.lengths()
        } else {
            Ok(Lengths::new())
        }
    }

    /// The damaged files that are kept since a [salvage](super::Archive::salvage), by name.
    pub fn damaged(&self) -> Result<Vec<PathBuf>> {
        let is_damaged = |name: &str| {
            let own = name.split_once(DAMAGED).map(|(own, _)| own);
            own.is_some_and(|own| FileId::named(own).is_some())
        };
        let names = self.names()?.into_iter();
        let found = names.filter(|(name, _)| is_damaged(name));
        Ok(found.map(|(_, entry)| entry.path()).collect())
    }

    /// The files that are being written anew, also after an interruption.
    pub fn unfinished(&self) -> Result<Vec<FileId>> {
        let names = self.names()?.into_iter();
        let found = names.filter_map(|(name, _)| FileId::named(name.strip_suffix(NEW)?));
        Ok(found.collect())
    }

    /// The records of a file from `offset` on.
    pub fn records(&self, file: FileId, offset: u64) -> Result<Members<BufReader<File>>> {
        let path = self.file(file);
        let open = || {
            let mut file = File::open(&path)?;
            file.seek(SeekFrom::Start(offset))?;
            Ok(BufReader::with_capacity(1 << 16, file))
        };
        let input = open().map_err(|source| Error::read(&path, source))?;
        Ok(Members::new(input, offset))
    }

    /// The bytes of a record in the file.
    pub fn member(&self, at: RecordPlace) -> Result<Vec<u8>> {
        let path = self.file(at.file);
        let bytes = || {
            let mut file = File::open(&path)?;
            file.seek(SeekFrom::Start(at.offset))?;
            let mut bytes = Vec::new();
            file.take(at.length).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        bytes().map_err(|source| Error::read(&path, source))
    }

    /// The record at a place.
    pub fn record(&self, at: RecordPlace) -> Result<ReadRecord> {
        let bytes = self.member(at)?;
        match Members::new(bytes.as_slice(), at.offset).read() {
            Ok(Some(record)) => Ok(record),
            Ok(None) => Err(self.broken(at.file, at.offset, "nothing is there")),
            Err(error) => Err(self.broken(at.file, at.offset, &error.reason)),
        }
    }

    /// The error of a file that is damaged at `offset`.
    pub fn broken(&self, file: FileId, offset: u64, reason: &str) -> Error {
        self.damage(file, format!("at byte {offset}: {reason}"))
    }

    /// The error for a missing file.
    pub fn missing(&self, file: FileId) -> Error {
        self.damage(file, "it is not there".to_owned())
    }

    /// The error of a damaged file.
    pub fn damage(&self, file: FileId, reason: String) -> Error {
        let path = self.file(file);
        ErrorKind::ArchiveBroken { path, reason }.into()
    }
}

/// The number of the last segment with a file; 0 if there is no segment.
pub fn last_segment(lengths: &Lengths) -> u32 {
    lengths.keys().map(|file| file.segment()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_codes_round_trip() {
        assert!(FileId::column_result(ValueRef::Integer(4)).is_err());
        for kind in FileKind::ALL {
            for segment in [1, 7, 999_999, 1_000_000, u32::MAX] {
                let file = FileId::new(segment, kind);
                assert_eq!(FileId::named(&file.to_string()), Some(file));
                let Ok(ToSqlOutput::Owned(value)) = file.to_sql() else {
                    panic!("a number")
                };
                let read = FileId::column_result(ValueRef::from(&value));
                assert_eq!(read.expect("a file"), file);
            }
        }
        for other in [
            "pages-000001.warc.wet.gz",
            "pages-1.warc.gz",
            "pages-+00001.warc.gz",
            "forest-000001.warc.gz",
            "pages-.warc.gz",
        ] {
            assert_eq!(FileId::named(other), None, "{other}");
        }
    }
}
