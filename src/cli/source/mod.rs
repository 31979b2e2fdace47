//! SOURCE: from a word of the command line to pages.
//!
//! [`Sources::open`] looks at a source and gives its [`PageList`]s; their [`PageRef`]s give
//! the location of each page. [`Sources::fetch`] and [`load`] read the pages.
//!
//! - `address`: typed addresses.
//! - `file`: files and pipes of limited size, gzip undone.
//! - `name`: the kind of a file by its name.
//! - `walk`: the pages in a folder and in all folders below it.
//! - `folder`: folders of pages, and the pages of a local feed.
//! - `items`: addresses and items of pages.
//! - `lines`: lists of addresses, JSON lines.
//! - `archive`: web archives.
//! - `columns`: pages in Parquet.
//! - `crawl`: files of a crawl: web archives, columns.
//! - `documents`: documents of any kind, for `text` and `filter`.
//! - `load`: bytes of pages.
//! - `remote`: the document at an address.

mod address;
mod archive;
#[cfg(feature = "parquet")]
mod columns;
mod crawl;
mod documents;
mod file;
mod folder;
mod lines;
mod load;
mod name;
mod remote;
mod walk;

pub use address::{address, metadata};
#[cfg(feature = "archive")]
pub use address::{feed_address, feed_url};
#[cfg(feature = "archive")]
pub use archive::{NamedReader, NamedReaders, wacz_files};
pub use file::{InputStream, read as file_bytes};
pub use folder::{LocalPages, gold_of, page_of};
pub use load::{LoadedPage, load};
pub use name::is_page;

use super::Global;
use super::net::{NetArgs, Network};
use anyhow::{Context, bail};
use forest_core::feed::{self, FeedItem, SniffedType};
use forest_html::error::counted;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
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
    Content(Box<PageContent>),
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

/// Pages one by one.
pub type PageRefs = Box<dyn Iterator<Item = Result<PageRef, PageError>> + Send>;

/// The pages of a source.
pub struct PageList {
    /// The typed word, or the address of the feed that it led to.
    pub name: String,
    /// The feed whose items the pages are: they are one site's.
    pub feed: Option<String>,
    /// The pages are those of the feed, and not others in its folder.
    pub by_feed: bool,
    pub pages: PageRefs,
}

/// A part of a source.
pub enum PageSource {
    Open(PageList),
    /// A feed in a list of feeds, not fetched yet.
    Feed(Url),
}

impl PageSource {
    /// Opens it; fetches a feed.
    pub fn open(self, sources: &Sources<'_>) -> anyhow::Result<PageList> {
        match self {
            PageSource::Open(list) => Ok(list),
            PageSource::Feed(url) => sources.remote_feed(&url),
        }
    }
}

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

/// Options for reading sources.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct SourceArgs {
    /// Read the pages of a local feed file from this folder [default: the feed's folder].
    #[arg(long, value_name = "DIR")]
    pages: Option<PathBuf>,
}

/// Opens sources and loads their pages.
pub struct Sources<'a> {
    args: SourceArgs,
    network: Network<'a>,
    /// Bytes of a page at the most.
    page_limit: usize,
    global: &'a Global,
}

impl<'a> Sources<'a> {
    pub fn new(args: SourceArgs, net: NetArgs, global: &'a Global) -> anyhow::Result<Sources<'a>> {
        if let Some(dir) = &args.pages
            && !dir.is_dir()
        {
            bail!("--pages {}: there is no such folder", dir.display());
        }
        Ok(Sources {
            args,
            page_limit: net.page_limit(global),
            network: Network::new(net, global),
            global,
        })
    }

    /// Sends these headers with what is fetched from the host of `url`.
    pub fn send_to(&self, url: &Url, headers: &BTreeMap<String, String>) -> anyhow::Result<()> {
        self.network.send_to(url, headers)
    }

    /// Allows the host of an address that is the user's own, as those that are typed.
    pub fn allow(&self, url: &Url) -> anyhow::Result<()> {
        self.network.allow(url)
    }

    /// Opens the source that the user typed.
    pub fn open(&self, typed: &str, html: Html) -> anyhow::Result<Vec<PageSource>> {
        if typed == "-" {
            let input = InputStream::stdin()?;
            // Empty input of a filter gives empty output.
            return match input.kind() {
                SniffedType::Empty => one(pages_of(typed, std::iter::empty())),
                _ => self.open_input(input, "stdin"),
            };
        }
        if let Some(url) = self.address(typed) {
            return self.open_url(&url, html);
        }
        let path = Path::new(typed);
        if metadata(path)?.is_dir() {
            return one(self.open_folder(path, typed)?);
        }
        self.open_input(InputStream::open(path)?, typed)
    }

    /// The pages of a source that is no list of feeds.
    ///
    /// # Errors
    ///
    /// If it is one: the message begins with `option`, the option that names the source.
    pub fn open_pages(&self, typed: &str, option: &str) -> anyhow::Result<Vec<PageList>> {
        let lists = self.open(typed, Html::Page)?.into_iter();
        lists
            .map(|source| match source {
                PageSource::Open(list) => Ok(list),
                PageSource::Feed(_) => {
                    bail!("{option}{typed}: give pages, not a list of feeds")
                }
            })
            .collect()
    }

    /// Bytes of a page at the most.
    pub fn page_limit(&self) -> usize {
        self.page_limit
    }

    /// The document at an address that the user typed.
    pub fn page_at(&self, url: Url) -> anyhow::Result<PageRef> {
        self.network.allow(&url)?;
        Ok(PageRef::web(url))
    }

    fn open_folder(&self, dir: &Path, typed: &str) -> anyhow::Result<PageList> {
        let walk = folder::walk(dir)?;
        if walk.pages.is_empty() {
            self.global.warn(format_args!(
                "{typed}: no pages in this folder, nor below: it should hold <page>.html or \
                 <site>/<page>.html, or the same with .gz"
            ));
        }
        if walk.too_deep > 0 {
            self.global.warn(format_args!(
                "{typed}: left out: {}, more than {} levels down: give what is there by name",
                counted(walk.too_deep, "folder", "folders"),
                walk::MAX_DEPTH
            ));
        }
        if walk.not_looked_at > 0 {
            self.global.warn(format_args!(
                "{typed}: left out: {} whose names do not end in .html, .htm or .xhtml, as {} \
                 others were no pages: give those that are pages by name",
                counted(walk.not_looked_at, "file", "files"),
                walk::MAX_VAIN
            ));
        }
        let mut feeds = folder::FolderFeeds::in_folder(dir, self.global);
        let feed = dir.join(folder::FEED);
        let feed = feed.is_file().then(|| shown(&feed));
        let found = folder::pages(dir, walk.pages);
        let found = found.map(move |page| Ok(feeds.page_ref(page)));
        let unread = walk.unread.into_iter();
        let found = found.chain(unread.map(|(dir, error)| Err(folder::unread(&dir, &error))));
        Ok(PageList {
            feed,
            ..pages_of(typed, found)
        })
    }

    /// Opens a file, a pipe or stdin. The pages of a file are read when they are needed,
    /// those of a pipe are kept in memory.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or holds no pages.
    pub fn open_input(&self, input: InputStream, typed: &str) -> anyhow::Result<Vec<PageSource>> {
        let path = Path::new(typed);
        let file = input.file().map(Path::to_owned);
        let file = file.as_deref();
        match input.kind() {
            SniffedType::Feed => one(self.local_feed(input, typed, file)?),
            SniffedType::Opml => {
                let bytes = input.whole(feed::MAX_FEED_BYTES)?;
                let outlines = feed::parse_opml(&bytes).with_context(|| typed.to_owned())?;
                if outlines.is_empty() {
                    self.global.warn(format_args!(
                        "{typed}: the OPML lists no feeds: it needs outlines with xmlUrl"
                    ));
                }
                for outline in &outlines {
                    self.network.allow(&outline.xml_url)?;
                }
                let feeds = outlines.into_iter().map(|o| PageSource::Feed(o.xml_url));
                Ok(feeds.collect())
            }
            SniffedType::UrlList => {
                let bytes = input.whole(feed::MAX_FEED_BYTES)?;
                let urls = lines::addresses(&bytes);
                for url in &urls {
                    self.network.allow(url)?;
                }
                one(pages_of(typed, urls.into_iter().map(web)))
            }
            SniffedType::Zip => match file {
                Some(file) => {
                    let pages = archive::wacz_pages(typed, file, self.page_limit)?;
                    one(pages_of(typed, pages))
                }
                None => bail!(
                    "{typed}: this is a ZIP file, whose list stands at its end: if it is a WACZ, \
                     save it and give the file"
                ),
            },
            SniffedType::Warc => {
                let pages = archive::pages(typed, input, self.page_limit)?;
                one(pages_of(typed, pages))
            }
            // Of a file the name says it, what comes through a pipe says it itself.
            SniffedType::Json if file.map_or_else(|| input.has_lines(), is_json_lines) => {
                let input = Box::new(input.all());
                let pages = lines::json_lines(typed, input, self.page_limit);
                one(pages_of(typed, pages))
            }
            // A file with the name of a page is read as one, and may give an error then.
            kind if kind == SniffedType::Html || is_page(path) => {
                let page = match file {
                    Some(file) => folder::page_of(file),
                    None => PageRef::of_bytes(typed, input.whole(self.page_limit)?),
                };
                one(pages_of(typed, std::iter::once(Ok(page))))
            }
            SniffedType::Empty => bail!("{typed}: this is empty"),
            other => bail!(
                "{typed}: this is {}: give a feed, an HTML page, a folder of pages, a list of \
                 addresses (one a line), an OPML file, a WARC, a WACZ or JSON lines {{\"url\": ..., \
                 \"html\": ...}}",
                other.name()
            ),
        }
    }

    /// The pages of a feed in a file, which may be beside it, or from a pipe.
    fn local_feed(
        &self,
        input: InputStream,
        typed: &str,
        file: Option<&Path>,
    ) -> anyhow::Result<PageList> {
        let bytes = input.whole(feed::MAX_FEED_BYTES)?;
        let feed = feed::parse(&bytes, None, None).with_context(|| typed.to_owned())?;
        let own = file.map(|file| file.parent().unwrap_or(Path::new("")));
        let dir = self.args.pages.as_deref().or(own);
        Ok(self.of_feed(typed, file.map(shown), feed, dir))
    }

    /// The pages of a feed; a feed from a pipe has no address.
    fn of_feed(
        &self,
        name: &str,
        address: Option<String>,
        feed: feed::Feed,
        dir: Option<&Path>,
    ) -> PageList {
        for warning in &feed.warnings {
            self.global.warn(format_args!("{name}: {warning}"));
        }
        if feed.items.is_empty() {
            let remedy = "give another feed, or a folder or list of pages";
            self.global
                .warn(format_args!("{name}: the feed has no items: {remedy}"));
        }
        let local = dir.map(folder::LocalPages::of);
        let pages = folder::pages_of_feed(feed, local).into_iter();
        PageList {
            feed: address,
            by_feed: true,
            ..pages_of(name, pages)
        }
    }
}

fn one(opened: PageList) -> anyhow::Result<Vec<PageSource>> {
    Ok(vec![PageSource::Open(opened)])
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

fn web(url: Url) -> Result<PageRef, PageError> {
    Ok(PageRef::web(url))
}

/// Pages without a feed.
fn pages_of(
    name: &str,
    pages: impl Iterator<Item = Result<PageRef, PageError>> + Send + 'static,
) -> PageList {
    PageList {
        name: name.to_owned(),
        feed: None,
        by_feed: false,
        pages: Box::new(pages),
    }
}
