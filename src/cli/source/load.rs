//! References of pages to their bytes.

use super::{FurtherPages, PageContent, PageError, PageLocation, PageRef, PageRefs, Sources};
use super::{file, folder};
use crate::cli::net::WebDocument;
use forest_core::extract::Extractor;
use forest_core::feed::{FeedItem, sniff_no_page};
use forest_html::page::{Page, Source};
use forest_text::filter::FilterEngine;
use url::Url;

/// A page as bytes, with its context.
#[derive(Debug)]
pub struct LoadedPage {
    /// `<folder>/<stem>`, else its final address.
    pub id: String,
    /// The folder's name, which may be a site's.
    pub folder: Option<String>,
    /// Its item in a feed.
    pub item: Option<FeedItem>,
    pub content: PageContent,
    /// Bytes of it that are parsed at the most.
    limit: usize,
}

impl LoadedPage {
    /// A page in memory, without an id, a folder and an item.
    pub fn of_content(content: PageContent, limit: usize) -> LoadedPage {
        LoadedPage {
            id: content.url.clone().unwrap_or_default(),
            folder: None,
            item: None,
            content,
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

    /// Parses it as the settings of a filter need it.
    pub fn parse_to_filter(&self, engine: &FilterEngine) -> Page {
        engine.parse_within(&self.content.bytes, self.source(), self.limit)
    }

    fn source(&self) -> Source<'_> {
        Source {
            url: self.content.url.as_deref(),
            content_type: self.content.content_type.as_deref(),
        }
    }
}

impl PageRef {
    /// A page without an id, a folder and an item.
    pub fn new(location: PageLocation) -> PageRef {
        PageRef {
            id: None,
            folder: None,
            item: None,
            location,
        }
    }

    /// A page at an address.
    pub fn web(url: Url) -> PageRef {
        PageRef::new(PageLocation::Web(url))
    }

    /// A page whose bytes are known.
    pub fn of_content(content: PageContent) -> PageRef {
        PageRef::new(PageLocation::Content(Box::new(content)))
    }

    /// A document without an address.
    pub fn of_bytes(id: &str, bytes: Vec<u8>) -> PageRef {
        let content = PageContent {
            bytes,
            ..PageContent::default()
        };
        PageRef {
            id: Some(id.to_owned()),
            ..PageRef::of_content(content)
        }
    }

    /// The page's address, as far as it is known before the page is fetched.
    pub fn url(&self) -> Option<String> {
        match &self.location {
            PageLocation::Web(url) => Some(url.to_string()),
            PageLocation::Content(content) => content.url.clone(),
            PageLocation::File(path) => folder::address_of(path),
        }
    }
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

impl PageError {
    /// An address that cannot be fetched.
    pub fn at(url: &Url, error: &anyhow::Error) -> PageError {
        PageError {
            id: url.to_string(),
            url: Some(url.to_string()),
            reason: format!("{error:#}"),
        }
    }
}

impl Sources<'_> {
    /// The next pages, `count` at the most, fetched; `None` at the end.
    pub fn fetch_next(
        &self,
        pages: &mut PageRefs,
        count: usize,
        on_done: impl FnMut(),
    ) -> anyhow::Result<Option<Vec<Result<PageRef, PageError>>>> {
        let chunk: Vec<_> = pages.take(count).collect();
        if chunk.is_empty() {
            return Ok(None);
        }
        self.fetch(chunk, on_done).map(Some)
    }

    /// Fetches the pages that are on the web, several hosts at once. The others stay as
    /// they are.
    pub fn fetch(
        &self,
        pages: Vec<Result<PageRef, PageError>>,
        mut on_done: impl FnMut(),
    ) -> anyhow::Result<Vec<Result<PageRef, PageError>>> {
        let url = |page: &Result<PageRef, PageError>| match &page.as_ref().ok()?.location {
            PageLocation::Web(url) => Some(url.clone()),
            _ => None,
        };
        let urls: Vec<Url> = pages.iter().filter_map(url).collect();
        if urls.is_empty() {
            return Ok(pages);
        }
        let mut documents = self.network.get_pages(&urls, &mut on_done)?.into_iter();
        let fetched = pages.into_iter().map(|page| {
            let page = page?;
            let PageLocation::Web(url) = &page.location else {
                return Ok(page);
            };
            let document = documents.next().expect("a document for each address");
            let document = document.map_err(|error| PageError::at(url, &error))?;
            let location = PageLocation::Content(Box::new(document.into()));
            Ok(PageRef { location, ..page })
        });
        Ok(fetched.collect())
    }
}

/// Reads a page of at most `limit` bytes. A page that is still on the web is an error:
/// [`Sources::fetch`] comes first.
pub fn load(page: Result<PageRef, PageError>, limit: usize) -> Result<LoadedPage, PageError> {
    let PageRef {
        id,
        folder,
        item,
        location,
    } = page?;
    let content = match location {
        PageLocation::Content(content) => *content,
        PageLocation::File(path) => {
            let url = folder::address_of(&path);
            match file::read(&path, limit) {
                Ok(bytes) => PageContent {
                    url,
                    bytes,
                    further: FurtherPages::Folder(
                        path.parent().map(Into::into).unwrap_or_default(),
                    ),
                    ..PageContent::default()
                },
                Err(error) => {
                    return Err(PageError {
                        id: id.unwrap_or_else(|| path.display().to_string()),
                        url,
                        reason: format!("{error:#}"),
                    });
                }
            }
        }
        PageLocation::Web(url) => {
            return Err(PageError::at(&url, &anyhow::anyhow!("not fetched")));
        }
    };
    let id = id.or_else(|| content.url.clone()).unwrap_or_default();
    if let Some(found) = sniff_no_page(&content.bytes) {
        let reason = format!("this is {found}, not an HTML page: leave it out");
        let url = content.url;
        return Err(PageError { id, url, reason });
    }
    Ok(LoadedPage {
        id,
        folder,
        item,
        content,
        limit,
    })
}
