//! The memory of the server beyond its run, in the archive's folder: the token of its forms, and the
//! sessions of its browsers. Where the folder cannot be written, both are of this run alone.

use forest_archive::{BrowserSession, KnownBrowsers};
use forest_web::access::{KeptSession, SessionMemory};
use forest_web::token::FormToken;
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

/// The memory in an archive's folder.
#[derive(Debug)]
pub(super) struct RunMemory {
    pub(super) dir: PathBuf,
}

impl RunMemory {
    /// The token of the forms, made at the first time; `None` where it cannot be kept.
    pub(super) fn form_token(&self) -> Option<FormToken> {
        let known = KnownBrowsers::change(&self.dir, |browsers| {
            if browsers.form_token.is_empty() {
                browsers.form_token = FormToken::new().text().to_owned();
            }
        });
        Some(FormToken::of(&known.ok()?.form_token))
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

    fn keep_sessions(&self, sessions: &[KeptSession]) {
        let kept = sessions.iter().map(|session| {
            let begun = session.begun.duration_since(UNIX_EPOCH).unwrap_or_default();
            BrowserSession {
                digest: session.digest.clone(),
                begun: begun.as_secs(),
            }
        });
        let kept: Vec<BrowserSession> = kept.collect();
        // Who gave the password is let in all the same, until the server ends.
        let _ = KnownBrowsers::change(&self.dir, |browsers| browsers.sessions = kept);
    }
}
