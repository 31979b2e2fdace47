//! The filter that the pages and the proxy share: its settings, which a form or an editor changes,
//! and its lists of advertisements.

use super::ad_status::AdListStatus;
use forest_html::text::sha256_hex;
use forest_text::filter::{AdList, FilterEngine, FilterSettings};
use std::fmt;
use std::io;
use std::sync::{Arc, PoisonError, RwLock};

/// Where settings are kept. The stage touches no files; the caller does.
pub trait SettingsStore: fmt::Debug + Send + Sync {
    /// The active settings, if they were changed elsewhere since they were asked for last,
    /// such as in an editor. Asked for before each page.
    fn changed(&self) -> Option<Result<FilterSettings, String>> {
        None
    }

    /// Saves settings under a name of lower-case letters, digits and hyphens; gives the place
    /// for people.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    fn save(&self, name: &str, settings: &FilterSettings) -> io::Result<String>;
}

/// The active settings.
#[derive(Debug, Clone)]
pub struct ActiveSettings {
    pub engine: FilterEngine,
    /// A name of the settings and lists: pages of two names differ.
    pub digest: Arc<str>,
}

/// See the file's page.
#[derive(Debug)]
pub struct SharedFilter {
    active: RwLock<ActiveSettings>,
    /// The reason why a changed file of settings is not active.
    fault: RwLock<Option<String>>,
    ads: RwLock<(Arc<AdList>, Vec<AdListStatus>)>,
    /// Where settings are kept.
    pub store: Arc<dyn SettingsStore>,
}

impl SharedFilter {
    /// A filter with these settings, lists and the place of settings.
    pub fn new(
        settings: FilterSettings,
        ads: Arc<AdList>,
        lists: Vec<AdListStatus>,
        store: Arc<dyn SettingsStore>,
    ) -> SharedFilter {
        SharedFilter {
            active: RwLock::new(active_settings(settings, &ads)),
            fault: RwLock::default(),
            ads: RwLock::new((ads, lists)),
            store,
        }
    }

    /// The active settings, read again if they were changed elsewhere.
    pub fn active(&self) -> ActiveSettings {
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
    pub fn set(&self, settings: FilterSettings) {
        let active = active_settings(settings, &self.ads());
        *self.active.write().unwrap_or_else(PoisonError::into_inner) = active;
        *self.fault.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The lists of advertisements.
    pub fn ads(&self) -> Arc<AdList> {
        let ads = self.ads.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&ads.0)
    }

    /// The lists of advertisements one by one.
    pub fn ad_lists(&self) -> Vec<AdListStatus> {
        let ads = self.ads.read().unwrap_or_else(PoisonError::into_inner);
        ads.1.clone()
    }

    /// Makes lists of advertisements active, from the next page on.
    pub fn set_ads(&self, ads: Arc<AdList>, lists: Vec<AdListStatus>) {
        *self.ads.write().unwrap_or_else(PoisonError::into_inner) = (ads, lists);
        let mut active = self.active.write().unwrap_or_else(PoisonError::into_inner);
        *active = active_settings(active.engine.settings().clone(), &self.ads());
    }

    /// The reason why a changed file of settings is not active.
    pub fn fault(&self) -> Option<String> {
        let fault = self.fault.read().unwrap_or_else(PoisonError::into_inner);
        fault.clone()
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
