//! What pages need from around them: the web, with the headers that their wrappers
//! want, and the folders that they are in.

use super::record::Maker;
use crate::cli::source::{Lead, LocalPages, Place, Sources, Trouble};
use forest::address::site_of;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use url::Url;

/// The web and the folders that were looked into.
pub struct Around<'a> {
    sources: &'a Sources<'a>,
    maker: Arc<Maker>,
    /// Origins whose headers are known to the network.
    told: HashSet<String>,
    folders: HashMap<PathBuf, LocalPages>,
}

impl<'a> Around<'a> {
    pub fn new(sources: &'a Sources<'a>, maker: Arc<Maker>) -> Around<'a> {
        Around {
            sources,
            maker,
            told: HashSet::new(),
            folders: HashMap::new(),
        }
    }

    /// Bytes of a page at the most.
    pub fn page_limit(&self) -> usize {
        self.sources.page_limit()
    }

    /// Sends what the wrapper of a host wants with all that is fetched from it.
    ///
    /// # Errors
    ///
    /// If the network cannot be used.
    pub fn send_headers_to(&mut self, url: &Url) -> anyhow::Result<()> {
        let Some(host) = site_of(Some(url.as_str())) else {
            return Ok(());
        };
        if !self.told.insert(url.origin().ascii_serialization()) {
            return Ok(());
        }
        if let Some(headers) = self.maker.headers_of(&host) {
            self.sources.send_to(url, &headers)?;
        }
        Ok(())
    }

    /// Fetches those that are on the web, several hosts at once.
    ///
    /// # Errors
    ///
    /// If the network cannot be used.
    pub fn fetch(&mut self, leads: Vec<Lead>) -> anyhow::Result<Vec<Result<Lead, Trouble>>> {
        for lead in &leads {
            if let Place::Web(url) = &lead.place {
                self.send_headers_to(url)?;
            }
        }
        self.sources
            .fetch(leads.into_iter().map(Ok).collect(), || {})
    }

    /// The page of an address in a folder, or why there is none.
    pub fn in_folder(&mut self, dir: &Path, address: &str) -> Result<PathBuf, &'static str> {
        let known = self.folders.entry(dir.to_owned());
        let pages = known.or_insert_with(|| LocalPages::of(dir));
        let page = pages.at(address).map(Path::to_owned);
        page.ok_or("no page in the folder has this address")
    }
}
