//! Pages of sources: their locations, their bytes, and the reasons why they cannot be read.

use crate::error::Error;
use forest_core::feed::FeedItem;
use forest_html::error::with_causes;
use std::path::PathBuf;
use std::sync::Arc;
use url::Url;

/// A page that can be read or fetched.
#[derive(Debug)]
pub struct PageRef {
    /// `<folder>/<stem>`, with all folders below the typed one; `None`: the page's final
    /// address.
    pub id: Option<String>,
    /// The folder's name, which may be a site's; see `folder::site_folder`.
    pub folder: Option<String>,
    /// Its item in a feed.
    pub item: Option<FeedItem>,
    pub location: PageLocation,
}

/// The location of a page.
#[derive(Debug)]
pub enum PageLocation {
    File(PathBuf),
    Web(Url),
    /// In memory.
    Content(Arc<PageContent>),
}

/// The bytes of a page, with their origin.
#[derive(Debug, Default)]
pub struct PageContent {
    pub url: Option<String>,
    pub bytes: Vec<u8>,
    pub content_type: Option<String>,
    /// The time of its fetch, RFC 3339.
    pub date: Option<String>,
    /// The place of the further pages of its article.
    pub further: FurtherPages,
}

/// The place in which further pages of an article are searched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum FurtherPages {
    /// Among the pages of the same source.
    #[default]
    Together,
    /// In the page's folder.
    Folder(PathBuf),
    /// On the web.
    Web,
}

/// A page that cannot be read.
#[derive(Debug)]
pub struct PageError {
    /// Its id, as far as it is known.
    pub id: String,
    /// Its address, if it has one.
    pub url: Option<String>,
    /// The reason and the remedy.
    pub reason: String,
}

/// A page, or the reason why it cannot be read.
pub type FoundPage = Result<PageRef, PageError>;

/// Pages one by one.
pub type PageRefs = Box<dyn Iterator<Item = FoundPage> + Send>;

/// The pages of a source.
pub struct PageList {
    /// The typed word, or the address of the feed that it led to.
    pub name: String,
    /// The feed whose items the pages are: they are one site's.
    pub feed: Option<String>,
    /// The pages are those of the feed, and not others in its folder.
    pub by_feed: bool,
    /// The feed is a sitemap: the dates of its items are those of the last change.
    pub is_sitemap: bool,
    pub pages: PageRefs,
}

/// A part of a source.
pub enum PageSource {
    Open(PageList),
    /// A feed in a list of feeds, not fetched yet.
    Feed(Url),
}

impl PageList {
    /// The only part of its source.
    pub fn alone(self) -> Vec<PageSource> {
        vec![PageSource::Open(self)]
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
        PageRef::new(PageLocation::Content(Arc::new(content)))
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
}

/// Bytes of a page, as far as they are known.
pub fn size(page: &FoundPage) -> u64 {
    match page.as_ref().map(|page| &page.location) {
        Ok(PageLocation::Content(content)) => content.bytes.len() as u64,
        Ok(PageLocation::File(path)) => std::fs::metadata(path).map_or(0, |file| file.len()),
        Ok(PageLocation::Web(_)) | Err(_) => 0,
    }
}

impl PageError {
    /// An address that cannot be fetched.
    pub fn at(url: &Url, error: &Error) -> PageError {
        PageError {
            id: url.to_string(),
            url: Some(url.to_string()),
            reason: with_causes(error),
        }
    }
}

/// Pages without a feed.
pub fn pages_of(name: &str, pages: impl Iterator<Item = FoundPage> + Send + 'static) -> PageList {
    PageList {
        name: name.to_owned(),
        feed: None,
        by_feed: false,
        is_sitemap: false,
        pages: Box::new(pages),
    }
}
