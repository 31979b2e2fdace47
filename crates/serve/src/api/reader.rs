//! Pages for programs: fetched politely, and their articles.

use super::fault::ApiFault;
use super::learned_sites::LearnedSites;
use crate::error::Result;
use crate::options::WrapperSource;
use crate::web_page::WebPage;
use axum::http::StatusCode;
use chrono::{DateTime, SecondsFormat, Utc};
use forest_core::extract::{Article, Extractor, Options, one_page};
use forest_core::feed::FeedItem;
use forest_core::learn::{MIN_PAGES, SamplePage};
use forest_core::wrapper::names::names_of;
use forest_fetch::{FetchOptions, Fetched, Fetcher, Resource};
use forest_harvest::{ArchiveSecrets, SystemClock};
use forest_html::address::site_of;
use forest_html::page::charset::is_html;
use forest_html::page::{Page, Source};
use forest_web::clients::ClientKey;
use forest_web::cores::{Cores, StopFlag};
use forest_web::permits::ClientPermits;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::time::timeout;
use url::Url;

/// Requests of programs that fetch pages at once, and those of one client; others wait.
const AT_ONCE: usize = 16;
const AT_ONCE_OF_CLIENT: usize = 4;

/// Fetches pages and extracts their articles.
pub struct PageReader {
    fetcher: Fetcher,
    allows_private: bool,
    wrappers: Arc<dyn WrapperSource>,
    learned: LearnedSites,
    permits: ClientPermits,
    cores: Arc<Cores>,
}

impl fmt::Debug for PageReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PageReader").field(&self.wrappers).finish()
    }
}

impl PageReader {
    /// # Errors
    ///
    /// If there is no client for this machine's TLS.
    pub fn new(
        fetching: FetchOptions,
        allows_private: bool,
        wrappers: Arc<dyn WrapperSource>,
        cores: Arc<Cores>,
    ) -> Result<PageReader> {
        Ok(PageReader {
            fetcher: Fetcher::new(fetching.with_allow_private(allows_private))?,
            allows_private,
            wrappers,
            learned: LearnedSites::default(),
            permits: ClientPermits::new(AT_ONCE, AT_ONCE_OF_CLIENT),
            cores,
        })
    }

    /// Sends the secrets in an archive's folder to their sites.
    ///
    /// # Errors
    ///
    /// If their file cannot be read, or others than its owner can read it.
    pub fn keep_secrets(&self, dir: &Path) -> Result<()> {
        let secrets = ArchiveSecrets::open(dir, Arc::new(SystemClock))?;
        self.fetcher.keep_secrets(Arc::new(secrets));
        Ok(())
    }

    /// The fetcher of pages.
    pub fn fetcher(&self) -> &Fetcher {
        &self.fetcher
    }

    /// The result of work that fetches pages for a client, if it ends within a time, waiting for
    /// its turn included.
    pub(super) async fn within<T>(
        &self,
        client: ClientKey,
        limit: Duration,
        work: impl Future<Output = std::result::Result<T, ApiFault>>,
    ) -> std::result::Result<T, ApiFault> {
        within(limit, async {
            let _permit = self.permits.acquire(client).await?;
            work.await
        })
        .await
    }

    /// The result of work on a core, for a client.
    pub(super) async fn work<T: Send + 'static>(
        &self,
        client: ClientKey,
        work: impl FnOnce() -> std::result::Result<T, ApiFault> + Send + 'static,
    ) -> std::result::Result<T, ApiFault> {
        self.cores.run_whole(client, work).await?
    }

    /// Says that a person or a program of theirs named this address.
    pub(super) fn allow(&self, url: &Url) {
        // Without the option, nothing follows from it.
        if self.allows_private {
            self.fetcher.allow(url);
        }
    }

    pub(super) async fn fetch(
        &self,
        url: &Url,
        what: Resource,
    ) -> std::result::Result<Fetched, ApiFault> {
        let fetched = self.fetcher.get_async(url, what).await;
        fetched.map_err(|error| ApiFault::from(&error))
    }

    /// A page, fetched with the request headers of its wrapper.
    pub(super) async fn page(
        self: &Arc<Self>,
        client: ClientKey,
        url: &Url,
    ) -> std::result::Result<WebPage, ApiFault> {
        let (reader, address) = (Arc::clone(self), url.clone());
        let wrapper = self.work(client, move || reader.extractor(Some(address.as_str())));
        let wrapper = wrapper.await?;
        if let Some(wrapper) = wrapper {
            let headers = wrapper.wrapper().headers.iter();
            let refused = self
                .fetcher
                .send_to(url, headers.map(|(name, value)| (&**name, &**value)));
            if let Some(error) = refused.first() {
                tracing::debug!(%error, "a header of the wrapper is not sent");
            }
        }
        let fetched = self.fetch(url, Resource::Page).await?;
        match fetched.content_type {
            Some(kind) if !is_html(&kind) => {
                let why = format!("this is no page, but {kind}");
                Err(ApiFault::new(StatusCode::BAD_GATEWAY, why))
            }
            kind => Ok(WebPage {
                url: Some(fetched.url),
                bytes: fetched.body,
                content_type: kind,
            }),
        }
    }

    /// The article of a page: by the wrapper of its site, or else by the page's own shape.
    pub(super) async fn article(
        self: &Arc<Self>,
        client: ClientKey,
        page: WebPage,
    ) -> std::result::Result<Article, ApiFault> {
        let (reader, bytes) = (Arc::clone(self), page.bytes.len());
        let work = move |stop: &StopFlag| reader.extract(&page, stop).transpose();
        self.cores.run(client, bytes, work).await?
    }

    /// The article of a page; `None` if it was stopped on the way.
    fn extract(
        &self,
        page: &WebPage,
        stop: &StopFlag,
    ) -> std::result::Result<Option<Article>, ApiFault> {
        let url = page.url.as_ref().map(Url::as_str);
        let source = Source {
            url,
            content_type: page.content_type.as_deref(),
        };
        let stopped = stop.clone();
        let options = Options::default()
            .with_html(true)
            .with_stop(move || stopped.is_set());
        let learned = || site_of(url).and_then(|site| self.learned.get(&site));
        let extractor = self.extractor(url)?.map(Arc::new).or_else(learned);
        let parsed = match &extractor {
            Some(extractor) => extractor.parse(&page.bytes, source),
            None => Page::parse(&page.bytes, source),
        };
        if stop.is_set() {
            return Ok(None);
        }
        let article = match &extractor {
            Some(extractor) => extractor.extract(&parsed, &options),
            None => one_page(&parsed, &options),
        };
        if stop.is_set() {
            return Ok(None);
        }
        let mut article = article.read_from(url);
        article.id = url.unwrap_or_default().to_owned();
        let now = DateTime::<Utc>::from(SystemTime::now());
        article.date_fetched = Some(now.to_rfc3339_opts(SecondsFormat::Secs, true));
        Ok(Some(article))
    }

    /// Learns the sites of pages that have no wrapper yet, from these pages and their items.
    pub(super) async fn learn(
        self: &Arc<Self>,
        client: ClientKey,
        pages: Vec<(WebPage, FeedItem)>,
    ) {
        let mut sites: BTreeMap<String, Vec<(WebPage, FeedItem)>> = BTreeMap::new();
        for (page, item) in pages {
            let site = site_of(page.url.as_ref().map(Url::as_str));
            let site = site.filter(|site| !self.learned.is_known(site));
            if let Some(site) = site {
                sites.entry(site).or_default().push((page, item));
            }
        }
        for (site, pages) in sites {
            if pages.len() < MIN_PAGES {
                continue;
            }
            let reader = Arc::clone(self);
            let learning = self.work(client, move || {
                let url = pages[0].0.url.as_ref().map(Url::as_str);
                // A wrapper of the user's own goes first.
                if reader.extractor(url)?.is_none() {
                    let sample: Vec<SamplePage> = pages.iter().map(sample_page).collect();
                    reader.learned.learn(&site, &sample);
                }
                Ok(())
            });
            // Without a wrapper, articles are found by the shape of each page.
            let _ = learning.await;
        }
    }

    /// The wrapper of an address, compiled; `None` if its site has none.
    fn extractor(&self, url: Option<&str>) -> std::result::Result<Option<Extractor>, ApiFault> {
        let names = site_of(url).map(|host| names_of(&host));
        for name in names.into_iter().flatten() {
            let found = self.wrappers.wrapper(&name);
            let compiled = found.and_then(|found| found.map(Extractor::new).transpose());
            match compiled {
                Ok(None) => {}
                Ok(found) => return Ok(found),
                Err(error) => {
                    let why = format!("the wrapper of {name} cannot be used: {error}");
                    return Err(ApiFault::new(StatusCode::INTERNAL_SERVER_ERROR, why));
                }
            }
        }
        Ok(None)
    }
}

fn sample_page((page, item): &(WebPage, FeedItem)) -> SamplePage {
    let url = page.url.as_ref().map_or("", Url::as_str);
    let source = Source {
        url: Some(url),
        content_type: page.content_type.as_deref(),
    };
    let mut sample = SamplePage::new(Page::parse(&page.bytes, source), url);
    sample.item = Some(item.clone());
    sample
}

/// The result of work that ends within a time.
pub(super) async fn within<T>(
    limit: Duration,
    work: impl Future<Output = std::result::Result<T, ApiFault>>,
) -> std::result::Result<T, ApiFault> {
    timeout(limit, work).await.unwrap_or_else(|_| {
        let why = format!("it takes longer than {} s", limit.as_secs());
        Err(ApiFault::new(StatusCode::GATEWAY_TIMEOUT, why))
    })
}
