//! The archive whose feeds are served.

use super::conditional::ServedTimes;
use super::rendered::RenderedFeeds;
use forest_archive::{ArchiveWatch, KnownMarks};
use std::path::PathBuf;
use std::sync::Arc;

/// The folder of the archive, and the times and feeds of what was served.
#[derive(Debug)]
pub struct ServedArchive {
    pub dir: PathBuf,
    pub(super) watch: ArchiveWatch,
    pub(super) times: ServedTimes,
    pub(super) rendered: RenderedFeeds,
    pub marks: Arc<KnownMarks>,
}

impl ServedArchive {
    pub fn new(dir: PathBuf) -> ServedArchive {
        ServedArchive {
            watch: ArchiveWatch::of(&dir),
            dir,
            times: ServedTimes::default(),
            rendered: RenderedFeeds::default(),
            marks: Arc::default(),
        }
    }
}
