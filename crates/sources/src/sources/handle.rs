//! The handle by which sources are opened.

use super::address::address;
use super::folder;
use super::pages::{FoundPage, PageList, pages_of};
use super::scope::SitemapScope;
use super::warning::{SourceWarning, WarningSink};
use super::web::{DocumentFetcher, fetch_pages};
use crate::error::Result;
use forest_core::feed;
use forest_html::address::web_address;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use url::Url;

/// Opens sources and fetches their pages.
#[derive(Clone)]
pub struct Sources {
    pub(super) web: Arc<dyn DocumentFetcher>,
    pub(super) warn: WarningSink,
    /// The folder with the pages of local feeds; default: the feed's own.
    pub(super) pages: Option<PathBuf>,
    /// Bytes of a page at the most.
    pub(super) page_limit: usize,
    /// Pages that are worked on at once.
    pub(super) jobs: usize,
    /// The pages that are taken from sitemaps.
    pub(super) sitemaps: SitemapScope,
}

impl Sources {
    /// Sources whose pages have at most `page_limit` bytes; `web` fetches those that are on the
    /// web, `warn` takes the warnings.
    pub fn new(web: Arc<dyn DocumentFetcher>, page_limit: usize, warn: WarningSink) -> Sources {
        Sources {
            web,
            warn,
            pages: None,
            page_limit,
            jobs: rayon::current_num_threads(),
            sitemaps: SitemapScope::default(),
        }
    }

    /// The same; so many pages are worked on at once [default: one a core].
    pub fn with_jobs(mut self, jobs: usize) -> Sources {
        self.jobs = jobs;
        self
    }

    /// The same; the pages of a feed are in this folder, if they are there.
    pub fn with_pages(mut self, pages: Option<PathBuf>) -> Sources {
        self.pages = pages;
        self
    }

    /// The same; these pages are taken from sitemaps [default: all].
    pub fn with_sitemaps(mut self, scope: SitemapScope) -> Sources {
        self.sitemaps = scope;
        self
    }

    /// The fetcher of documents.
    pub fn web(&self) -> &dyn DocumentFetcher {
        &*self.web
    }

    /// Takes a warning.
    pub fn warn(&self, warning: SourceWarning) {
        (self.warn)(&warning);
    }

    /// The address that was typed, with a message if it is a bare host.
    pub fn address(&self, typed: &str) -> Option<Url> {
        let url = address(typed)?;
        if web_address(typed).is_none() {
            let (typed, url) = (typed.to_owned(), url.clone());
            self.warn(SourceWarning::Tried { typed, url });
        }
        Some(url)
    }

    /// Fetches the pages that are on the web, several hosts at once. The others stay as they
    /// are.
    ///
    /// # Errors
    ///
    /// If the network cannot be used.
    pub fn fetch(&self, pages: Vec<FoundPage>) -> Result<Vec<FoundPage>> {
        fetch_pages(self.web(), pages)
    }

    /// The pages of a feed; a feed from a pipe has no address.
    pub(super) fn pages_of_feed(
        &self,
        name: &str,
        address: Option<String>,
        feed: feed::Feed,
        dir: Option<&Path>,
    ) -> PageList {
        for warning in &feed.warnings {
            let (name, fault) = (name.to_owned(), warning.to_string());
            self.warn(SourceWarning::OfFeed { name, fault });
        }
        if feed.items.is_empty() {
            let name = name.to_owned();
            self.warn(SourceWarning::NoItems { name });
        }
        let local = dir.map(folder::LocalPages::of);
        let pages = folder::pages_of_items(&feed.items, local).into_iter();
        PageList {
            feed: address,
            by_feed: true,
            ..pages_of(name, pages)
        }
    }
}
