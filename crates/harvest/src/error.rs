//! The error of this crate.

use forest_fetch::FetchFailure;
use forest_html::error::ErrorClass;

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
    /// An error of `forest-core`.
    #[error(transparent)]
    Core(#[from] forest_core::Error),
    /// An error of `forest-fetch`.
    #[error(transparent)]
    Fetch(#[from] forest_fetch::Error),
    /// An error of `forest-archive`.
    #[error(transparent)]
    Archive(#[from] forest_archive::Error),
    /// Something else in place of a list of feeds.
    #[error("this is {found}, not a list of feeds: give OPML, or a text with an address a line")]
    NotAFeedList { found: &'static str },
}

impl Error {
    /// The broad class of this error.
    pub fn class(&self) -> ErrorClass {
        match &*self.0 {
            ErrorKind::Core(error) => error.class(),
            ErrorKind::Fetch(error) => error.class(),
            ErrorKind::Archive(error) => error.class(),
            ErrorKind::NotAFeedList { .. } => ErrorClass::Input,
        }
    }

    /// The URL that was not fetched and why, if that is what this error is.
    pub fn fetch_failure(&self) -> Option<&FetchFailure> {
        match &*self.0 {
            ErrorKind::Fetch(error) => error.fetch_failure(),
            _ => None,
        }
    }

    /// Returns true if another process writes to the archive.
    pub fn is_archive_locked(&self) -> bool {
        matches!(&*self.0, ErrorKind::Archive(error) if error.is_archive_locked())
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
