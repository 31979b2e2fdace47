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
    /// An error of `forest-sources`.
    #[error(transparent)]
    Sources(#[from] forest_sources::Error),
    /// An error of `forest-text`.
    #[error(transparent)]
    Text(#[from] forest_text::Error),
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

impl<T> From<T> for Error
where
    ErrorKind: From<T>,
{
    fn from(fault: T) -> Self {
        Error(Box::new(fault.into()))
    }
}
