//! Pages and articles into an archive, by the way of a harvest.

use crate::cli::source::Loaded;
use chrono::{DateTime, Utc};
use forest::archive::{
    Archive, ArchiveOptions, Arrival, Came, Change, Event, Stored, before_of, key_of, paths,
    search::Index,
};
use forest::extract::{Article, Extractor};
use forest::learn::site_of;
use forest::warc::hex;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// An archive that is written to, and what became of the pages.
pub struct Store {
    archive: Archive,
    /// The digests of wrappers' files, by where the wrappers are; they are kept.
    wrappers: HashMap<usize, (Arc<Extractor>, String)>,
    /// What is in force, by site.
    in_force: HashMap<String, String>,
    changes: Vec<Change>,
    /// Addresses of pages that are not written yet.
    waiting: HashSet<String>,
    new: usize,
    versions: usize,
    known: usize,
    nothing: usize,
    nameless: usize,
}

impl Store {
    pub fn open(dir: &Path) -> anyhow::Result<Store> {
        Ok(Store {
            archive: Archive::open(dir, ArchiveOptions::default())?,
            wrappers: HashMap::new(),
            in_force: HashMap::new(),
            changes: Vec::new(),
            waiting: HashSet::new(),
            new: 0,
            versions: 0,
            known: 0,
            nothing: 0,
            nameless: 0,
        })
    }

    /// Takes a page with what was read on it.
    pub fn add(
        &mut self,
        page: Loaded,
        article: Article,
        extractor: Option<Arc<Extractor>>,
    ) -> anyhow::Result<()> {
        let Some(url) = page.here.url else {
            self.nameless += 1;
            return Ok(());
        };
        // What a page means is seen beside those before it.
        if !self.waiting.insert(key_of(&url)) {
            self.write()?;
            self.waiting.insert(key_of(&url));
        }
        let date = page.here.date.as_deref();
        let at = date.and_then(|date| DateTime::parse_from_rfc3339(date).ok());
        let at = at.map_or_else(
            || DateTime::<Utc>::from(SystemTime::now()),
            |at| at.to_utc(),
        );
        let site = site_of(Some(&url)).unwrap_or_default();
        let known = self.archive.known(&url)?;
        let body = page.here.bytes;
        let content_type = page.here.content_type;
        let raw = known.raw.as_ref();
        let is_known = raw.is_some_and(|raw| raw.sha256 == hex(&Sha256::digest(&body)));
        let by = match extractor.filter(|_| article.wrapper.is_some()) {
            Some(extractor) => Some((Arc::clone(&extractor), self.in_force(&site, extractor, at)?)),
            None => None,
        };
        let by = by.as_ref();
        let by = by.map(|(extractor, sha256)| (&**extractor, sha256.as_str()));
        let now = (body.as_slice(), url.as_str(), content_type.as_deref());
        let before = match is_known {
            true => None,
            false => before_of(&self.archive.raw_pages(), &known, now, &article, by),
        };
        let arrival = Arrival {
            at,
            final_url: None,
            site,
            http_status: None,
            error: article.error.clone(),
            content_type,
            etag: None,
            last_modified: None,
            came: Came::File { body },
            wrapper: by.map(|(_, sha256)| sha256.to_owned()),
            article: (!is_known).then_some(article),
            before,
            url,
        };
        let prepared = arrival.prepare(&known);
        self.changes.push(Change::Page(Box::new(prepared)));
        Ok(())
    }

    /// The digest of a wrapper, which comes into force if it is not.
    fn in_force(
        &mut self,
        site: &str,
        extractor: Arc<Extractor>,
        at: DateTime<Utc>,
    ) -> anyhow::Result<String> {
        let place = Arc::as_ptr(&extractor).addr();
        let (extractor, sha256) = self.wrappers.entry(place).or_insert_with(|| {
            let sha256 = hex(&Sha256::digest(extractor.wrapper().to_yaml()));
            (extractor, sha256)
        });
        if self.in_force.get(site) != Some(sha256) {
            if self.archive.wrapper_in_force(site)?.as_ref() != Some(sha256) {
                let event = Event::Wrapper {
                    site: site.to_owned(),
                    sha256: sha256.clone(),
                    yaml: extractor.wrapper().to_yaml(),
                    why: "applied".to_owned(),
                };
                self.changes.push(Change::Event { at, event });
            }
            self.in_force.insert(site.to_owned(), sha256.clone());
        }
        Ok(sha256.clone())
    }

    /// Writes what was taken.
    pub fn write(&mut self) -> anyhow::Result<()> {
        self.waiting.clear();
        for stored in self.archive.write(std::mem::take(&mut self.changes))? {
            match stored {
                Stored::New => self.new += 1,
                Stored::Version => self.versions += 1,
                Stored::Same | Stored::Known => self.known += 1,
                Stored::Nothing | Stored::Forgotten => self.nothing += 1,
            }
        }
        Ok(())
    }

    /// Brings the search index up to date, and says what was done.
    pub fn finish(mut self) -> anyhow::Result<String> {
        self.write()?;
        let reader = self.archive.reader()?;
        Index::open(&paths::index(self.archive.dir()))?.catch_up(&reader)?;
        let mut said = format!(
            "stored: {} new articles, {} new versions, {} known, {} without an article",
            self.new, self.versions, self.known, self.nothing
        );
        if self.nameless > 0 {
            said.push_str(&format!(
                "; {} pages have no address and are not stored",
                self.nameless
            ));
        }
        Ok(said)
    }
}
