//! What can be read of damaged WARC files.
//!
//! A damaged file is kept under another name, and all of its records that are whole are
//! written anew in its place. What belonged to a lost record is put right: an event whose
//! text is lost gets the one that its page gives without a wrapper, and without the page
//! it tells of a visit that failed, so that the page is asked for again. A page and its
//! text whose event is lost get another, that of a page that was read without a wrapper.
//! A file that is not there at all becomes an empty one.

use super::event::{Entry, Event, FORMAT, Outcome, Visit};
use super::joined::RawArticle;
use super::journal::{DAMAGED, Folder};
use super::read::RawPage;
use super::recover::{Lengths, entry_of, is_torn};
use super::{Archive, ArchiveOptions, arrival, lock, write_failed};
use crate::error::{Error, Result};
use crate::extract::{Options, Status};
use crate::learn::site_of;
use crate::warc::{Cause, Members, Record, RecordType, Whole, hex};
use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What was salvaged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Salvaged {
    /// Files that were damaged, as they are kept.
    pub damaged: Vec<PathBuf>,
    /// Files that were not there.
    pub missing: u64,
    /// Bytes of the damaged files that no record could be made of.
    pub skipped: u64,
    /// Records that are whole and of no use without those that are not.
    pub left_out: u64,
    /// Texts that were made again of their pages.
    pub read_again: u64,
    /// Visits of which there were the page and its text only.
    pub revisited: u64,
}

impl Archive {
    /// Goes on without what is damaged in the WARC files, and makes the tables again of
    /// the rest.
    ///
    /// # Errors
    ///
    /// If another process writes to the archive, if a file cannot be read by the disk's
    /// own fault, or if one cannot be written.
    pub fn salvage(
        dir: &Path,
        options: ArchiveOptions,
        at: DateTime<Utc>,
    ) -> Result<(Archive, Salvaged)> {
        let lock = lock(dir)?;
        super::settle(dir)?;
        let folder = Folder::of(dir);
        let mut done = Salvaged::default();
        let lengths = folder.lengths()?;
        let last = lengths.keys().next_back().copied().unwrap_or(0);
        for number in 1..=last {
            let path = folder.file(number);
            let Some(length) = lengths.get(&number).filter(|length| **length > 0) else {
                if number < last {
                    let put = options.disk.replace(&path, &info(number, at));
                    put.map_err(|source| write_failed(&path, source))?;
                    done.missing += 1;
                }
                continue;
            };
            if is_damaged(&folder, number, number == last)? {
                Salvage::new(&folder, number, *length)?.run(&mut done)?;
            }
        }
        let archive = Archive::remade(dir, options, lock, &Lengths::default())?;
        Ok((archive, done))
    }
}

/// The first record of a file.
fn info(number: u32, at: DateTime<Utc>) -> Vec<u8> {
    let fields = [("description", "in place of a file that was lost")];
    Record::warcinfo(&Folder::name(number), at, &fields).member()
}

fn is_damaged(folder: &Folder, number: u32, is_last: bool) -> Result<bool> {
    let mut members = folder.records(number, 0)?;
    let mut has_event = true;
    loop {
        match members.read() {
            Ok(Some(record)) => {
                let kind = record.kind;
                has_event = matches!(kind, Some(RecordType::Warcinfo | RecordType::Metadata));
            }
            Ok(None) => return Ok(!is_last && !has_event),
            Err(stop) => return Ok(!(is_torn(folder, number, &stop)? && is_last)),
        }
    }
}

/// A file that is written anew.
struct Salvage<'a> {
    folder: &'a Folder,
    number: u32,
    length: u64,
    old: File,
    new: PathBuf,
    out: BufWriter<File>,
    /// The records that wait for their event.
    waiting: Vec<Whole>,
    /// Something is lost since the last event.
    hurt: bool,
}

impl Salvage<'_> {
    fn new(folder: &Folder, number: u32, length: u64) -> Result<Salvage<'_>> {
        let path = folder.file(number);
        let new = with_end(&path, ".part");
        Ok(Salvage {
            folder,
            number,
            length,
            old: File::open(&path).map_err(|source| Error::read(&path, source))?,
            out: BufWriter::new(File::create(&new).map_err(|e| write_failed(&new, e))?),
            new,
            waiting: Vec::new(),
            hurt: false,
        })
    }

    fn run(mut self, done: &mut Salvaged) -> Result<()> {
        let path = self.folder.file(self.number);
        let mut members = self.folder.records(self.number, 0)?;
        loop {
            match members.read() {
                Ok(Some(record)) => self.record(record, done)?,
                Ok(None) => break,
                Err(broken) => {
                    let failed = |source| Error::read(&path, source);
                    if broken.cause == Cause::Unreadable {
                        return Err(failed(io::Error::other(broken.reason)));
                    }
                    let next = next_whole(&path, broken.offset + 1).map_err(failed)?;
                    let next = next.unwrap_or(self.length);
                    done.skipped += next - broken.offset;
                    members = self.folder.records(self.number, next)?;
                    self.hurt = true;
                    // A text stands right before its event: this one's is lost.
                    match visit_of(&self.waiting) {
                        Some(event) => {
                            self.copy_waiting()?;
                            self.put(&event)?;
                            done.revisited += 1;
                        }
                        None => self.leave_out(done, |kind| kind == RecordType::Conversion),
                    }
                }
            }
        }
        self.leave_out(done, |_| true);
        let failed = |source| write_failed(&self.new, source);
        let file = self.out.into_inner().map_err(|e| failed(e.into_error()))?;
        file.sync_all().map_err(failed)?;
        let kept = kept_as(&path);
        fs::hard_link(&path, &kept)
            .or_else(|_| fs::copy(&path, &kept).map(|_| ()))
            .map_err(|source| write_failed(&kept, source))?;
        fs::rename(&self.new, &path).map_err(|source| write_failed(&path, source))?;
        done.damaged.push(kept);
        Ok(())
    }

    fn leave_out(&mut self, done: &mut Salvaged, which: impl Fn(RecordType) -> bool) {
        let before = self.waiting.len();
        self.waiting
            .retain(|record| !record.kind.is_some_and(&which));
        done.left_out += (before - self.waiting.len()) as u64;
    }

    fn record(&mut self, record: Whole, done: &mut Salvaged) -> Result<()> {
        match record.kind {
            Some(RecordType::Warcinfo) => self.copy(&record),
            Some(RecordType::Metadata) => {
                let entry = entry_of(&record, self.folder, self.number)?;
                match self.hurt {
                    true => self.mend(&record, entry, done)?,
                    false => {
                        self.copy_waiting()?;
                        self.copy(&record)?;
                    }
                }
                self.hurt = false;
                Ok(())
            }
            _ => {
                self.waiting.push(record);
                Ok(())
            }
        }
    }

    /// Writes an event some of whose records are lost.
    fn mend(&mut self, record: &Whole, entry: Entry, done: &mut Salvaged) -> Result<()> {
        let is_there = |kind| self.waiting.iter().any(|other| other.kind == Some(kind));
        let has_text = is_there(RecordType::Conversion);
        let raw = self.waiting.iter().rposition(|other| {
            let is_raw = matches!(
                other.kind,
                Some(RecordType::Response | RecordType::Resource | RecordType::Revisit)
            );
            is_raw && record.refers_to.as_deref() == Some(other.id.as_str())
        });
        let at = entry.at;
        let event = match entry.event {
            Event::Reextracted { .. } if !has_text => {
                // The version stays as it was read before.
                done.left_out += 1;
                return self.copy_waiting();
            }
            Event::Page(mut visit) => {
                let mut text = None;
                if raw.is_none() && record.refers_to.is_some() {
                    // The next visit must not be told that nothing has changed.
                    (visit.etag, visit.last_modified) = (None, None);
                }
                if matches!(visit.outcome, Outcome::Version(_)) && !has_text {
                    text = raw.and_then(|raw| read_again(&mut visit, at, &self.waiting[raw], None));
                    if text.is_none() {
                        lost(&mut visit);
                    }
                }
                self.copy_waiting()?;
                if let Some(text) = text {
                    let of = record.refers_to.as_deref();
                    let text = Record::conversion(&visit.url, at, &text, of).member();
                    self.put(&text)?;
                    done.read_again += 1;
                }
                Event::Page(visit)
            }
            event => {
                self.copy_waiting()?;
                event
            }
        };
        let entry = Entry {
            format: FORMAT,
            at,
            event,
        };
        let json = serde_json::to_vec(&entry).expect("an event has string keys only");
        let about = record.refers_to.as_deref().filter(|_| raw.is_some());
        self.put(&Record::metadata(&record.url, at, &json, about).member())
    }

    fn copy_waiting(&mut self) -> Result<()> {
        for record in std::mem::take(&mut self.waiting) {
            self.copy(&record)?;
        }
        Ok(())
    }

    /// Writes a record as it stands.
    fn copy(&mut self, record: &Whole) -> Result<()> {
        let mut copy = || {
            self.old.seek(SeekFrom::Start(record.offset))?;
            let mut member = Read::by_ref(&mut self.old).take(record.length);
            io::copy(&mut member, &mut self.out)
        };
        let copied = copy().map_err(|source| write_failed(&self.new, source));
        copied.map(|_| ())
    }

    fn put(&mut self, member: &[u8]) -> Result<()> {
        let put = self.out.write_all(member);
        put.map_err(|source| write_failed(&self.new, source))
    }
}

/// What a page gives without a wrapper, put into its visit; its text, unless `known` is.
fn read_again(
    visit: &mut Visit,
    at: DateTime<Utc>,
    record: &Whole,
    known: Option<String>,
) -> Option<String> {
    let body = match record.kind? {
        RecordType::Resource => record.block.clone(),
        RecordType::Response => record.answer()?.2.to_vec(),
        _ => return None,
    };
    let url = visit.final_url.clone().unwrap_or_else(|| visit.url.clone());
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
    visit.outcome = Outcome::Version(Box::new(reading));
    Some(text)
}

/// The event of a page and its text that wait for one, as a record.
fn visit_of(waiting: &[Whole]) -> Option<Vec<u8>> {
    let told = waiting.last()?;
    let of = told.refers_to.as_deref()?;
    let raw = waiting.iter().find(|record| record.id == of)?;
    let text = match told.kind? {
        RecordType::Conversion => String::from_utf8(told.block.clone()).ok()?,
        _ => return None,
    };
    let (http_status, content_type, body) = match (raw.kind?, raw.answer()) {
        (RecordType::Resource, _) => (None, None, raw.block.as_slice()),
        (RecordType::Response, Some((status, content_type, body))) => {
            (Some(status), content_type, body)
        }
        _ => return None,
    };
    let at = DateTime::parse_from_rfc3339(&raw.date).ok()?.to_utc();
    let mut visit = Visit {
        url: told.url.clone(),
        final_url: Some(raw.url.clone()).filter(|url| *url != told.url),
        site: site_of(Some(&raw.url)).unwrap_or_default(),
        http_status,
        error: None,
        sha256: Some(hex(&Sha256::digest(body))),
        content_type,
        etag: None,
        last_modified: None,
        status: Status::Fallback,
        confidence: None,
        incomplete: false,
        also: Vec::new(),
        outcome: Outcome::Nothing,
    };
    read_again(&mut visit, at, raw, Some(text))?;
    let url = visit.url.clone();
    let entry = Entry {
        format: FORMAT,
        at,
        event: Event::Page(Box::new(visit)),
    };
    let json = serde_json::to_vec(&entry).expect("an event has string keys only");
    Some(Record::metadata(&url, at, &json, Some(of)).member())
}

/// Nothing is left of what a visit brought.
fn lost(visit: &mut Visit) {
    visit.outcome = Outcome::Nothing;
    visit.status = Status::Error;
    visit.error = Some("what it brought was damaged in the archive".to_owned());
    visit.sha256 = None;
    (visit.etag, visit.last_modified) = (None, None);
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// A name for a damaged file that no other has.
fn kept_as(path: &Path) -> PathBuf {
    let names = (1..).map(|n| match n {
        1 => with_end(path, DAMAGED),
        n => with_end(path, &format!("{DAMAGED}-{n}")),
    });
    let mut free = names.skip_while(|name| name.exists());
    free.next().unwrap_or_else(|| with_end(path, DAMAGED))
}

/// How gzip members begin: deflate, without a name.
const MEMBER: [u8; 3] = [0x1F, 0x8B, 0x08];

/// Where the next whole record begins at `from` or behind it.
pub(crate) fn next_whole(path: &Path, from: u64) -> io::Result<Option<u64>> {
    let mut at = from;
    while let Some(found) = next_member(path, at)? {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(found))?;
        let read = Members::new(BufReader::new(file), found).read();
        match read {
            Ok(Some(_)) => return Ok(Some(found)),
            Err(broken) if broken.cause == Cause::Unreadable => {
                return Err(io::Error::other(broken.reason));
            }
            _ => at = found + 1,
        }
    }
    Ok(None)
}

/// Where the bytes of a member's beginning stand next.
fn next_member(path: &Path, from: u64) -> io::Result<Option<u64>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut window: Vec<u8> = Vec::new();
    let mut start = from;
    loop {
        let read = Read::by_ref(&mut file)
            .take(1 << 16)
            .read_to_end(&mut window)?;
        if let Some(at) = window.windows(MEMBER.len()).position(|w| w == MEMBER) {
            return Ok(Some(start + at as u64));
        }
        if read == 0 {
            return Ok(None);
        }
        let keep = window.len().min(MEMBER.len() - 1);
        start += (window.len() - keep) as u64;
        window.drain(..window.len() - keep);
    }
}
