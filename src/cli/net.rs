//! The network as the command line sees it: its flags, and a fetcher that is made
//! when the first address is asked for. Without the feature `net` an address is
//! an error that says so.

use super::Global;
use forest::page::{MAX_PAGE_BYTES, MOST_PAGE_BYTES};
use url::Url;

/// Options for what is fetched.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Network")]
#[cfg_attr(not(feature = "net"), allow(dead_code))]
pub struct NetArgs {
    /// Allow private and loopback addresses for the host and port of the URLs
    /// that you type.
    #[arg(long)]
    allow_private: bool,
    /// The User-Agent header.
    #[arg(long, value_name = "TEXT")]
    user_agent: Option<String>,
    /// A request header; may be repeated.
    #[arg(long = "header", value_name = "NAME: VALUE", value_parser = header)]
    headers: Vec<(String, String)>,
    /// Seconds between two requests to a host [default: 1; 3 for a harvest].
    #[arg(long, value_name = "SECONDS", value_parser = text_seconds)]
    delay: Option<f64>,
    /// Seconds for one request [default: 30].
    #[arg(long, value_name = "SECONDS", value_parser = text_seconds)]
    timeout: Option<f64>,
    /// Bytes of a page at the most, unpacked, from the web or a file; larger ones are
    /// left out [default: 20000000].
    #[arg(long, value_name = "BYTES", value_parser = text_bytes)]
    max_page_bytes: Option<usize>,
    /// Do not keep pages in the cache folder, nor use those that are there.
    #[arg(long)]
    no_cache: bool,
}

impl NetArgs {
    /// Bytes of a page at the most, as the flag or the config file says.
    pub fn page_limit(&self, global: &Global) -> usize {
        let set = self.max_page_bytes.or(global.config().max_page_bytes);
        set.unwrap_or(MAX_PAGE_BYTES)
    }
}

/// An answer from the network.
#[derive(Debug)]
pub struct Answer {
    /// The address that answered, after redirects.
    pub url: Url,
    pub bytes: Vec<u8>,
    pub content_type: Option<String>,
    /// When it was fetched, RFC 3339.
    pub date: String,
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    Page,
    Feed,
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

/// A number of seconds that can be waited for: 0 to a day.
pub fn seconds(number: f64) -> Result<f64, String> {
    match number {
        n if (0.0..=86_400.0).contains(&n) => Ok(n),
        n => Err(format!("{n} is no time to wait: give 0 to 86400 seconds")),
    }
}

fn text_bytes(text: &str) -> Result<usize, String> {
    page_bytes(text.parse().map_err(|_| "give a number of bytes")?)
}

/// A number of bytes that a page may have.
pub fn page_bytes(number: usize) -> Result<usize, String> {
    match number {
        n @ 1..=MOST_PAGE_BYTES => Ok(n),
        n => Err(format!(
            "{n} bytes are no limit of a page: give 1 to {MOST_PAGE_BYTES}"
        )),
    }
}

/// Now, RFC 3339.
pub fn now() -> String {
    let now = chrono::DateTime::<chrono::Utc>::from(std::time::SystemTime::now());
    now.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}

pub use imp::Network;

#[cfg(feature = "net")]
mod imp {
    use super::{Answer, Ask, Global, NetArgs};
    use anyhow::Context;
    use forest::fetch::{FetchOptions, Fetched, Fetcher, Resource, default_cache_dir};
    use std::cell::OnceCell;
    use std::collections::BTreeMap;
    use std::time::Duration;
    use url::Url;

    /// Fetches addresses; set up when the first one is asked for.
    pub struct Network<'a> {
        args: NetArgs,
        global: &'a Global,
        fetcher: OnceCell<Fetcher>,
    }

    impl<'a> Network<'a> {
        pub fn new(args: NetArgs, global: &'a Global) -> Network<'a> {
            let fetcher = OnceCell::new();
            Network {
                args,
                global,
                fetcher,
            }
        }

        /// Says that the user typed this address.
        pub fn allow(&self, url: &Url) -> anyhow::Result<()> {
            self.fetcher()?.allow(url);
            Ok(())
        }

        /// Sends these headers with what is fetched from the host of `url`; says which
        /// are not sent.
        pub fn send_to(&self, url: &Url, headers: &BTreeMap<String, String>) -> anyhow::Result<()> {
            let pairs = headers.iter().map(|(n, v)| (n.as_str(), v.as_str()));
            for refused in self.fetcher()?.send_to(url, pairs) {
                let host = url.host_str().unwrap_or_default();
                self.global.warn(format_args!(
                    "{host}: a header of its wrapper is not sent: {refused}"
                ));
            }
            Ok(())
        }

        /// Fetches one address.
        pub fn get(&self, url: &Url, what: Ask) -> anyhow::Result<Answer> {
            let fetched = self.fetcher()?.get(url, resource(what))?;
            Ok(self.answer(fetched))
        }

        /// Fetches pages, several hosts at once; the results in the order of `urls`.
        pub fn get_pages(
            &self,
            urls: &[Url],
            mut on_done: impl FnMut(),
        ) -> anyhow::Result<Vec<anyhow::Result<Answer>>> {
            let fetched = self
                .fetcher()?
                .get_vec(urls, Resource::Page, |_, _| on_done());
            let answers = fetched.into_iter().map(|result| match result {
                Ok(fetched) => Ok(self.answer(fetched)),
                // The address stands before it where it is shown.
                Err(error) => Err(match error.fetch_failure() {
                    Some(failure) => anyhow::anyhow!("{}", failure.why()),
                    None => error.into(),
                }),
            });
            Ok(answers.collect())
        }

        fn answer(&self, fetched: Fetched) -> Answer {
            for warning in &fetched.warnings {
                self.global.warn(format_args!("{}: {warning}", fetched.url));
            }
            let date = fetched.date.map_or_else(super::now, |date| {
                date.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
            });
            Answer {
                url: fetched.url,
                bytes: fetched.body,
                content_type: fetched.content_type,
                date,
            }
        }

        fn fetcher(&self) -> anyhow::Result<&Fetcher> {
            if let Some(fetcher) = self.fetcher.get() {
                return Ok(fetcher);
            }
            let fetcher = Fetcher::new(self.options()).context("cannot use the network")?;
            Ok(self.fetcher.get_or_init(|| fetcher))
        }

        fn options(&self) -> FetchOptions {
            let options = self.args.fetch_options(self.global, FetchOptions::DELAY);
            match default_cache_dir() {
                Some(dir) if !self.args.no_cache => options.with_cache_dir(dir),
                _ => options,
            }
        }
    }

    impl NetArgs {
        /// The User-Agent header, where the user set one.
        pub fn user_agent<'a>(&'a self, global: &'a Global) -> Option<&'a str> {
            let own = self.user_agent.as_deref();
            own.or(global.config().user_agent.as_deref())
        }

        /// What the flags and the config file say, without a cache; `delay` where they
        /// say nothing of it.
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

    fn resource(what: Ask) -> Resource {
        match what {
            Ask::Page => Resource::Page,
            Ask::Feed => Resource::Feed,
        }
    }
}

#[cfg(not(feature = "net"))]
mod imp {
    use super::{Answer, Ask, Global, NetArgs};
    use std::collections::BTreeMap;
    use std::marker::PhantomData;
    use url::Url;

    /// No network: each address is an error.
    pub struct Network<'a>(PhantomData<&'a Global>);

    impl<'a> Network<'a> {
        pub fn new(_: NetArgs, _: &'a Global) -> Network<'a> {
            Network(PhantomData)
        }

        pub fn allow(&self, url: &Url) -> anyhow::Result<()> {
            Err(none(url))
        }

        pub fn send_to(&self, url: &Url, _: &BTreeMap<String, String>) -> anyhow::Result<()> {
            Err(none(url))
        }

        pub fn get(&self, url: &Url, _: Ask) -> anyhow::Result<Answer> {
            Err(none(url))
        }

        pub fn get_pages(
            &self,
            urls: &[Url],
            _: impl FnMut(),
        ) -> anyhow::Result<Vec<anyhow::Result<Answer>>> {
            Ok(urls.iter().map(|url| Err(none(url))).collect())
        }
    }

    fn none(url: &Url) -> anyhow::Error {
        anyhow::anyhow!(
            "{url}: this build of forest has no network (feature `net`): \
             save the pages and give their folder"
        )
    }
}
