//! The rule by which pages are visited again. The archive has no rule of its own: it is
//! given one when it is opened, and events are replayed by it.

/// The visits to a page. Times are milliseconds since 1970, UTC.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PageVisits {
    /// The time of the first event with the page.
    pub first_seen: i64,
    /// When it was visited last.
    pub last_visit: Option<i64>,
    /// The time of the next visit, if that is decided.
    pub next_visit: Option<i64>,
    /// Visits so far.
    pub visits: i64,
    /// The last visits in a row without a page.
    pub failures: i64,
}

/// The times at which a page is visited again. Pure: the same events give the same times.
#[derive(Debug, Clone, Copy)]
pub struct RevisitRule {
    /// The next visit after one at `now`, which is counted in `failures`; `None`: no further visit.
    pub after_visit: fn(page: &PageVisits, now: i64) -> Option<i64>,
    /// The next visit after a feed changed the page's item at `now`.
    pub after_news: fn(page: &PageVisits, now: i64) -> i64,
}
