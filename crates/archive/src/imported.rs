//! Records of other archives: which of them are here already.

use super::files::RecordPlace;
use super::handle::Archive;
use super::known::is_forgotten;
use super::sql::{Sql, place_of};
use crate::error::Result;
use forest_html::address::page_key;
use forest_sources::warc::ArchivedRecord;

/// The place of another archive's record in this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordState {
    /// It is not here.
    New,
    /// It is here, as it is there.
    Held,
    /// Its address was forgotten: it must not be stored.
    Forgotten,
}

impl Archive {
    /// Finds a record of another archive in this one. A record whose id another record has
    /// here gets an id of its own.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read.
    pub fn find_record(&self, record: &mut ArchivedRecord) -> Result<RecordState> {
        let addresses = record.about.iter().chain([&record.url]);
        for address in addresses.filter(|address| !address.is_empty()) {
            if is_forgotten(&self.db, &page_key(address))? {
                return Ok(RecordState::Forgotten);
            }
        }
        for _ in 0..2 {
            let Some(place) = self.place_of_record(&record.id)? else {
                return Ok(RecordState::New);
            };
            if record.is_stored_as(&self.folder.record(place)?) {
                return Ok(RecordState::Held);
            }
            record.set_own_id();
        }
        Ok(RecordState::New)
    }

    fn place_of_record(&self, id: &str) -> Result<Option<RecordPlace>> {
        let sql = "SELECT file, place, length FROM records WHERE id = ?1";
        self.db.first(sql, [id], place_of)
    }
}
