//! WARC files that are written anew.
//!
//! The new files are named `*.new` until all of them are on the disk. Then a mark is written
//! that they are whole, and they replace the old files. If the process is killed before the
//! mark, the old files stay, after it the new ones ([`settle`]). Then tables and index are
//! made again from the files.

use super::disk::{Disk, remove, rename, write_failed};
use super::event::EventRecord;
use super::files::{FileId, FileKind, Folder, NEW, RecordPlace, StoredRecord, last_segment};
use super::groups::{EventGroup, EventGroups, SegmentError};
use super::journal::first_record;
use super::paths;
use crate::error::{Error, Result};
use chrono::{DateTime, Utc};
use forest_sources::warc::Record;
use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;

/// The mark while new files replace the old ones.
pub(super) const MARK: &[u8] = b"forget\n";

/// The change to an event and its records.
pub(super) enum GroupChange {
    Same,
    Other(Box<EventGroup>),
    /// The same with another page of the same id, from which so many items of a feed are struck
    /// out.
    Struck(Box<EventGroup>, Box<Record>, u64),
    LeftOut,
}

/// A segment that is written anew.
pub(super) struct NewSegment<'a> {
    folder: &'a Folder,
    segment: u32,
    /// In the order of [`FileKind::ALL`].
    files: Vec<BufWriter<File>>,
}

impl<'a> NewSegment<'a> {
    /// Begins the files of a segment, with the first records of the old ones. `at`: the time
    /// at which the segment was begun, if no file has it.
    pub(super) fn begin(folder: &'a Folder, segment: u32, at: DateTime<Utc>) -> Result<Self> {
        let mut new = NewSegment {
            folder,
            segment,
            files: Vec::new(),
        };
        for file in FileId::of_segment(segment) {
            let path = folder.new_file(file);
            let created = File::create(&path).map_err(|source| write_failed(&path, source))?;
            new.files.push(BufWriter::new(created));
            // A copy of the archive is recognised by the first record of its pages.
            let old = first_of(folder, file);
            let member = old.unwrap_or_else(|| first_record(file, at, &[]).member());
            new.put(file.kind(), &member)?;
        }
        Ok(new)
    }

    fn put(&mut self, kind: FileKind, member: &[u8]) -> Result<()> {
        let put = self.files[kind.nth()].write_all(member);
        let path = || self.folder.new_file(FileId::new(self.segment, kind));
        put.map_err(|source| write_failed(&path(), source))
    }

    /// An unchanged record of an old file.
    fn copy(&mut self, kind: FileKind, place: RecordPlace) -> Result<()> {
        let member = self.folder.member(place)?;
        self.put(kind, &member)
    }

    /// The records of an event: the one that it names is the last.
    pub(super) fn pages(
        &mut self,
        pages: &[StoredRecord],
        named: Option<&StoredRecord>,
    ) -> Result<()> {
        self.pages_with(pages, named, None)
    }

    /// The same with another record in the place of the named one.
    fn pages_with(
        &mut self,
        pages: &[StoredRecord],
        named: Option<&StoredRecord>,
        instead: Option<&Record>,
    ) -> Result<()> {
        let is_named = |page: &&StoredRecord| named.is_some_and(|named| named.place == page.place);
        for page in pages.iter().filter(|page| !is_named(page)) {
            self.copy(FileKind::Pages, page.place)?;
        }
        match (instead, named) {
            (Some(record), _) => self.put(FileKind::Pages, &record.member()),
            (None, Some(named)) => self.copy(FileKind::Pages, named.place),
            (None, None) => Ok(()),
        }
    }

    /// An unchanged text of an old file; returns its id.
    pub(super) fn old_text(&mut self, text: &StoredRecord) -> Result<String> {
        self.copy(FileKind::Texts, text.place)?;
        Ok(text.id.clone())
    }

    /// A text; returns its id.
    pub(super) fn text(
        &mut self,
        at: DateTime<Utc>,
        text: &str,
        page: Option<(&str, &str)>,
    ) -> Result<String> {
        let record = Record::conversion(at, text, page);
        self.put(FileKind::Texts, &record.member())?;
        Ok(record.id().to_owned())
    }

    /// An event about the records before it. `about`: id and address of its page.
    pub(super) fn event(&mut self, entry: &EventRecord, about: (&str, &str)) -> Result<()> {
        self.put(FileKind::Events, &entry.record(Some(about)).member())
    }

    /// The unchanged records of an event; returns the id of its text.
    pub(super) fn records(&mut self, group: &EventGroup) -> Result<Option<String>> {
        self.records_with(group, None)
    }

    /// The same with another record in the place of its page.
    fn records_with(
        &mut self,
        group: &EventGroup,
        page: Option<&Record>,
    ) -> Result<Option<String>> {
        self.pages_with(&group.pages, group.page(), page)?;
        for other in &group.others {
            self.copy(FileKind::Texts, other.place)?;
        }
        let text = group.text.as_ref();
        text.map(|text| self.old_text(text)).transpose()
    }

    /// An unchanged event, with its records.
    pub(super) fn copy_group(&mut self, group: &EventGroup) -> Result<()> {
        self.records(group)?;
        self.copy(FileKind::Events, group.event.place)
    }

    /// An event that is written anew, with its unchanged records, or with another page of the
    /// same id.
    pub(super) fn put_group(&mut self, group: &EventGroup, page: Option<&Record>) -> Result<()> {
        let entry = EventRecord {
            text: self.records_with(group, page)?,
            ..group.entry.clone()
        };
        self.event(&entry, group.about())
    }

    /// Syncs the files.
    pub(super) fn finish(self) -> Result<[FileId; 3]> {
        let files = FileId::of_segment(self.segment);
        for (file, out) in files.into_iter().zip(self.files) {
            let path = self.folder.new_file(file);
            let failed = |source| write_failed(&path, source);
            let written = out.into_inner().map_err(|e| failed(e.into_error()))?;
            written.sync_all().map_err(failed)?;
        }
        Ok(files)
    }
}

/// The bytes of the first record of a file.
fn first_of(folder: &Folder, file: FileId) -> Option<Vec<u8>> {
    let first = folder.records(file, 0).ok()?.read().ok()??;
    folder.member(StoredRecord::of(&first, file).place).ok()
}

/// The counts of a rewriting.
#[derive(Debug, Default)]
pub(super) struct RewriteReport {
    /// The new files.
    pub files: Vec<FileId>,
    /// Records that were left out.
    pub removed: Vec<StoredRecord>,
    /// Items that were struck out of feeds.
    pub struck: u64,
}

/// Writes anew the segments with a change by `change`.
pub(super) fn rewrite(
    folder: &Folder,
    change: &mut dyn FnMut(&EventGroup) -> Result<GroupChange>,
) -> Result<RewriteReport> {
    let lengths = folder.lengths()?;
    let mut changed = RewriteReport::default();
    for number in 1..=last_segment(&lengths) {
        let stopped = |stop: SegmentError| stop.error(folder);
        let mut groups = EventGroups::new(folder, number, [0; 3]).map_err(stopped)?;
        let mut new = NewSegment::begin(folder, number, DateTime::UNIX_EPOCH)?;
        let mut is_changed = false;
        while let Some(group) = groups.next(folder).map_err(stopped)? {
            match change(&group)? {
                GroupChange::Same => {
                    new.copy_group(&group)?;
                    continue;
                }
                GroupChange::Other(other) => {
                    let is_gone =
                        |record: &&StoredRecord| other.all_records().all(|kept| kept != *record);
                    let gone = group.all_records().filter(is_gone);
                    changed.removed.extend(gone.cloned());
                    new.put_group(&other, None)?;
                }
                GroupChange::Struck(other, page, items) => {
                    changed.struck += items;
                    new.put_group(&other, Some(&page))?;
                }
                GroupChange::LeftOut => {
                    let all = group.all_records().chain([&group.event]);
                    changed.removed.extend(all.cloned());
                }
            }
            is_changed = true;
        }
        for file in new.finish()? {
            if is_changed {
                changed.files.push(file);
            } else {
                remove(&folder.new_file(file))?;
            }
        }
    }
    Ok(changed)
}

/// Replaces the old files by the new ones. The tables must be made again at once.
pub(super) fn swap(dir: &Path, folder: &Folder, disk: &Disk) -> Result<()> {
    let stale = paths::stale(dir);
    let marked = disk.replace(&stale, MARK);
    marked.map_err(|source| write_failed(&stale, source))?;
    put_in_place(folder)
}

/// Renames all new files.
pub(super) fn put_in_place(folder: &Folder) -> Result<()> {
    for file in folder.unfinished()? {
        rename(&folder.new_file(file), &folder.file(file))?;
    }
    Ok(())
}

/// Completes or undoes an interrupted rewriting: the new files replace the old ones if all
/// of them were whole, and are removed if not.
pub(super) fn settle(dir: &Path) -> Result<()> {
    let folder = Folder::of(dir);
    if matches!(fs::read(paths::stale(dir)), Ok(mark) if mark == MARK) {
        return put_in_place(&folder);
    }
    let entries = match fs::read_dir(folder.path()) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(|source| Error::read(folder.path(), source))?,
    };
    for entry in entries {
        let entry = entry.map_err(|source| Error::read(folder.path(), source))?;
        if entry.file_name().to_string_lossy().ends_with(NEW) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}
