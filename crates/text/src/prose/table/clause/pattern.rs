//! A clause a row: figure 6.

use super::bounds::{BoundedLines, Detail, TooLong};
use super::cells::{end, name};
use super::reading::{DataRow, TableLine, TableReading};
use std::ops::Range;

/// Between the titles and notes of a row and the row.
const AFTER_CONTEXT: &str = " ;; ";

/// Between two data.
const BETWEEN_DATA: &str = " / ";

/// Between two headers of a datum.
const BETWEEN_HEADERS: &str = " ; ";

/// Writes all rows.
pub fn write(reading: &TableReading, lines: &mut BoundedLines) -> Result<(), TooLong> {
    for line in &reading.lines {
        lines.push(match line {
            TableLine::Row(row) => clause(reading, row),
            TableLine::Loose(texts) => loose(texts),
        })?;
    }
    Ok(())
}

/// Texts outside of rows as a line.
pub fn loose(texts: &[&str]) -> String {
    let mut out = texts.join(BETWEEN_DATA);
    end(&mut out);
    out
}

fn clause(reading: &TableReading, row: &DataRow) -> String {
    let mut out = String::new();
    for text in reading.thema(row).chain(reading.notes.iter().copied()) {
        out.push_str(name(text));
        out.push_str(AFTER_CONTEXT);
    }
    let entries = reading.entries(row);
    let mut is_first = true;
    let mut pair = |headers: [&str; 2], datum: &str| {
        if !std::mem::take(&mut is_first) {
            out.push_str(BETWEEN_DATA);
        }
        let mut headers = headers.into_iter().filter(|header| !header.is_empty());
        if let Some(header) = headers.next() {
            out.push_str(header);
            if let Some(header) = headers.next() {
                out.push_str(BETWEEN_HEADERS);
                out.push_str(header);
            }
            out.push_str(": ");
        }
        out.push_str(datum);
    };
    let mut run: Range<usize> = 0..0;
    let mut beside = String::new();
    let data = reading.beside(row);
    for (at, (i, its_run)) in data.iter().enumerate() {
        if *its_run != run {
            run = its_run.clone();
            let headers = &entries[run.clone()];
            // Long headers are written once and then only by their names, if they are
            // needed again.
            let is_again = data.get(at + 1).is_some_and(|(_, next)| *next == run);
            let (text, is_cut) = reading.named(headers, is_again);
            let is_once = reading.detail != Detail::Full;
            beside = if is_once { String::new() } else { text };
            for header in headers {
                let above = reading.above(row, header);
                if is_once || is_cut || !above.is_empty() {
                    pair([&above, ""], name(&reading.cells.texts[header.cell]));
                }
            }
        }
        let entry = &entries[*i];
        let above = reading.above(row, entry);
        pair([&above, &beside], &reading.cells.texts[entry.cell]);
    }
    end(&mut out);
    out
}
