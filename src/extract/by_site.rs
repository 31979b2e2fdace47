//! The wrapper of a page.

use crate::cli::sites;
use crate::extract::Extractor;
use crate::wrapper::Wrapper;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

/// A compiled wrapper, `None` if there is none of that name, or the reason why it cannot be
/// used.
type WrapperLookup = Result<Option<Arc<Extractor>>, String>;

/// The reason why a page has no wrapper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoWrapper {
    /// No wrapper is known; with the remedy.
    Unknown(String),
    /// The wrapper cannot be used.
    Broken(String),
}

/// Finds and caches wrappers.
pub enum Wrappers {
    One(Arc<Extractor>),
    Folders {
        /// The first that has one gives a site's wrapper.
        dirs: Vec<PathBuf>,
        known: Mutex<HashMap<String, WrapperLookup>>,
        /// The sites by the feeds that they were learned from.
        by_feed: OnceLock<HashMap<String, String>>,
    },
}

impl Wrappers {
    /// One wrapper for all pages.
    pub fn one(wrapper: Wrapper) -> anyhow::Result<Wrappers> {
        Ok(Wrappers::One(Arc::new(Extractor::new(wrapper)?)))
    }

    /// The wrappers of folders, an earlier one before a later one.
    pub fn in_folders(dirs: Vec<PathBuf>) -> Wrappers {
        Wrappers::Folders {
            dirs,
            known: Mutex::new(HashMap::new()),
            by_feed: OnceLock::new(),
        }
    }

    /// The wrapper of a page of `host`, in a folder of that name, from a feed.
    ///
    /// # Errors
    ///
    /// If there is no wrapper.
    pub fn of_page(
        &self,
        host: Option<&str>,
        folder: Option<&str>,
        feed: Option<&str>,
    ) -> Result<Arc<Extractor>, NoWrapper> {
        let (dirs, by_feed) = match self {
            Wrappers::One(extractor) => return Ok(Arc::clone(extractor)),
            Wrappers::Folders { dirs, by_feed, .. } => (dirs, by_feed),
        };
        let names = host.into_iter().flat_map(sites::names_of);
        for name in names.chain(folder.map(str::to_owned)) {
            if let Some(found) = self.named(&name).map_err(NoWrapper::Broken)? {
                return Ok(found);
            }
        }
        if let Some(feed) = feed {
            let sites = by_feed.get_or_init(|| by_feeds(dirs));
            if let Some(site) = sites.get(feed)
                && let Some(found) = self.named(site).map_err(NoWrapper::Broken)?
            {
                return Ok(found);
            }
        }
        Err(NoWrapper::Unknown(match host.or(folder) {
            Some(name) => format!(
                "no wrapper for {name} in {}: learn one with `forest learn {}`, or name one with \
                 --wrapper",
                names_of_all(dirs),
                feed.unwrap_or("<feed of the site>")
            ),
            None => "neither its address nor its folder names its site: name a wrapper with \
                     --wrapper"
                .to_owned(),
        }))
    }

    /// The request headers in the wrapper of a host. A wrapper that is not named for the host
    /// has none for it.
    pub fn headers_of(&self, host: &str) -> Option<BTreeMap<String, String>> {
        let names = sites::names_of(host);
        let wrapper = match self {
            Wrappers::One(extractor) => Some(Arc::clone(extractor)),
            Wrappers::Folders { .. } => names.iter().find_map(|name| self.named(name).ok()?),
        };
        let wrapper = wrapper?;
        let wrapper = wrapper.wrapper();
        let is_of_host = names.contains(&wrapper.site) && !wrapper.headers.is_empty();
        is_of_host.then(|| wrapper.headers.clone())
    }

    fn named(&self, site: &str) -> WrapperLookup {
        let Wrappers::Folders { dirs, known, .. } = self else {
            return Ok(None);
        };
        // A thread that panicked has left the map whole.
        let mut known = known.lock().unwrap_or_else(|e| e.into_inner());
        let found = known.entry(site.to_owned());
        let read = || {
            let mut found = dirs.iter().map(|dir| open(&sites::path_of(dir, site)));
            found
                .find(|found| !matches!(found, Ok(None)))
                .unwrap_or(Ok(None))
        };
        found.or_insert_with(read).clone()
    }
}

fn open(path: &Path) -> WrapperLookup {
    let file = sites::read(path).map_err(|e| format!("{e:#}"))?;
    let Some(file) = file else { return Ok(None) };
    let extractor = Extractor::new(file.wrapper).map_err(|e| format!("{e:#}"))?;
    Ok(Some(Arc::new(extractor)))
}

fn by_feeds(dirs: &[PathBuf]) -> HashMap<String, String> {
    // Those of the first folder are taken last, and stay.
    let wrappers = dirs.iter().rev().flat_map(|dir| sites::all(dir));
    let pairs = wrappers.filter_map(|wrapper| Some((wrapper.feed?, wrapper.site)));
    pairs.collect()
}

fn names_of_all(dirs: &[PathBuf]) -> String {
    let names: Vec<String> = dirs.iter().map(|dir| dir.display().to_string()).collect();
    names.join(" or ")
}
