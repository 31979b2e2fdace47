//! The error of this crate.

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
    /// An error of `forest-harvest`.
    #[error(transparent)]
    Harvest(#[from] forest_harvest::Error),
    /// An error of `forest-text`.
    #[error(transparent)]
    Text(#[from] forest_text::Error),
    /// An error of `forest-exchange`.
    #[error(transparent)]
    Exchange(#[from] forest_exchange::Error),
    /// An error of `forest-web`.
    #[error(transparent)]
    Web(#[from] forest_web::Error),
}

impl Error {
    /// The broad class of this error.
    pub fn class(&self) -> ErrorClass {
        match &*self.0 {
            ErrorKind::Core(error) => error.class(),
            ErrorKind::Fetch(error) => error.class(),
            ErrorKind::Archive(error) => error.class(),
            ErrorKind::Harvest(error) => error.class(),
            ErrorKind::Text(error) => error.class(),
            ErrorKind::Exchange(error) => error.class(),
            ErrorKind::Web(error) => error.class(),
        }
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
