//! What a table and its cells are.

use super::{CellClass, Grid};
use crate::page::{NodeId, Page};
use html5ever::local_name;

/// Whether a leaf table holds data and is not there for the layout.
pub fn is_data(page: &Page, table: NodeId, grid: &Grid) -> bool {
    let _ = (page, table);
    grid.rows() > 1 && grid.columns > 1
}

/// The class of each cell of a data table, in the order of the grid's cells.
pub fn classes(page: &Page, grid: &Grid) -> Vec<CellClass> {
    let class = |cell: &super::Cell| {
        if cell.text.is_empty() {
            CellClass::Neutral
        } else if page.is(cell.node, &local_name!("th")) || cell.row == 0 {
            CellClass::Header
        } else {
            CellClass::Data
        }
    };
    grid.cells.iter().map(class).collect()
}
