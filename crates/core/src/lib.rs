//! Sample pages to a wrapper, and a wrapper to articles: FOREST.
//!
//! An inner crate of `forest-wrappers`: its interface may change with any version.
//! No network, no files, no tables.
//!
//! The modules are the stages of the pipeline, in its order. Each takes what those
//! above it give, and says on its page what it takes, what it gives, which part of
//! which paper it is and where it departs from it.

pub mod error;
pub mod yaml;
pub mod feed;
pub mod model;
pub mod baseline;
pub mod refusal;
pub mod blocks;
pub mod repeat;
pub mod kind;
pub mod onepage;
pub mod signifier;
pub mod pattern;
pub mod rank;
pub mod cluster;
pub mod wrapper;
pub mod render;
pub mod extract;
pub mod learn;
pub mod drift;
pub mod explain;

pub use error::{Error, Result};
