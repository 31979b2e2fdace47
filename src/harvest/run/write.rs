//! What came is written, then counted and told of: nothing is told that is not on the
//! disk.

use super::{Harvest, INDEX_AFTER, Progress, Work, reading};
use crate::archive::{Change, Event, Outcome, Stored, Visit};
use crate::drift::Verdict;
use crate::error::Result;
use crate::extract::Status;

impl Harvest<'_> {
    /// Writes what has come, and tells of it.
    pub(super) fn write(
        &mut self,
        work: &mut Work<'_>,
        look_on: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<()> {
        work.since = None;
        work.changes.extend(self.robots.take());
        if work.arrived.is_empty() && work.changes.is_empty() {
            return Ok(());
        }
        let mut arrived = std::mem::take(&mut work.arrived);
        // In the order of pages, not of threads.
        arrived.sort_by_key(|read| read.page);
        let mut changes = std::mem::take(&mut work.changes);
        let visits: Vec<_> = arrived
            .iter()
            .map(|read| read.prepared.visit().clone())
            .collect();
        let mut rest = Vec::with_capacity(arrived.len());
        for read in arrived {
            changes.push(Change::Page(Box::new(read.prepared)));
            rest.push((read.page, read.site, read.at, read.sign));
        }
        let stored = self.archive.write(changes)?;
        work.written();
        let stored_count = stored.len();
        let mut after = Vec::new();
        let mut judged = Vec::new();
        for (((page, site, at, sign), visit), stored) in rest.into_iter().zip(visits).zip(stored) {
            work.pages.remove(&page);
            self.wanted.remove(&page);
            self.count(&visit, stored);
            self.metrics.page(&site, visit.status, visit.confidence);
            let feed = match stored {
                Stored::New | Stored::Version => self.archive.feed_of(page)?,
                _ => None,
            };
            look_on(&Progress::Page {
                url: &visit.url,
                site: &site,
                status: visit.status,
                stored,
                error: visit.error.as_deref(),
                title: match &visit.outcome {
                    Outcome::Version(reading) => reading.record.title.as_deref(),
                    _ => None,
                },
                feed: feed.as_deref(),
            });
            if let Some((from, to)) = self.sites.see(&site, at, sign, stored) {
                if to == Verdict::Drift {
                    self.tally.drifted += 1;
                    self.metrics.drift(&site);
                }
                let event = Event::Judged {
                    site: site.clone(),
                    verdict: to.to_string(),
                    why: format!("was {from}"),
                };
                after.push(Change::Event { at, event });
                judged.push((site, from, to, visit.url));
            }
        }
        after.extend(self.sites.watches());
        if !after.is_empty() {
            self.archive.write(after)?;
        }
        for (site, from, to, url) in &judged {
            look_on(&Progress::Verdict {
                site,
                from: *from,
                to: *to,
                url,
            });
        }
        self.unindexed += stored_count;
        if self.unindexed >= INDEX_AFTER {
            self.follow_index()?;
        }
        work.tell_what_waits(look_on);
        Ok(())
    }

    fn count(&mut self, visit: &Visit, stored: Stored) {
        let tally = &mut self.tally;
        tally.pages += 1;
        match stored {
            Stored::New => tally.articles += 1,
            Stored::Version => tally.versions += 1,
            Stored::Nothing if !reading::has_article(visit.status) => {
                tally.pages_failed += 1;
                match visit.status {
                    _ if is_gone(visit.http_status) => tally.pages_gone += 1,
                    Status::Blocked => tally.pages_blocked += 1,
                    Status::Empty => tally.pages_empty += 1,
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// Whether a server says that there is no such thing.
pub(super) fn is_gone(status: Option<u16>) -> bool {
    matches!(status, Some(404 | 410))
}
