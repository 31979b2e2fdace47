//! A data table and its cells' classes as lines of text. Kitten 3.1.2, figure 6.
//!
//! Takes a [`Grid`] and a class for each of its cells; gives lines, each a clause
//! or a sentence of its own. [`Reading`] says which headers stand over and beside
//! each datum; the three styles only write that down.
//!
//! The paper's pattern, in its words:
//!
//! ```text
//! thema? ;;? finalImportant? ;;? (header? ;? header : data /?)+ .
//! ```
//!
//! - [`reading`]: rows, their headers, and what holds for all of them; `reader`
//!   finds them.
//! - [`cells`]: texts of cells on one line, their words counted.
//! - [`pattern`]: `--table-style clause`, a clause a row.
//! - [`sentence`]: `--table-style sentence`, sentences of at most 40 words; what is
//!   read beside the rows is in [`across`].
//! - [`markdown`]: `--table-style markdown`, for people.
//!
//! Classes decide, tags are not asked: a cell is a header because its class says
//! so. Neutral and finalNonImportant cells are silent, data without text is left
//! out.
//!
//! # Bounds
//! No more than [`MAX_GROWTH`] bytes for each byte of the table's text. What would
//! be longer is written with its headers cut to a few words, and if that is too
//! long as well without headers, each cell once.
//!
//! # Departures
//! - **Headers of headers.** A header over row headers ("Country" over "France") is
//!   no part of the pattern, and would be lost: it is written once a clause, with
//!   the row header as its data.
//! - **Sections.** A row that holds nothing but one header is a title for the rows
//!   below it; it stands behind the thema. The paper has no word for it.
//! - **Long texts.** A thema or note of more than [`MAX_CONTEXT_WORDS`] words is
//!   written once and not with every row, a header of more than
//!   [`MAX_HEADER_WORDS`] once and cut in the clauses: a row header to the name that
//!   it begins with.
//! - **Headers without data** are written as a clause of their own and not lost:
//!   classes may be wrong.
//!
//! The style `sentence` is not the paper's; what it answers is measured in
//! `docs/experiments.md`.

mod across;
mod bounds;
mod cells;
mod markdown;
mod pattern;
mod reader;
mod reading;
mod sentence;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use super::{CellClass, Grid};
use crate::prose::{TableStyle, TextOptions};
use bounds::{BoundedLines, Detail, MAX_GROWTH};
use cells::CellTexts;
use reading::TableReading;

/// Adds a data table's lines to `out`; nothing where it holds no text.
pub(in crate::prose) fn write(
    grid: &Grid,
    classes: &[CellClass],
    options: &TextOptions,
    out: &mut Vec<String>,
) {
    let cells = CellTexts::of(grid, classes);
    let most = cells.bytes.saturating_mul(MAX_GROWTH);
    for detail in [Detail::Full, Detail::Short, Detail::Bare] {
        let reading = TableReading::of(grid, classes, &cells, detail);
        let mut lines = BoundedLines {
            lines: Vec::new(),
            left: most,
        };
        let written = match options.table_style {
            TableStyle::Clause => pattern::write(&reading, &mut lines),
            TableStyle::Sentence => sentence::write(&reading, options.table_across, &mut lines),
            TableStyle::Markdown if detail == Detail::Full => markdown::write(&reading, &mut lines),
            TableStyle::Markdown => pattern::write(&reading, &mut lines),
        };
        if written.is_ok() {
            out.append(&mut lines.lines);
            return;
        }
    }
}
