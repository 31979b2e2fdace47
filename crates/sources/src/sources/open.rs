//! From a typed word to the pages that it names.

use super::address::metadata;
use super::file::InputStream;
use super::handle::Sources;
use super::name::is_page;
use super::pages::{PageList, PageRef, PageSource, pages_of};
use super::remote::Html;
use super::warning::SourceWarning;
use super::{archive, folder, lines, saved};
use crate::error::{Result, SourceFault};
use forest_core::feed::{self, SniffedType};
use std::path::Path;
use url::Url;

impl Sources {
    /// Opens the source that the user typed.
    pub fn open(&self, typed: &str, html: Html) -> Result<Vec<PageSource>> {
        if typed == "-" {
            let input = InputStream::stdin()?;
            // Empty input of a filter gives empty output.
            return match input.kind() {
                SniffedType::Empty => Ok(pages_of(typed, std::iter::empty()).alone()),
                _ => self.open_input(input, "stdin"),
            };
        }
        if let Some(url) = self.address(typed) {
            return self.open_url(&url, html);
        }
        let path = Path::new(typed);
        if metadata(path)?.is_dir() {
            return Ok(self.open_folder(path, typed)?.alone());
        }
        self.open_input(InputStream::open(path)?, typed)
    }

    /// The pages of a source that is no list of feeds.
    ///
    /// # Errors
    ///
    /// If it is one: the message begins with `option`, the option that names the source.
    pub fn open_pages(&self, typed: &str, option: &str) -> Result<Vec<PageList>> {
        let lists = self.open(typed, Html::Page)?.into_iter();
        lists
            .map(|source| match source {
                PageSource::Open(list) => Ok(list),
                PageSource::Feed(_) => {
                    let name = format!("{option}{typed}");
                    Err(SourceFault::ListOfFeeds { name }.into())
                }
            })
            .collect()
    }

    /// Bytes of a page at the most.
    pub fn page_limit(&self) -> usize {
        self.page_limit
    }

    /// The document at an address that the user typed.
    ///
    /// # Errors
    ///
    /// If the network cannot be used.
    pub fn page_at(&self, url: Url) -> Result<PageRef> {
        self.web.allow(&url)?;
        Ok(PageRef::web(url))
    }

    fn open_folder(&self, dir: &Path, typed: &str) -> Result<PageList> {
        let walk = folder::walk(dir)?;
        if walk.pages.is_empty() {
            let typed = typed.to_owned();
            self.warn(SourceWarning::NoPages { typed });
        }
        if walk.too_deep > 0 {
            let (typed, folders) = (typed.to_owned(), walk.too_deep);
            self.warn(SourceWarning::TooDeep { typed, folders });
        }
        if walk.not_looked_at > 0 {
            let (typed, files) = (typed.to_owned(), walk.not_looked_at);
            self.warn(SourceWarning::NotTested { typed, files });
        }
        let mut feeds = folder::FolderFeeds::in_folder(dir, &self.warn);
        let feed = dir.join(folder::FEED);
        let feed = feed.is_file().then(|| shown(&feed));
        let found = folder::pages(dir, walk.pages);
        let found = found.map(move |page| Ok(feeds.page_ref(page)));
        let unread = walk.unread.into_iter();
        let found = found.chain(unread.map(|(dir, error)| Err(folder::unread(&dir, error))));
        Ok(PageList {
            feed,
            ..pages_of(typed, found)
        })
    }

    /// The feeds of an OPML list.
    fn listed_feeds(&self, input: InputStream, typed: &str) -> Result<Vec<PageSource>> {
        let bytes = input.whole(feed::MAX_FEED_BYTES)?;
        let outlines = feed::parse_opml(&bytes).map_err(SourceFault::content(typed))?;
        if outlines.is_empty() {
            let typed = typed.to_owned();
            self.warn(SourceWarning::NoFeeds { typed });
        }
        for outline in &outlines {
            self.web.allow(&outline.xml_url)?;
        }
        let feeds = outlines.into_iter().map(|o| PageSource::Feed(o.xml_url));
        Ok(feeds.collect())
    }

    /// Opens a file, a pipe or stdin. The pages of a file are read when they are needed,
    /// those of a pipe are kept in memory.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or holds no pages.
    pub fn open_input(&self, input: InputStream, typed: &str) -> Result<Vec<PageSource>> {
        let path = Path::new(typed);
        let file = input.file().map(Path::to_owned);
        let file = file.as_deref();
        match input.kind() {
            SniffedType::Feed => Ok(self.local_feed(input, typed, file)?.alone()),
            SniffedType::Sitemap => {
                let bytes = input.whole(feed::MAX_SITEMAP_BYTES)?;
                Ok(self.local_sitemap(&bytes, typed, file)?.alone())
            }
            SniffedType::Opml => self.listed_feeds(input, typed),
            SniffedType::UrlList => {
                let bytes = input.whole(feed::MAX_FEED_BYTES)?;
                let urls = lines::addresses(&bytes);
                for url in &urls {
                    self.web.allow(url)?;
                }
                Ok(pages_of(typed, urls.into_iter().map(|url| Ok(PageRef::web(url)))).alone())
            }
            SniffedType::Zip => match file {
                Some(file) => {
                    let pages = archive::wacz_pages(typed, file, self.page_limit, &self.warn)?;
                    Ok(pages_of(typed, pages).alone())
                }
                None => Err(SourceFault::kind(
                    typed,
                    "a ZIP file, whose list stands at its end",
                    "if it is a WACZ, save it and give the file",
                )),
            },
            SniffedType::Warc => {
                let pages = archive::pages(typed, input, self.page_limit, &self.warn)?;
                Ok(pages_of(typed, pages).alone())
            }
            // Of a file the name says it, what comes through a pipe says it itself.
            SniffedType::Json if file.map_or_else(|| input.has_lines(), is_json_lines) => {
                let input = Box::new(input.all());
                let pages = lines::json_lines(typed, input, self.page_limit);
                Ok(pages_of(typed, pages).alone())
            }
            // A file with the name of a page is read as one, and may give an error then.
            kind if matches!(kind, SniffedType::Html | SniffedType::Mhtml) || is_page(path) => {
                let page = match file {
                    Some(file) => folder::page_of(file),
                    None => {
                        let limit = if kind == SniffedType::Mhtml {
                            saved::with_pictures(self.page_limit)
                        } else {
                            self.page_limit
                        };
                        PageRef::of_bytes(typed, input.whole(limit)?)
                    }
                };
                Ok(pages_of(typed, std::iter::once(Ok(page))).alone())
            }
            SniffedType::Empty => {
                let name = typed.to_owned();
                Err(SourceFault::Empty { name }.into())
            }
            other => Err(SourceFault::kind(
                typed,
                other.name(),
                "give a feed, a sitemap, an HTML page, a folder of pages, a list of addresses (one a line), \
                 an OPML file, a WARC, an ARC, a WACZ or JSON lines {\"url\": ..., \"html\": ...}",
            )),
        }
    }

    /// The pages of a feed in a file, which may be beside it, or from a pipe.
    fn local_feed(&self, input: InputStream, typed: &str, file: Option<&Path>) -> Result<PageList> {
        let bytes = input.whole(feed::MAX_FEED_BYTES)?;
        let feed = feed::parse(&bytes, None, None).map_err(SourceFault::content(typed))?;
        let own = file.map(|file| file.parent().unwrap_or(Path::new("")));
        let dir = self.pages.as_deref().or(own);
        Ok(self.pages_of_feed(typed, file.map(shown), feed, dir))
    }
}

/// Returns true if a file is named as JSON with a page a line.
fn is_json_lines(file: &Path) -> bool {
    file.extension().is_some_and(|end| end == "jsonl")
}

/// A path as it is stored: without a leading `./`.
fn shown(path: &Path) -> String {
    let path = path.strip_prefix(".").unwrap_or(path);
    path.display().to_string()
}
