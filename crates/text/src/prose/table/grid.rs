//! The cells of a table at their rows and columns.

use crate::prose::{TextOptions, run::run};
use forest_html::page::{Kind, Mask, NodeId, Page};
use forest_html::text::fold;
use html5ever::{LocalName, local_name};

/// Columns that a cell spans at the most (the HTML standard's bound).
pub const MAX_COLUMN_SPAN: u32 = 1000;

/// Slots of a grid for each of its cells at the most, and [`MIN_SLOTS`] besides.
/// If the spans need more, all are read as 1: such spans are wrong.
const SLOTS_A_CELL: usize = 16;

/// Slots that every grid may have.
const MIN_SLOTS: usize = 4096;

/// A cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// Its `td` or `th`.
    pub node: NodeId,
    /// Its first row, from 0.
    pub row: u32,
    /// Its first column, from 0.
    pub column: u32,
    /// Rows that it covers, at least 1, up to the end of its row group.
    pub rows: u32,
    /// Columns that it covers, at least 1.
    pub columns: u32,
    /// Its text with its line breaks; empty if no node of it is kept.
    pub text: String,
}

/// A table's cells in document order, and the slots that they cover.
#[derive(Debug, Clone, Default)]
pub struct Grid {
    /// The text of the `caption`; empty without a caption.
    pub caption: String,
    /// The cells in document order.
    pub cells: Vec<Cell>,
    /// The number of columns, up to the last in which a cell begins.
    pub columns: u32,
    /// Row by row, the index of the cell that covers the slot, plus one; 0 for a slot
    /// without a cell. A row ends with its last covered slot.
    slots: Vec<u32>,
    /// The index in `slots` at which each row begins, and the end of the last row.
    starts: Vec<u32>,
}

impl Grid {
    /// The grid of a `table` element: rows in document order, a `tfoot` included, spans
    /// expanded and clamped. An inner table is part of the text of its cell.
    pub fn of(page: &Page, table: NodeId, body: &Mask, options: &TextOptions) -> Grid {
        let source = SourceRows::of(page, table);
        let count: usize = source.rows.iter().map(|row| row.len()).sum();
        let limit = MIN_SLOTS + SLOTS_A_CELL * count;
        let cells = source
            .place(limit)
            .unwrap_or_else(|| source.place_without_spans());
        let mut grid = Grid::laid_out(source.rows.len(), cells);
        for cell in &mut grid.cells {
            run(page, cell.node, body, options, &mut cell.text);
        }
        if let Some(caption) = source.caption {
            run(page, caption, body, options, &mut grid.caption);
        }
        grid
    }

    /// The number of rows.
    pub fn rows(&self) -> u32 {
        self.starts.len().saturating_sub(1) as u32
    }

    /// The index of the cell that covers a slot.
    pub fn at(&self, row: u32, column: u32) -> Option<usize> {
        let slots = self.row(row);
        (*slots.get(column as usize)? as usize).checked_sub(1)
    }

    /// The cells that cover slots of a row, each once, from left to right.
    pub fn row_cells(&self, row: u32) -> impl Iterator<Item = usize> {
        let mut last = 0;
        self.row(row).iter().filter_map(move |&slot| {
            let is_new = slot != last;
            last = slot;
            (slot as usize).checked_sub(1).filter(|_| is_new)
        })
    }

    /// The rows as a linear extraction (figure 1): the caption, then a line a row, cell
    /// after cell.
    pub fn linear(&self) -> Vec<String> {
        let mut lines = vec![String::new(); self.rows() as usize + 1];
        let texts = self.cells.iter().map(|cell| (cell.row + 1, &cell.text));
        for (line, text) in std::iter::once((0, &self.caption)).chain(texts) {
            let line = &mut lines[line as usize];
            line.push(' ');
            line.push_str(text);
        }
        for line in &mut lines {
            *line = fold(line);
        }
        lines.retain(|line| !line.is_empty());
        lines
    }

    /// The number of slots of a row.
    pub fn row_length(&self, row: u32) -> u32 {
        self.row(row).len() as u32
    }

    fn row(&self, row: u32) -> &[u32] {
        match (
            self.starts.get(row as usize),
            self.starts.get(row as usize + 1),
        ) {
            (Some(&start), Some(&end)) => &self.slots[start as usize..end as usize],
            _ => &[],
        }
    }

    /// Lays out cells without texts; clamps their columns.
    fn laid_out(rows: usize, mut cells: Vec<Cell>) -> Grid {
        let columns = columns_of(&cells);
        for cell in &mut cells {
            cell.columns = cell.columns.min(columns - cell.column);
        }
        let ends = row_ends(rows, columns, &cells);
        let mut starts = Vec::with_capacity(ends.len() + 1);
        let mut sum = 0;
        starts.push(sum);
        for end in ends {
            sum += end;
            starts.push(sum);
        }
        let mut slots = vec![0; sum as usize];
        for (i, cell) in cells.iter().enumerate() {
            for row in cell.row..cell.row + cell.rows {
                let first = (starts[row as usize] + cell.column) as usize;
                for slot in &mut slots[first..first + cell.columns as usize] {
                    // Of two cells that cover a slot, the first has it.
                    if *slot == 0 {
                        *slot = i as u32 + 1;
                    }
                }
            }
        }
        Grid {
            caption: String::new(),
            cells,
            columns,
            slots,
            starts,
        }
    }
}

/// The rows of the document, before spans are expanded.
struct SourceRows {
    caption: Option<NodeId>,
    /// The cells of each row.
    rows: Vec<Vec<NodeId>>,
    /// For each row, one past the last row of its group.
    group_ends: Vec<u32>,
    /// Column span and row span of each cell, row by row. A row span of 0 reaches to the
    /// end of the group.
    spans: Vec<(u32, u32)>,
}

impl SourceRows {
    fn of(page: &Page, table: NodeId) -> SourceRows {
        let mut source = SourceRows {
            caption: None,
            rows: Vec::new(),
            group_ends: Vec::new(),
            spans: Vec::new(),
        };
        let is = |n: NodeId, name: LocalName| page.tag(n) == Some(&name);
        for child in page.children(table) {
            if is(child, local_name!("caption")) {
                source.caption = source.caption.or(Some(child));
            } else if is(child, local_name!("tr")) {
                source.add(page, child);
            } else if is(child, local_name!("tbody"))
                || is(child, local_name!("thead"))
                || is(child, local_name!("tfoot"))
            {
                source.end_group();
                for row in page.children(child).filter(|&n| is(n, local_name!("tr"))) {
                    source.add(page, row);
                }
                source.end_group();
            }
        }
        source.end_group();
        source
    }

    fn end_group(&mut self) {
        let end = self.rows.len() as u32;
        self.group_ends.resize(self.rows.len(), end);
    }

    fn add(&mut self, page: &Page, row: NodeId) {
        let cells = page.children(row).filter(|&n| {
            page.kind(n) == Kind::Element
                && page
                    .tag(n)
                    .is_some_and(|t| matches!(*t, local_name!("td") | local_name!("th")))
        });
        let cells: Vec<NodeId> = cells.collect();
        for &cell in &cells {
            let columns = page.attr(cell, "colspan").and_then(number);
            let columns = columns.filter(|&n| n > 0).unwrap_or(1);
            let rows = page.attr(cell, "rowspan").and_then(number).unwrap_or(1);
            self.spans.push((columns.min(MAX_COLUMN_SPAN), rows));
        }
        self.rows.push(cells);
    }

    /// The cells without texts by the standard's algorithm; `None` if they cover more
    /// than `limit` slots.
    fn place(&self, limit: usize) -> Option<Vec<Cell>> {
        let mut cells = Vec::with_capacity(self.spans.len());
        // For each column, the row from which on it is free.
        let mut free_from: Vec<u32> = Vec::new();
        let mut spans = self.spans.iter();
        let mut covered = 0_usize;
        for (r, row) in self.rows.iter().enumerate() {
            let mut column = 0;
            for (&node, &(columns, rows)) in row.iter().zip(&mut spans) {
                while free_from.get(column).is_some_and(|&free| free > r as u32) {
                    column += 1;
                    covered += 1;
                }
                let left = self.group_ends[r] - r as u32;
                let rows = if rows == 0 { left } else { rows.min(left) };
                let end = column + columns as usize;
                covered += columns as usize * rows as usize;
                if covered > limit {
                    return None;
                }
                if free_from.len() < end {
                    free_from.resize(end, 0);
                }
                for free in &mut free_from[column..end] {
                    *free = (*free).max(r as u32 + rows);
                }
                cells.push(Cell {
                    node,
                    row: r as u32,
                    column: column as u32,
                    rows,
                    columns,
                    text: String::new(),
                });
                column = end;
            }
        }
        let ends = row_ends(self.rows.len(), columns_of(&cells), &cells);
        let slots: usize = ends.iter().map(|&end| end as usize).sum();
        (slots <= limit).then_some(cells)
    }

    /// The cells without texts, with all spans read as 1.
    fn place_without_spans(&self) -> Vec<Cell> {
        let mut cells = Vec::with_capacity(self.spans.len());
        for (r, row) in self.rows.iter().enumerate() {
            for (column, &node) in row.iter().enumerate() {
                cells.push(Cell {
                    node,
                    row: r as u32,
                    column: column as u32,
                    rows: 1,
                    columns: 1,
                    text: String::new(),
                });
            }
        }
        cells
    }
}

/// The number of columns, up to the last in which a cell begins.
fn columns_of(cells: &[Cell]) -> u32 {
    cells.iter().map(|cell| cell.column + 1).max().unwrap_or(0)
}

/// For each row, the end of its last covered slot.
fn row_ends(rows: usize, columns: u32, cells: &[Cell]) -> Vec<u32> {
    let mut ends = vec![0; rows];
    for cell in cells {
        for end in &mut ends[cell.row as usize..(cell.row + cell.rows) as usize] {
            *end = (cell.column + cell.columns).min(columns).max(*end);
        }
    }
    ends
}

/// A non-negative integer by the HTML standard's rules; `None` if they fail.
fn number(value: &str) -> Option<u32> {
    let value = value.trim_start_matches(|c: char| c.is_ascii_whitespace());
    let value = value.strip_prefix('+').unwrap_or(value);
    let digits = value.bytes().take_while(u8::is_ascii_digit);
    let mut seen = false;
    let number = digits.fold(0_u32, |n, digit| {
        seen = true;
        n.saturating_mul(10).saturating_add(u32::from(digit - b'0'))
    });
    seen.then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The grid as text: a row a line, a cell's text in every slot it covers.
    fn check(rows: &str, expected: &[&str]) {
        let page = Page::from_html(&format!("<table>{rows}</table>"));
        let table = page
            .subtree(page.root())
            .find(|&n| page.tag(n) == Some(&local_name!("table")))
            .expect("a table");
        let grid = Grid::of(&page, table, &Mask::all(&page), &TextOptions::default());
        let shown: Vec<String> = (0..grid.rows())
            .map(|row| {
                let slots = (0..grid.columns).map(|column| match grid.at(row, column) {
                    Some(cell) => grid.cells[cell].text.as_str(),
                    None => "-",
                });
                slots.collect::<Vec<_>>().join(" ")
            })
            .collect();
        assert_eq!(shown, expected, "{rows}");
    }

    #[test]
    fn spans_are_expanded() {
        check("<tr><td>a<td>b<tr><td>c<td>d", &["a b", "c d"]);
        check("<tr><td colspan=2>a<tr><td>c<td>d", &["a a", "c d"]);
        check("<tr><td rowspan=2>a<td>b<tr><td>d", &["a b", "a d"]);
        check(
            "<tr><td rowspan=0>a<td>b<tr><td>d<tr><td>e",
            &["a b", "a d", "a e"],
        );
        check(
            "<tbody><tr><td rowspan=9>a<td>b<tbody><tr><td>d",
            &["a b", "d -"],
        );
        check("<tr><td>a<tr><td>c<td>d", &["a -", "c d"]);
    }

    #[test]
    fn a_linear_extraction_is_cell_after_cell() {
        let page = Page::from_html(
            "<table><caption>A <b>b</b></caption><tr><td rowspan=2>c<br>d<td>e<tr><td>f<tr><td></table>",
        );
        let table = page.nodes().find(|&n| page.is(n, &local_name!("table")));
        let (all, options) = (Mask::all(&page), TextOptions::default());
        let grid = Grid::of(&page, table.expect("a table"), &all, &options);
        assert_eq!(grid.linear(), ["A b", "c d e", "f"]);
    }

    #[test]
    fn spans_that_lie_are_clamped() {
        for span in ["0", "-1", "2x", "1000", "9007199254740991"] {
            let first = if span == "2x" || span.len() > 2 {
                "a a"
            } else {
                "a -"
            };
            check(
                &format!("<tr><td colspan={span}>a<tr><td>c<td>d"),
                &[first, "c d"],
            );
        }
        check("<tr><td rowspan=99>a<td>b", &["a b"]);
        check("", &[]);
        let many = "<tr><td colspan=1000 rowspan=1000>a<td colspan=1000>b".repeat(20);
        check(&many, &["a b"; 20]);
    }
}
