//! The last segment of an archive's WARC files, open for writing. Records are added only at
//! the ends of its files.
//!
//! Records of one write become durable together: [`Journal::sync`] syncs pages and texts,
//! and only then writes the events about them. Pages and texts without an event do not
//! count, and are cut off when the archive is opened next (`recover`).

use super::disk::Disk;
use super::files::{FileId, FileKind, Folder, RecordPlace, StoredRecord};
use crate::error::{Error, ErrorKind, Result};
use chrono::{DateTime, Utc};
use forest_sources::warc::{EncodedRecord, Record, RecordType};
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom};

/// Bytes from which a file is full: 1 GB, the usual size of crawlers' files.
pub const FULL: u64 = 1_000_000_000;

/// The end of a segment: the lengths of its files, in the order of [`FileKind::ALL`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SegmentEnd {
    pub segment: u32,
    /// `None`: there is no segment yet.
    pub lengths: Option<[u64; 3]>,
}

/// A file that is added to.
#[derive(Debug)]
struct OpenFile {
    file: File,
    length: u64,
    /// True if records were added since the last sync.
    changed: bool,
}

/// The open files of the last segment.
#[derive(Debug)]
pub struct Journal {
    folder: Folder,
    disk: Disk,
    full: u64,
    /// Further fields of the first records of files.
    pub(super) about: Vec<(String, String)>,
    segment: u32,
    /// In the order of [`FileKind::ALL`]; empty where there is no segment yet.
    files: Vec<OpenFile>,
    /// Events that are written after their records are on the disk.
    events: Vec<u8>,
    /// The end at the last [`mark`](Self::mark).
    mark: SegmentEnd,
    /// Segments that were completed since then.
    ended: Vec<SegmentEnd>,
    /// A step failed and could not be undone: nothing more is written.
    lost: bool,
}

impl Journal {
    /// Continues at the end of the last segment. The default end: there is no segment yet.
    pub fn open(folder: Folder, end: SegmentEnd, full: u64, disk: Disk) -> Result<Journal> {
        let mut journal = Journal {
            folder,
            disk,
            full,
            about: Vec::new(),
            segment: end.segment,
            files: Vec::new(),
            events: Vec::new(),
            mark: end,
            ended: Vec::new(),
            lost: false,
        };
        if end.lengths.is_some() {
            let reopened = journal.reopen(end);
            reopened.map_err(|(kind, error)| journal.failed(kind, error))?;
        }
        Ok(journal)
    }

    /// Sets further fields of the first records of new files.
    pub fn with_warcinfo(mut self, fields: Vec<(String, String)>) -> Journal {
        self.about = fields;
        self
    }

    /// Opens the files of a segment to continue at its end.
    fn reopen(&mut self, end: SegmentEnd) -> std::result::Result<(), (FileKind, io::Error)> {
        let files = FileId::of_segment(end.segment).into_iter();
        for (file, length) in files.zip(end.lengths.into_iter().flatten()) {
            let open = || {
                let path = self.folder.file(file);
                let mut file = File::options().write(true).open(path)?;
                file.seek(SeekFrom::Start(length))?;
                Ok(file)
            };
            self.files.push(OpenFile {
                file: open().map_err(|error| (file.kind(), error))?,
                length,
                changed: false,
            });
        }
        Ok(())
    }

    /// Begins a write: its records become durable together, or not at all.
    pub fn mark(&mut self) -> Result<()> {
        if self.lost {
            let error = io::Error::other("an earlier write could not be undone");
            return Err(self.failed(FileKind::Pages, error));
        }
        self.mark = self.end();
        self.ended.clear();
        Ok(())
    }

    /// Begins the next segment if a file of this one is full. It is called before the records
    /// of a visit, so that these stay together.
    pub fn rotate(&mut self, at: DateTime<Utc>) -> Result<()> {
        let events = self.events.len() as u64;
        let is_full = |open: &OpenFile| open.length + events >= self.full;
        if !self.files.is_empty() && !self.files.iter().any(is_full) {
            return Ok(());
        }
        self.begin(at)
    }

    fn begin(&mut self, at: DateTime<Utc>) -> Result<()> {
        self.sync()?;
        self.ended.push(self.end());
        self.segment += 1;
        self.files.clear();
        let mut files = Vec::new();
        // A segment exists only with its file of events, so this file is made first.
        for kind in FileKind::ALL.into_iter().rev() {
            let id = FileId::new(self.segment, kind);
            let begun = self.begin_file(id, at);
            files.push(begun.map_err(|error| self.failed(kind, error))?);
        }
        files.reverse();
        self.files = files;
        Ok(())
    }

    /// Begins a file and syncs its first record: a file without it counts as damaged.
    fn begin_file(&self, id: FileId, at: DateTime<Utc>) -> io::Result<OpenFile> {
        let mut file = self.disk.create(&self.folder.file(id))?;
        let info = first_record(id, at, &self.about).member();
        self.disk.append(&mut file, &info)?;
        self.disk.sync(&file)?;
        Ok(OpenFile {
            file,
            length: info.len() as u64,
            changed: false,
        })
    }

    /// Adds a record that is no event.
    pub fn record(&mut self, record: EncodedRecord) -> Result<StoredRecord> {
        let kind = match record.kind {
            Some(kind) if kind.is_page() || kind == RecordType::Request => FileKind::Pages,
            _ => FileKind::Texts,
        };
        Ok(StoredRecord {
            place: self.append(kind, &record.member)?,
            kind: record.kind,
            id: record.id,
            page: record.url,
            digest: record.digest,
            refers_to: None,
        })
    }

    /// Adds an event about the records added before it.
    pub fn event(&mut self, member: &[u8]) {
        self.events.extend_from_slice(member);
    }

    fn append(&mut self, kind: FileKind, member: &[u8]) -> Result<RecordPlace> {
        let written = self.write(kind, member);
        written.map_err(|error| self.failed(kind, error))
    }

    fn write(&mut self, kind: FileKind, member: &[u8]) -> io::Result<RecordPlace> {
        let open = &mut self.files[kind.nth()];
        let offset = open.length;
        self.disk.append(&mut open.file, member)?;
        open.length += member.len() as u64;
        open.changed = true;
        Ok(RecordPlace {
            file: FileId::new(self.segment, kind),
            offset,
            length: member.len() as u64,
        })
    }

    /// Makes the added records durable: pages and texts first, then the events about them.
    pub fn sync(&mut self) -> Result<()> {
        for kind in FileKind::ALL {
            if kind == FileKind::Events && !self.events.is_empty() {
                let events = std::mem::take(&mut self.events);
                self.append(kind, &events)?;
            }
            let Some(open) = self.files.get_mut(kind.nth()) else {
                continue;
            };
            if open.changed {
                let synced = self.disk.sync(&open.file);
                open.changed = false;
                synced.map_err(|error| self.failed(kind, error))?;
            }
        }
        Ok(())
    }

    /// Undoes all additions since the mark.
    pub fn undo(&mut self) -> Result<()> {
        self.events.clear();
        let undone = self.cut_to_mark();
        self.lost = undone.is_err();
        undone.map_err(|(kind, error)| self.failed(kind, error))
    }

    fn cut_to_mark(&mut self) -> std::result::Result<(), (FileKind, io::Error)> {
        let SegmentEnd { segment, lengths } = self.mark;
        let is_begun = self.segment > segment;
        if is_begun {
            self.files.clear();
        }
        while self.segment > segment {
            for file in FileId::of_segment(self.segment) {
                match fs::remove_file(self.folder.file(file)) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        return Err((file.kind(), error));
                    }
                    _ => {}
                }
            }
            self.segment -= 1;
        }
        if is_begun {
            self.reopen(self.mark)?;
        }
        for (kind, length) in FileKind::ALL.into_iter().zip(lengths.into_iter().flatten()) {
            let open = &mut self.files[kind.nth()];
            let cut = self.disk.cut(&mut open.file, length);
            cut.map_err(|error| (kind, error))?;
            open.length = length;
        }
        Ok(())
    }

    /// The end of the last segment, without the events that are not written yet.
    pub fn end(&self) -> SegmentEnd {
        let lengths: Vec<u64> = self.files.iter().map(|open| open.length).collect();
        SegmentEnd {
            segment: self.segment,
            lengths: lengths.try_into().ok(),
        }
    }

    /// The lengths of the files that were added to since the mark.
    pub fn lengths_since_mark(&self) -> Vec<(FileId, u64)> {
        let ends = self.ended.iter().copied().chain([self.end()]);
        let files = ends.flat_map(|SegmentEnd { segment, lengths }| {
            let files = FileId::of_segment(segment);
            files.into_iter().zip(lengths.into_iter().flatten())
        });
        files.collect()
    }

    /// Bytes from which a file is full.
    pub fn full_bytes(&self) -> u64 {
        self.full
    }

    fn failed(&self, kind: FileKind, source: io::Error) -> Error {
        ErrorKind::Write {
            path: self.folder.file(FileId::new(self.segment.max(1), kind)),
            source,
        }
        .into()
    }
}

/// The first record of a file. `about`: further fields.
pub fn first_record(file: FileId, at: DateTime<Utc>, about: &[(String, String)]) -> Record {
    let software = concat!("forest ", env!("CARGO_PKG_VERSION"));
    let fields = [("software", software), ("format", "WARC file version 1.1")];
    let about = about.iter().map(|(name, value)| (&**name, &**value));
    let fields: Vec<_> = fields.into_iter().chain(about).collect();
    Record::warcinfo(&file.to_string(), at, &fields)
}
