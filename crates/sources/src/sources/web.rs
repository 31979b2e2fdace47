//! The boundary to the web: this stage fetches by what its caller gives it.

use super::pages::{FoundPage, FurtherPages, PageContent, PageError, PageLocation, PageRef};
use crate::error::Result;
use std::collections::BTreeMap;
use std::sync::Arc;
use url::Url;

/// Fetches documents, from any number of threads at once.
pub trait DocumentFetcher: Send + Sync {
    /// Allows the host of an address that is the user's own.
    ///
    /// # Errors
    ///
    /// As the others: if the network cannot be used.
    fn allow(&self, url: &Url) -> Result<()>;

    /// Sends these headers with what is fetched from the host of `url`.
    ///
    /// # Errors
    ///
    /// If the network cannot be used.
    fn send_to(&self, url: &Url, headers: &BTreeMap<String, String>) -> Result<()>;

    /// Fetches one document.
    ///
    /// # Errors
    ///
    /// If it cannot be fetched, or the network cannot be used.
    fn get(&self, url: &Url, kind: RequestKind) -> Result<WebDocument>;

    /// Fetches pages, several hosts at once; the results in the order of `urls`, for a page that
    /// cannot be fetched the reason.
    ///
    /// # Errors
    ///
    /// If the network cannot be used.
    fn get_pages(&self, urls: &[Url]) -> Result<Vec<Result<WebDocument, String>>>;
}

/// A document from the web.
#[derive(Debug)]
pub struct WebDocument {
    /// Its address, after redirects.
    pub url: Url,
    pub bytes: Vec<u8>,
    pub content_type: Option<String>,
    /// The time of its fetch, RFC 3339.
    pub date: String,
}

/// The kind of document that a request is for, which decides its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestKind {
    Page,
    Feed,
    Sitemap,
}

impl From<WebDocument> for PageContent {
    fn from(document: WebDocument) -> PageContent {
        PageContent {
            url: Some(document.url.into()),
            bytes: document.bytes,
            content_type: document.content_type,
            date: Some(document.date),
            further: FurtherPages::Web,
        }
    }
}

/// Fetches the pages that are on the web, several hosts at once. The others stay as they are.
///
/// # Errors
///
/// If the network cannot be used.
pub fn fetch_pages(web: &dyn DocumentFetcher, pages: Vec<FoundPage>) -> Result<Vec<FoundPage>> {
    let urls: Vec<Url> = pages
        .iter()
        .filter_map(|page| on_web(page))
        .cloned()
        .collect();
    if urls.is_empty() {
        return Ok(pages);
    }
    let mut documents = web.get_pages(&urls)?.into_iter();
    let fetched = pages.into_iter().map(|page| {
        let page = page?;
        let PageLocation::Web(url) = &page.location else {
            return Ok(page);
        };
        let document = documents.next().expect("a document for each address");
        let document = document.map_err(|reason| PageError {
            id: url.to_string(),
            url: Some(url.to_string()),
            reason,
        })?;
        let location = PageLocation::Content(Arc::new(document.into()));
        Ok(PageRef { location, ..page })
    });
    Ok(fetched.collect())
}

/// The address of a page that is still on the web.
pub fn on_web(page: &FoundPage) -> Option<&Url> {
    match &page.as_ref().ok()?.location {
        PageLocation::Web(url) => Some(url),
        PageLocation::File(_) | PageLocation::Content(_) => None,
    }
}
