//! Bytes to a page, its words and its address. FOREST 3.1.
//!
//! An inner crate of `forest-wrappers`: its interface may change with any version.
//!
//! - [`error`]: the classes of errors and the words of messages, for all crates.
//! - [`text`]: terms, metric tokens, sizes, languages, sentences.
//! - [`address`]: which page is this: site, origin, key, series.
//! - [`page`]: bytes to an arena of nodes in document order, with its metadata.

pub mod error;
pub mod text;
pub mod address;
pub mod page;
