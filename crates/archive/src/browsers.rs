//! The browsers that gave the server's password, and the secret of its forms and pictures, so that both
//! outlive the server. They stand in a file of their own, `browsers.json` in the archive's folder, which only
//! its owner can read. Of a session it has a digest, from which nobody finds the session.

use super::devices::OWNER;
use super::disk::lock_file;
use super::paths;
use super::user_file::UserFile;
use crate::error::Result;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The session of a browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrowserSession {
    /// The digest of its secret.
    pub digest: String,
    /// The user who gave the password.
    #[serde(default = "owner")]
    pub user: String,
    /// Its begin, in seconds since 1970.
    pub begun: u64,
}

fn owner() -> String {
    OWNER.to_owned()
}

impl BrowserSession {
    /// A session of the owner that begins, by seconds since 1970.
    pub fn new(digest: String, begun: u64) -> BrowserSession {
        BrowserSession {
            digest,
            user: owner(),
            begun,
        }
    }
}

/// The sessions of an archive's server, oldest first, and a secret of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownBrowsers {
    format: u32,
    /// Keys of forms and of pictures follow from it; empty if there is none yet.
    pub secret: String,
    pub sessions: Vec<BrowserSession>,
}

impl UserFile for KnownBrowsers {
    const FORMAT: u32 = 1;
    const IS_PRIVATE: bool = true;
    const MAX_BYTES: Option<u64> = Some(1_000_000);

    fn format(&mut self) -> &mut u32 {
        &mut self.format
    }
}

impl KnownBrowsers {
    /// The browsers in an archive's folder; none if there is no file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is of another format.
    pub fn of(dir: &Path) -> Result<KnownBrowsers> {
        KnownBrowsers::read(&paths::browsers(dir))
    }

    /// Changes the file. Other processes wait.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written; the old one stays.
    pub fn change(dir: &Path, change: impl FnOnce(&mut KnownBrowsers)) -> Result<KnownBrowsers> {
        let _lock = lock_file(&paths::browsers_lock(dir))?;
        let old = KnownBrowsers::of(dir)?;
        let mut browsers = old.clone();
        change(&mut browsers);
        if browsers != old {
            browsers.clone().replace(&paths::browsers(dir))?;
        }
        Ok(browsers)
    }
}
