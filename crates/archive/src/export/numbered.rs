//! The contents of entries that are asked for by their numbers.

use super::super::{ArchiveReader, NumberedEntry};
use super::whole::EntryMaker;
use crate::error::Result;
use forest_core::feed::ItemRules;
use forest_core::feed::write::FeedEntry;

/// Makes entries as the feeds of an archive have them; keeps the wrappers that it has used.
pub struct EntryRenderer<'a> {
    archive: &'a ArchiveReader,
    maker: EntryMaker<'a>,
}

impl<'a> EntryRenderer<'a> {
    /// Of an archive.
    pub fn new(archive: &'a ArchiveReader) -> EntryRenderer<'a> {
        let maker = EntryMaker::of(archive);
        EntryRenderer { archive, maker }
    }

    /// An entry with its whole article, or with the feed's own text if that says more; `None` if it
    /// is not there any more.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read.
    pub fn read(&mut self, entry: &NumberedEntry) -> Result<Option<FeedEntry>> {
        let Some(row) = self.archive.numbered_item(entry.number)? else {
            return Ok(None);
        };
        let item = self.maker.item_of_row(&row)?;
        let page = match row.page {
            Some(page) => self.archive.page(page)?,
            None => None,
        };
        let rules = ItemRules::default();
        let made = self
            .maker
            .of_item(&item, page.as_ref(), &rules, entry.dated)?;
        Ok(made.map(|made| FeedEntry {
            number: Some(entry.number),
            ..made
        }))
    }
}
