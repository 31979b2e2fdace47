//! What a table and its cells are.

use super::facts::Facts;
use super::features::{cell_rows, table_row};
use super::lines::Lines;
use super::repair::repair;
use super::trees::{FOREST_CLASSES, TableTrees};
use super::{CellClass, Grid};
use crate::page::{NodeId, Page};
use html5ever::local_name;

/// Answer of the forest of tables from which a table holds data.
pub const DATA_FROM: f32 = 0.5;

/// The tables of a page that hold no table, in document order.
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

/// Whether a leaf table holds data and is not there for the layout.
pub fn is_data(page: &Page, table: NodeId, grid: &Grid) -> bool {
    data_likelihood(page, table, grid, TableTrees::shipped()) >= DATA_FROM
}

/// The classes of a leaf table's cells, in the order of the grid's cells, if it [holds
/// data](is_data); what both need is looked at once.
pub fn classes_if_data(page: &Page, table: NodeId, grid: &Grid) -> Option<Vec<CellClass>> {
    let (lines, trees) = (lines_of(page, grid), TableTrees::shipped());
    let is_data = likelihood(page, table, grid, &lines, trees) >= DATA_FROM;
    is_data.then(|| classes_of(grid, &lines, trees))
}

/// How likely it is that a leaf table holds data, from 0 to 1, by other trees. A
/// table without two cells holds none; one that names its columns does.
pub fn data_likelihood(page: &Page, table: NodeId, grid: &Grid, trees: &TableTrees) -> f32 {
    likelihood(page, table, grid, &lines_of(page, grid), trees)
}

fn likelihood(page: &Page, table: NodeId, grid: &Grid, lines: &Lines, trees: &TableTrees) -> f32 {
    if grid.cells.len() < 2 {
        return 0.0;
    }
    if names_its_columns(page, grid) {
        return 1.0;
    }
    trees.data.mean(&table_row(page, table, grid, lines))
}

/// Whether the first row is a `th` with text over each of several columns (the first
/// may be empty), and all rows below fill these columns with cells of their own. No
/// layout table of the development tables does; the trees doubt it where there are
/// few cells of few words.
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

/// What is known of a grid's cells, rows and columns.
pub(super) fn lines_of(page: &Page, grid: &Grid) -> Lines {
    let facts = grid.cells.iter().map(|cell| Facts::of(page, cell));
    Lines::of(grid, facts.collect())
}

/// The class of each cell of a data table, in the order of the grid's cells.
pub fn classes(page: &Page, grid: &Grid) -> Vec<CellClass> {
    classes_by(page, grid, TableTrees::shipped())
}

/// The classes by other trees.
pub fn classes_by(page: &Page, grid: &Grid, trees: &TableTrees) -> Vec<CellClass> {
    classes_of(grid, &lines_of(page, grid), trees)
}

fn classes_of(grid: &Grid, lines: &Lines, trees: &TableTrees) -> Vec<CellClass> {
    if grid.cells.is_empty() {
        return Vec::new();
    }
    let (mut classes, header) = by_trees(grid, lines, trees);
    repair(grid, lines, &header, &mut classes);
    classes
}

/// What the trees say, before the repairs: the class with the largest answer, data
/// having what the others leave; and how likely each cell is to be a header.
fn by_trees(grid: &Grid, lines: &Lines, trees: &TableTrees) -> (Vec<CellClass>, Vec<f32>) {
    let rows = cell_rows(grid, lines);
    // The likeliest class so far, and what is left for data.
    let mut best = vec![(CellClass::Data, 0.0_f32); rows.len()];
    let mut left = vec![1.0_f32; rows.len()];
    let mut header = vec![0.0_f32; rows.len()];
    for (class, forest) in FOREST_CLASSES.into_iter().zip(&trees.cells) {
        let may = |at: &usize| may_be(class, lines, grid, *at);
        let asked: Vec<usize> = (0..rows.len()).filter(may).collect();
        for (answer, &at) in forest.means(&rows, &asked).into_iter().zip(&asked) {
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

/// Whether a forest is asked about a cell. What is never of a class by the class's
/// definition spares the time.
pub(super) fn may_be(class: CellClass, lines: &Lines, grid: &Grid, at: usize) -> bool {
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
