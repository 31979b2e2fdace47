//! The files of settings: the one that is watched, and the profiles that were saved.

use crate::cli::{filter_settings, output};
use forest_text::filter::FilterSettings;
use forest_web::shared_filter::SettingsStore;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// See the file's page.
#[derive(Debug, Default)]
pub struct SettingsFiles {
    watched: Option<WatchedFile>,
}

/// A file whose changes are taken over.
#[derive(Debug)]
struct WatchedFile {
    path: PathBuf,
    /// The time and the size when it was read last.
    read: Mutex<Option<(SystemTime, u64)>>,
}

impl SettingsFiles {
    /// The settings of a file, whose changes are taken over from then on.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is no file of settings.
    pub fn watching(path: &Path) -> anyhow::Result<(FilterSettings, SettingsFiles)> {
        let stamp = stamp(path);
        let settings = filter_settings::read(path)?;
        let watched = WatchedFile {
            path: path.to_owned(),
            read: Mutex::new(stamp),
        };
        let files = SettingsFiles {
            watched: Some(watched),
        };
        Ok((settings, files))
    }
}

impl SettingsStore for SettingsFiles {
    fn changed(&self) -> Option<Result<FilterSettings, String>> {
        let watched = self.watched.as_ref()?;
        let mut read_at = watched.read.lock().unwrap_or_else(PoisonError::into_inner);
        let now = stamp(&watched.path);
        if *read_at == now {
            return None;
        }
        *read_at = now;
        Some(filter_settings::read(&watched.path).map_err(|error| format!("{error:#}")))
    }

    fn save(&self, name: &str, settings: &FilterSettings) -> io::Result<String> {
        let save = || -> anyhow::Result<PathBuf> {
            let path = filter_settings::saved_as(name)?;
            if let Some(folder) = path.parent() {
                output::make_folder(folder)?;
            }
            output::write(&path, settings.to_yaml().as_bytes())?;
            Ok(path)
        };
        let saved = save().map_err(|error| io::Error::other(format!("{error:#}")))?;
        Ok(saved.display().to_string())
    }
}

fn stamp(path: &Path) -> Option<(SystemTime, u64)> {
    let about = fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}
