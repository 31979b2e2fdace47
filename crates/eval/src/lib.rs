//! Methods on collections with gold: scores, floors, and the search for better parameters.
//!
//! An inner crate of `forest-wrappers`: its interface may change with any version.
//!
//! - [`eval`]: methods over collections, their scores and their floors.
//! - [`tune`]: the search for parameters of one-page methods. Gottron 4.

pub mod error;
pub mod eval;
pub mod tune;

pub use error::{Error, Result};
