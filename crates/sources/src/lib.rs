//! Where pages come from, if not from the network.
//!
//! An inner crate of `forest-wrappers`: its interface may change with any version.
//! It reads files; it has no database and no network.
//!
//! - [`warc`]: web archives, WARC and WACZ.
//! - [`gold`]: collections of pages with their right texts.

pub mod error;
pub mod gold;
pub mod warc;

pub use error::{Error, Result};
