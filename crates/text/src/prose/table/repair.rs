//! Corrections by rules after the trees (section 3.1.2): the trees judge one cell at a
//! time, but the cells of a row or column belong together.

use super::lines::TableFacts;
use super::{CellClass, Grid};

/// Share of headers among a row's filled cells above which its data cells become headers
/// (the paper's own example of a repair).
const HEADER_ROW: f32 = 0.5;

/// Mean likelihood above which the cells of the likeliest column are headers of their
/// rows: below it they are as likely data, and no header is asserted. In ten folds of hosts
/// the F1 of headers, as the mean over hosts, is 0.913 with 0.3 and 0.928 with 0.5 (precision
/// over all cells 0.936 and 0.955, recall 0.985 and 0.962).
const NAMES_FROM: f32 = 0.5;

/// The same for the other columns.
const NAMES_TOO_FROM: f32 = 0.75;

/// Corrects classes. `header` is the likelihood of each cell to be a header.
pub(super) fn repair(grid: &Grid, lines: &TableFacts, header: &[f32], classes: &mut [CellClass]) {
    let header_rows = header_rows(grid, lines, classes);
    columns(grid, lines, header, &header_rows, classes);
    sections(grid, lines, classes);
    repeated(grid, lines, classes);
    neutral(grid, lines, &header_rows, classes);
}

/// Turns rows of mostly headers into header rows; returns true for each header row. A
/// row of one filled cell is a header row only if the cell covers several columns: else
/// it may be the name of a row without data.
fn header_rows(grid: &Grid, lines: &TableFacts, classes: &mut [CellClass]) -> Vec<bool> {
    // Headers, filled cells, and true if one of these covers several columns.
    let mut counts = vec![(0_u32, 0_u32, false); lines.rows.len()];
    for ((cell, facts), class) in grid.cells.iter().zip(&lines.facts).zip(classes.iter()) {
        if facts.chars > 0 {
            let (headers, all, wide) = &mut counts[cell.row as usize];
            *headers += u32::from(*class == CellClass::Header);
            *all += 1;
            *wide |= cell.columns > 1;
        }
    }
    let is = |&(headers, all, wide): &(u32, u32, bool)| {
        (all > 1 || wide) && headers as f32 > HEADER_ROW * all as f32
    };
    let rows: Vec<bool> = counts.iter().map(is).collect();
    for (cell, class) in grid.cells.iter().zip(classes) {
        if *class == CellClass::Data && rows[cell.row as usize] {
            *class = CellClass::Header;
        }
    }
    rows
}

/// Below the header rows, makes all cells of a column headers of their rows, or data.
fn columns(
    grid: &Grid,
    lines: &TableFacts,
    header: &[f32],
    header_rows: &[bool],
    classes: &mut [CellClass],
) {
    let is_of_body = |at: usize| {
        let (cell, facts) = (&grid.cells[at], &lines.facts[at]);
        cell.columns == 1
            && !facts.is_empty()
            && !header_rows[cell.row as usize]
            && lines.rows[cell.row as usize].filled > 1
    };
    let mut sums = vec![(0.0_f32, 0_u32); grid.columns as usize];
    for at in (0..grid.cells.len()).filter(|&at| is_of_body(at)) {
        let (sum, count) = &mut sums[grid.cells[at].column as usize];
        *sum += header[at];
        *count += 1;
    }
    let means: Vec<f32> = sums
        .iter()
        .map(|&(sum, count)| if count > 0 { sum / count as f32 } else { 0.0 })
        .collect();
    let best = means.iter().copied().fold(0.0, f32::max);
    let names = |mean: f32| mean > NAMES_TOO_FROM || (mean > NAMES_FROM && mean == best);
    for at in (0..grid.cells.len()).filter(|&at| is_of_body(at)) {
        let class = &mut classes[at];
        if matches!(*class, CellClass::Header | CellClass::Data) {
            *class = if names(means[grid.cells[at].column as usize]) {
                CellClass::Header
            } else {
                CellClass::Data
            };
        }
    }
}

/// Marks the rows that repeat a header row.
fn repeated(grid: &Grid, lines: &TableFacts, classes: &mut [CellClass]) {
    let repeats = lines.repeats(grid);
    for ((cell, facts), class) in grid.cells.iter().zip(&lines.facts).zip(classes) {
        if repeats[cell.row as usize] && !facts.is_empty() {
            *class = CellClass::FinalNonImportant;
        }
    }
}

/// If single cells divide the table into sections, the single cell at the top is a header
/// of its section, too.
fn sections(grid: &Grid, lines: &TableFacts, classes: &mut [CellClass]) {
    let alone = |at: &usize| {
        let row = &lines.rows[grid.cells[*at].row as usize];
        row.filled == 1 && !lines.facts[*at].is_empty() && grid.columns > 1
    };
    let below = (0..classes.len()).filter(alone);
    let below = below.filter(|&at| grid.cells[at].row > lines.leading);
    if below.into_iter().any(|at| classes[at] == CellClass::Header) {
        for at in (0..classes.len()).filter(alone) {
            if classes[at] == CellClass::Thema && grid.cells[at].row + 1 == lines.leading {
                classes[at] = CellClass::Header;
            }
        }
    }
}

/// Cells without text are neutral where a datum cannot be missing: in rows of headers, in
/// empty rows and in columns that are empty and have no name. Others are data.
fn neutral(grid: &Grid, lines: &TableFacts, header_rows: &[bool], classes: &mut [CellClass]) {
    let mut filled = vec![false; grid.columns as usize];
    for (cell, facts) in grid.cells.iter().zip(&lines.facts) {
        // A title over several columns names none of them.
        if facts.chars > 0 && cell.columns == 1 {
            filled[cell.column as usize] = true;
        }
    }
    for (at, cell) in grid.cells.iter().enumerate() {
        if lines.facts[at].chars > 0 {
            continue;
        }
        let row = cell.row as usize;
        let is_neutral =
            header_rows[row] || lines.rows[row].filled == 0 || !filled[cell.column as usize];
        classes[at] = if is_neutral {
            CellClass::Neutral
        } else {
            CellClass::Data
        };
    }
}
