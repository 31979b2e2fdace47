//! A re-reading of stored pages: the wrapper by which, and the counts.

use chrono::{DateTime, Utc};
use forest_core::extract::{Article, Extractor, Status};

/// Versions that are read together, and written together.
pub(super) const AT_ONCE: usize = 64;

/// A wrapper by which versions are read again.
#[derive(Debug, Clone, Copy)]
pub struct RereadBy<'a> {
    /// The site.
    pub site: &'a str,
    /// The wrapper.
    pub extractor: &'a Extractor,
    /// SHA-256 of its file, in hex.
    pub sha256: &'a str,
    /// Only versions that were read badly, or without a wrapper.
    pub bad_only: bool,
    /// Only versions of the articles of this feed.
    pub feed: Option<&'a str>,
    /// A person edited its file.
    pub is_edited: bool,
}

/// The counts of a re-extraction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reextracted {
    /// Versions whose wrapper is not today's.
    pub versions: u64,
    /// Of these, versions that today's wrapper reads.
    pub read: u64,
    /// Of these, versions whose text changed.
    pub changed: u64,
    /// Versions whose page today's wrapper does not match.
    pub unmatched: u64,
    /// Versions without a raw page.
    pub without_page: u64,
    /// Doubtful readings, and edits that an earlier wrapper did not see, that became versions.
    pub edits: Vec<SettledEdit>,
    /// Doubtful readings that were no edits.
    pub settled: u64,
    /// Doubtful readings whose page today's wrapper does not match.
    pub doubtful: u64,
    /// Wrappers that became active: a person added or edited their files.
    pub wrappers: u64,
    /// Wrappers that cannot be used, with the reason: their sites are skipped.
    pub failed: Vec<String>,
}

/// A doubtful reading, or an edit that an earlier wrapper did not see, that became a version.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SettledEdit {
    /// The article's address.
    pub url: String,
    /// The title of the version.
    pub title: Option<String>,
    /// The page's number in the archive.
    pub page: i64,
    /// The time of the visit.
    pub seen: DateTime<Utc>,
}

/// Returns true if the wrapper read the article: a fall-back without a wrapper is not its text.
pub(super) fn is_read(article: &Article) -> bool {
    let found = matches!(
        article.status,
        Status::Ok | Status::Degraded | Status::Fallback
    );
    found && article.wrapper.is_some() && !article.text.is_empty()
}
