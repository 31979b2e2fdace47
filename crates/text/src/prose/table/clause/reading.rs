//! The rows of a table with their headers, titles and notes.

use super::bounds::{Detail, MAX_HEADER_WORDS};
use super::cells::{CellTexts, name, words};

/// A table as it is read.
#[derive(Debug)]
pub struct TableReading<'c> {
    /// The texts.
    pub cells: &'c CellTexts,
    /// The amount of the headers that is written.
    pub detail: Detail,
    /// The rows and loose texts, in order.
    pub lines: Vec<TableLine<'c>>,
    /// The notes below the table, which apply to all rows (finalImportant).
    pub notes: Vec<&'c str>,
    /// The number of the grid's columns.
    pub columns: u32,
    pub(super) entries: Vec<RowEntry>,
    /// Sets of titles; each row has the index of its set.
    pub(super) titles: Vec<Vec<&'c str>>,
    pub(super) blocks: Vec<HeaderBlock>,
}

/// A row or loose texts.
#[derive(Debug)]
pub enum TableLine<'c> {
    /// Texts outside of rows: long titles and notes, headers without data.
    Loose(Vec<&'c str>),
    /// A row of data.
    Row(DataRow<'c>),
}

/// A row of data.
#[derive(Debug)]
pub struct DataRow<'c> {
    /// The index of its titles.
    pub(super) titles: usize,
    /// The titles of its section.
    pub(super) section: Vec<&'c str>,
    /// The header block above it.
    pub block: usize,
    pub(super) begin: usize,
    pub(super) end: usize,
}

/// A cell of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowEntry {
    /// Its index.
    pub cell: usize,
    /// True for a header of its row, false for data.
    pub is_header: bool,
    /// Its first column.
    pub column: u32,
    /// The number of columns that it covers.
    pub columns: u32,
}

/// The headers above some rows.
#[derive(Debug, Default)]
pub(super) struct HeaderBlock {
    pub(super) labels: Vec<String>,
    /// For each column, the index of its label plus one; 0 without a label.
    pub(super) of_column: Vec<u32>,
}

impl<'c> TableReading<'c> {
    /// The rows of data.
    pub fn rows(&self) -> impl Iterator<Item = &DataRow<'c>> {
        self.lines.iter().filter_map(|line| match line {
            TableLine::Row(row) => Some(row),
            TableLine::Loose(_) => None,
        })
    }

    /// The cells of a row, headers among them.
    pub fn entries(&self, row: &DataRow) -> &[RowEntry] {
        &self.entries[row.begin..row.end]
    }

    /// The titles of a row: caption, titles, sections.
    pub fn thema<'a>(
        &'a self,
        row: &'a DataRow<'c>,
    ) -> impl Iterator<Item = &'c str> + use<'a, 'c> {
        let titles = self.titles[row.titles].iter();
        titles.chain(row.section.iter()).copied()
    }

    /// The header above a column; empty without a header.
    pub fn label(&self, block: usize, column: u32) -> &str {
        let block = &self.blocks[block];
        let label = block.of_column.get(column as usize).copied().unwrap_or(0);
        match label.checked_sub(1) {
            Some(label) => &block.labels[label as usize],
            None => "",
        }
    }

    /// The headers of a block, from left to right.
    pub fn labels(&self, block: usize) -> &[String] {
        &self.blocks[block].labels
    }

    /// The headers above an entry; empty for a datum that covers the whole row.
    pub fn above(&self, row: &DataRow, entry: &RowEntry) -> String {
        if entry.columns >= self.columns && self.columns > 1 {
            return String::new();
        }
        let mut out = String::new();
        let mut last = "";
        for column in entry.column..entry.column + entry.columns {
            let label = self.label(row.block, column);
            if label.is_empty() || label == last {
                continue;
            }
            if !out.is_empty() {
                if words(&out) + words(label) > self.detail.header().0 {
                    break;
                }
                out.push_str(", ");
            }
            out.push_str(label);
            last = label;
        }
        out
    }

    /// The names of a run of headers as one text, and true if it is shorter than the
    /// headers. A single header that is written once (`is_again` is false) is not cut.
    pub fn named(&self, headers: &[RowEntry], is_again: bool) -> (String, bool) {
        if let ([header], false) = (headers, is_again) {
            return (name(&self.cells.texts[header.cell]).to_owned(), false);
        }
        let mut out = String::new();
        let mut left = MAX_HEADER_WORDS;
        let mut is_cut = false;
        for header in headers {
            let (named, more) = self.cells.named(header.cell);
            let count = words(named);
            if count > left {
                return (out, true);
            }
            left -= count;
            is_cut |= !more.is_empty();
            if !out.is_empty() && !named.is_empty() {
                out.push_str(", ");
            }
            out.push_str(named);
        }
        (out, is_cut)
    }

    /// For each datum of a row, the run of headers beside it, as a range of the row's
    /// entries: the nearest run before it, else the first run behind it. A header at the
    /// row's end, with headers before it, counts as a datum unless it repeats them.
    pub fn beside(&self, row: &DataRow) -> Vec<(usize, std::ops::Range<usize>)> {
        let entries = self.entries(row);
        let first = entries.iter().position(|e| e.is_header).unwrap_or(0);
        let length = entries[first..].iter().take_while(|e| e.is_header).count();
        let mut run = first..first + length;
        let behind = entries.len() - entries.iter().rev().take_while(|e| e.is_header).count();
        let text = |entry: &RowEntry| &self.cells.texts[entry.cell];
        let mut out = Vec::new();
        for (i, entry) in entries.iter().enumerate() {
            let is_behind = i >= behind.max(run.end) && first < behind;
            if is_behind && text(entry) == text(&entries[run.start]) {
                continue;
            }
            if !entry.is_header || is_behind {
                out.push((i, run.clone()));
            } else if run.end == i {
                run.end = i + 1;
            } else if i > run.end {
                run = i..i + 1;
            }
        }
        out
    }
}
