//! One URL from the first request to the page: addresses, robots.txt, queue,
//! cache, retries and redirects.

use std::sync::{Arc, RwLock, Weak};
use std::time::{Duration, Instant};

use reqwest::header::{self, HeaderMap, HeaderValue};
use reqwest::{Response, StatusCode};
use tokio::sync::Semaphore;
use url::Url;

use super::address::{self, AddressScope};
use super::body::{self, BodyLimit};
use super::cache::{CacheEntry, CacheKey, HttpCache};
use super::client::{Clients, UserHeaders};
use super::coding::PieceDecoder;
use super::date::http_date;
use super::head;
use super::kept::Truncation;
use super::options::FetchOptions;
use super::pace::{HostPace, HostPaces, RequestLimits};
use super::refresh::find_refresh;
use super::resource::{FetchWarning, Fetched, Resource};
use super::response::{Hop, HttpResponse, plain};
use super::retry::{self, RequestFailure};
use super::robots::{CRAWL_DELAY_CAP, RobotsMemory};
use super::same_site::same_host;
use super::secrets::SentSecrets;
use super::site_headers::SiteHeaders;
use crate::{FetchFailure, Why};

/// The state that all requests share.
#[derive(Debug)]
pub(super) struct FetchCore {
    pub(super) options: FetchOptions,
    pub(super) user_agent: HeaderValue,
    pub(super) own: UserHeaders,
    pub(super) sites: SiteHeaders,
    pub(super) secrets: SentSecrets,
    pub(super) addresses: address::AddressRules,
    pub(super) clients: Clients,
    pub(super) hosts: HostPaces,
    pub(super) cache: Option<HttpCache>,
    pub(super) under_way: Semaphore,
    pub(super) robots_memory: RwLock<Option<Weak<dyn RobotsMemory>>>,
}

/// A request for a resource, before redirects.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResourceRequest<'a> {
    pub(super) what: Resource,
    pub(super) known: Conditions<'a>,
    /// The bodies of answers that are no success are received.
    pub(super) with_failure: bool,
    /// A page of another site names the URL.
    pub(super) is_foreign: bool,
    /// The room for bodies that a caller has; `None` for a single fetch.
    pub(super) window: Option<&'a Arc<Semaphore>>,
}

/// The source of the conditions of a request.
#[derive(Debug, Clone, Copy)]
pub(super) enum Conditions<'a> {
    /// From the cache, which also keeps the answer.
    Cache,
    /// From the caller, who keeps the answer.
    Given(Validators<'a>),
}

/// The values of a conditional request (RFC 9110, 13.1).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Validators<'a> {
    pub(super) etag: Option<&'a str>,
    pub(super) last_modified: Option<&'a str>,
}

/// One request.
#[derive(Debug)]
pub(super) struct HttpRequest<'a> {
    pub(super) url: &'a Url,
    pub(super) reach: AddressScope,
    pub(super) accept: &'static str,
    pub(super) limit: BodyLimit,
    pub(super) own: Vec<&'a HeaderMap>,
    pub(super) validators: Validators<'a>,
    /// The queue to wait in; none for robots.txt.
    pub(super) host: Option<&'a HostPace>,
    /// The body of an answer that is no success is received.
    pub(super) with_failure: bool,
    pub(super) window: Option<&'a Arc<Semaphore>>,
}

impl FetchCore {
    /// Fetches one URL.
    pub(super) async fn get(
        &self,
        requested: &Url,
        what: Resource,
    ) -> Result<Fetched, FetchFailure> {
        let mut url = requested.clone();
        let mut warnings = Vec::new();
        let mut hops = Vec::new();
        let resource_request = ResourceRequest {
            what,
            known: Conditions::Cache,
            with_failure: false,
            is_foreign: false,
            window: None,
        };
        let result = self
            .follow(&mut url, resource_request, &mut hops, &mut warnings)
            .await;
        let (requested, at) = (plain(requested), plain(&url));
        match result.and_then(succeeded) {
            Ok((answer, from_cache)) => {
                tracing::debug!(url = %at, status = answer.status, from_cache, "fetched");
                Ok(Fetched {
                    requested,
                    url: at,
                    redirects: hops.into_iter().map(|hop| hop.to).collect(),
                    status: answer.status,
                    content_type: answer.text(header::CONTENT_TYPE),
                    date: answer.text(header::DATE).and_then(|date| http_date(&date)),
                    body: answer.body,
                    from_cache,
                    warnings,
                })
            }
            Err(RequestFailure { why, .. }) => {
                tracing::debug!(url = %at, %why, "not fetched");
                Err(FetchFailure::new(requested.into(), Some(at.into()), why))
            }
        }
    }

    /// Follows redirects, and pages that send their readers on, from `url`, which is then the
    /// last URL asked for, to an answer that is neither, whatever its status.
    pub(super) async fn follow(
        &self,
        url: &mut Url,
        resource_request: ResourceRequest<'_>,
        hops: &mut Vec<Hop>,
        warnings: &mut Vec<FetchWarning>,
    ) -> Result<(HttpResponse, bool), RequestFailure> {
        let requested = url.clone();
        let of_site = self.sites.of(&requested);
        loop {
            let secret = if resource_request.is_foreign {
                HeaderMap::new()
            } else {
                self.secrets.of(&requested, url)
            };
            let own = self.own_headers(&requested, url, &of_site, &secret);
            let (answer, from_cache) = self.hop(url, resource_request, own, warnings).await?;
            let target = answer.redirect(url);
            match target.or_else(|| find_refresh(url, &answer).map(Ok)) {
                Some(Ok(next)) => {
                    let is_kept = matches!(resource_request.known, Conditions::Given(_));
                    hops.push(Hop {
                        status: answer.status,
                        to: next.clone(),
                        exchange: is_kept.then(|| Box::new(answer.exchange(url))),
                    });
                    if hops.len() > self.options.redirects {
                        let most = self.options.redirects;
                        return Err(RequestFailure::last(Why::Redirects(most)));
                    }
                    if url.scheme() == "https" && next.scheme() == "http" {
                        warnings.push(FetchWarning::Downgraded { to: next.clone() });
                    }
                    *url = next;
                }
                Some(Err(text)) => return Err(RequestFailure::last(Why::Location(text))),
                None => return Ok((answer, from_cache)),
            }
        }
    }

    /// The media types that are asked for, and the limit of a body.
    fn accepted(&self, what: Resource) -> (&'static str, u64) {
        match what {
            Resource::Page => (
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                self.options.page_limit,
            ),
            Resource::Feed => (
                "application/atom+xml,application/rss+xml,application/feed+json,\
                 application/xml;q=0.9,text/xml;q=0.9,*/*;q=0.5",
                self.options.feed_limit,
            ),
            Resource::Sitemap => (
                "application/xml,text/xml;q=0.9,application/gzip;q=0.9,*/*;q=0.5",
                FetchOptions::SITEMAP_LIMIT,
            ),
            Resource::Picture => (
                "image/avif,image/webp,image/svg+xml,image/*;q=0.9",
                self.options.picture_limit,
            ),
            Resource::Style => ("text/css,font/*;q=0.9,*/*;q=0.5", self.options.style_limit),
        }
    }

    /// One request to one host, with its address check, robots.txt, delay and cache.
    async fn hop(
        &self,
        url: &Url,
        resource_request: ResourceRequest<'_>,
        own: Vec<&HeaderMap>,
        warnings: &mut Vec<FetchWarning>,
    ) -> Result<(HttpResponse, bool), RequestFailure> {
        let reach = self.addresses.reach(url).map_err(RequestFailure::last)?;
        let host = self.hosts.get(url);
        let rules = self.rules(&host, url).await;
        rules.check(url).map_err(RequestFailure::last)?;
        host.set_delay(self.delay(url, rules.crawl_delay(), warnings));

        let (accept, limit) = self.accepted(resource_request.what);
        let mut request = HttpRequest {
            url,
            reach,
            accept,
            limit: BodyLimit::Refuse(limit),
            own,
            validators: Validators::default(),
            host: Some(&host),
            with_failure: resource_request.with_failure,
            window: resource_request.window,
        };
        if let Conditions::Given(validators) = resource_request.known {
            request.validators = validators;
            return Ok((self.send_with_retries(&request).await?, false));
        }
        let key = CacheKey::new(
            url.as_str(),
            request
                .own
                .iter()
                .flat_map(|headers| headers.iter())
                .map(|(name, value)| (name.as_str(), value.as_bytes())),
        );
        let known = self.read_cache(&key, limit).await;
        if let Some(CacheEntry { about, .. }) = &known {
            request.validators = Validators {
                etag: about.etag.as_deref(),
                last_modified: about.last_modified.as_deref(),
            };
        }
        let answer = self.send_with_retries(&request).await?;
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
        requested: Option<Duration>,
        warnings: &mut Vec<FetchWarning>,
    ) -> Duration {
        let own = match (self.options.delay, self.addresses.is_private(url)) {
            (Some(delay), true) => delay,
            (None, true) => Duration::ZERO,
            (delay, false) => delay
                .unwrap_or(FetchOptions::DELAY)
                .max(FetchOptions::MIN_PUBLIC_DELAY),
        };
        let requested = requested.unwrap_or(Duration::ZERO);
        if requested > CRAWL_DELAY_CAP {
            warnings.push(FetchWarning::CrawlDelay { requested });
        }
        own.max(requested.min(CRAWL_DELAY_CAP))
    }

    /// The headers for a request; a list comes before the one that replaces it.
    fn own_headers<'a>(
        &'a self,
        requested: &Url,
        url: &Url,
        of_site: &'a HeaderMap,
        secret: &'a HeaderMap,
    ) -> Vec<&'a HeaderMap> {
        let is_same = same_host(requested, url);
        let mut own = Vec::new();
        own.extend(is_same.then_some(of_site));
        // They are those of `url`, whatever its name was before.
        own.push(secret);
        if is_same {
            own.push(&self.own.open);
            if self.addresses.trusts(requested) {
                own.push(&self.own.secret);
            }
        }
        own
    }

    /// Sends a request until there is a response, or a retry cannot help.
    pub(super) async fn send_with_retries(
        &self,
        request: &HttpRequest<'_>,
    ) -> Result<HttpResponse, RequestFailure> {
        retry::with_retries(&self.options, || self.send(request)).await
    }

    async fn send(&self, request: &HttpRequest<'_>) -> Result<HttpResponse, RequestFailure> {
        let limits = RequestLimits {
            window: request.window,
            under_way: &self.under_way,
        };
        let (_host_permit, mut permit) = match request.host {
            Some(host) => {
                let permits = host.permit(self.options.retry_after_cap, limits).await;
                let (host_permit, permit) = permits.map_err(RequestFailure::last)?;
                (Some(host_permit), permit)
            }
            None => (None, limits.acquire().await),
        };
        let client = self.clients.get(request.reach, request.url)?;
        let mut builder = client
            .get(request.url.clone())
            .header(header::USER_AGENT, self.user_agent.clone())
            .header(header::ACCEPT, request.accept)
            .header(header::ACCEPT_ENCODING, super::client::ENCODINGS);
        for own in &request.own {
            builder = builder.headers((*own).clone());
        }
        let validators = [
            (header::IF_NONE_MATCH, request.validators.etag),
            (header::IF_MODIFIED_SINCE, request.validators.last_modified),
        ];
        for (name, value) in validators {
            if let Some(value) = value.and_then(super::client::header_value) {
                builder = builder.header(name, value);
            }
        }
        let built = builder.build().map_err(|e| self.clients.failure(&e))?;
        let request_head = head::of_request(built.url(), built.headers());
        tracing::debug!(url = %plain(request.url), "asking");
        let begun = Instant::now();
        let response = self.clients.answer(client.execute(built).await)?;
        let mut answer = self.receive(response, request, request_head, begun).await?;
        answer.room = permit.room.take();
        Ok(answer)
    }

    async fn receive(
        &self,
        response: Response,
        request: &HttpRequest<'_>,
        request_head: Vec<u8>,
        begun: Instant,
    ) -> Result<HttpResponse, RequestFailure> {
        let status = response.status();
        let mut answer = HttpResponse {
            status: status.as_u16(),
            headers: response.headers().clone(),
            body: Vec::new(),
            truncated: None,
            request_head,
            // The address of a proxy is not that of the site.
            address: if self.addresses.is_direct(request.reach) {
                response.remote_addr().map(|address| address.ip())
            } else {
                None
            },
            took: begun.elapsed(),
            room: None,
        };
        let is_busy = retry::is_busy(answer.status);
        let retry_after = answer.retry_after();
        if let (true, Some(host), Some(wait)) = (is_busy, request.host, retry_after) {
            host.pause(answer.status, wait);
        }
        if PieceDecoder::of(&answer.headers).is_some() {
            // These two are about the packed bytes.
            answer.headers.remove(header::CONTENT_ENCODING);
            answer.headers.remove(header::CONTENT_LENGTH);
        }
        if !status.is_success() {
            if request.with_failure {
                (answer.body, answer.truncated) = body::read_failure(response).await;
            } else if status != StatusCode::NOT_MODIFIED && response.content_length() != Some(0) {
                answer.truncated = Some(Truncation::Unspecified);
            }
            if is_busy {
                return Err(RequestFailure::busy(answer, retry_after));
            }
            return Ok(answer);
        }
        match body::read(response, request.limit).await {
            Ok(body) => {
                answer.body = body;
                answer.took = begun.elapsed();
                Ok(answer)
            }
            Err(failure) => Err(self.clients.body_failure(failure)),
        }
    }

    async fn read_cache(&self, key: &CacheKey, limit: u64) -> Option<CacheEntry> {
        let (cache, key) = (self.cache.clone()?, key.clone());
        let read = tokio::task::spawn_blocking(move || cache.read(&key, limit));
        read.await.ok().flatten()
    }

    /// Keeps the answer if it has a validator and does not forbid it.
    async fn write_cache(
        &self,
        key: CacheKey,
        url: &Url,
        answer: HttpResponse,
        warnings: &mut Vec<FetchWarning>,
    ) -> HttpResponse {
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
            let entry = CacheEntry::new(url, content_type, etag, last_modified, body);
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
fn succeeded(
    (answer, from_cache): (HttpResponse, bool),
) -> Result<(HttpResponse, bool), RequestFailure> {
    Err(RequestFailure::last(match answer.status {
        status if status < 300 => return Ok((answer, from_cache)),
        404 | 410 => Why::Gone(answer.status),
        301 | 302 | 303 | 307 | 308 => Why::Location(String::new()),
        status => Why::Status(status),
    }))
}

/// The kept page as the answer, with the date of the one that confirmed it.
fn revive(entry: CacheEntry, confirmed: HttpResponse) -> HttpResponse {
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
