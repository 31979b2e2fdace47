//! Tables and cells as numbers, for the lab, which trains the trees.

use super::Grid;
use super::classify::{lines_of, may_be};
use super::features::{CellRow, TableRow, cell_rows, table_row};
use super::trees::FOREST_CLASSES;
use forest_html::page::{NodeId, Page};

/// The features of a table and of its cells.
pub struct TableFeatures {
    /// Of the table, in the order of `TABLE_NAMES`.
    pub table: TableRow,
    /// Of each of the grid's cells, in the order of `CELL_NAMES`.
    pub cells: Vec<CellRow>,
    /// For each of the grid's cells the forests that are asked about it, in the order
    /// of [`FOREST_CLASSES`].
    pub asked: Vec<[bool; FOREST_CLASSES.len()]>,
}

impl TableFeatures {
    /// The features of a leaf table.
    pub fn of(page: &Page, table: NodeId, grid: &Grid) -> TableFeatures {
        let lines = lines_of(page, grid);
        let asked = |at| FOREST_CLASSES.map(|class| may_be(class, &lines, grid, at));
        TableFeatures {
            table: table_row(page, table, grid, &lines),
            cells: cell_rows(grid, &lines),
            asked: (0..grid.cells.len()).map(asked).collect(),
        }
    }
}
