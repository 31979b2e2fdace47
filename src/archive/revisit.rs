//! The rule by which pages are visited again. The archive has no rule of its own: whoever
//! opens it hands one in, and events are replayed by it.

/// The visits to a page. Times are milliseconds since 1970, UTC.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PageVisits {
    /// When an event named the page first.
    pub first_seen: i64,
    /// When it was visited last.
    pub last_visit: Option<i64>,
    /// When it is to be visited next, as far as that is decided.
    pub next_visit: Option<i64>,
    /// Visits so far.
    pub visits: i64,
    /// Visits in a row, up to the last one, that brought no page.
    pub failures: i64,
}

/// When a page is visited again. Pure: the same events give the same times.
#[derive(Debug, Clone, Copy)]
pub struct RevisitRule {
    /// The next visit after one at `now`, which `failures` counts; `None`: no further visit.
    pub after_visit: fn(page: &PageVisits, now: i64) -> Option<i64>,
    /// The next visit after a feed said something new of the page at `now`.
    pub after_news: fn(page: &PageVisits, now: i64) -> i64,
}
