//! A data table and its cells' classes as lines of text. Kitten 3.1.2, figure 6.
//!
//! Takes a [`Grid`] and a class for each of its cells; gives lines, each a clause or a
//! sentence. [`TableReading`] has the headers above and beside each datum; the three
//! styles write it.
//!
//! The paper's pattern, in its words:
//!
//! ```text
//! thema? ;;? finalImportant? ;;? (header? ;? header : data /?)+ .
//! ```
//!
//! - [`bounds`]: the limits of all parts.
//! - [`reading`]: rows, their headers, and the titles and notes of all of them;
//!   [`reader`] finds them.
//! - [`cells`]: texts of cells on one line, their words counted.
//! - [`pattern`]: `--table-style clause`, a clause a row.
//! - [`sentence`]: `--table-style sentence`, sentences of at most 40 words; sentences over
//!   several rows are in [`across`].
//! - [`markdown`]: `--table-style markdown`, for people.
//!
//! Only the classes decide, not the tags. Neutral and finalNonImportant cells and data
//! without text are left out.
//!
//! # Bounds
//! The lines have at most [`MAX_GROWTH`] bytes for each byte of the table's text. A table
//! that exceeds this is written with its headers cut to a few words; if that is too long
//! as well, without headers, each cell once.
//!
//! # Departures
//! - **Headers of headers.** A header over row headers ("Country" over "France") is not
//!   part of the pattern. It is written once a clause, with the row header as its data,
//!   so that it is not lost.
//! - **Sections.** A row of one header only is a title for the rows below it. It follows
//!   the thema. The paper has no word for it.
//! - **Long texts.** A thema or note of more than [`bounds::MAX_CONTEXT_WORDS`] words is
//!   written once and not with every row. A header of more than
//!   [`bounds::MAX_HEADER_WORDS`] is written once and cut in the clauses, a row header to
//!   the name that it begins with.
//! - **Headers without data** are written as a separate clause, since classes may be
//!   wrong.
//!
//! The style `sentence` is not the paper's; `docs/experiments.md` measures it by question
//! answering.

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

/// Adds a data table's lines to `out`; a table without text has no lines.
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
