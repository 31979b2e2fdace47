//! Leaf tables: data or layout, the classes of their cells, their clauses. Kitten 3.1.
//!
//! A leaf table contains no table; other tables are layout. A forest
//! of trees decides if a leaf table holds data; other forests give the classes of a data
//! table's cells ([`classify`]): header, thema or finalImportant; all others are data.
//! Rules then correct the classes by rows and columns.
//!
//! - [`grid`]: cells at rows and columns, their spans expanded.
//! - `facts`, `lines`: the facts of a cell, and of a row or column.
//! - [`features`]: the features of a table and of its cells.
//! - [`trees`]: forests of decision trees, as a file.
//! - [`classify`]: the classes of tables and cells; `repair`: the rules.
//! - `clause`: a data table as lines of text.
//! - `training`: tables and cells as numbers, for the lab.
//!
//! Sources: Kitten 3.1.1 and 3.1.2; Y. Wang and J. Hu, *A machine learning based
//! approach for table detection on the Web*, WWW 2002, for most features; L. Breiman,
//! *Random forests*, Machine Learning 45, 2001. The figures below are F1 by
//! host-grouped cross-validation (`docs/experiments.md`, *Tables*).
//!
//! # Departures
//!
//! - Forests instead of one tree of WEKA's: with some two hundred labelled tables, one
//!   tree depends too much on the sample.
//! - Wang and Hu's word groups are left out: they tie the trees to the words of one
//!   language and time.
//! - 31 further features of tables (shares of links, pictures, paragraphs; roles,
//!   class names, borders): on certain labels 0.977 with them, 0.951 with the paper's,
//!   0.947 with Wang and Hu's alone.
//! - The paper's rate of empty cells of a row and a column is the largest of any row
//!   and column.
//! - A table whose first row is a `th` over each column, and whose other rows fill these
//!   columns, holds data by rule: the trees give low likelihoods for tables of few words (data
//!   0.956, without the rule 0.951; on certain labels 0.980 by both).
//! - Neutral and finalNonImportant have rules and no trees. An empty cell is neutral in a
//!   header row, in an empty row and in a column without a name: 0.82, by trees 0.48. So
//!   is a cell of pictures only. A row with the texts of a header row is a repeated
//!   header: 1.00 by both.
//! - The paper's repair turns a row into headers if most of its cells are. Here columns
//!   are repaired, too: below the header rows, all cells of a column are headers or none
//!   (header 0.958, by the trees alone 0.947 at best).
//! - Cells are learned from tables that are made up, too: labelled ones with notes,
//!   titles and repeated headers come from one host or two, so that trees for others
//!   would never have seen any. Without them header has 0.82, finalImportant 0.19.

pub mod classify;
pub(in crate::prose) mod clause;
mod facts;
pub mod features;
pub mod grid;
mod lines;
mod repair;
#[cfg(test)]
mod tests;
pub mod training;
pub mod trees;

pub(super) use classify::{classes_if_data, leaf_tables};
pub use grid::{Cell, Grid};

/// The class of a data table's cell (table 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CellClass {
    /// Names the data of its row, its column, or both.
    Header,
    /// A datum: the table's content.
    Data,
    /// Empty for the layout; not a missing datum.
    Neutral,
    /// The caption, or a text above the table that applies to all of it.
    Thema,
    /// A text below the table that applies to all of it: a legend, a note, a source.
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
