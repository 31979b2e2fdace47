//! The common part of all errors: their classes, and the words of messages.
//!
//! Nothing in this crate fails: a page of any bytes is a page. Each crate above that
//! fails has one opaque error of its own, with a `class`.

mod causes;
mod counted;

pub use causes::with_causes;
pub use counted::{counted, megabytes, span};

/// The message about a page on which the program panicked.
pub const CRASHED: &str = "forest crashed on this page: please report it";

/// The broad class of an error, for exit codes and retries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorClass {
    /// The input is not what it should be: no feed, no XPath, unknown format.
    Input,
    /// A file could not be read.
    File,
    /// The network, a server or a limit on what comes from it.
    Network,
}
