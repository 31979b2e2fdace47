//! What articles show besides their texts, asked for before whatever else waits for its
//! host, when the articles are in the archive.

use super::{Errand, Harvest, Progress, Work};
use crate::error::Result;
use crate::fetch::{Visit, Visited};
use crate::harvest::requisites::{Next, Scope};
use chrono::{DateTime, Utc};
use std::time::Instant;
use url::Url;

/// Bytes of requisites from which what has come is written.
pub(super) const HEAVY: usize = 64_000_000;

impl Harvest<'_> {
    /// Takes up articles that are in the archive.
    pub(super) fn gather(&mut self, work: &mut Work<'_>) -> Result<()> {
        let Some(mut gathering) = work.gathering.take() else {
            return Ok(());
        };
        let now = self.clock.now();
        if work.look {
            gathering.try_again();
        }
        let rests = |url: &Url| self.rests(url, now);
        let next = gathering.look(self.archive, Scope::lately(now), now, &rests);
        work.gathering = Some(gathering);
        work.goes_on(next?);
        Ok(())
    }

    /// Takes what came at the address of a requisite.
    pub(super) fn requisite(
        &mut self,
        work: &mut Work<'_>,
        url: &str,
        now: DateTime<Utc>,
        visited: std::result::Result<Visited, String>,
        look_on: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<()> {
        let Some(gathering) = &mut work.gathering else {
            return Ok(());
        };
        work.heavy += visited.as_ref().map_or(0, |visited| visited.body.len());
        let next = gathering.take(self.archive, url, now, visited)?;
        if let Some(picture) = &next.picture {
            let error = picture.as_ref().err().map(String::as_str);
            match error {
                None => self.tally.pictures += 1,
                Some(_) => self.tally.pictures_failed += 1,
            }
            look_on(&Progress::Picture { url, error });
        }
        work.goes_on(next);
        Ok(())
    }
}

impl Work<'_> {
    fn goes_on(&mut self, next: Next) {
        if !next.changes.is_empty() {
            self.since.get_or_insert_with(Instant::now);
            self.changes.extend(next.changes);
        }
        for (url, what) in next.ask {
            if let Ok(parsed) = Url::parse(&url) {
                self.submit_first(Errand::Requisite { url }, Visit::new(parsed, what));
            }
        }
    }

    /// Whether something of what pages show is to be written still.
    pub(super) fn gathers(&self) -> bool {
        self.gathering.is_some() && !self.changes.is_empty()
    }

    /// All changes are.
    pub(super) fn written(&mut self) {
        self.heavy = 0;
        if let Some(gathering) = &mut self.gathering {
            gathering.written();
        }
    }
}
