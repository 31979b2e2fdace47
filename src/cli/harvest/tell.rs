//! What a harvest does, told on stderr: lines for a person, or events with fields.
//!
//! The fields of events are `feed`, `site`, `url`, `status` (of a page's article), `stored`,
//! `error`, `verdict`, `was`, `learning` and counts by their names.

use crate::cli::Global;
use crate::cli::global::TARGET;
use forest::archive::Stored;
use forest::error::counted;
use forest::harvest::{Learning, Progress, Tally};

/// Tells what happens.
pub fn tell(event: &Progress<'_>, global: &Global) {
    match event {
        Progress::Feed { .. } => tell_feed(event, global),
        Progress::Page { .. } => tell_page(event, global),
        Progress::Verdict { site, from, to } => {
            let line = format!("{site}: {to} (was {from})");
            match global.logs_json() {
                true => {
                    tracing::info!(target: TARGET, site, verdict = %to, was = %from, "{line}");
                }
                false => global.say(line),
            }
        }
        Progress::Learning { site, learning } => {
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
        _ => {}
    }
}

fn tell_feed(event: &Progress<'_>, global: &Global) {
    let Progress::Feed {
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

fn tell_page(event: &Progress<'_>, global: &Global) {
    let Progress::Page {
        url,
        site,
        status,
        stored,
        error,
    } = *event
    else {
        return;
    };
    let (name, what) = match stored {
        Stored::New => ("new", "stored"),
        Stored::Version => ("version", "stored as another version"),
        Stored::Same => ("same", "nothing new"),
        Stored::Known => ("known", "known under another address"),
        Stored::Nothing => ("nothing", "no article"),
        Stored::Forgotten => ("forgotten", "forgotten"),
    };
    let line = match error {
        Some(why) => format!("{url}: {what}: {why}"),
        None => format!("{url}: {what}"),
    };
    match global.logs_json() {
        true => {
            let status = format!("{status:?}").to_lowercase();
            tracing::debug!(target: TARGET, url, site, status, stored = name, error, "{line}");
        }
        false => global.detail(line),
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
pub fn tell_end(tally: &Tally, global: &Global) {
    let line = summary(tally);
    if !global.logs_json() {
        return global.say(line);
    }
    tracing::info!(
        target: TARGET,
        feeds = tally.feeds,
        feeds_failed = tally.feeds_failed,
        items = tally.items,
        pages = tally.pages,
        pages_failed = tally.pages_failed,
        articles = tally.articles,
        versions = tally.versions,
        wrappers = tally.wrappers,
        drifted = tally.drifted,
        "{line}"
    );
}

fn summary(tally: &Tally) -> String {
    let failed = |n: u64| match n {
        0 => String::new(),
        n => format!(" ({n} failed)"),
    };
    let mut parts = vec![
        counted(tally.feeds, "feed", "feeds") + &failed(tally.feeds_failed),
        counted(tally.items, "new item", "new items"),
        counted(tally.pages, "page", "pages") + &failed(tally.pages_failed),
        counted(tally.articles, "new article", "new articles"),
        counted(tally.versions, "new version", "new versions"),
    ];
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
