//! Sentences of a bounded number of words, each with a row's name.
//!
//! Each row is a sentence: its name, then a header and a datum for each other cell:
//! `DS Lite: Length 133.0mm, Width 73.9mm.` A longer row is several sentences, each with
//! the name. The name of a row is its row header, else its text in the first column whose
//! texts tell the rows apart. Thema and section follow in brackets if the words suffice.
//!
//! The sentence of a row answers questions about this row. Questions about several rows
//! (which is larger, who came after, what else is there) need the sentences of [`across`]:
//! the data of a column, the rows that share a datum, successive rows. They are added as
//! long as [`MAX_GROWTH`](super::bounds::MAX_GROWTH) allows.

use super::across::{self, RowNames};
use super::bounds::{BoundedLines, Detail, MAX_WORDS, TooLong};
use super::cells::{self, cut, end, headed, name, pieces, words};
use super::pattern::loose;
use super::reading::{DataRow, RowEntry, TableLine, TableReading};

use std::ops::Range;

/// Writes all rows, and the sentences over several rows if `is_across`.
pub fn write(
    reading: &TableReading,
    is_across: bool,
    lines: &mut BoundedLines,
) -> Result<(), TooLong> {
    let names = RowNames::of(reading);
    if !is_across || reading.detail != Detail::Full {
        return rows(reading, &names, lines);
    }
    let left = lines.left;
    let are_columns_first = across::describes_columns(reading);
    if are_columns_first {
        // The things that the table describes come first.
        across::columns(reading, &names, lines);
    }
    if rows(reading, &names, lines).is_err() {
        if !are_columns_first {
            return Err(TooLong);
        }
        lines.lines.clear();
        lines.left = left;
        return rows(reading, &names, lines);
    }
    if !are_columns_first {
        across::columns(reading, &names, lines);
    }
    across::groups(reading, &names, lines);
    across::neighbours(reading, lines);
    Ok(())
}

fn rows(reading: &TableReading, names: &RowNames, lines: &mut BoundedLines) -> Result<(), TooLong> {
    let mut at = 0;
    let mut last_thema = String::new();
    for line in &reading.lines {
        match line {
            TableLine::Row(row) => {
                let name = names.name(at);
                at += 1;
                let thema = reading.thema(row).map(cells::name).collect::<Vec<_>>();
                let thema = thema.join(", ");
                let first = lines.lines.len();
                let has_thema = write_row(reading, row, name, &thema, lines)?;
                if !has_thema && thema != last_thema {
                    write_loose(&[&thema], lines)?;
                    lines.lines[first..].rotate_right(1);
                }
                last_thema = thema;
            }
            TableLine::Loose(texts) => write_loose(texts, lines)?,
        }
    }
    // Notes apply to all rows; a row's sentence may be full.
    for note in &reading.notes {
        write_loose(&[note], lines)?;
    }
    Ok(())
}

fn write_loose(texts: &[&str], lines: &mut BoundedLines) -> Result<(), TooLong> {
    for piece in pieces(&loose(texts), MAX_WORDS) {
        let mut sentence = piece.to_owned();
        end(&mut sentence);
        lines.push(sentence)?;
    }
    Ok(())
}

/// Writes a row's sentences; returns true if one of them has the thema. `lead` are the
/// entries that name the row.
fn write_row(
    reading: &TableReading,
    row: &DataRow,
    lead: Option<Range<usize>>,
    thema: &str,
    lines: &mut BoundedLines,
) -> Result<bool, TooLong> {
    let entries = reading.entries(row);
    let text = |entry: &RowEntry| reading.cells.texts[entry.cell].as_str();
    if reading.detail == Detail::Bare {
        let mut sentences = Sentences::new(String::new(), "");
        for entry in entries {
            sentences.pair("", text(entry), lines)?;
        }
        return sentences.finish(lines);
    }
    let lead = lead.unwrap_or(0..0);
    // The row is one sentence even with the whole text of its name.
    let all = entries
        .iter()
        .map(|e| reading.cells.words[e.cell] + words(&reading.above(row, e)));
    let is_whole = all.sum::<usize>() <= MAX_WORDS;
    let mut head = String::new();
    let mut rest = Vec::new();
    for entry in &entries[lead.clone()] {
        if !head.is_empty() {
            head.push_str(", ");
        }
        let (mut named, mut more) = reading.cells.named(entry.cell);
        if is_whole {
            (named, more) = (name(text(entry)), "");
        }
        push_pair(&reading.above(row, entry), named, &mut head);
        if !more.is_empty() {
            rest.push(more);
        }
    }
    let mut sentences = Sentences::new(head, thema);
    for more in rest {
        sentences.pair("", more, lines)?;
    }
    let mut last = lead.clone();
    let mut beside = String::new();
    for (i, run) in reading.beside(row) {
        if lead.contains(&i) {
            continue;
        }
        if run != last {
            // This header does not lead the row: only its data have it.
            let headers = &entries[run.clone()];
            let is_cut;
            (beside, is_cut) = if run == lead {
                (String::new(), false)
            } else {
                reading.named(headers, true)
            };
            for header in headers.iter().filter(|_| is_cut) {
                sentences.pair(&reading.above(row, header), text(header), lines)?;
            }
            last = run;
        }
        let mut label = beside.clone();
        push_pair("", &reading.above(row, &entries[i]), &mut label);
        sentences.pair(&label, text(&entries[i]), lines)?;
    }
    sentences.finish(lines)
}

fn push_pair(header: &str, datum: &str, out: &mut String) {
    for part in [header, datum] {
        if !part.is_empty() {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
            out.push_str(part);
        }
    }
}

/// Sentences that begin with the same words.
#[derive(Debug)]
struct Sentences<'t> {
    head: String,
    thema: &'t str,
    has_thema: bool,
    room: usize,
    text: String,
    used: usize,
    is_empty: bool,
}

impl<'t> Sentences<'t> {
    fn new(head: String, thema: &'t str) -> Self {
        Sentences {
            room: MAX_WORDS.saturating_sub(words(&head)),
            head,
            thema,
            has_thema: thema.is_empty(),
            text: String::new(),
            used: 0,
            is_empty: true,
        }
    }

    fn pair(&mut self, label: &str, datum: &str, lines: &mut BoundedLines) -> Result<(), TooLong> {
        let label = cut(label, (self.room / 2, usize::MAX));
        let label_words = words(label);
        for piece in pieces(datum, self.room.saturating_sub(label_words)) {
            let more = label_words + words(piece);
            if self.used + more > self.room {
                self.flush(lines)?;
            }
            if !self.text.is_empty() {
                self.text.push_str(", ");
            }
            push_pair(label, piece, &mut self.text);
            self.used += more;
        }
        Ok(())
    }

    fn flush(&mut self, lines: &mut BoundedLines) -> Result<(), TooLong> {
        if self.text.is_empty() {
            return Ok(());
        }
        let mut sentence = headed(&self.head);
        sentence.push_str(self.text.trim_end_matches([',', ';', ':', ' ']));
        if !self.thema.is_empty() && self.used + words(self.thema) <= self.room {
            let brackets = |text: &str| text.starts_with('(') && text.ends_with(')');
            if brackets(self.thema) {
                sentence.extend([" ", self.thema])
            } else {
                sentence.extend([" (", self.thema, ")"])
            }
            self.has_thema = true;
        }
        end(&mut sentence);
        self.text.clear();
        self.used = 0;
        self.is_empty = false;
        lines.push(sentence)
    }

    /// Writes the rest; returns true if the thema was written.
    fn finish(mut self, lines: &mut BoundedLines) -> Result<bool, TooLong> {
        if self.text.is_empty() && self.is_empty {
            self.text = std::mem::take(&mut self.head);
        }
        self.flush(lines)?;
        Ok(self.has_thema)
    }
}
