//! Leaf tables: data or layout, the classes of their cells, their clauses. Kitten 3.1.
//!
//! - [`grid`]: cells at rows and columns, their spans expanded.
//! - [`features`]: what the trees are told of a table and its cells.
//! - [`trees`]: forests of decision trees, as a file.
//! - [`classify`]: what a table and its cells are.
//! - [`clause`]: what the table says, in lines.

pub mod classify;
pub mod clause;
mod facts;
pub mod features;
pub mod grid;
#[cfg(feature = "train")]
pub mod learn;
mod lines;
#[cfg(feature = "train")]
mod made;
mod repair;
#[cfg(test)]
mod tests;
pub mod trees;

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

impl CellClass {
    /// All of them, in the paper's order.
    pub const ALL: [CellClass; 6] = [
        CellClass::Header,
        CellClass::Data,
        CellClass::Neutral,
        CellClass::FinalImportant,
        CellClass::FinalNonImportant,
        CellClass::Thema,
    ];

    /// The paper's name.
    pub fn name(self) -> &'static str {
        match self {
            CellClass::Header => "header",
            CellClass::Data => "data",
            CellClass::Neutral => "neutral",
            CellClass::Thema => "thema",
            CellClass::FinalImportant => "finalImportant",
            CellClass::FinalNonImportant => "finalNonImportant",
        }
    }
}
