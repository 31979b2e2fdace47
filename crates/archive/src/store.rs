//! Changes that are written together: first the records, then the tables, both or neither.

use super::apply::apply;
use super::arrival::{PreparedVisit, read};
use super::change::{
    ArchiveChange, FetchedRequisite, ReceivedAnswers, Reread, SettledDoubt, Stored,
};
use super::event::{Event, EventRecord, Extraction, FORMAT, Requisite, VisitOutcome};
use super::files::{EventRecords, FileKind, Folder};
use super::handle::Archive;
use super::journal::Journal;
use super::known::{KnownAddress, article_of, is_forgotten, known};
use super::latest;
use super::lengths::set_length;
use super::revisit::RevisitRule;
use super::sql::{Sql, time_in};
use super::transient;
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_core::extract::Article;
use forest_html::address::page_key;
use forest_html::text::{fold, sha256_hex};
use forest_sources::warc::{EarlierRecord, EncodedRecord, Record, RecordType, record_date};
use rusqlite::{Connection, Row, params};
use std::collections::HashSet;

impl Archive {
    /// Writes all changes or none: when this returns, they are on the disk. Returns the
    /// outcomes of the pages, in their order.
    ///
    /// # Errors
    ///
    /// If a file or the database cannot be written. Earlier writes stay.
    pub fn write(&mut self, changes: Vec<ArchiveChange>) -> Result<Vec<Stored>> {
        self.journal.mark()?;
        let folder = &self.folder;
        let result = write_all(
            &mut self.db,
            (folder, &mut self.journal),
            self.revisit,
            changes,
        );
        if result.is_err() {
            // The first error is reported. After a failed undo the journal refuses further
            // writes.
            let _ = self.journal.undo();
        }
        result
    }

    /// The known facts of an address.
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
    (folder, journal): (&Folder, &mut Journal),
    revisit: RevisitRule,
    changes: Vec<ArchiveChange>,
) -> Result<Vec<Stored>> {
    let transaction = db.transaction()?;
    let mut batch = Batch {
        tables: &transaction,
        journal,
        revisit,
    };
    let mut stored = Vec::new();
    // A feed's answer is in the same segment as the event about it.
    let (mut answer, mut has_answers) = (None, false);
    for change in changes {
        let is_answer = matches!(change, ArchiveChange::Feed { .. });
        match change {
            ArchiveChange::Page(page) => stored.push(batch.page(*page)?),
            ArchiveChange::Reading(again) => batch.reread(*again)?,
            ArchiveChange::Settled(doubt) => batch.settle(*doubt)?,
            ArchiveChange::Requisite(fetched) => batch.requisite(*fetched)?,
            ArchiveChange::Event { at, event } => {
                let records = answer.take();
                if records.is_none() {
                    batch.journal.rotate(at)?;
                }
                let records = records.unwrap_or_default();
                batch.event(at, event, records)?;
            }
            ArchiveChange::Feed { at, url, exchange } => {
                batch.journal.rotate(at)?;
                let (record, request) = exchange.records((&url, at), None, false);
                let request = request.map(|request| batch.journal.record(request.encode()));
                answer = Some(EventRecords {
                    others: request.transpose()?.into_iter().collect(),
                    raw: Some(batch.journal.record(record.encode())?),
                    text: None,
                });
                has_answers = true;
            }
            ArchiveChange::Received(answers) => batch.received(*answers)?,
            ArchiveChange::Records { at, records } => batch.imported(at, records)?,
            ArchiveChange::Poll(poll) => transient::write_poll(&transaction, &poll)?,
            ArchiveChange::Rest { origin, until } => {
                transient::write_rest(&transaction, &origin, until)?;
            }
            ArchiveChange::Robots { origin, at, text } => {
                transient::write_robots(&transaction, &origin, at, &text)?;
            }
            ArchiveChange::Watch { site, state } => {
                transient::write_watch(&transaction, &site, &state)?;
            }
        }
        if !is_answer {
            answer = None;
        }
    }
    batch.journal.sync()?;
    if has_answers {
        latest::catch_up(&transaction, folder)?;
    }
    for (file, length) in batch.journal.lengths_since_mark() {
        set_length(&transaction, file, length)?;
    }
    transaction.commit()?;
    Ok(stored)
}

/// Changes that are written together.
struct Batch<'a> {
    tables: &'a Connection,
    journal: &'a mut Journal,
    revisit: RevisitRule,
}

impl Batch<'_> {
    /// An event about records that were added before it.
    fn event(&mut self, at: DateTime<Utc>, event: Event, records: EventRecords) -> Result<()> {
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
        self.journal.event(&entry.record(about).member());
        apply(self.tables, self.revisit, &entry, &records)
    }

    /// An event with the record of its text.
    fn event_of_text(
        &mut self,
        at: DateTime<Utc>,
        event: Event,
        text: EncodedRecord,
    ) -> Result<()> {
        let text = Some(self.journal.record(text)?);
        let records = EventRecords {
            text,
            ..EventRecords::default()
        };
        self.event(at, event, records)
    }

    fn reread(&mut self, again: Reread) -> Result<()> {
        let Reread { at, key, .. } = again;
        self.journal.rotate(at)?;
        let article = &again.joined.article;
        // Not the page's canonical address, which counts only as a further one.
        let url = article.fetched_url.as_ref().or(article.url.as_ref());
        let url = url.cloned().unwrap_or_default();
        let read = read(again.joined, &url, &url, Some(again.wrapper));
        let Some((reading, text)) = read.1 else {
            return Ok(());
        };
        // The record with the page that the version was read on.
        let sql = "SELECT f.record, f.url FROM articles a JOIN versions v ON v.article = a.id \
                   JOIN fetches f ON f.id = v.raw WHERE a.key = ?1 AND v.number = ?2";
        let found = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let of = self.tables.first(sql, params![key, again.number], found)?;
        let (id, page): (String, String) = of.unwrap_or_else(|| (String::new(), url));
        let text = Record::conversion(at, &text, Some((&id, &page))).encode();
        let event = Event::Reextracted {
            key,
            number: again.number,
            reading: Box::new(reading),
        };
        self.event_of_text(at, event, text)
    }

    fn page(&mut self, mut page: PreparedVisit) -> Result<Stored> {
        let key = page_key(&page.visit.url);
        if is_forgotten(self.tables, &key)? {
            return Ok(Stored::Forgotten);
        }
        let mut leads_there = false;
        let parts = page.parts.iter().map(|part| &part.visit.url);
        let others = page.visit.final_url.iter().chain(&page.visit.also);
        for other in others.chain(parts) {
            leads_there |= is_forgotten(self.tables, &page_key(other))?;
        }
        if leads_there {
            page.drop_contents("it leads to an address that was forgotten");
        }
        self.journal.rotate(page.at)?;
        for part in std::mem::take(&mut page.parts) {
            self.visit(part)?;
        }
        let stored = match &page.visit.outcome {
            _ if leads_there => Stored::Forgotten,
            VisitOutcome::Nothing | VisitOutcome::Part => Stored::Nothing,
            VisitOutcome::Same => Stored::Same,
            VisitOutcome::Doubtful => Stored::Doubtful,
            VisitOutcome::Known(_) => Stored::Known,
            VisitOutcome::Version(reading) if page.is_new => {
                match known_elsewhere(self.tables, &page, &key, reading)? {
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
            self.event_of_text(page.at, event, text)?;
        }
        if page.is_certain && stored != Stored::Doubtful {
            self.end_doubts(&key, page.at)?;
        }
        self.visit(page)?;
        Ok(stored)
    }

    /// Settles the doubts about an article: its page was read by a wrapper that finds it.
    fn end_doubts(&mut self, key: &str, at: DateTime<Utc>) -> Result<()> {
        let sql = "SELECT a.key, d.at FROM doubts d JOIN articles a ON a.id = d.article \
                   WHERE d.article = (SELECT article FROM pages WHERE key = ?1) ORDER BY d.id";
        let doubts = self
            .tables
            .all(sql, [key], |row| Ok((row.get(0)?, time_in(row, "at")?)))?;
        for (key, seen) in doubts {
            let reading = None;
            let event = Event::Settled { key, seen, reading };
            self.event(at, event, EventRecords::default())?;
        }
        Ok(())
    }

    /// A doubt that was settled, with the text of the version that it is.
    fn settle(&mut self, doubt: SettledDoubt) -> Result<()> {
        let SettledDoubt {
            at,
            key,
            seen,
            record,
            ..
        } = doubt;
        self.journal.rotate(at)?;
        let reading = doubt.edit.and_then(|(joined, wrapper)| {
            let url = joined.article.fetched_url.as_ref();
            let url = url.or(joined.article.url.as_ref()).cloned();
            let url = url.unwrap_or_default();
            read(joined, &url, &url, Some(wrapper)).1
        });
        let Some((reading, text)) = reading else {
            let reading = None;
            let event = Event::Settled { key, seen, reading };
            return self.event(at, event, EventRecords::default());
        };
        let text = Record::conversion(at, &text, Some((&record.id, &record.url))).encode();
        let reading = Some(Box::new(reading));
        self.event_of_text(at, Event::Settled { key, seen, reading }, text)
    }

    /// The records of one visit, and its event.
    fn visit(&mut self, page: PreparedVisit) -> Result<()> {
        let request = page.request.map(|request| self.journal.record(request));
        let others = request.transpose()?.into_iter().collect();
        // The page is the last record: those before it belong to its event.
        let mut add = |record: Option<EncodedRecord>| {
            let added = record.map(|record| self.journal.record(record));
            added.transpose()
        };
        let records = EventRecords {
            raw: add(page.raw)?,
            text: add(page.text)?,
            others,
        };
        self.event(page.at, Event::Page(Box::new(page.visit)), records)
    }

    /// Records of another archive, and their event.
    fn imported(&mut self, at: DateTime<Utc>, records: Vec<EncodedRecord>) -> Result<()> {
        self.listed(at, records, Event::Imported { records: vec![] })
    }

    /// Answers that are nothing else, and their event.
    fn received(&mut self, answers: ReceivedAnswers) -> Result<()> {
        let ReceivedAnswers { at, url, .. } = answers;
        let addresses = answers.exchanges.iter().map(|(own, _)| own);
        for address in addresses.chain([&url, &answers.final_url]) {
            if is_forgotten(self.tables, &page_key(address))? {
                return Ok(());
            }
        }
        let (mut records, mut ids) = (Vec::new(), HashSet::new());
        for (own, exchange) in &answers.exchanges {
            let (answer, request) = exchange.records((own, at), None, false);
            // A circle of redirects may give one answer twice at one time.
            if ids.insert(answer.id().to_owned()) {
                records.extend(request.map(|request| request.encode()));
                records.push(answer.encode());
            }
        }
        let event = Event::Received {
            final_url: Some(answers.final_url).filter(|other| *other != url),
            url,
            records: vec![],
        };
        self.listed(at, records, event)
    }

    /// Records, and the event that lists them and names the last one of each file.
    fn listed(
        &mut self,
        at: DateTime<Utc>,
        records: Vec<EncodedRecord>,
        event: Event,
    ) -> Result<()> {
        if records.is_empty() {
            return Ok(());
        }
        self.journal.rotate(at)?;
        let (mut pages, mut others) = (Vec::new(), Vec::new());
        for record in records {
            let record = self.journal.record(record)?;
            match record.place.file.kind() {
                FileKind::Pages => pages.push(record),
                _ => others.push(record),
            }
        }
        let ids = pages.iter().chain(&others).map(|record| record.id.clone());
        let event = event.with_listed(ids.collect());
        let (raw, text) = (pages.pop(), others.pop());
        pages.extend(others);
        let others = pages;
        self.event(at, event, EventRecords { raw, text, others })
    }

    /// The records of a requisite, and its event.
    fn requisite(&mut self, fetched: FetchedRequisite) -> Result<()> {
        self.journal.rotate(fetched.at)?;
        let sha256 = sha256_hex(&fetched.exchange.body);
        // The record that holds the same bytes.
        let sql = "SELECT record, target, at, digest FROM requisites WHERE sha256 = ?1 AND kind = ?2 LIMIT 1";
        let response = RecordType::Response.name();
        let earlier = self.tables.first(sql, params![sha256, response], |row| {
            Ok(EarlierRecord {
                id: row.get("record")?,
                url: row.get("target")?,
                date: record_date(time_in(row, "at")?),
                digest: row.get("digest")?,
            })
        })?;
        let of = (fetched.final_url.as_str(), fetched.at);
        let (answer, request) = fetched.exchange.records(of, earlier.as_ref(), false);
        let request = request.map(|request| self.journal.record(request.encode()));
        let others = request.transpose()?.into_iter().collect();
        let records = EventRecords {
            raw: Some(self.journal.record(answer.encode())?),
            text: None,
            others,
        };
        let event = Event::Requisite(Box::new(Requisite {
            final_url: Some(fetched.final_url).filter(|url| *url != fetched.url),
            url: fetched.url,
            kind: fetched.kind,
            sha256,
            extension: fetched.extension,
            content_type: fetched.content_type,
        }));
        self.event(fetched.at, event, records)
    }
}

/// The key of a page's article, found by another of its addresses or by its text, not by
/// its own address.
fn known_elsewhere(
    tables: &Connection,
    page: &PreparedVisit,
    key: &str,
    reading: &Extraction,
) -> Result<Option<String>> {
    let others = page.visit.also.iter().chain(&page.visit.final_url);
    for other in others {
        let other = page_key(other);
        if other != key
            && let Some(article) = article_of(tables, &other)?
        {
            return tables.value("SELECT key FROM articles WHERE id = ?1", [article]);
        }
    }
    if !page.is_distinctive {
        return Ok(None);
    }
    let sql = "SELECT a.key, v.record FROM articles a JOIN versions v ON v.id = a.latest \
               WHERE a.site = ?1 AND a.text_sha256 = ?2 ORDER BY a.id LIMIT ?3";
    let mut rows = tables.prepare_cached(sql)?;
    let mut rows = rows.query(params![page.visit.site, reading.text_sha256, MAX_ALIKE])?;
    while let Some(row) = rows.next()? {
        let (key, record): (String, String) = (row.get(0)?, row.get(1)?);
        if serde_json::from_str(&record).is_ok_and(|other| is_one_article(&reading.record, &other))
        {
            return Ok(Some(key));
        }
    }
    Ok(None)
}

/// The number of articles with the same text that are compared.
const MAX_ALIKE: u32 = 100;

/// Returns true if two pages of one text are one article: some pages have the same words
/// each week.
fn is_one_article(one: &Article, other: &Article) -> bool {
    let title = |article: &Article| article.title.as_deref().map(fold);
    let dates = (&one.date_published, &other.date_published);
    title(one) == title(other)
        && match dates {
            (Some(one), Some(other)) => one == other,
            _ => true,
        }
}
