//! Requisites of articles that did not come by a harvest.

use super::{Gathering, Next, PictureTally, RequisiteOptions, Scope};
use crate::archive::{Archive, ArchiveChange};
use crate::error::Result;
use crate::fetch::{Fetcher, Visit};
use crate::harvest::Clock;
use chrono::{DateTime, Utc};
use std::collections::HashMap;
use url::Url;

/// Bodies that may wait to be taken.
const WINDOW: usize = 8;

/// Changes that are written together.
const BATCH: usize = 32;

/// Has the pictures of the articles whose versions have a number above `after`, and tells
/// `look_on` of each that came or could not be had.
///
/// # Errors
///
/// If the archive cannot be read or written. What a site does wrong is no error.
pub fn gather(
    archive: &mut Archive,
    fetcher: &Fetcher,
    clock: &dyn Clock,
    options: RequisiteOptions,
    after: i64,
    look_on: &mut dyn FnMut(&str, Option<&str>),
) -> Result<PictureTally> {
    let scope = Scope {
        since: DateTime::<Utc>::MIN_UTC,
        after,
    };
    let mut gathering = Gathering::new(options);
    let mut visits = fetcher.visits(WINDOW);
    let mut asked: HashMap<u64, String> = HashMap::new();
    let (mut tag, mut tally) = (0, PictureTally::default());
    let mut changes: Vec<ArchiveChange> = Vec::new();
    loop {
        let mut next = gathering.look(archive, scope, clock.now(), &|_| false)?;
        loop {
            changes.append(&mut next.changes);
            for (url, what) in next.ask.drain(..) {
                tag += 1;
                if let Ok(parsed) = Url::parse(&url) {
                    visits.submit(tag, Visit::new(parsed, what));
                    asked.insert(tag, url);
                }
            }
            if changes.len() >= BATCH {
                archive.write(std::mem::take(&mut changes))?;
                gathering.written();
            }
            let Some((tag, visited)) = visits.next(None) else {
                break;
            };
            let Some(url) = asked.remove(&tag) else {
                continue;
            };
            let visited = visited.map_err(|error| match error.fetch_failure() {
                Some(failure) => failure.why().to_string(),
                None => error.to_string(),
            });
            next = gathering.take(archive, &url, clock.now(), visited)?;
            tally.add(&url, &next, look_on);
        }
        if changes.is_empty() {
            return Ok(tally);
        }
        archive.write(std::mem::take(&mut changes))?;
        gathering.written();
    }
}

impl PictureTally {
    fn add(&mut self, url: &str, next: &Next, look_on: &mut dyn FnMut(&str, Option<&str>)) {
        match &next.picture {
            Some(Ok(())) => {
                self.stored += 1;
                look_on(url, None);
            }
            Some(Err(why)) => {
                self.failed += 1;
                look_on(url, Some(why));
            }
            None => {}
        }
    }
}
