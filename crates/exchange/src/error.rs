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
    /// A text of another program that cannot become a wrapper.
    #[error("not a wrapper file: {reason}")]
    WrapperFile { reason: String },
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
    /// A login that a reader refuses.
    #[error("FreshRSS refuses the login; is it the password of its API?")]
    Login { source: Error },
    /// An answer to a login without a key.
    #[error("FreshRSS's answer to the login has no key; is --url that of api/greader.php?")]
    NoKey,
    /// A reader that does not change the articles that it has.
    #[error("FreshRSS's interface does not change articles")]
    ArticlesStay,
    /// An answer without a list of feeds.
    #[error("Miniflux's answer is no list of feeds")]
    NoFeeds,
    /// A path that makes no address.
    #[error("{url} is no address")]
    NoAddress { url: String },
    /// A request that its sender could not send.
    #[error("{source}")]
    Request {
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Another answer than JSON.
    #[error("{base}: the answer to {path} is not the reader's JSON; is the address right?")]
    NotJson {
        base: url::Url,
        path: String,
        source: serde_json::Error,
    },
    /// Expressions that another format cannot express, each with the reason.
    #[error("the wrapper of {site} cannot be expressed in {format}: {}", refused.join("; "))]
    Unsupported {
        site: String,
        format: &'static str,
        refused: Vec<String>,
    },
}

impl Error {
    /// The broad class of this error.
    pub fn class(&self) -> ErrorClass {
        match &*self.0 {
            ErrorKind::Core(error) => error.class(),
            ErrorKind::Login { source } => source.class(),
            ErrorKind::Request { .. } => ErrorClass::Network,
            ErrorKind::WrapperFile { .. }
            | ErrorKind::FtrFile { .. }
            | ErrorKind::Schema { .. }
            | ErrorKind::NoKey
            | ErrorKind::ArticlesStay
            | ErrorKind::NoFeeds
            | ErrorKind::NoAddress { .. }
            | ErrorKind::NotJson { .. }
            | ErrorKind::Unsupported { .. } => ErrorClass::Input,
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
