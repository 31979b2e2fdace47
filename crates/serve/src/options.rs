//! Options, set before anything is served.

use super::rate::AT_ONCE;
pub use forest_core::extract::by_site::WrapperSource;
use forest_core::wrapper::Wrapper;
use forest_fetch::FetchOptions;
use forest_harvest::Metrics;
use forest_text::filter::{AdList, FilterSettings};
use forest_web::ad_status::AdListStatus;
use forest_web::collect::{ROOM_BYTES, WHOLE_WITHIN};
use forest_web::shared_filter::SettingsStore;
use std::io;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Time for an answer: a program waits for it.
const FETCH_TIMEOUT: Duration = Duration::from_secs(20);

/// Nothing can be saved, and no site has a wrapper.
#[derive(Debug, Clone, Copy, Default)]
struct NoStore;

impl SettingsStore for NoStore {
    fn save(&self, _: &str, _: &FilterSettings) -> io::Result<String> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl WrapperSource for NoStore {
    fn wrapper(&self, _: &str) -> forest_core::Result<Option<Wrapper>> {
        Ok(None)
    }
}

/// Options of the pages, and of what a proxy shares with them.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    pub(super) settings: FilterSettings,
    pub(super) ads: Arc<AdList>,
    pub(super) ad_lists: Vec<AdListStatus>,
    pub(super) allow_private: bool,
    pub(super) hosts: Vec<String>,
    pub(super) store: Arc<dyn SettingsStore>,
    pub(super) wrappers: Arc<dyn WrapperSource>,
    pub(super) fetching: FetchOptions,
    pub(super) whole_within: Duration,
    pub(super) room_bytes: usize,
    pub(super) fetches_at_once: NonZeroU32,
    pub(super) password_hash: Option<String>,
    pub(super) feed_key: Option<String>,
    pub(super) archive: Option<PathBuf>,
    pub(super) metrics: Option<Arc<Metrics>>,
}

impl Default for ServeOptions {
    fn default() -> ServeOptions {
        ServeOptions {
            settings: FilterSettings::default(),
            ads: AdList::shipped(),
            ad_lists: Vec::new(),
            allow_private: false,
            hosts: Vec::new(),
            store: Arc::new(NoStore),
            wrappers: Arc::new(NoStore),
            fetching: FetchOptions::default()
                .with_timeout(FETCH_TIMEOUT)
                .with_retries(0),
            whole_within: WHOLE_WITHIN,
            room_bytes: ROOM_BYTES,
            fetches_at_once: AT_ONCE,
            password_hash: None,
            feed_key: None,
            archive: None,
            metrics: None,
        }
    }
}

impl ServeOptions {
    /// The settings that hold at first; default: those of the paper.
    pub fn with_settings(mut self, settings: FilterSettings) -> Self {
        self.settings = settings;
        self
    }

    /// The servers of advertisements; default: the list that comes with the program.
    pub fn with_ads(mut self, ads: Arc<AdList>) -> Self {
        self.ads = ads;
        self
    }

    /// The lists one by one, for the page of settings.
    pub fn with_ad_lists(mut self, lists: Vec<AdListStatus>) -> Self {
        self.ad_lists = lists;
        self
    }

    /// Lets pages be fetched from private and loopback addresses; default: no.
    pub fn with_allow_private(mut self, allow: bool) -> Self {
        self.allow_private = allow;
        self
    }

    /// A further name by which browsers may call the server, without a port. Its addresses and
    /// `localhost` are always allowed. Any other `Host` is refused: it can be a foreign name
    /// that leads here.
    pub fn with_host(mut self, host: impl Into<String>) -> Self {
        self.hosts.push(host.into().to_ascii_lowercase());
        self
    }

    /// Where settings are saved; default: nowhere.
    pub fn with_store(mut self, store: Arc<dyn SettingsStore>) -> Self {
        self.store = store;
        self
    }

    /// The wrappers by which `/extract` reads pages; default: none.
    pub fn with_wrappers(mut self, wrappers: Arc<dyn WrapperSource>) -> Self {
        self.wrappers = wrappers;
        self
    }

    /// How `/extract` fetches pages; default: politely, for 20 seconds at the most, without
    /// another try. [`with_allow_private`](Self::with_allow_private) holds for it, too.
    pub fn with_fetching(mut self, fetching: FetchOptions) -> Self {
        self.fetching = fetching;
        self
    }

    /// The time in which a page has to be whole to be filtered; default: 30 seconds. A page that
    /// takes longer passes as it comes.
    pub fn with_whole_within(mut self, time: Duration) -> Self {
        self.whole_within = time;
        self
    }

    /// The room in bytes for all pages that are filtered at once, packed and unpacked; default:
    /// 400 MB. A page that has no room passes as it comes.
    pub fn with_room_bytes(mut self, bytes: usize) -> Self {
        self.room_bytes = bytes;
        self
    }

    /// The pages that clients may have fetched at once; default: 300. Then five more a second;
    /// further requests are refused with status 429.
    pub fn with_fetches_at_once(mut self, pages: NonZeroU32) -> Self {
        self.fetches_at_once = pages;
        self
    }

    /// Asks for a password, whose Argon2 hash in PHC form this is; default: none is asked for,
    /// and only this machine sees an archive and changes settings.
    pub fn with_password_hash(mut self, hash: impl Into<String>) -> Self {
        self.password_hash = Some(hash.into());
        self
    }

    /// The secret in the addresses of feeds, beside a password: 20 letters, digits, `-` and `_`, or
    /// more. Default: one that follows from the password's hash.
    pub fn with_feed_key(mut self, key: impl Into<String>) -> Self {
        self.feed_key = Some(key.into());
        self
    }

    /// The archive whose feeds are served; default: none. It is only read.
    pub fn with_archive(mut self, dir: impl Into<PathBuf>) -> Self {
        self.archive = Some(dir.into());
        self
    }

    /// The figures of a harvest, for `/metrics`; default: none.
    pub fn with_metrics(mut self, metrics: Arc<Metrics>) -> Self {
        self.metrics = Some(metrics);
        self
    }
}
