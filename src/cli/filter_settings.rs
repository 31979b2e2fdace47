//! The settings of the filter: from a file, or by the name of a profile.

use anyhow::Context;
use etcetera::BaseStrategy;
use forest_text::filter::{FilterSettings, Profile};
use std::fs;
use std::path::{Path, PathBuf};

/// The settings in a file.
///
/// # Errors
///
/// If it cannot be read, or is no file of settings.
pub fn read(path: &Path) -> anyhow::Result<FilterSettings> {
    let text = fs::read_to_string(path);
    let text = text.with_context(|| format!("cannot read {}", path.display()))?;
    Ok(FilterSettings::from_yaml(&text)?)
}

/// The settings of the option `--profile`: of a profile of the program, or of one that was
/// saved; of `light` without the option.
///
/// # Errors
///
/// If there is no such profile, or its file is no file of settings.
pub fn of_profile(name: Option<&str>) -> anyhow::Result<FilterSettings> {
    let Some(name) = name else {
        return Ok(Profile::Light.settings());
    };
    if let Some(profile) = Profile::by_name(name) {
        return Ok(profile.settings());
    }
    let saved = || read(&saved_as(name)?);
    saved().with_context(|| {
        let known = Profile::ALL.map(Profile::name).join(", ");
        format!("--profile {name}: give {known}, or one that was saved")
    })
}

/// The file of a saved profile.
///
/// # Errors
///
/// If this machine has no folder for settings.
pub fn saved_as(name: &str) -> anyhow::Result<PathBuf> {
    let base = etcetera::choose_base_strategy().context("there is no folder for settings here")?;
    let folder = base.config_dir().join("forest").join("filter");
    Ok(folder.join(format!("{name}.yaml")))
}
