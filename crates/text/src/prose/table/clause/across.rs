//! Sentences over several rows of a table.
//!
//! - [`columns`]: a column's data, each behind the name of its row:
//!   `Length: DS Lite 133.0mm, Original DS 148.7mm.` Answers comparisons.
//! - [`groups`]: rows that share a datum: `Maker Abel: Model One, Two.` Answers
//!   questions for further things.
//! - [`neighbours`]: successive rows behind one mention of the headers:
//!   `Year, Place, Winner: 1998, Bonn, Ott; 1999, Jena, Ruf.` Answers
//!   questions for what comes before and after.
//!
//! A list longer than a sentence continues in another one, which begins with the last
//! item again.

use super::bounds::{BoundedLines, MAX_HEAD_WORDS, MAX_NAME_WORDS, MAX_WORDS};
use super::cells::{end, headed, name, words};
use super::reading::{DataRow, RowEntry, TableReading};
use foldhash::{HashMap, HashSet};
use std::ops::Range;

/// Words of an item of a list, at the most; longer items stand in the rows only.
const MAX_ITEM_WORDS: usize = 20;

/// Rows that are read to find the names of rows and the direction of a table.
const SAMPLE_ROWS: usize = 200;

/// Columns that are read for these.
const SAMPLE_COLUMNS: u32 = 64;

/// Percentage of the rows that have a text in the naming column, and of these texts that
/// are distinct, at the least. In the development tables, names repeat more often than
/// this only if they are categories.
const NAMING_PERCENT: usize = 70;

/// The name of each row.
#[derive(Debug, Default)]
pub struct RowNames {
    ranges: Vec<Option<(u32, u32)>>,
}

impl RowNames {
    /// The names of a table's rows.
    pub fn of(reading: &TableReading) -> RowNames {
        let column = naming_column(reading);
        let name = |row: &DataRow| {
            let range = name_of(reading, row, column)?;
            let above = reading.entries(row)[range.clone()].iter();
            let count: usize = above
                .map(|entry| {
                    words(reading.cells.named(entry.cell).0) + words(&reading.above(row, entry))
                })
                .sum();
            (count <= MAX_HEAD_WORDS).then_some((range.start as u32, range.end as u32))
        };
        RowNames {
            ranges: reading.rows().map(name).collect(),
        }
    }

    /// The entries that name a row, by the row's number among rows of data.
    pub fn name(&self, row: usize) -> Option<Range<usize>> {
        let (begin, end) = (*self.ranges.get(row)?)?;
        Some(begin as usize..end as usize)
    }
}

/// A row's only run of headers, else the datum of the naming column.
fn name_of(reading: &TableReading, row: &DataRow, column: Option<u32>) -> Option<Range<usize>> {
    let entries = reading.entries(row);
    match entries.iter().position(|e| e.is_header) {
        Some(first) => {
            let length = entries[first..].iter().take_while(|e| e.is_header).count();
            let rest = &entries[first + length..];
            let more = rest.iter().rposition(|e| !e.is_header);
            let is_only = !rest[..more.unwrap_or(0)].iter().any(|e| e.is_header);
            is_only.then_some(first..first + length)
        }
        None => {
            let at = entries.iter().position(|e| Some(e.column) == column)?;
            (entries.len() > 1).then_some(at..at + 1)
        }
    }
}

/// The first column of short texts that differ from row to row; of words if there
/// is one, else of numbers.
fn naming_column(reading: &TableReading) -> Option<u32> {
    let rows = reading.rows().filter(|row| {
        let entries = reading.entries(row);
        entries.len() > 1 && !entries.iter().any(|e| e.is_header)
    });
    let mut texts: Vec<Vec<usize>> = Vec::new();
    let mut count = 0;
    for row in rows.take(SAMPLE_ROWS) {
        count += 1;
        for entry in reading.entries(row) {
            let column = entry.column as usize;
            if entry.column >= SAMPLE_COLUMNS {
                break;
            }
            if texts.len() <= column {
                texts.resize_with(column + 1, Vec::new);
            }
            texts[column].push(entry.cell);
        }
    }
    let names = |cells: &Vec<usize>| {
        let text = |&cell: &usize| reading.cells.texts[cell].as_str();
        let is_short = |&cell: &usize| reading.cells.words[cell] <= MAX_NAME_WORDS;
        let short = cells.iter().filter(|cell| is_short(cell)).map(text);
        let distinct: HashSet<&str> = short.collect();
        cells.len() * 100 >= count * NAMING_PERCENT
            && distinct.len() * 100 >= cells.len() * NAMING_PERCENT
    };
    let are_words = |cells: &Vec<usize>| {
        let wordy = cells.iter().filter(|&&c| is_wordy(&reading.cells.texts[c]));
        wordy.count() * 2 >= cells.len()
    };
    let naming = |(column, cells): (usize, &Vec<usize>)| names(cells).then_some(column);
    let columns = || {
        texts
            .iter()
            .enumerate()
            .filter(|(_, cells)| !cells.is_empty())
    };
    columns()
        .filter(|(_, cells)| are_words(cells))
        .find_map(naming)
        .or_else(|| columns().find_map(naming))
        .map(|column| column as u32)
}

/// More letters than digits.
fn is_wordy(text: &str) -> bool {
    let mut balance = 0_i32;
    for c in text.chars().take(64) {
        balance += i32::from(c.is_alphabetic()) - i32::from(c.is_numeric());
    }
    balance > 0
}

/// Returns true if the columns are the things that the table describes and the rows are
/// their properties. Then rows have names without a header above, columns have headers,
/// and the units of data are more alike along the rows than down the columns.
pub fn describes_columns(reading: &TableReading) -> bool {
    let mut alike_along = (0_u64, 0_u64);
    let mut alike_down = (0_u64, 0_u64);
    let mut above: Vec<Option<String>> = Vec::new();
    for row in reading.rows().take(SAMPLE_ROWS) {
        let entries = reading.entries(row);
        let Some(name) = name_of(reading, row, None) else {
            return false;
        };
        let is_named = |e: &RowEntry| !reading.above(row, e).is_empty();
        if entries[name.clone()].iter().any(is_named) {
            return false;
        }
        let mut before: Option<String> = None;
        for entry in entries[name.end..].iter().filter(|e| !e.is_header) {
            if entry.column >= SAMPLE_COLUMNS {
                break;
            }
            if !is_named(entry) {
                return false;
            }
            let unit = unit(&reading.cells.texts[entry.cell]);
            let column = entry.column as usize;
            if above.len() <= column {
                above.resize(column + 1, None);
            }
            count(&before, &unit, &mut alike_along);
            count(&above[column], &unit, &mut alike_down);
            above[column].clone_from(&unit);
            before = unit;
        }
    }
    // a/b > c/d without division.
    alike_along.0 * alike_down.1.max(1) > alike_down.0 * alike_along.1.max(1)
}

fn count(before: &Option<String>, now: &Option<String>, alike: &mut (u64, u64)) {
    if let (Some(before), Some(now)) = (before, now) {
        alike.0 += u64::from(before == now);
        alike.1 += 1;
    }
}

/// The letters and signs of a text with digits: its unit. `None` without digits.
fn unit(text: &str) -> Option<String> {
    let is_sign = |c: &char| !(c.is_numeric() || matches!(c, '.' | ',' | ' ' | '-' | '+' | '−'));
    text.contains(|c: char| c.is_numeric())
        .then(|| text.chars().take(64).filter(is_sign).collect())
}

/// A row's name without the headers above it.
fn plain_name(reading: &TableReading, row: &DataRow, range: Range<usize>) -> String {
    let entries = reading.entries(row)[range].iter();
    let texts = entries.map(|entry| reading.cells.named(entry.cell).0);
    texts.collect::<Vec<_>>().join(", ")
}

/// The headers above a row's name.
fn name_label(reading: &TableReading, row: &DataRow, range: Range<usize>) -> String {
    let entries = reading.entries(row)[range].iter();
    let labels = entries.map(|entry| reading.above(row, entry));
    let labels: Vec<String> = labels.filter(|label| !label.is_empty()).collect();
    labels.join(", ")
}

/// A list as sentences, each with the same words before it.
#[derive(Default)]
struct SentenceList {
    items: Vec<(String, usize)>,
    used: usize,
}

impl SentenceList {
    fn add(&mut self, head: &str, item: String, between: &str, lines: &mut BoundedLines) {
        let room = MAX_WORDS - words(head).min(MAX_HEAD_WORDS);
        let count = words(&item);
        if count > room {
            return;
        }
        if self.used + count > room {
            let last = self.items.last().cloned();
            self.flush(head, between, lines);
            if let Some((last, words)) = last.filter(|(_, words)| words + count <= room) {
                self.items.push((last, words));
                self.used = words;
            }
        }
        self.items.push((item, count));
        self.used += count;
    }

    /// Writes the items as a sentence, if there are at least two.
    fn flush(&mut self, head: &str, between: &str, lines: &mut BoundedLines) {
        let items = std::mem::take(&mut self.items);
        self.used = 0;
        if items.len() < 2 {
            return;
        }
        let items: Vec<String> = items.into_iter().map(|(item, _)| item).collect();
        let mut out = head.to_owned() + &items.join(between);
        end(&mut out);
        // A sentence that exceeds the limit is left out.
        let _ = lines.push(out);
    }
}

/// Adds the columns.
pub fn columns(reading: &TableReading, names: &RowNames, lines: &mut BoundedLines) {
    // Data by column, then by row.
    let mut data: Vec<(u32, u32, u32)> = Vec::new();
    let rows: Vec<&DataRow> = reading.rows().collect();
    for (r, row) in rows.iter().enumerate() {
        let Some(name) = names.name(r) else { continue };
        for (i, entry) in reading.entries(row).iter().enumerate() {
            if !entry.is_header && !name.contains(&i) {
                data.push((entry.column, r as u32, i as u32));
            }
        }
    }
    data.sort_unstable();
    let mut list = SentenceList::default();
    let mut head = String::new();
    let mut last = None;
    for (column, r, i) in data {
        let row = rows[r as usize];
        let entry = &reading.entries(row)[i as usize];
        let Some(range) = names.name(r as usize) else {
            continue;
        };
        let is_headed = reading.entries(row)[range.start].is_header;
        if last != Some((column, row.block)) {
            list.flush(&head, ", ", lines);
            head = headed(&reading.above(row, entry));
            last = Some((column, row.block));
        }
        let count = reading.cells.words[entry.cell];
        if (head.is_empty() && !is_headed)
            || count > MAX_ITEM_WORDS
            || words(&head) > MAX_HEAD_WORDS
        {
            continue;
        }
        let mut item = plain_name(reading, row, range);
        item.push(' ');
        item.push_str(&reading.cells.texts[entry.cell]);
        if words(&item) <= MAX_ITEM_WORDS {
            list.add(&head, item, ", ", lines);
        }
    }
    list.flush(&head, ", ", lines);
}

/// Adds the rows that share a datum.
pub fn groups(reading: &TableReading, names: &RowNames, lines: &mut BoundedLines) {
    let rows: Vec<&DataRow> = reading.rows().collect();
    // The groups in the order of their first rows, column by column.
    let mut found: HashMap<(u32, &str), usize> = HashMap::default();
    let mut groups: Vec<(u32, u32, u32, Vec<u32>)> = Vec::new();
    for (r, row) in rows.iter().enumerate() {
        let Some(name) = names.name(r) else { continue };
        for (i, entry) in reading.entries(row).iter().enumerate() {
            let is_name = entry.is_header || name.contains(&i);
            if is_name || reading.cells.words[entry.cell] > MAX_NAME_WORDS {
                continue;
            }
            let text = reading.cells.texts[entry.cell].as_str();
            let group = *found.entry((entry.column, text)).or_insert_with(|| {
                groups.push((entry.column, r as u32, i as u32, Vec::new()));
                groups.len() - 1
            });
            groups[group].3.push(r as u32);
        }
    }
    groups.sort_unstable_by_key(|&(column, row, entry, _)| (column, row, entry));
    for (_, first, entry, members) in groups {
        // A datum of all rows distinguishes none of them.
        if members.len() < 2 || (members.len() == rows.len() && rows.len() > 2) {
            continue;
        }
        let row = rows[first as usize];
        let entry = &reading.entries(row)[entry as usize];
        let Some(range) = names.name(first as usize) else {
            continue;
        };
        let mut head = reading.above(row, entry);
        if !head.is_empty() {
            head.push(' ');
        }
        head.push_str(name(&reading.cells.texts[entry.cell]));
        head.push_str(": ");
        let label = name_label(reading, row, range);
        if !label.is_empty() {
            head.push_str(&label);
            head.push(' ');
        }
        if words(&head) > MAX_HEAD_WORDS {
            continue;
        }
        let mut list = SentenceList::default();
        let mut seen = HashSet::default();
        for r in members {
            if let Some(range) = names.name(r as usize) {
                let item = plain_name(reading, rows[r as usize], range);
                if seen.insert(item.clone()) {
                    list.add(&head, item, ", ", lines);
                }
            }
        }
        list.flush(&head, ", ", lines);
    }
}

/// Adds rows that follow one another.
pub fn neighbours(reading: &TableReading, lines: &mut BoundedLines) {
    let mut list = SentenceList::default();
    let mut head = String::new();
    let mut is_short = true;
    let mut last = None;
    for row in reading.rows() {
        let entries = reading.entries(row);
        if last != Some(row.block) {
            list.flush(&head, "; ", lines);
            let mut labels = reading.labels(row.block).to_vec();
            labels.dedup();
            // The words are counted once a block: a head may be long.
            head = headed(&labels.join(", "));
            is_short = words(&head) <= MAX_HEAD_WORDS;
            last = Some(row.block);
        }
        let count: usize = entries.iter().map(|e| reading.cells.words[e.cell]).sum();
        // The sentences of columns have the rows of two cells.
        if entries.len() < 3 || count > MAX_WORDS || !is_short {
            list.flush(&head, "; ", lines);
            continue;
        }
        let texts = entries.iter().map(|e| reading.cells.texts[e.cell].as_str());
        let item = texts.collect::<Vec<_>>().join(", ");
        list.add(&head, item, "; ", lines);
    }
    list.flush(&head, "; ", lines);
}
