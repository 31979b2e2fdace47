//! The classes of a table and of its cells.

use super::facts::CellFacts;
use super::features::{cell_rows, table_row};
use super::lines::TableFacts;
use super::repair::repair;
use super::trees::{FOREST_CLASSES, TableTrees};
use super::{CellClass, Grid};
use forest_html::page::{NodeId, Page};
use html5ever::local_name;

/// The likelihood from which a table holds data, from 0 to 1.
pub const DATA_FROM: f32 = 0.5;

/// The tables of a page that contain no table, in document order.
pub fn leaf_tables(page: &Page) -> Vec<NodeId> {
    let mut leaves: Vec<NodeId> = Vec::new();
    for n in page.content_elements().iter().copied() {
        if page.is(n, &local_name!("table")) {
            // In document order, the table before is the innermost one around this one.
            if leaves.last().is_some_and(|&last| page.contains(last, n)) {
                leaves.pop();
            }
            leaves.push(n);
        }
    }
    leaves
}

/// The classes of a leaf table's cells, in the order of the grid's cells, if the table
/// holds data by the [shipped](TableTrees::shipped) trees.
pub fn classes_if_data(page: &Page, table: NodeId, grid: &Grid) -> Option<Vec<CellClass>> {
    let (lines, trees) = (lines_of(page, grid), TableTrees::shipped());
    let is_data = likelihood(page, table, grid, &lines, trees) >= DATA_FROM;
    is_data.then(|| classes_of(grid, &lines, trees))
}

/// The likelihood that a leaf table holds data, from 0 to 1, by these trees. It is 0 for
/// a table of fewer than two cells and 1 for a table that names its columns.
pub fn data_likelihood(page: &Page, table: NodeId, grid: &Grid, trees: &TableTrees) -> f32 {
    likelihood(page, table, grid, &lines_of(page, grid), trees)
}

fn likelihood(
    page: &Page,
    table: NodeId,
    grid: &Grid,
    lines: &TableFacts,
    trees: &TableTrees,
) -> f32 {
    if grid.cells.len() < 2 {
        return 0.0;
    }
    if names_its_columns(page, grid) {
        return 1.0;
    }
    trees.data.mean(&table_row(page, table, grid, lines))
}

/// Returns true if the first row is a `th` with text over each of several columns (the first
/// may be empty), and all rows below fill these columns with cells of their own. No
/// layout table of the development tables does; the trees give such tables low
/// likelihoods if they have few words.
fn names_its_columns(page: &Page, grid: &Grid) -> bool {
    let is_named = |at: Option<usize>, column: u32| {
        at.is_some_and(|at| {
            let cell = &grid.cells[at];
            let is_own = cell.column == column && cell.columns == 1;
            is_own
                && page.is(cell.node, &local_name!("th"))
                && (column == 0 || !cell.text.is_empty())
        })
    };
    let is_full = |row: u32| {
        grid.row_length(row) == grid.columns && grid.row_cells(row).count() == grid.columns as usize
    };
    let with_data = |row: u32| {
        grid.row_cells(row)
            .any(|at| page.is(grid.cells[at].node, &local_name!("td")))
    };
    grid.columns > 1
        && grid.rows() > 1
        && (0..grid.columns).all(|column| is_named(grid.at(0, column), column))
        && (1..grid.rows()).all(|row| is_full(row) && with_data(row))
}

/// The facts of a grid's cells, rows and columns.
pub(super) fn lines_of(page: &Page, grid: &Grid) -> TableFacts {
    let facts = grid.cells.iter().map(|cell| CellFacts::of(page, cell));
    TableFacts::of(grid, facts.collect())
}

/// The classes of a data table's cells by these trees, in the order of the grid's cells.
pub fn classes_by(page: &Page, grid: &Grid, trees: &TableTrees) -> Vec<CellClass> {
    classes_of(grid, &lines_of(page, grid), trees)
}

fn classes_of(grid: &Grid, lines: &TableFacts, trees: &TableTrees) -> Vec<CellClass> {
    if grid.cells.is_empty() {
        return Vec::new();
    }
    let (mut classes, header) = by_trees(grid, lines, trees);
    repair(grid, lines, &header, &mut classes);
    classes
}

/// The classes by the trees, before the repairs, and the likelihood of each cell to be a
/// header. A cell has the likeliest class; the likelihood of data is what the others
/// leave of 1.
fn by_trees(grid: &Grid, lines: &TableFacts, trees: &TableTrees) -> (Vec<CellClass>, Vec<f32>) {
    let rows = cell_rows(grid, lines);
    // The likeliest class so far, and what is left for data.
    let mut best = vec![(CellClass::Data, 0.0_f32); rows.len()];
    let mut left = vec![1.0_f32; rows.len()];
    let mut header = vec![0.0_f32; rows.len()];
    for (class, forest) in FOREST_CLASSES.into_iter().zip(&trees.cells) {
        let may = |at: &usize| may_be(class, lines, grid, *at);
        let possible: Vec<usize> = (0..rows.len()).filter(may).collect();
        for (answer, &at) in forest.means(&rows, &possible).into_iter().zip(&possible) {
            left[at] -= answer;
            if class == CellClass::Header {
                header[at] = answer;
            }
            if answer > best[at].1 {
                best[at] = (class, answer);
            }
        }
    }
    let likeliest = |((class, answer), left)| {
        if answer > left {
            class
        } else {
            CellClass::Data
        }
    };
    let classes = best.into_iter().zip(left).map(likeliest).collect();
    (classes, header)
}

/// Returns true if a cell may be of a class. The definitions of the classes exclude the
/// other cells, which saves time.
pub(super) fn may_be(class: CellClass, lines: &TableFacts, grid: &Grid, at: usize) -> bool {
    let (cell, facts) = (&grid.cells[at], &lines.facts[at]);
    if facts.is_empty() {
        return false;
    }
    match class {
        CellClass::Thema => cell.row <= lines.leading,
        CellClass::FinalImportant => {
            let at_end = cell.row + cell.rows + FINAL_ROWS >= grid.rows();
            at_end && cell.row > 0 && lines.rows[cell.row as usize].filled <= FINAL_CELLS
        }
        _ => true,
    }
}

/// Rows above the last one that may be notes.
const FINAL_ROWS: u32 = 3;

/// Filled cells of a row of notes at the most.
const FINAL_CELLS: u32 = 2;
