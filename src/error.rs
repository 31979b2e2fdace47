//! The one error type of the crate.
//!
//! [`Error`] is opaque: what went wrong is a private kind, shown by its
//! `Display` with the file, URL or line at fault and, where there is one, the
//! remedy. Callers that must tell errors apart ask [`Error::class`].
//!
//! Results that are no errors (a page that no wrapper matches, a sample that is
//! too small to learn from) are values of the stages that give them, never an
//! `Error`.

#[cfg(feature = "net")]
mod fetch;

#[cfg(feature = "net")]
pub use fetch::{FetchFailure, Why};
pub use forest_html::error::ErrorClass;

use std::path::{Path, PathBuf};

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error: what went wrong, where, and what to do about it.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(#[from] Box<ErrorKind>);

/// The private kinds. A stage that fails in a new way adds its own variant.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ErrorKind {
    /// A file that could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        path: PathBuf,
        source: std::io::Error,
    },
    /// An expression that cannot be compiled.
    #[error("not an XPath 1.0 expression that can be used: {reason}: {expression}")]
    XPath { expression: String, reason: String },
    /// A text that is no wrapper file.
    #[error("not a wrapper file: {reason}")]
    WrapperFile { reason: String },
    /// A file that should be a wrapper and is not.
    #[error("cannot read the wrapper {}: {reason}", path.display())]
    WrapperAt { path: PathBuf, reason: String },
    /// A text that is no rule file of ftr-site-config.
    #[error(
        "not an ftr-site-config file: {reason}; it has lines such as `body: //div[@id='story']`"
    )]
    FtrFile { reason: &'static str },
    /// A text that is no schema of crawl4ai.
    #[error(
        "not a schema of crawl4ai: {reason}; it is an object with `baseSelector` and a list of `fields`"
    )]
    Schema { reason: String },
    /// Expressions that another format cannot express, each with the reason.
    #[error("the wrapper of {site} cannot be expressed in {format}: {}", refused.join("; "))]
    Unsupported {
        site: String,
        format: &'static str,
        refused: Vec<String>,
    },
    /// A text that is no pipeline, and the line at fault, if there is one.
    #[error("not a pipeline: {}{reason}", line.map(|n| format!("line {n}: ")).unwrap_or_default())]
    PipelineFile { line: Option<usize>, reason: String },
    /// A text that is no file of settings, and the line at fault, if there is one.
    #[error(
        "not a file of text settings: {}{reason}; it has lines such as `flatten_lists: false`",
        line.map(|n| format!("line {n}: ")).unwrap_or_default()
    )]
    TextSettings { line: Option<usize>, reason: String },
    /// A text that is no file of filter settings, and the line at fault, if there is one.
    #[error(
        "not a file of filter settings: {}{reason}; it has lines such as `scripts: true`",
        line.map(|n| format!("line {n}: ")).unwrap_or_default()
    )]
    FilterSettings { line: Option<usize>, reason: String },
    /// A text that is no file of floors.
    #[error(
        "not a file of floors: {reason}; `forest eval GOLD --gate FILE --write-floors` makes one"
    )]
    FloorsFile { reason: String },
    /// A file larger than the limit on what it may hold, decompressed.
    #[error("{} is larger than {limit} bytes, decompressed: is it a page?", path.display())]
    TooLarge { path: PathBuf, limit: u64 },
    /// A gold file that is no JSON or has a field of the wrong type.
    #[error("{}: {source}; gold is a JSON object with `text` (or `refs`), see the README", path.display())]
    GoldJson {
        path: PathBuf,
        source: serde_json::Error,
    },
    /// A gold text whose page is not there.
    #[error("{} is gold for a page that is not there: add its .html or .html.gz, or remove it", path.display())]
    GoldWithoutPage { path: PathBuf },
    /// The same page twice, plain and compressed.
    #[error("{} is there with and without .gz: remove one", path.display())]
    PageTwice { path: PathBuf },
    /// A folder that is no collection.
    #[error("no pages in {}: a collection holds <site>/<page>.html or .html.gz", path.display())]
    NoPages { path: PathBuf },
    /// Something else in place of a feed.
    #[error("this is {found}, not a feed: {remedy}")]
    NotAFeed {
        found: &'static str,
        remedy: &'static str,
    },
    /// Something else in place of a list of feeds.
    #[cfg(all(feature = "net", feature = "archive"))]
    #[error("this is {found}, not a list of feeds: give OPML, or a text with an address a line")]
    NotAFeedList { found: &'static str },
    /// A feed that cannot be read even after mending.
    #[error("the feed cannot be read: {source}; check it with a feed validator")]
    FeedSyntax {
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A feed or a list of feeds over the limit.
    #[error(
        "the feed has {bytes} bytes, more than the limit of {limit}: give a feed with fewer items"
    )]
    FeedTooLarge { bytes: usize, limit: usize },
    /// A list of feeds that cannot be read.
    #[error("OPML line {line}: {reason}")]
    Opml { line: usize, reason: &'static str },
    /// A file that is no web archive.
    #[error("this is no WARC file: it must begin with `WARC/`, or with gzip that does")]
    NotAWarc,
    /// A file that is no WACZ, or holds no WARC file.
    #[error("this is no WACZ file: it must be a ZIP file with WARC files below archive/")]
    NotAWacz,
    /// A web archive that could not be read at its beginning.
    #[error("cannot read the WARC: {source}")]
    ReadWarc { source: std::io::Error },
    /// A file or a folder that could not be written.
    #[cfg(feature = "archive")]
    #[error("cannot write {}: {source}", path.display())]
    Write {
        path: PathBuf,
        source: std::io::Error,
    },
    /// The archive's database failed.
    #[cfg(feature = "archive")]
    #[error("the archive's database: {source}")]
    Database { source: rusqlite::Error },
    /// Tables of another version of the program.
    #[cfg(feature = "archive")]
    #[error("{} is of version {found}, which this version of forest does not know: use a newer one", path.display())]
    ArchiveVersion { path: PathBuf, found: i64 },
    /// Tables of an earlier version of the program, where nothing is written.
    #[cfg(feature = "archive")]
    #[error("{} was made by an earlier version of forest: `forest archive verify` brings it up to date", path.display())]
    ArchiveEarlier { path: PathBuf },
    /// A file of an archive that is damaged.
    #[cfg(feature = "archive")]
    #[error("{} is damaged: {reason}; restore it from a backup, or see `forest archive verify --help`", path.display())]
    ArchiveBroken { path: PathBuf, reason: String },
    /// An archive that would have to be written to.
    #[cfg(feature = "archive")]
    #[error(
        "you may not write to {}, and it cannot be read without since its last writer did not end in order: let whoever \
         may write there run `forest archive verify`",
        path.display()
    )]
    ArchiveNotWritable { path: PathBuf },
    /// WARC files without the tables that are made of them.
    #[cfg(feature = "archive")]
    #[error("the database of the archive {} is gone: `forest archive verify` makes it again of the WARC files", path.display())]
    ArchiveWithoutTables { path: PathBuf },
    /// A password, or its hash, that cannot be used.
    #[cfg(feature = "serve")]
    #[error("the password cannot be used: {why}")]
    Password { why: &'static str },
    /// A folder that is not there.
    #[cfg(feature = "archive")]
    #[error("no archive in {}: `forest harvest add FEED` or `forest apply --archive` makes one", path.display())]
    NoArchive { path: PathBuf },
    /// A folder with other things.
    #[cfg(feature = "archive")]
    #[error("{} is no archive and not empty: name another folder", path.display())]
    NotAnArchive { path: PathBuf },
    /// A folder with an archive that a copy would destroy.
    #[cfg(feature = "archive")]
    #[error("{}: {reason}; name another folder for the copy", path.display())]
    NotACopy { path: PathBuf, reason: &'static str },
    /// Another process writes to it.
    #[cfg(feature = "archive")]
    #[error("another forest writes to the archive {}: wait for it, or stop it", path.display())]
    ArchiveLocked { path: PathBuf },
    /// An export cannot be written.
    #[cfg(feature = "archive")]
    #[error("cannot write the export: {source}")]
    Export { source: std::io::Error },
    /// A search index that cannot be read or written.
    #[cfg(feature = "archive")]
    #[error(
        "the search index {}: {source}; is there space, and may you write there? It may be deleted: it is made again from the archive",
        path.display()
    )]
    SearchIndex {
        path: PathBuf,
        source: tantivy::TantivyError,
    },
    /// A search index that must be made again.
    #[cfg(feature = "archive")]
    #[error(
        "the search index {} is damaged, or of another version of forest: the next harvest makes it again, and so does `forest archive verify --rebuild`",
        path.display()
    )]
    IndexDamaged { path: PathBuf },
    /// A search index that another process writes to.
    #[cfg(feature = "archive")]
    #[error("another process writes to the search index {}; try again when it is done", path.display())]
    IndexBusy { path: PathBuf },
    /// A URL that was not fetched.
    #[cfg(feature = "net")]
    #[error(transparent)]
    Fetch(FetchFailure),
    /// A request header, or the user agent, that cannot be sent.
    #[cfg(feature = "net")]
    #[error("the header {name:?} cannot be sent: {reason}")]
    Header { name: String, reason: &'static str },
    /// The HTTP client or its runtime could not be made.
    #[cfg(feature = "net")]
    #[error(
        "cannot set up the network client: {reason}; check the proxy settings and the system's limits"
    )]
    Client { reason: String },
}

impl Error {
    /// The broad class of this error.
    pub fn class(&self) -> ErrorClass {
        match *self.0 {
            ErrorKind::XPath { .. }
            | ErrorKind::WrapperFile { .. }
            | ErrorKind::WrapperAt { .. }
            | ErrorKind::FtrFile { .. }
            | ErrorKind::Schema { .. }
            | ErrorKind::Unsupported { .. }
            | ErrorKind::PipelineFile { .. }
            | ErrorKind::TextSettings { .. }
            | ErrorKind::FilterSettings { .. }
            | ErrorKind::FloorsFile { .. } => ErrorClass::Input,
            ErrorKind::TooLarge { .. }
            | ErrorKind::GoldJson { .. }
            | ErrorKind::GoldWithoutPage { .. }
            | ErrorKind::PageTwice { .. }
            | ErrorKind::NoPages { .. } => ErrorClass::Input,
            ErrorKind::Read { .. } | ErrorKind::ReadWarc { .. } => ErrorClass::File,
            ErrorKind::NotAFeed { .. }
            | ErrorKind::FeedSyntax { .. }
            | ErrorKind::FeedTooLarge { .. }
            | ErrorKind::Opml { .. }
            | ErrorKind::NotAWarc
            | ErrorKind::NotAWacz => ErrorClass::Input,
            #[cfg(feature = "archive")]
            ErrorKind::Write { .. }
            | ErrorKind::Database { .. }
            | ErrorKind::ArchiveBroken { .. }
            | ErrorKind::ArchiveNotWritable { .. }
            | ErrorKind::Export { .. }
            | ErrorKind::SearchIndex { .. }
            | ErrorKind::IndexDamaged { .. }
            | ErrorKind::IndexBusy { .. } => ErrorClass::File,
            #[cfg(feature = "archive")]
            ErrorKind::ArchiveVersion { .. }
            | ErrorKind::ArchiveEarlier { .. }
            | ErrorKind::ArchiveWithoutTables { .. }
            | ErrorKind::NoArchive { .. }
            | ErrorKind::NotAnArchive { .. }
            | ErrorKind::NotACopy { .. }
            | ErrorKind::ArchiveLocked { .. } => ErrorClass::Input,
            #[cfg(all(feature = "net", feature = "archive"))]
            ErrorKind::NotAFeedList { .. } => ErrorClass::Input,
            #[cfg(feature = "serve")]
            ErrorKind::Password { .. } => ErrorClass::Input,
            #[cfg(feature = "net")]
            ErrorKind::Fetch(_) | ErrorKind::Client { .. } => ErrorClass::Network,
            #[cfg(feature = "net")]
            ErrorKind::Header { .. } => ErrorClass::Input,
        }
    }

    /// Returns true if another process writes to the archive.
    #[cfg(feature = "archive")]
    pub fn is_archive_locked(&self) -> bool {
        matches!(*self.0, ErrorKind::ArchiveLocked { .. })
    }

    /// Returns true if files of an archive are damaged: see `archive::Archive::verify`.
    #[cfg(feature = "archive")]
    pub fn is_archive_broken(&self) -> bool {
        matches!(*self.0, ErrorKind::ArchiveBroken { .. })
    }

    /// The URL that was not fetched and why, if that is what this error is.
    #[cfg(feature = "net")]
    pub fn fetch_failure(&self) -> Option<&FetchFailure> {
        match &*self.0 {
            ErrorKind::Fetch(failure) => Some(failure),
            _ => None,
        }
    }

    /// `path` could not be read.
    pub(crate) fn read(path: &Path, source: std::io::Error) -> Self {
        ErrorKind::Read {
            path: path.to_owned(),
            source,
        }
        .into()
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error(Box::new(kind))
    }
}
