//! How many entries are unread: of all feeds, of each, and of each folder.

use super::entry_filter::folders_of;
use crate::error::Result;
use forest_archive::{ArchiveReader, ArticleMark, ArticleMarks, FeedRow};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// Time for which counts stay known while a harvest writes.
const KNOWN: Duration = Duration::from_secs(5);

/// Counts that took longer stay known as long after a mark, too.
const SLOW: Duration = Duration::from_millis(50);

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
pub struct KnownCounts {
    last: Mutex<Option<CountedAt>>,
    /// Held while somebody counts.
    counting: Mutex<()>,
}

#[derive(Debug, Clone)]
struct CountedAt {
    at: Instant,
    marks: Arc<ArticleMarks>,
    counts: Arc<UnreadCounts>,
    took: Duration,
}

impl CountedAt {
    fn holds(&self, marks: &Arc<ArticleMarks>) -> bool {
        let is_of_these = Arc::ptr_eq(&self.marks, marks) || self.took > SLOW;
        is_of_these && self.at.elapsed() < KNOWN
    }
}

impl KnownCounts {
    /// The counts of these marks, which are at most some seconds old; those before them while
    /// somebody else counts, or if counting takes long.
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
        let last = self.last();
        let _counting = match (last, self.counting.try_lock()) {
            (Some(last), _) if last.holds(marks) => return Ok(last.counts),
            (Some(last), Err(TryLockError::WouldBlock)) => return Ok(last.counts),
            (_, Ok(counting)) => counting,
            (_, Err(_)) => self.counting.lock().unwrap_or_else(PoisonError::into_inner),
        };
        let begun = Instant::now();
        let counts = Arc::new(UnreadCounts::of(archive, marks, feeds)?);
        let counted = CountedAt {
            at: Instant::now(),
            marks: Arc::clone(marks),
            counts: Arc::clone(&counts),
            took: begun.elapsed(),
        };
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(counted);
        Ok(counts)
    }

    fn last(&self) -> Option<CountedAt> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.clone()
    }
}
