//! The back-off of hosts that fail or ask for a pause: no requests for a while.
//!
//! Requests for such a host stay due and are sent when its back-off is over. A back-off
//! outlives the process; the first failure after it begins the next one.

use chrono::{DateTime, TimeDelta, Utc};
use forest_fetch::{Visited, Why};
use std::collections::HashMap;
use std::time::Duration;
use url::Url;

/// Failures in a row after which a back-off begins.
const FAILURES: u32 = 3;

/// The back-off of a host that asks for none.
const BACK_OFF: TimeDelta = TimeDelta::minutes(15);

/// The longest back-off: a longer `Retry-After` counts as this.
const LONGEST: TimeDelta = TimeDelta::days(1);

/// The state of a host, as a response shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HostHealth {
    Well,
    Failing,
    /// It asks for no requests for a time.
    Busy {
        wait: Option<Duration>,
        /// True if this response asks for it; false if an earlier one did, and no request was sent.
        is_answer: bool,
    },
}

impl HostHealth {
    pub fn of(visited: &forest_fetch::Result<Visited>) -> HostHealth {
        let why = match visited {
            Ok(visited) => {
                return match (visited.status, visited.retry_after) {
                    (429 | 503, wait @ Some(_)) => HostHealth::Busy {
                        wait,
                        is_answer: true,
                    },
                    (429 | 500.., _) => HostHealth::Failing,
                    _ => HostHealth::Well,
                };
            }
            Err(error) => error.fetch_failure().map(|failure| failure.why()),
        };
        match why {
            Some(Why::Busy { retry_after, .. }) => HostHealth::Busy {
                wait: *retry_after,
                is_answer: false,
            },
            Some(
                Why::Timeout
                | Why::Connect(_)
                | Why::Dns(_)
                | Why::Tls(_)
                | Why::Body(_)
                | Why::RobotsUnreachable(_),
            ) => HostHealth::Failing,
            _ => HostHealth::Well,
        }
    }
}

/// A host that failed.
#[derive(Debug, Default)]
struct HostBackOff {
    /// Failures in a row.
    failures: u32,
    /// The end of its back-off.
    until: Option<DateTime<Utc>>,
}

/// A back-off that begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BackOff {
    pub origin: String,
    pub until: DateTime<Utc>,
}

/// The hosts that failed lately, by origin.
#[derive(Debug, Default)]
pub(super) struct HostBackOffs(HashMap<String, HostBackOff>);

impl HostBackOffs {
    /// Returns true if the host of `url` is in back-off.
    pub fn holds(&self, url: &Url, now: DateTime<Utc>) -> bool {
        let host = self.0.get(&url.origin().ascii_serialization());
        let until = host.and_then(|host| host.until);
        // A clock that went backwards does not make the back-off longer.
        until.is_some_and(|until| now < until && until - now <= LONGEST)
    }

    /// Returns true if a back-off ended between two times.
    pub fn one_ended(&self, after: DateTime<Utc>, now: DateTime<Utc>) -> bool {
        let mut ends = self.0.values().filter_map(|host| host.until);
        ends.any(|until| after < until && until <= now)
    }

    /// Takes a back-off that began in an earlier process.
    pub fn restore(&mut self, origin: String, until: DateTime<Utc>) {
        let failures = FAILURES - 1;
        let until = Some(until);
        self.0.insert(origin, HostBackOff { failures, until });
    }

    /// Counts a response; returns the back-off that it begins.
    pub fn observe(
        &mut self,
        url: &Url,
        health: HostHealth,
        now: DateTime<Utc>,
    ) -> Option<BackOff> {
        let origin = url.origin().ascii_serialization();
        if health == HostHealth::Well {
            self.0.remove(&origin);
            return None;
        }
        let host = self.0.entry(origin.clone()).or_default();
        host.failures += 1;
        let until = match health {
            HostHealth::Busy { wait, .. } => {
                let wait = wait.and_then(|wait| TimeDelta::from_std(wait).ok());
                now + wait.unwrap_or(BACK_OFF).min(LONGEST)
            }
            _ if host.failures < FAILURES => return None,
            _ => now + BACK_OFF,
        };
        host.until = Some(until);
        Some(BackOff { origin, until })
    }
}
