//! The archive whose feeds are served.

use super::conditional::ServedTimes;
use std::path::PathBuf;

/// The folder of the archive, and the times of what was served.
#[derive(Debug)]
pub(crate) struct ServedArchive {
    pub(super) dir: PathBuf,
    pub(super) times: ServedTimes,
}

impl ServedArchive {
    pub(crate) fn new(dir: PathBuf) -> ServedArchive {
        ServedArchive {
            dir,
            times: ServedTimes::default(),
        }
    }
}
