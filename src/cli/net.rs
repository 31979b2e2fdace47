//! The network of a command: its options, and a fetcher that is made for the first request.

use super::Global;
use super::config::{page_bytes, seconds};
use super::when::{now, time};
use forest_fetch::{
    FetchOptions, Fetched, Fetcher, ListAnswer, ListValidators, Resource, SecretSource,
    default_cache_dir,
};
use forest_html::error::with_causes;
use forest_html::page::MAX_PAGE_BYTES;
use forest_sources::sources::{DocumentFetcher, RequestKind, WebDocument};
use forest_sources::{Error, Result};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use url::Url;

/// Options for what is fetched.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Network")]
pub struct NetArgs {
    /// Allow private and loopback addresses for the hosts and ports of typed URLs. Behind a proxy
    /// of the environment (HTTP_PROXY), names are resolved and checked by that proxy.
    #[arg(long)]
    allow_private: bool,
    /// Send this User-Agent header [default: forest's own].
    #[arg(long, value_name = "TEXT")]
    user_agent: Option<String>,
    /// Send this request header; may be given again.
    #[arg(long = "header", value_name = "NAME: VALUE", value_parser = header)]
    headers: Vec<(String, String)>,
    /// Wait this number of seconds between two requests to a host [default: 1; 3 for a
    /// harvest].
    #[arg(long, value_name = "SECONDS", value_parser = text_seconds)]
    delay: Option<f64>,
    /// Wait this number of seconds for a response [default: 30].
    #[arg(long, value_name = "SECONDS", value_parser = text_seconds)]
    timeout: Option<f64>,
    /// Leave out pages, from the web or files, of more than this number of unpacked bytes
    /// [default: 20000000].
    #[arg(long, value_name = "BYTES", value_parser = text_bytes)]
    max_page_bytes: Option<usize>,
    /// Do not read or write the cache folder.
    #[arg(long)]
    no_cache: bool,
}

impl NetArgs {
    /// True if private and loopback addresses may be requested.
    pub fn allows_private(&self) -> bool {
        self.allow_private
    }

    /// The limit of a page in bytes, from the option or the config file.
    pub fn page_limit(&self, global: &Global) -> usize {
        let set = self.max_page_bytes.or(global.config().max_page_bytes);
        set.unwrap_or(MAX_PAGE_BYTES)
    }
}

fn header(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("a header is written `Name: value`".to_owned()),
    }
}

fn text_seconds(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "give a number of seconds")?;
    seconds(number)
}

fn text_bytes(text: &str) -> Result<usize, String> {
    page_bytes(text.parse().map_err(|_| "give a number of bytes")?)
}

/// Fetches documents. The fetcher is made for the first request.
pub struct Network {
    args: NetArgs,
    global: Global,
    fetcher: OnceLock<Fetcher>,
    secrets: Option<Arc<dyn SecretSource>>,
}

impl Network {
    pub fn new(args: NetArgs, global: &Global) -> Network {
        Network {
            args,
            global: global.clone(),
            fetcher: OnceLock::new(),
            secrets: None,
        }
    }

    /// Sends these secrets to their sites.
    pub fn with_secrets(self, secrets: Option<Arc<dyn SecretSource>>) -> Network {
        Network { secrets, ..self }
    }
}

impl DocumentFetcher for Network {
    fn allow(&self, url: &Url) -> Result<()> {
        self.fetcher()?.allow(url);
        Ok(())
    }

    /// Warns of the headers that are refused.
    fn send_to(&self, url: &Url, headers: &BTreeMap<String, String>) -> Result<()> {
        let pairs = headers.iter().map(|(n, v)| (n.as_str(), v.as_str()));
        for refused in self.fetcher()?.send_to(url, pairs) {
            let host = url.host_str().unwrap_or_default();
            self.global.warn(format_args!(
                "{host}: a header of its wrapper is not sent: {refused}"
            ));
        }
        Ok(())
    }

    fn get(&self, url: &Url, kind: RequestKind) -> Result<WebDocument> {
        let resource = match kind {
            RequestKind::Page => Resource::Page,
            RequestKind::Feed => Resource::Feed,
            RequestKind::Sitemap => Resource::Sitemap,
        };
        let fetched = self
            .fetcher()?
            .get(url, resource)
            .map_err(Error::of_fetcher)?;
        Ok(self.document(fetched))
    }

    fn get_pages(&self, urls: &[Url]) -> Result<Vec<Result<WebDocument, String>>> {
        let fetched = self.fetcher()?.get_vec(urls, Resource::Page, |_, _| {});
        let answers = fetched.into_iter().map(|result| match result {
            Ok(fetched) => Ok(self.document(fetched)),
            // The address stands before it where it is shown.
            Err(error) => Err(match error.fetch_failure() {
                Some(failure) => failure.why().to_string(),
                None => with_causes(&error),
            }),
        });
        Ok(answers.collect())
    }
}

impl Network {
    /// Asks for a list of advertisements, if it has changed.
    pub fn get_list(&self, url: &Url, known: &ListValidators) -> anyhow::Result<ListAnswer> {
        Ok(self.fetcher()?.visit_list(url, known)?)
    }

    fn document(&self, fetched: Fetched) -> WebDocument {
        for warning in &fetched.warnings {
            self.global.warn(format_args!("{}: {warning}", fetched.url));
        }
        WebDocument {
            url: fetched.url,
            bytes: fetched.body,
            content_type: fetched.content_type,
            date: time(fetched.date.unwrap_or_else(now)),
        }
    }

    fn fetcher(&self) -> Result<&Fetcher> {
        if let Some(fetcher) = self.fetcher.get() {
            return Ok(fetcher);
        }
        let fetcher = Fetcher::new(self.options()).map_err(Error::of_fetcher)?;
        if let Some(secrets) = &self.secrets {
            fetcher.keep_secrets(Arc::clone(secrets));
        }
        Ok(self.fetcher.get_or_init(|| fetcher))
    }

    fn options(&self) -> FetchOptions {
        let options = self.args.fetch_options(&self.global, FetchOptions::DELAY);
        match default_cache_dir() {
            Some(dir) if !self.args.no_cache => options.with_cache_dir(dir),
            _ => options,
        }
    }
}

impl NetArgs {
    /// The User-Agent header, if the user set one.
    pub fn user_agent<'a>(&'a self, global: &'a Global) -> Option<&'a str> {
        let own = self.user_agent.as_deref();
        own.or(global.config().user_agent.as_deref())
    }

    /// The options and the config file, without a cache; `delay` if they set none.
    pub fn fetch_options(&self, global: &Global, delay: Duration) -> FetchOptions {
        let (args, config) = (self, global.config());
        let mut options = FetchOptions::default()
            .with_allow_private(args.allow_private)
            .with_page_limit(args.page_limit(global) as u64);
        if let Some(agent) = args.user_agent(global) {
            options = options.with_user_agent(agent);
        }
        for (name, value) in &config.headers {
            let flag = |(flag, _): &(String, String)| flag.eq_ignore_ascii_case(name);
            if !args.headers.iter().any(flag) {
                options = options.with_header(name, value);
            }
        }
        for (name, value) in &args.headers {
            options = options.with_header(name, value);
        }
        let typed = args.delay.or(config.delay).map(Duration::from_secs_f64);
        options = options.with_delay(typed.unwrap_or(delay));
        if let Some(timeout) = args.timeout.or(config.timeout) {
            options = options.with_timeout(Duration::from_secs_f64(timeout));
        }
        options
    }
}
