//! What is remembered of a site between two harvests, as the archive keeps it.

use crate::extract::check::SiteWatch;
use serde::{Deserialize, Serialize};

/// A site as the last harvest left it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SiteState {
    /// How its pages look.
    #[serde(flatten)]
    pub watch: SiteWatch,
    /// SHA-256 of the wrapper's file that is watched, in hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrapper: Option<String>,
    /// Why the file of its wrapper cannot be used: it is left as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unusable: Option<String>,
}

impl SiteState {
    /// As the archive keeps it; `None` of what is no such state.
    pub fn from_json(json: &str) -> Option<SiteState> {
        serde_json::from_str(json).ok()
    }
}
