//! The files of settings: the one that is watched, and the profiles that were saved.

use crate::cli::output;
use crate::error::{ErrorKind, Result};
use crate::filter::FilterSettings;
use crate::serve::SettingsStore;
use anyhow::Context;
use etcetera::BaseStrategy;
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
        let settings = read(path)?;
        let watched = WatchedFile {
            path: path.to_owned(),
            read: Mutex::new(stamp),
        };
        let files = SettingsFiles {
            watched: Some(watched),
        };
        Ok((settings, files))
    }

    /// The settings that were saved under a name.
    ///
    /// # Errors
    ///
    /// If there is no such file, or it is no file of settings.
    pub fn saved(&self, name: &str) -> anyhow::Result<FilterSettings> {
        Ok(read(&folder()?.join(format!("{name}.yaml")))?)
    }
}

impl SettingsStore for SettingsFiles {
    fn changed(&self) -> Option<Result<FilterSettings>> {
        let watched = self.watched.as_ref()?;
        let mut read_at = watched.read.lock().unwrap_or_else(PoisonError::into_inner);
        let now = stamp(&watched.path);
        if *read_at == now {
            return None;
        }
        *read_at = now;
        Some(read(&watched.path))
    }

    fn save(&self, name: &str, settings: &FilterSettings) -> io::Result<String> {
        let save = || -> anyhow::Result<PathBuf> {
            let folder = folder()?;
            output::make_folder(&folder)?;
            let path = folder.join(format!("{name}.yaml"));
            output::write(&path, settings.to_yaml().as_bytes())?;
            Ok(path)
        };
        let saved = save().map_err(|error| io::Error::other(format!("{error:#}")))?;
        Ok(saved.display().to_string())
    }
}

fn folder() -> anyhow::Result<PathBuf> {
    let base = etcetera::choose_base_strategy().context("there is no folder for settings here")?;
    Ok(base.config_dir().join("forest").join("filter"))
}

fn stamp(path: &Path) -> Option<(SystemTime, u64)> {
    let about = fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

fn read(path: &Path) -> Result<FilterSettings> {
    let unread = |source| ErrorKind::Read {
        path: path.to_owned(),
        source,
    };
    FilterSettings::from_yaml(&fs::read_to_string(path).map_err(unread)?)
}
