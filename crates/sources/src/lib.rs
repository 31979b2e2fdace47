//! Where pages come from, if not from the network.
//!
//! An inner crate of `forest-wrappers`: its interface may change with any version.
//! It reads files; it has no database and no network.
//!
//! - [`warc`]: web archives, WARC and WACZ.
//! - [`gold`]: collections of pages with their right texts.
//! - [`sources`]: what the command line names: files, folders, feeds, lists, JSON lines.
//! - [`sample`]: good pages of a site, to learn from.
//! - [`record`]: a page to the record of its article.

pub mod error;
pub mod warc;
pub mod gold;
pub mod sources;
pub mod sample;
pub mod record;

pub use error::{Error, Result};
