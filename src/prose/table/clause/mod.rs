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

pub mod across;
pub mod cells;
pub mod markdown;
pub mod pattern;
mod reader;
pub mod reading;
pub mod sentence;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use super::{CellClass, Grid};
use crate::prose::{TableStyle, TextOptions};
use cells::Cells;
use reading::Reading;

/// Bytes of output for each byte of the table's text at the most (DESIGN).
pub const MAX_GROWTH: usize = 10;

/// Words of a thema or note that is repeated with every row, at the most. Captions
/// of the tables that were looked at have fewer; longer ones are sentences.
pub const MAX_CONTEXT_WORDS: usize = 12;

/// Words of what names a row at the most; the beginning of a longer text is its
/// name (see [`Cells::named`]).
pub const MAX_NAME_WORDS: usize = 12;

/// Words of a header in a clause at the most, and its bytes for texts without
/// spaces.
pub const MAX_HEADER_WORDS: usize = 12;

/// Bytes of a header at the most.
pub const MAX_HEADER_BYTES: usize = 160;

/// Words and bytes of a header where the whole would be too long.
const SHORT_HEADER: (usize, usize) = (3, 24);

/// How much of a table's headers is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// All of them.
    Full,
    /// A few words of each.
    Short,
    /// None, and each cell once.
    Bare,
}

impl Detail {
    /// Words and bytes of a header at the most.
    fn header(self) -> (usize, usize) {
        match self {
            Detail::Full => (MAX_HEADER_WORDS, MAX_HEADER_BYTES),
            Detail::Short => SHORT_HEADER,
            Detail::Bare => (0, 0),
        }
    }
}

/// Lines, and how many bytes they may still have.
#[derive(Debug, Default)]
pub struct Lines {
    lines: Vec<String>,
    left: usize,
}

/// The lines are longer than they may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

impl Lines {
    /// Adds a line, if there is room for it.
    fn push(&mut self, line: String) -> Result<(), TooLong> {
        self.left = self.left.checked_sub(line.len() + 1).ok_or(TooLong)?;
        self.lines.push(line);
        Ok(())
    }
}

/// Adds a data table's lines to `out`; nothing where it holds no text.
pub fn write(grid: &Grid, classes: &[CellClass], options: &TextOptions, out: &mut Vec<String>) {
    let cells = Cells::of(grid, classes);
    let most = cells.bytes.saturating_mul(MAX_GROWTH);
    for detail in [Detail::Full, Detail::Short, Detail::Bare] {
        let reading = Reading::of(grid, classes, &cells, detail);
        let mut lines = Lines {
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
