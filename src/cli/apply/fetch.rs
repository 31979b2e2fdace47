//! Pages from the web, with the request headers of their wrappers, and further pages from
//! folders.

use super::record::RecordMaker;
use crate::cli::source::{LocalPages, PageError, PageLocation, PageRef, Sources};
use forest_html::address::site_of;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use url::Url;

/// The web, and the folders that were read.
pub struct PageFetcher<'a> {
    sources: &'a Sources<'a>,
    maker: Arc<RecordMaker>,
    /// Origins whose headers are set.
    origins: HashSet<String>,
    folders: HashMap<PathBuf, LocalPages>,
}

impl<'a> PageFetcher<'a> {
    pub fn new(sources: &'a Sources<'a>, maker: Arc<RecordMaker>) -> PageFetcher<'a> {
        PageFetcher {
            sources,
            maker,
            origins: HashSet::new(),
            folders: HashMap::new(),
        }
    }

    /// Bytes of a page at the most.
    pub fn page_limit(&self) -> usize {
        self.sources.page_limit()
    }

    /// Sends the headers in the wrapper of a host with all requests to it.
    ///
    /// # Errors
    ///
    /// If the network cannot be used.
    pub fn send_headers_to(&mut self, url: &Url) -> anyhow::Result<()> {
        let Some(host) = site_of(Some(url.as_str())) else {
            return Ok(());
        };
        if !self.origins.insert(url.origin().ascii_serialization()) {
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
    pub fn fetch(&mut self, refs: Vec<PageRef>) -> anyhow::Result<Vec<Result<PageRef, PageError>>> {
        for page in &refs {
            if let PageLocation::Web(url) = &page.location {
                self.send_headers_to(url)?;
            }
        }
        self.sources
            .fetch(refs.into_iter().map(Ok).collect(), || {})
    }

    /// The page of an address in a folder; the reason if there is no such page.
    pub fn in_folder(&mut self, dir: &Path, address: &str) -> Result<PathBuf, &'static str> {
        let known = self.folders.entry(dir.to_owned());
        let pages = known.or_insert_with(|| LocalPages::of(dir));
        let page = pages.at(address).map(Path::to_owned);
        page.ok_or("no page in the folder has this address")
    }
}
