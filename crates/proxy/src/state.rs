//! The state of the proxy: the sites that are left alone, and what was filtered.

use super::parsing::ParseThreads;
use forest_text::filter::{FilterWarning, PageSize};
use forest_web::app::WebApp;
use forest_web::shared_filter::SharedFilter;
use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// Pages whose filtering is remembered.
const LOGGED: usize = 50;

/// Sites that can be switched off: each is typed, or clicked.
const MAX_SITES_OFF: usize = 10_000;

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
pub(super) struct ProxyApp {
    pub(super) web: Arc<WebApp>,
    pub(super) filter: Arc<SharedFilter>,
    sites_off: RwLock<BTreeSet<String>>,
    log: Mutex<ProxyLog>,
    pub(super) tunnel_ports: Vec<u16>,
    #[cfg(feature = "ca")]
    pub(super) authority: Option<Arc<super::CertificateAuthority>>,
    pub(super) parsing: ParseThreads,
}

impl ProxyApp {
    pub(super) fn new(
        web: Arc<WebApp>,
        filter: Arc<SharedFilter>,
        options: super::ProxyOptions,
    ) -> ProxyApp {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        ProxyApp {
            web,
            filter,
            sites_off: RwLock::default(),
            log: Mutex::default(),
            tunnel_ports: options.tunnel_ports,
            #[cfg(feature = "ca")]
            authority: options.authority,
            parsing: ParseThreads::new(cores),
        }
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

    /// True if there is an authority that opens connections with https.
    pub(super) fn opens_https(&self) -> bool {
        #[cfg(feature = "ca")]
        return self.authority.is_some();
        #[cfg(not(feature = "ca"))]
        false
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
