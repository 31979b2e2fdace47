//! The reasons why a URL is not fetched, so that a caller can tell a page that
//! is gone from a site that is down, and a person can see what to do.

use super::kept::Exchange;
use std::time::Duration;

/// A URL that was not fetched, and why.
///
/// Credentials never appear: a user name and a password in a URL are left out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot fetch {url}{}: {why}", .at.as_ref().map(|at| format!(" (redirected to {at})")).unwrap_or_default())]
pub struct FetchFailure {
    url: String,
    at: Option<String>,
    why: Why,
    redirects: Vec<Exchange>,
}

impl FetchFailure {
    /// `url` was asked for, `at` is the redirect's target that failed, if it
    /// was not `url` itself. Both without credentials.
    pub fn new(url: String, at: Option<String>, why: Why) -> Self {
        let at = at.filter(|at| *at != url);
        FetchFailure {
            url,
            at,
            why,
            redirects: Vec::new(),
        }
    }

    /// The same behind these redirects, whose exchanges an archive keeps.
    #[must_use]
    pub(super) fn behind(self, redirects: Vec<Exchange>) -> Self {
        FetchFailure { redirects, ..self }
    }

    /// The redirects of a visit that led to it.
    pub fn redirects(&self) -> &[Exchange] {
        &self.redirects
    }

    /// The URL that was asked for, without credentials.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The redirect's target that failed, if it was another.
    pub fn at(&self) -> Option<&str> {
        self.at.as_deref()
    }

    /// The reason.
    pub fn why(&self) -> &Why {
        &self.why
    }
}

/// Why a URL was not fetched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Why {
    /// The server says that the page does not exist (404) or no longer (410).
    #[error("it is gone (status {0}); check the address, or leave it out")]
    Gone(u16),
    /// The site's robots.txt closes this path to `forest`.
    #[error(
        "the site's robots.txt closes it to forest; ask the site, or save the pages and give their folder"
    )]
    Robots,
    /// The site's robots.txt answers with a server error, which means that the
    /// site is closed for now (RFC 9309, 2.3.1.4).
    #[error(
        "the site's robots.txt answers with status {0}, so the site counts as closed; try again later"
    )]
    RobotsUnreachable(u16),
    /// More bytes than the limit, after decompression.
    #[error("it is larger than the limit of {limit} bytes; save a smaller copy and give the file")]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// The host is, or resolves to, an address that is not public.
    #[error(
        "{0} is not a public address; --allow-private allows it for a URL that you type yourself"
    )]
    PrivateAddress(String),
    /// Neither `http` nor `https`.
    #[error("the scheme {0:?} is not fetched; give an http or https URL")]
    Scheme(String),
    /// No answer, or no end of it, in time.
    #[error("no answer in time; try again later, or raise the limit with --timeout")]
    Timeout,
    /// The TLS handshake failed or the certificate is not trusted.
    #[error("TLS failed: {0}; check the site's certificate and this machine's CA certificates")]
    Tls(String),
    /// The host's name does not resolve.
    #[error("the host's name does not resolve: {0}; check its spelling and the network")]
    Dns(String),
    /// No connection, or one that broke off before the answer.
    #[error("no connection: {0}; check the address and the network")]
    Connect(String),
    /// The answer's body broke off or does not decompress.
    #[error("the answer's body is broken: {0}; try again later")]
    Body(String),
    /// The answer's body is packed for the connection in a way that is not undone.
    #[error("its transfer coding {0:?} is not undone; only `chunked` is, so report it to the site")]
    TransferCoding(String),
    /// More redirects than the limit.
    #[error("more than {0} redirects; open it in a browser and give the address it ends at")]
    Redirects(usize),
    /// A redirect that would drop what is sent.
    #[error("it redirects to {0} in a way that drops what is sent; give that address")]
    Elsewhere(String),
    /// A redirect without a usable target.
    #[error("a redirect leads nowhere (Location {0:?}); check the address in a browser")]
    Location(String),
    /// The server asks to come back later (429, 502, 503, 504), and the retries
    /// are used up or the wait is longer than the limit.
    #[error("the server is busy (status {status}); {}", match .retry_after {
        Some(wait) => format!("it asks to come back in {} s", wait.as_secs()),
        None => "try again later".to_owned(),
    })]
    Busy {
        /// The last status.
        status: u16,
        /// The time in the server's `Retry-After`, if there is one.
        retry_after: Option<Duration>,
    },
    /// Any other status that is no success.
    #[error("status {0}; check the address in a browser")]
    Status(u16),
}
