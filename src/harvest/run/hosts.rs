//! Hosts that fail are left alone for a while.

use super::{Errand, Harvest, Work};
use chrono::{DateTime, TimeDelta, Utc};
use url::Url;

/// Visits in a row that a host must fail to be left alone for a while.
const PATIENT: u32 = 3;

/// How long.
const REST: TimeDelta = TimeDelta::minutes(15);

/// A host that failed.
#[derive(Debug, Default)]
pub(super) struct Host {
    /// Visits in a row.
    failures: u32,
    /// It is left alone until then.
    rests: Option<DateTime<Utc>>,
}

impl Harvest<'_> {
    pub(super) fn rests(&self, url: &Url, now: DateTime<Utc>) -> bool {
        let host = self.hosts.get(&url.origin().ascii_serialization());
        let until = host.and_then(|host| host.rests);
        // A clock that went back by more does not make it rest for longer.
        until.is_some_and(|until| now < until && until - now <= REST)
    }

    /// Counts how a host does. One that fails again and again is left alone, and what
    /// waits for it with it: that is due still, later.
    pub(super) fn judge_host(
        &mut self,
        work: &mut Work<'_>,
        url: &str,
        well: bool,
        now: DateTime<Utc>,
    ) {
        let Ok(url) = Url::parse(url) else { return };
        let origin = url.origin().ascii_serialization();
        if well {
            self.hosts.remove(&origin);
            return;
        }
        let host = self.hosts.entry(origin).or_default();
        host.failures += 1;
        if host.failures < PATIENT {
            return;
        }
        host.rests = Some(now + REST);
        for tag in work.visits.give_up(&url) {
            match work.errands.remove(&tag) {
                Some((Errand::Feed(feed), _)) => {
                    work.feeds.remove(&feed.url);
                }
                Some((Errand::Page { page, .. }, _)) => {
                    work.pages.remove(&page);
                }
                Some((Errand::Part { unfinished, .. }, _)) => {
                    work.pages.remove(&unfinished.job.page);
                }
                None => {}
            }
        }
    }
}
