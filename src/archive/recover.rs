//! The tables after the WARC files: what is in the files and not in the tables yet is
//! done again, what was begun at the end of the last file and not finished is cut off.
//! From empty tables that is the whole archive.
//!
//! Only a torn end is cut: the last file ends within a record, or in a run of zeros as a
//! power cut leaves it, no whole record stands behind, and the tables never had more.
//! Anything else is damage, and nothing is written until somebody has decided
//! ([`super::salvage`]).

use super::apply::{Records, apply};
use super::event::{Entry, FORMAT};
use super::journal::{Folder, Place};
use super::salvage::next_whole;
use crate::error::{Error, Kind, Result};
use crate::warc::{Broken, Cause, Members, RecordType, Whole};
use rusqlite::{Connection, params};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Recovered {
    /// The last file with whole records and where these end; `None`: there is none.
    pub end: Option<(u32, u64)>,
    /// Events that were not in the tables.
    pub events: u64,
    /// Bytes behind the last whole event.
    pub cut: u64,
    /// A last file without a whole record, which is to be removed.
    pub empty: Option<u32>,
}

/// How long the files are at least, by their numbers.
pub(crate) type Lengths = BTreeMap<u32, u64>;

/// Brings the tables up to the files. `committed`: what other tables had of the files,
/// which these are to replace.
pub(crate) fn catch_up(
    db: &mut Connection,
    folder: &Folder,
    committed: &Lengths,
) -> Result<Recovered> {
    let lengths = folder.lengths()?;
    let known = known_lengths(db)?;
    let broken = |number, reason| -> Error {
        let path = folder.file(number);
        Kind::ArchiveBroken { path, reason }.into()
    };
    for (&number, &length) in known.iter().chain(committed) {
        match lengths.get(&number) {
            None if length > 0 => return Err(broken(number, "it is not there".to_owned())),
            Some(&there) if there < length => {
                let reason = format!("it has {there} bytes and had {length}");
                return Err(broken(number, reason));
            }
            _ => {}
        }
    }
    let mut found = Recovered::default();
    let last = lengths.keys().next_back().copied().unwrap_or(0);
    if let Some(missing) = (1..=last).find(|number| !lengths.contains_key(number)) {
        return Err(broken(missing, "it is not there".to_owned()));
    }
    for (&number, &length) in &lengths {
        let from = known.get(&number).copied().unwrap_or(0);
        let (mut end, mut stop) = (from, None);
        if length > from {
            (end, stop) = catch_up_file(db, folder, number, from, &mut found.events)?;
        }
        if end < length || length == 0 {
            let is_torn = match &stop {
                Some(stop) => is_torn(folder, number, stop)?,
                None => true,
            };
            let had = committed.get(&number).copied().unwrap_or(0);
            if number != last || !is_torn || end < had {
                let reason = match stop {
                    Some(Broken { offset, reason, .. }) => format!("at byte {offset}: {reason}"),
                    None => format!("it ends after byte {end} in the midst of something"),
                };
                return Err(broken(number, reason));
            }
            found.cut = length - end;
        }
        if end == 0 {
            found.empty = Some(number);
        } else {
            found.end = Some((number, end));
        }
    }
    Ok(found)
}

/// Bytes of zeros that no record has at its end.
const ZEROS: u64 = 512;

/// Whether a file ends in a record that was never written to its end.
pub(crate) fn is_torn(folder: &Folder, number: u32, stop: &Broken) -> Result<bool> {
    let path = folder.file(number);
    let failed = |source| Error::read(&path, source);
    let ends_short = match stop.cause {
        Cause::Unreadable => return Err(failed(io::Error::other(stop.reason.clone()))),
        Cause::Short => true,
        Cause::Damaged => ends_in_zeros(&path, stop.offset).map_err(failed)?,
    };
    Ok(ends_short
        && next_whole(&path, stop.offset + 1)
            .map_err(failed)?
            .is_none())
}

/// Whether a record begins at `offset` and goes over into zeros up to the file's end:
/// its length reached the disk, and its bytes did not.
fn ends_in_zeros(path: &std::path::Path, offset: u64) -> io::Result<bool> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    let (mut at, mut end) = (offset, offset);
    let mut buffer = [0; 1 << 16];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        if let Some(last) = buffer[..read].iter().rposition(|byte| *byte != 0) {
            end = at + last as u64 + 1;
        }
        at += read as u64;
    }
    if at - end < ZEROS {
        return Ok(false);
    }
    file.seek(SeekFrom::Start(offset))?;
    let mut begun = Members::new(BufReader::new(file.take(end - offset)), offset);
    Ok(match begun.read() {
        Ok(record) => record.is_none(),
        Err(broken) => broken.cause == Cause::Short,
    })
}

/// Up to where the files are in the tables.
pub(crate) fn known_lengths(db: &Connection) -> Result<Lengths> {
    let mut rows = db.prepare("SELECT number, length FROM files")?;
    let known = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(known.collect::<Result<_, _>>()?)
}

/// Events of one transaction: the tables of a large archive are made again in minutes.
const AT_ONCE: u64 = 2000;

/// The events of a file from `from` on; where the last whole one ends, and what is wrong
/// behind it.
fn catch_up_file(
    db: &mut Connection,
    folder: &Folder,
    number: u32,
    from: u64,
    events: &mut u64,
) -> Result<(u64, Option<Broken>)> {
    let mut members = folder.records(number, from)?;
    let mut group = Group::default();
    let mut end = from;
    let mut done = false;
    let mut stop = None;
    while !done {
        let tables = db.transaction()?;
        let mut taken = 0;
        while taken < AT_ONCE {
            let record = match members.read() {
                Ok(Some(record)) => record,
                ended => {
                    (done, stop) = (true, ended.err());
                    break;
                }
            };
            let place = Place {
                file: number,
                offset: record.offset,
                length: record.length,
            };
            let next = record.offset + record.length;
            match record.kind {
                Some(RecordType::Warcinfo) => end = next,
                Some(RecordType::Metadata) => {
                    let entry = entry_of(&record, folder, number)?;
                    apply(&tables, &entry, &group.of(&record))?;
                    *events += 1;
                    taken += 1;
                    end = next;
                }
                _ => group.add(record, place),
            }
        }
        let sql = "INSERT OR REPLACE INTO files (number, length) VALUES (?1, ?2)";
        if end > 0 {
            tables.execute(sql, params![number, end])?;
        }
        tables.commit()?;
    }
    Ok((end, stop))
}

/// The records before their event.
#[derive(Debug, Default)]
struct Group(Records);

impl Group {
    fn add(&mut self, record: Whole, place: Place) {
        match record.kind {
            Some(kind @ (RecordType::Response | RecordType::Resource | RecordType::Revisit)) => {
                self.0.raw = Some((kind.name(), record.id, place));
            }
            Some(RecordType::Conversion) => self.0.text = Some(place),
            _ => {}
        }
    }

    /// Those of this event. A page whose event was lost is nobody's.
    fn of(&mut self, event: &Whole) -> Records {
        let mut records = std::mem::take(&mut self.0);
        let about = event.refers_to.as_deref();
        records.raw = records.raw.filter(|(_, id, _)| about == Some(id.as_str()));
        records
    }
}

/// The event in a record.
pub(crate) fn entry_of(record: &Whole, folder: &Folder, number: u32) -> Result<Entry> {
    let broken = |reason: String| Kind::ArchiveBroken {
        path: folder.file(number),
        reason: format!("at byte {}: {reason}", record.offset),
    };
    let entry: Entry =
        serde_json::from_slice(&record.block).map_err(|error| broken(error.to_string()))?;
    match entry.format {
        FORMAT => Ok(entry),
        other => Err(broken(format!(
            "events of format {other}, which this version does not know"
        ))
        .into()),
    }
}
