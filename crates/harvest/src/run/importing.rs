//! Imports the records of another program's web archive. All are stored as they are there
//! ([`ArchivedRecord`] says what is changed), each once.
//!
//! HTML pages with status 200 are read besides: as in a harvest at that time, by their sites'
//! wrappers, and they are judged and learned from.
//!
//! Takes records in the order of time; gives [`ImportedPages`]. A page that is older than the
//! archive's latest visit of its address is stored and not read: versions are in the order of
//! time. Of an article over several pages only the first one is read.

use super::driver::ProgressCallback;
use super::further::{FurtherResponse, ReadingStep};
use super::learning::Learning;
use super::options::HarvestOptions;
use super::page_result::{FetchedPage, ReadPage};
use super::progress::HarvestProgress;
use super::reading::read;
use super::sites::{LearningTry, Sites};
use super::write::write_pages;
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_archive::{
    Archive, ArchiveChange, KnownAddress, RecordState, Stored, paths, search::SearchIndex,
};
use forest_fetch::Visited;
use forest_html::address::{page_key, site_of};
use forest_sources::warc::{ArchivedRecord, Response};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};
use url::Url;

/// Number of pages that are read and written together.
const AT_ONCE: usize = 64;

/// Number of other records that are written together.
const RECORDS_AT_ONCE: usize = 1000;

/// Maximum number of bytes of records that wait to be written.
const MAX_WAITING_BYTES: usize = 64_000_000;

/// The counts of the records of one type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportedRecords {
    /// Records that were stored.
    pub stored: u64,
    /// Records that the archive had already.
    pub held: u64,
    /// Records about addresses that were forgotten, which are not stored.
    pub forgotten: u64,
}

/// The counts of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImportedPages {
    /// All records, by their type.
    pub records: BTreeMap<String, ImportedRecords>,
    /// Pages that were read.
    pub pages: u64,
    /// New articles.
    pub articles: u64,
    /// Further versions of known articles.
    pub versions: u64,
    /// Pages that the archive had already.
    pub known: u64,
    /// Pages without an article.
    pub nothing: u64,
    /// Pages that were not read, since the archive has a newer one of their address.
    pub older: u64,
    /// Pages that were not read, since they have no date or no web address.
    pub nameless: u64,
    /// Wrappers that were learned.
    pub wrappers: u64,
}

/// Takes pages of web archives into an archive.
pub struct Importer<'a> {
    archive: &'a mut Archive,
    options: HarvestOptions,
    sites: Sites,
    /// Pages with their records.
    waiting: Vec<(FetchedPage, ArchivedRecord)>,
    /// Records that are not read.
    records: Vec<ArchivedRecord>,
    waiting_bytes: usize,
    /// Ids of the waiting records.
    ids: HashSet<String>,
    keys: HashSet<String>,
    changes: Vec<ArchiveChange>,
    /// The time of the newest page so far.
    newest: DateTime<Utc>,
    counts: ImportedPages,
    on_progress: Option<&'a mut ProgressCallback<'a>>,
}

impl<'a> Importer<'a> {
    /// An importer into `archive`.
    pub fn new(archive: &'a mut Archive, options: HarvestOptions) -> Importer<'a> {
        Importer {
            archive,
            options,
            sites: Sites::default(),
            waiting: Vec::new(),
            records: Vec::new(),
            ids: HashSet::new(),
            waiting_bytes: 0,
            keys: HashSet::new(),
            changes: Vec::new(),
            newest: DateTime::UNIX_EPOCH,
            counts: ImportedPages::default(),
            on_progress: None,
        }
    }

    /// Sets the function that gets the verdicts on sites, and the results of learning.
    #[must_use]
    pub fn with_progress(mut self, on_progress: &'a mut ProgressCallback<'a>) -> Self {
        self.on_progress = Some(on_progress);
        self
    }

    fn report(&mut self, event: &HarvestProgress<'_>) {
        if let Some(on_progress) = &mut self.on_progress {
            on_progress(event);
        }
    }

    /// Adds a record.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read or written.
    pub fn add(&mut self, mut record: ArchivedRecord) -> Result<()> {
        let is_full = self.waiting.len() >= AT_ONCE
            || self.records.len() >= RECORDS_AT_ONCE
            || self.waiting_bytes > MAX_WAITING_BYTES;
        // A record is compared with those before it, which must be written.
        if is_full || self.ids.contains(&record.id) {
            self.write()?;
        }
        let state = self.archive.find_record(&mut record)?;
        let counts = self.counts.records.entry(record.type_name.clone());
        let counts = counts.or_default();
        match state {
            RecordState::Held => counts.held += 1,
            RecordState::Forgotten => counts.forgotten += 1,
            RecordState::New => {
                counts.stored += 1;
                self.store(record)?;
            }
        }
        Ok(())
    }

    /// Stores a record, and reads the page that it is.
    fn store(&mut self, mut record: ArchivedRecord) -> Result<()> {
        let page = std::mem::replace(&mut record.page, Ok(None));
        let page = page.ok().flatten();
        let page = page.filter(|page| page.status.is_none_or(|status| status == 200));
        let page = page.map(|page| self.page(page)).transpose()?.flatten();
        // Only now, as a page may need those before it to be written.
        self.waiting_bytes += record.bytes();
        self.ids.insert(record.id.clone());
        match page {
            Some(page) => self.waiting.push((page, record)),
            None => self.records.push(record),
        }
        Ok(())
    }

    /// A page that is to be read; `None` if it is not.
    fn page(&mut self, page: Response) -> Result<Option<FetchedPage>> {
        let url = Url::parse(&page.url).ok().filter(Url::has_host);
        let (Some(url), Some(date)) = (url, page.date) else {
            self.counts.nameless += 1;
            return Ok(None);
        };
        let at = date.to_utc();
        // A page is compared with those before it, which must be written.
        let key = page_key(url.as_str());
        if self.keys.contains(&key) {
            self.write()?;
        }
        let known = self.archive.known(url.as_str())?;
        if known.raw.as_ref().is_some_and(|raw| raw.raw_page_at() > at) {
            self.counts.older += 1;
            return Ok(None);
        }
        self.newest = self.newest.max(at);
        let host = site_of(Some(url.as_str())).unwrap_or_default();
        let wrapper = self
            .sites
            .wrapper(self.archive, &host, at, &mut self.changes)?;
        self.keys.insert(key);
        self.waiting_bytes += page.payload.len();
        Ok(Some(FetchedPage {
            page: 0,
            at,
            url: url.to_string(),
            visited: visited(url, page),
            known,
            wrapper,
            item_metadata: None,
            least_words: None,
            raw: self.archive.raw_pages(),
            imported: None,
            from_browser: false,
        }))
    }

    /// Reads and writes the waiting pages, and learns from them.
    fn write(&mut self) -> Result<()> {
        let pages = std::mem::take(&mut self.waiting);
        let records = std::mem::take(&mut self.records);
        (self.waiting_bytes, self.keys, self.ids) = (0, HashSet::new(), HashSet::new());
        let pages = pages.into_par_iter().map(|(page, record)| {
            let imported = Some(record.encode());
            let why = "further pages of an article are not imported";
            whole(FetchedPage { imported, ..page }, why)
        });
        let pages: Vec<ReadPage> = pages.collect();
        let mut changes = std::mem::take(&mut self.changes);
        if !records.is_empty() {
            let times = records.iter().filter_map(|record| record.at);
            let at = times.max().unwrap_or(self.newest);
            let records = records.into_par_iter().map(ArchivedRecord::encode);
            let records = records.collect();
            changes.push(ArchiveChange::Records { at, records });
        }
        for page in write_pages(self.archive, &mut self.sites, changes, pages)? {
            self.counts.pages += 1;
            if let Some((from, to)) = page.verdict {
                self.report(&HarvestProgress::Verdict {
                    site: &page.site,
                    from,
                    to,
                    url: &page.visit.url,
                });
            }
            match page.stored {
                Stored::New => self.counts.articles += 1,
                Stored::Version => self.counts.versions += 1,
                Stored::Same | Stored::Known | Stored::Doubtful => self.counts.known += 1,
                Stored::Nothing | Stored::Forgotten => self.counts.nothing += 1,
            }
        }
        for (_, edits) in self.sites.settle(self.archive, self.newest)? {
            self.counts.versions += edits.len() as u64;
        }
        if self.options.learns() {
            for site in self.sites.ready(self.archive, &self.options)? {
                let learned = self
                    .sites
                    .learn(self.archive, &site, &self.options, self.newest)?;
                let Some(LearningTry { learning, edits }) = learned else {
                    continue;
                };
                self.report(&HarvestProgress::Learning {
                    site: &site,
                    learning: &learning,
                });
                self.counts.versions += edits.len() as u64;
                self.counts.wrappers += u64::from(!matches!(learning, Learning::Kept(_)));
            }
        }
        Ok(())
    }

    /// Writes the rest, and brings the search index up to date.
    ///
    /// # Errors
    ///
    /// If the archive or its index cannot be written.
    pub fn finish(mut self) -> Result<ImportedPages> {
        self.write()?;
        let reader = self.archive.reader()?;
        SearchIndex::open_or_remake(&paths::index(self.archive.dir()))?.catch_up(&reader)?;
        Ok(self.counts)
    }
}

/// Reads a page; of an article over several pages only the first one, and why.
pub(super) fn whole(page: FetchedPage, why: &str) -> ReadPage {
    let mut step = read(page);
    loop {
        match step {
            ReadingStep::Read(read) => return *read,
            ReadingStep::GoesOn(unfinished) => {
                let response = FurtherResponse::refused(why);
                step = unfinished.go_on(&KnownAddress::default(), response);
            }
        }
    }
}

/// The page as a response of this moment.
fn visited(url: Url, page: Response) -> Visited {
    Visited {
        response_head: page.head,
        content_type: page.content_type,
        date: page.date.map(|date| date.to_utc()),
        body: page.payload,
        ..Visited::new(url.clone(), url, page.status.unwrap_or(200))
    }
}
