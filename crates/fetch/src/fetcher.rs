//! The fetcher: clients, cache and runtime, and the calls that fetch.

use std::sync::{Arc, PoisonError, RwLock, Weak};

use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use url::Url;

use super::address::{self, AddressRules, PrivateHosts};
use super::cache::HttpCache;
use super::client::{self, BodyForm, Clients, UserHeaders};
use super::exchange::FetchCore;
use super::options::FetchOptions;
use super::pace::HostPaces;
use super::queue;
use super::resource::{Fetched, Resource};
use super::robots::RobotsMemory;
use super::secrets::{SecretSource, SentSecrets};
use super::site_headers::SiteHeaders;
use super::visit::{VisitRequest, Visited};
use crate::error::{ErrorKind, Result};
use forest_html::error::CRASHED;

/// Fetches URLs, from any number of threads at once. Owns its runtime; dropping
/// it closes all connections without waiting.
#[derive(Debug)]
pub struct Fetcher {
    pub(super) inner: Arc<FetchCore>,
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
        let own = UserHeaders::new(&options.headers)?;
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
        let inner = Arc::new(FetchCore {
            user_agent,
            own,
            secrets: SentSecrets::default(),
            sites: SiteHeaders::new(options.user_agent != FetchOptions::USER_AGENT),
            addresses: AddressRules::new(
                PrivateHosts::typed(options.allow_private),
                Arc::clone(&proxies),
            ),
            clients: Clients::new(&options, &proxies, BodyForm::Decoded)?,
            hosts: HostPaces::new(options.per_host),
            cache: options.cache_dir.as_deref().map(HttpCache::open),
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

    /// Says that a page of the user names this URL. Its host and port may then be private, if the options
    /// allow that, and get no credentials for it.
    pub fn allow_private(&self, url: &Url) {
        self.inner.addresses.name_untrusted(url);
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

    /// Asks this source for the secrets of each request from now on. They go before the headers of
    /// [`send_to`](Self::send_to) with the same names, and the user's own go before them. They
    /// are sent to the host that was asked for, with or without `www.`, and not where another
    /// one redirects to it, nor with robots.txt.
    pub fn keep_secrets(&self, source: Arc<dyn SecretSource>) {
        self.inner.secrets.set(source);
    }

    /// Fetches one URL.
    ///
    /// # Errors
    ///
    /// Anything but a success status; [`Error::fetch_failure`](crate::Error::fetch_failure)
    /// has the reason.
    ///
    /// # Panics
    ///
    /// When called from async code, whose thread must not block.
    pub fn get(&self, url: &Url, what: Resource) -> Result<Fetched> {
        let fetched = self.runtime().block_on(self.inner.get(url, what));
        fetched.map_err(|failure| ErrorKind::Fetch(failure).into())
    }

    /// [`get`](Self::get) for async code. The fetch ends when its future is dropped.
    pub async fn get_async(&self, url: &Url, what: Resource) -> Result<Fetched> {
        let (inner, url) = (Arc::clone(&self.inner), url.clone());
        let mut fetch = JoinSet::new();
        fetch.spawn_on(
            async move { inner.get(&url, what).await },
            self.runtime().handle(),
        );
        match fetch.join_next().await {
            Some(Ok(fetched)) => fetched.map_err(|failure| ErrorKind::Fetch(failure).into()),
            Some(Err(_)) | None => Err(ErrorKind::Client {
                reason: CRASHED.to_owned(),
            }
            .into()),
        }
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
    /// If no response came: addresses, robots.txt, connections,
    /// times, sizes, and redirects without an end or a target. Also
    /// [`Why::Busy`](crate::Why::Busy), when the host was not asked because an earlier answer
    /// asks for a longer wait than [`FetchOptions::with_retry_after_cap`].
    ///
    /// # Panics
    ///
    /// When called from async code, whose thread must not block.
    pub fn visit(&self, visit: &VisitRequest) -> Result<Visited> {
        let visited = self.inner.visit(visit, None);
        let visited = self.runtime().block_on(visited);
        visited
            .map_err(|failure| ErrorKind::Fetch(failure).into())
            .map(|(visited, _)| visited)
    }

    pub(super) fn runtime(&self) -> &Runtime {
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
