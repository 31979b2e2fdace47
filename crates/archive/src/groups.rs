//! Events with the records that they are about, in the order in which they happened.
//!
//! An event names its page (`WARC-Refers-To`) and its text (`text` in its JSON) by their ids.
//! Both are in the order of their events. So the records in the file of pages up to an
//! event's page belong to that event.

use super::event::{EventRecord, FORMAT};
use super::files::{FileId, Folder, RecordPlace, StoredRecord};
use crate::error::{Error, Result};
use forest_sources::warc::{BreakCause, BrokenRecord, Members, ReadRecord, RecordType};
use std::fs::File;
use std::io::BufReader;

/// An event with its records.
#[derive(Debug, Clone)]
pub struct EventGroup {
    /// Requests, responses, resources and revisits, in the order of the file.
    pub pages: Vec<StoredRecord>,
    pub text: Option<StoredRecord>,
    /// The records of an import before `text`, in the same file.
    pub others: Vec<StoredRecord>,
    pub event: StoredRecord,
    pub entry: EventRecord,
}

impl EventGroup {
    /// The page that the event is about; of an event about records the last one of its file.
    pub fn page(&self) -> Option<&StoredRecord> {
        let id = self.event.refers_to.as_ref()?;
        let mut pages = self.pages.iter().rev();
        pages.find(|page| page.id == *id)
    }

    /// The group of an event about records with those that are kept; `None` without any.
    pub fn with_records(&self, keep: impl Fn(&StoredRecord) -> bool) -> Option<EventGroup> {
        let mut group = self.clone();
        group.pages.retain(&keep);
        group.others.extend(group.text.take());
        group.others.retain(&keep);
        let kept = group.pages.iter().chain(&group.others);
        let records: Vec<String> = kept.map(|record| record.id.clone()).collect();
        let is_empty = records.is_empty();
        group.text = group.others.pop();
        // The last record of each file is named.
        group.event.refers_to = group.pages.last().map(|record| record.id.clone());
        group.event.page.clear();
        group.entry.text = group.text.as_ref().map(|record| record.id.clone());
        group.entry.event = group.entry.event.with_listed(records);
        (!is_empty).then_some(group)
    }

    /// Its records without the event.
    pub fn all_records(&self) -> impl Iterator<Item = &StoredRecord> {
        self.pages.iter().chain(&self.others).chain(&self.text)
    }

    /// Id and address of that page; without one, the address that the event is about.
    pub fn about(&self) -> (&str, &str) {
        match self.page() {
            Some(page) => (&page.id, &page.page),
            None => ("", &self.event.page),
        }
    }
}

/// The reason why the events of a segment cannot be read further.
#[derive(Debug)]
pub enum SegmentError {
    /// A file cannot be read.
    Broken(FileId, BrokenRecord),
    /// A record that is not an event, or an event about a missing record.
    Failed(Error),
}

impl SegmentError {
    /// The error for a reader.
    pub fn error(self, folder: &Folder) -> Error {
        match self {
            SegmentError::Broken(file, broken) => {
                folder.broken(file, broken.offset, &broken.reason)
            }
            SegmentError::Failed(error) => error,
        }
    }
}

/// Reads the records of one file.
#[derive(Debug)]
pub struct Cursor {
    file: FileId,
    members: Members<BufReader<File>>,
    /// The end of the last record that was taken.
    pub end: u64,
}

impl Cursor {
    pub fn new(folder: &Folder, file: FileId, from: u64) -> Result<Cursor> {
        Ok(Cursor {
            file,
            members: folder.records(file, from)?,
            end: from,
        })
    }

    pub fn next(&mut self) -> Result<Option<ReadRecord>, SegmentError> {
        let read = self.members.read();
        read.map_err(|broken| SegmentError::Broken(self.file, broken))
    }

    /// Reads the first record of a file, if it is read from its beginning.
    fn pass_first(&mut self) -> Result<(), SegmentError> {
        if self.end > 0 {
            return Ok(());
        }
        let Some(first) = self.next()? else {
            let broken = BrokenRecord {
                offset: 0,
                reason: "it is empty".to_owned(),
                cause: BreakCause::Short,
            };
            return Err(SegmentError::Broken(self.file, broken));
        };
        self.end = first.offset + first.length;
        Ok(())
    }
}

/// The events of a segment, read from its files in the order of [`FileKind::ALL`].
///
/// [`FileKind::ALL`]: super::files::FileKind::ALL
#[derive(Debug)]
pub struct EventGroups([Cursor; 3]);

impl EventGroups {
    /// Reads a segment from these positions in its files.
    pub fn new(folder: &Folder, segment: u32, from: [u64; 3]) -> Result<EventGroups, SegmentError> {
        let files = FileId::of_segment(segment);
        let cursor = |nth: usize| {
            let cursor = Cursor::new(folder, files[nth], from[nth]);
            let mut cursor = cursor.map_err(SegmentError::Failed)?;
            cursor.pass_first()?;
            Ok(cursor)
        };
        Ok(EventGroups([cursor(0)?, cursor(1)?, cursor(2)?]))
    }

    /// The ends of the last event and its records, file by file.
    pub fn ends(&self) -> [(FileId, u64); 3] {
        self.0.each_ref().map(|cursor| (cursor.file, cursor.end))
    }

    /// The next event; `None` at the end.
    pub fn next(&mut self, folder: &Folder) -> Result<Option<EventGroup>, SegmentError> {
        let [pages, texts, events] = &mut self.0;
        while let Some(record) = events.next()? {
            let end = record.offset + record.length;
            if record.kind != Some(RecordType::Metadata) {
                events.end = end;
                continue;
            }
            let entry = entry_of(&record, folder, events.file).map_err(SegmentError::Failed)?;
            let event = StoredRecord::of(&record, events.file);
            let about = event.refers_to.as_deref();
            let pages = up_to(pages, about, (folder, &event))?;
            let mut others = up_to(texts, entry.text.as_deref(), (folder, &event))?;
            let text = others.pop();
            events.end = end;
            return Ok(Some(EventGroup {
                pages,
                text,
                others,
                event,
                entry,
            }));
        }
        Ok(None)
    }
}

/// The records up to the one with this id.
fn up_to(
    cursor: &mut Cursor,
    id: Option<&str>,
    (folder, event): (&Folder, &StoredRecord),
) -> Result<Vec<StoredRecord>, SegmentError> {
    let mut found = Vec::new();
    let Some(id) = id else {
        return Ok(found);
    };
    while let Some(record) = cursor.next()? {
        found.push(StoredRecord::of(&record, cursor.file));
        if record.id == id {
            cursor.end = record.offset + record.length;
            return Ok(found);
        }
    }
    let reason = format!("it is about the record {id}, which {} lacks", cursor.file);
    let RecordPlace { file, offset, .. } = event.place;
    Err(SegmentError::Failed(folder.broken(file, offset, &reason)))
}

/// The event in a record.
pub fn entry_of(record: &ReadRecord, folder: &Folder, file: FileId) -> Result<EventRecord> {
    let broken = |reason: &str| folder.broken(file, record.offset, reason);
    let entry: EventRecord =
        serde_json::from_slice(&record.block).map_err(|error| broken(&error.to_string()))?;
    match entry.format {
        FORMAT => Ok(entry),
        other => Err(broken(&format!(
            "events of format {other}, which this version does not know"
        ))),
    }
}
