//! The error of this crate.

mod source;

pub use source::SourceFault;

use forest_html::error::ErrorClass;
use std::path::{Path, PathBuf};

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error: what went wrong, where, and what to do about it. Opaque: callers that must
/// tell errors apart ask [`Error::class`].
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<ErrorKind>);

/// The private kinds. What fails in a new way adds its own variant.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ErrorKind {
    /// An error of a feed or a list of feeds.
    #[error(transparent)]
    Core(#[from] forest_core::Error),
    /// A document that its fetcher could not have.
    #[error(transparent)]
    Fetcher(Box<dyn std::error::Error + Send + Sync>),
    /// A source of pages that cannot be read.
    #[error(transparent)]
    Source(SourceFault),
    /// A file that could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        path: PathBuf,
        source: std::io::Error,
    },
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
    /// A file that is no web archive.
    #[error(
        "this is no web archive: it must begin with `WARC/` or `filedesc://`, or be packed and do so"
    )]
    NotAWarc,
    /// A file that is no WACZ, or holds no WARC file.
    #[error("this is no WACZ file: it must be a ZIP file with WARC or ARC files below archive/")]
    NotAWacz,
    /// A web archive that could not be read at its beginning.
    #[error("cannot read the web archive: {source}")]
    ReadWarc { source: std::io::Error },
}

impl Error {
    /// The broad class of this error.
    pub fn class(&self) -> ErrorClass {
        match &*self.0 {
            ErrorKind::Core(error) => error.class(),
            ErrorKind::Source(fault) => fault.class(),
            ErrorKind::Fetcher(_) => ErrorClass::Network,
            ErrorKind::TooLarge { .. }
            | ErrorKind::GoldJson { .. }
            | ErrorKind::GoldWithoutPage { .. }
            | ErrorKind::PageTwice { .. }
            | ErrorKind::NoPages { .. }
            | ErrorKind::NotAWarc
            | ErrorKind::NotAWacz => ErrorClass::Input,
            ErrorKind::Read { .. } | ErrorKind::ReadWarc { .. } => ErrorClass::File,
        }
    }

    /// The error of a [`DocumentFetcher`](crate::sources::DocumentFetcher).
    pub fn of_fetcher(source: impl std::error::Error + Send + Sync + 'static) -> Error {
        ErrorKind::Fetcher(source.into()).into()
    }

    /// `path` could not be read.
    pub(crate) fn read(path: &Path, source: std::io::Error) -> Error {
        let path = path.to_owned();
        ErrorKind::Read { path, source }.into()
    }
}

impl<T> From<T> for Error
where
    ErrorKind: From<T>,
{
    fn from(fault: T) -> Self {
        Error(Box::new(fault.into()))
    }
}
