//! Headers that sites want.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use reqwest::header::{HeaderMap, USER_AGENT};
use url::Url;

use super::client::checked;
use super::pace::origin;
use crate::error::Error;

/// Headers by the origin that they are for.
#[derive(Debug, Default)]
pub(super) struct SiteHeaders {
    /// The user has named a user agent, which comes first.
    own_agent: bool,
    by_origin: RwLock<HashMap<String, HeaderMap>>,
}

impl SiteHeaders {
    pub(super) fn new(own_agent: bool) -> SiteHeaders {
        SiteHeaders {
            own_agent,
            ..SiteHeaders::default()
        }
    }

    /// Headers for the origin of `url`, in the place of what was there; and why
    /// some are not sent.
    pub(super) fn set<'a>(
        &self,
        url: &Url,
        headers: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Vec<Error> {
        let mut map = HeaderMap::new();
        let mut refused = Vec::new();
        for (name, value) in headers {
            match checked(name, value) {
                Ok((USER_AGENT, _)) if self.own_agent => {}
                Ok((name, value)) => {
                    map.insert(name, value);
                }
                Err(error) => refused.push(error),
            }
        }
        let known = self.by_origin.write();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        if map.is_empty() {
            known.remove(&origin(url))
        } else {
            known.insert(origin(url), map)
        };
        refused
    }

    pub(super) fn of(&self, url: &Url) -> HeaderMap {
        let known = self
            .by_origin
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        known.get(&origin(url)).cloned().unwrap_or_default()
    }
}
