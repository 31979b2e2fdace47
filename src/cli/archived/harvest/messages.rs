//! The messages of a harvest on stderr: lines in text, events with fields in JSON.
//!
//! The fields of events are `feed`, `site`, `url`, `status` (of a page's article), `stored`,
//! `error`, `warning`, `verdict`, `was`, `learning` and counts by their names.

use crate::cli::Global;
use crate::cli::log::TARGET;
use forest_harvest::report::{
    FailureCounts, FailureGroup, items_without_address, page_line, picture_failure, stored_name,
    tally_line,
};
use forest_harvest::{HarvestProgress, HarvestTally, Learning};
use forest_html::error::counted;
use tracing::{debug, info, warn};

/// Logs an event of the harvest.
pub fn log(event: &HarvestProgress<'_>) {
    match event {
        HarvestProgress::Feed { .. } => log_feed(event),
        HarvestProgress::Page { .. } => log_page(event),
        HarvestProgress::Verdict { site, from, to, .. } => {
            info!(target: TARGET, site, verdict = %to, was = %from, "{site}: {to} (was {from})");
        }
        HarvestProgress::FeedMoved { url: feed, to } => {
            info!(target: TARGET, feed, to, "{feed}: has moved to {to}");
        }
        HarvestProgress::Learning { site, learning } => {
            let (learning, why) = match learning {
                Learning::Learned => ("learned", "wrapper learned".to_owned()),
                Learning::Relearned => (
                    "relearned",
                    "wrapper learned again, it does better".to_owned(),
                ),
                Learning::Kept(why) => ("kept", format!("nothing learned: {why}")),
            };
            info!(target: TARGET, site, learning, "{site}: {why}");
        }
        HarvestProgress::Settled { site, edit, .. } => {
            let url = &edit.url;
            debug!(target: TARGET, url, site, "{url}: an edit was found");
        }
        HarvestProgress::ReadAgain { site, report } => {
            let (versions, changed) = (report.read, report.changed);
            info!(
                target: TARGET, site, versions, changed,
                "{site}: {} read again, {changed} with another text",
                counted(versions, "version", "versions")
            );
        }
        HarvestProgress::Picture { url, error } => match error {
            Some(error) => {
                warn!(target: TARGET, url, error, "{}", picture_failure(url, error));
            }
            None => debug!(target: TARGET, url, "{url}: stored"),
        },
        _ => {}
    }
}

fn log_feed(event: &HarvestProgress<'_>) {
    let HarvestProgress::Feed {
        url: feed,
        new,
        without_address,
        error,
        warning,
    } = *event
    else {
        return;
    };
    if let Some(warning) = warning {
        warn!(target: TARGET, feed, warning, "{feed}: {warning}");
    }
    if without_address > 0 {
        let items = items_without_address(without_address);
        warn!(target: TARGET, feed, without_address, "{feed}: {items}");
    }
    match (error, new) {
        (Some(error), _) => warn!(target: TARGET, feed, error, "{feed}: {error}"),
        (None, 0) => debug!(target: TARGET, feed, new, "{feed}: nothing new"),
        (None, _) => {
            let items = counted(new, "new item", "new items");
            info!(target: TARGET, feed, new, "{feed}: {items}");
        }
    }
}

fn log_page(event: &HarvestProgress<'_>) {
    let HarvestProgress::Page {
        url,
        site,
        status,
        stored,
        error,
        ..
    } = *event
    else {
        return;
    };
    let line = page_line(url, stored, error);
    let status = format!("{status:?}").to_lowercase();
    let stored = stored_name(stored);
    debug!(target: TARGET, url, site, status, stored, error, "{line}");
}

/// Shows a page that the user asked for.
pub fn say_page(event: &HarvestProgress<'_>, global: &Global) {
    match *event {
        HarvestProgress::Page {
            url, stored, error, ..
        } if !global.logs_json() => global.say(page_line(url, stored, error)),
        _ => log_page(event),
    }
}

/// Logs the counts of a harvest at its end.
pub fn log_end(tally: &HarvestTally) {
    let HarvestTally {
        feeds,
        feeds_failed,
        feeds_gone,
        items,
        pages,
        pages_failed,
        pages_gone,
        pages_blocked,
        pages_empty,
        articles,
        versions,
        pictures,
        pictures_failed,
        wrappers,
        drifted,
        ..
    } = *tally;
    info!(
        target: TARGET,
        feeds, feeds_failed, feeds_gone, items, pages, pages_failed, pages_gone, pages_blocked,
        pages_empty, articles, versions, pictures, pictures_failed, wrappers, drifted,
        "{}", tally_line(tally)
    );
}

/// Logs the pages that failed, by site and reason.
pub fn log_failures(failures: &FailureCounts, global: &Global) {
    let (groups, more) = failures.named();
    for group in groups {
        let FailureGroup {
            site,
            error,
            pages,
            url,
        } = group;
        info!(target: TARGET, site, pages, error, url, "{group}");
    }
    if more > 0 {
        let more = counted(more, "more site or reason", "more sites or reasons");
        global.say(format_args!("{more}: -v names each page"));
    }
}
