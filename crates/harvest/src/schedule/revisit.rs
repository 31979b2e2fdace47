//! When a page is visited again: pure, from what is known of its visits.
//!
//! | what happened | the next visit |
//! | --- | --- |
//! | the page came | 1, 7 and 30 days after it was first seen: most corrections come within a day |
//! | it could not be fetched | after a growing number of hours; after six weeks no more |
//! | its feed says something new of it | at once; later, the more often it was visited |
//!
//! An archive replays its events by this rule, so it must stay pure.

use forest_archive::{ArchiveOptions, PageVisits, RevisitRule};

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

/// Days after a page was first seen on which it is visited again, to see whether its
/// article was edited: most corrections come within a day.
const AGAIN_DAYS: [i64; 3] = [1, 7, 30];

/// Hours after which a page that could not be fetched is tried again; then not any more,
/// unless its feed says something new of it or is resumed: after six weeks.
const RETRY_HOURS: [i64; 11] = [1, 4, 12, 24, 48, 96, 168, 168, 168, 168, 168];

/// The rule of the harvest.
pub const RULE: RevisitRule = RevisitRule {
    after_visit,
    after_news,
};

/// An archive whose pages are visited again by the [rule of the harvest](RULE).
pub fn archive_options() -> ArchiveOptions {
    ArchiveOptions::new(RULE)
}

/// The next visit after one at `now`, if there is to be one.
fn after_visit(page: &PageVisits, now: i64) -> Option<i64> {
    if page.failures > 0 {
        let hours = RETRY_HOURS.get(usize::try_from(page.failures - 1).ok()?)?;
        return Some(now + hours * HOUR_MS);
    }
    let times = AGAIN_DAYS.map(|days| page.first_seen + days * DAY_MS);
    times.into_iter().find(|time| *time > now)
}

/// The next visit after a feed said something new of the page at `now`: a reason to visit
/// it now. Less so, the more often it was visited: some feeds say another thing at each
/// poll.
fn after_news(page: &PageVisits, now: i64) -> i64 {
    let rest = (2 * DAY_MS).min(HOUR_MS << page.visits.min(30)) / 2;
    let soon = now.max(page.last_visit.unwrap_or(0) + rest);
    page.next_visit.map_or(soon, |next| next.min(soon))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fetched_page_is_visited_after_a_day_a_week_and_a_month() {
        let page = PageVisits::default();
        let days = |now| after_visit(&page, now).map(|at| at / DAY_MS);
        assert_eq!(days(0), Some(1));
        assert_eq!(days(DAY_MS), Some(7));
        assert_eq!(days(29 * DAY_MS), Some(30));
        assert_eq!(days(30 * DAY_MS), None);
    }

    #[test]
    fn a_page_that_fails_is_tried_ever_more_rarely_and_then_no_more() {
        let hours = |failures| {
            let page = PageVisits {
                failures,
                ..PageVisits::default()
            };
            after_visit(&page, 0).map(|at| at / HOUR_MS)
        };
        let found: Vec<i64> = (1..).map_while(hours).collect();
        assert_eq!(found, RETRY_HOURS);
    }

    #[test]
    fn news_bring_a_visit_less_soon_the_more_often_there_was_one() {
        let minutes = |visits, next_visit| {
            let page = PageVisits {
                visits,
                next_visit,
                last_visit: Some(0),
                ..PageVisits::default()
            };
            after_news(&page, 0) / 60_000
        };
        assert_eq!(
            [0, 1, 2, 6, 99].map(|n| minutes(n, None)),
            [30, 60, 120, 1440, 1440]
        );
        assert_eq!(minutes(2, Some(HOUR_MS)), 60);
    }
}
