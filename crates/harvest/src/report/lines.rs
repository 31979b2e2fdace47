//! The events and counts of a harvest in words.

use crate::{HarvestTally, PictureTally};
use forest_archive::Stored;
use forest_html::error::counted;

/// A page and what the archive has of it.
pub fn page_line(url: &str, stored: Stored, error: Option<&str>) -> String {
    let result = match stored {
        Stored::New => "stored",
        Stored::Version => "stored as another version",
        Stored::Doubtful => "kept as a doubtful reading: an edit, or a redesign",
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
        Stored::Doubtful => "doubtful",
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

/// The message about a picture that could not be fetched.
pub fn picture_failure(url: &str, why: &str) -> String {
    format!("{url}: the picture is not stored: {why}")
}

/// The counts of a harvest on a line.
pub fn tally_line(tally: &HarvestTally) -> String {
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
        parts.push(pictures.to_string());
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
        assert_eq!(tally_line(&tally), line);
        (tally.feeds, tally.feeds_failed, tally.feeds_gone) = (4, 3, 1);
        (tally.pages, tally.pages_failed) = (20, 10);
        (tally.pages_gone, tally.pages_blocked, tally.pages_empty) = (5, 2, 1);
        let line = tally_line(&tally);
        for part in [
            "4 feeds polled (1 gone, 2 failed), ",
            "20 pages (5 gone, 2 blocked, 1 without an article, 2 failed), ",
        ] {
            assert!(line.contains(part), "{line}");
        }
    }
}
