//! The features of cells.

use super::super::facts::{CellContent, CellFacts};
use super::super::lines::{TableFacts, is_year};
use super::super::{Cell, Grid};
use super::{CellRow, log, share};

/// The features of each cell, in the order of their names.
pub(in super::super) fn cell_rows(grid: &Grid, lines: &TableFacts) -> Vec<CellRow> {
    let context = CellContext::of(grid, lines);
    let cells = grid.cells.iter().zip(&lines.facts);
    cells
        .map(|(cell, facts)| context.row_of(cell, facts))
        .collect()
}

/// The facts of a table that the features of all its cells need.
struct CellContext<'a> {
    grid: &'a Grid,
    lines: &'a TableFacts,
    /// For each row, the share of its cells whose kind of content differs from that of
    /// their columns, and the hash of the style that most of its cells share.
    unlike_columns: Vec<f32>,
    row_looks: Vec<u64>,
    column_looks: Vec<u64>,
    repeats: Vec<bool>,
    th: f32,
}

impl<'a> CellContext<'a> {
    fn of(grid: &'a Grid, lines: &'a TableFacts) -> CellContext<'a> {
        let mut unlike = vec![(0_u32, 0_u32); lines.rows.len()];
        for (cell, facts) in grid.cells.iter().zip(&lines.facts) {
            let column = &lines.columns[cell.column as usize];
            if column.filled == 0 || facts.is_empty() || cell.columns > 1 {
                continue;
            }
            let (different, all) = &mut unlike[cell.row as usize];
            *different += u32::from(column.kind() != facts.holds);
            *all += 1;
        }
        let th = lines.facts.iter().filter(|f| f.th).count() as u32;
        let looks = |line: fn(&Cell) -> u32, count: usize| {
            let cells = grid.cells.iter().zip(&lines.facts);
            majority(
                cells.map(|(cell, facts)| (line(cell) as usize, facts.looks_hash)),
                count,
            )
        };
        CellContext {
            grid,
            lines,
            unlike_columns: unlike.iter().map(|&(part, all)| share(part, all)).collect(),
            row_looks: looks(|cell| cell.row, lines.rows.len()),
            column_looks: looks(|cell| cell.column, lines.columns.len()),
            repeats: lines.repeats(grid),
            th: share(th, lines.facts.len() as u32),
        }
    }

    /// The facts of the cell that covers a slot.
    fn at(&self, row: Option<u32>, column: Option<u32>) -> Option<&CellFacts> {
        Some(&self.lines.facts[self.grid.at(row?, column?)?])
    }

    fn row_of(&self, cell: &Cell, facts: &CellFacts) -> CellRow {
        let (grid, lines) = (self.grid, self.lines);
        let row = &lines.rows[cell.row as usize];
        let column = &lines.columns[cell.column as usize];
        let first_column = &lines.columns[0];
        let below = self.at(Some(cell.row + cell.rows), Some(cell.column));
        let right = self.at(Some(cell.row), Some(cell.column + cell.columns));
        let above = self.at(cell.row.checked_sub(1), Some(cell.column));
        let left = self.at(Some(cell.row), cell.column.checked_sub(1));
        let flag = |is: bool| f32::from(u8::from(is));
        let same = |other: Option<&CellFacts>| match other {
            Some(other) => flag(other.holds == facts.holds),
            None => -1.0,
        };
        let unlike = |other: Option<&CellFacts>| match other {
            Some(other) => flag(other.looks_hash != facts.looks_hash),
            None => -1.0,
        };
        let first_row = &lines.rows[lines.leading as usize];
        let out: CellRow = [
            cell.row.min(20) as f32,
            (grid.rows() - cell.row - cell.rows).min(20) as f32,
            cell.row as f32 - lines.leading as f32,
            cell.column.min(20) as f32,
            (grid.columns - cell.column - cell.columns).min(20) as f32,
            log(grid.rows()),
            grid.columns.min(30) as f32,
            cell.rows.min(10) as f32,
            cell.columns.min(10) as f32,
            share(cell.columns, grid.columns),
            flag(row.filled <= 1 && !facts.is_empty()),
            share(row.filled, grid.columns),
            flag(facts.th),
            flag(facts.scope_row),
            flag(facts.scope_column),
            flag(facts.in_head),
            flag(facts.in_foot),
            share(facts.bold_chars, facts.chars),
            share(facts.light_chars, facts.chars),
            flag(facts.painted),
            flag(facts.header_class),
            share(row.th, row.cells),
            share(row.bold, row.filled),
            share(row.painted, row.cells),
            share(column.th, column.cells),
            share(column.bold, column.filled),
            self.th,
            unlike(below),
            unlike(right),
            flag(self.row_looks[cell.row as usize] != facts.looks_hash),
            flag(self.column_looks[cell.column as usize] != facts.looks_hash),
            facts.lines.min(20) as f32,
            log(share(facts.chars, facts.lines)),
            log(facts.chars),
            facts.words.min(30) as f32,
            log(f64::from(facts.chars) / f64::from(share(row.chars, row.filled).max(1.0))),
            log(f64::from(facts.chars) / f64::from(share(column.chars, column.filled).max(1.0))),
            flag(facts.holds == CellContent::Number),
            share(facts.digits, facts.digits + facts.letters),
            flag(facts.holds == CellContent::Signs),
            flag(facts.is_empty()),
            flag(facts.holds == CellContent::Prose),
            share(facts.link_chars, facts.chars),
            facts.images.min(5) as f32,
            flag(facts.ends_with_colon),
            flag(facts.note),
            flag(is_year(facts)),
            same(below),
            same(right),
            same(above),
            same(left),
            flag(row.kind() == facts.holds),
            flag(column.kind() == facts.holds),
            share(row.numbers, row.filled),
            share(row.years, row.filled),
            share(row.cells - row.filled, row.cells),
            log(share(row.chars, row.filled)),
            share(row.distinct, row.filled),
            self.unlike_columns[cell.row as usize],
            share(row.colons, row.filled),
            share(column.numbers, column.filled),
            share(column.cells - column.filled, column.cells),
            log(share(column.chars, column.filled)),
            share(column.distinct, column.filled),
            share(column.colons, column.filled),
            share(column.counts, column.filled),
            share(column.years, column.filled),
            share(column.linked, column.filled),
            share(first_column.numbers, first_column.filled),
            share(first_column.distinct, first_column.filled),
            log(share(first_column.chars, first_column.filled)),
            share(row.merged, row.cells),
            share(column.merged, column.cells),
            (cell.column as f32 - lines.subject as f32).clamp(-3.0, 3.0),
            self.unlike_columns[lines.leading as usize],
            share(first_row.th, first_row.cells),
            flag(self.repeats[cell.row as usize]),
        ];
        out
    }
}

/// For each line the value that won a majority vote of Boyer and Moore: the one that
/// more than half of its values have, if there is one.
fn majority(values: impl Iterator<Item = (usize, u64)>, lines: usize) -> Vec<u64> {
    let mut candidates = vec![(0_u64, 0_u32); lines];
    for (line, value) in values {
        let (holder, votes) = &mut candidates[line];
        if *votes == 0 {
            (*holder, *votes) = (value, 1);
        } else if *holder == value {
            *votes += 1;
        } else {
            *votes -= 1;
        }
    }
    candidates.into_iter().map(|(holder, _)| holder).collect()
}
