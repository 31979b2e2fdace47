//! A message to an address that the user typed: a POST, sent until it arrives or there
//! is no more sense in it.
//!
//! The address rules are those of [`Fetcher::get`]: the typed host may be private where
//! the options allow that, and a redirect may lead to no other private one. There is no
//! queue, no delay and no robots.txt: the receiver is the user's own.

use std::time::Instant;

use reqwest::header;
use url::Url;

use super::address::AddressScope;
use super::client::header_value;
use super::exchange::FetchCore;
use super::fetcher::Fetcher;
use super::response::{HttpResponse, location, plain};
use super::retry::{self, RequestFailure};
use crate::error::{ErrorKind, FetchFailure, Result, Why};

/// A message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Post {
    /// The address. A user name and a password in it become HTTP's basic credentials.
    pub url: Url,
    /// The headers, besides those that the client sets. A header that HTTP cannot carry
    /// is left out.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Fetcher {
    /// Sends a message; gives the status of success. Lost connections, times that are
    /// over and the statuses 429 and 500 to 599 are tried again as the options say. The
    /// redirects 307 and 308 are followed; others would drop what is sent.
    ///
    /// # Errors
    ///
    /// Anything but a success status.
    ///
    /// # Panics
    ///
    /// When called from async code, whose thread must not block.
    pub fn post(&self, post: &Post) -> Result<u16> {
        let sent = self.runtime().block_on(self.inner.post(post));
        sent.map_err(|failure| ErrorKind::Fetch(failure).into())
    }
}

impl FetchCore {
    async fn post(&self, post: &Post) -> std::result::Result<u16, FetchFailure> {
        let mut url = post.url.clone();
        let sent = self.deliver(&mut url, post).await;
        sent.map_err(|failure| {
            let (requested, at) = (plain(&post.url), plain(&url));
            tracing::debug!(url = %at, why = %failure.why, "not delivered");
            FetchFailure::new(requested.into(), Some(at.into()), failure.why)
        })
    }

    /// Follows redirects from `url`, which is then the last address that was tried.
    async fn deliver(
        &self,
        url: &mut Url,
        post: &Post,
    ) -> std::result::Result<u16, RequestFailure> {
        for _ in 0..=self.options.redirects {
            let reach = self.addresses.reach(url).map_err(RequestFailure::last)?;
            let at: &Url = url;
            let answer =
                retry::with_retries(&self.options, || self.attempt(at, reach, post)).await?;
            match (answer.status, location(url, &answer)) {
                (status @ 200..=299, _) => return Ok(status),
                (307 | 308, Some(Ok(next))) => *url = next,
                (301..=303, Some(Ok(next))) => {
                    return Err(RequestFailure::last(Why::Elsewhere(next.into())));
                }
                (_, Some(Err(text))) => return Err(RequestFailure::last(Why::Location(text))),
                (status @ (404 | 410), _) => return Err(RequestFailure::last(Why::Gone(status))),
                (status, _) => return Err(RequestFailure::last(Why::Status(status))),
            }
        }
        Err(RequestFailure::last(Why::Redirects(self.options.redirects)))
    }

    async fn attempt(
        &self,
        url: &Url,
        reach: AddressScope,
        post: &Post,
    ) -> std::result::Result<HttpResponse, RequestFailure> {
        let client = self.clients.get(reach, url)?;
        let mut request = client
            .post(url.clone())
            .header(header::USER_AGENT, self.user_agent.clone());
        for (name, value) in &post.headers {
            if let Some(value) = header_value(value) {
                request = request.header(*name, value);
            }
        }
        let begun = Instant::now();
        let response = request.body(post.body.clone()).send().await;
        let response = response.map_err(|error| {
            let failure = self.clients.failure(&error);
            // A receiver that hangs may have been restarted by then.
            let again = failure.again || failure.why == Why::Timeout;
            RequestFailure { again, ..failure }
        })?;
        let answer = HttpResponse {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: Vec::new(),
            request_head: Vec::new(),
            address: None,
            took: begun.elapsed(),
            room: None,
        };
        match answer.status {
            429 | 500..=599 => {
                let retry_after = answer.retry_after();
                Err(RequestFailure::busy(answer, retry_after))
            }
            _ => Ok(answer),
        }
    }
}
