//! What is written together: first the records, then the tables, both or neither.

use super::apply::{Records, apply, article_of, is_forgotten};
use super::arrival::{KnownAddress, KnownRaw, LatestVersion, PreparedVisit, read};
use super::event::{Event, EventRecord, Extraction, FORMAT, VisitOutcome};
use super::files::{FileId, RecordPlace};
use super::identity::key_of;
use super::joined::{JoinedArticle, known_parts};
use super::journal::Journal;
use super::requisites::{FetchedRequisite, write_requisite};
use super::{Archive, status_of};
use crate::error::{Kind, Result};
use crate::extract::{Article, Status};
use crate::warc::{EarlierRecord, EncodedRecord, Record, record_date};
use chrono::{DateTime, TimeDelta, TimeZone, Utc};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row, params};

/// Something to write.
#[derive(Debug, Clone)]
pub enum ArchiveChange {
    /// A page that was visited.
    Page(Box<PreparedVisit>),
    /// A version as another wrapper reads its page.
    Reading(Box<Reread>),
    /// A picture, a style sheet or a font that came.
    Requisite(Box<FetchedRequisite>),
    /// Anything else that happened.
    Event {
        /// When.
        at: DateTime<Utc>,
        /// What.
        event: Event,
    },
    /// An answer of a feed that brought something, to be kept as it came. Before the
    /// [`Event::FeedRead`] that tells what.
    Feed {
        /// When.
        at: DateTime<Utc>,
        /// Its address.
        url: String,
        /// The head of the answer.
        response_head: Vec<u8>,
        /// The feed.
        body: Vec<u8>,
    },
    /// How the last poll of a feed went, and when the next one is.
    Poll(Box<FeedPoll>),
    /// A server asks to be left alone.
    Rest {
        /// Its origin.
        origin: String,
        /// Until when.
        until: DateTime<Utc>,
    },
    /// What robots.txt of an origin says.
    Robots {
        /// The origin.
        origin: String,
        /// When it was read.
        at: DateTime<Utc>,
        /// Its text; empty where there is none.
        text: Vec<u8>,
    },
    /// How a site is watched.
    Watch {
        /// The site.
        site: String,
        /// The state, as JSON.
        state: String,
    },
}

/// A version as another wrapper reads its page.
#[derive(Debug, Clone)]
pub struct Reread {
    /// When it was read.
    pub at: DateTime<Utc>,
    /// Key of the article.
    pub key: String,
    /// The version, from 1.
    pub number: u32,
    /// What was read.
    pub joined: JoinedArticle,
    /// SHA-256 of the wrapper's file.
    pub wrapper: String,
}

/// How the last poll of a feed went. Not in the WARC files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeedPoll {
    /// The feed's address.
    pub feed: String,
    /// When it was polled last.
    pub last: Option<DateTime<Utc>>,
    /// When that went well last.
    pub success: Option<DateTime<Utc>>,
    /// When it is polled next.
    pub next: Option<DateTime<Utc>>,
    /// When its items came, as JSON.
    pub rhythm: Option<String>,
    /// Failures in a row.
    pub failures: u32,
    /// The last failure.
    pub error: Option<String>,
    /// For the next conditional request.
    pub etag: Option<String>,
    /// For the next conditional request.
    pub last_modified: Option<String>,
    /// SHA-256 of the feed as it came last, in hex.
    pub sha256: Option<String>,
    /// Redirects seen in a row, as JSON.
    pub moved: Option<String>,
}

/// What became of a [`ArchiveChange::Page`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    /// An article that was not there.
    New,
    /// Another version of one that was.
    Version,
    /// Nothing new.
    Same,
    /// An article that is there under another address.
    Known,
    /// No article.
    Nothing,
    /// The address was forgotten: nothing was written.
    Forgotten,
}

impl Archive {
    /// Writes all of it, or nothing: when this returns, it is on the disk. Gives what
    /// became of the pages, in their order.
    ///
    /// # Errors
    ///
    /// If a file or the database cannot be written. What was written before stays.
    pub fn write(&mut self, changes: Vec<ArchiveChange>) -> Result<Vec<Stored>> {
        self.journal.mark()?;
        let result = write_all(&mut self.db, &mut self.journal, changes);
        if result.is_err() {
            // The error that is told is the first one; a journal that could not be
            // undone refuses to go on.
            let _ = self.journal.undo();
        }
        result
    }

    /// What is known of an address.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub fn known(&self, url: &str) -> Result<KnownAddress> {
        known(&self.db, url)
    }
}

fn write_all(
    db: &mut Connection,
    journal: &mut Journal,
    changes: Vec<ArchiveChange>,
) -> Result<Vec<Stored>> {
    let tables = db.transaction()?;
    let mut stored = Vec::new();
    // A feed's answer stands in one segment with the event that tells what it brought.
    let mut answer = None;
    for change in changes {
        match change {
            ArchiveChange::Page(page) => stored.push(write_page(&tables, journal, *page)?),
            ArchiveChange::Reading(again) => {
                journal.rotate(again.at)?;
                write_again(&tables, journal, *again)?;
            }
            ArchiveChange::Requisite(came) => write_requisite(&tables, journal, *came)?,
            ArchiveChange::Event { at, event } => {
                let records = match answer.take() {
                    Some(raw) => Records {
                        raw: Some(raw),
                        text: None,
                    },
                    None => {
                        journal.rotate(at)?;
                        Records::default()
                    }
                };
                write_event(&tables, journal, at, event, records)?;
                continue;
            }
            ArchiveChange::Feed {
                at,
                url,
                response_head,
                body,
            } => {
                journal.rotate(at)?;
                let record = Record::response(&url, at, &response_head, &body);
                answer = Some(journal.record(record.encode())?);
                continue;
            }
            ArchiveChange::Poll(poll) => write_poll(&tables, &poll)?,
            ArchiveChange::Rest { origin, until } => write_rest(&tables, &origin, until)?,
            ArchiveChange::Robots { origin, at, text } => {
                write_robots(&tables, &origin, at, &text)?
            }
            ArchiveChange::Watch { site, state } => write_watch(&tables, &site, &state)?,
        }
        answer = None;
    }
    journal.sync()?;
    for (file, length) in journal.lengths_since_mark() {
        set_length(&tables, file, length)?;
    }
    tables.commit()?;
    Ok(stored)
}

/// Notes how much of a file is in the tables.
pub(crate) fn set_length(tables: &Connection, file: FileId, length: u64) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO files (file, length) VALUES (?1, ?2)";
    tables.prepare_cached(sql)?.execute(params![file, length])?;
    Ok(())
}

pub(super) fn write_event(
    tables: &Connection,
    journal: &mut Journal,
    at: DateTime<Utc>,
    event: Event,
    records: Records,
) -> Result<()> {
    let entry = EventRecord {
        format: FORMAT,
        at,
        text: records.text.as_ref().map(|text| text.id.clone()),
        event,
    };
    let about = match (&records.raw, &entry.event) {
        (Some(raw), _) => Some((raw.id.as_str(), raw.page.as_str())),
        (None, Event::Page(visit)) => Some(("", visit.address())),
        (None, Event::FeedAdded { feed } | Event::FeedRead { feed, .. }) => {
            Some(("", feed.as_str()))
        }
        _ => None,
    };
    journal.event(&entry.record(about).member());
    apply(tables, &entry, &records)
}

fn write_again(tables: &Connection, journal: &mut Journal, again: Reread) -> Result<()> {
    let Reread {
        at,
        key,
        number,
        joined,
        wrapper,
    } = again;
    let article = &joined.article;
    // Not the address that the page names: it is believed only beside this one.
    let url = article
        .fetched_url
        .clone()
        .or_else(|| article.url.clone())
        .unwrap_or_default();
    let (_, Some((reading, text))) = read(joined, &url, &url, Some(wrapper)) else {
        return Ok(());
    };
    let of = raw_of_version(tables, &key, number)?;
    let of = match &of {
        Some((id, page)) => (id.as_str(), page.as_str()),
        None => ("", url.as_str()),
    };
    let text = Record::conversion(at, &text, Some(of)).encode();
    let text = Some(journal.record(text)?);
    let event = Event::Reextracted {
        key,
        number,
        reading: Box::new(reading),
    };
    write_event(tables, journal, at, event, Records { raw: None, text })
}

/// Id and address of the record with the page that a version was read on.
fn raw_of_version(tables: &Connection, key: &str, number: u32) -> Result<Option<(String, String)>> {
    let sql = "SELECT f.record, f.url FROM articles a JOIN versions v ON v.article = a.id \
               JOIN fetches f ON f.id = v.raw WHERE a.key = ?1 AND v.number = ?2";
    let found = tables
        .prepare_cached(sql)?
        .query_row(params![key, number], |row| Ok((row.get(0)?, row.get(1)?)));
    Ok(found.optional()?)
}

fn write_page(
    tables: &Connection,
    journal: &mut Journal,
    mut page: PreparedVisit,
) -> Result<Stored> {
    let key = key_of(&page.visit.url);
    if is_forgotten(tables, &key)? {
        return Ok(Stored::Forgotten);
    }
    let mut leads_there = false;
    let parts = page.parts.iter().map(|part| &part.visit.url);
    let others = page.visit.final_url.iter().chain(&page.visit.also);
    for other in others.chain(parts) {
        leads_there |= is_forgotten(tables, &key_of(other))?;
    }
    if leads_there {
        page.becomes_nothing("it leads to an address that was forgotten");
    }
    journal.rotate(page.at)?;
    for part in std::mem::take(&mut page.parts) {
        write_visit(tables, journal, part)?;
    }
    let stored = match &page.visit.outcome {
        _ if leads_there => Stored::Forgotten,
        VisitOutcome::Nothing | VisitOutcome::Part => Stored::Nothing,
        VisitOutcome::Same => Stored::Same,
        VisitOutcome::Known(_) => Stored::Known,
        VisitOutcome::Version(reading) if page.is_new => {
            match known_elsewhere(tables, &page, &key, reading)? {
                Some(other) => {
                    page.visit.outcome = VisitOutcome::Known(other);
                    page.text = None;
                    Stored::Known
                }
                None => Stored::New,
            }
        }
        VisitOutcome::Version(_) => Stored::Version,
    };
    if let Some((event, text)) = page.again.take() {
        let text = Some(journal.record(text)?);
        write_event(tables, journal, page.at, event, Records { raw: None, text })?;
    }
    write_visit(tables, journal, page)?;
    Ok(stored)
}

/// The records of one visit, and its event.
fn write_visit(tables: &Connection, journal: &mut Journal, page: PreparedVisit) -> Result<()> {
    if let Some(request) = page.request {
        journal.record(request)?;
    }
    // The page comes last: what stands before it belongs to its event.
    let mut add =
        |record: Option<EncodedRecord>| record.map(|record| journal.record(record)).transpose();
    let records = Records {
        raw: add(page.raw)?,
        text: add(page.text)?,
    };
    let event = Event::Page(Box::new(page.visit));
    write_event(tables, journal, page.at, event, records)
}

/// The key of the article that a page is, though not by its own address: by another of
/// its addresses, or by its text.
fn known_elsewhere(
    tables: &Connection,
    page: &PreparedVisit,
    key: &str,
    reading: &Extraction,
) -> Result<Option<String>> {
    let others = page.visit.also.iter().chain(&page.visit.final_url);
    for other in others {
        let other = key_of(other);
        if other != key
            && let Some(article) = article_of(tables, &other)?
        {
            return article_key(tables, article);
        }
    }
    if !page.is_telling {
        return Ok(None);
    }
    let sql = "SELECT a.key, v.record FROM articles a JOIN versions v ON v.id = a.latest \
               WHERE a.site = ?1 AND a.text_sha256 = ?2 ORDER BY a.id LIMIT ?3";
    let mut rows = tables.prepare_cached(sql)?;
    let mut rows = rows.query(params![page.visit.site, reading.text_sha256, MAX_ALIKE])?;
    while let Some(row) = rows.next()? {
        let (key, record): (String, String) = (row.get(0)?, row.get(1)?);
        if serde_json::from_str(&record).is_ok_and(|other| are_one(&reading.record, &other)) {
            return Ok(Some(key));
        }
    }
    Ok(None)
}

/// Articles of one text that are looked at.
const MAX_ALIKE: u32 = 100;

/// Whether two pages of one text are one article: some things are told in the same words
/// each week.
fn are_one(one: &Article, other: &Article) -> bool {
    let title = |article: &Article| -> Option<String> {
        let words: Vec<&str> = article.title.as_deref()?.split_whitespace().collect();
        Some(words.join(" "))
    };
    let dates = (&one.date_published, &other.date_published);
    title(one) == title(other)
        && match dates {
            (Some(one), Some(other)) => one == other,
            _ => true,
        }
}

fn article_key(tables: &Connection, article: i64) -> Result<Option<String>> {
    let found = tables
        .prepare_cached("SELECT key FROM articles WHERE id = ?1")?
        .query_row([article], |row| row.get(0));
    Ok(found.optional()?)
}

pub(crate) fn write_rest(tables: &Connection, origin: &str, until: DateTime<Utc>) -> Result<()> {
    // Those of more than a day ago are over.
    let over = (until - TimeDelta::days(1)).timestamp_millis();
    tables
        .prepare_cached("DELETE FROM rests WHERE until <= ?1")?
        .execute([over])?;
    let sql = "INSERT OR REPLACE INTO rests (origin, until) VALUES (?1, ?2)";
    tables
        .prepare_cached(sql)?
        .execute(params![origin, until.timestamp_millis()])?;
    Ok(())
}

fn write_robots(tables: &Connection, origin: &str, at: DateTime<Utc>, text: &[u8]) -> Result<()> {
    // Nobody uses those of more than a day ago.
    let over = (at - TimeDelta::days(1)).timestamp_millis();
    tables
        .prepare_cached("DELETE FROM robots WHERE at <= ?1")?
        .execute([over])?;
    let sql = "INSERT OR REPLACE INTO robots (origin, at, text) VALUES (?1, ?2, ?3)";
    tables
        .prepare_cached(sql)?
        .execute(params![origin, at.timestamp_millis(), text])?;
    Ok(())
}

pub(crate) fn write_watch(tables: &Connection, site: &str, state: &str) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO watches (site, state) VALUES (?1, ?2)";
    tables.prepare_cached(sql)?.execute([site, state])?;
    Ok(())
}

pub(crate) fn write_poll(tables: &Connection, poll: &FeedPoll) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO polls (feed, last, success, next, rhythm, failures, error, etag, \
               last_modified, sha256, moved) \
               SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 FROM feeds WHERE url = ?1";
    let ms = |time: Option<DateTime<Utc>>| time.map(|time| time.timestamp_millis());
    tables.prepare_cached(sql)?.execute(params![
        poll.feed,
        ms(poll.last),
        ms(poll.success),
        ms(poll.next),
        poll.rhythm,
        poll.failures,
        poll.error,
        poll.etag,
        poll.last_modified,
        poll.sha256,
        poll.moved,
    ])?;
    Ok(())
}

/// What is known of an address.
pub(crate) fn known(db: &Connection, url: &str) -> Result<KnownAddress> {
    let key = key_of(url);
    let forgotten = is_forgotten(db, &key)?;
    let mut known = KnownAddress {
        forgotten,
        ..KnownAddress::default()
    };
    let sql = "SELECT etag, last_modified, raw, article, status FROM pages WHERE key = ?1";
    let mut page = db.prepare_cached(sql)?;
    let mut page = page.query([&key])?;
    known.key.clone_from(&key);
    let Some(row) = page.next()? else {
        return Ok(known);
    };
    (known.etag, known.last_modified) = (row.get(0)?, row.get(1)?);
    let (raw, article): (Option<i64>, Option<i64>) = (row.get(2)?, row.get(3)?);
    let status: Option<String> = row.get(4)?;
    known.status = status.as_deref().and_then(status_of);
    if let Some(raw) = raw {
        known.raw = raw_known(db, raw)?;
    }
    if let Some(article) = article {
        let sql = "SELECT v.number, v.text_sha256, v.wrapper, v.words, v.file, v.place, v.length, \
                   v.id, v.raw FROM articles a JOIN versions v ON v.id = a.latest WHERE a.id = ?1";
        let latest = db.prepare_cached(sql)?.query_row([article], |row| {
            let latest = LatestVersion {
                number: row.get(0)?,
                text_sha256: row.get(1)?,
                wrapper: row.get(2)?,
                words: row.get(3)?,
                text: may_be_place(row, 4)?,
                raw: None,
                parts: Vec::new(),
            };
            Ok((latest, row.get(7)?, row.get::<_, Option<i64>>(8)?))
        });
        if let Some((mut latest, version, raw)) = latest.optional()? {
            latest.parts = known_parts(db, version)?;
            if let Some(raw) = raw {
                latest.raw = raw_known(db, raw)?;
            }
            known.latest = Some(latest);
        }
    }
    Ok(known)
}

/// The bytes that a visit brought.
pub(crate) fn raw_known(db: &Connection, fetch: i64) -> Result<Option<KnownRaw>> {
    let sql = "SELECT sha256, content_type, status, confidence, record, url, at, file, place, length \
               FROM fetches WHERE id = ?1 AND file IS NOT NULL AND sha256 IS NOT NULL";
    let raw = db.prepare_cached(sql)?.query_row([fetch], |row| {
        Ok(KnownRaw {
            sha256: row.get(0)?,
            content_type: row.get(1)?,
            status: status_column(row, 2)?,
            confidence: row.get(3)?,
            earlier: EarlierRecord {
                id: row.get(4)?,
                url: row.get(5)?,
                date: record_date(time_of(row.get(6)?)),
            },
            place: place_of(row, 7)?,
        })
    });
    Ok(raw.optional()?)
}

/// A place from three columns.
pub(crate) fn place_of(row: &Row<'_>, first: usize) -> rusqlite::Result<RecordPlace> {
    Ok(RecordPlace {
        file: row.get(first)?,
        offset: row.get(first + 1)?,
        length: row.get(first + 2)?,
    })
}

/// A place from three columns, the first of which may be NULL.
pub(crate) fn may_be_place(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<RecordPlace>> {
    match row.get_ref(first)? {
        ValueRef::Null => Ok(None),
        _ => place_of(row, first).map(Some),
    }
}

/// A status from a column.
pub(crate) fn status_column(row: &Row<'_>, at: usize) -> rusqlite::Result<Status> {
    let name: String = row.get(at)?;
    Ok(status_of(&name).unwrap_or(Status::Error))
}

/// A time from milliseconds.
pub(crate) fn time_of(ms: i64) -> DateTime<Utc> {
    Utc.timestamp_millis_opt(ms).single().unwrap_or_default()
}

impl From<rusqlite::Error> for crate::Error {
    fn from(source: rusqlite::Error) -> Self {
        Kind::Database { source }.into()
    }
}
