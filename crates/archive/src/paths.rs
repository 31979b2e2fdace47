//! The paths in an archive's folder.

use std::path::{Path, PathBuf};

/// The database.
pub fn database(dir: &Path) -> PathBuf {
    dir.join("archive.sqlite")
}

/// The database that will replace it.
pub fn new_database(dir: &Path) -> PathBuf {
    dir.join("archive.sqlite.new")
}

/// The lock of the writing process.
pub fn lock(dir: &Path) -> PathBuf {
    dir.join("lock")
}

/// A mark that the tables are out of date. Its content shows if the WARC files are being
/// replaced as well (`forget`).
pub fn stale(dir: &Path) -> PathBuf {
    dir.join("stale")
}

/// The marks of a reader.
pub fn marks(dir: &Path) -> PathBuf {
    dir.join("marks.json")
}

/// The settings of a reader.
pub fn reading_settings(dir: &Path) -> PathBuf {
    dir.join("reader.json")
}

/// The lock of the process that changes the marks.
pub fn marks_lock(dir: &Path) -> PathBuf {
    dir.join("marks.lock")
}

/// The devices whose apps read the archive.
pub fn devices(dir: &Path) -> PathBuf {
    dir.join("devices.json")
}

/// The lock of the process that changes the devices.
pub fn devices_lock(dir: &Path) -> PathBuf {
    dir.join("devices.lock")
}

/// The browsers that gave the server's password.
pub fn browsers(dir: &Path) -> PathBuf {
    dir.join("browsers.json")
}

/// The lock of the process that changes the browsers.
pub fn browsers_lock(dir: &Path) -> PathBuf {
    dir.join("browsers.lock")
}

/// The drafts of wrappers.
pub fn drafts(dir: &Path) -> PathBuf {
    dir.join("drafts.json")
}

/// The lock of the process that changes the drafts.
pub fn drafts_lock(dir: &Path) -> PathBuf {
    dir.join("drafts.lock")
}

/// The secrets of sites.
pub fn secrets(dir: &Path) -> PathBuf {
    dir.join("secrets.json")
}

/// The lock of the process that changes the secrets.
pub fn secrets_lock(dir: &Path) -> PathBuf {
    dir.join("secrets.lock")
}

/// The search index.
pub fn index(dir: &Path) -> PathBuf {
    dir.join("index")
}

/// The wrappers that a harvest uses.
pub fn sites(dir: &Path) -> PathBuf {
    dir.join("sites")
}
