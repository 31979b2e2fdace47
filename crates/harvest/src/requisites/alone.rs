//! Fetches the requisites of articles that no harvest brought.

use super::{GatherScope, GatherStep, Gathering, PictureTally, RequisiteOptions};
use crate::Clock;
use crate::answers::answers_before;
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_archive::{Archive, ArchiveChange};
use forest_fetch::{Fetcher, reason};
use std::collections::HashMap;

/// Maximum number of bodies that wait to be taken.
const WINDOW: usize = 8;

/// Number of changes that are written together.
const BATCH: usize = 32;

/// Fetches the pictures of the articles whose versions have a number above `after`. Reports
/// each picture to `on_picture`, with the reason of a failure.
///
/// # Errors
///
/// If the archive cannot be read or written. A site's failure is no error.
pub fn gather(
    archive: &mut Archive,
    fetcher: &Fetcher,
    clock: &dyn Clock,
    options: RequisiteOptions,
    after: i64,
    on_picture: &mut dyn FnMut(&str, Option<&str>),
) -> Result<PictureTally> {
    let scope = GatherScope {
        since: DateTime::<Utc>::MIN_UTC,
        after,
    };
    let mut gathering = Gathering::new(options, after);
    let mut visits = fetcher.visits(WINDOW);
    let mut requested: HashMap<u64, String> = HashMap::new();
    let (mut tag, mut tally) = (0, PictureTally::default());
    let mut changes: Vec<ArchiveChange> = Vec::new();
    loop {
        let mut next = gathering.look(archive, scope, clock.now(), &|_| false)?;
        loop {
            changes.append(&mut next.changes);
            for request in next.requests.drain(..) {
                tag += 1;
                if let Some(visit) = request.visit() {
                    visits.submit(tag, visit);
                    requested.insert(tag, request.url);
                }
            }
            if changes.len() >= BATCH {
                archive.write(std::mem::take(&mut changes))?;
                gathering.written();
            }
            let Some((tag, visited)) = visits.next(None) else {
                break;
            };
            let Some(url) = requested.remove(&tag) else {
                continue;
            };
            if let Err(error) = &visited {
                changes.extend(answers_before(error, clock.now()));
            }
            let visited = visited.map_err(|error| reason(&error));
            next = gathering.take(archive, &url, clock.now(), visited)?;
            tally.add(&url, &next, on_picture);
        }
        if changes.is_empty() {
            return Ok(tally);
        }
        archive.write(std::mem::take(&mut changes))?;
        gathering.written();
    }
}

impl PictureTally {
    fn add(
        &mut self,
        url: &str,
        next: &GatherStep,
        on_picture: &mut dyn FnMut(&str, Option<&str>),
    ) {
        match &next.picture {
            Some(Ok(())) => {
                self.stored += 1;
                on_picture(url, None);
            }
            Some(Err(why)) => {
                self.failed += 1;
                on_picture(url, Some(why));
            }
            None => {}
        }
    }
}
