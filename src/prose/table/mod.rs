//! Leaf tables: data or layout, the classes of their cells, their clauses. Kitten 3.1.
//!
//! - [`grid`]: cells at rows and columns, their spans expanded.
//! - [`classify`]: what a table and its cells are.
//! - [`clause`]: what the table says, in lines.

pub mod classify;
pub mod clause;
pub mod grid;

pub use classify::{classes, is_data};
pub use grid::{Cell, Grid};

/// What a cell of a data table is (table 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CellClass {
    /// Names the data of its row, its column, or both.
    Header,
    /// What the table is there to say.
    Data,
    /// Empty, for the looks; not a missing datum.
    Neutral,
    /// The caption, or what holds for all of the table, above it.
    Thema,
    /// What holds for all of the table, below it: a legend, a note, a source.
    FinalImportant,
    /// A header that is repeated inside the table.
    FinalNonImportant,
}
