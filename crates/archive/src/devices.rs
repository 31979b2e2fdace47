//! The devices whose apps read an archive, each with a token of its own. They stand in a file of
//! their own, `devices.json` in the archive's folder, which only its owner can read. It has no
//! token, only digests: tokens are random, so that nobody finds one by its digest.
//!
//! A device belongs to a user. There is one today, [`OWNER`], to whom the marks belong, too.

use super::disk::lock_file;
use super::paths;
use super::user_file::UserFile;
use crate::error::Result;
use chrono::NaiveDate;
use forest_html::text::sha256_hex;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The user of an archive.
pub const OWNER: &str = "owner";

/// Devices that an archive has at the most.
pub const MAX_DEVICES: usize = 100;

/// A device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppDevice {
    /// Its name in the file, which no other has.
    pub id: String,
    /// Its user.
    pub user: String,
    /// Its name for people.
    pub name: String,
    /// The day on which it got its token.
    pub made: NaiveDate,
    /// The day on which the token was used last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<NaiveDate>,
    /// The digest of its token.
    token: String,
    /// If an app gave the server's password: its token follows from the password and from this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
}

impl AppDevice {
    /// A device of the owner with a token, which is not kept.
    pub fn new(id: String, name: String, token: &str, made: NaiveDate) -> AppDevice {
        AppDevice {
            id,
            user: OWNER.to_owned(),
            name,
            made,
            used: None,
            token: sha256_hex(token),
            salt: None,
        }
    }

    /// Replaces its token.
    pub fn set_token(&mut self, token: &str) {
        self.token = sha256_hex(token);
    }
}

/// The devices of an archive, in the order in which they came.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppDevices {
    format: u32,
    /// At most [`MAX_DEVICES`].
    pub devices: Vec<AppDevice>,
}

impl UserFile for AppDevices {
    const FORMAT: u32 = 1;
    const IS_PRIVATE: bool = true;

    fn format(&mut self) -> &mut u32 {
        &mut self.format
    }
}

impl AppDevices {
    /// The devices in an archive's folder; none if there is no file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is of another format.
    pub fn of(dir: &Path) -> Result<AppDevices> {
        AppDevices::read(&paths::devices(dir))
    }

    /// The device with a token.
    pub fn with_token(&self, token: &str) -> Option<&AppDevice> {
        let digest = sha256_hex(token);
        self.devices.iter().find(|device| device.token == digest)
    }

    /// Changes the devices in the file; gives what `change` gives. Other processes wait.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written; the old one stays.
    pub fn change<T>(dir: &Path, change: impl FnOnce(&mut AppDevices) -> T) -> Result<T> {
        let _lock = lock_file(&paths::devices_lock(dir))?;
        let old = AppDevices::of(dir)?;
        let mut devices = old.clone();
        let given = change(&mut devices);
        devices.devices.truncate(MAX_DEVICES);
        if devices.devices == old.devices {
            return Ok(given);
        }
        devices.replace(&paths::devices(dir))?;
        Ok(given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn device(id: &str, token: &str) -> AppDevice {
        let day = NaiveDate::from_ymd_opt(2026, 1, 2).expect("a day");
        AppDevice::new(id.to_owned(), "Phone".to_owned(), token, day)
    }

    #[test]
    fn a_device_has_its_token_until_it_is_revoked() {
        let dir = tempfile::tempdir().expect("a folder");
        let devices = || AppDevices::of(dir.path()).expect("devices");
        assert_eq!(devices(), AppDevices::default());
        let change = |change: &dyn Fn(&mut AppDevices)| {
            AppDevices::change(dir.path(), |devices| change(devices)).expect("written");
        };
        change(&|all| all.devices.push(device("1", "secret one")));
        change(&|all| all.devices.push(device("2", "secret two")));
        let found = |token| devices().with_token(token).map(|device| device.id.clone());
        assert_eq!(found("secret one").as_deref(), Some("1"));
        assert_eq!((found(""), found("secret")), (None, None));
        let text = fs::read_to_string(paths::devices(dir.path())).expect("a file");
        assert!(!text.contains("secret"), "{text}");
        change(&|all| all.devices.retain(|device| device.id != "1"));
        assert_eq!(
            (found("secret one"), found("secret two")),
            (None, Some("2".into()))
        );
        change(&|all| all.devices = vec![device("3", "x"); MAX_DEVICES + 1]);
        assert_eq!(devices().devices.len(), MAX_DEVICES);
    }

    #[cfg(unix)]
    #[test]
    fn its_file_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().expect("a folder");
        for token in ["a", "b"] {
            let add = |all: &mut AppDevices| all.devices.push(device(token, token));
            AppDevices::change(dir.path(), add).expect("written");
            let file = fs::metadata(paths::devices(dir.path())).expect("a file");
            assert_eq!(file.permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn a_file_of_another_format_is_left_alone() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = paths::devices(dir.path());
        for bad in ["{\"format\":2,\"devices\":[]}", "[]", "\0"] {
            fs::write(&path, bad).expect("written");
            assert!(AppDevices::change(dir.path(), |all| all.devices.clear()).is_err());
            assert_eq!(fs::read_to_string(&path).expect("a file"), bad);
        }
    }
}
