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
    Core(forest_core::Error),
    /// An error of `forest-fetch`.
    #[error(transparent)]
    Fetch(forest_fetch::Error),
    /// An error of `forest-archive`.
    #[error(transparent)]
    Archive(forest_archive::Error),
    /// An error of `forest-harvest`.
    #[error(transparent)]
    Harvest(forest_harvest::Error),
    /// An error of `forest-text`.
    #[error(transparent)]
    Text(forest_text::Error),
    /// An error of `forest-exchange`.
    #[error(transparent)]
    Exchange(forest_exchange::Error),
    /// An error of `forest-web`.
    #[error(transparent)]
    Web(forest_web::Error),
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

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error(Box::new(kind))
    }
}

impl From<forest_core::Error> for Error {
    fn from(error: forest_core::Error) -> Self {
        ErrorKind::Core(error).into()
    }
}

impl From<forest_fetch::Error> for Error {
    fn from(error: forest_fetch::Error) -> Self {
        ErrorKind::Fetch(error).into()
    }
}

impl From<forest_archive::Error> for Error {
    fn from(error: forest_archive::Error) -> Self {
        ErrorKind::Archive(error).into()
    }
}

impl From<forest_harvest::Error> for Error {
    fn from(error: forest_harvest::Error) -> Self {
        ErrorKind::Harvest(error).into()
    }
}

impl From<forest_text::Error> for Error {
    fn from(error: forest_text::Error) -> Self {
        ErrorKind::Text(error).into()
    }
}

impl From<forest_exchange::Error> for Error {
    fn from(error: forest_exchange::Error) -> Self {
        ErrorKind::Exchange(error).into()
    }
}

impl From<forest_web::Error> for Error {
    fn from(error: forest_web::Error) -> Self {
        ErrorKind::Web(error).into()
    }
}
