//! The messages of a harvest on stderr: lines in text, events with fields in JSON.
//!
//! The fields of events are `feed`, `site`, `url`, `status` (of a page's article), `stored`,
//! `error`, `verdict`, `was`, `learning` and counts by their names.

use crate::cli::log::TARGET;
use crate::cli::{Global, images};
use forest_archive::Stored;
use forest_harvest::{HarvestProgress, HarvestTally, Learning, PictureTally};
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
        HarvestProgress::Picture { url, error } => match error {
            Some(error) => {
                warn!(target: TARGET, url, error, "{}", images::failure(url, error));
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
    } = *event
    else {
        return;
    };
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

fn page_line(url: &str, stored: Stored, error: Option<&str>) -> String {
    let result = match stored {
        Stored::New => "stored",
        Stored::Version => "stored as another version",
        Stored::Same => "nothing new",
        Stored::Known => "known under another address",
        Stored::Nothing => "no article",
        Stored::Forgotten => "forgotten",
    };
    match error {
        Some(error) => format!("{url}: {result}: {error}"),
        None => format!("{url}: {result}"),
    }
}

/// The name of a result in JSON.
pub fn stored_name(stored: Stored) -> &'static str {
    match stored {
        Stored::New => "new",
        Stored::Version => "version",
        Stored::Same => "same",
        Stored::Known => "known",
        Stored::Nothing => "nothing",
        Stored::Forgotten => "forgotten",
    }
}

/// `2 items have no address`: there is no page to visit for them.
pub fn items_without_address(count: usize) -> String {
    counted(count, "item has no address", "items have no address")
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
        "{}", summary(tally)
    );
}

fn summary(tally: &HarvestTally) -> String {
    let feeds = [
        (tally.feeds_gone, "gone"),
        (tally.feeds_failed - tally.feeds_gone, "failed"),
    ];
    let pages = [
        (tally.pages_gone, "gone"),
        (tally.pages_blocked, "blocked"),
        (tally.pages_empty, "without an article"),
        (
            tally.pages_failed - tally.pages_gone - tally.pages_blocked - tally.pages_empty,
            "failed",
        ),
    ];
    let mut parts = vec![
        counted(tally.feeds, "feed polled", "feeds polled") + &among(&feeds),
        counted(tally.items, "new item", "new items"),
        counted(tally.pages, "page", "pages") + &among(&pages),
        counted(tally.articles, "new article", "new articles"),
        counted(tally.versions, "new version", "new versions"),
    ];
    if tally.pictures + tally.pictures_failed > 0 {
        let pictures = PictureTally {
            stored: tally.pictures,
            failed: tally.pictures_failed,
        };
        parts.push(images::summary(pictures));
    }
    if tally.wrappers > 0 {
        parts.push(counted(
            tally.wrappers,
            "wrapper learned",
            "wrappers learned",
        ));
    }
    if tally.drifted > 0 {
        parts.push(counted(tally.drifted, "site drifted", "sites drifted"));
    }
    parts.join(", ")
}

/// ` (2 gone, 1 failed)`; an empty text if all counts are 0.
fn among(parts: &[(u64, &str)]) -> String {
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<_> = parts.map(|(n, what)| format!("{n} {what}")).collect();
    match parts.as_slice() {
        [] => String::new(),
        parts => format!(" ({})", parts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_counts_gone_and_failed_apart() {
        let mut tally = HarvestTally::default();
        (tally.feeds, tally.pages) = (1, 3);
        let line = "1 feed polled, 0 new items, 3 pages, 0 new articles, 0 new versions";
        assert_eq!(summary(&tally), line);
        (tally.feeds, tally.feeds_failed, tally.feeds_gone) = (4, 3, 1);
        (tally.pages, tally.pages_failed) = (20, 10);
        (tally.pages_gone, tally.pages_blocked, tally.pages_empty) = (5, 2, 1);
        let line = summary(&tally);
        for part in [
            "4 feeds polled (1 gone, 2 failed), ",
            "20 pages (5 gone, 2 blocked, 1 without an article, 2 failed), ",
        ] {
            assert!(line.contains(part), "{line}");
        }
    }
}
