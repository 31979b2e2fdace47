//! Brings the tables up to the WARC files. Events that are not in the tables yet are
//! replayed; an unfinished write at the end of the last segment is cut off. From empty
//! tables the whole archive is replayed.
//!
//! An event is written after its records are on the disk. So pages and texts behind those of
//! the last event do not count. They are cut off, together with a torn end of the events:
//! that file ends within a record, or in the zeros of a power cut. No whole record follows,
//! and the tables never had more. Anything else is damage, and nothing is written until a
//! person has decided ([`super::salvage`]).

use super::apply::apply;
use super::files::{EventRecords, FileId, FileKind, Folder, Lengths, last_segment};
use super::groups::{EventGroup, EventGroups, SegmentError};
use super::journal::SegmentEnd;
use super::latest;
use super::lengths::{known_lengths, set_length};
use super::revisit::RevisitRule;
use super::scan::is_torn;
use crate::error::Result;
use forest_sources::warc::BreakCause;
use rusqlite::Connection;

/// The state of the files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovered {
    /// The end of the last segment.
    pub end: SegmentEnd,
    /// Events that were not in the tables.
    pub events: u64,
    /// Files that must be cut off, and their new lengths.
    pub torn: Lengths,
    /// The number of bytes that are cut off.
    pub cut: u64,
    /// Files of a last segment that was begun and is empty: they must be removed, in this
    /// order.
    pub empty: Vec<FileId>,
}

/// Brings the tables up to the files. `committed`: the lengths of the files in the tables
/// that these will replace.
pub fn catch_up(
    db: &mut Connection,
    folder: &Folder,
    committed: &Lengths,
    revisit: RevisitRule,
) -> Result<Recovered> {
    let lengths = folder.lengths()?;
    let known = known_lengths(db)?;
    for (&file, &length) in known.iter().chain(committed) {
        match lengths.get(&file) {
            None if length > 0 => return Err(folder.missing(file)),
            Some(&present) if present < length => {
                let reason = format!("it has {present} bytes and had {length}");
                return Err(folder.damage(file, reason));
            }
            _ => {}
        }
    }
    let mut take = |groups: &[EventGroup], ends: &[(FileId, u64)]| -> Result<()> {
        let tables = db.transaction()?;
        for group in groups {
            apply(&tables, revisit, &group.entry, &records_of(group))?;
        }
        for &(file, end) in ends.iter().filter(|(_, end)| *end > 0) {
            set_length(&tables, file, end)?;
        }
        Ok(tables.commit()?)
    };
    let mut pass = CatchUp {
        folder,
        lengths: &lengths,
        known: &known,
        committed,
        take: &mut take,
        found: Recovered::default(),
    };
    let last = last_segment(&lengths);
    for number in 1..=last {
        pass.segment(number, number == last)?;
    }
    let found = pass.found;
    if found.events > 0 {
        let tables = db.transaction()?;
        latest::catch_up(&tables, folder)?;
        tables.commit()?;
    }
    Ok(found)
}

/// Returns true if a segment is damaged, and not only torn at its end.
pub fn is_damaged(folder: &Folder, lengths: &Lengths, number: u32, is_last: bool) -> Result<bool> {
    let mut pass = CatchUp {
        folder,
        lengths,
        known: &Lengths::new(),
        committed: &Lengths::new(),
        take: &mut |_, _| Ok(()),
        found: Recovered::default(),
    };
    match pass.segment(number, is_last) {
        Err(error) if error.is_archive_broken() => Ok(true),
        read => read.map(|()| false),
    }
}

/// Receives a batch of events, and the positions in the files.
type EventSink<'a> = dyn FnMut(&[EventGroup], &[(FileId, u64)]) -> Result<()> + 'a;

/// One pass over the segments.
struct CatchUp<'a> {
    folder: &'a Folder,
    lengths: &'a Lengths,
    known: &'a Lengths,
    committed: &'a Lengths,
    take: &'a mut EventSink<'a>,
    found: Recovered,
}

impl CatchUp<'_> {
    fn length(&self, file: FileId) -> u64 {
        self.lengths.get(&file).copied().unwrap_or(0)
    }

    fn known(&self, file: FileId) -> u64 {
        self.known.get(&file).copied().unwrap_or(0)
    }

    fn segment(&mut self, number: u32, is_last: bool) -> Result<()> {
        let files = FileId::of_segment(number);
        let mut ends = files.map(|file| (file, self.known(file)));
        if is_last && self.is_begun_only(files)? {
            self.found.cut += files.iter().map(|file| self.length(*file)).sum::<u64>();
            self.found.empty = files.to_vec();
            return Ok(());
        }
        if let Some(missing) = files.iter().find(|file| !self.lengths.contains_key(file)) {
            return Err(self.folder.missing(*missing));
        }
        let mut stop = None;
        if ends.iter().any(|(file, end)| self.length(*file) > *end) {
            let from = files.map(|file| self.known(file));
            let groups = EventGroups::new(self.folder, number, from);
            let mut groups = groups.map_err(|stop| stop.error(self.folder))?;
            stop = self.read(&mut groups)?;
            ends = groups.ends();
        }
        self.end(&ends, stop, is_last)?;
        self.found.end = SegmentEnd {
            segment: number,
            lengths: Some(ends.map(|(_, end)| end)),
        };
        Ok(())
    }

    /// Returns true if a segment was interrupted while its files were begun. The file of the
    /// pages is the last one: it lacks its first record.
    fn is_begun_only(&self, [pages, texts, events]: [FileId; 3]) -> Result<bool> {
        let is_known = |file: FileId| {
            let had = self.committed.get(&file).copied().unwrap_or(0);
            self.known(file).max(had) > 0
        };
        if [pages, texts, events].into_iter().any(is_known) {
            return Ok(false);
        }
        if !self.lengths.contains_key(&pages) {
            let small = |file: FileId| -> Result<bool> {
                if !self.lengths.contains_key(&file) {
                    return Ok(true);
                }
                let mut records = self.folder.records(file, 0)?;
                Ok(!matches!(records.read(), Ok(Some(_))) || matches!(records.read(), Ok(None)))
            };
            return Ok(small(texts)? && small(events)?);
        }
        let mut records = self.folder.records(pages, 0)?;
        Ok(match records.read() {
            Ok(first) => first.is_none(),
            Err(stop) => {
                stop.cause != BreakCause::Unreadable && is_torn(self.folder, pages, &stop)?
            }
        })
    }

    /// Reads the events of a segment; returns the reason if it cannot be read to its end.
    fn read(&mut self, groups: &mut EventGroups) -> Result<Option<SegmentError>> {
        loop {
            let mut some = Vec::new();
            let mut ended = None;
            while some.len() < AT_ONCE && ended.is_none() {
                match groups.next(self.folder) {
                    Ok(Some(group)) => some.push(group),
                    Ok(None) => ended = Some(None),
                    Err(stop) => ended = Some(Some(stop)),
                }
            }
            self.found.events += some.len() as u64;
            (self.take)(&some, &groups.ends())?;
            if let Some(stop) = ended {
                return Ok(stop);
            }
        }
    }

    /// Marks the bytes behind the last event to be cut off, or reports them as damage.
    fn end(
        &mut self,
        ends: &[(FileId, u64)],
        stop: Option<SegmentError>,
        is_last: bool,
    ) -> Result<()> {
        let broken = match stop {
            None => None,
            Some(SegmentError::Broken(file, broken)) if file.kind() == FileKind::Events => {
                let is_torn = is_last && is_torn(self.folder, file, &broken)?;
                (!is_torn).then(|| self.folder.broken(file, broken.offset, &broken.reason))
            }
            Some(stop) => Some(stop.error(self.folder)),
        };
        if let Some(broken) = broken {
            return Err(broken);
        }
        for &(file, end) in ends {
            let length = self.length(file);
            if end == length && length > 0 {
                continue;
            }
            let had = self.committed.get(&file).copied().unwrap_or(0);
            if !is_last || end < had {
                let reason = format!("it ends after byte {end} in the midst of something");
                return Err(self.folder.damage(file, reason));
            }
            self.found.torn.insert(file, end);
            self.found.cut += length - end;
        }
        Ok(())
    }
}

/// Events of one transaction: so the tables of a large archive are made again in minutes.
const AT_ONCE: usize = 2000;

/// The records of an event. A page whose event was lost belongs to no event.
fn records_of(group: &EventGroup) -> EventRecords {
    let raw = group.page().cloned();
    let pages = group.pages.iter().filter(|page| raw.as_ref() != Some(page));
    EventRecords {
        others: pages.chain(&group.others).cloned().collect(),
        text: group.text.clone(),
        raw,
    }
}
