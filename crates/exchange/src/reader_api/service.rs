//! The interface of a feed reader: its feeds, their settings, and requests to it.

use crate::error::{ErrorKind, Result};
use crate::readers::ReaderSettings;
use crate::unsupported::UnsupportedPolicy;
use forest_core::wrapper::Wrapper;
use serde_json::Value;
use std::error::Error;
use url::Url;

/// A feed in a reader.
#[derive(Debug, Clone)]
pub struct Subscription {
    /// The reader's name of it.
    pub id: String,
    pub url: Url,
    /// Its settings, and all else that has to be sent back with them.
    pub settings: Vec<(String, String)>,
}

impl Subscription {
    /// A setting; empty if it is not set.
    pub fn setting(&self, name: &str) -> &str {
        let found = self.settings.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }
}

/// An unread entry of a feed.
#[derive(Debug, Clone)]
pub struct UnreadEntry {
    pub id: String,
    pub url: Url,
    /// Its text as the reader has it.
    pub html: String,
}

/// A feed reader.
pub trait FeedReader {
    /// Its feeds, in its order.
    fn subscriptions(&self) -> Result<Vec<Subscription>>;

    /// A wrapper as the settings of a feed.
    fn settings(&self, wrapper: &Wrapper, policy: UnsupportedPolicy) -> Result<ReaderSettings>;

    /// The setting that has the selectors of the body.
    fn body_setting(&self) -> &'static str;

    /// The settings that a feed is to have: `new` beside what the user set.
    fn merged(&self, of: &Subscription, new: &ReaderSettings) -> Vec<(&'static str, String)>;

    /// Writes settings of a feed.
    fn write(&self, of: &Subscription, settings: &[(&'static str, String)]) -> Result<()>;

    /// Unread entries of a feed, the newest first; `None` if the interface cannot change
    /// entries.
    fn unread(&self, of: &Subscription, most: usize) -> Option<Result<Vec<UnreadEntry>>>;

    /// Replaces the text of an entry.
    fn write_entry(&self, entry: &UnreadEntry, html: &str) -> Result<()>;
}

/// The method of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReaderVerb {
    Get,
    Post,
    Put,
}

/// A request to a reader.
#[derive(Debug)]
pub struct ReaderRequest {
    pub verb: ReaderVerb,
    pub url: Url,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

/// The network of a reader. This crate does not dial.
pub trait ReaderNetwork {
    /// The body of the answer.
    fn send(&self, request: ReaderRequest) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>>;
}

/// Requests to a reader.
pub struct Service<'a> {
    network: &'a dyn ReaderNetwork,
    base: Url,
    /// The credentials, sent with each request.
    pub(super) headers: Vec<(&'static str, String)>,
}

impl<'a> Service<'a> {
    /// A reader whose interface is below `base`.
    pub fn new(network: &'a dyn ReaderNetwork, base: Url) -> Service<'a> {
        Service {
            network,
            base,
            headers: Vec::new(),
        }
    }

    /// Sends a request to a path below the base.
    pub(super) fn send(
        &self,
        verb: ReaderVerb,
        path: &str,
        content_type: Option<&str>,
        body: &[u8],
    ) -> Result<Vec<u8>> {
        let mut headers = self.headers.clone();
        headers.extend(content_type.map(|kind| ("Content-Type", kind.to_owned())));
        let url = format!("{}/{path}", self.base.as_str().trim_end_matches('/'));
        let request = ReaderRequest {
            verb,
            url: Url::parse(&url).map_err(|_| ErrorKind::NoAddress { url })?,
            headers,
            body: body.to_vec(),
        };
        let answer = self.network.send(request);
        Ok(answer.map_err(|source| ErrorKind::Request { source })?)
    }

    /// The JSON at a path below the base.
    pub(super) fn json(&self, path: &str) -> Result<Value> {
        let body = self.send(ReaderVerb::Get, path, None, &[])?;
        let read = serde_json::from_slice(&body);
        Ok(read.map_err(|source| ErrorKind::NotJson {
            base: self.base.clone(),
            path: path.to_owned(),
            source,
        })?)
    }

    /// Replaces a resource by JSON.
    pub(super) fn put(&self, path: &str, value: &Value) -> Result<()> {
        let body = value.to_string();
        self.send(
            ReaderVerb::Put,
            path,
            Some("application/json"),
            body.as_bytes(),
        )?;
        Ok(())
    }
}

/// A field of a JSON object as text; empty if it is not there.
pub(super) fn text<'a>(object: &'a Value, field: &str) -> &'a str {
    object[field].as_str().unwrap_or_default()
}
