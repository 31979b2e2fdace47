//! `forest` learns one wrapper per web site from the pages that its feed
//! points to, and extracts articles with it.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod error;
pub mod eval;
pub mod gold;
pub mod feed;
pub mod page;
pub mod pattern;
pub mod rank;
pub mod signifier;
pub mod extract;
pub mod page;
pub mod text;
pub mod wrapper;
pub mod warc;

#[cfg(feature = "net")]
pub mod fetch;

pub use error::{Error, Result};
