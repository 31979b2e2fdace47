//! The state that the pages and the proxy share: the active settings, the sites that are
//! left alone, and what was filtered.

use super::access::PageAccess;
use super::ad_status::AdListStatus;
use super::api::ServedArchive;
use super::api::{KeptArticles, PageReader};
use super::collect::BodyRoom;
use super::cores::Cores;
use super::filter_page::Previews;
use super::header_list::list;
use super::options::{ServeOptions, SettingsStore};
use super::parsing::ParseThreads;
use super::permits::ClientPermits;
use super::rate::FetchRate;
use super::token::{FormToken, random_name};
use crate::error::Result;
use axum::http::header::{self, HeaderMap, HeaderValue};
use forest_fetch::Relay;
use forest_html::text::sha256_hex;
use forest_text::filter::{AdList, FilterEngine, FilterSettings, FilterWarning, PageSize};
use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// Pages whose filtering is remembered.
const LOGGED: usize = 50;

/// Sites that can be switched off: each is typed, or clicked.
const MAX_SITES_OFF: usize = 10_000;

/// Large pages that are sent to be read at once, and those of one client.
const LARGE_BODIES: usize = 8;
const LARGE_BODIES_OF_CLIENT: usize = 2;

/// The active settings.
#[derive(Debug, Clone)]
pub(super) struct ActiveSettings {
    pub(super) engine: FilterEngine,
    /// A name of the settings and lists: pages of two names differ.
    pub(super) digest: Arc<str>,
}

/// A page that the proxy filtered.
#[derive(Debug, Clone)]
pub(super) struct FilteredPageRecord {
    pub(super) url: String,
    pub(super) site: String,
    pub(super) before: PageSize,
    pub(super) after: PageSize,
    pub(super) bytes_before: usize,
    pub(super) bytes_after: usize,
    pub(super) warnings: Vec<FilterWarning>,
}

/// The work of the proxy so far.
#[derive(Debug, Clone, Default)]
pub(super) struct ProxyLog {
    /// The newest first.
    pub(super) pages: VecDeque<FilteredPageRecord>,
    pub(super) filtered: u64,
    /// Answers that passed as they came.
    pub(super) passed: u64,
    pub(super) refused: u64,
    /// Connections with https of which only the number is known.
    pub(super) tunnels: u64,
    /// Connections with https that were opened.
    pub(super) opened: u64,
    pub(super) bytes_before: u64,
    pub(super) bytes_after: u64,
}

/// See the file's page.
#[derive(Debug)]
pub(super) struct FilterState {
    active: RwLock<ActiveSettings>,
    /// The reason why a changed file of settings is not active.
    fault: RwLock<Option<String>>,
    sites_off: RwLock<BTreeSet<String>>,
    log: Mutex<ProxyLog>,
    ads: RwLock<(Arc<AdList>, Vec<AdListStatus>)>,
    pub(super) store: Arc<dyn SettingsStore>,
    pub(super) hosts: Vec<String>,
    pub(super) tunnel_ports: Vec<u16>,
    /// The password of the pages; `None`: they have none.
    pub(super) access: Option<Arc<PageAccess>>,
    pub(super) archive: Option<ServedArchive>,
    pub(super) jobs: super::library::AddingJobs,
    pub(super) drafts: super::library::WrapperDrafts,
    pub(super) metrics: Option<Arc<forest_harvest::Metrics>>,
    #[cfg(feature = "ca")]
    pub(super) authority: Option<Arc<super::CertificateAuthority>>,
    pub(super) token: FormToken,
    /// The name of this server on the way of a request (RFC 9110, 7.6.3); no other has it.
    pub(super) via: HeaderValue,
    pub(super) relay: Relay,
    pub(super) room: BodyRoom,
    pub(super) rate: FetchRate,
    pub(super) reader: Arc<PageReader>,
    pub(super) kept_articles: Arc<KeptArticles>,
    pub(super) previews: Previews,
    pub(super) parsing: ParseThreads,
    pub(super) cores: Arc<Cores>,
    /// The right to send a large page: each takes its size in memory until its answer.
    pub(super) large_bodies: ClientPermits,
}

impl FilterState {
    pub(super) fn new(options: ServeOptions) -> Result<FilterState> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let core_permits = Arc::new(Cores::new(cores));
        let reader = PageReader::new(
            options.fetching,
            options.allow_private,
            options.wrappers,
            Arc::clone(&core_permits),
        )?;
        Ok(FilterState {
            active: RwLock::new(active_settings(options.settings, &options.ads)),
            fault: RwLock::default(),
            sites_off: RwLock::default(),
            log: Mutex::default(),
            ads: RwLock::new((options.ads, options.ad_lists)),
            store: options.store,
            hosts: options.hosts,
            tunnel_ports: options.tunnel_ports,
            access: match &options.password_hash {
                Some(hash) => {
                    let access = PageAccess::new(hash, options.feed_key.as_deref())?;
                    Some(Arc::new(access))
                }
                None => None,
            },
            archive: options.archive.map(ServedArchive::new),
            jobs: super::library::AddingJobs::default(),
            drafts: super::library::WrapperDrafts::default(),
            metrics: options.metrics,
            #[cfg(feature = "ca")]
            authority: options.authority,
            token: FormToken::new(),
            via: HeaderValue::try_from(format!("1.1 forest-{}", random_name()))
                .expect("letters, digits, hyphens"),
            relay: Relay::new(options.allow_private)?,
            rate: FetchRate::new(options.fetches_at_once),
            room: BodyRoom::new(options.room_bytes, options.whole_within),
            previews: Previews::default(),
            parsing: ParseThreads::new(cores),
            cores: core_permits,
            large_bodies: ClientPermits::new(LARGE_BODIES, LARGE_BODIES_OF_CLIENT),
            reader: Arc::new(reader),
            kept_articles: Arc::default(),
        })
    }

    /// The active settings, read again if they were changed elsewhere.
    pub(super) fn active(&self) -> ActiveSettings {
        match self.store.changed() {
            Some(Ok(settings)) => self.set(settings),
            Some(Err(error)) => {
                let mut fault = self.fault.write().unwrap_or_else(PoisonError::into_inner);
                *fault = Some(error.to_string());
            }
            None => {}
        }
        let active = self.active.read();
        active.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Makes settings active, from the next page on.
    pub(super) fn set(&self, settings: FilterSettings) {
        let active = active_settings(settings, &self.ads());
        *self.active.write().unwrap_or_else(PoisonError::into_inner) = active;
        *self.fault.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The lists of advertisements.
    pub(super) fn ads(&self) -> Arc<AdList> {
        let ads = self.ads.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&ads.0)
    }

    /// The lists of advertisements one by one.
    pub(super) fn ad_lists(&self) -> Vec<AdListStatus> {
        let ads = self.ads.read().unwrap_or_else(PoisonError::into_inner);
        ads.1.clone()
    }

    /// Makes lists of advertisements active, from the next page on.
    pub(super) fn set_ads(&self, ads: Arc<AdList>, lists: Vec<AdListStatus>) {
        *self.ads.write().unwrap_or_else(PoisonError::into_inner) = (ads, lists);
        let mut active = self.active.write().unwrap_or_else(PoisonError::into_inner);
        *active = active_settings(active.engine.settings().clone(), &self.ads());
    }

    /// The reason why a changed file of settings is not active.
    pub(super) fn fault(&self) -> Option<String> {
        let fault = self.fault.read().unwrap_or_else(PoisonError::into_inner);
        fault.clone()
    }

    /// True if a site's pages are filtered.
    pub(super) fn filters_site(&self, site: &str) -> bool {
        let off = self
            .sites_off
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        !off.contains(site)
    }

    /// Switches the filtering of a site.
    pub(super) fn switch_site(&self, site: &str, on: bool) {
        let mut off = self
            .sites_off
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if on {
            off.remove(site);
        } else if off.len() < MAX_SITES_OFF {
            off.insert(site.to_owned());
        }
    }

    /// The sites whose pages are not filtered, in order.
    pub(super) fn sites_off(&self) -> Vec<String> {
        let off = self
            .sites_off
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        off.iter().cloned().collect()
    }

    /// The end of addresses of feeds for feed readers: the secret, if there is a password.
    pub(super) fn feed_query(&self) -> String {
        let access = self.access.as_ref();
        access.map_or_else(String::new, |access| format!("?key={}", access.feed_key()))
    }

    /// True if there is an authority that opens connections with https.
    pub(super) fn opens_https(&self) -> bool {
        #[cfg(feature = "ca")]
        return self.authority.is_some();
        #[cfg(not(feature = "ca"))]
        false
    }

    /// True if a request went through this server before.
    pub(super) fn came_through(&self, headers: &HeaderMap) -> bool {
        let ours = self.via.to_str().unwrap_or_default();
        list(headers, &header::VIA).any(|hop| hop == ours)
    }

    /// The log, to read or to add to.
    pub(super) fn log(&self) -> MutexGuard<'_, ProxyLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ProxyLog {
    pub(super) fn add(&mut self, record: FilteredPageRecord) {
        self.filtered += 1;
        self.bytes_before += record.bytes_before as u64;
        self.bytes_after += record.bytes_after as u64;
        self.pages.truncate(LOGGED - 1);
        self.pages.push_front(record);
    }
}

fn active_settings(settings: FilterSettings, ads: &Arc<AdList>) -> ActiveSettings {
    let named = format!(
        "{}{}{}",
        env!("CARGO_PKG_VERSION"),
        ads.digest(),
        settings.to_yaml()
    );
    let digest = &sha256_hex(named.as_bytes())[..12];
    ActiveSettings {
        digest: digest.into(),
        engine: FilterEngine::with_ads(settings, Arc::clone(ads)),
    }
}
