//! Requests to whoever writes the archive: a feed is added while a harvest runs.
//!
//! A request is a file in `inbox/` with an event in it. The harvest takes it over at
//! its next look; nothing waits for it.

use super::event::Event;
use super::{Archive, write_failed};
use crate::error::{Error, Result};
use crate::warc::hex;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// Bytes of a request at the most.
const MAX_BYTES: u64 = 100_000;

#[derive(Debug, Serialize, Deserialize)]
struct Request {
    at: DateTime<Utc>,
    event: Event,
}

fn folder(dir: &Path) -> PathBuf {
    dir.join("inbox")
}

/// Leaves a request in the archive's folder.
///
/// # Errors
///
/// If it cannot be written.
pub fn request(dir: &Path, at: DateTime<Utc>, event: Event) -> Result<()> {
    let folder = folder(dir);
    let json = serde_json::to_vec(&Request { at, event }).expect("an event has string keys only");
    // By their time, then by what they say.
    let digest = hex(&Sha256::digest(&json)[..8]);
    let path = folder.join(format!(
        "{:016}-{digest}.json",
        at.timestamp_micros().max(0)
    ));
    let write = || {
        fs::create_dir_all(&folder)?;
        super::Disk::default().replace(&path, &json)
    };
    write().map_err(|source| write_failed(&path, source))
}

impl Archive {
    /// Whether somebody left a request.
    pub fn has_requests(&self) -> bool {
        !self.requests().is_empty()
    }

    /// Does what was asked for; gives how many requests there were. What is no request
    /// is removed.
    ///
    /// # Errors
    ///
    /// If the archive cannot be written; the requests stay.
    pub fn take_requests(&mut self) -> Result<usize> {
        let paths = self.requests();
        let mut changes = Vec::new();
        for path in &paths {
            let known = fs::metadata(path).is_ok_and(|about| about.len() <= MAX_BYTES);
            let text = known.then(|| fs::read(path).ok()).flatten();
            let request: Option<Request> = text.and_then(|text| serde_json::from_slice(&text).ok());
            match request {
                Some(Request { at, event }) if is_allowed(&event) => {
                    changes.push(super::Change::Event { at, event });
                }
                _ => tracing::warn!(file = %path.display(), "this is no request"),
            }
        }
        let count = changes.len();
        if count > 0 {
            self.write(changes)?;
        }
        for path in paths {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Error::read(&path, error));
                }
                _ => {}
            }
        }
        Ok(count)
    }

    fn requests(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(folder(&self.dir)) else {
            return Vec::new();
        };
        let mut paths: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|end| end == "json"))
            .collect();
        paths.sort();
        paths
    }
}

/// Only feeds are asked for in this way.
fn is_allowed(event: &Event) -> bool {
    matches!(
        event,
        Event::FeedAdded { .. } | Event::FeedRemoved { .. } | Event::FeedPaused { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::super::ArchiveOptions;
    use super::*;

    #[test]
    fn a_feed_is_added_while_another_process_writes() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut archive = Archive::open(dir.path(), ArchiveOptions::default()).expect("it opens");
        assert!(!archive.has_requests());
        let at = "2026-01-02T03:04:05Z".parse().expect("a date");
        for feed in ["http://a.example/feed", "http://b.example/feed"] {
            let feed = feed.to_owned();
            request(dir.path(), at, Event::FeedAdded { feed }).expect("written");
        }
        fs::write(folder(dir.path()).join("9.json"), "{}").expect("written");
        let forgotten = Event::Forgotten {
            digest: "x".to_owned(),
        };
        request(dir.path(), at, forgotten).expect("written");
        assert!(archive.has_requests());
        assert_eq!(archive.take_requests().expect("done"), 2);
        assert!(!archive.has_requests());
        assert_eq!(
            archive
                .reader()
                .expect("a reader")
                .feeds()
                .expect("readable")
                .len(),
            2
        );
        assert_eq!(archive.take_requests().expect("done"), 0);
    }
}
