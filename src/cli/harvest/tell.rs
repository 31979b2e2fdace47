//! What a harvest does, told on stderr: lines for a person, or events with fields.
//!
//! The fields of events are `feed`, `site`, `url`, `status` (of a page's article), `stored`,
//! `error`, `verdict`, `was`, `learning` and counts by their names.

use crate::cli::global::TARGET;
use crate::cli::{Global, images};
use forest::archive::Stored;
use forest::error::counted;
use forest::harvest::{HarvestProgress, HarvestTally, Learning, PictureTally};

/// Tells what happens.
pub fn tell(event: &HarvestProgress<'_>, global: &Global) {
    match event {
        HarvestProgress::Feed { .. } => tell_feed(event, global),
        HarvestProgress::Page { .. } => tell_page(event, global),
        HarvestProgress::Verdict { site, from, to, .. } => {
            let line = format!("{site}: {to} (was {from})");
            match global.logs_json() {
                true => {
                    tracing::info!(target: TARGET, site, verdict = %to, was = %from, "{line}");
                }
                false => global.say(line),
            }
        }
        HarvestProgress::FeedMoved { url: feed, to } => {
            let line = format!("{feed}: has moved to {to}");
            match global.logs_json() {
                true => tracing::info!(target: TARGET, feed, to, "{line}"),
                false => global.say(line),
            }
        }
        HarvestProgress::Learning { site, learning } => {
            let (name, why) = match learning {
                Learning::Learned => ("learned", "wrapper learned".to_owned()),
                Learning::Relearned => (
                    "relearned",
                    "wrapper learned again, it does better".to_owned(),
                ),
                Learning::Kept(why) => ("kept", format!("nothing learned: {why}")),
            };
            let line = format!("{site}: {why}");
            match global.logs_json() {
                true => tracing::info!(target: TARGET, site, learning = name, "{line}"),
                false => global.say(line),
            }
        }
        HarvestProgress::Picture { url, error } => {
            let line = match error {
                Some(why) => images::failure(url, why),
                None => format!("{url}: stored"),
            };
            match (error, global.logs_json()) {
                (Some(error), true) => tracing::warn!(target: TARGET, url, error, "{line}"),
                (None, true) => tracing::debug!(target: TARGET, url, "{line}"),
                (Some(_), false) => global.warn(line),
                (None, false) => global.detail(line),
            }
        }
        _ => {}
    }
}

fn tell_feed(event: &HarvestProgress<'_>, global: &Global) {
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
        let line = format!("{feed}: {}", addressless(without_address));
        match global.logs_json() {
            true => tracing::warn!(target: TARGET, feed, without_address, "{line}"),
            false => global.warn(line),
        }
    }
    let line = match (error, new) {
        (Some(why), _) => format!("{feed}: {why}"),
        (None, 0) => format!("{feed}: nothing new"),
        (None, new) => format!("{feed}: {}", items(new)),
    };
    match (error, new, global.logs_json()) {
        (Some(error), _, true) => tracing::warn!(target: TARGET, feed, error, "{line}"),
        (None, 0, true) => tracing::debug!(target: TARGET, feed, new, "{line}"),
        (None, _, true) => tracing::info!(target: TARGET, feed, new, "{line}"),
        (Some(_), _, false) => global.warn(line),
        (None, 0, false) => global.detail(line),
        (None, _, false) => global.say(line),
    }
}

fn tell_page(event: &HarvestProgress<'_>, global: &Global) {
    let Some(line) = page_line(event) else { return };
    if !global.logs_json() {
        return global.detail(line);
    }
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
    let status = format!("{status:?}").to_lowercase();
    let stored = name_of(stored);
    tracing::debug!(target: TARGET, url, site, status, stored, error, "{line}");
}

/// Tells of a page that somebody asked for.
pub fn say_page(event: &HarvestProgress<'_>, global: &Global) {
    match page_line(event) {
        Some(line) if !global.logs_json() => global.say(line),
        _ => tell_page(event, global),
    }
}

fn page_line(event: &HarvestProgress<'_>) -> Option<String> {
    let HarvestProgress::Page {
        url, stored, error, ..
    } = *event
    else {
        return None;
    };
    let what = match stored {
        Stored::New => "stored",
        Stored::Version => "stored as another version",
        Stored::Same => "nothing new",
        Stored::Known => "known under another address",
        Stored::Nothing => "no article",
        Stored::Forgotten => "forgotten",
    };
    Some(match error {
        Some(why) => format!("{url}: {what}: {why}"),
        None => format!("{url}: {what}"),
    })
}

/// What became of a page, in a word.
pub fn name_of(stored: Stored) -> &'static str {
    match stored {
        Stored::New => "new",
        Stored::Version => "version",
        Stored::Same => "same",
        Stored::Known => "known",
        Stored::Nothing => "nothing",
        Stored::Forgotten => "forgotten",
    }
}

/// What is said of items that no page can be visited for.
pub fn addressless(count: usize) -> String {
    counted(count, "item has no address", "items have no address")
}

fn items(count: usize) -> String {
    counted(count, "new item", "new items")
}

/// Tells what was done.
pub fn tell_end(tally: &HarvestTally, global: &Global) {
    let line = summary(tally);
    if !global.logs_json() {
        return global.say(line);
    }
    tracing::info!(
        target: TARGET,
        feeds = tally.feeds,
        feeds_failed = tally.feeds_failed,
        feeds_gone = tally.feeds_gone,
        items = tally.items,
        pages = tally.pages,
        pages_failed = tally.pages_failed,
        pages_gone = tally.pages_gone,
        pages_blocked = tally.pages_blocked,
        pages_empty = tally.pages_empty,
        articles = tally.articles,
        versions = tally.versions,
        pictures = tally.pictures,
        pictures_failed = tally.pictures_failed,
        wrappers = tally.wrappers,
        drifted = tally.drifted,
        "{line}"
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

/// ` (2 gone, 1 failed)`; nothing of nothing.
fn among(parts: &[(u64, &str)]) -> String {
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    match parts.is_empty() {
        true => String::new(),
        false => format!(" ({})", parts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_tells_what_is_gone_from_what_failed() {
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
