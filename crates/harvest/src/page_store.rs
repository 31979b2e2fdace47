//! Stores pages and articles from other sources than feeds in an archive, as a harvest does.

use crate::archive_options;
use crate::clock::{Clock, SystemClock};
use crate::error::Result;
use crate::requisites::{PictureTally, RequisiteOptions, gather};
use chrono::{DateTime, Utc};
use forest_archive::{
    Archive, ArchiveChange, Arrival, ArticlePart, Event, Stored, VisitResponse, paths,
    search::SearchIndex,
};
use forest_core::extract::{Article, Extractor};
use forest_fetch::Fetcher;
use forest_html::address::page_key;
use forest_html::address::site_of;
use forest_html::error::counted;
use forest_html::text::sha256_hex;
use forest_sources::sources::{FoundPart, LoadedPage};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// An archive that is written to, and the counts of stored pages.
#[derive(Debug)]
pub struct PageStore {
    archive: Archive,
    /// The digests of the wrappers, by their addresses in memory; the wrappers are kept.
    wrappers: HashMap<usize, (Arc<Extractor>, String)>,
    /// The digest of the active wrapper, by site.
    active: HashMap<String, String>,
    changes: Vec<ArchiveChange>,
    /// Addresses of pages that are not written yet.
    waiting: HashSet<String>,
    new: usize,
    versions: usize,
    known: usize,
    nothing: usize,
    nameless: usize,
    /// The last version before this run.
    after: i64,
}

impl PageStore {
    /// Opens the archive in a folder.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn open(dir: &Path) -> Result<PageStore> {
        let archive = Archive::open(dir, archive_options())?;
        Ok(PageStore {
            after: archive.last_version()?,
            archive,
            wrappers: HashMap::new(),
            active: HashMap::new(),
            changes: Vec::new(),
            waiting: HashSet::new(),
            new: 0,
            versions: 0,
            known: 0,
            nothing: 0,
            nameless: 0,
        })
    }

    /// Adds a page with its article, the article's further pages and the wrapper that found it.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read or written.
    pub fn add(
        &mut self,
        page: &LoadedPage,
        article: Article,
        further: &[FoundPart],
        extractor: Option<Arc<Extractor>>,
    ) -> Result<()> {
        let Some(url) = page.content.url.clone() else {
            self.nameless += 1;
            return Ok(());
        };
        // A page is compared with the earlier ones of its address, which must be written.
        let wanted = further.iter().map(|part| part.wanted.as_str());
        let keys: Vec<String> = std::iter::once(&*url).chain(wanted).map(page_key).collect();
        if keys.iter().any(|key| self.waiting.contains(key)) {
            self.write()?;
        }
        self.waiting.extend(keys);
        let date = page.content.date.as_deref();
        let at = date.and_then(|date| DateTime::parse_from_rfc3339(date).ok());
        let at = at.map_or_else(|| SystemClock.now(), |at| at.to_utc());
        let site = site_of(Some(&url)).unwrap_or_default();
        let known = self.archive.known(&url)?;
        let body = page.content.bytes.clone();
        let content_type = page.content.content_type.clone();
        let raw = known.raw.as_ref();
        let latest = known.latest.as_ref();
        let is_known = raw.is_some_and(|raw| raw.sha256 == sha256_hex(&body))
            && further.is_empty()
            && (known.is_part() || latest.is_none_or(|latest| latest.parts.is_empty()));
        let parts = further.iter().map(|part| self.part(part, at));
        let parts = parts.collect::<Result<Vec<ArticlePart>>>()?;
        let by = match extractor.filter(|_| article.wrapper.is_some()) {
            Some(extractor) => Some((Arc::clone(&extractor), self.activate(&site, extractor, at)?)),
            None => None,
        };
        let by = by.as_ref();
        let by = by.map(|(extractor, sha256)| (&**extractor, sha256.as_str()));
        let mut arrival = Arrival {
            error: article.error.clone(),
            content_type,
            wrapper: by.map(|(_, sha256)| sha256.to_owned()),
            article: (!is_known).then_some(article),
            parts,
            ..Arrival::new(url, at, VisitResponse::File { body })
        };
        arrival.compare(&known, &self.archive.raw_pages(), by);
        let prepared = arrival.prepare(&known);
        self.changes.push(ArchiveChange::Page(Box::new(prepared)));
        Ok(())
    }

    /// A further page of an article, read at a time.
    fn part(&self, part: &FoundPart, at: DateTime<Utc>) -> Result<ArticlePart> {
        let known = self.archive.known(&part.wanted)?;
        let content = &part.page.content;
        let response = VisitResponse::File {
            body: content.bytes.clone(),
        };
        let arrival = Arrival {
            final_url: content.url.clone().filter(|url| *url != part.wanted),
            content_type: content.content_type.clone(),
            ..Arrival::new(part.wanted.clone(), at, response)
        };
        Ok(ArticlePart::of_arrival(arrival, &known))
    }

    /// Makes a wrapper the active one of its site; returns its digest.
    fn activate(
        &mut self,
        site: &str,
        extractor: Arc<Extractor>,
        at: DateTime<Utc>,
    ) -> Result<String> {
        let place = Arc::as_ptr(&extractor).addr();
        let (extractor, sha256) = self.wrappers.entry(place).or_insert_with(|| {
            let sha256 = sha256_hex(extractor.wrapper().to_yaml());
            (extractor, sha256)
        });
        if self.active.get(site) != Some(sha256) {
            if self.archive.active_wrapper(site)?.as_ref() != Some(sha256) {
                let event = Event::Wrapper {
                    site: site.to_owned(),
                    sha256: sha256.clone(),
                    yaml: extractor.wrapper().to_yaml(),
                    why: "applied".to_owned(),
                };
                self.changes.push(ArchiveChange::Event { at, event });
            }
            self.active.insert(site.to_owned(), sha256.clone());
        }
        Ok(sha256.clone())
    }

    /// Writes the added pages.
    ///
    /// # Errors
    ///
    /// If the archive cannot be written.
    pub fn write(&mut self) -> Result<()> {
        self.waiting.clear();
        for stored in self.archive.write(std::mem::take(&mut self.changes))? {
            match stored {
                Stored::New => self.new += 1,
                Stored::Version => self.versions += 1,
                Stored::Same | Stored::Known | Stored::Doubtful => self.known += 1,
                Stored::Nothing | Stored::Forgotten => self.nothing += 1,
            }
        }
        Ok(())
    }

    /// Fetches the pictures of the articles that were written. `on_picture` gets the address of
    /// each, and the reason of a failure.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read or written.
    pub fn gather(
        &mut self,
        fetcher: &Fetcher,
        options: RequisiteOptions,
        on_picture: &mut dyn FnMut(&str, Option<&str>),
    ) -> Result<PictureTally> {
        self.write()?;
        let (archive, clock) = (&mut self.archive, &SystemClock);
        gather(archive, fetcher, clock, options, self.after, on_picture)
    }

    /// Updates the search index; returns the message with the counts.
    ///
    /// # Errors
    ///
    /// If the archive or the index cannot be written.
    pub fn finish(mut self) -> Result<String> {
        self.write()?;
        let reader = self.archive.reader()?;
        SearchIndex::open_or_remake(&paths::index(self.archive.dir()))?.catch_up(&reader)?;
        let mut message = format!(
            "stored: {}, {}, {} known, {} without an article",
            counted(self.new, "new article", "new articles"),
            counted(self.versions, "new version", "new versions"),
            self.known,
            self.nothing
        );
        if self.nameless > 0 {
            message.push_str("; ");
            message.push_str(&counted(
                self.nameless,
                "page has no address and is not stored",
                "pages have no address and are not stored",
            ));
        }
        Ok(message)
    }
}
