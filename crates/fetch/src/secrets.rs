//! Secrets of sites: headers that only the site itself may get.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use forest_html::text::Secret;
use reqwest::header::{HeaderMap, HeaderName, USER_AGENT};
use url::Url;

use super::client::checked;
use super::same_site::same_site;
use crate::error::{ErrorKind, Result};

/// Knows the secrets of sites. It is asked before each request, so that a change counts at once.
pub trait SecretSource: fmt::Debug + Send + Sync {
    /// The headers with secrets for a request to this address: names and values.
    fn secrets_for(&self, url: &Url) -> Vec<(String, Secret)>;
}

/// Checks that a secret can be sent as this header.
///
/// # Errors
///
/// A name or a value that no header has, a header that the client itself must set, and
/// `User-Agent`, which is no secret. The error does not have the value.
pub fn check_secret_header(name: &str, value: &Secret) -> Result<()> {
    if HeaderName::from_bytes(name.as_bytes()).is_err() {
        return Err(ErrorKind::SecretName.into());
    }
    let (parsed, _) = checked(name, value.reveal())?;
    if parsed == USER_AGENT {
        let (name, reason) = (name.to_owned(), "it is no secret; put it into the wrapper");
        return Err(ErrorKind::Header { name, reason }.into());
    }
    Ok(())
}

/// Where the secrets of all requests come from.
#[derive(Debug, Default)]
pub(super) struct SentSecrets(RwLock<Option<Arc<dyn SecretSource>>>);

impl SentSecrets {
    pub(super) fn set(&self, source: Arc<dyn SecretSource>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(source);
    }

    /// The headers for a request to `url`, to which `requested` led.
    pub(super) fn of(&self, requested: &Url, url: &Url) -> HeaderMap {
        let source = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let source = source.clone().filter(|_| same_site(requested, url));
        let secrets = source.map(|source| source.secrets_for(url));
        let mut headers = HeaderMap::new();
        for (name, value) in secrets.into_iter().flatten() {
            match checked(&name, value.reveal()) {
                Ok((name, mut value)) => {
                    // Even `Accept`: whatever is among the secrets stays out of archives.
                    value.set_sensitive(true);
                    headers.insert(name, value);
                }
                Err(error) => tracing::warn!(host = url.host_str(), %error, "a secret is not sent"),
            }
        }
        headers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_header_is_refused_without_its_value() {
        let check = |name: &str, value: &str, expected: Option<&str>| {
            let checked = check_secret_header(name, &Secret::new(value));
            let error = checked.err().map(|error| format!("{error} {error:?}"));
            match (&error, expected) {
                (Some(error), Some(part)) => {
                    assert!(
                        error.contains(part) && !error.contains("hunter2"),
                        "{error}"
                    );
                }
                _ => assert_eq!(error.is_some(), expected.is_some(), "{name}"),
            }
        };
        check("Authorization", "Bearer hunter2", None);
        check("Cookie", "sid=hunter2", None);
        check("sid=hunter2", "v", Some("no HTTP header name"));
        check("X-Key", "hunter2\n", Some("control characters"));
        check("Host", "hunter2", Some("leave it out"));
        check("user-agent", "hunter2", Some("no secret"));
    }
}
