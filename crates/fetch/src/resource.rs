//! A fetched resource: its kind, its bytes and the warnings of its fetch.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, Utc};
use url::Url;

use super::robots::CRAWL_DELAY_CAP;

/// The kind of a resource: it sets the limit and the `Accept` header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    /// A page.
    Page,
    /// A feed.
    Feed,
    /// A sitemap.
    Sitemap,
    /// A picture of a page.
    Picture,
    /// A style sheet or a font of a page.
    Style,
}

/// An answer with a success status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The URL that was asked for, without credentials and fragment.
    pub requested: Url,
    /// The URL that answered, after redirects.
    pub url: Url,
    /// The targets of the redirects in their order; the last is `url`.
    pub redirects: Vec<Url>,
    /// The status, 200 to 299. A page from the cache has 200.
    pub status: u16,
    /// The `Content-Type` header as it was sent.
    pub content_type: Option<String>,
    /// The body, decompressed.
    pub body: Vec<u8>,
    /// The server confirmed the cached body (status 304).
    pub from_cache: bool,
    /// The server's `Date` header.
    pub date: Option<DateTime<Utc>>,
    /// The warnings of the fetch.
    pub warnings: Vec<FetchWarning>,
}

/// A problem that did not end a fetch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FetchWarning {
    /// The page could not be kept in the cache.
    Cache {
        /// The cache's folder.
        dir: PathBuf,
        /// The system's message.
        reason: String,
    },
    /// robots.txt asks for a longer delay than is kept to.
    CrawlDelay {
        /// The delay asked for.
        requested: Duration,
    },
    /// A redirect led from https to http.
    Downgraded {
        /// Its target.
        to: Url,
    },
}

impl fmt::Display for FetchWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FetchWarning::Cache { dir, reason } => write!(
                f,
                "the page is not kept in the cache: cannot write to {} ({reason}); free space there or name another folder",
                dir.display()
            ),
            FetchWarning::CrawlDelay { requested } => write!(
                f,
                "robots.txt asks for {} s between two requests and gets {} s; think of fetching less of this site",
                requested.as_secs(),
                CRAWL_DELAY_CAP.as_secs()
            ),
            FetchWarning::Downgraded { to } => write!(
                f,
                "an https page redirects to {to}, which anybody on the way can read and change; see whether the site has an https address for it"
            ),
        }
    }
}
