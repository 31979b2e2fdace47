//! `forest` learns one wrapper per web site from the pages that its feed
//! points to, and extracts articles with it.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod error;
pub mod text;
pub mod page;
pub mod feed;
pub mod warc;
pub mod density;
pub mod signifier;
pub mod pattern;
pub mod rank;
pub mod wrapper;
pub mod learn;
pub mod extract;
pub mod gold;
pub mod eval;
#[cfg(feature = "net")]
pub mod fetch;

pub use error::{Error, Result};
