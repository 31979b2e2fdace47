//! The archive whose feeds are served.

use super::conditional::ServedTimes;
use super::rendered::RenderedFeeds;
use crate::error::Result;
use forest_archive::{ArchiveReader, ArchiveWatch, KnownMarks, RecentPages};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time for which the figures of feeds stay known.
const FIGURES_KNOWN: Duration = Duration::from_secs(30);

/// The folder of the archive, and the times and feeds of what was served.
#[derive(Debug)]
pub struct ServedArchive {
    pub dir: PathBuf,
    pub(super) watch: ArchiveWatch,
    pub(super) times: ServedTimes,
    pub(super) rendered: RenderedFeeds,
    pub marks: Arc<KnownMarks>,
    pub figures: Arc<KnownFigures>,
}

/// Figures of the feeds of an archive, by their addresses.
#[derive(Debug, Default)]
pub struct FeedFigures {
    /// Bytes of the pictures.
    pub pictures: HashMap<String, u64>,
    /// The pages that were visited last.
    pub pages: HashMap<String, RecentPages>,
}

/// The figures as they were counted last. A large archive has many pages and pictures: they are
/// not counted for each page of ours.
#[derive(Debug, Default)]
pub struct KnownFigures(Mutex<Option<(Instant, Arc<FeedFigures>)>>);

impl KnownFigures {
    pub fn of(&self, archive: &ArchiveReader) -> Result<Arc<FeedFigures>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, figures)) = &*known
            && at.elapsed() < FIGURES_KNOWN
        {
            return Ok(Arc::clone(figures));
        }
        let figures = Arc::new(FeedFigures {
            pictures: archive.pictures_of_feeds()?,
            pages: archive.recent_pages()?,
        });
        *known = Some((Instant::now(), Arc::clone(&figures)));
        Ok(figures)
    }
}

impl ServedArchive {
    pub fn new(dir: PathBuf) -> ServedArchive {
        ServedArchive {
            watch: ArchiveWatch::of(&dir),
            dir,
            times: ServedTimes::default(),
            rendered: RenderedFeeds::default(),
            marks: Arc::default(),
            figures: Arc::default(),
        }
    }
}
