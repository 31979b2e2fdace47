//! The error of this crate.
//!
//! [`Error`] is opaque: what went wrong is a private kind, shown by its `Display` with
//! the file, line or expression at fault and, where there is one, the remedy. Callers
//! that must tell errors apart ask [`Error::class`].
//!
//! Results that are no errors (a page that no wrapper matches, a sample that is
//! too small to learn from) are values of the stages that give them, never an
//! `Error`.

use forest_html::error::ErrorClass;
use std::path::{Path, PathBuf};

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error: what went wrong, where, and what to do about it.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<ErrorKind>);

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
    /// Something else in place of a feed.
    #[error("this is {found}, not a feed: {remedy}")]
    NotAFeed {
        found: &'static str,
        remedy: &'static str,
    },
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
    /// Something else in place of a sitemap.
    #[error("this is {found}, not a sitemap")]
    NotASitemap { found: &'static str },
    /// A sitemap over the limit.
    #[error(
        "the sitemap has more than the limit of {limit} bytes, unpacked: give one of a part of the site"
    )]
    SitemapTooLarge { limit: usize },
    /// A list of feeds that cannot be read.
    #[error("OPML line {line}: {reason}")]
    Opml { line: usize, reason: &'static str },
}

impl Error {
    /// The broad class of this error.
    pub fn class(&self) -> ErrorClass {
        match *self.0 {
            ErrorKind::Read { .. } => ErrorClass::File,
            ErrorKind::XPath { .. }
            | ErrorKind::WrapperFile { .. }
            | ErrorKind::WrapperAt { .. }
            | ErrorKind::NotAFeed { .. }
            | ErrorKind::NotASitemap { .. }
            | ErrorKind::SitemapTooLarge { .. }
            | ErrorKind::FeedSyntax { .. }
            | ErrorKind::FeedTooLarge { .. }
            | ErrorKind::Opml { .. } => ErrorClass::Input,
        }
    }

    /// The file at `path` is no wrapper that can be used, for this reason.
    pub fn wrapper_at(path: &Path, reason: String) -> Error {
        let path = path.to_owned();
        ErrorKind::WrapperAt { path, reason }.into()
    }

    /// A feed, or a list of feeds, has more bytes than the limit.
    pub fn feed_too_large(bytes: usize, limit: usize) -> Error {
        ErrorKind::FeedTooLarge { bytes, limit }.into()
    }

    /// `path` could not be read.
    pub(crate) fn read(path: &Path, source: std::io::Error) -> Error {
        let path = path.to_owned();
        ErrorKind::Read { path, source }.into()
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error(Box::new(kind))
    }
}
