//! The current time: the system's, or one that is set by hand.

use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime};

use chrono::{DateTime, SecondsFormat, Utc};

/// A time as it is printed: RFC 3339 in UTC, to the second.
pub fn rfc3339(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Tells the time. It may go backwards, as the system's does when it is set.
pub trait Clock: Send + Sync + fmt::Debug {
    /// The time now.
    fn now(&self) -> DateTime<Utc>;
}

/// The system's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        DateTime::from(SystemTime::now())
    }
}

/// A clock that stands still until it is set, for tests and for lives in fast
/// motion. Counts whole milliseconds; shared between threads behind an `Arc`.
///
/// # Examples
///
/// ```
/// use forest_harvest::{Clock, ManualClock};
/// use std::time::Duration;
///
/// let clock = ManualClock::at("2026-01-01T00:00:00Z".parse()?);
/// clock.advance(Duration::from_secs(90));
/// assert_eq!(clock.now().to_rfc3339(), "2026-01-01T00:01:30+00:00");
/// # Ok::<(), chrono::ParseError>(())
/// ```
#[derive(Debug)]
pub struct ManualClock {
    /// Since 1970.
    milliseconds: AtomicI64,
}

impl ManualClock {
    /// A clock that reads `time`.
    pub fn at(time: DateTime<Utc>) -> Self {
        ManualClock {
            milliseconds: AtomicI64::new(time.timestamp_millis()),
        }
    }

    /// Sets it, forwards or backwards.
    pub fn set(&self, time: DateTime<Utc>) {
        self.milliseconds
            .store(time.timestamp_millis(), Ordering::SeqCst);
    }

    /// Sets it forwards by `step`.
    pub fn advance(&self, step: Duration) {
        let step = i64::try_from(step.as_millis()).unwrap_or(i64::MAX);
        // The closure always gives a value, so the update cannot fail.
        let _ = self
            .milliseconds
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |now| {
                Some(now.saturating_add(step))
            });
    }
}

impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        let milliseconds = self.milliseconds.load(Ordering::SeqCst);
        // Beyond the years that can be written, time stands still.
        DateTime::from_timestamp_millis(milliseconds).unwrap_or(DateTime::<Utc>::MAX_UTC)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> DateTime<Utc> {
        text.parse().expect("a time")
    }

    #[test]
    fn a_manual_clock_has_the_time_that_was_set() {
        let clock = ManualClock::at(time("2026-01-01T00:00:00Z"));
        clock.set(time("2025-01-01T00:00:00Z"));
        assert_eq!(clock.now(), time("2025-01-01T00:00:00Z"));
        clock.advance(Duration::MAX);
        assert_eq!(clock.now(), DateTime::<Utc>::MAX_UTC);
    }

    #[test]
    fn the_system_clock_is_after_the_day_this_was_written() {
        assert!(SystemClock.now() > time("2026-01-01T00:00:00Z"));
    }
}
