//! Learns a site's wrapper from its stored pages: the first one, the one after a drift, or the
//! one that a person asks for.

use super::active::ActiveWrapper;
use super::options::HarvestOptions;
use crate::clock::rfc3339;
use crate::error::Result;
use crate::schedule::archive_options;
use chrono::{DateTime, Utc};
use forest_archive::{
    Archive, ArchiveReader, ReextractOptions, Reextracted, SiteFile, SitePage, UrgentRequest,
    paths, replace_wrapper, request_now, wrapper_file,
};
use forest_core::drift::relearn::{Decision, RelearnTrial, relearn};
use forest_core::drift::{PageObservation, PageSign, REMEMBERED, RUN, observe, report};
use forest_core::extract::Extractor;
use forest_core::learn::SampleVerdict::Good;
use forest_core::learn::{
    LearnOptions, LearnOutcome, MIN_PAGES, SamplePage, TRIES_A_PAGE, keep_good, learn,
};
use forest_core::wrapper::Wrapper;
use forest_html::address::most_frequent;
use forest_html::error::counted;
use forest_html::text::sha256_hex;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The result of trying to learn a wrapper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Learning {
    /// The site's first wrapper.
    Learned,
    /// A wrapper took an older one's place.
    Relearned,
    /// Nothing was learned, for this reason.
    Kept(String),
}

/// The reason why a wrapper is learned again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LearningCause {
    /// It has drifted.
    Drift,
    /// A person asks for it.
    Asked,
}

pub(super) type LearnResult = std::result::Result<(Wrapper, Learning), String>;

/// Learns a site's wrapper from its newest stored pages, whatever the wrapper finds on them, and
/// makes the new wrapper the active one. Versions that were read badly are read again, and doubtful
/// readings are settled; if a harvest runs, it does so.
///
/// # Errors
///
/// If the archive cannot be read, or the file cannot be written.
pub fn relearn_site(dir: &Path, site: &str, now: DateTime<Utc>) -> Result<Relearned> {
    let (reader, options) = (ArchiveReader::open(dir)?, HarvestOptions::default());
    let at = rfc3339(now);
    let learn_options = LearnOptions::default().with_site(site).with_learned(&at);
    let mut templates = None;
    let learned = match wrapper_file(&paths::sites(dir), site)? {
        Some(file) if file.file.edited => Err("its wrapper was edited by hand".to_owned()),
        Some(file) => {
            templates = Some(file.file.wrapper.templates.clone());
            let old = ActiveWrapper {
                sha256: file.sha256,
                extractor: Arc::new(Extractor::new(file.file.wrapper)?),
            };
            let old = (&old, LearningCause::Asked);
            next(&reader, site, &options, (&learn_options, &at), old)?
        }
        None => first(
            FirstSample::of(&reader, site, options.sample())?,
            learn_options,
        )?,
    };
    let wrapper = match learned {
        Ok((wrapper, _)) if templates.as_ref() == Some(&wrapper.templates) => {
            let why = "the newest pages teach the same wrapper";
            return Ok(Relearned::Kept(why.to_owned()));
        }
        Ok((wrapper, _)) => wrapper,
        Err(why) => return Ok(Relearned::Kept(why)),
    };
    replace_wrapper(dir, &wrapper, false)?;
    let rest = ReextractOptions {
        site: Some(site.to_owned()),
        bad_only: true,
        ..ReextractOptions::default()
    };
    match Archive::open(dir, archive_options()) {
        Ok(mut archive) => {
            let report = archive.reextract(&rest, now, &mut |_| {})?;
            Ok(Relearned::Done(Box::new(report)))
        }
        Err(error) if error.is_archive_locked() => {
            request_now(dir, now, UrgentRequest::Reextract(rest))?;
            Ok(Relearned::LeftToHarvest)
        }
        Err(error) => Err(error.into()),
    }
}

/// The result of learning a site again because a person asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relearned {
    /// There is a new wrapper, and its articles were read again.
    Done(Box<Reextracted>),
    /// There is a new wrapper; the harvest that runs does the rest.
    LeftToHarvest,
    /// The wrapper stays, for this reason.
    Kept(String),
}

impl fmt::Display for Relearned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Relearned::Done(report) => write!(
                f,
                "A new wrapper was learned; {} read again, {} accepted.",
                counted(report.read, "version", "versions"),
                counted(report.edits.len(), "edit", "edits")
            ),
            Relearned::LeftToHarvest => {
                f.write_str("A new wrapper was learned. The harvest takes it over.")
            }
            Relearned::Kept(why) => write!(f, "nothing was changed: {why}"),
        }
    }
}

/// Makes the last earlier wrapper of a site the one in its file. A sentence for people, or the
/// reason why nothing changed.
///
/// # Errors
///
/// If the file cannot be read or written, or the earlier wrapper cannot be used.
pub fn roll_back(
    dir: &Path,
    site: &str,
    now: DateTime<Utc>,
) -> Result<std::result::Result<String, String>> {
    let Some(SiteFile { file, .. }) = wrapper_file(&paths::sites(dir), site)? else {
        return Ok(Err("the site has no wrapper".to_owned()));
    };
    if file.edited {
        return Ok(Err("its wrapper was edited by hand".to_owned()));
    }
    let Some(old) = file.wrapper.history.first().cloned() else {
        return Ok(Err("there is no earlier wrapper".to_owned()));
    };
    let at = rfc3339(now);
    let back = file.wrapper.rolled_back(&old, &at);
    back.compile()?;
    replace_wrapper(dir, &back, false)?;
    Ok(Ok(
        "The earlier wrapper is back. The harvest takes it over.".to_owned(),
    ))
}

/// The sample for a site's first wrapper: the pages that `learn` would take from its feed.
pub(super) struct FirstSample {
    pages: Vec<SamplePage>,
    pub good: usize,
    /// The feed that lists most of them.
    feed: Option<String>,
}

impl FirstSample {
    /// `want` good pages, or as many as there are.
    pub fn of(reader: &ArchiveReader, site: &str, want: usize) -> Result<FirstSample> {
        let (mut pages, mut feeds, mut good, mut seen) = (Vec::new(), Vec::new(), 0, 0);
        while good < want && seen < want * TRIES_A_PAGE {
            let next = seen + want - good;
            let batch = reader.feed_pages(site, seen..next)?;
            if batch.is_empty() {
                break;
            }
            seen = next;
            pages.extend(batch.iter().map(sample_page));
            feeds.extend(batch.into_iter().map(|page| Some(page.item_metadata?.feed)));
            good = keep_good(&mut pages, want, |_, _| ());
        }
        let feed = most_frequent(&feeds);
        Ok(FirstSample { pages, good, feed })
    }
}

/// A site's first wrapper, unless it fits none of its pages. Pages whose agreement shows
/// that each of them alone misleads count as fitting
/// ([`Expect::agreement`](forest_core::wrapper::Expect::agreement)).
pub(super) fn first(sample: FirstSample, learn_options: LearnOptions) -> Result<LearnResult> {
    let learn_options = match sample.feed {
        Some(feed) => learn_options.with_feed(feed),
        None => learn_options,
    };
    let learned = match learn(&sample.pages, &learn_options.with_articles(true)) {
        LearnOutcome::Learned(learned) => *learned,
        LearnOutcome::Abstained(abstention) => return Ok(Err(abstention.reason.to_string())),
    };
    let judged = sample.pages.iter().zip(&learned.verdicts);
    let good = judged.filter(|(_, verdict)| **verdict == Good);
    let good: Vec<&SamplePage> = good.map(|(page, _)| page).collect();
    let extractor = Extractor::new(learned.wrapper.clone())?;
    let seen: Vec<PageObservation> = good.iter().map(|page| seen_by(&extractor, page)).collect();
    if let Some(why) = why_unused(&extractor, &seen) {
        return Ok(Err(why));
    }
    Ok(Ok((learned.wrapper, Learning::Learned)))
}

/// The reason why a first wrapper does not become active: it fits none of its pages.
fn why_unused(extractor: &Extractor, seen: &[PageObservation]) -> Option<String> {
    let signs = seen
        .iter()
        .map(|seen| PageSign::of(extractor.wrapper(), seen));
    let counted: Vec<PageSign> = signs.filter(|sign| sign.worth.is_some()).collect();
    if counted.len() < RUN || counted.iter().any(|sign| sign.fits) {
        return None;
    }
    let why = report(extractor.wrapper(), extractor.matcher(), seen).why;
    let example = why.first().map_or(String::new(), |why| format!(" ({why})"));
    Some(format!(
        "what it finds is on none of {} pages like an article{example}",
        counted.len()
    ))
}

/// The wrapper that replaces a drifted one, if it does better; or that a person asks for, if it
/// does no worse.
pub(super) fn next(
    reader: &ArchiveReader,
    site: &str,
    options: &HarvestOptions,
    (learn_options, at): (&LearnOptions, &str),
    (old, cause): (&ActiveWrapper, LearningCause),
) -> Result<LearnResult> {
    let pages = reader.latest_pages(site, REMEMBERED + options.sample())?;
    let sample: Vec<SamplePage> = pages.iter().map(sample_page).collect();
    // The results of the old wrapper now: the oldest pages were read before it existed.
    let signs: Vec<PageSign> = sample
        .iter()
        .map(|page| sign_of(&old.extractor, page))
        .collect();
    // Since the oldest of the last pages that the wrapper fails on.
    let failed = |sign: &PageSign| sign.worth.is_some() && !sign.fits;
    let last = signs.len().min(REMEMBERED);
    let newest = signs[..last].iter().rposition(failed);
    let newest = match (newest.map_or(0, |oldest| oldest + 1), cause) {
        // Too few to learn from: its newest pages, whatever it finds on them.
        (few, LearningCause::Asked) if few < MIN_PAGES => options.sample().min(signs.len()),
        (failed, _) => failed,
    };
    let of = |range: std::ops::Range<usize>| sample[range].iter().collect::<Vec<_>>();
    let newest_pages = of(0..newest.min(2 * options.sample()));
    let stored = sample.iter().zip(&signs).skip(newest);
    let stored: Vec<&SamplePage> = stored
        .filter_map(|(page, sign)| sign.fits.then_some(page))
        .collect();
    let trial = RelearnTrial {
        old: &old.extractor,
        stored: &stored,
        newest: &newest_pages,
        is_asked: cause == LearningCause::Asked,
    };
    Ok(match relearn(&trial, learn_options, at) {
        Decision::Promote(promotion) => {
            for warning in &promotion.warnings {
                tracing::warn!(site, "{warning}");
            }
            Ok((promotion.wrapper, Learning::Relearned))
        }
        Decision::Keep(keep) => Err(keep.to_string()),
    })
}

/// The evidence of a stored page for a wrapper.
pub(super) fn sign_of(extractor: &Extractor, sample: &SamplePage) -> PageSign {
    PageSign::of(extractor.wrapper(), &seen_by(extractor, sample))
}

fn seen_by(extractor: &Extractor, sample: &SamplePage) -> PageObservation {
    let item = sample.item_text();
    let (id, page) = (&sample.name, &sample.page);
    observe(extractor, id, page, item.as_deref(), |_| None)
}

pub(super) fn sample_page(page: &SitePage) -> SamplePage {
    let raw = &page.raw;
    let mut sample = SamplePage::new(raw.parse(None), &raw.url);
    sample.sha256 = sha256_hex(&page.raw.body);
    sample.item = page
        .item_metadata
        .as_ref()
        .map(|metadata| metadata.item.clone());
    sample
}
