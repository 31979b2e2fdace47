//! Reads stored raw pages again by today's wrappers.
//!
//! Each version that another wrapper than its site's present one read is read again from its
//! pages. If the present wrapper does not match the page (it had another layout then), the
//! version stays. With an article's latest version its newest page is read as well: it may have
//! an edit that the wrapper of its time did not see. Then the doubtful readings of the site are
//! settled (`doubts`). Results are written in batches. A version is not read again twice, so
//! an interrupted call is continued by the next one.

use super::change::{ArchiveChange, Reread};
use super::doubts::{DoubtsOf, Settling, settle};
use super::handle::Archive;
use super::joined::{JoinedArticle, RawArticle, found_by, may_replace, same_article};
use super::read::{ArchiveReader, ArticleVersion, StoredArticle};
use super::reread::{AT_ONCE, Reextracted, RereadBy, is_read};
use super::sites::SiteFile;
use super::sql::Sql;
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_core::extract::{Extractor, Options};
use forest_html::text::word_count;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The selection of versions that are read again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReextractOptions {
    /// Of this site only.
    pub site: Option<String>,
    /// Of the articles of this feed only.
    pub feed: Option<String>,
    /// Only versions that were read badly, or without a wrapper.
    pub bad_only: bool,
    /// Nothing is written.
    pub dry_run: bool,
    /// The name of the receipt that a harvest leaves when it has read them
    /// ([`RereadReceipt`](super::receipt::RereadReceipt)).
    pub receipt: Option<String>,
}

/// A version whose text changed, for the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedText {
    /// The article's address.
    pub url: String,
    /// The version, from 1.
    pub number: u32,
    /// Words before (metric tokens).
    pub words_before: usize,
    /// Words now.
    pub words_now: usize,
}

/// Fewer edits than this may be all that the newer pages of a site show.
const FEW_EDITED: usize = 3;

/// A version to be read again.
struct ReextractJob {
    article: StoredArticle,
    version: ArticleVersion,
    raw: Option<RawArticle>,
    /// Its newest pages, if it is the latest version and these are others.
    newest: Option<RawArticle>,
}

/// A version that was read again.
struct ReextractedJob {
    job: ReextractJob,
    /// `None`: it has no pages.
    joined: Option<JoinedArticle>,
    /// True if the newest pages have other words; `None`: they cannot be compared.
    is_edited_later: Option<bool>,
}

impl ReextractJob {
    fn read(self, by: &Extractor) -> ReextractedJob {
        let read = |raw: &RawArticle| raw.read(Some(by), &Options::default());
        let joined = self.raw.as_ref().map(read);
        let newest = self.newest.as_ref().map(read);
        let pair = joined.as_ref().zip(newest.as_ref());
        let pair = pair.map(|(then, now)| (&then.article, &now.article));
        let pair = pair.filter(|(then, now)| is_read(now) && found_by(now) == found_by(then));
        let is_edited_later =
            pair.map(|(then, now)| !same_article(&then.text, &now.text, now.title.as_deref()));
        ReextractedJob {
            job: self,
            joined,
            is_edited_later,
        }
    }
}

/// Returns true if other words on newer pages are edits. On most pages they are what the wrapper
/// takes for a part of the articles: dates of today, what others read.
fn are_edits(read: &[ReextractedJob]) -> bool {
    let compared = || read.iter().filter_map(|done| done.is_edited_later);
    let edited = compared().filter(|is_edited| *is_edited).count();
    edited < FEW_EDITED || edited * 2 <= compared().count()
}

impl Archive {
    /// Reads versions again by the present wrappers of their sites. Calls `progress` with each
    /// version whose text changed, and with `None` after each version.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read or written.
    pub fn reextract(
        &mut self,
        options: &ReextractOptions,
        at: DateTime<Utc>,
        progress: &mut dyn FnMut(Option<&ChangedText>),
    ) -> Result<Reextracted> {
        let mut report = Reextracted::default();
        let reader = self.reader()?;
        for site in reader.sites_of(options.feed.as_deref())? {
            if options.site.as_ref().is_some_and(|wanted| *wanted != site) {
                continue;
            }
            let (file, extractor) = match self.wrapper_of(&site) {
                Ok(Some(found)) => found,
                Ok(None) => continue,
                Err(error) => {
                    report.failed.push(error.to_string());
                    continue;
                }
            };
            if self.active_wrapper(&site)?.as_ref() != Some(&file.sha256) {
                report.wrappers += 1;
                if !options.dry_run {
                    self.write(vec![file.activation(&site, at, "found")])?;
                }
            }
            let by = RereadBy {
                site: &site,
                extractor: &extractor,
                sha256: &file.sha256,
                bad_only: options.bad_only,
                feed: options.feed.as_deref(),
                is_edited: file.file.edited,
            };
            let mut write = |changes| {
                if !options.dry_run {
                    self.write(changes)?;
                }
                Ok(())
            };
            read_again(&reader, by, at, &mut report, progress, &mut write)?;
        }
        Ok(report)
    }

    fn wrapper_of(&self, site: &str) -> Result<Option<(SiteFile, Extractor)>> {
        let Some(file) = self.wrapper_file(site)? else {
            return Ok(None);
        };
        let extractor = Extractor::new(file.file.wrapper.clone());
        let extractor = extractor
            .map_err(|error| forest_core::Error::wrapper_at(&file.path, error.to_string()))?;
        Ok(Some((file, extractor)))
    }

    /// Reads versions of a site again by a wrapper that may not be active yet.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read or written.
    pub fn read_again(&mut self, by: RereadBy<'_>, at: DateTime<Utc>) -> Result<Reextracted> {
        let mut report = Reextracted::default();
        let reader = self.reader()?;
        let mut write = |changes| self.write(changes).map(|_| ());
        read_again(&reader, by, at, &mut report, &mut |_| {}, &mut write)?;
        Ok(report)
    }
}

impl ArchiveReader {
    /// The sites of the articles of a feed; without one, all.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub fn sites_of(&self, feed: Option<&str>) -> Result<Vec<String>> {
        let Some(feed) = feed else {
            return Ok(self.sites()?.into_iter().map(|(site, _)| site).collect());
        };
        let sql = "SELECT DISTINCT a.site FROM feeds f JOIN items i ON i.feed = f.id \
                   JOIN pages p ON p.id = i.page JOIN articles a ON a.id = p.article \
                   WHERE f.url = ?1 ORDER BY a.site";
        self.db.values(sql, [feed])
    }
}

/// Works in batches, so that memory is bounded.
fn read_again(
    reader: &ArchiveReader,
    by: RereadBy<'_>,
    at: DateTime<Utc>,
    report: &mut Reextracted,
    progress: &mut dyn FnMut(Option<&ChangedText>),
    write: &mut dyn FnMut(Vec<ArchiveChange>) -> Result<()>,
) -> Result<()> {
    let mut after = 0;
    let mut settling = Settling::by(reader, &by, at);
    loop {
        let jobs = jobs_of(reader, &by, after)?;
        let Some(last) = jobs.last() else {
            let others = DoubtsOf::OtherWrappers;
            return settle(reader, (&by, others), at, report, write);
        };
        after = last.version.id;
        let read = jobs.into_par_iter().map(|job| job.read(by.extractor));
        let read: Vec<ReextractedJob> = read.collect();
        let are_edits = are_edits(&read);
        let mut changes = Vec::new();
        for done in read {
            let article = done.job.article.id;
            let again = take(done.job, done.joined, &by, at, report, &mut |text| {
                progress(Some(text))
            });
            progress(None);
            let Some(again) = again else { continue };
            let mut later = Vec::new();
            if are_edits && done.is_edited_later == Some(true) {
                later = settling.later_edits(article, &again.joined, report)?;
            }
            changes.push(ArchiveChange::Reading(Box::new(again)));
            changes.extend(later);
        }
        write(changes)?;
    }
}

/// The next versions of a site that another wrapper read, or none.
fn jobs_of(reader: &ArchiveReader, by: &RereadBy<'_>, after: i64) -> Result<Vec<ReextractJob>> {
    let sql = "SELECT v.id FROM versions v JOIN articles a ON a.id = v.article \
               WHERE a.site = ?1 AND v.wrapper IS NOT ?2 AND v.id > ?3 \
               AND (NOT ?5 OR v.status IN ('fallback', 'degraded')) \
               AND (?6 IS NULL OR a.id IN (SELECT p.article FROM feeds f JOIN items i ON i.feed = f.id \
               JOIN pages p ON p.id = i.page WHERE f.url = ?6)) ORDER BY v.id LIMIT ?4";
    let params = rusqlite::params![by.site, by.sha256, after, AT_ONCE, by.bad_only, by.feed];
    let mut jobs = Vec::new();
    for id in reader.db.values(sql, params)? {
        if let Some((article, version)) = reader.version(id)? {
            let raw = reader.raw_of(&version)?;
            let mut newest = None;
            if version.number == article.versions {
                newest = reader.newest_pages(id)?;
            }
            jobs.push(ReextractJob {
                article,
                version,
                raw,
                newest,
            });
        }
    }
    Ok(jobs)
}

/// The change for a version that was read again; `None` if nothing must be written.
fn take(
    job: ReextractJob,
    joined: Option<JoinedArticle>,
    by: &RereadBy<'_>,
    at: DateTime<Utc>,
    report: &mut Reextracted,
    progress: &mut dyn FnMut(&ChangedText),
) -> Option<Reread> {
    report.versions += 1;
    let Some(mut joined) = joined else {
        report.without_page += 1;
        return None;
    };
    let article = &mut joined.article;
    let before = &job.version.record;
    let may_replace = by.is_edited || may_replace(by.extractor, found_by(before), article);
    if !is_read(article) || !may_replace {
        report.unmatched += 1;
        return None;
    }
    report.read += 1;
    if before.text != article.text {
        report.changed += 1;
        progress(&ChangedText {
            url: job.article.url.clone(),
            number: job.version.number,
            words_before: word_count(&before.text),
            words_now: word_count(&article.text),
        });
    }
    article.date_fetched.clone_from(&before.date_fetched);
    Some(Reread {
        at,
        key: job.article.key,
        number: job.version.number,
        joined,
        wrapper: by.sha256.to_owned(),
    })
}
