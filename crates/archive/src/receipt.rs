//! The receipt of a re-reading: a harvest leaves it in the inbox for the process that asked.
//!
//! Takes the counts of a re-reading and the articles that it changed; gives a small file, which
//! the process that asked takes out.

use super::disk::{Disk, remove, write_failed};
use super::handle::Archive;
use super::reread::Reextracted;
use crate::error::Result;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Addresses of changed articles in a receipt at the most.
const MAX_CHANGED: usize = 200;

/// Receipts that wait at the most: the process that asked may be gone.
const MAX_RECEIPTS: usize = 20;

/// Bytes of a receipt at the most.
const MAX_BYTES: u64 = 1_000_000;

/// The counts of a re-reading, and the articles that it changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RereadReceipt {
    /// Versions of another wrapper than today's.
    pub versions: u64,
    /// Of these, versions that today's wrapper read.
    pub read: u64,
    /// Of these, versions whose text changed.
    pub changed: u64,
    /// Versions whose page today's wrapper does not match.
    pub unmatched: u64,
    /// Versions without a raw page.
    pub without_page: u64,
    /// Edits that became versions.
    pub edits: u64,
    /// Reasons why wrappers cannot be used.
    pub failed: Vec<String>,
    /// Addresses of changed articles, the first 200.
    pub articles: Vec<String>,
}

impl RereadReceipt {
    /// Notes an article whose text changed.
    pub fn note(&mut self, url: &str) {
        if self.articles.len() < MAX_CHANGED && !self.articles.iter().any(|known| known == url) {
            self.articles.push(url.to_owned());
        }
    }

    /// The receipt with the counts of its re-reading, and with the edits among its articles.
    #[must_use]
    pub fn with_counts(mut self, report: &Reextracted) -> RereadReceipt {
        for edit in &report.edits {
            self.note(&edit.url);
        }
        RereadReceipt {
            versions: report.versions,
            read: report.read,
            changed: report.changed,
            unmatched: report.unmatched,
            without_page: report.without_page,
            edits: report.edits.len() as u64,
            failed: report.failed.clone(),
            articles: self.articles,
        }
    }

    /// Takes the receipt with this name out of an archive's folder; `None` if there is none yet.
    ///
    /// # Errors
    ///
    /// If it cannot be removed.
    pub fn take(dir: &Path, name: &str) -> Result<Option<RereadReceipt>> {
        let Some(path) = path_of(dir, name) else {
            return Ok(None);
        };
        let is_small = fs::metadata(&path).is_ok_and(|about| about.len() <= MAX_BYTES);
        let bytes = is_small.then(|| fs::read(&path).ok()).flatten();
        let Some(receipt) = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()) else {
            return Ok(None);
        };
        remove(&path)?;
        Ok(Some(receipt))
    }
}

impl Archive {
    /// Leaves a receipt under a name of letters, digits, `-` and `_`; another name is passed over. The
    /// oldest receipts make room.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn leave_receipt(&self, name: &str, receipt: &RereadReceipt) -> Result<()> {
        let Some(path) = path_of(&self.dir, name) else {
            return Ok(());
        };
        let waiting = receipts(&self.dir);
        let gone = waiting.len().saturating_sub(MAX_RECEIPTS - 1);
        for old in &waiting[..gone] {
            remove(old)?;
        }
        let json = serde_json::to_vec(receipt).expect("a receipt has string keys only");
        let put = Disk::default().replace(&path, &json);
        put.map_err(|source| write_failed(&path, source))
    }
}

fn path_of(dir: &Path, name: &str) -> Option<PathBuf> {
    let is_letter = |b: u8| b.is_ascii_alphanumeric() || b"-_".contains(&b);
    let is_name = (1..=64).contains(&name.len()) && name.bytes().all(is_letter);
    is_name.then(|| dir.join("inbox").join(format!("{name}.receipt")))
}

/// The receipts that wait, the oldest first.
fn receipts(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir.join("inbox")) else {
        return Vec::new();
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "receipt"))
        .collect();
    paths.sort_by_cached_key(|path| {
        let written = fs::metadata(path).and_then(|about| about.modified()).ok();
        (written, path.clone())
    });
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inbox::{UrgentRequest, request_now};
    use crate::reextract::ReextractOptions;
    use crate::tests::archive_options;

    #[test]
    fn a_receipt_is_taken_once_and_few_wait() {
        let dir = tempfile::tempdir().expect("a folder");
        let archive = Archive::open(dir.path(), archive_options()).expect("it opens");
        let wish = UrgentRequest::Reextract(ReextractOptions::default());
        let at = "2026-01-02T03:04:05Z".parse().expect("a date");
        request_now(dir.path(), at, wish).expect("written");
        let mut receipt = RereadReceipt::default();
        for url in [
            "http://a.example/1",
            "http://a.example/1",
            "http://a.example/2",
        ] {
            receipt.note(url);
        }
        assert_eq!(receipt.articles.len(), 2);
        let take = |name: &str| RereadReceipt::take(dir.path(), name).expect("readable");
        assert_eq!(take("-a_1"), None);
        archive.leave_receipt("-a_1", &receipt).expect("written");
        assert_eq!((take("-a_1"), take("-a_1")), (Some(receipt.clone()), None));
        // A name is no path.
        for bad in ["", "../a", "a/b", "a.b"] {
            archive.leave_receipt(bad, &receipt).expect("passed over");
            assert_eq!(take(bad), None, "{bad}");
        }
        for name in 0..2 * MAX_RECEIPTS {
            let name = name.to_string();
            archive.leave_receipt(&name, &receipt).expect("written");
        }
        assert_eq!(receipts(dir.path()).len(), MAX_RECEIPTS);
        assert!(archive.has_requests(), "a receipt is no request");
    }
}
