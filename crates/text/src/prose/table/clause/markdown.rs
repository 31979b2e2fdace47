//! A GitHub table, for people.
//!
//! Caption and titles stand above it, notes below it. The headers of several rows are one
//! row. A cell over several columns stands in the first of them, a cell over several rows
//! in each. Columns without data and repeated headers are left out.

use super::bounds::{BoundedLines, TooLong};
use super::pattern::loose;
use super::reading::{DataRow, TableLine, TableReading};
use forest_core::render::escape_markdown;

/// Writes the table. `TooLong` also if empty cells of ragged rows would exceed the limit.
pub fn write(reading: &TableReading, lines: &mut BoundedLines) -> Result<(), TooLong> {
    let mut used = vec![false; reading.columns as usize];
    for row in reading.rows() {
        for entry in reading.entries(row) {
            used[entry.column as usize] = true;
        }
    }
    let mut block = None;
    let mut thema: Vec<&str> = Vec::new();
    for line in &reading.lines {
        match line {
            TableLine::Loose(texts) => {
                paragraph(&loose(texts), block.take().is_some(), lines)?;
            }
            TableLine::Row(row) => {
                let now: Vec<&str> = reading.thema(row).collect();
                if now != thema && !now.is_empty() {
                    paragraph(&now.join(". "), block.take().is_some(), lines)?;
                }
                thema = now;
                if block != Some(row.block) {
                    if block.is_some() {
                        lines.push(String::new())?;
                    }
                    head(reading, row, &used, lines)?;
                    block = Some(row.block);
                }
                body(reading, row, &used, lines)?;
            }
        }
    }
    for note in &reading.notes {
        paragraph(note, block.take().is_some(), lines)?;
    }
    if lines.lines.last().is_some_and(String::is_empty) {
        lines.lines.pop();
    }
    Ok(())
}

/// A line outside of the table with a blank line behind it; if `after_table`, also one
/// before it.
fn paragraph(text: &str, after_table: bool, lines: &mut BoundedLines) -> Result<(), TooLong> {
    if after_table {
        lines.push(String::new())?;
    }
    let mut out = String::new();
    escape_markdown(&mut out, text, 0, false);
    lines.push(out)?;
    lines.push(String::new())
}

fn head(
    reading: &TableReading,
    row: &DataRow,
    used: &[bool],
    lines: &mut BoundedLines,
) -> Result<(), TooLong> {
    let mut labels = String::from("|");
    let mut rule = String::from("|");
    for (column, _) in used.iter().enumerate().filter(|(_, is_used)| **is_used) {
        cell(reading.label(row.block, column as u32), &mut labels);
        rule.push_str(" --- |");
        // A row of empty headers may exceed the limit.
        if rule.len() > lines.left {
            return Err(TooLong);
        }
    }
    lines.push(labels)?;
    lines.push(rule)
}

fn body(
    reading: &TableReading,
    row: &DataRow,
    used: &[bool],
    lines: &mut BoundedLines,
) -> Result<(), TooLong> {
    let mut out = String::from("|");
    let mut at = 0;
    for entry in reading.entries(row) {
        let skipped = used.get(at..entry.column as usize).unwrap_or(&[]);
        for _ in skipped.iter().filter(|is_used| **is_used) {
            out.push_str("  |");
        }
        at = entry.column as usize + 1;
        cell(&reading.cells.texts[entry.cell], &mut out);
        if out.len() > lines.left {
            return Err(TooLong);
        }
    }
    lines.push(out)
}

fn cell(text: &str, out: &mut String) {
    out.push(' ');
    let line = out.len();
    escape_markdown(out, text, line, true);
    out.push_str(" |");
}
