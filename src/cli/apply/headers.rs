//! The request headers of wrappers, sent to their sites alone.

use forest_html::address::site_of;
use forest_sources::Result;
use forest_sources::record::RecordMaker;
use forest_sources::sources::{FoundPage, PageLocation, Sources};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use url::Url;

/// Sets the headers of a site before its first request.
pub struct WrapperHeaders {
    sources: Sources,
    maker: Arc<RecordMaker>,
    /// Origins whose headers are set.
    origins: Mutex<HashSet<String>>,
}

impl WrapperHeaders {
    pub fn new(sources: Sources, maker: Arc<RecordMaker>) -> WrapperHeaders {
        WrapperHeaders {
            sources,
            maker,
            origins: Mutex::default(),
        }
    }

    /// Sends the headers in the wrapper of a host with all requests to it.
    ///
    /// # Errors
    ///
    /// If the network cannot be used.
    pub fn send_to(&self, url: &Url) -> Result<()> {
        let Some(host) = site_of(Some(url.as_str())) else {
            return Ok(());
        };
        let mut origins = self.origins.lock().unwrap_or_else(PoisonError::into_inner);
        if origins.insert(url.origin().ascii_serialization())
            && let Some(headers) = self.maker.headers_of(&host)
        {
            self.sources.web().send_to(url, &headers)?;
        }
        Ok(())
    }

    /// The same for a page that is about to be fetched.
    pub fn send_for(&self, page: &FoundPage) {
        if let Ok(page) = page
            && let PageLocation::Web(url) = &page.location
        {
            // If the network cannot be used, the fetch of the page says so.
            let _ = self.send_to(url);
        }
    }
}
