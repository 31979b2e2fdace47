//! How many entries are unread: of all feeds, of each, and of each folder.

use super::entry_filter::folders_of;
use crate::error::Result;
use forest_archive::{ArchiveReader, ArticleMark, ArticleMarks, FeedRow};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time for which counts stay known while a harvest writes.
const KNOWN: Duration = Duration::from_secs(5);

/// Numbers of unread entries.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct UnreadCounts {
    pub all: usize,
    /// Of each feed that has some, by its address.
    pub feeds: HashMap<String, usize>,
    /// Of each folder that has some, those within it included.
    pub folders: HashMap<String, usize>,
}

impl UnreadCounts {
    fn of(archive: &ArchiveReader, marks: &ArticleMarks, feeds: &[FeedRow]) -> Result<Self> {
        let folders = feeds.iter();
        let folders = folders.map(|feed| (feed.url.as_str(), folders_of(feed).collect()));
        let folders: HashMap<&str, Vec<String>> = folders.collect();
        let mut counts = UnreadCounts::default();
        let (mut last, mut is_unread) = (None, false);
        let mut counted = BTreeSet::new();
        archive.each_entry(|id, key, feed| {
            if last != Some(id) {
                (last, is_unread) = (Some(id), !marks.has(ArticleMark::Read, key));
                counts.all += usize::from(is_unread);
                counted.clear();
            }
            let Some(feed) = feed.filter(|_| is_unread) else {
                return;
            };
            *counts.feeds.entry(feed.to_owned()).or_default() += 1;
            // An entry of two feeds of a folder counts once there.
            for folder in folders.get(feed).into_iter().flatten() {
                if counted.insert(folder.clone()) {
                    *counts.folders.entry(folder.clone()).or_default() += 1;
                }
            }
        })?;
        Ok(counts)
    }
}

/// The counts as they were last: those of a large archive take longer than a page does.
#[derive(Debug, Default)]
pub struct KnownCounts(Mutex<Option<CountedAt>>);

#[derive(Debug)]
struct CountedAt {
    at: Instant,
    marks: Arc<ArticleMarks>,
    counts: Arc<UnreadCounts>,
}

impl KnownCounts {
    /// The counts, which are at most some seconds old, of these marks.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read.
    pub fn of(
        &self,
        archive: &ArchiveReader,
        marks: &Arc<ArticleMarks>,
        feeds: &[FeedRow],
    ) -> Result<Arc<UnreadCounts>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*known
            && Arc::ptr_eq(&known.marks, marks)
            && known.at.elapsed() < KNOWN
        {
            return Ok(Arc::clone(&known.counts));
        }
        let counts = Arc::new(UnreadCounts::of(archive, marks, feeds)?);
        *known = Some(CountedAt {
            at: Instant::now(),
            marks: Arc::clone(marks),
            counts: Arc::clone(&counts),
        });
        Ok(counts)
    }
}
