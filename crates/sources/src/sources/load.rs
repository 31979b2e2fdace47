//! References of pages to their bytes.

use super::file::read_file;
use super::name;
use super::pages::{FoundPage, FurtherPages, PageContent, PageError, PageLocation, PageRef};
use super::saved;
use super::sidecar::address_of;
use crate::error::SourceFault;
use forest_core::extract::Extractor;
use forest_core::feed::{FeedItem, sniff_no_page};
use forest_html::error::with_causes;
use forest_html::page::{Page, Source};
use std::sync::Arc;

/// A page as bytes, with its context.
#[derive(Debug)]
pub struct LoadedPage {
    /// `<folder>/<stem>`, else its final address.
    pub id: String,
    /// The folder's name, which may be a site's.
    pub folder: Option<String>,
    /// Its item in a feed.
    pub item: Option<FeedItem>,
    pub content: Arc<PageContent>,
    /// Bytes of it that are parsed at the most.
    /// Bytes of a page that are read.
    pub limit: usize,
}

/// A further page of an article.
#[derive(Debug)]
pub struct FoundPart {
    /// The wanted address.
    pub wanted: String,
    pub page: LoadedPage,
}

impl LoadedPage {
    /// A page in memory, without an id, a folder and an item.
    pub fn of_content(content: PageContent, limit: usize) -> LoadedPage {
        LoadedPage {
            id: content.url.clone().unwrap_or_default(),
            folder: None,
            item: None,
            content: Arc::new(content),
            limit,
        }
    }

    /// Parses it.
    pub fn parse(&self) -> Page {
        Page::parse_within(&self.content.bytes, self.source(), self.limit, |text| text)
    }

    /// Parses it as the wrapper requires.
    pub fn parse_for(&self, extractor: &Extractor) -> Page {
        extractor.parse_within(&self.content.bytes, self.source(), self.limit)
    }

    /// The origin of its bytes.
    pub fn source(&self) -> Source<'_> {
        Source {
            url: self.content.url.as_deref(),
            content_type: self.content.content_type.as_deref(),
        }
    }
}

impl PageRef {
    /// The page's address, as far as it is known before the page is fetched.
    pub fn url(&self) -> Option<String> {
        match &self.location {
            PageLocation::Web(url) => Some(url.to_string()),
            PageLocation::Content(content) => content.url.clone(),
            PageLocation::File(path) => address_of(path),
        }
    }
}

/// Reads a page of at most `limit` bytes. A page that is still on the web is an error:
/// [`Sources::fetch`](super::Sources::fetch) comes first.
pub fn load(page: FoundPage, limit: usize) -> Result<LoadedPage, PageError> {
    let loaded = load_document(page, limit)?;
    if let Some(found) = sniff_no_page(&loaded.content.bytes) {
        let reason = format!("this is {found}, not an HTML page: leave it out");
        let url = loaded.content.url.clone();
        let id = loaded.id;
        return Err(PageError { id, url, reason });
    }
    Ok(loaded)
}

/// Reads a document of any kind, as [`load`] reads a page.
///
/// # Errors
///
/// As [`load`], but for documents that are no pages.
pub fn load_document(page: FoundPage, limit: usize) -> Result<LoadedPage, PageError> {
    let PageRef {
        id,
        folder,
        item,
        location,
    } = page?;
    let content = match location {
        PageLocation::Content(content) => content,
        PageLocation::File(path) => {
            let url = address_of(&path);
            match read_file(&path, saved::limit_of(&path, limit)) {
                Ok(bytes) => Arc::new(PageContent {
                    url,
                    bytes,
                    content_type: name::media_type(&path).map(str::to_owned),
                    further: FurtherPages::Folder(
                        path.parent().map(Into::into).unwrap_or_default(),
                    ),
                    ..PageContent::default()
                }),
                Err(error) => {
                    return Err(PageError {
                        id: id.unwrap_or_else(|| path.display().to_string()),
                        url,
                        reason: with_causes(&error),
                    });
                }
            }
        }
        PageLocation::Web(url) => {
            return Err(PageError::at(&url, &SourceFault::NotFetched.into()));
        }
    };
    let (name, url) = (id.clone().unwrap_or_default(), content.url.clone());
    let content = saved::opened(content, limit, &name).map_err(|error| PageError {
        id: name,
        url,
        reason: with_causes(&error),
    })?;
    let id = id.or_else(|| content.url.clone()).unwrap_or_default();
    Ok(LoadedPage {
        id,
        folder,
        item,
        content,
        limit,
    })
}
