//! The memory of the server beyond its run, in the archive's folder: a secret, and the sessions of its
//! browsers. Where the folder cannot be written, both are of this run alone.

use forest_archive::{BrowserSession, KnownBrowsers};
use forest_web::access::{KeptSession, SessionMemory};
use forest_web::token::random_name;
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

/// The memory in an archive's folder.
#[derive(Debug)]
pub(super) struct RunMemory {
    pub(super) dir: PathBuf,
}

impl RunMemory {
    /// The secret, made at the first time; `None` where it cannot be kept.
    pub(super) fn secret(&self) -> Option<String> {
        let known = KnownBrowsers::change(&self.dir, |browsers| {
            if browsers.secret.is_empty() {
                browsers.secret = random_name();
            }
        });
        Some(known.ok()?.secret)
    }

    /// Changes the kept sessions. Where none can be kept, they are of this run alone.
    fn change(&self, change: impl FnOnce(&mut Vec<BrowserSession>)) {
        let _ = KnownBrowsers::change(&self.dir, |browsers| change(&mut browsers.sessions));
    }
}

impl SessionMemory for RunMemory {
    fn sessions(&self) -> Vec<KeptSession> {
        let known = KnownBrowsers::of(&self.dir).unwrap_or_default();
        let kept = known.sessions.into_iter().filter_map(|session| {
            Some(KeptSession {
                digest: session.digest,
                begun: UNIX_EPOCH.checked_add(Duration::from_secs(session.begun))?,
            })
        });
        kept.collect()
    }

    fn begin(&self, session: &KeptSession, most: usize) {
        let begun = session.begun.duration_since(UNIX_EPOCH).unwrap_or_default();
        let session = BrowserSession::new(session.digest.clone(), begun.as_secs());
        self.change(|sessions| {
            let over = (sessions.len() + 1).saturating_sub(most);
            sessions.drain(..over);
            sessions.push(session);
        });
    }

    fn end(&self, digests: &[String]) {
        self.change(|sessions| sessions.retain(|session| !digests.contains(&session.digest)));
    }
}
