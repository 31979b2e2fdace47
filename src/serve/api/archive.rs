//! The archive whose feeds are served.

use super::conditional::ServedTimes;
use super::rendered::RenderedFeeds;
use std::path::PathBuf;

/// The folder of the archive, and the times and feeds of what was served.
#[derive(Debug)]
pub(crate) struct ServedArchive {
    pub(crate) dir: PathBuf,
    pub(super) times: ServedTimes,
    pub(super) rendered: RenderedFeeds,
}

impl ServedArchive {
    pub(crate) fn new(dir: PathBuf) -> ServedArchive {
        ServedArchive {
            dir,
            times: ServedTimes::default(),
            rendered: RenderedFeeds::default(),
        }
    }
}
