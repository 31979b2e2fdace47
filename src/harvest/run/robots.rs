//! What robots.txt said outlives the process: a harvest that is begun every quarter of
//! an hour asks each host for it once a day.

use crate::archive::{Archive, ArchiveChange, ArchiveReader};
use crate::error::Result;
use crate::fetch::RobotsMemory;
use crate::harvest::Clock;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A longer text is read again by each process, so that servers cannot fill the archive.
const MAX_BYTES: usize = 64 << 10;

/// The archive's memory of robots.txt.
#[derive(Debug)]
pub(super) struct Robots {
    reader: Mutex<ArchiveReader>,
    clock: Arc<dyn Clock>,
    /// What is to be written.
    new: Mutex<Vec<ArchiveChange>>,
}

impl Robots {
    pub fn of(archive: &Archive, clock: Arc<dyn Clock>) -> Result<Robots> {
        Ok(Robots {
            reader: Mutex::new(archive.reader()?),
            clock,
            new: Mutex::default(),
        })
    }

    /// What is to be written since this was asked last.
    pub fn take(&self) -> Vec<ArchiveChange> {
        std::mem::take(&mut lock(&self.new))
    }
}

impl RobotsMemory for Robots {
    fn recall(&self, origin: &str) -> Option<(Duration, Vec<u8>)> {
        let found = lock(&self.reader).robots(origin);
        let (at, text) = found
            .inspect_err(|error| tracing::debug!(origin, %error, "robots.txt is not recalled"))
            .ok()??;
        // None of a time that is still to come: the clock went backwards.
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
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
