//! A clause a row: figure 6.

use super::cells::{end, name};
use super::reading::{Entry, Line, Reading, Row};
use super::{Detail, Lines, TooLong};
use std::ops::Range;

/// Between what holds for all of the row and the row.
const AFTER_CONTEXT: &str = " ;; ";

/// Between two data.
const BETWEEN_DATA: &str = " / ";

/// Between two headers of a datum.
const BETWEEN_HEADERS: &str = " ; ";

/// Writes all rows.
pub fn write(reading: &Reading, lines: &mut Lines) -> Result<(), TooLong> {
    for line in &reading.lines {
        lines.push(match line {
            Line::Row(row) => clause(reading, row),
            Line::Loose(texts) => loose(texts),
        })?;
    }
    Ok(())
}

/// Texts that no row repeats, as a line.
pub fn loose(texts: &[&str]) -> String {
    let mut out = texts.join(BETWEEN_DATA);
    end(&mut out);
    out
}

fn clause(reading: &Reading, row: &Row) -> String {
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
            // A long header is said once, and then only its name. That pays where it
            // would be said again.
            let is_again = data.get(at + 1).is_some_and(|(_, next)| *next == run);
            let is_once = reading.detail != Detail::Full;
            beside = match is_once {
                true => String::new(),
                false => beside_text(reading, headers, is_again),
            };
            for header in headers {
                let above = reading.above(row, header);
                let is_long = is_again && !reading.cells.named(header.cell).1.is_empty();
                if is_once || is_long || !above.is_empty() {
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

/// The headers beside a datum, or their names.
fn beside_text(reading: &Reading, headers: &[Entry], are_names: bool) -> String {
    let text = |header: &Entry| match are_names {
        true => reading.cells.named(header.cell).0,
        false => name(&reading.cells.texts[header.cell]),
    };
    headers.iter().map(text).collect::<Vec<_>>().join(", ")
}
