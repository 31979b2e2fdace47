//! One URL from the first request to the page: addresses, robots.txt, queue,
//! cache, retries and redirects.

use std::net::IpAddr;
use std::sync::{Arc, RwLock, Weak};
use std::time::{Duration, Instant};

use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Response, StatusCode};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use url::Url;

use super::address::{self, Reach};
use super::body::{self, Limit, Unread};
use super::cache::{Cache, Entry, Key};
use super::client::{Clients, OwnHeaders};
use super::head;
use super::pace::{Gate, Host, Hosts};
use super::retry::{self, Trouble};
use super::robots::{CRAWL_DELAY_CAP, RobotsMemory};
use super::sites::SiteHeaders;
use super::visit::Hop;
use super::{FetchOptions, FetchWarning, Fetched, Resource};
use crate::error::{FetchFailure, Why};

/// What all requests share.
#[derive(Debug)]
pub(super) struct Inner {
    pub(super) options: FetchOptions,
    pub(super) user_agent: HeaderValue,
    pub(super) own: OwnHeaders,
    pub(super) sites: SiteHeaders,
    pub(super) addresses: address::Rules,
    pub(super) clients: Clients,
    pub(super) hosts: Hosts,
    pub(super) cache: Option<Cache>,
    pub(super) under_way: Semaphore,
    pub(super) robots_memory: RwLock<Option<Weak<dyn RobotsMemory>>>,
}

/// What a URL is asked for, and how.
#[derive(Debug, Clone, Copy)]
pub(super) struct Errand<'a> {
    pub(super) what: Resource,
    pub(super) known: Known<'a>,
    /// The room for bodies that a caller has; `None` for a single fetch.
    pub(super) window: Option<&'a Arc<Semaphore>>,
}

/// Where the conditions of a request come from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Known<'a> {
    /// From the cache, which also keeps the answer.
    Cache,
    /// From the caller, who keeps the answer.
    Given(Validators<'a>),
}

/// What makes a request conditional (RFC 9110, 13.1).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Validators<'a> {
    pub(super) etag: Option<&'a str>,
    pub(super) last_modified: Option<&'a str>,
}

/// One request.
#[derive(Debug)]
pub(super) struct Ask<'a> {
    pub(super) url: &'a Url,
    pub(super) reach: Reach,
    pub(super) accept: &'static str,
    pub(super) limit: Limit,
    pub(super) own: Vec<&'a HeaderMap>,
    pub(super) validators: Validators<'a>,
    /// The queue to wait in; none for robots.txt.
    pub(super) host: Option<&'a Host>,
    pub(super) window: Option<&'a Arc<Semaphore>>,
}

/// One answer. The body of a status that is no success is not read.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
    /// The head of the request that it answers, without secrets.
    pub(super) request_head: Vec<u8>,
    /// Who answered, where that is known.
    pub(super) address: Option<IpAddr>,
    /// From the request to the end of the answer; what came before in queues is left out.
    pub(super) took: Duration,
    /// The body's place in the caller's window.
    pub(super) room: Option<OwnedSemaphorePermit>,
}

impl Answer {
    pub(super) fn text(&self, name: HeaderName) -> Option<String> {
        let value = self.headers.get(name)?;
        Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
    }

    /// How long the server asks to stay away, as it says it.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        let value = self.headers.get(header::RETRY_AFTER)?.to_str().ok()?;
        retry::retry_after(value, std::time::SystemTime::now().into())
    }
}

/// The target of a redirect, or the `Location` that is none. `None` for a
/// status that does not redirect, or a redirect without `Location`.
pub(super) fn location(from: &Url, answer: &Answer) -> Option<Result<Url, String>> {
    if !matches!(answer.status, 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let text = answer.text(header::LOCATION)?;
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

/// Whether the user's headers for `asked` may go to `url`: the same host and
/// port, or its step up from http to https.
fn same_host(asked: &Url, url: &Url) -> bool {
    let port = |url: &Url| url.port_or_known_default();
    let same = asked.scheme() == url.scheme() && port(asked) == port(url);
    let up = (asked.scheme(), port(asked)) == ("http", Some(80))
        && (url.scheme(), port(url)) == ("https", Some(443));
    asked.host_str() == url.host_str() && (same || up)
}

impl Inner {
    /// Fetches one URL.
    pub(super) async fn get(&self, asked: &Url, what: Resource) -> Result<Fetched, FetchFailure> {
        let mut url = asked.clone();
        let mut warnings = Vec::new();
        let mut hops = Vec::new();
        let errand = Errand {
            what,
            known: Known::Cache,
            window: None,
        };
        let result = self
            .follow(&mut url, errand, &mut hops, &mut warnings)
            .await;
        let (asked, at) = (plain(asked), plain(&url));
        match result.and_then(succeeded) {
            Ok((answer, from_cache)) => {
                tracing::debug!(url = %at, status = answer.status, from_cache, "fetched");
                Ok(Fetched {
                    requested: asked,
                    url: at,
                    redirects: hops.into_iter().map(|hop| hop.to).collect(),
                    status: answer.status,
                    content_type: answer.text(header::CONTENT_TYPE),
                    date: answer
                        .text(header::DATE)
                        .and_then(|date| retry::http_date(&date)),
                    body: answer.body,
                    from_cache,
                    warnings,
                })
            }
            Err(Trouble { why, .. }) => {
                tracing::debug!(url = %at, %why, "not fetched");
                Err(FetchFailure::new(asked.into(), Some(at.into()), why))
            }
        }
    }

    /// Follows redirects from `url`, which is then the last URL asked for, to
    /// an answer that is none, whatever its status.
    pub(super) async fn follow(
        &self,
        url: &mut Url,
        errand: Errand<'_>,
        hops: &mut Vec<Hop>,
        warnings: &mut Vec<FetchWarning>,
    ) -> Result<(Answer, bool), Trouble> {
        let asked = url.clone();
        let of_site = self.sites.of(&asked);
        loop {
            let own = self.own_headers(&asked, url, &of_site);
            let (answer, from_cache) = self.hop(url, errand, own, warnings).await?;
            match location(url, &answer) {
                Some(Ok(next)) if hops.len() < self.options.redirects => {
                    if url.scheme() == "https" && next.scheme() == "http" {
                        warnings.push(FetchWarning::Downgraded { to: next.clone() });
                    }
                    hops.push(Hop {
                        status: answer.status,
                        to: next.clone(),
                    });
                    *url = next;
                }
                Some(Ok(_)) => {
                    return Err(Trouble::last(Why::Redirects(self.options.redirects)));
                }
                Some(Err(text)) => return Err(Trouble::last(Why::Location(text))),
                None => return Ok((answer, from_cache)),
            }
        }
    }

    /// One request to one host, with all that goes before and after it.
    async fn hop(
        &self,
        url: &Url,
        errand: Errand<'_>,
        own: Vec<&HeaderMap>,
        warnings: &mut Vec<FetchWarning>,
    ) -> Result<(Answer, bool), Trouble> {
        let reach = self.addresses.reach(url).map_err(Trouble::last)?;
        let host = self.hosts.get(url);
        let rules = self.rules(&host, url).await;
        rules.check(url).map_err(Trouble::last)?;
        host.set_delay(self.delay(url, rules.crawl_delay(), warnings));

        let (accept, limit) = match errand.what {
            Resource::Page => (
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                self.options.page_limit,
            ),
            Resource::Feed => (
                "application/atom+xml,application/rss+xml,application/feed+json,\
                 application/xml;q=0.9,text/xml;q=0.9,*/*;q=0.5",
                self.options.feed_limit,
            ),
            Resource::Picture => (
                "image/avif,image/webp,image/svg+xml,image/*;q=0.9",
                self.options.picture_limit,
            ),
            Resource::Style => ("text/css,font/*;q=0.9,*/*;q=0.5", self.options.style_limit),
        };
        let mut ask = Ask {
            url,
            reach,
            accept,
            limit: Limit::Refuse(limit),
            own,
            validators: Validators::default(),
            host: Some(&host),
            window: errand.window,
        };
        if let Known::Given(validators) = errand.known {
            ask.validators = validators;
            return Ok((self.persist(&ask).await?, false));
        }
        let key = Key::new(
            url.as_str(),
            ask.own
                .iter()
                .flat_map(|headers| headers.iter())
                .map(|(name, value)| (name.as_str(), value.as_bytes())),
        );
        let known = self.read_cache(&key, limit).await;
        if let Some(Entry { about, .. }) = &known {
            ask.validators = Validators {
                etag: about.etag.as_deref(),
                last_modified: about.last_modified.as_deref(),
            };
        }
        let answer = self.persist(&ask).await?;
        match (answer.status, known) {
            (304, Some(entry)) => Ok((revive(entry, answer), true)),
            (200, _) => Ok((self.write_cache(key, url, answer, warnings).await, false)),
            _ => Ok((answer, false)),
        }
    }

    /// The time between two requests to the URL's host.
    fn delay(
        &self,
        url: &Url,
        asked: Option<Duration>,
        warnings: &mut Vec<FetchWarning>,
    ) -> Duration {
        let own = match (self.options.delay, self.addresses.is_private(url)) {
            (Some(delay), true) => delay,
            (None, true) => Duration::ZERO,
            (delay, false) => delay
                .unwrap_or(FetchOptions::DELAY)
                .max(FetchOptions::MIN_PUBLIC_DELAY),
        };
        let asked = asked.unwrap_or(Duration::ZERO);
        if asked > CRAWL_DELAY_CAP {
            warnings.push(FetchWarning::CrawlDelay { asked });
        }
        own.max(asked.min(CRAWL_DELAY_CAP))
    }

    /// The headers for a request; a list comes before the one that replaces it.
    fn own_headers<'a>(
        &'a self,
        asked: &Url,
        url: &Url,
        of_site: &'a HeaderMap,
    ) -> Vec<&'a HeaderMap> {
        let mut own = Vec::new();
        if same_host(asked, url) {
            own.push(of_site);
            own.push(&self.own.open);
            if self.addresses.trusts(asked) {
                own.push(&self.own.secret);
            }
        }
        own
    }

    /// Sends until there is an answer, or no more sense in it.
    pub(super) async fn persist(&self, ask: &Ask<'_>) -> Result<Answer, Trouble> {
        retry::persist(&self.options, || self.send(ask)).await
    }

    async fn send(&self, ask: &Ask<'_>) -> Result<Answer, Trouble> {
        let gate = Gate {
            window: ask.window,
            under_way: &self.under_way,
        };
        let (_turn, mut pass) = match ask.host {
            Some(host) => {
                let turn = host.turn(self.options.retry_after_cap, gate).await;
                let (turn, pass) = turn.map_err(Trouble::last)?;
                (Some(turn), pass)
            }
            None => (None, gate.pass().await),
        };
        let client = self.clients.get(ask.reach, ask.url)?;
        let mut request = client
            .get(ask.url.clone())
            .header(header::USER_AGENT, self.user_agent.clone())
            .header(header::ACCEPT, ask.accept)
            .header(header::ACCEPT_ENCODING, super::client::ENCODINGS);
        for own in &ask.own {
            request = request.headers((*own).clone());
        }
        let validators = [
            (header::IF_NONE_MATCH, ask.validators.etag),
            (header::IF_MODIFIED_SINCE, ask.validators.last_modified),
        ];
        for (name, value) in validators {
            if let Some(value) = value.and_then(super::client::header_value) {
                request = request.header(name, value);
            }
        }
        let request = request.build().map_err(|e| self.clients.trouble(&e))?;
        let request_head = head::of_request(request.url(), request.headers());
        tracing::debug!(url = %plain(ask.url), "asking");
        let begun = Instant::now();
        let response = client.execute(request).await;
        let response = response.map_err(|e| self.clients.trouble(&e))?;
        let mut answer = self.receive(response, ask, request_head, begun).await?;
        answer.room = pass.room.take();
        Ok(answer)
    }

    async fn receive(
        &self,
        response: Response,
        ask: &Ask<'_>,
        request_head: Vec<u8>,
        begun: Instant,
    ) -> Result<Answer, Trouble> {
        let status = response.status();
        let mut answer = Answer {
            status: status.as_u16(),
            headers: response.headers().clone(),
            body: Vec::new(),
            request_head,
            // Of a proxy the address says nothing about the site.
            address: match self.addresses.is_direct(ask.reach) {
                true => response.remote_addr().map(|address| address.ip()),
                false => None,
            },
            took: begun.elapsed(),
            room: None,
        };
        if retry::is_busy(answer.status) {
            let retry_after = answer.retry_after();
            if let (Some(host), Some(wait)) = (ask.host, retry_after) {
                host.pause(answer.status, wait);
            }
            return Err(Trouble::busy(answer, retry_after));
        }
        let body = match status.is_success() {
            true => body::read(response, ask.limit).await,
            false => Ok(Vec::new()),
        };
        match body {
            Ok(body) => {
                answer.body = body;
                answer.took = begun.elapsed();
                Ok(answer)
            }
            Err(Unread::Why(why)) => Err(Trouble::last(why)),
            Err(Unread::Transfer(error)) => Err(self.clients.trouble(&error)),
        }
    }

    async fn read_cache(&self, key: &Key, limit: u64) -> Option<Entry> {
        let (cache, key) = (self.cache.clone()?, key.clone());
        let read = tokio::task::spawn_blocking(move || cache.read(&key, limit));
        read.await.ok().flatten()
    }

    /// Keeps the answer if it has a validator and does not forbid it.
    async fn write_cache(
        &self,
        key: Key,
        url: &Url,
        answer: Answer,
        warnings: &mut Vec<FetchWarning>,
    ) -> Answer {
        let etag = answer.text(header::ETAG);
        let last_modified = answer.text(header::LAST_MODIFIED);
        let forbidden = answer.text(header::CACHE_CONTROL).is_some_and(|control| {
            control
                .split(',')
                .any(|word| word.trim().eq_ignore_ascii_case("no-store"))
        });
        let Some(cache) = self.cache.clone() else {
            return answer;
        };
        if forbidden || (etag.is_none() && last_modified.is_none()) {
            return answer;
        }
        let content_type = answer.text(header::CONTENT_TYPE);
        let mut answer = answer;
        let body = std::mem::take(&mut answer.body);
        let dir = cache.dir().to_owned();
        let url = plain(url).into();
        let write = tokio::task::spawn_blocking(move || {
            let entry = Entry::new(url, content_type, etag, last_modified, body);
            let written = cache.write(&key, &entry);
            (entry.body, written)
        });
        let written;
        (answer.body, written) = write
            .await
            .expect("writing a cache entry neither panics nor is cancelled");
        if let Err(error) = written {
            warnings.push(FetchWarning::Cache {
                dir,
                reason: error.to_string(),
            });
        }
        answer
    }
}

/// The answer if it has a success status, as the cache's pages have.
fn succeeded((answer, from_cache): (Answer, bool)) -> Result<(Answer, bool), Trouble> {
    Err(Trouble::last(match answer.status {
        status if status < 300 => return Ok((answer, from_cache)),
        404 | 410 => Why::Gone(answer.status),
        301 | 302 | 303 | 307 | 308 => Why::Location(String::new()),
        status => Why::Status(status),
    }))
}

/// The kept page as the answer, with the date of the one that confirmed it.
fn revive(entry: Entry, confirmed: Answer) -> Answer {
    let mut answer = confirmed;
    answer.headers.remove(header::CONTENT_TYPE);
    let kept = entry.about.content_type.as_deref();
    if let Some(value) = kept.and_then(super::client::header_value) {
        answer.headers.insert(header::CONTENT_TYPE, value);
    }
    answer.status = StatusCode::OK.as_u16();
    answer.body = entry.body;
    answer
}
