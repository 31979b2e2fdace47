//! Texts of pages by the papers beside FOREST: Kitten's normalised text, Crunch's filters,
//! Gottron's pipelines of one-page extractors.
//!
//! An inner crate of `forest-wrappers`: its interface may change with any version.
//!
//! - [`filter`]: filters over the DOM, with settings. Crunch.
//! - [`prose`]: an article's DOM to text that parsers can read. Kitten.
//! - [`pipeline`]: one-page methods by name, and pipelines of them. CombinE.

pub mod error;
pub mod filter;
pub mod prose;
pub mod pipeline;

pub use error::{Error, Result};
