//! Leaf tables: data or layout, the classes of their cells, their clauses. Kitten 3.1.
//!
//! A leaf table holds no table ([`leaf_tables`]); only these are looked at. A forest
//! says whether one holds data ([`is_data`]), others what the cells of a table of data
//! are ([`classes`]): header, thema or finalImportant, and data what none of them
//! wants. Then rules mend what looking at one cell at a time gets wrong.
//!
//! - [`grid`]: cells at rows and columns, their spans expanded.
//! - `facts`, `lines`: what is known of a cell, of a row or column.
//! - [`features`]: what the trees are told of a table and its cells.
//! - [`trees`]: forests of decision trees, as a file.
//! - [`classify`]: what a table and its cells are; `repair`: the rules.
//! - [`clause`]: what the table says, in lines.
//! - `training` (feature `_lab`): tables and cells as the lab's learner sees them.
//!
//! Sources: Kitten 3.1.1 and 3.1.2; Y. Wang and J. Hu, *A machine learning based
//! approach for table detection on the Web*, WWW 2002, for most features; L. Breiman,
//! *Random forests*, Machine Learning 45, 2001. The figures below are F1 by
//! host-grouped cross-validation (`docs/experiments.md`, *Tables*).
//!
//! # Departures
//!
//! - Forests instead of one tree of WEKA's: with some two hundred labelled tables one
//!   tree depends on the draw.
//! - Wang and Hu's word groups are left out: they tie the trees to the words of one
//!   language and time.
//! - 31 further features of tables (shares of links, pictures, paragraphs; roles,
//!   class names, borders): on certain labels 0.977 with them, 0.951 with the paper's,
//!   0.947 with Wang and Hu's alone.
//! - The paper's rate of empty cells of a row and a column is the largest of any row
//!   and column.
//! - A table whose first row is a `th` over each column, and whose other rows fill these
//!   columns, holds data whatever the trees say: they doubt tables of few words (data
//!   0.956, without the rule 0.951; on certain labels 0.980 by both).
//! - Neutral and finalNonImportant have no tree. An empty cell is neutral in a header
//!   row, in an empty row and in a column without a name: 0.82, by trees 0.48. So is one
//!   that holds pictures only. A row that says what a header row says is that header
//!   again: 1.00 by both.
//! - The paper's repair makes a row of headers of one that mostly is. Here columns are
//!   mended, too: below the header rows a column names its rows or does not (header
//!   0.958, by the trees alone 0.947 at best).
//! - Cells are learned from tables that are made up, too: labelled ones with notes,
//!   titles and repeated headers come from one host or two, so that trees for others
//!   would never have seen any. Without them header has 0.82, finalImportant 0.19.

pub mod classify;
pub mod clause;
mod facts;
pub mod features;
pub mod grid;
mod lines;
mod repair;
#[cfg(test)]
mod tests;
#[cfg(feature = "_lab")]
pub mod training;
pub mod trees;

pub use classify::{classes, classes_if_data, is_data, leaf_tables};
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
