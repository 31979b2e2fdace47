//! Today's wrappers on yesterday's raw pages.
//!
//! Each version whose wrapper is not its site's of today is read again from the page
//! that it was read on. Where today's wrapper does not match that page (it had another
//! layout then), the version stays as it is. Written in batches: what was read again is
//! not read once more, so the work goes on where it stopped.

use super::event::Event;
use super::read::{RawPage, Reader, StoredArticle, Version};
use super::store::{Again, Change};
use super::{Archive, Before, Known, RawPages, SiteFile};
use crate::error::Result;
use crate::extract::{Article, Extractor, Options, Status, fallback};
use crate::page::{Page, Source};
use crate::text::{metric_tokens, same_words};
use chrono::{DateTime, Utc};
use rayon::prelude::*;

/// Versions that are read together, and written together.
const AT_ONCE: usize = 64;

/// Which versions are read again, and whether that is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReextractOptions {
    /// Of this site only.
    pub site: Option<String>,
    /// Nothing is written.
    pub dry_run: bool,
}

/// What came of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reextracted {
    /// Versions whose wrapper is not today's.
    pub versions: u64,
    /// Of these, versions that today's wrapper reads.
    pub read: u64,
    /// Of these, versions whose text is another now.
    pub changed: u64,
    /// Versions whose page today's wrapper does not match.
    pub unmatched: u64,
    /// Versions without a raw page.
    pub without_page: u64,
    /// Wrappers that came into force: somebody put or edited their files.
    pub wrappers: u64,
}

/// A version whose text became another, for whoever looks on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rereading {
    /// The article's address.
    pub url: String,
    /// The version, from 1.
    pub number: u32,
    /// Words before (metric tokens).
    pub words_before: usize,
    /// Words now.
    pub words_now: usize,
}

/// A version that is to be read again.
struct Job {
    article: StoredArticle,
    version: Version,
    raw: Option<RawPage>,
}

impl Archive {
    /// Reads versions again by the wrappers that their sites have today, and tells
    /// `look_on` of each whose text became another.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read or written, or a wrapper's file cannot be read.
    pub fn reextract(
        &mut self,
        options: &ReextractOptions,
        at: DateTime<Utc>,
        look_on: &mut dyn FnMut(&Rereading),
    ) -> Result<Reextracted> {
        let mut done = Reextracted::default();
        let reader = self.reader()?;
        for (site, _) in reader.sites()? {
            if options.site.as_ref().is_some_and(|wanted| *wanted != site) {
                continue;
            }
            let Some(file) = self.wrapper_file(&site)? else {
                continue;
            };
            let extractor = Extractor::new(file.file.wrapper.clone())?;
            if self.wrapper_in_force(&site)?.as_ref() != Some(&file.sha256) {
                done.wrappers += 1;
                if !options.dry_run {
                    self.write(vec![in_force(&site, &file, at)])?;
                }
            }
            let mut after = 0;
            loop {
                let jobs = jobs_of(&reader, &site, &file.sha256, after)?;
                let Some(last) = jobs.last() else { break };
                after = last.version.id;
                let read: Vec<(Job, Option<Article>)> = jobs
                    .into_par_iter()
                    .map(|job| {
                        let article = job.raw.as_ref().map(|raw| {
                            let content_type = raw.content_type.as_deref();
                            read_page(&raw.body, &raw.url, content_type, Some(&extractor))
                        });
                        (job, article)
                    })
                    .collect();
                let mut changes = Vec::new();
                for (job, article) in read {
                    let again = take(job, article, &file.sha256, at, &mut done, look_on);
                    changes.extend(again.map(|again| Change::Reading(Box::new(again))));
                }
                if !options.dry_run {
                    self.write(changes)?;
                }
            }
        }
        Ok(done)
    }
}

fn in_force(site: &str, file: &SiteFile, at: DateTime<Utc>) -> Change {
    let event = Event::Wrapper {
        site: site.to_owned(),
        sha256: file.sha256.clone(),
        yaml: file.yaml.clone(),
        why: "found".to_owned(),
    };
    Change::Event { at, event }
}

/// The next versions of a site that another wrapper read, or none.
fn jobs_of(reader: &Reader, site: &str, wrapper: &str, after: i64) -> Result<Vec<Job>> {
    let sql = "SELECT v.id FROM versions v JOIN articles a ON a.id = v.article \
               WHERE a.site = ?1 AND v.wrapper IS NOT ?2 AND v.id > ?3 ORDER BY v.id LIMIT ?4";
    let mut rows = reader.db.prepare_cached(sql)?;
    let rows = rows.query_map(rusqlite::params![site, wrapper, after, AT_ONCE], |row| {
        row.get(0)
    })?;
    let wanted: Vec<i64> = rows.collect::<Result<_, _>>()?;
    let mut jobs = Vec::with_capacity(wanted.len());
    for id in wanted {
        if let Some((article, version)) = reader.version(id)? {
            let raw = reader.raw_of(&version)?;
            jobs.push(Job {
                article,
                version,
                raw,
            });
        }
    }
    Ok(jobs)
}

/// A page read by a wrapper, or without one.
pub fn read_page(
    body: &[u8],
    url: &str,
    content_type: Option<&str>,
    by: Option<&Extractor>,
) -> Article {
    let source = Source {
        url: Some(url),
        content_type,
    };
    let options = Options::default();
    match by {
        Some(extractor) => extractor.extract(&extractor.parse(body, source), &options),
        None => fallback(
            &Page::parse(body, source),
            &options,
            "the newer page was read without a wrapper",
        ),
    }
}

/// The page of the latest version as it is read today, where it was read in another way
/// then; for [`Arrival::before`](super::Arrival). `now` is the page that came, its
/// address and its `Content-Type`, `article` what was read on it, and `by` the wrapper
/// of today with the digest of its file.
pub fn before_of(
    raw_pages: &RawPages,
    known: &Known,
    now: (&[u8], &str, Option<&str>),
    article: &Article,
    by: Option<(&Extractor, &str)>,
) -> Option<Before> {
    let latest = known.latest.as_ref()?;
    let today = article.wrapper.as_ref().and(by);
    if latest.wrapper.as_deref() == today.map(|(_, sha256)| sha256) {
        return None;
    }
    let raw = raw_pages.read(known.raw.as_ref()?).ok()?;
    let read = |by| read_page(&raw.body, &raw.url, raw.content_type.as_deref(), by);
    if let Some((extractor, _)) = today {
        let before = read(Some(extractor));
        if before.wrapper.is_some() {
            return Some(Before::ByWrapper(Box::new(before)));
        }
    }
    let (body, url, content_type) = now;
    Some(Before::Alone {
        same: same_words(
            &read(None).text,
            &read_page(body, url, content_type, None).text,
        ),
    })
}

/// What is to be written of a version that was read again.
fn take(
    job: Job,
    article: Option<Article>,
    wrapper: &str,
    at: DateTime<Utc>,
    done: &mut Reextracted,
    look_on: &mut dyn FnMut(&Rereading),
) -> Option<Again> {
    done.versions += 1;
    let Some(mut article) = article else {
        done.without_page += 1;
        return None;
    };
    let found = matches!(article.status, Status::Ok | Status::Degraded);
    if !found || article.wrapper.is_none() || article.text.is_empty() {
        done.unmatched += 1;
        return None;
    }
    done.read += 1;
    let before = &job.version.record;
    if before.text != article.text {
        done.changed += 1;
        look_on(&Rereading {
            url: job.article.url.clone(),
            number: job.version.number,
            words_before: metric_tokens(&before.text).len(),
            words_now: metric_tokens(&article.text).len(),
        });
    }
    article.date_fetched.clone_from(&before.date_fetched);
    Some(Again {
        at,
        key: job.article.key,
        number: job.version.number,
        article,
        wrapper: wrapper.to_owned(),
    })
}
