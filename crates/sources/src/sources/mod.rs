//! From a word that names pages to the pages, one by one, and work on them.
//!
//! Takes a word (a file, a folder, an address, `-` for stdin); gives [`PageList`]s, whose
//! [`PageRef`]s give the location of each page, and by [`load`] its bytes. A source is a page, a
//! folder of pages, a feed, a sitemap, a list of addresses, an OPML file, a WARC, ARC or WACZ, JSON lines or
//! Parquet; its kind is recognised by its beginning. Pages are read when they are asked for, each
//! of a bounded size: a source of any length takes bounded memory.
//!
//! The stage reads files and prints nothing: what should be known is a [`SourceWarning`]. It does
//! not dial: what fetches is a [`DocumentFetcher`] of its caller. A page that cannot be read is a
//! [`PageError`] in its place, and the next one follows.
//!
//! - `handle`: [`Sources`], and the pages of a feed.
//! - `open`: from a word to its pages; `address`: words that are addresses.
//! - `remote`: the document at an address; `web`: the boundary to what fetches it.
//! - `sitemap`: the pages of sitemaps; `scope`: how much of them is taken.
//! - `documents`: documents of any kind, for `text` and `filter`.
//! - `pages`: pages, and the reasons why they cannot be read; `load`: their bytes; `saved`: pages that a
//!   browser saved.
//! - `file`: files and pipes of limited size, gzip undone; `name`: their kind by their name.
//! - `folder`: folders of pages, and the pages of a local feed; `walk`: all folders below one;
//!   `sidecar`: the `.json` beside a page.
//! - `each`: work on pages, [`Sources::for_each_page`].
//! - `further`: further pages of articles.
//! - `lines`: lists of addresses, JSON lines.
//! - `archive`: web archives; `columns`: pages in Parquet; `crawl`: files of a crawl.

mod address;
mod archive;
#[cfg(feature = "parquet")]
mod columns;
mod crawl;
mod documents;
mod each;
mod file;
mod folder;
mod further;
mod handle;
mod lines;
mod load;
mod name;
mod open;
mod pages;
mod remote;
mod saved;
mod scope;
mod sidecar;
mod sitemap;
mod walk;
mod warning;
mod web;

pub use address::address;
pub use archive::{NamedReader, open_records, warc_files};
pub use file::{is_open_already, read_file};
pub use further::FurtherFinder;
pub use handle::Sources;
pub use load::{FoundPart, LoadedPage, load, load_document};
pub use name::is_page;
pub use pages::{
    FoundPage, PageContent, PageError, PageList, PageLocation, PageRef, PageRefs, PageSource,
};
pub use remote::Html;
pub use scope::SitemapScope;
pub use sidecar::gold_of;
pub use warning::SourceWarning;
pub use web::{DocumentFetcher, RequestKind, WebDocument};
