//! The questions that passages answer.
//!
//! - `ranking`: pages as passages, ranked for a question.
//! - `command`: the files and the figures.

mod command;
mod ranking;

pub use command::{PassageArgs, run};
