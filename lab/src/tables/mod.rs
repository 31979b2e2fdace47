//! Leaf tables and their cells against labels.
//!
//! A labelled file has a JSON object a line:
//!
//! - `html`: the table, from `<table` to its end tag;
//! - `label`: `data` or `layout`, and `uncertain`: true if its reader was unsure;
//! - `cells`: for tables of data, or nothing: a list of the source rows, each a list
//!   of the classes of its `td` and `th`: `H` header, `D` data, `N` neutral, `T`
//!   thema, `F` finalImportant, `X` finalNonImportant;
//! - `host`: tables of one host learn together or are scored together;
//! - `leaf_of_nested`: true if it stood inside another table.
//!
//! Other keys are not read. A grid's cells are in the order of the source cells, so
//! that row by row each letter meets its cell. The `caption` is thema by definition
//! and is not scored.

mod command;
mod folds;
mod labelled;
mod learn;
mod made_up;
mod scores;
#[cfg(test)]
mod tests;

pub use command::{TablesArgs, TrainTablesArgs, run, train};
