//! The salvage of damaged WARC files.
//!
//! A damaged file is kept under another name, and its segment is written anew (`rewrite`)
//! with all whole records. Records that belonged to a lost one are repaired. An event whose
//! text is lost gets the text that its page gives without a wrapper. Without the page it
//! becomes a failed visit, so that the page is requested again. A page and its text whose
//! event is lost get a new event, that of a page read without a wrapper. A missing file
//! counts as one that lost all its records.

use super::arrival;
use super::disk::write_failed;
use super::event::{Event, EventRecord, FORMAT, Visit, VisitOutcome};
use super::files::{DAMAGED, FileId, Folder, Lengths, StoredRecord, last_segment};
use super::groups::{Cursor, EventGroup, SegmentError, entry_of};
use super::handle::{Archive, ArchiveOptions, lock};
use super::joined::RawArticle;
use super::raw::RawPage;
use super::recover::is_damaged;
use super::rewrite::{NewSegment, settle, swap};
use super::scan::next_whole;
use crate::error::{Error, Result};
use chrono::{DateTime, Utc};
use forest_core::extract::{Options, Status};
use forest_html::address::site_of;
use forest_html::text::sha256_hex;
use forest_sources::warc::{BreakCause, ReadRecord, RecordType};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The counts of a salvage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SalvageReport {
    /// Damaged files, under their new names.
    pub damaged: Vec<PathBuf>,
    /// Missing files.
    pub missing: u64,
    /// Bytes of the damaged files outside of whole records.
    pub skipped: u64,
    /// Whole records that are of no use without the lost ones.
    pub left_out: u64,
    /// Texts that were made again from their pages.
    pub read_again: u64,
    /// Visits of which only the page and its text were left.
    pub revisited: u64,
}

impl Archive {
    /// Drops the damaged data of the WARC files, and makes the tables again from the rest.
    ///
    /// # Errors
    ///
    /// If another process writes to the archive, if the disk fails to read a file, or if a
    /// file cannot be written.
    pub fn salvage(
        dir: &Path,
        options: ArchiveOptions,
        at: DateTime<Utc>,
    ) -> Result<(Archive, SalvageReport)> {
        let lock = lock(dir)?;
        settle(dir)?;
        let folder = Folder::of(dir);
        let mut report = SalvageReport::default();
        let lengths = folder.lengths()?;
        let last = last_segment(&lengths);
        let mut changed = false;
        for number in 1..=last {
            if is_damaged(&folder, &lengths, number, number == last)? {
                salvage(&folder, &lengths, number, at, &mut report)?;
                changed = true;
            }
        }
        if changed {
            swap(dir, &folder, &options.disk)?;
        }
        let archive = Archive::remade(dir, options, lock, &Lengths::default())?;
        Ok((archive, report))
    }
}

/// Writes a segment anew with all whole records.
fn salvage(
    folder: &Folder,
    lengths: &Lengths,
    number: u32,
    at: DateTime<Utc>,
    report: &mut SalvageReport,
) -> Result<()> {
    let found = records_of_segment(folder, lengths, number, report)?;
    let mut new = NewSegment::begin(folder, number, at)?;
    for one in found {
        put(&mut new, folder, one, report)?;
    }
    new.finish()?;
    Ok(())
}

/// The whole ones of records that belong together.
#[derive(Debug, Default)]
struct WholeRecords {
    pages: Vec<StoredRecord>,
    text: Option<StoredRecord>,
    /// The records of an import before `text`.
    others: Vec<StoredRecord>,
    event: Option<StoredRecord>,
    /// True if a record of the group may be lost.
    hurt: bool,
}

/// The whole records of a file; true for those after a lost part.
fn whole_records(
    folder: &Folder,
    file: FileId,
    length: u64,
    report: &mut SalvageReport,
) -> Result<Vec<(StoredRecord, bool)>> {
    let path = folder.file(file);
    let mut cursor = Cursor::new(folder, file, 0)?;
    let (mut found, mut hurt) = (Vec::new(), false);
    loop {
        match cursor.next() {
            Ok(Some(record)) => {
                let header = StoredRecord::of(&record, file);
                found.push((header, std::mem::take(&mut hurt)));
            }
            Ok(None) => break,
            Err(SegmentError::Failed(error)) => return Err(error),
            Err(SegmentError::Broken(_, broken)) => {
                let failed = |source| Error::read(&path, source);
                if broken.cause == BreakCause::Unreadable {
                    return Err(failed(io::Error::other(broken.reason)));
                }
                let next = next_whole(&path, broken.offset + 1).map_err(failed)?;
                let next = next.unwrap_or(length);
                report.skipped += next - broken.offset;
                cursor = Cursor::new(folder, file, next)?;
                hurt = true;
            }
        }
    }
    // An empty file lacks its first record.
    if hurt || found.iter().any(|(_, hurt)| *hurt) || found.is_empty() {
        report.damaged.push(keep(&path)?);
    }
    Ok(found)
}

/// A text and its page, whose event is damaged.
fn without_event(pages: Vec<StoredRecord>, text: StoredRecord) -> WholeRecords {
    WholeRecords {
        pages,
        text: Some(text),
        others: Vec::new(),
        event: None,
        hurt: true,
    }
}

/// The whole records of a segment.
fn records_of_segment(
    folder: &Folder,
    lengths: &Lengths,
    number: u32,
    report: &mut SalvageReport,
) -> Result<Vec<WholeRecords>> {
    let [pages, texts, events] = FileId::of_segment(number);
    let mut records = |file| -> Result<(Vec<StoredRecord>, bool)> {
        let Some(&length) = lengths.get(&file) else {
            report.missing += 1;
            return Ok((Vec::new(), true));
        };
        let before = report.damaged.len();
        let records = whole_records(folder, file, length, report)?.into_iter();
        let records = records.map(|(record, _)| record);
        let is_first = |record: &StoredRecord| {
            record.kind == Some(RecordType::Warcinfo) && record.place.offset == 0
        };
        let others = records.filter(|record| !is_first(record));
        Ok((others.collect(), report.damaged.len() > before))
    };
    let (pages, _) = records(pages)?;
    let (texts, _) = records(texts)?;
    let (events, lacks_events) = records(events)?;
    let nths = pages.iter().enumerate();
    let nths: HashMap<&str, usize> = nths.map(|(nth, page)| (page.id.as_str(), nth)).collect();
    let mut texts: HashMap<String, StoredRecord> = texts
        .into_iter()
        .map(|text| (text.id.clone(), text))
        .collect();
    // Each with the position of its page among the pages: both have the same order.
    let mut all: Vec<(usize, WholeRecords)> = Vec::new();
    let mut with_event = HashSet::new();
    for event in events {
        let record = folder.record(event.place)?;
        let entry = entry_of(&record, folder, event.place.file)?;
        if let Some(records) = entry.event.listed_records() {
            let found = records.iter().filter_map(|id| nths.get(&**id).copied());
            let mut found: Vec<usize> = found.collect();
            found.sort_unstable();
            with_event.extend(&found);
            let others = records.iter().filter_map(|id| texts.remove(id));
            let mut others: Vec<StoredRecord> = others.collect();
            let last = all.last().map_or(0, |(nth, _)| *nth);
            let hurt = found.len() + others.len() < records.len();
            let nth = found.last().copied().unwrap_or(last);
            let records = WholeRecords {
                pages: found.iter().map(|nth| pages[*nth].clone()).collect(),
                text: others.pop(),
                others,
                event: Some(event),
                hurt,
            };
            all.push((nth, records));
            continue;
        }
        let named = event.refers_to.as_deref().map(|id| nths.get(id).copied());
        let text = entry.text.map(|id| texts.remove(&id));
        let hurt = named == Some(None) || matches!(text, Some(None));
        let last = all.last().map_or(0, |(nth, _)| *nth);
        let nth = named.flatten();
        with_event.extend(nth);
        let records = WholeRecords {
            pages: nth.map_or_else(Vec::new, |nth| with_requests(&pages, nth, &with_event)),
            text: text.flatten(),
            others: Vec::new(),
            event: Some(event),
            hurt,
        };
        all.push((nth.unwrap_or(last), records));
    }
    // Without damage, records without an event do not count.
    let texts = texts.into_values().filter(|_| lacks_events);
    all.extend(texts.filter_map(|text| {
        let nth = *nths.get(text.refers_to.as_deref()?)?;
        let of_text = || with_requests(&pages, nth, &with_event);
        (!with_event.contains(&nth)).then(|| (nth, without_event(of_text(), text)))
    }));
    let used: usize = all.iter().map(|(_, records)| records.pages.len()).sum();
    report.left_out += (pages.len() - used) as u64;
    all.sort_by_key(|(nth, records)| (*nth, records.event.is_some()));
    Ok(all.into_iter().map(|(_, records)| records).collect())
}

/// A page and the requests right before it that no event has.
fn with_requests(
    pages: &[StoredRecord],
    nth: usize,
    with_event: &HashSet<usize>,
) -> Vec<StoredRecord> {
    let is_other = |nth: &usize| pages[*nth].is_page() || with_event.contains(nth);
    let first = (0..nth).rev().find(is_other).map_or(0, |other| other + 1);
    pages[first..=nth].to_vec()
}

/// Writes records that belong together, with replacements for the lost ones.
fn put(
    new: &mut NewSegment<'_>,
    folder: &Folder,
    found: WholeRecords,
    report: &mut SalvageReport,
) -> Result<()> {
    let WholeRecords {
        pages,
        text,
        others,
        event,
        hurt,
    } = found;
    let Some(event) = event else {
        return put_without_event(new, folder, &pages, text, report);
    };
    let record = folder.record(event.place)?;
    let group = EventGroup {
        entry: entry_of(&record, folder, event.place.file)?,
        pages,
        text,
        others,
        event,
    };
    if hurt && group.entry.event.listed_records().is_some() {
        match group.with_records(|_| true) {
            Some(rest) => new.put_group(&rest, None),
            None => Ok(()),
        }
    } else if hurt {
        mend(new, folder, &group, report)
    } else {
        new.copy_group(&group)
    }
}

/// A page and its text whose event is lost.
fn put_without_event(
    new: &mut NewSegment<'_>,
    folder: &Folder,
    pages: &[StoredRecord],
    text: Option<StoredRecord>,
    report: &mut SalvageReport,
) -> Result<()> {
    let page = text.as_ref().and_then(|text| {
        let of = text.refers_to.as_deref()?;
        pages.iter().find(|page| page.is_page() && page.id == of)
    });
    if let (Some(text), Some(page)) = (&text, page)
        && let Some(entry) = entry_of_page(folder, page, text)?
    {
        new.pages(pages, Some(page))?;
        let id = new.old_text(text)?;
        let text = Some(id);
        report.revisited += 1;
        return new.event(&EventRecord { text, ..entry }, (&page.id, &page.page));
    }
    report.left_out += pages.len() as u64 + u64::from(text.is_some());
    Ok(())
}

/// Writes an event some of whose records are lost.
fn mend(
    new: &mut NewSegment<'_>,
    folder: &Folder,
    group: &EventGroup,
    report: &mut SalvageReport,
) -> Result<()> {
    let mut text = new.records(group)?;
    let at = group.entry.at;
    let event = match group.entry.event.clone() {
        Event::Reextracted { .. }
        | Event::Settled {
            reading: Some(_), ..
        } if text.is_none() => {
            // The version keeps its former reading, and the doubt stays one.
            report.left_out += 1;
            return Ok(());
        }
        Event::Page(mut visit) => {
            let page = group.page();
            if page.is_none() && group.event.refers_to.is_some() {
                // The next visit must not be conditional.
                (visit.etag, visit.last_modified) = (None, None);
            }
            if matches!(visit.outcome, VisitOutcome::Version(_)) && text.is_none() {
                let record = page.map(|page| folder.record(page.place)).transpose()?;
                let again = record.and_then(|record| read_again(&mut visit, at, &record, None));
                match again {
                    Some(again) => {
                        text = Some(new.text(at, &again, Some(group.about()))?);
                        report.read_again += 1;
                    }
                    None => lost(&mut visit),
                }
            }
            Event::Page(visit)
        }
        event => event,
    };
    let entry = EventRecord {
        format: FORMAT,
        at,
        text,
        event,
    };
    new.event(&entry, group.about())
}

/// Reads a page without a wrapper, for its visit; returns its text, or `known` if that is
/// given.
fn read_again(
    visit: &mut Visit,
    at: DateTime<Utc>,
    record: &ReadRecord,
    known: Option<String>,
) -> Option<String> {
    let holds_page = matches!(
        record.kind,
        Some(RecordType::Resource | RecordType::Response)
    );
    let body = record.page_bytes().filter(|_| holds_page)?.into_owned();
    let url = visit.address().to_owned();
    let first = RawPage {
        url: url.clone(),
        at,
        content_type: visit.content_type.clone(),
        body,
    };
    let parts = Vec::new();
    let mut joined = RawArticle { first, parts }.read(None, &Options::default());
    if let Some(text) = known {
        (joined.article.text, joined.article.status) = (text, Status::Fallback);
    }
    let (_, read) = arrival::read(joined, &visit.url, &url, None);
    let (reading, text) = read?;
    visit.status = reading.record.status;
    visit.outcome = VisitOutcome::Version(Box::new(reading));
    Some(text)
}

/// The event of a page whose text is there.
fn entry_of_page(
    folder: &Folder,
    page: &StoredRecord,
    text: &StoredRecord,
) -> Result<Option<EventRecord>> {
    let text_url = text.page.clone();
    let (raw, stored) = (folder.record(page.place)?, folder.record(text.place)?);
    let (http_status, content_type) = match (raw.kind, raw.answer()) {
        (Some(RecordType::Resource), _) => (None, None),
        (Some(RecordType::Response), Some((status, content_type, _))) => {
            (Some(status), content_type)
        }
        _ => return Ok(None),
    };
    let (at, body) = (raw.at(), raw.page_bytes());
    let (Some(at), Some(body), Ok(known)) = (at, body, String::from_utf8(stored.block)) else {
        return Ok(None);
    };
    let mut visit = Visit {
        final_url: Some(raw.url.clone()).filter(|url| *url != text_url),
        url: text_url,
        site: site_of(Some(&raw.url)).unwrap_or_default(),
        http_status,
        sha256: Some(sha256_hex(&body)),
        content_type,
        status: Status::Fallback,
        ..Visit::default()
    };
    if read_again(&mut visit, at, &raw, Some(known)).is_none() {
        return Ok(None);
    }
    Ok(Some(EventRecord {
        format: FORMAT,
        at,
        text: None,
        event: Event::Page(Box::new(visit)),
    }))
}

/// Removes the page and the article from a visit.
fn lost(visit: &mut Visit) {
    visit.outcome = VisitOutcome::Nothing;
    visit.status = Status::Error;
    visit.error = Some("what it brought was damaged in the archive".to_owned());
    visit.sha256 = None;
    (visit.etag, visit.last_modified) = (None, None);
}

/// Keeps a damaged file under a unique name.
fn keep(path: &Path) -> Result<PathBuf> {
    let names = (1..).map(|n| {
        let mut name = path.as_os_str().to_owned();
        name.push(DAMAGED);
        if n > 1 {
            name.push(format!("-{n}"));
        }
        PathBuf::from(name)
    });
    let mut free = names.skip_while(|name: &PathBuf| name.exists());
    let kept = free
        .next()
        .unwrap_or_else(|| path.with_extension("damaged"));
    fs::hard_link(path, &kept)
        .or_else(|_| fs::copy(path, &kept).map(|_| ()))
        .map_err(|source| write_failed(&kept, source))?;
    Ok(kept)
}
