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
    /// An error of `forest-sources`.
    #[error(transparent)]
    Sources(forest_sources::Error),
    /// An error of `forest-text`.
    #[error(transparent)]
    Text(forest_text::Error),
    /// A text that is no file of floors.
    #[error(
        "not a file of floors: {reason}; `forest eval GOLD --gate FILE --write-floors` makes one"
    )]
    FloorsFile { reason: String },
}

impl Error {
    /// The broad class of this error.
    pub fn class(&self) -> ErrorClass {
        match &*self.0 {
            ErrorKind::Core(error) => error.class(),
            ErrorKind::Sources(error) => error.class(),
            ErrorKind::Text(error) => error.class(),
            ErrorKind::FloorsFile { .. } => ErrorClass::Input,
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

impl From<forest_sources::Error> for Error {
    fn from(error: forest_sources::Error) -> Self {
        ErrorKind::Sources(error).into()
    }
}

impl From<forest_text::Error> for Error {
    fn from(error: forest_text::Error) -> Self {
        ErrorKind::Text(error).into()
    }
}
