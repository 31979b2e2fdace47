//! WARC files that are written anew, always as segments of three files.
//!
//! The new files stand beside the old ones, named `*.new`, until all of them are on the
//! disk. A mark then says that they are whole, and they take their places; a segment of
//! one file goes when its three are there. A process that is killed before the mark
//! leaves the old files, one that is killed after it the new ones ([`settle`]). Tables
//! and index are made again of what the files then hold.

use super::disk::Disk;
use super::event::{Entry, Event, FORMAT};
use super::files::{FileId, FileKind, Folder, NEW, Place, segments};
use super::groups::{Group, Groups, Header};
use super::journal::first_record;
use super::{Archive, paths, write_failed};
use crate::error::{Error, Result};
use crate::warc::{Record, Whole};
use chrono::{DateTime, Utc};
use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;

/// The mark while new files take their places.
pub(super) const MARK: &[u8] = b"forget\n";

/// The fate of an event and its records.
pub(super) enum Fate {
    Stays,
    Goes,
    /// The event becomes another one.
    Becomes(Box<Event>, Kept),
}

/// Whether the records of an event that becomes another one are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    Records,
    Nothing,
}

/// A segment that is written anew.
pub(super) struct NewSegment<'a> {
    folder: &'a Folder,
    segment: u32,
    /// In the order of [`FileKind::SPLIT`].
    files: Vec<BufWriter<File>>,
}

impl<'a> NewSegment<'a> {
    /// Begins the files of a segment, with the first records of the old ones. `at`: when
    /// the segment was begun, where no file says so.
    pub(super) fn begin(folder: &'a Folder, segment: u32, at: DateTime<Utc>) -> Result<Self> {
        let mut new = NewSegment {
            folder,
            segment,
            files: Vec::new(),
        };
        let mixed = first_of(folder, FileId::new(segment, FileKind::Mixed));
        let date = mixed.as_ref().and_then(|(first, _)| {
            let date = DateTime::parse_from_rfc3339(&first.date).ok()?;
            Some(date.to_utc())
        });
        for kind in FileKind::SPLIT {
            let file = FileId::new(segment, kind);
            let path = folder.new_file(file);
            let created = File::create(&path).map_err(|source| write_failed(&path, source))?;
            new.files.push(BufWriter::new(created));
            // A copy of the archive is known by the first record of its pages.
            let own = first_of(folder, file);
            let old = match kind {
                FileKind::Pages => own.or_else(|| mixed.clone()),
                _ => own,
            };
            let member = match old {
                Some((_, member)) => member,
                None => first_record(file, date.unwrap_or(at)).member(),
            };
            new.put(kind, &member)?;
        }
        Ok(new)
    }

    fn put(&mut self, kind: FileKind, member: &[u8]) -> Result<()> {
        let nth = FileKind::SPLIT.into_iter().position(|other| other == kind);
        let file = nth.and_then(|nth| self.files.get_mut(nth));
        let file = file.expect("one of the three files of a segment");
        let put = file.write_all(member);
        let path = || self.folder.new_file(FileId::new(self.segment, kind));
        put.map_err(|source| write_failed(&path(), source))
    }

    /// A record as it stands in an old file.
    fn copy(&mut self, kind: FileKind, place: Place) -> Result<()> {
        let member = self.folder.member(place)?;
        self.put(kind, &member)
    }

    /// The records of an event: the one that it names comes last.
    pub(super) fn pages(&mut self, pages: &[Header], named: Option<&Header>) -> Result<()> {
        let is_named = |page: &&Header| named.is_some_and(|named| named.place == page.place);
        let others = pages.iter().filter(|page| !is_named(page));
        for page in others.chain(named) {
            self.copy(FileKind::Pages, page.place)?;
        }
        Ok(())
    }

    /// A text as it stands in an old file; its id.
    pub(super) fn old_text(&mut self, text: &Header, page: Option<&Header>) -> Result<String> {
        if text.place.file.kind() == FileKind::Texts {
            self.copy(FileKind::Texts, text.place)?;
            return Ok(text.id.clone());
        }
        let record = self.folder.record(text.place)?;
        let at = DateTime::parse_from_rfc3339(&record.date);
        let at = at.map(|at| at.to_utc()).unwrap_or_default();
        let about = match page {
            Some(page) => (page.id.as_str(), page.page.as_str()),
            None => (
                record.refers_to.as_deref().unwrap_or_default(),
                record.page(),
            ),
        };
        self.text(at, &String::from_utf8_lossy(&record.block), Some(about))
    }

    /// A text; its id.
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

    /// An event about what was put before it.
    pub(super) fn event(&mut self, entry: &Entry, page: Option<(&str, &str)>) -> Result<()> {
        self.put(FileKind::Events, &entry.record(page).member())
    }

    /// An event with its records, as they stand in an old segment.
    pub(super) fn group(&mut self, group: Group) -> Result<()> {
        let page = group.page().cloned();
        self.pages(&group.pages, page.as_ref())?;
        let text = match &group.text {
            Some(text) => Some(self.old_text(text, page.as_ref())?),
            None => None,
        };
        if group.event.place.file.kind() == FileKind::Events {
            return self.copy(FileKind::Events, group.event.place);
        }
        let entry = Entry {
            text,
            ..group.entry
        };
        let about = about(page.as_ref(), &group.event);
        self.event(&entry, about)
    }

    /// The files on the disk.
    pub(super) fn finish(self) -> Result<Vec<FileId>> {
        let mut done = Vec::new();
        for (kind, out) in FileKind::SPLIT.into_iter().zip(self.files) {
            let file = FileId::new(self.segment, kind);
            let path = self.folder.new_file(file);
            let failed = |source| write_failed(&path, source);
            let written = out.into_inner().map_err(|e| failed(e.into_error()))?;
            written.sync_all().map_err(failed)?;
            done.push(file);
        }
        Ok(done)
    }
}

/// Id and address of the page that an event is about.
pub(super) fn about<'h>(page: Option<&'h Header>, event: &'h Header) -> Option<(&'h str, &'h str)> {
    match page {
        Some(page) => Some((page.id.as_str(), page.page.as_str())),
        None => Some(("", event.page.as_str())),
    }
}

/// The record that a file begins with, and its bytes.
fn first_of(folder: &Folder, file: FileId) -> Option<(Whole, Vec<u8>)> {
    let first = folder.records(file, 0).ok()?.read().ok()??;
    let place = Place {
        file,
        offset: first.offset,
        length: first.length,
    };
    let member = folder.member(place).ok()?;
    Some((first, member))
}

/// What was written anew.
#[derive(Debug, Default)]
pub(super) struct Changed {
    /// The new files.
    pub files: Vec<FileId>,
    /// Records that were left out.
    pub records: u64,
}

/// Writes the segments anew that change by `fate`. With `all_split`, segments of one
/// file change as well.
pub(super) fn rewrite(
    folder: &Folder,
    all_split: bool,
    fate: &mut dyn FnMut(&Group) -> Result<Fate>,
) -> Result<Changed> {
    let lengths = folder.lengths()?;
    let mut changed = Changed::default();
    for number in segments(&lengths) {
        let is_mixed = lengths.contains_key(&FileId::new(number, FileKind::Mixed));
        let mut groups = match is_mixed {
            true => Groups::mixed(folder, number, 0)?,
            false => {
                let groups = Groups::split(folder, number, [0; 3]);
                groups.map_err(|stop| stop.error(folder))?
            }
        };
        let mut new = NewSegment::begin(folder, number, DateTime::UNIX_EPOCH)?;
        let mut is_changed = is_mixed && all_split;
        while let Some(group) = groups.next(folder).map_err(|stop| stop.error(folder))? {
            let records = group.pages.len() as u64 + u64::from(group.text.is_some());
            match fate(&group)? {
                Fate::Stays => {
                    new.group(group)?;
                    continue;
                }
                Fate::Goes => changed.records += records + 1,
                Fate::Becomes(event, Kept::Nothing) => {
                    changed.records += records;
                    let entry = Entry {
                        format: FORMAT,
                        at: group.entry.at,
                        text: None,
                        event: *event,
                    };
                    new.event(&entry, about(None, &group.event))?;
                }
                Fate::Becomes(event, Kept::Records) => {
                    let page = group.page();
                    new.pages(&group.pages, page)?;
                    let text = match &group.text {
                        Some(text) => Some(new.old_text(text, page)?),
                        None => None,
                    };
                    let entry = Entry {
                        event: *event,
                        text,
                        ..group.entry.clone()
                    };
                    new.event(&entry, about(page, &group.event))?;
                }
            }
            is_changed = true;
        }
        let files = new.finish()?;
        match is_changed {
            true => changed.files.extend(files),
            false => {
                for file in files {
                    super::remove(&folder.new_file(file))?;
                }
            }
        }
    }
    Ok(changed)
}

impl Archive {
    /// Writes the segments of one file, which earlier versions of the program wrote, anew
    /// as segments of three, so that other programs find pages by their addresses and
    /// nothing else. How many segments were written.
    ///
    /// # Errors
    ///
    /// If a file is damaged, or cannot be read or written. Then the archive is as it was.
    pub fn rewrite(self) -> Result<(Archive, u64)> {
        let changed = rewrite(&self.folder, true, &mut |_| Ok(Fate::Stays))?;
        if changed.files.is_empty() {
            return Ok((self, 0));
        }
        let written = (changed.files.len() / FileKind::SPLIT.len()) as u64;
        swap(&self.dir, &self.folder, &self.disk)?;
        Ok((self.rebuild_anew()?, written))
    }
}

/// The new files take their places. Tables are to be made again at once.
pub(super) fn swap(dir: &Path, folder: &Folder, disk: &Disk) -> Result<()> {
    let stale = paths::stale(dir);
    let marked = disk.replace(&stale, MARK);
    marked.map_err(|source| write_failed(&stale, source))?;
    put_in_place(folder)
}

/// Renames all new files, and removes the segments of one file that have three now.
pub(super) fn put_in_place(folder: &Folder) -> Result<()> {
    for file in folder.unfinished()? {
        let path = folder.file(file);
        let renamed = fs::rename(folder.new_file(file), &path);
        renamed.map_err(|source| write_failed(&path, source))?;
    }
    let lengths = folder.lengths()?;
    for file in lengths.keys().filter(|file| file.kind() == FileKind::Mixed) {
        if lengths.contains_key(&FileId::new(file.segment(), FileKind::Events)) {
            super::remove(&folder.file(*file))?;
        }
    }
    Ok(())
}

/// Ends what was interrupted among the WARC files: new ones take their places if all of
/// them were whole, and are removed if not.
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
        let name = entry.file_name();
        // Earlier versions of the program named what they salvaged `*.part`.
        let ends = [NEW, ".part"];
        if ends.iter().any(|end| name.to_string_lossy().ends_with(end)) {
            super::remove(&entry.path())?;
        }
    }
    Ok(())
}
