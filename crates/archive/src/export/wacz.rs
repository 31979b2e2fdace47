//! The stored pages as a web archive in one file, with the articles as its list of pages.

use super::held::HeldPayloads;
use super::records::each_record;
use crate::error::{ErrorKind, Result};
use crate::files::{FileId, FileKind};
use crate::sql::place_of;
use crate::{ArchiveReader, Filter, RecordPlace};
use chrono::{DateTime, SecondsFormat, Utc};
use forest_html::address::site_of;
use forest_sources::warc::{Members, ReadRecord, Record, RecordType, WaczPage, WaczWriter};
use std::collections::HashSet;
use std::io::{self, Seek, Write};

/// The counts of a written file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WaczCounts {
    /// Responses, revisits and resources.
    pub records: usize,
    /// Articles in the list of pages.
    pub articles: usize,
    /// Of the records those whose payload another collection holds.
    pub held: usize,
}

/// Writes the stored pages as WACZ: those of the filter's site and time, and the earlier ones
/// that these refer to. The list of pages has the latest versions of the articles that the
/// filter selects, with their texts. Payloads that another collection holds are left out: their
/// records are revisits of those there, without which they cannot be replayed.
///
/// # Errors
///
/// If the archive cannot be read or `out` cannot be written.
pub fn wacz<W: Write + Seek>(
    reader: &ArchiveReader,
    filter: &Filter,
    held: Option<&HeldPayloads>,
    title: &str,
    out: W,
) -> Result<(W, WaczCounts)> {
    let chosen = if *filter == Filter::default() {
        None
    } else {
        Some(chosen(reader, filter)?)
    };
    let mut counts = WaczCounts::default();
    let mut writer = WaczWriter::new(out);
    let mut newest = String::new();
    let mut open = None;
    each_record(reader, &mut |file, record| {
        let is_chosen = match &chosen {
            None => true,
            Some(chosen) => chosen.takes(&record),
        };
        // A file begins with its `warcinfo` record.
        if !is_chosen && (record.kind != Some(RecordType::Warcinfo) || open == Some(file)) {
            return Ok(());
        }
        if open != Some(file) {
            let begun = writer.begin_archive(&file.to_string());
            begun.map_err(failed)?;
            open = Some(file);
        }
        counts.records += usize::from(is_page(&record));
        if record.date > newest {
            newest.clone_from(&record.date);
        }
        if let Some(revisit) = held.and_then(|held| held.revisit(&record)) {
            counts.held += usize::from(record.kind == Some(RecordType::Response));
            return put_own(&mut writer, &revisit).map_err(failed);
        }
        let member = reader.folder.member(place_in(file, &record))?;
        writer.record(&member, &record).map_err(failed)
    })?;
    each_other(reader, &mut |file, record| {
        if chosen.is_some() && !lets_through(filter, &record) {
            return Ok(());
        }
        if open != Some(file) {
            let name = file.to_string().replace(".wet", "");
            writer.begin_archive(&name).map_err(failed)?;
            open = Some(file);
        }
        let member = reader.folder.member(place_in(file, &record))?;
        writer.record(&member, &record).map_err(failed)
    })?;
    writer.begin_pages().map_err(failed)?;
    reader.each_latest(filter, &mut |article, version| {
        let record = version.record;
        let page = WaczPage {
            id: article.key,
            url: record.fetched_url.unwrap_or(article.url),
            ts: version.at.to_rfc3339_opts(SecondsFormat::Millis, true),
            title: record.title.unwrap_or_default(),
            text: record.text,
        };
        counts.articles += 1;
        writer.page(&page).map_err(failed)
    })?;
    let out = writer.finish(title, &newest).map_err(failed)?;
    Ok((out, counts))
}

/// Adds a record that the archive does not have.
fn put_own<W: Write + Seek>(writer: &mut WaczWriter<W>, record: &Record) -> io::Result<()> {
    let member = record.member();
    let read = Members::new(member.as_slice(), 0).read();
    let read = read.ok().flatten().expect("a record that was just written");
    writer.record(&member, &read)
}

fn place_in(file: FileId, record: &ReadRecord) -> RecordPlace {
    RecordPlace {
        file,
        offset: record.offset,
        length: record.length,
    }
}

/// Each record of imported archives that is no page.
fn each_other(
    reader: &ArchiveReader,
    take: &mut dyn FnMut(FileId, ReadRecord) -> Result<()>,
) -> Result<()> {
    let sql = "SELECT file, place, length FROM records ORDER BY file, place";
    let mut rows = reader.db.prepare(sql)?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        let place = place_of(row)?;
        if place.file.kind() == FileKind::Texts {
            let record = reader.folder.record(place)?;
            take(place.file, record)?;
        }
    }
    Ok(())
}

fn is_page(record: &ReadRecord) -> bool {
    record.kind.is_some_and(RecordType::is_page)
}

/// The records that a filter selects.
#[derive(Debug, Default)]
struct ChosenRecords {
    /// Ids of pages.
    pages: HashSet<String>,
    /// Addresses and dates of pages: they identify the requests.
    visits: HashSet<(String, String)>,
}

impl ChosenRecords {
    fn takes(&self, record: &ReadRecord) -> bool {
        let visit = || (record.url.clone(), record.date.clone());
        match record.kind {
            Some(RecordType::Request) => self.visits.contains(&visit()),
            _ => self.pages.contains(&record.id),
        }
    }
}

fn chosen(reader: &ArchiveReader, filter: &Filter) -> Result<ChosenRecords> {
    let mut chosen = ChosenRecords::default();
    each_record(reader, &mut |_, record| {
        if !is_page(&record) || !lets_through(filter, &record) {
            return Ok(());
        }
        chosen.pages.extend(record.refers_to);
        chosen.pages.insert(record.id);
        chosen.visits.insert((record.url, record.date));
        Ok(())
    })?;
    Ok(chosen)
}

fn lets_through(filter: &Filter, record: &ReadRecord) -> bool {
    let at = DateTime::parse_from_rfc3339(&record.date).map(|at| at.with_timezone(&Utc));
    let Ok(at) = at else { return false };
    let is_of_site = |site: &String| site_of(Some(record.page())).as_ref() == Some(site);
    filter.site.as_ref().is_none_or(is_of_site)
        && filter.since.is_none_or(|since| since <= at)
        && filter.until.is_none_or(|until| at < until)
}

fn failed(source: io::Error) -> crate::Error {
    ErrorKind::Export { source }.into()
}
