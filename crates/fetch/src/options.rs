//! The settings of a fetcher, each with its default.

use std::path::{Path, PathBuf};
use std::time::Duration;

use etcetera::BaseStrategy;

/// Settings of a [`Fetcher`](super::Fetcher).
///
/// The defaults are the constants below: the limits are the project's fixed
/// ones, the rest are choices that keep a small site at ease.
///
/// ```
/// use std::time::Duration;
/// use forest_fetch::FetchOptions;
///
/// let options = FetchOptions::default()
///     .with_header("Accept-Language", "el")
///     .with_timeout(Duration::from_secs(60));
/// assert_eq!(options.page_limit(), 20_000_000);
/// ```
#[derive(Debug, Clone)]
pub struct FetchOptions {
    pub(super) user_agent: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) delay: Option<Duration>,
    pub(super) timeout: Duration,
    connect_timeout: Option<Duration>,
    idle_timeout: Option<Duration>,
    pub(super) allow_private: bool,
    pub(super) cache_dir: Option<PathBuf>,
    pub(super) per_host: usize,
    pub(super) concurrency: usize,
    pub(super) retries: usize,
    pub(super) backoff: Duration,
    pub(super) retry_after_cap: Duration,
    pub(super) redirects: usize,
    pub(super) page_limit: u64,
    pub(super) feed_limit: u64,
    pub(super) picture_limit: u64,
    pub(super) style_limit: u64,
    /// Answers in the place of the name server's.
    #[cfg(test)]
    pub(super) script: Option<super::dns_script::DnsScript>,
}

impl FetchOptions {
    /// Names the program, its version and the token that a robots.txt may use.
    pub const USER_AGENT: &'static str = concat!(
        "forest/",
        env!("CARGO_PKG_VERSION"),
        " (+learns site wrappers from web feeds; robots.txt token: forest)"
    );
    /// Time between the starts of two requests to one host. The usual courtesy
    /// of crawlers; a sample of ten pages takes ten seconds with it.
    pub const DELAY: Duration = Duration::from_secs(1);
    /// The least delay for a public host, whatever was set: 0 is for the
    /// user's own machines.
    pub const MIN_PUBLIC_DELAY: Duration = Duration::from_millis(100);
    /// One request, from the connection to the body's last byte.
    pub const TIMEOUT: Duration = Duration::from_secs(30);
    /// Name resolution, TCP and TLS together.
    pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
    /// The longest pause between two pieces of an answer.
    pub const IDLE_TIMEOUT: Duration = Duration::from_secs(15);
    /// Requests under way to one host. Two, so that one slow page does not
    /// hold up the rest.
    pub const PER_HOST: usize = 2;
    /// Requests under way in all. Bounds sockets and the memory of bodies.
    pub const CONCURRENCY: usize = 16;
    /// Further attempts after the first.
    pub const RETRIES: usize = 2;
    /// Wait before the first retry; it doubles for each further one.
    pub const BACKOFF: Duration = Duration::from_secs(1);
    /// The longest `Retry-After` that is waited for. Beyond it the fetch ends, and its error
    /// has the time of the next attempt: a person waits for the command.
    pub const RETRY_AFTER_CAP: Duration = Duration::from_secs(60);
    /// Redirects followed for one URL.
    pub const REDIRECTS: usize = 10;
    /// Bytes of a page, after decompression.
    pub const PAGE_LIMIT: u64 = 20_000_000;
    /// Bytes of a feed, after decompression.
    pub const FEED_LIMIT: u64 = 10_000_000;
    /// Bytes of a sitemap: the limit of its protocol.
    pub const SITEMAP_LIMIT: u64 = 52_428_800;
    /// Bytes of a picture: a photograph of 50 million pixels has fewer.
    pub const PICTURE_LIMIT: u64 = 10_000_000;
    /// Bytes of a style sheet or a font, after decompression; fonts of Chinese have most.
    pub const STYLE_LIMIT: u64 = 5_000_000;

    /// Sets the `User-Agent` header ([`USER_AGENT`](Self::USER_AGENT)). The
    /// token for robots.txt stays `forest`.
    pub fn with_user_agent(mut self, user_agent: impl Into<String>) -> Self {
        self.user_agent = user_agent.into();
        self
    }

    /// Adds a request header (none). It goes to the host of each URL that is
    /// asked for and not to another host that this one redirects to, nor with
    /// robots.txt. `Authorization` and `Cookie` go only to the hosts named
    /// with [`Fetcher::allow`](super::Fetcher::allow), once one was named.
    pub fn with_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sets the time between the starts of two requests to one host
    /// ([`DELAY`](Self::DELAY); none for private addresses that were allowed).
    /// For a public host it is never below
    /// [`MIN_PUBLIC_DELAY`](Self::MIN_PUBLIC_DELAY).
    pub fn with_delay(mut self, delay: Duration) -> Self {
        self.delay = Some(delay);
        self
    }

    /// Sets the time for one request ([`TIMEOUT`](Self::TIMEOUT)). A longer one
    /// stretches the times for a connection (to a third of it) and between two
    /// pieces (to a half), where these are not set, so that a slow site can be
    /// waited for with one setting.
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets the time for a connection ([`CONNECT_TIMEOUT`](Self::CONNECT_TIMEOUT)).
    pub fn with_connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = Some(timeout);
        self
    }

    /// Sets the longest pause within an answer ([`IDLE_TIMEOUT`](Self::IDLE_TIMEOUT)).
    pub fn with_idle_timeout(mut self, timeout: Duration) -> Self {
        self.idle_timeout = Some(timeout);
        self
    }

    /// Sets if the hosts named with [`Fetcher::allow`](super::Fetcher::allow)
    /// may be private (no).
    pub fn with_allow_private(mut self, allow: bool) -> Self {
        self.allow_private = allow;
        self
    }

    /// Keeps pages with an `ETag` or `Last-Modified` in this folder (nowhere).
    /// See [`default_cache_dir`].
    pub fn with_cache_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.cache_dir = Some(dir.into());
        self
    }

    /// Sets the requests under way to one host ([`PER_HOST`](Self::PER_HOST)), at least 1.
    pub fn with_per_host(mut self, requests: usize) -> Self {
        self.per_host = requests.max(1);
        self
    }

    /// Sets the requests under way in all ([`CONCURRENCY`](Self::CONCURRENCY)), at least 1.
    pub fn with_concurrency(mut self, requests: usize) -> Self {
        self.concurrency = requests.max(1);
        self
    }

    /// Sets the attempts after the first ([`RETRIES`](Self::RETRIES)).
    pub fn with_retries(mut self, retries: usize) -> Self {
        self.retries = retries;
        self
    }

    /// Sets the wait before the first retry ([`BACKOFF`](Self::BACKOFF)).
    pub fn with_backoff(mut self, backoff: Duration) -> Self {
        self.backoff = backoff;
        self
    }

    /// Sets the longest `Retry-After` that is waited for
    /// ([`RETRY_AFTER_CAP`](Self::RETRY_AFTER_CAP)).
    pub fn with_retry_after_cap(mut self, cap: Duration) -> Self {
        self.retry_after_cap = cap;
        self
    }

    /// Sets the redirects followed ([`REDIRECTS`](Self::REDIRECTS)).
    pub fn with_redirects(mut self, redirects: usize) -> Self {
        self.redirects = redirects;
        self
    }

    /// Sets the bytes of a page ([`PAGE_LIMIT`](Self::PAGE_LIMIT)).
    pub fn with_page_limit(mut self, bytes: u64) -> Self {
        self.page_limit = bytes;
        self
    }

    /// Sets the bytes of a feed ([`FEED_LIMIT`](Self::FEED_LIMIT)).
    pub fn with_feed_limit(mut self, bytes: u64) -> Self {
        self.feed_limit = bytes;
        self
    }

    pub(super) fn connect_timeout(&self) -> Duration {
        let default = Self::CONNECT_TIMEOUT.max(self.timeout / 3);
        self.connect_timeout.unwrap_or(default)
    }

    pub(super) fn idle_timeout(&self) -> Duration {
        let default = Self::IDLE_TIMEOUT.max(self.timeout / 2);
        self.idle_timeout.unwrap_or(default)
    }

    /// Sets the bytes of a picture that are accepted
    /// ([`PICTURE_LIMIT`](Self::PICTURE_LIMIT)).
    pub fn with_picture_limit(mut self, bytes: u64) -> Self {
        self.picture_limit = bytes;
        self
    }

    /// The value of the `User-Agent` header.
    pub fn user_agent(&self) -> &str {
        &self.user_agent
    }

    /// The time for one request.
    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    /// The bytes of a page that are accepted.
    pub fn page_limit(&self) -> u64 {
        self.page_limit
    }

    /// The bytes of a feed that are accepted.
    pub fn feed_limit(&self) -> u64 {
        self.feed_limit
    }

    /// The cache's folder.
    pub fn cache_dir(&self) -> Option<&Path> {
        self.cache_dir.as_deref()
    }
}

impl Default for FetchOptions {
    fn default() -> Self {
        FetchOptions {
            user_agent: Self::USER_AGENT.to_owned(),
            headers: Vec::new(),
            delay: None,
            timeout: Self::TIMEOUT,
            connect_timeout: None,
            idle_timeout: None,
            allow_private: false,
            cache_dir: None,
            per_host: Self::PER_HOST,
            concurrency: Self::CONCURRENCY,
            retries: Self::RETRIES,
            backoff: Self::BACKOFF,
            retry_after_cap: Self::RETRY_AFTER_CAP,
            redirects: Self::REDIRECTS,
            page_limit: Self::PAGE_LIMIT,
            feed_limit: Self::FEED_LIMIT,
            picture_limit: Self::PICTURE_LIMIT,
            style_limit: Self::STYLE_LIMIT,
            #[cfg(test)]
            script: None,
        }
    }
}

/// The user's cache folder for fetched pages (`$XDG_CACHE_HOME/forest/http`,
/// or the system's own place), or `None` where there is no home.
pub fn default_cache_dir() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.cache_dir().join("forest").join("http"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_timeout_stretches_what_it_is_made_of() {
        let check = |options: FetchOptions, connect_s: u64, idle_s: u64| {
            let times = (options.connect_timeout(), options.idle_timeout());
            assert_eq!(
                times,
                (Duration::from_secs(connect_s), Duration::from_secs(idle_s))
            );
        };
        let with = |seconds| FetchOptions::default().with_timeout(Duration::from_secs(seconds));
        check(FetchOptions::default(), 10, 15);
        check(with(5), 10, 15);
        check(with(120), 40, 60);
        let set = with(120).with_connect_timeout(Duration::from_secs(1));
        check(set.with_idle_timeout(Duration::from_secs(2)), 1, 2);
    }

    #[test]
    fn the_cache_folder_is_the_users() {
        let dir = default_cache_dir();
        assert!(dir.is_none_or(|dir| dir.is_absolute() && dir.ends_with("forest/http")));
    }
}
