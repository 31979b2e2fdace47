//! The reasons why a source gives no pages, with the remedy.

use super::Error;
use forest_html::error::{ErrorClass, megabytes};
use std::io;
use std::path::PathBuf;

/// A source that cannot be read. `name` is the typed word, or names a file in it.
#[derive(Debug, thiserror::Error)]
pub enum SourceFault {
    /// Nothing is in it.
    #[error("{name}: this is empty")]
    Empty { name: String },
    /// It is of a kind that is not read in its place.
    #[error("{name}: this is {found}: {remedy}")]
    Kind {
        name: String,
        found: &'static str,
        remedy: &'static str,
    },
    /// A file that should be a web archive.
    #[error("{name}: this is {found}, not a WARC, an ARC or a WACZ: give such files")]
    NotAWarcFile { name: String, found: &'static str },
    /// A document that should be a feed, or lead to one.
    #[error(
        "{url}: this is {found}, not a feed: give the address of the site's feed, or of its home page"
    )]
    NotAFeedAt { url: String, found: &'static str },
    /// A page that should be a home page.
    #[error(
        "{url}: this is {description}, and it names no feed: give the feed's address, or that of \
         the site's home page, or a folder or list of pages; if it lists articles, \
         `forest learn --list {url}` learns that list"
    )]
    NamesNoFeed { url: String, description: String },
    /// A robots.txt without a sitemap of its own site.
    #[error("{url}: this robots.txt names no sitemap of its site: give the sitemap's address")]
    NamesNoSitemap { url: String },
    /// MHTML without a page.
    #[error(
        "there is no HTML page in this MHTML, or it is cut off: save the page again, or give its HTML"
    )]
    NoPageInMhtml,
    /// A sitemap that leads to another host.
    #[error("{url} is of another host, or leads to one: a sitemap names its own site alone")]
    OtherHost { url: String },
    /// A home page, of whose feeds none can be read.
    #[error("{url}: no feed that it names can be read: {source}")]
    NamedFeed { url: String, source: Error },
    /// A list of feeds where pages are needed; `name` has the option before it.
    #[error("{name}: give pages, not a list of feeds")]
    ListOfFeeds { name: String },
    /// Its content is no feed, no list, no archive.
    #[error("{name}: {source}")]
    Content { name: String, source: Error },
    /// It is over the limit, decompressed.
    #[error(
        "{name} is larger than the limit of {}: give a smaller copy of it, or a higher limit with \
         --max-page-bytes",
        megabytes(*limit)
    )]
    Large { name: String, limit: usize },
    /// A folder that cannot be read.
    #[error("cannot read the folder {}: {source}", path.display())]
    Folder { path: PathBuf, source: io::Error },
    /// Neither a file nor a folder.
    #[error("{typed}: no such file or folder (an address begins with https://): {source}")]
    Missing { typed: String, source: io::Error },
    /// An address of another scheme.
    #[error("{typed}: only http:// and https:// addresses are fetched: {source}")]
    Scheme { typed: String, source: io::Error },
    /// An address that is none.
    #[error("{typed}: no address ({source}): one is https://example.org/feed")]
    Address {
        typed: String,
        source: url::ParseError,
    },
    /// An address without a host.
    #[error("{typed}: this address has no host: one is https://example.org/feed")]
    Hostless { typed: String },
    /// An address of a reserved host, of which no page is beside its feed.
    #[error("no page in the folder has this address, and its host is no real one")]
    Nowhere,
    /// A page that is not fetched.
    #[error("not fetched")]
    NotFetched,
    /// A file of columns that is broken.
    #[cfg(feature = "parquet")]
    #[error("{name}: {source}")]
    Columns {
        name: String,
        source: parquet::errors::ParquetError,
    },
    /// A file of columns without one that is needed.
    #[cfg(feature = "parquet")]
    #[error("{name}: there is no column `{column}`: the columns `url` and `html` are read")]
    NoColumn { name: String, column: &'static str },
    /// A column of numbers, lists or structures.
    #[cfg(feature = "parquet")]
    #[error("{name}: the column `{column}` holds neither strings nor bytes")]
    ColumnType { name: String, column: &'static str },
    /// A program that reads no columns.
    #[cfg(not(feature = "parquet"))]
    #[error(
        "{}: this forest was built without Parquet; build it with --features parquet",
        path.display()
    )]
    NoParquet { path: PathBuf },
    /// The system gives no threads.
    #[error("cannot start threads: {source}: try --jobs 1")]
    Threads { source: io::Error },
}

impl SourceFault {
    /// The error of a source whose kind is not read in its place.
    pub fn kind(name: &str, found: &'static str, remedy: &'static str) -> Error {
        let name = name.to_owned();
        SourceFault::Kind {
            name,
            found,
            remedy,
        }
        .into()
    }

    /// The error of a source whose content cannot be used.
    pub fn content<E: Into<Error>>(name: &str) -> impl FnOnce(E) -> Error + use<'_, E> {
        move |source| {
            let source = source.into();
            let name = name.to_owned();
            SourceFault::Content { name, source }.into()
        }
    }

    /// The broad class.
    pub(super) fn class(&self) -> ErrorClass {
        match self {
            SourceFault::Folder { .. } | SourceFault::Threads { .. } => ErrorClass::File,
            SourceFault::NamedFeed { source, .. } | SourceFault::Content { source, .. } => {
                source.class()
            }
            _ => ErrorClass::Input,
        }
    }
}

impl From<SourceFault> for Error {
    fn from(fault: SourceFault) -> Error {
        super::ErrorKind::Source(fault).into()
    }
}
