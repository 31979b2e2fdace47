//! The tables after the WARC files: what is in the files and not in the tables yet is
//! done again, what was begun at the end of the last file and not finished is cut off.
//! From empty tables that is the whole archive.

use super::apply::{Records, apply};
use super::event::{Entry, FORMAT};
use super::journal::{Folder, Place};
use crate::error::{Kind, Result};
use crate::warc::{RecordType, Whole};
use rusqlite::{Connection, params};
use std::collections::BTreeMap;

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

/// Brings the tables up to the files.
pub(crate) fn catch_up(db: &mut Connection, folder: &Folder) -> Result<Recovered> {
    let lengths = folder.lengths()?;
    let known = known_lengths(db)?;
    let mut found = Recovered::default();
    let last = lengths.keys().next_back().copied();
    for (&number, &length) in &known {
        let there = lengths.get(&number).copied().unwrap_or(0);
        if there < length {
            let path = folder.file(number);
            let reason = format!("it has {there} bytes and had {length}");
            return Err(Kind::ArchiveBroken { path, reason }.into());
        }
    }
    for (&number, &length) in &lengths {
        let from = known.get(&number).copied().unwrap_or(0);
        let mut end = from;
        if length > from {
            end = catch_up_file(db, folder, number, from, &mut found.events)?;
        }
        if end < length {
            if Some(number) != last {
                let path = folder.file(number);
                let reason = format!("it is damaged at byte {end}, and others follow it");
                return Err(Kind::ArchiveBroken { path, reason }.into());
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

fn known_lengths(db: &Connection) -> Result<BTreeMap<u32, u64>> {
    let mut rows = db.prepare("SELECT number, length FROM files")?;
    let known = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(known.collect::<Result<_, _>>()?)
}

/// Events of one transaction: the tables of a large archive are made again in minutes.
const AT_ONCE: u64 = 2000;

/// The events of a file from `from` on; where the last whole one ends.
fn catch_up_file(
    db: &mut Connection,
    folder: &Folder,
    number: u32,
    from: u64,
    events: &mut u64,
) -> Result<u64> {
    let mut members = folder.records(number, from)?;
    let mut group = Group::default();
    let mut end = from;
    let mut done = false;
    while !done {
        let tables = db.transaction()?;
        let mut taken = 0;
        while taken < AT_ONCE {
            let Ok(Some(record)) = members.read() else {
                done = true;
                break;
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
                    apply(&tables, &entry, &std::mem::take(&mut group).0)?;
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
    Ok(end)
}

/// The records before their event.
#[derive(Debug, Default)]
pub(crate) struct Group(pub(crate) Records);

impl Group {
    pub(crate) fn add(&mut self, record: Whole, place: Place) {
        match record.kind {
            Some(kind @ (RecordType::Response | RecordType::Resource | RecordType::Revisit)) => {
                self.0.raw = Some((kind.name(), record.id, place));
            }
            Some(RecordType::Conversion) => self.0.text = Some(place),
            _ => {}
        }
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
