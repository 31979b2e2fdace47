//! A response to a request, and the redirect in it.

use std::net::IpAddr;
use std::time::Duration;

use reqwest::header::{self, HeaderMap, HeaderName};
use tokio::sync::OwnedSemaphorePermit;
use url::Url;

use super::date::retry_after;
use super::head;
use super::kept::{Exchange, Truncation, kept};

/// A redirect that was followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    /// The status that redirects.
    pub status: u16,
    /// Its target, without credentials and fragment.
    pub to: Url,
    /// The request and the answer that redirects; `None` if they were not kept.
    pub exchange: Option<Box<Exchange>>,
}

impl Hop {
    /// A redirect whose exchange was not kept.
    pub fn new(status: u16, to: Url) -> Hop {
        let exchange = None;
        Hop {
            status,
            to,
            exchange,
        }
    }

    /// Returns true if the redirect is permanent (301 and 308; RFC 9110, 15.4).
    pub fn is_permanent(&self) -> bool {
        matches!(self.status, 301 | 308)
    }
}

/// The response to one request. The body of a status that is no success is read for an archive.
#[derive(Debug)]
pub(super) struct HttpResponse {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
    /// The reason why the body is not whole.
    pub(super) truncated: Option<Truncation>,
    /// The head of the request that it answers, without secrets.
    pub(super) request_head: Vec<u8>,
    /// The address that answered, if it is known.
    pub(super) address: Option<IpAddr>,
    /// From the request to the end of the answer; what came before in queues is left out.
    pub(super) took: Duration,
    /// The body's place in the caller's window.
    pub(super) room: Option<OwnedSemaphorePermit>,
}

impl HttpResponse {
    /// The exchange with `url`, as an archive keeps it: of a long body the beginning.
    pub(super) fn exchange(&self, url: &Url) -> Exchange {
        let (body, truncated) = kept(self.body.clone());
        Exchange {
            url: plain(url),
            request_head: self.request_head.clone(),
            response_head: head::of_answer(self.status, &self.headers, body.len()),
            body,
            truncated: self.truncated.or(truncated),
            address: self.address,
        }
    }

    pub(super) fn text(&self, name: HeaderName) -> Option<String> {
        let value = self.headers.get(name)?;
        Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
    }

    /// See [`redirect_target`].
    pub(super) fn redirect(&self, from: &Url) -> Option<Result<Url, String>> {
        redirect_target(from, self.status, &self.headers)
    }

    /// The time that the server asks to stay away, without a bound.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        let value = self.headers.get(header::RETRY_AFTER)?.to_str().ok()?;
        retry_after(value, std::time::SystemTime::now().into())
    }
}

/// The target of a redirect, without credentials and fragment, or the `Location` that is none.
/// `None` for a status that does not redirect, or a redirect without `Location`.
pub fn redirect_target(
    from: &Url,
    status: u16,
    headers: &HeaderMap,
) -> Option<Result<Url, String>> {
    if !matches!(status, 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let text = String::from_utf8_lossy(headers.get(header::LOCATION)?.as_bytes()).into_owned();
    match from.join(&text) {
        Ok(next) => Some(Ok(plain(&next))),
        Err(_) => Some(Err(text)),
    }
}

/// The URL without credentials and fragment.
pub fn plain(url: &Url) -> Url {
    let mut url = url.clone();
    // Fails for URLs that cannot have credentials.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_fragment(None);
    url
}
