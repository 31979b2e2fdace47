//! A message to a service of the user's own, at an address that the user typed: sent until
//! it arrives or there is no more sense in it.
//!
//! The address rules are those of [`Fetcher::get`]: the typed host may be private where
//! the options allow that, and a redirect may lead to no other private one. There is no
//! queue, no delay and no robots.txt: the receiver is the user's own.

use std::time::Instant;

use reqwest::{Method, header};
use url::Url;

use super::address::AddressScope;
use super::body::{self, BodyLimit};
use super::client::header_value;
use super::exchange::FetchCore;
use super::fetcher::Fetcher;
use super::response::{HttpResponse, plain};
use super::retry::{self, RequestFailure};
use crate::error::{ErrorKind, Result};
use crate::{FetchFailure, Why};

/// The method of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Reads a resource.
    Get,
    /// Gives something to a resource.
    Post,
    /// Changes a resource to what is sent.
    Put,
}

impl From<Verb> for Method {
    fn from(verb: Verb) -> Method {
        match verb {
            Verb::Get => Method::GET,
            Verb::Post => Method::POST,
            Verb::Put => Method::PUT,
        }
    }
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The method.
    pub verb: Verb,
    /// The address. A user name and a password in it become HTTP's basic credentials.
    pub url: Url,
    /// The headers, besides those that the client sets. A header that HTTP cannot carry
    /// is left out.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// Bytes of the answer that are read; a longer one is an error. With 0 none is read.
    pub answer_bytes: u64,
}

impl Fetcher {
    /// Sends a message; gives the body of the answer. Lost connections, times that are
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
    pub fn send(&self, message: &Message) -> Result<Vec<u8>> {
        let sent = self.runtime().block_on(self.inner.send_message(message));
        sent.map_err(|failure| ErrorKind::Fetch(failure).into())
    }
}

impl FetchCore {
    async fn send_message(&self, message: &Message) -> std::result::Result<Vec<u8>, FetchFailure> {
        let mut url = message.url.clone();
        let sent = self.deliver(&mut url, message).await;
        sent.map_err(|failure| {
            let (requested, at) = (plain(&message.url), plain(&url));
            tracing::debug!(url = %at, why = %failure.why, "not delivered");
            FetchFailure::new(requested.into(), Some(at.into()), failure.why)
        })
    }

    /// Follows redirects from `url`, which is then the last address that was tried.
    async fn deliver(
        &self,
        url: &mut Url,
        message: &Message,
    ) -> std::result::Result<Vec<u8>, RequestFailure> {
        for _ in 0..=self.options.redirects {
            let reach = self.addresses.reach(url).map_err(RequestFailure::last)?;
            let at: &Url = url;
            let answer =
                retry::with_retries(&self.options, || self.attempt(at, reach, message)).await?;
            match (answer.status, answer.redirect(url)) {
                (200..=299, _) => return Ok(answer.body),
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
        message: &Message,
    ) -> std::result::Result<HttpResponse, RequestFailure> {
        let client = self.clients.get(reach, url)?;
        let mut request = client
            .request(message.verb.into(), url.clone())
            .header(header::USER_AGENT, self.user_agent.clone());
        for (name, value) in &message.headers {
            if let Some(value) = header_value(value) {
                request = request.header(*name, value);
            }
        }
        let begun = Instant::now();
        let response = request.body(message.body.clone()).send().await;
        let lost = |failure: RequestFailure| {
            // A receiver that hangs may have been restarted by then.
            let again = failure.again || failure.why == Why::Timeout;
            RequestFailure { again, ..failure }
        };
        let response = self.clients.answer(response).map_err(lost)?;
        let (status, headers) = (response.status(), response.headers().clone());
        let mut body = Vec::new();
        if status.is_success() && message.answer_bytes > 0 {
            let read = body::read(response, BodyLimit::Refuse(message.answer_bytes)).await;
            body = read.map_err(|failure| lost(self.clients.body_failure(failure)))?;
        }
        let answer = HttpResponse {
            status: status.as_u16(),
            headers,
            body,
            truncated: None,
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
