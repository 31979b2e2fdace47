//! The document at an address: a feed, a page, a home page, a list.

use super::handle::Sources;
use super::lines;
use super::pages::{PageError, PageList, PageRef, PageSource, pages_of};
use super::warning::SourceWarning;
use super::web::{RequestKind, WebDocument};
use crate::error::{Result, SourceFault};
use forest_core::extract::{Options, Status, one_page};
use forest_core::feed::{self, SniffedType, sniff};
use forest_html::error::counted;
use forest_html::page::{self, Page};
use forest_html::text::word_count;
use url::Url;

/// Feeds of a home page that are tried before it counts as having none.
const MAX_TRIES: usize = 5;

/// The meaning of an address of an HTML page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Html {
    /// The page itself, unless it is a home page (its path is `/`).
    Page,
    /// The pages of the feed that it names.
    Home,
    /// The page itself, a home page too: it lists articles.
    List,
}

impl PageSource {
    /// Opens it; fetches a feed.
    ///
    /// # Errors
    ///
    /// If the feed cannot be fetched, or is none.
    pub fn open(self, sources: &Sources) -> Result<PageList> {
        match self {
            PageSource::Open(list) => Ok(list),
            PageSource::Feed(url) => sources.remote_feed(&url),
        }
    }
}

impl Sources {
    /// Opens the document at an address that the user typed.
    pub(super) fn open_url(&self, url: &Url, html: Html) -> Result<Vec<PageSource>> {
        self.web.allow(url)?;
        let kind = if feed::names_sitemap(url) {
            RequestKind::Sitemap
        } else {
            RequestKind::Page
        };
        let answer = match self.web.get(url, kind) {
            Ok(answer) => answer,
            Err(error) if html == Html::Home => return Err(error),
            Err(error) => {
                let failed = std::iter::once(Err(PageError::at(url, &error)));
                return Ok(pages_of(url.as_str(), failed).alone());
            }
        };
        match sniff(&answer.bytes) {
            SniffedType::Feed => Ok(self.feed_of(url.as_str(), &answer)?.alone()),
            SniffedType::Sitemap => Ok(self.remote_sitemap(&answer)?.alone()),
            SniffedType::Text | SniffedType::Empty if answer.url.path() == feed::ROBOTS_PATH => {
                let pages = self.robots_sitemaps(&answer.url, &answer.bytes)?;
                let url = url.to_string();
                Ok(pages.ok_or(SourceFault::NamesNoSitemap { url })?.alone())
            }
            SniffedType::Opml => {
                let outlines = feed::parse_opml(&answer.bytes);
                let outlines = outlines.map_err(SourceFault::content(url.as_str()))?;
                let feeds = outlines.into_iter().map(|o| PageSource::Feed(o.xml_url));
                Ok(feeds.collect())
            }
            SniffedType::UrlList => {
                let urls = lines::addresses(&answer.bytes);
                let pages = urls.into_iter().map(|url| Ok(PageRef::web(url)));
                Ok(pages_of(url.as_str(), pages).alone())
            }
            SniffedType::Zip => {
                let remedy = "if it is a WACZ, save it and give the file";
                Err(SourceFault::kind(url.as_str(), "a ZIP file", remedy))
            }
            SniffedType::Warc => {
                let remedy = "save it and give the file";
                Err(SourceFault::kind(url.as_str(), "a web archive", remedy))
            }
            SniffedType::Html
                if html == Html::Home || html == Html::Page && answer.url.path() == "/" =>
            {
                Ok(self.discovered(&answer, html)?.alone())
            }
            kind if html == Html::Home => {
                let (url, found) = (url.to_string(), kind.name());
                Err(SourceFault::NotAFeedAt { url, found }.into())
            }
            // A document that is no page is reported as one of the inputs.
            _ => {
                let page = PageRef::of_content(answer.into());
                Ok(pages_of(url.as_str(), std::iter::once(Ok(page))).alone())
            }
        }
    }

    /// Fetches and reads a feed.
    fn remote_feed(&self, url: &Url) -> Result<PageList> {
        let answer = self.web.get(url, RequestKind::Feed)?;
        self.feed_of(url.as_str(), &answer)
    }

    fn feed_of(&self, name: &str, answer: &WebDocument) -> Result<PageList> {
        let content_type = answer.content_type.as_deref();
        let feed = feed::parse(&answer.bytes, Some(&answer.url), content_type)
            .map_err(SourceFault::content(name))?;
        let dir = self.pages.as_deref();
        Ok(self.pages_of_feed(name, Some(answer.url.to_string()), feed, dir))
    }

    /// The feed that a home page names; to learn from, else the sitemaps of its site.
    fn discovered(&self, answer: &WebDocument, html: Html) -> Result<PageList> {
        let home = &answer.url;
        let source = page::Source {
            url: Some(home.as_str()),
            content_type: answer.content_type.as_deref(),
        };
        let page = Page::parse(&answer.bytes, source);
        let candidates = feed::discover(&page);
        let mut last = None;
        for candidate in candidates.iter().take(MAX_TRIES) {
            match self.remote_feed(&candidate.url) {
                Ok(opened) => {
                    let (home, feed) = (home.clone(), candidate.url.clone());
                    self.warn(SourceWarning::FeedFound { home, feed });
                    return Ok(opened);
                }
                Err(error) => last = Some(error),
            }
        }
        if html == Html::Home
            && last.is_none()
            && home.path() == "/"
            && let Some(pages) = self.sitemaps_of_home(home)?
        {
            return Ok(pages);
        }
        let url = home.to_string();
        Err(match last {
            Some(source) => SourceFault::NamedFeed { url, source },
            None => {
                let description = description(&page);
                SourceFault::NamesNoFeed { url, description }
            }
        }
        .into())
    }
}

/// A description of a page that is no feed.
fn description(page: &Page) -> String {
    let found = one_page(page, &Options::default());
    let what = match (found.status, found.error) {
        (Status::Ok, _) => {
            let words = counted(word_count(&found.text), "word", "words");
            format!("a page with {words} of text")
        }
        (_, Some(why)) => format!("a page without an article ({why})"),
        _ => "a page without an article".to_owned(),
    };
    match found.title.filter(|title| !title.is_empty()) {
        Some(title) => format!("{what}, “{title}”"),
        None => what,
    }
}
