//! The secrets of an archive's sites, as the fetcher asks for them.

use crate::clock::Clock;
use crate::error::Result;
use forest_archive::{KnownSecrets, SecretSite, SiteSecrets};
use forest_fetch::{SecretSource, check_secret_header};
use forest_html::text::Secret;
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use url::Url;

/// The secrets in an archive's folder. A change of their file counts from the next request on.
pub struct ArchiveSecrets {
    dir: PathBuf,
    clock: Arc<dyn Clock>,
    known: KnownSecrets,
    /// Warnings that stand in the log already.
    told: Mutex<BTreeSet<String>>,
}

impl fmt::Debug for ArchiveSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ArchiveSecrets").field(&self.dir).finish()
    }
}

impl ArchiveSecrets {
    /// The secrets of the archive in a folder, which need not have any.
    ///
    /// # Errors
    ///
    /// If their file cannot be read, or others than its owner can read it.
    pub fn open(dir: &Path, clock: Arc<dyn Clock>) -> Result<ArchiveSecrets> {
        let known = KnownSecrets::default();
        known.of(dir)?;
        Ok(ArchiveSecrets {
            dir: dir.to_owned(),
            clock,
            known,
            told: Mutex::default(),
        })
    }

    /// Writes a warning to the log once.
    fn tell(&self, what: String) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if !told.contains(&what) {
            tracing::warn!("{what}");
            told.insert(what);
        }
    }
}

impl SecretSource for ArchiveSecrets {
    fn secrets_for(&self, url: &Url) -> Vec<(String, Secret)> {
        let secrets = match self.known.of(&self.dir) {
            Ok(secrets) => secrets,
            Err(error) => {
                self.tell(format!("no secrets are sent: {error}"));
                return Vec::new();
            }
        };
        let found = secrets.for_request(url, self.clock.now());
        for cookie in found.expired {
            let host = url.host_str().unwrap_or_default();
            self.tell(format!(
                "{host}: the cookie {cookie} has expired and is not sent: `forest harvest secret add` takes a new one"
            ));
        }
        found.headers
    }
}

/// Keeps a header of a site in the place of one with the same name.
///
/// # Errors
///
/// If it can be no header or is too long, or the file cannot be read or written. The error does not
/// have the value.
pub fn keep_secret_header(dir: &Path, site: &SecretSite, name: &str, value: Secret) -> Result<()> {
    check_secret_header(name, &value)?;
    Ok(SiteSecrets::keep_header(dir, site, name, value)?)
}
