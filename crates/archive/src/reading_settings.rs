//! How a reader wants to read. The settings stand in a file of their own, `reader.json` in the
//! archive's folder, since no event gives them; a backup copies them.

use super::devices::OWNER;
use super::paths;
use super::user_file::UserFile;
use crate::error::Result;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The colours of the pages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReaderTheme {
    /// As the browser prefers.
    #[default]
    Browser,
    Light,
    Dark,
}

/// The letters of an article.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReaderFont {
    #[default]
    Serif,
    Sans,
}

/// The size of the letters of an article, and the width of its lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReaderMeasure {
    Small,
    #[default]
    Medium,
    Large,
}

/// The form in which an article has a picture that is not stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnstoredPictures {
    /// A link to it.
    #[default]
    Links,
    /// The picture, which the server brings, if the archive has fetched from its host.
    KnownHosts,
    /// The picture, which the server brings from any public host.
    AnyHost,
}

/// The settings of a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReadingSettings {
    pub theme: ReaderTheme,
    pub font: ReaderFont,
    pub letters: ReaderMeasure,
    pub lines: ReaderMeasure,
    pub unstored_pictures: UnstoredPictures,
    /// Lists show a picture of each article.
    pub thumbnails: bool,
    /// An article that is opened is marked as read.
    pub opening_marks_read: bool,
}

impl Default for ReadingSettings {
    fn default() -> ReadingSettings {
        ReadingSettings {
            theme: ReaderTheme::default(),
            font: ReaderFont::default(),
            letters: ReaderMeasure::default(),
            lines: ReaderMeasure::default(),
            unstored_pictures: UnstoredPictures::default(),
            thumbnails: false,
            opening_marks_read: true,
        }
    }
}

/// The file: the settings of each user.
#[derive(Debug, Default, Serialize, Deserialize)]
struct SettingsFile {
    format: u32,
    users: BTreeMap<String, ReadingSettings>,
}

impl UserFile for SettingsFile {
    const FORMAT: u32 = 1;

    fn format(&mut self) -> &mut u32 {
        &mut self.format
    }
}

impl ReadingSettings {
    /// The settings in an archive's folder; the usual ones if there is no file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is of another format.
    pub fn of(dir: &Path) -> Result<ReadingSettings> {
        let file = SettingsFile::read(&paths::reading_settings(dir))?;
        Ok(file.users.get(OWNER).copied().unwrap_or_default())
    }

    /// Puts these settings in the place of the former ones.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, or is of another format; the old one stays.
    pub fn keep(self, dir: &Path) -> Result<()> {
        let path = paths::reading_settings(dir);
        let mut file = SettingsFile::read(&path)?;
        file.users.insert(OWNER.to_owned(), self);
        file.replace(&path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn settings_stay_until_they_are_changed() {
        let dir = tempfile::tempdir().expect("a folder");
        let settings = || ReadingSettings::of(dir.path());
        assert_eq!(settings().expect("readable"), ReadingSettings::default());
        let dark = ReadingSettings {
            theme: ReaderTheme::Dark,
            font: ReaderFont::Sans,
            lines: ReaderMeasure::Small,
            unstored_pictures: UnstoredPictures::KnownHosts,
            opening_marks_read: false,
            ..ReadingSettings::default()
        };
        dark.keep(dir.path()).expect("written");
        assert_eq!(settings().expect("readable"), dark);
        // A later version may know more; one of another format is left alone.
        let path = paths::reading_settings(dir.path());
        fs::write(
            &path,
            "{\"format\":1,\"users\":{\"owner\":{\"theme\":\"dark\"}}}",
        )
        .expect("written");
        assert_eq!(settings().expect("readable").theme, ReaderTheme::Dark);
        for bad in ["{\"format\":2,\"users\":{}}", "[]", "\0"] {
            fs::write(&path, bad).expect("written");
            assert!(
                settings().is_err() && dark.keep(dir.path()).is_err(),
                "{bad}"
            );
            assert_eq!(fs::read_to_string(&path).expect("a file"), bad);
        }
    }
}
