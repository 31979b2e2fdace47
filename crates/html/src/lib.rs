//! Bytes to a page, its words and its address. FOREST 3.1.
//!
//! An inner crate of `forest-wrappers`: its interface may change with any version.
//!
//! - [`error`]: what the errors of all crates share.
//! - [`text`]: terms, metric tokens, sizes, languages, sentences.
//! - [`address`]: which page is this: site, origin, key, series.
//! - [`page`]: bytes to an arena of nodes in document order, with its metadata.

pub mod address;
pub mod error;
pub mod page;
pub mod text;
