//! Sites whose versions were read again: judged by their newest stored pages, and learned again if
//! these show a drift.

use super::driver::ProgressCallback;
use super::learning::Learning;
use super::options::HarvestOptions;
use super::progress::HarvestProgress;
use super::sites::{LearningTry, Sites};
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_archive::{Archive, SettledEdit};
use forest_core::drift::Verdict;

/// Learns the wrappers of these sites again that have drifted on the newest stored pages. Each
/// verdict and each try goes to `on_progress`. Returns the number of wrappers that were learned
/// and of edits that were accepted by these.
///
/// # Errors
///
/// If the archive cannot be read or written.
pub fn relearn_drifted(
    archive: &mut Archive,
    names: &[String],
    options: &HarvestOptions,
    now: DateTime<Utc>,
    on_progress: &mut ProgressCallback<'_>,
) -> Result<(u64, u64)> {
    let mut sites = Sites::default();
    for name in names {
        let drift = sites.rejudge(archive, name, now)?;
        report_drift(name, drift, on_progress);
    }
    let (mut wrappers, mut edited) = (0, 0);
    for site in sites.ready(archive, options)? {
        let Some(tried) = sites.learn(archive, &site, options, now)? else {
            continue;
        };
        let LearningTry { learning, edits } = &tried;
        wrappers += u64::from(!matches!(learning, Learning::Kept(_)));
        edited += edits.len() as u64;
        on_progress(&HarvestProgress::Learning {
            site: &site,
            learning,
        });
        report_edits(archive, &site, edits, on_progress)?;
    }
    Ok((wrappers, edited))
}

/// Reports doubtful readings that became versions.
///
/// # Errors
///
/// If the archive cannot be read.
pub fn report_edits(
    archive: &Archive,
    site: &str,
    edits: &[SettledEdit],
    on_progress: &mut ProgressCallback<'_>,
) -> Result<()> {
    for edit in edits {
        let feed = archive.feed_of(edit.page)?;
        on_progress(&HarvestProgress::Settled {
            site,
            edit,
            feed: feed.as_deref(),
        });
    }
    Ok(())
}

/// Reports a drift that [`Sites::rejudge`] gave.
pub(super) fn report_drift(
    site: &str,
    drift: Option<(Verdict, String)>,
    on_progress: &mut ProgressCallback<'_>,
) {
    if let Some((from, url)) = drift {
        on_progress(&HarvestProgress::Verdict {
            site,
            from,
            to: Verdict::Drift,
            url: &url,
        });
    }
}
