//! The archive whose feeds are served.

use super::conditional::ServedTimes;
use super::rendered::RenderedFeeds;
use crate::error::Result;
use forest_archive::{ArchiveReader, ArchiveWatch, KnownMarks};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time for which the sizes of pictures stay known.
const SIZES_KNOWN: Duration = Duration::from_secs(30);

/// The folder of the archive, and the times and feeds of what was served.
#[derive(Debug)]
pub struct ServedArchive {
    pub dir: PathBuf,
    pub(super) watch: ArchiveWatch,
    pub(super) times: ServedTimes,
    pub(super) rendered: RenderedFeeds,
    pub marks: Arc<KnownMarks>,
    pub(super) pictures: Arc<PictureSizes>,
}

/// Bytes of the pictures of each feed, by its address. A large archive has many: they are not
/// counted for each page.
#[derive(Debug, Default)]
pub(super) struct PictureSizes(Mutex<Option<KnownSizes>>);

/// When they were counted, and the bytes.
type KnownSizes = (Instant, Arc<HashMap<String, u64>>);

impl PictureSizes {
    pub fn of(&self, archive: &ArchiveReader) -> Result<Arc<HashMap<String, u64>>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, sizes)) = &*known
            && at.elapsed() < SIZES_KNOWN
        {
            return Ok(Arc::clone(sizes));
        }
        let sizes = Arc::new(archive.pictures_of_feeds()?);
        *known = Some((Instant::now(), Arc::clone(&sizes)));
        Ok(sizes)
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
            pictures: Arc::default(),
        }
    }
}
