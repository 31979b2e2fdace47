//! The facts of each row and column: sums over its cells.

use super::facts::{CellContent, CellFacts};
use super::{Cell, Grid};
use std::hash::{DefaultHasher, Hasher};

/// Sums over the cells of a row or a column. A cell counts in the row and column in which
/// it begins. Cells over several columns do not count for columns.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LineFacts {
    pub cells: u32,
    pub filled: u32,
    pub numbers: u32,
    pub words: u32,
    pub prose: u32,
    pub th: u32,
    pub bold: u32,
    pub painted: u32,
    pub merged: u32,
    pub colons: u32,
    pub linked: u32,
    pub chars: u32,
    /// Different texts among the filled cells.
    pub distinct: u32,
    /// Filled cells whose text is a year.
    pub years: u32,
    /// Filled cells whose text is one more than that of the filled cell before.
    pub counts: u32,
}

/// Years are whole numbers from here to [`LAST_YEAR`].
const FIRST_YEAR: u32 = 1500;
/// The last year.
const LAST_YEAR: u32 = 2100;

impl LineFacts {
    fn add(&mut self, cell: &Cell, facts: &CellFacts) {
        self.cells += 1;
        self.th += u32::from(facts.th);
        self.painted += u32::from(facts.painted);
        self.merged += u32::from(cell.rows > 1 || cell.columns > 1);
        if facts.is_empty() {
            return;
        }
        self.filled += 1;
        self.numbers += u32::from(facts.holds == CellContent::Number);
        self.words += u32::from(facts.holds == CellContent::Words);
        self.prose += u32::from(facts.holds == CellContent::Prose);
        self.bold += u32::from(facts.bold_chars * 2 > facts.chars);
        self.colons += u32::from(facts.ends_with_colon);
        self.linked += u32::from(facts.link_chars * 2 > facts.chars);
        self.chars += facts.chars;
        self.years += u32::from(is_year(facts));
    }

    /// The kind of content of most of its filled cells.
    pub fn kind(&self) -> CellContent {
        if self.filled == 0 {
            CellContent::Nothing
        } else if self.numbers * 2 > self.filled {
            CellContent::Number
        } else if self.prose * 2 > self.filled {
            CellContent::Prose
        } else if self.words * 2 > self.filled {
            CellContent::Words
        } else {
            CellContent::Signs
        }
    }
}

/// Returns true if a cell's text is a year.
pub(super) fn is_year(facts: &CellFacts) -> bool {
    facts
        .integer
        .is_some_and(|n| (FIRST_YEAR..=LAST_YEAR).contains(&n))
}

/// The facts of a table: of its cells, rows and columns.
pub(super) struct TableFacts {
    pub facts: Vec<CellFacts>,
    pub rows: Vec<LineFacts>,
    /// Without the rows above [`TableFacts::first_body_row`].
    pub columns: Vec<LineFacts>,
    /// The number of rows at the top that have at most one filled cell.
    pub leading: u32,
    /// The first row that may be data: the row behind the first row of several filled
    /// cells; 0 if there is no such row.
    pub first_body_row: u32,
    /// The column that names what the rows are about.
    pub subject: u32,
}

/// Columns from the left that may name the rows.
const SUBJECT_COLUMNS: u32 = 3;

/// Share of different texts from which a column may name the rows.
const SUBJECT_DISTINCT: f32 = 0.7;

impl TableFacts {
    /// Adds up the cells of a grid.
    pub fn of(grid: &Grid, facts: Vec<CellFacts>) -> TableFacts {
        let mut rows = vec![LineFacts::default(); grid.rows() as usize];
        let cells = || grid.cells.iter().zip(&facts);
        for (cell, facts) in cells() {
            rows[cell.row as usize].add(cell, facts);
        }
        let leading = rows.iter().take_while(|row| row.filled <= 1).count();
        let leading = if leading < rows.len() { leading } else { 0 } as u32;
        // The rows below cells over several rows or columns belong to the header.
        let mut first_body_row = leading + 1;
        if let Some(first) = rows.get(leading as usize)
            && first.merged > 0
        {
            let in_row = cells().filter(|(cell, _)| cell.row == leading);
            let end = in_row.map(|(cell, _)| cell.row + cell.rows).max();
            let split = end.filter(|&end| end <= leading + 3);
            first_body_row = split.unwrap_or(first_body_row).max(first_body_row);
        }
        if first_body_row >= grid.rows() {
            first_body_row = 0;
        }
        let mut columns = vec![LineFacts::default(); grid.columns as usize];
        let mut texts: Vec<(u32, u64)> = Vec::new();
        let mut last: Vec<Option<u32>> = vec![None; grid.columns as usize];
        for (cell, facts) in cells() {
            let alone = rows[cell.row as usize].filled <= 1 && grid.columns > 1;
            if cell.columns > 1 || cell.row < first_body_row || alone {
                continue;
            }
            let column = cell.column as usize;
            columns[column].add(cell, facts);
            if !facts.is_empty() {
                texts.push((cell.column, facts.text_hash));
                let next = last[column].and_then(|n| n.checked_add(1));
                columns[column].counts += u32::from(next.is_some() && next == facts.integer);
                last[column] = facts.integer;
            }
        }
        count_distinct(&mut texts, |column| columns[column as usize].distinct += 1);
        texts.clear();
        let filled = cells().filter(|(_, facts)| !facts.is_empty());
        texts.extend(filled.map(|(cell, facts)| (cell.row, facts.text_hash)));
        count_distinct(&mut texts, |row| rows[row as usize].distinct += 1);
        let subject = subject(&columns);
        TableFacts {
            facts,
            rows,
            columns,
            leading,
            first_body_row,
            subject,
        }
    }
}

impl TableFacts {
    /// For each row, true if it repeats the texts of a header row above it.
    pub fn repeats(&self, grid: &Grid) -> Vec<bool> {
        let mut hashes = vec![DefaultHasher::new(); self.rows.len()];
        for (cell, facts) in grid.cells.iter().zip(&self.facts) {
            if !facts.is_empty() {
                hashes[cell.row as usize].write_u64(facts.text_hash);
            }
        }
        let hashes: Vec<u64> = hashes.iter().map(Hasher::finish).collect();
        let first = self.leading as usize;
        let end = (self.first_body_row as usize)
            .max(first + 1)
            .min(hashes.len());
        let headers = &hashes[first.min(end)..end];
        let row_repeats =
            |row: usize| row >= end && self.rows[row].filled > 1 && headers.contains(&hashes[row]);
        (0..hashes.len()).map(row_repeats).collect()
    }
}

/// Counts the different texts of each line.
fn count_distinct(texts: &mut [(u32, u64)], mut count: impl FnMut(u32)) {
    texts.sort_unstable();
    let mut last = None;
    for &text in texts.iter() {
        if last != Some(text) {
            count(text.0);
            last = Some(text);
        }
    }
}

/// The first of the columns whose texts are words, mostly different, and no running
/// numbers; column 0 if there is no such column.
fn subject(columns: &[LineFacts]) -> u32 {
    let names = |line: &LineFacts| {
        let filled = line.filled as f32;
        line.filled * 2 > line.cells
            && line.distinct as f32 >= SUBJECT_DISTINCT * filled
            && line.counts * 2 < line.filled
            && matches!(line.kind(), CellContent::Words | CellContent::Prose)
    };
    let looked_at = columns.iter().take(SUBJECT_COLUMNS as usize);
    looked_at
        .enumerate()
        .find(|(_, line)| names(line))
        .map_or(0, |(column, _)| column as u32)
}

#[cfg(test)]
mod tests {
    use super::super::classify::lines_of;
    use super::*;
    use crate::prose::TextOptions;
    use forest_html::page::{Mask, Page};
    use html5ever::local_name;

    fn lines(rows: &str) -> (Grid, TableFacts) {
        let page = Page::from_html(&format!("<table>{rows}</table>"));
        let table = page.nodes().find(|&n| page.is(n, &local_name!("table")));
        let table = table.expect("a table");
        let grid = Grid::of(&page, table, &Mask::all(&page), &TextOptions::default());
        let lines = lines_of(&page, &grid);
        (grid, lines)
    }

    #[test]
    fn the_first_row_of_the_body() {
        let check = |rows: &str, leading: u32, first_body_row: u32| {
            let (_, lines) = lines(rows);
            assert_eq!(
                (lines.leading, lines.first_body_row),
                (leading, first_body_row),
                "{rows}"
            );
        };
        check("<tr><td>a<td>b<tr><td>c<td>d", 0, 1);
        check("<tr><td colspan=2>t<tr><td>a<td>b<tr><td>c<td>d", 1, 2);
        check("<tr><td rowspan=2>a<td>b<tr><td>c<tr><td>d<td>e", 0, 2);
        check("<tr><td>a<td>b", 0, 0);
        check("<tr><td>a<tr><td>b", 0, 1);
    }

    #[test]
    fn the_column_that_names_the_rows() {
        let check =
            |rows: &str, expected: u32| assert_eq!(lines(rows).1.subject, expected, "{rows}");
        check("<tr><td>a<td>b<tr><td>Oak<td>7<tr><td>Elm<td>9", 0);
        check(
            "<tr><td>a<td>b<tr><td>1<td>Oak<tr><td>2<td>Elm<tr><td>3<td>Ash",
            1,
        );
        check(
            "<tr><td>a<td>b<tr><td>x<td>Oak<tr><td>x<td>Elm<tr><td>x<td>Ash",
            1,
        );
        check("<tr><td>a<td>b<tr><td>1<td>5<tr><td>2<td>9", 0);
    }

    #[test]
    fn rows_that_repeat_a_header() {
        let check = |rows: &str, expected: &[bool]| {
            let (grid, lines) = lines(rows);
            assert_eq!(lines.repeats(&grid), expected, "{rows}");
        };
        let head = "<tr><td>a<td>b";
        check(
            &format!("{head}<tr><td>c<td>d{head}"),
            &[false, false, true],
        );
        check("<tr><td>t<td><tr><td>c<td>d<tr><td>t<td>", &[false; 3]);
    }

    #[test]
    fn counts_and_different_texts_of_a_column() {
        let (_, lines) = lines("<tr><td>a<td>b<tr><td>1<td>x<tr><td>2<td>x<tr><td>4<td>1999");
        assert_eq!((lines.columns[0].counts, lines.columns[0].distinct), (1, 3));
        assert_eq!((lines.columns[1].distinct, lines.columns[1].years), (2, 1));
    }
}
