//! A text that nobody is shown.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A password, a token, the value of a cookie. `Debug` does not show it, and there is no
/// `Display`; a file that keeps it has it in full.
///
/// ```
/// use forest_html::text::Secret;
///
/// let secret = Secret::new("open sesame");
/// assert_eq!(format!("{secret:?}"), "Secret");
/// assert_eq!(secret.reveal(), "open sesame");
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// A secret with this text.
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }

    /// The text, for the one who is to get it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}
