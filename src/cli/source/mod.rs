//! SOURCE: where pages come from. What a person types, to pages one by one.
//!
//! [`Sources::open`] says what a source is, by looking at it, and gives
//! [`Opened`] sources whose [`Lead`]s say where each page is to be had;
//! [`load`](Sources::load) reads or fetches them.
//!
//! - `address`: addresses that are typed.
//! - `file`: files and pipes of limited size, gzip undone.
//! - `name`: what the name of a file says of it.
//! - `walk`: the pages in a folder and in all folders below it.
//! - `folder`: folders of pages, and the pages of a local feed.
//! - `items`: feed items to leads.
//! - `lines`: lists of addresses, JSON lines.
//! - `archive`: web archives.
//! - `remote`: what stands behind an address.

mod address;
mod archive;
mod file;
mod folder;
mod items;
mod lines;
mod load;
mod name;
mod remote;
mod walk;

pub use address::{address, there};
#[cfg(all(feature = "archive", feature = "net"))]
pub use archive::{Named, wacz_files};
pub use file::{Input, read as file_bytes, read_all};
pub use folder::{LocalPages, gold_of, page_of};
pub use load::{Loaded, load};
pub use name::is_page;

use super::Global;
use super::net::{NetArgs, Network};
use anyhow::{Context, bail};
use forest::error::counted;
use forest::feed::{self, FeedItem, SniffedType};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use url::Url;

/// Where a page is to be had, and what is known of it.
#[derive(Debug)]
pub struct Lead {
    /// `<folder>/<stem>`, with all folders below the one that was typed; without, the
    /// page's final address.
    pub id: Option<String>,
    /// The folder's name, which may be a site's. Where folders are in the folder that
    /// was typed, it is the one directly in that, on the way to the page; see
    /// `folder::site_folder`.
    pub folder: Option<String>,
    /// What a feed says of it.
    pub item: Option<FeedItem>,
    /// Where it is.
    pub place: Place,
}

/// Where a page is.
#[derive(Debug)]
pub enum Place {
    /// In a file.
    File(PathBuf),
    /// On the web.
    Web(Url),
    /// At hand.
    Here(Box<Here>),
}

/// A page at hand.
#[derive(Debug, Default)]
pub struct Here {
    pub url: Option<String>,
    pub bytes: Vec<u8>,
    pub content_type: Option<String>,
    /// When it was fetched, RFC 3339.
    pub date: Option<String>,
    /// Where further pages of its article are.
    pub beside: Beside,
}

/// Where further pages of a page's article are looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Beside {
    /// Among the pages that are read together with it.
    #[default]
    Read,
    /// In its folder.
    Folder(PathBuf),
    /// On the web.
    Web,
}

/// A page that cannot be had.
#[derive(Debug)]
pub struct Trouble {
    /// Its id, as far as it is known.
    pub id: String,
    /// Its address, if it has one.
    pub url: Option<String>,
    /// Why, and what to do.
    pub reason: String,
}

/// Pages one by one.
pub type Leads = Box<dyn Iterator<Item = Result<Lead, Trouble>> + Send>;

/// A source that is known and open.
pub struct Opened {
    /// What was typed, or the address of the feed that it led to.
    pub name: String,
    /// The feed whose items the pages are: they are one site's.
    pub feed: Option<String>,
    /// The pages are those of the feed, and not what else is in its folder.
    pub by_feed: bool,
    pub leads: Leads,
}

/// A source as far as it can be known without its network.
pub enum Source {
    Opened(Opened),
    /// A feed from a list of feeds.
    Feed(Url),
}

/// What an address of an HTML page stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Html {
    /// The page itself, unless it is a home page (its path is `/`).
    Page,
    /// The pages of the feed that it names.
    Home,
}

/// Options for reading sources.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct SourceArgs {
    /// Where the pages of a local feed file are [default: in the feed's folder].
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

    /// Says what `typed` is and opens it.
    pub fn open(&self, typed: &str, html: Html) -> anyhow::Result<Vec<Source>> {
        if typed == "-" {
            let input = Input::stdin()?;
            // A filter that is given nothing has nothing to do.
            return match input.kind() {
                SniffedType::Empty => one(pages(typed, Box::new(std::iter::empty()))),
                _ => self.open_input(input, "stdin"),
            };
        }
        if let Some(url) = self.address(typed) {
            return self.open_url(&url, html);
        }
        let path = Path::new(typed);
        if there(path)?.is_dir() {
            return one(self.open_folder(path, typed)?);
        }
        self.open_input(Input::open(path)?, typed)
    }

    /// Opens a feed of a list.
    pub fn open_feed(&self, url: &Url) -> anyhow::Result<Opened> {
        self.remote_feed(url)
    }

    /// Bytes of a page at the most.
    pub fn page_limit(&self) -> usize {
        self.page_limit
    }

    /// The page at an address that the user typed, whatever it is.
    pub fn page_at(&self, url: Url) -> anyhow::Result<Lead> {
        self.network.allow(&url)?;
        Ok(lead_to(url))
    }

    fn open_folder(&self, dir: &Path, typed: &str) -> anyhow::Result<Opened> {
        let pages = folder::pages(dir)?;
        if pages.found.is_empty() {
            self.global.warn(format_args!(
                "{typed}: no pages in this folder, nor below: it should hold <page>.html or \
                 <site>/<page>.html, or the same with .gz"
            ));
        }
        if pages.too_deep > 0 {
            self.global.warn(format_args!(
                "{typed}: left out: {}, more than {} levels down: give what is there by name",
                counted(pages.too_deep, "folder", "folders"),
                walk::MAX_DEPTH
            ));
        }
        if pages.not_looked_at > 0 {
            self.global.warn(format_args!(
                "{typed}: left out: {} whose names do not end in .html, .htm or .xhtml, as {} \
                 others were no pages: give those that are pages by name",
                counted(pages.not_looked_at, "file", "files"),
                walk::MAX_VAIN
            ));
        }
        let mut feeds = folder::Feeds::in_folder(dir, self.global);
        let feed = dir.join(folder::FEED);
        let feed = feed.is_file().then(|| shown(&feed));
        let leads = pages
            .found
            .into_iter()
            .map(move |page| Ok(feeds.lead(page)));
        let leads = leads.chain(pages.unread.into_iter().map(Err));
        Ok(Opened {
            name: typed.to_owned(),
            feed,
            by_feed: false,
            leads: Box::new(leads),
        })
    }

    /// Opens what the user typed the name of, if it is no folder. The pages of a
    /// lasting file stay there; what comes from a pipe is kept.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or holds no pages.
    pub fn open_input(&self, input: Input, typed: &str) -> anyhow::Result<Vec<Source>> {
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
                let feeds = outlines.into_iter().map(|o| Source::Feed(o.xml_url));
                Ok(feeds.collect())
            }
            SniffedType::UrlList => {
                let bytes = input.whole(feed::MAX_FEED_BYTES)?;
                let urls = lines::addresses(&bytes);
                for url in &urls {
                    self.network.allow(url)?;
                }
                one(pages(typed, Box::new(urls.into_iter().map(web))))
            }
            SniffedType::Zip => match file {
                Some(file) => one(pages(
                    typed,
                    archive::wacz_pages(typed, file, self.page_limit)?,
                )),
                None => bail!(
                    "{typed}: this is a ZIP file, whose list stands at its end: if it is a WACZ, \
                     save it and give the file"
                ),
            },
            SniffedType::Warc => one(pages(typed, archive::pages(typed, input, self.page_limit)?)),
            // Of a file the name says it, what comes through a pipe says it itself.
            SniffedType::Json if file.map_or_else(|| input.has_lines(), is_json_lines) => {
                let input = Box::new(input.all());
                one(pages(
                    typed,
                    lines::json_lines(typed, input, self.page_limit),
                ))
            }
            // A page's file is taken at its word: it will say itself what it is.
            kind if kind == SniffedType::Html || is_page(path) => one(pages(
                typed,
                single(match file {
                    Some(file) => folder::page_of(file),
                    None => Lead::of_bytes(typed, input.whole(self.page_limit)?),
                }),
            )),
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
    fn local_feed(&self, input: Input, typed: &str, file: Option<&Path>) -> anyhow::Result<Opened> {
        let bytes = input.whole(feed::MAX_FEED_BYTES)?;
        let feed = feed::parse(&bytes, None, None).with_context(|| typed.to_owned())?;
        let own = file.map(|file| file.parent().unwrap_or(Path::new("")));
        let dir = self.args.pages.as_deref().or(own);
        Ok(self.of_feed(typed, file.map(shown), feed, dir))
    }

    /// The pages of a feed; what came from a pipe has no address.
    fn of_feed(
        &self,
        name: &str,
        address: Option<String>,
        feed: feed::Feed,
        dir: Option<&Path>,
    ) -> Opened {
        for warning in &feed.warnings {
            self.global.warn(format_args!("{name}: {warning}"));
        }
        if feed.items.is_empty() {
            let remedy = "give another feed, or a folder or list of pages";
            self.global
                .warn(format_args!("{name}: the feed has no items: {remedy}"));
        }
        let local = dir.map(folder::LocalPages::of);
        let leads = items::leads(feed, local);
        Opened {
            name: name.to_owned(),
            feed: address,
            by_feed: true,
            leads: Box::new(leads.into_iter().map(Ok)),
        }
    }
}

fn one(opened: Opened) -> anyhow::Result<Vec<Source>> {
    Ok(vec![Source::Opened(opened)])
}

/// Whether a file's name says that it holds JSON with a page a line.
fn is_json_lines(file: &Path) -> bool {
    file.extension().is_some_and(|end| end == "jsonl")
}

/// A path as it is written down: without a leading `./`.
fn shown(path: &Path) -> String {
    let path = path.strip_prefix(".").unwrap_or(path);
    path.display().to_string()
}

fn web(url: Url) -> Result<Lead, Trouble> {
    Ok(lead_to(url))
}

fn lead_to(url: Url) -> Lead {
    Lead {
        id: None,
        folder: None,
        item: None,
        place: Place::Web(url),
    }
}

fn single(lead: Lead) -> Leads {
    Box::new(std::iter::once(Ok(lead)))
}

fn pages(name: &str, leads: Leads) -> Opened {
    Opened {
        name: name.to_owned(),
        feed: None,
        by_feed: false,
        leads,
    }
}
