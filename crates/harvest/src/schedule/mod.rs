//! The time of a feed's next poll, a pure function of its earlier polls.
//!
//! # The rule
//!
//! ```text
//! interval = max(m / 2, s / 8), within 15 minutes and 24 hours
//! ```
//!
//! | symbol | what |
//! | --- | --- |
//! | m | the median of the latest [`RECENT`] gaps between the moments at which the feed had new items; twice [`UNKNOWN`] where there are no two moments yet |
//! | s | the silence: the time from the latest moment to the latest poll |
//!
//! A *moment* is a time at which items appeared, as the feed dates them, else as
//! they were first seen. Items less than 15 minutes apart are one moment: one poll
//! finds them all, so a newsletter of twenty items a day is a daily feed and not
//! one of an item a minute.
//!
//! - Half the gap: two polls find an item a quarter of a gap after it came, on
//!   average. For a feed without dates it is also what holds itself: such a feed
//!   has a moment where a poll found something, so one that has something at
//!   each poll is asked twice as often, until every second poll finds nothing.
//! - The median, because a newspaper's nights and a blog's holidays are single
//!   long gaps among many short ones.
//! - An eighth of the silence, because a feed that has said nothing for long will
//!   not say something this minute: what it then says is found with a delay of at
//!   most an eighth of the time that it was waited for. A feed that dies is polled
//!   once a day after eight days.
//!
//! A server's wishes come first: `ttl`, `max-age` and `Retry-After` are
//! floors, each a day at the most. An answer that failed is no word about the
//! rhythm: see [`PollResult::Failed`] and [`PollResult::Busy`].
//!
//! # What it costs and gives
//!
//! Simulated over 28 days after two to settle, the feeds with 20 items each; the
//! test `the_table_in_the_docs_is_measured` compares this table with what it finds.
//!
//! | feed | items a day | polls a day | delay, mean | delay, longest | items missed |
//! | --- | --- | --- | --- | --- | --- |
//! | agency: one in five minutes | 288.0 | 90.9 | 7 min | 16 min | 0 |
//! | hourly | 24.0 | 50.4 | 14 min | 38 min | 0 |
//! | hourly, without dates | 24.0 | 50.8 | 14 min | 43 min | 0 |
//! | newspaper: hourly from 7 to 22 | 15.0 | 43.5 | 17 min | 81 min | 0 |
//! | daily | 1.0 | 2.0 | 7.3 h | 11.7 h | 0 |
//! | daily, without dates | 1.0 | 2.0 | 7.3 h | 12.3 h | 0 |
//! | on weekdays | 0.7 | 2.0 | 5.2 h | 11.3 h | 0 |
//! | batch: 15 at once, daily | 15.0 | 2.0 | 4.7 h | 11.7 h | 0 |
//! | bursts: 15 in two hours, weekly | 2.1 | 3.7 | 10.6 h | 14.7 h | 0 |
//! | weekly | 0.1 | 1.0 | 14.8 h | 22.6 h | 0 |
//! | dead for 80 days | 0.0 | 1.0 | - | - | 0 |
//!
//! # Clocks
//!
//! All times are kept as they were decided, so a restart changes nothing: a feed
//! is due when its [`next_poll`] has come. A clock that went backwards shows as
//! a latest poll in the future; then [`anchored`] gives the same interval again,
//! counted from now.

pub mod revisit;

pub use revisit::archive_options;

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// No feed is polled more often: what a reader of news takes for fresh, and what
/// the operators of feeds still take for polite.
pub const SHORTEST: Duration = Duration::from_secs(15 * 60);

/// No feed is polled less often, and no server's wish holds longer.
pub const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The interval where nothing is known: a feed seen once, without dates; a busy
/// server that does not say for how long. Also the longest that is waited after
/// a first failure.
pub const UNKNOWN: Duration = Duration::from_secs(60 * 60);

/// Gaps that count. Few, so that a feed that wakes up is noticed after five
/// items; enough that one night among them does not matter.
pub const RECENT: usize = 8;

/// Moments that are kept of a feed.
const MOST_MOMENTS: usize = 32;

/// The part of an interval by which a poll may be early or late.
const JITTER: f64 = 0.1;

/// The rhythm of a feed. The archive keeps its serialised form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Rhythm {
    /// When items appeared, newest first, in seconds since 1970, each at least
    /// [`SHORTEST`] from the others.
    moments: Vec<i64>,
    /// The latest poll that was answered, in seconds since 1970.
    polled: Option<i64>,
    /// The latest interval.
    interval_s: Option<u64>,
}

impl Rhythm {
    /// Takes what a poll at `now` found: for each item that was not known before,
    /// when the feed says it was published. An item without a date, or with one
    /// in the future, appeared now.
    ///
    /// To be called for each poll that was answered, with no items where there
    /// was nothing new.
    pub fn note(
        &mut self,
        now: DateTime<Utc>,
        published: impl IntoIterator<Item = Option<DateTime<Utc>>>,
    ) {
        let now = now.timestamp();
        self.polled = Some(now);
        // Where the clock went backwards, what it saw later is not known yet.
        self.moments.retain(|moment| *moment <= now);
        let mut times: Vec<i64> = published
            .into_iter()
            .map(|time| time.map_or(now, |time| time.timestamp().min(now)))
            .collect();
        // From the oldest, so that what comes every ten minutes has moments
        // twenty minutes apart and not one that is always the newest.
        times.sort_unstable();
        for time in times {
            let at = self.moments.partition_point(|&moment| moment > time);
            let far = |moment: Option<&i64>| {
                moment.is_none_or(|moment| moment.abs_diff(time) >= SHORTEST.as_secs())
            };
            if far(self.moments.get(at)) && far(at.checked_sub(1).and_then(|i| self.moments.get(i)))
            {
                self.moments.insert(at, time);
                self.moments.truncate(MOST_MOMENTS);
            }
        }
    }

    /// Remembers the interval that was decided on.
    pub fn keep(&mut self, interval: Interval) {
        self.interval_s = Some(interval.length.as_secs());
    }

    /// The median of the latest gaps; of two in the middle the shorter.
    fn gap(&self) -> Option<Duration> {
        let mut gaps: Vec<u64> = self
            .moments
            .windows(2)
            .take(RECENT)
            .map(|pair| pair[0].abs_diff(pair[1]))
            .collect();
        gaps.sort_unstable();
        let middle = gaps.len().checked_sub(1)? / 2;
        gaps.get(middle).copied().map(Duration::from_secs)
    }

    /// The time since the latest moment, at the latest poll.
    fn silence(&self) -> Duration {
        let since = self.moments.first().zip(self.polled);
        let seconds = since.map_or(0, |(moment, polled)| polled.saturating_sub(*moment));
        Duration::from_secs(u64::try_from(seconds).unwrap_or(0))
    }

    /// The rule of this module's page.
    fn usual(&self) -> Duration {
        let half = self.gap().map_or(UNKNOWN, |gap| gap / 2);
        bounded(half.max(self.silence() / 8))
    }
}

/// The result of a poll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PollResult {
    /// The feed has items that were not known.
    New {
        /// The number of items.
        items: usize,
    },
    /// The feed was sent, with nothing new in it.
    Nothing,
    /// The server says that it is the same (304).
    NotModified,
    /// No feed came: no connection, an error, something else in its place. The
    /// first retry comes after the usual interval or an hour, whichever is
    /// shorter; from 15 minutes on each failure adds a half to the wait, up to a
    /// day. So a feed that works again is found after at most half the time of its failure,
    /// and one that never does costs a poll a day after a week.
    Failed {
        /// Failures in a row, this one included.
        failures: u32,
    },
    /// The server asks for fewer requests (429, or 503 with `Retry-After`): twice
    /// the latest interval, an hour at least.
    Busy,
}

/// The waits that the feed and its server ask for. Each is a floor, at most a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hints {
    /// The time that the feed may be kept, as it says ([`forest_core::feed::Feed::ttl`]).
    pub ttl: Option<Duration>,
    /// The time that the feed may be kept, as its server says (`max-age`).
    pub max_age: Option<Duration>,
    /// The wait that the server asks for (`Retry-After`).
    pub retry_after: Option<Duration>,
}

impl Hints {
    fn floor(&self) -> Duration {
        let requested = [self.ttl, self.max_age, self.retry_after];
        let longest = requested.into_iter().flatten().max().unwrap_or_default();
        longest.min(LONGEST)
    }
}

/// The time between two polls of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// [`SHORTEST`] to [`LONGEST`].
    pub length: Duration,
    /// No poll before this has passed, whatever the jitter: what was asked for.
    pub floor: Duration,
}

/// The time to wait until the next poll.
///
/// # Examples
///
/// ```
/// use forest_harvest::schedule::{Hints, PollResult, Rhythm, interval};
/// use std::time::Duration;
///
/// let day = |text: &str| text.parse().expect("a time");
/// let mut rhythm = Rhythm::default();
/// let hourly = ["2026-01-01T10:00:00Z", "2026-01-01T09:00:00Z", "2026-01-01T08:00:00Z"];
/// rhythm.note(day("2026-01-01T10:20:00Z"), hourly.map(|time| Some(day(time))));
/// // m = 60 min, s = 20 min: max(60 / 2, 20 / 8) = 30 min.
/// let found = interval(&rhythm, &PollResult::New { items: 3 }, &Hints::default());
/// assert_eq!(found.length, Duration::from_secs(30 * 60));
/// ```
pub fn interval(rhythm: &Rhythm, result: &PollResult, hints: &Hints) -> Interval {
    let usual = rhythm.usual();
    let wanted = match *result {
        PollResult::New { .. } | PollResult::Nothing | PollResult::NotModified => usual,
        PollResult::Failed { failures } => backed_off(failures).max(usual.min(UNKNOWN)),
        PollResult::Busy => {
            let latest = rhythm.interval_s.map_or(UNKNOWN / 2, Duration::from_secs);
            let twice = bounded(latest).saturating_mul(2);
            usual.max(twice).max(UNKNOWN)
        }
    };
    let floor = hints.floor();
    Interval {
        length: bounded(wanted.max(floor)),
        floor,
    }
}

fn bounded(interval: Duration) -> Duration {
    interval.clamp(SHORTEST, LONGEST)
}

/// 15 minutes, and half as much again for each failure after the first.
fn backed_off(failures: u32) -> Duration {
    let mut wait = SHORTEST;
    for _ in 1..failures {
        if wait >= LONGEST {
            break;
        }
        wait = wait * 3 / 2;
    }
    wait.min(LONGEST)
}

/// When the next poll is: `interval` from `now`, a tenth more or less, so that
/// feeds that were added together, or share a round number, come apart.
///
/// The jitter is that of the feed's address on this day, so the same call gives
/// the same time. It stays within [`SHORTEST`], the floor and [`LONGEST`]; where
/// these cut the tenth off, the times are spread over what is left.
pub fn next_poll(now: DateTime<Utc>, interval: Interval, feed_url: &str) -> DateTime<Utc> {
    let length = bounded(interval.length.max(interval.floor));
    let floor = bounded(interval.floor);
    let earliest = length.mul_f64(1.0 - JITTER).max(floor);
    let latest = length.mul_f64(1.0 + JITTER).min(LONGEST).max(earliest);
    let wait = earliest + (latest - earliest).mul_f64(fraction(now, feed_url));
    // The year 262142 is as late as it gets.
    let wait = TimeDelta::from_std(wait).unwrap_or(TimeDelta::MAX);
    now.checked_add_signed(wait)
        .unwrap_or(DateTime::<Utc>::MAX_UTC)
}

/// A number from 0 to 1 that belongs to the address and the day.
fn fraction(now: DateTime<Utc>, feed_url: &str) -> f64 {
    let day = now.timestamp().div_euclid(24 * 60 * 60);
    let mut hash = Sha256::new();
    hash.update(day.to_le_bytes());
    hash.update(feed_url.as_bytes());
    let first = hash.finalize()[..4]
        .iter()
        .fold(0u32, |sum, byte| sum << 8 | u32::from(*byte));
    f64::from(first) / f64::from(u32::MAX)
}

/// The time of the next poll where the clock went backwards: the latest poll lies
/// in the future, and what was to pass after it passes from now on instead.
/// `None` where the clock did not.
///
/// The caller stores the new time and `now` as that of the latest poll. So a clock
/// that goes back by a year starves no feed for a year, and as every feed keeps
/// its own interval there is no storm either; a feed is at most one interval late.
/// A clock that jumps forwards makes all feeds due once: they were not polled for
/// all that it knows.
pub fn anchored(
    now: DateTime<Utc>,
    next_poll: DateTime<Utc>,
    last_poll: Option<DateTime<Utc>>,
) -> Option<DateTime<Utc>> {
    let last = last_poll.filter(|last| *last > now)?;
    let wait = (next_poll - last).to_std().unwrap_or(SHORTEST);
    let wait = TimeDelta::from_std(bounded(wait)).unwrap_or(TimeDelta::MAX);
    Some(
        now.checked_add_signed(wait)
            .unwrap_or(DateTime::<Utc>::MAX_UTC),
    )
}

#[cfg(test)]
mod tests;
