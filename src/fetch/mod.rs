//! URL -> bytes, with manners. The only module that dials.
//!
//! It takes URLs and gives [`Fetched`] pages and feeds: bytes, the final URL,
//! the content type (the page stage decides the charset). Not from the paper,
//! which takes its pages as given.
//!
//! What it keeps to:
//!
//! - robots.txt (RFC 9309) under the token [`TOKEN`], read once a day for each host,
//!   also by several processes where they have a [`RobotsMemory`] in common;
//!   a Crawl-delay of up to five minutes is obeyed.
//! - One second between two requests to a host, two at once; see
//!   [`FetchOptions`] for these and all limits. The request for robots.txt
//!   itself does not count.
//! - Connections serve what waits for their host and are closed when nothing more
//!   does; others that are idle are kept to 128 hosts at the most.
//! - Retries with growing pauses for lost connections and the statuses 429,
//!   502, 503 and 504, with the server's `Retry-After`, which holds for all
//!   requests to that host.
//! - Sizes are counted after decompression (gzip, deflate, br, zstd), and a
//!   `Content-Length` above the limit ends a fetch before the body.
//! - Pages with an `ETag` or `Last-Modified` are kept in a folder, if one is
//!   set, and asked for again with conditions. A page in the folder is replaced
//!   whole or not at all. The folder is not pruned; it can be deleted at any
//!   time.
//! - Only public addresses are dialled. A name is resolved once and the address
//!   that passed is the one that is dialled; each redirect is checked as if it
//!   were a new URL. A host that the user typed, named with
//!   [`Fetcher::allow`], may be private if
//!   [`FetchOptions::with_allow_private`] says so, and then links and redirects
//!   to that very host and port may lead there too.
//! - The proxies of the environment (`HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`,
//!   `NO_PROXY`) are used, except for this machine's own names and addresses.
//!   A proxy resolves names itself, so the addresses behind names are then its
//!   business; addresses written in URLs are still checked.
//! - Credentials in a URL are sent to its host and appear in no result, message
//!   or log.
//!
//! [`Fetcher::post`] sends a message to an address that the user typed.
//!
//! An archive asks with [`Fetcher::visit`] and [`Fetcher::visits`]: without the
//! folder, with conditions of its own, and any final status is a result, with the
//! heads of the request and the answer.
//!
//! Nothing is printed; `tracing` has debug events.
//!
//! ```no_run
//! use forest::fetch::{FetchOptions, Fetcher, Resource};
//!
//! # fn main() -> forest::Result<()> {
//! let fetcher = Fetcher::new(FetchOptions::default())?;
//! let url = "https://example.org/feed.xml".parse().expect("a URL");
//! let feed = fetcher.get(&url, Resource::Feed)?;
//! println!("{} bytes from {}", feed.body.len(), feed.url);
//! # Ok(())
//! # }
//! ```

mod address;
mod body;
mod cache;
mod client;
mod exchange;
mod head;
mod kept;
mod options;
mod pace;
mod post;
mod queue;
mod retry;
mod robots;
mod sites;
mod visit;
mod visits;

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock, Weak};
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use url::Url;

use crate::error::{ErrorKind, Result};

pub use crate::error::{FetchFailure, Why};
pub use address::is_public;
pub use exchange::plain;
pub use options::{FetchOptions, default_cache_dir};
pub use post::Post;
pub use robots::{RobotsMemory, TOKEN};
pub use visit::{Hop, Visit, Visited};
pub use visits::Visits;

/// What a URL is asked for: it sets the limit and the `Accept` header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    /// A page.
    Page,
    /// A feed.
    Feed,
    /// A picture of a page.
    Picture,
    /// A style sheet or a font of a page.
    Style,
}

/// An answer with a success status.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
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
    /// Whether the server confirmed the cached body (status 304).
    pub from_cache: bool,
    /// The server's `Date` header.
    pub date: Option<DateTime<Utc>>,
    /// What a user may want to know.
    pub warnings: Vec<FetchWarning>,
}

/// Something that a fetch got around.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FetchWarning {
    /// The page could not be kept in the cache.
    Cache {
        /// The cache's folder.
        dir: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// robots.txt asks for a longer delay than is kept to.
    CrawlDelay {
        /// The delay asked for.
        asked: Duration,
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
            FetchWarning::CrawlDelay { asked } => write!(
                f,
                "robots.txt asks for {} s between two requests and gets {} s; think of fetching less of this site",
                asked.as_secs(),
                robots::CRAWL_DELAY_CAP.as_secs()
            ),
            FetchWarning::Downgraded { to } => write!(
                f,
                "an https page redirects to {to}, which anybody on the way can read and change; see whether the site has an https address for it"
            ),
        }
    }
}

/// Fetches URLs, from any number of threads at once. Owns its runtime; dropping
/// it closes all connections without waiting.
#[derive(Debug)]
pub struct Fetcher {
    inner: Arc<exchange::Inner>,
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
}

impl Fetcher {
    /// Sets up clients, cache and runtime. Nothing is dialled.
    ///
    /// A machine without CA certificates can still fetch over http.
    ///
    /// # Errors
    ///
    /// A header or user agent that cannot be sent, a proxy setting that is no
    /// URL, or a system that gives no threads.
    pub fn new(options: FetchOptions) -> Result<Self> {
        let own = client::OwnHeaders::new(&options.headers)?;
        let user_agent =
            client::header_value(&options.user_agent).ok_or_else(|| ErrorKind::Header {
                name: "User-Agent".to_owned(),
                reason: "the value holds control characters; leave them out",
            })?;
        let proxies = Arc::new(address::proxy_hosts());
        let runtime = Builder::new_multi_thread()
            // The work is waiting and decompression.
            .worker_threads(2)
            .thread_name("forest-fetch")
            .enable_all()
            .build()
            .map_err(|error| ErrorKind::Client {
                reason: error.to_string(),
            })?;
        let inner = Arc::new(exchange::Inner {
            user_agent,
            own,
            sites: sites::SiteHeaders::new(options.user_agent != FetchOptions::USER_AGENT),
            addresses: address::Rules::new(options.allow_private, Arc::clone(&proxies)),
            clients: client::Clients::new(&options, &proxies)?,
            hosts: pace::Hosts::new(options.per_host),
            cache: options.cache_dir.as_deref().map(cache::Cache::open),
            under_way: Semaphore::new(options.concurrency.min(Semaphore::MAX_PERMITS)),
            robots_memory: RwLock::default(),
            options,
        });
        Ok(Fetcher {
            inner,
            runtime: Some(runtime),
        })
    }

    /// Says that the user typed this URL. Its host and port may then be private,
    /// if the options allow that, and get the user's credential headers.
    pub fn allow(&self, url: &Url) {
        self.inner.addresses.name(url);
    }

    /// Remembers robots.txt with this memory from now on, for as long as it lives: what
    /// it knows is not asked for again.
    pub fn remember(&self, memory: Weak<dyn RobotsMemory>) {
        let kept = self.inner.robots_memory.write();
        *kept.unwrap_or_else(PoisonError::into_inner) = Some(memory);
    }

    /// Sends these headers with each request for the host and port of `url`, and not
    /// where another host redirects to it, nor where it redirects to another.
    /// `User-Agent` and `Cookie` may be among them. The user's own headers and user
    /// agent come first.
    ///
    /// Gives an error for each header that is not sent: what is no header, and what
    /// the client itself must set.
    pub fn send_to<'a>(
        &self,
        url: &Url,
        headers: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Vec<crate::Error> {
        self.inner.sites.set(url, headers)
    }

    /// Fetches one URL.
    ///
    /// # Errors
    ///
    /// Anything but a success status; [`Error::fetch_failure`](crate::Error::fetch_failure)
    /// tells the reasons apart.
    ///
    /// # Panics
    ///
    /// When called from async code, whose thread must not block.
    pub fn get(&self, url: &Url, what: Resource) -> Result<Fetched> {
        let fetched = self.runtime().block_on(self.inner.get(url, what));
        fetched.map_err(|failure| ErrorKind::Fetch(failure).into())
    }

    /// Fetches many URLs, from different hosts at once, and calls `on_done` on
    /// this thread with each URL's index and result as it comes. What waits for
    /// `on_done` is bounded, so that a slow caller slows the fetching.
    ///
    /// # Panics
    ///
    /// When called from async code, whose thread must not block.
    pub fn get_all(
        &self,
        urls: &[Url],
        what: Resource,
        mut on_done: impl FnMut(usize, Result<Fetched>),
    ) {
        let handle = self.runtime().handle();
        queue::run(&self.inner, handle, urls, what, |index, fetched| {
            on_done(
                index,
                fetched.map_err(|failure| ErrorKind::Fetch(failure).into()),
            );
        });
    }

    /// Fetches many URLs as [`get_all`](Self::get_all) does and gives the
    /// results in the order of `urls`. `on_done` sees each as it comes. All
    /// bodies are held at once: for a sample, not for an archive.
    ///
    /// # Panics
    ///
    /// When called from async code, whose thread must not block.
    pub fn get_vec(
        &self,
        urls: &[Url],
        what: Resource,
        mut on_done: impl FnMut(usize, &Result<Fetched>),
    ) -> Vec<Result<Fetched>> {
        let mut results: Vec<Option<Result<Fetched>>> = urls.iter().map(|_| None).collect();
        self.get_all(urls, what, |index, result| {
            on_done(index, &result);
            results[index] = Some(result);
        });
        results
            .into_iter()
            .map(|result| result.expect("every URL is reported once"))
            .collect()
    }

    /// Asks for a URL on behalf of an archive: with the caller's conditions,
    /// without the cache, and any final status is a result.
    ///
    /// # Errors
    ///
    /// What keeps an answer from coming: addresses, robots.txt, connections,
    /// times, sizes, and redirects without an end or a target. Also
    /// [`Why::Busy`], when the host was not asked because an earlier answer
    /// wants more patience than [`FetchOptions::with_retry_after_cap`].
    ///
    /// # Panics
    ///
    /// When called from async code, whose thread must not block.
    pub fn visit(&self, visit: &Visit) -> Result<Visited> {
        let visited = self.inner.visit(visit, None);
        let visited = self.runtime().block_on(visited);
        visited
            .map_err(|failure| ErrorKind::Fetch(failure).into())
            .map(|(visited, _)| visited)
    }

    /// A running set of visits. At most `window` bodies (at least 1) are under
    /// way or wait for the caller, so that a slow caller slows the fetching.
    pub fn visits(&self, window: usize) -> Visits<'_> {
        Visits::new(self, window)
    }

    fn runtime(&self) -> &Runtime {
        self.runtime.as_ref().expect("it lives until the drop")
    }
}

impl Drop for Fetcher {
    /// Does not wait for a name server that does not answer. No call is under
    /// way here, so no cache file is being written.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
