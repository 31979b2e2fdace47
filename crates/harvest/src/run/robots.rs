//! The archive keeps robots.txt between processes: a harvest that is begun every quarter of
//! an hour requests it from each host once a day.

use crate::Clock;
use crate::answers::robots_answer;
use crate::error::Result;
use forest_archive::{Archive, ArchiveChange, ArchiveReader};
use forest_fetch::{Exchange, RobotsMemory};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A longer text is read again by each process, so that servers cannot fill the archive.
const MAX_BYTES: usize = 64 << 10;

/// The archive's memory of robots.txt.
#[derive(Debug)]
pub(super) struct ArchivedRobots {
    reader: Mutex<ArchiveReader>,
    clock: Arc<dyn Clock>,
    /// The changes to be written.
    new: Mutex<Vec<ArchiveChange>>,
}

impl ArchivedRobots {
    pub fn of(archive: &Archive, clock: Arc<dyn Clock>) -> Result<ArchivedRobots> {
        Ok(ArchivedRobots {
            reader: Mutex::new(archive.reader()?),
            clock,
            new: Mutex::default(),
        })
    }

    /// The changes to be written since the last call.
    pub fn take(&self) -> Vec<ArchiveChange> {
        std::mem::take(&mut lock(&self.new))
    }
}

impl RobotsMemory for ArchivedRobots {
    fn recall(&self, origin: &str) -> Option<(Duration, Vec<u8>)> {
        let found = lock(&self.reader).robots(origin);
        let (at, text) = found
            .inspect_err(|error| tracing::debug!(origin, %error, "robots.txt is not recalled"))
            .ok()??;
        // A time in the future is not used: the clock went backwards.
        let age = (self.clock.now() - at).to_std().ok()?;
        Some((age, text))
    }

    fn keep(&self, origin: &str, text: &[u8]) {
        if text.len() <= MAX_BYTES {
            lock(&self.new).push(ArchiveChange::Robots {
                origin: origin.to_owned(),
                at: self.clock.now(),
                text: text.to_vec(),
            });
        }
    }

    fn received(&self, exchange: Exchange) {
        lock(&self.new).extend(robots_answer(&exchange, self.clock.now()));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
