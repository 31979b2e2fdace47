//! The wrapper of a page: that of its site.

use super::Extractor;
use crate::error::Result;
use crate::wrapper::Wrapper;
use crate::wrapper::names::names_of;
use forest_html::error::with_causes;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
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

/// Where wrappers are read. The stage touches no files; the caller does.
pub trait WrapperSource: fmt::Debug + Send + Sync {
    /// The wrapper of this name; `None` if there is none. The names of a host are those of
    /// [`names_of`].
    ///
    /// # Errors
    ///
    /// If there is one that cannot be read.
    fn wrapper(&self, name: &str) -> Result<Option<Wrapper>>;

    /// The sites by the feeds that their wrappers were learned from; default: none is known.
    fn by_feed(&self) -> HashMap<String, String> {
        HashMap::new()
    }

    /// The place of the wrappers, for messages.
    fn place(&self) -> String {
        "the known wrappers".to_owned()
    }
}

/// The extractors of sites: each is read when a page of its site comes, and kept.
#[derive(Debug)]
pub struct SiteExtractors(ExtractorSource);

#[derive(Debug)]
enum ExtractorSource {
    One(Arc<Extractor>),
    Many(KnownExtractors),
}

#[derive(Debug)]
struct KnownExtractors {
    source: Box<dyn WrapperSource>,
    known: Mutex<HashMap<String, WrapperLookup>>,
    by_feed: OnceLock<HashMap<String, String>>,
}

impl SiteExtractors {
    /// One wrapper for all pages.
    ///
    /// # Errors
    ///
    /// If it cannot be compiled.
    pub fn one(wrapper: Wrapper) -> Result<SiteExtractors> {
        let extractor = Arc::new(Extractor::new(wrapper)?);
        Ok(SiteExtractors(ExtractorSource::One(extractor)))
    }

    /// The wrappers of a source.
    pub fn of(source: impl WrapperSource + 'static) -> SiteExtractors {
        SiteExtractors(ExtractorSource::Many(KnownExtractors {
            source: Box::new(source),
            known: Mutex::new(HashMap::new()),
            by_feed: OnceLock::new(),
        }))
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
        let sites = match &self.0 {
            ExtractorSource::One(extractor) => return Ok(Arc::clone(extractor)),
            ExtractorSource::Many(sites) => sites,
        };
        let names = host.into_iter().flat_map(names_of);
        for name in names.chain(folder.map(str::to_owned)) {
            if let Some(found) = sites.named(&name).map_err(NoWrapper::Broken)? {
                return Ok(found);
            }
        }
        if let Some(feed) = feed {
            let by_feed = sites.by_feed.get_or_init(|| sites.source.by_feed());
            if let Some(site) = by_feed.get(feed)
                && let Some(found) = sites.named(site).map_err(NoWrapper::Broken)?
            {
                return Ok(found);
            }
        }
        Err(NoWrapper::Unknown(match host.or(folder) {
            Some(name) => format!(
                "no wrapper for {name} in {}: learn one with `forest learn {}`, or name one with \
                 --wrapper",
                sites.source.place(),
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
        let names = names_of(host);
        let wrapper = match &self.0 {
            ExtractorSource::One(extractor) => Some(Arc::clone(extractor)),
            ExtractorSource::Many(sites) => names.iter().find_map(|name| sites.named(name).ok()?),
        };
        let wrapper = wrapper?;
        let wrapper = wrapper.wrapper();
        let is_of_host = names.contains(&wrapper.site) && !wrapper.headers.is_empty();
        is_of_host.then(|| wrapper.headers.clone())
    }
}

impl KnownExtractors {
    fn named(&self, site: &str) -> WrapperLookup {
        // A thread that panicked has left the map whole.
        let mut known = self.known.lock().unwrap_or_else(|e| e.into_inner());
        let found = known.entry(site.to_owned());
        found.or_insert_with(|| self.read(site)).clone()
    }

    fn read(&self, site: &str) -> WrapperLookup {
        let wrapper = self.source.wrapper(site);
        let extractor = wrapper.and_then(|found| found.map(Extractor::new).transpose());
        let extractor = extractor.map_err(|error| with_causes(&error))?;
        Ok(extractor.map(Arc::new))
    }
}
