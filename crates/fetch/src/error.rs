//! The error of this crate.

use crate::FetchFailure;
use forest_html::error::ErrorClass;
use std::path::PathBuf;

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
    /// A URL that was not fetched.
    #[error(transparent)]
    Fetch(#[from] FetchFailure),
    /// A request header, or the user agent, that cannot be sent.
    #[error("the header {name:?} cannot be sent: {reason}")]
    Header { name: String, reason: &'static str },
    /// Something else in the place of the name of a header with a secret, which may be one, too.
    #[error("there is no HTTP header name before the colon: give 'Name: value'")]
    SecretName,
    /// A machine without a folder for data.
    #[error("there is no folder for user data here")]
    NoDataFolder,
    /// A folder of lists that cannot be read.
    #[error("cannot read {}", path.display())]
    ReadLists {
        path: PathBuf,
        source: std::io::Error,
    },
    /// A folder of lists that cannot be made.
    #[error("cannot make the folder {}: is there a file of this name, and may you write there?", path.display())]
    ListFolder {
        path: PathBuf,
        source: std::io::Error,
    },
    /// A list that cannot be written.
    #[error("cannot write {}: is its folder there, and may you write to it?", path.display())]
    WriteList {
        path: PathBuf,
        source: std::io::Error,
    },
    /// An answer that is neither a list nor that it has not changed.
    #[error("the server answers with status {status}")]
    ListStatus { status: u16 },
    /// An answer that a list has not changed which is not there.
    #[error("the server says that the list has not changed, and it is not there")]
    ListGone,
    /// An answer that is no list.
    #[error("{reason}")]
    NotAList { reason: String },
    /// The HTTP client or its runtime could not be made.
    #[error(
        "cannot set up the network client: {reason}; check the proxy settings and the system's limits"
    )]
    Client { reason: String },
}

impl Error {
    /// The broad class of this error.
    pub fn class(&self) -> ErrorClass {
        match &*self.0 {
            ErrorKind::Fetch(_)
            | ErrorKind::Client { .. }
            | ErrorKind::ListStatus { .. }
            | ErrorKind::ListGone => ErrorClass::Network,
            ErrorKind::NoDataFolder
            | ErrorKind::ReadLists { .. }
            | ErrorKind::ListFolder { .. }
            | ErrorKind::WriteList { .. } => ErrorClass::File,
            ErrorKind::Header { .. } | ErrorKind::SecretName | ErrorKind::NotAList { .. } => {
                ErrorClass::Input
            }
        }
    }

    /// The URL that was not fetched and why, if that is what this error is.
    pub fn fetch_failure(&self) -> Option<&FetchFailure> {
        match &*self.0 {
            ErrorKind::Fetch(failure) => Some(failure),
            _ => None,
        }
    }

    /// A thread or a client for the network could not be made, for this reason.
    pub fn client(reason: String) -> Error {
        ErrorKind::Client { reason }.into()
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
