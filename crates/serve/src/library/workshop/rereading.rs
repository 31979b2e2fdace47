//! The stored articles of a site are read again by its saved wrapper.
//!
//! A harvest that runs does the work and leaves a receipt, which is taken when a page asks.

use crate::error::Result;
use crate::library::jobs::{JobProgress, KeptJob, KeptJobs};
use forest_archive::{ArchiveReader, RereadReceipt, is_in_use};
use forest_harvest::reread_stored;
use forest_html::error::CRASHED;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// Changed articles that are shown.
const SHOWN: usize = 50;

/// An article whose text changed.
#[derive(Debug, Clone)]
pub(super) struct ChangedArticle {
    pub id: i64,
    pub title: String,
}

/// The state of the work.
#[derive(Debug, Clone)]
pub(super) enum RereadingPhase {
    /// This process reads.
    Reading,
    /// A harvest reads.
    LeftToHarvest,
    Done(RereadReceipt, Vec<ChangedArticle>),
    Failed(String),
}

/// How far the work is.
#[derive(Debug, Clone)]
pub struct RereadingState {
    pub(super) site: String,
    /// Stored articles of the site.
    pub(super) articles: u64,
    /// Versions that were read so far.
    pub(super) read: usize,
    pub(super) phase: RereadingPhase,
}

impl JobProgress for RereadingState {
    const MAX_WORKING: usize = 2;

    fn begun() -> RereadingState {
        RereadingState {
            site: String::new(),
            articles: 0,
            read: 0,
            phase: RereadingPhase::Reading,
        }
    }

    fn is_working(&self) -> bool {
        matches!(self.phase, RereadingPhase::Reading)
    }
}

/// See the file's page.
pub(super) type RereadingJob = KeptJob<RereadingState>;

/// The jobs of this run.
pub type RereadingJobs = KeptJobs<RereadingState>;

impl RereadingJob {
    /// Begins the work on a thread that may wait.
    pub(super) fn start(self: Arc<Self>, dir: &Path, site: &str, articles: u64) {
        {
            let mut state = self.state();
            (state.site, state.articles) = (site.to_owned(), articles);
        }
        let (dir, site) = (dir.to_owned(), site.to_owned());
        tokio::spawn(async move {
            let job = Arc::clone(&self);
            let work = move || job.work(&dir, &site);
            let phase = match tokio::task::spawn_blocking(work).await {
                Ok(Ok(phase)) => phase,
                Ok(Err(why)) => RereadingPhase::Failed(why.to_string()),
                Err(_) => RereadingPhase::Failed(CRASHED.to_owned()),
            };
            self.state().phase = phase;
        });
    }

    fn work(&self, dir: &Path, site: &str) -> Result<RereadingPhase> {
        let mut step = || self.state().read += 1;
        match reread_stored(dir, site, &self.id, SystemTime::now().into(), &mut step)? {
            Some(receipt) => done(dir, receipt),
            None => Ok(RereadingPhase::LeftToHarvest),
        }
    }

    /// Takes what the harvest has done; another request may have taken it meanwhile.
    pub(super) fn take(&self, phase: RereadingPhase) {
        let mut state = self.state();
        if matches!(state.phase, RereadingPhase::LeftToHarvest) {
            state.phase = phase;
        }
    }

    /// Ends a job that did not begin.
    pub(super) fn give_up(&self, why: &str) {
        self.state().phase = RereadingPhase::Failed(why.to_owned());
    }
}

/// The end of the work, with the articles that it changed.
fn done(dir: &Path, receipt: RereadReceipt) -> Result<RereadingPhase> {
    let reader = ArchiveReader::open(dir)?;
    let mut changed = Vec::new();
    for url in receipt.articles.iter().take(SHOWN) {
        let Some(article) = reader.article(url)? else {
            continue;
        };
        let title = reader.entry(article.id)?.and_then(|entry| entry.title);
        changed.push(ChangedArticle {
            id: article.id,
            title: title.unwrap_or_else(|| url.clone()),
        });
    }
    Ok(RereadingPhase::Done(receipt, changed))
}

/// The receipt of the harvest, if it has left one.
pub(super) fn phase_of_harvest(dir: &Path, name: &str) -> Result<RereadingPhase> {
    // Whatever is there after the harvest has ended was left before.
    let is_running = is_in_use(dir);
    match RereadReceipt::take(dir, name)? {
        Some(receipt) => done(dir, receipt),
        None if is_running => Ok(RereadingPhase::LeftToHarvest),
        None => Ok(RereadingPhase::Failed(
            "the harvest ended before it had read them".to_owned(),
        )),
    }
}
