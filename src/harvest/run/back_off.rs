//! Hosts that fail, or ask for it, are left alone for a while.
//!
//! What waits for such a host is due still, and is asked for when its rest is over. A
//! rest that the server asked for outlives the process.

use super::{Errand, Harvest, Work};
use crate::archive::Change;
use crate::error::Result;
use crate::fetch::{Visited, Why};
use chrono::{DateTime, TimeDelta, Utc};
use std::time::Duration;
use url::Url;

/// Visits in a row that a host must fail to be left alone for a while.
const PATIENT: u32 = 3;

/// How long.
const REST: TimeDelta = TimeDelta::minutes(15);

/// The longest rest: no more of `Retry-After` is believed.
const LONGEST_REST: TimeDelta = TimeDelta::days(1);

/// A host that failed.
#[derive(Debug, Default)]
pub(super) struct Host {
    /// Visits in a row.
    failures: u32,
    /// It is left alone until then.
    rests: Option<DateTime<Utc>>,
}

/// What a visit says of its host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Health {
    Well,
    Ill,
    /// It asks to be left alone, for so long.
    Busy {
        wait: Option<Duration>,
        /// It said so now; else before, and nothing was asked.
        asked: bool,
    },
}

impl Health {
    pub fn of(visited: &Result<Visited>) -> Health {
        let why = match visited {
            Ok(visited) => {
                return match (visited.status, visited.retry_after) {
                    (429 | 503, wait @ Some(_)) => Health::Busy { wait, asked: true },
                    (429 | 500.., _) => Health::Ill,
                    _ => Health::Well,
                };
            }
            Err(error) => error.fetch_failure().map(|failure| failure.why()),
        };
        match why {
            Some(Why::Busy { retry_after, .. }) => Health::Busy {
                wait: *retry_after,
                asked: false,
            },
            Some(
                Why::Timeout
                | Why::Connect(_)
                | Why::Dns(_)
                | Why::Tls(_)
                | Why::Body(_)
                | Why::RobotsUnreachable(_),
            ) => Health::Ill,
            _ => Health::Well,
        }
    }
}

impl Harvest<'_> {
    /// Whether a host is left alone.
    pub(super) fn rests(&self, url: &Url, now: DateTime<Utc>) -> bool {
        let host = self.hosts.get(&url.origin().ascii_serialization());
        let until = host.and_then(|host| host.rests);
        // A clock that went back by more does not make it rest for longer.
        until.is_some_and(|until| now < until && until - now <= LONGEST_REST)
    }

    /// Whether a host's rest ended between two times.
    pub(super) fn rest_is_over(&self, after: DateTime<Utc>, now: DateTime<Utc>) -> bool {
        let mut rests = self.hosts.values().filter_map(|host| host.rests);
        rests.any(|until| after < until && until <= now)
    }

    /// The rests that servers asked for before this process began.
    pub(super) fn recall_rests(&mut self) -> Result<()> {
        for (origin, until) in self.archive.rests()? {
            self.hosts.entry(origin).or_default().rests = Some(until);
        }
        Ok(())
    }

    /// Counts how a host does. One that fails again and again is left alone, and what
    /// waits for it with it.
    pub(super) fn judge_host(
        &mut self,
        work: &mut Work<'_>,
        url: &str,
        health: Health,
        now: DateTime<Utc>,
    ) {
        let Ok(url) = Url::parse(url) else { return };
        let origin = url.origin().ascii_serialization();
        if health == Health::Well {
            self.hosts.remove(&origin);
            return;
        }
        let host = self.hosts.entry(origin.clone()).or_default();
        host.failures += 1;
        let until = match health {
            Health::Busy { wait, .. } => {
                let wait = wait.and_then(|wait| TimeDelta::from_std(wait).ok());
                let until = now + wait.unwrap_or(REST).min(LONGEST_REST);
                work.changes.push(Change::Rest { origin, until });
                until
            }
            _ if host.failures < PATIENT => return,
            _ => now + REST,
        };
        host.rests = Some(until);
        for tag in work.visits.give_up(&url) {
            if let Some(errand) = work.errands.remove(&tag) {
                work.is_due_still(&errand);
            }
        }
    }
}

impl Work<'_> {
    /// What was not asked for may be handed to the fetcher again.
    pub(super) fn is_due_still(&mut self, errand: &Errand) {
        match errand {
            Errand::Feed(feed) => {
                self.feeds.remove(&feed.url);
            }
            Errand::Page { page, .. } => {
                self.pages.remove(page);
            }
            Errand::Part { unfinished, .. } => {
                self.pages.remove(&unfinished.job.page);
            }
            Errand::Requisite { url } => {
                if let Some(gathering) = &mut self.gathering {
                    gathering.put_off(url);
                }
            }
        }
    }
}
