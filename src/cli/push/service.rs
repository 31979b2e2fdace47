//! The interface of a feed reader: its feeds, their settings, and requests to it.

use crate::cli::Global;
use crate::cli::net::NetArgs;
use anyhow::Context;
use forest_core::wrapper::Wrapper;
use forest_exchange::{ReaderSettings, UnsupportedPolicy};
use forest_fetch::{FetchOptions, Fetcher, Message, Verb};
use serde_json::Value;
use std::time::Duration;
use url::Url;

/// Bytes of an answer at the most.
const ANSWER_BYTES: u64 = 50_000_000;

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
    fn subscriptions(&self) -> anyhow::Result<Vec<Subscription>>;

    /// A wrapper as the settings of a feed.
    fn settings(
        &self,
        wrapper: &Wrapper,
        policy: UnsupportedPolicy,
    ) -> forest_exchange::Result<ReaderSettings>;

    /// The setting that has the selectors of the body.
    fn body_setting(&self) -> &'static str;

    /// The settings that a feed is to have: `new` beside what the user set.
    fn merged(&self, of: &Subscription, new: &ReaderSettings) -> Vec<(&'static str, String)>;

    /// Writes settings of a feed.
    fn write(&self, of: &Subscription, settings: &[(&'static str, String)]) -> anyhow::Result<()>;

    /// Unread entries of a feed, the newest first; `None` if the interface cannot change
    /// entries.
    fn unread(&self, of: &Subscription, most: usize) -> Option<anyhow::Result<Vec<UnreadEntry>>>;

    /// Replaces the text of an entry.
    fn write_entry(&self, entry: &UnreadEntry, html: &str) -> anyhow::Result<()>;
}

/// Requests to a reader at an address that the user typed, which may be private.
pub struct Service {
    fetcher: Fetcher,
    base: Url,
    /// The credentials, sent with each request.
    pub headers: Vec<(&'static str, String)>,
}

impl Service {
    pub fn new(base: Url, net: &NetArgs, global: &Global) -> anyhow::Result<Service> {
        let mut options = FetchOptions::default()
            .with_allow_private(true)
            // A reader fetches all feeds of a list that it imports before it answers.
            .with_timeout(Duration::from_secs(300));
        if let Some(agent) = net.user_agent(global) {
            options = options.with_user_agent(agent);
        }
        let fetcher = Fetcher::new(options).context("cannot use the network")?;
        fetcher.allow(&base);
        let headers = Vec::new();
        Ok(Service {
            fetcher,
            base,
            headers,
        })
    }

    /// Sends a request to a path below the base.
    pub fn send(
        &self,
        verb: Verb,
        path: &str,
        content_type: Option<&str>,
        body: &[u8],
    ) -> anyhow::Result<Vec<u8>> {
        let mut headers = self.headers.clone();
        headers.extend(content_type.map(|kind| ("Content-Type", kind.to_owned())));
        let url = format!("{}/{path}", self.base.as_str().trim_end_matches('/'));
        let message = Message {
            verb,
            url: Url::parse(&url)?,
            headers,
            body: body.to_vec(),
            answer_bytes: ANSWER_BYTES,
        };
        Ok(self.fetcher.send(&message)?)
    }

    /// The JSON at a path below the base.
    pub fn json(&self, path: &str) -> anyhow::Result<Value> {
        let body = self.send(Verb::Get, path, None, &[])?;
        serde_json::from_slice(&body).with_context(|| {
            format!(
                "{}: the answer to {path} is not the reader's JSON; is the address right?",
                self.base
            )
        })
    }

    /// Replaces a resource by JSON.
    pub fn put(&self, path: &str, value: &Value) -> anyhow::Result<()> {
        let body = value.to_string();
        self.send(Verb::Put, path, Some("application/json"), body.as_bytes())?;
        Ok(())
    }
}

/// A field of a JSON object as text; empty if it is not there.
pub fn text<'a>(object: &'a Value, field: &str) -> &'a str {
    object[field].as_str().unwrap_or_default()
}
