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
}

impl Error {
    /// The broad class of this error.
    pub fn class(&self) -> ErrorClass {
        match &*self.0 {
            ErrorKind::Core(error) => error.class(),
            ErrorKind::PipelineFile { .. }
            | ErrorKind::TextSettings { .. }
            | ErrorKind::FilterSettings { .. } => ErrorClass::Input,
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
