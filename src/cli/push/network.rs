//! Requests to a reader at an address that the user typed, which may be private.

use crate::cli::Global;
use crate::cli::net::NetArgs;
use anyhow::Context;
use forest_exchange::reader_api::{ReaderNetwork, ReaderRequest, ReaderVerb};
use forest_fetch::{FetchOptions, Fetcher, Message, Verb};
use std::error::Error;
use std::time::Duration;
use url::Url;

/// Bytes of an answer at the most.
const ANSWER_BYTES: u64 = 50_000_000;

/// Sends requests to a reader.
pub struct ReaderFetcher(Fetcher);

impl ReaderFetcher {
    /// A fetcher for the reader at `base`.
    pub fn new(base: &Url, net: &NetArgs, global: &Global) -> anyhow::Result<ReaderFetcher> {
        let mut options = FetchOptions::default()
            .with_allow_private(true)
            // A reader fetches all feeds of a list that it imports before it answers.
            .with_timeout(Duration::from_secs(300));
        if let Some(agent) = net.user_agent(global) {
            options = options.with_user_agent(agent);
        }
        let fetcher = Fetcher::new(options).context("cannot use the network")?;
        fetcher.allow(base);
        Ok(ReaderFetcher(fetcher))
    }
}

impl ReaderNetwork for ReaderFetcher {
    fn send(&self, request: ReaderRequest) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
        let message = Message {
            verb: match request.verb {
                ReaderVerb::Get => Verb::Get,
                ReaderVerb::Post => Verb::Post,
                ReaderVerb::Put => Verb::Put,
            },
            url: request.url,
            headers: request.headers,
            body: request.body,
            answer_bytes: ANSWER_BYTES,
        };
        Ok(self.0.send(&message)?)
    }
}
