//! The state of a site between two harvests, as the archive keeps it.

use forest_core::drift::SiteWatch;
use serde::{Deserialize, Serialize};

/// A site as the last harvest left it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SiteState {
    /// The evidence of its pages.
    #[serde(flatten)]
    pub watch: SiteWatch,
    /// SHA-256 of the wrapper's file that is watched, in hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The reason why the file of its wrapper cannot be used; the file is left as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unusable: Option<String>,
    /// The reason why the last attempt to learn a wrapper made none active.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_learned: Option<String>,
    /// The reason why the latest page was not received, or did not show its article.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl SiteState {
    /// The state of a site without a wrapper.
    pub fn bare() -> SiteState {
        SiteState {
            watch: SiteWatch::bare(),
            ..SiteState::default()
        }
    }

    /// Reads the archive's JSON; `None` if it is not a site's state.
    pub fn from_json(json: &str) -> Option<SiteState> {
        serde_json::from_str(json).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_core::drift::PageSign;
    use forest_core::extract::Status;

    #[test]
    fn it_is_read_as_it_was_written() {
        let mut state = SiteState::bare();
        state.watch.relearned(chrono::DateTime::UNIX_EPOCH);
        let sign = PageSign::bare(Status::Blocked);
        state.watch.see(chrono::DateTime::UNIX_EPOCH, sign);
        state.of = Some("0af3".to_owned());
        state.failure = Some("status 403".to_owned());
        state.not_learned = Some("too few pages".to_owned());
        let json = serde_json::to_string(&state).expect("JSON");
        assert_eq!(SiteState::from_json(&json), Some(state));
        // The earlier form, with the watch alone.
        let watch = serde_json::to_string(&SiteWatch::default()).expect("JSON");
        assert_eq!(SiteState::from_json(&watch), Some(SiteState::default()));
        assert_eq!(SiteState::from_json("{}"), None);
    }
}
