//! The records of an event, by their ids.

use super::super::event::{Event, EventRecord};
use super::super::files::{EventRecords, StoredRecord};
use super::super::sql::Sql;
use crate::error::Result;
use rusqlite::{Connection, params};

/// Notes the places of an event's records; of texts, only those of imports.
pub(super) fn note(db: &Connection, entry: &EventRecord, records: &EventRecords) -> Result<()> {
    let is_import = matches!(entry.event, Event::Imported { .. });
    let text = records.text.iter().filter(|_| is_import);
    for record in records.others.iter().chain(&records.raw).chain(text) {
        let StoredRecord { id, place, .. } = record;
        // Of two records with one id, which other programs may write, the first one counts.
        let sql = "INSERT OR IGNORE INTO records (id, file, place, length) VALUES (?1, ?2, ?3, ?4)";
        db.run(sql, params![id, place.file, place.offset, place.length])?;
    }
    Ok(())
}
