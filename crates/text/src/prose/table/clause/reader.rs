//! Cells and their classes to a [`TableReading`], row by row.
//!
//! A row with data is a row of data. A row of headers without data belongs to the rows
//! below, up to the next such row; several in succession are one block of headers. A
//! header alone in its row is a title: of the header block right below it and its rows,
//! or of the rows up to the next such title. Repeated headers (finalNonImportant) are
//! skipped.

use super::bounds::{Detail, MAX_CONTEXT_WORDS};
use super::cells::{CellTexts, cut, name, words};
use super::reading::{DataRow, HeaderBlock, RowEntry, TableLine, TableReading};
use crate::prose::table::{CellClass, Grid};

/// Rows of a header block that are read, from the data upwards.
const MAX_HEADER_ROWS: usize = 8;

impl<'c> TableReading<'c> {
    /// Reads a table.
    pub fn of(
        grid: &Grid,
        classes: &[CellClass],
        cells: &'c CellTexts,
        detail: Detail,
    ) -> TableReading<'c> {
        let mut reader = TableReader {
            grid,
            classes,
            reading: TableReading {
                cells,
                detail,
                lines: Vec::new(),
                notes: Vec::new(),
                columns: grid.columns,
                entries: Vec::new(),
                titles: vec![Vec::new()],
                blocks: vec![HeaderBlock::default()],
            },
            section: Vec::new(),
            is_section_used: true,
            headers: Vec::new(),
            has_data: false,
            was_data: false,
            fixed: Vec::new(),
            title_words: 0,
            note_words: 0,
            late: Vec::new(),
        };
        if !cells.caption.is_empty() {
            reader.title(&cells.caption);
        }
        for row in 0..grid.rows() {
            reader.row(row);
        }
        reader.finish()
    }
}

/// The state of reading.
struct TableReader<'g, 'c> {
    grid: &'g Grid,
    classes: &'g [CellClass],
    reading: TableReading<'c>,
    section: Vec<usize>,
    is_section_used: bool,
    /// Rows of headers since the last row of data.
    headers: Vec<u32>,
    /// True if there was a row of data; true if the last row was one.
    has_data: bool,
    was_data: bool,
    /// The titles of the whole table, without those of header blocks.
    fixed: Vec<&'c str>,
    title_words: usize,
    note_words: usize,
    /// Notes too long to be repeated.
    late: Vec<&'c str>,
}

impl<'c> TableReader<'_, 'c> {
    fn text(&self, cell: usize) -> &'c str {
        &self.reading.cells.texts[cell]
    }

    fn class(&self, cell: usize) -> CellClass {
        self.classes.get(cell).copied().unwrap_or(CellClass::Data)
    }

    /// Words of titles or notes that are repeated with each row, at the most.
    fn context_words(&self) -> usize {
        match self.reading.detail {
            Detail::Full => MAX_CONTEXT_WORDS,
            Detail::Short | Detail::Bare => 0,
        }
    }

    fn title(&mut self, text: &'c str) {
        self.title_words += words(text);
        if self.title_words > self.context_words() {
            self.reading.lines.push(TableLine::Loose(vec![text]));
        } else if let Some(titles) = self.reading.titles.last_mut() {
            titles.push(text);
        }
    }

    fn note(&mut self, text: &'c str) {
        self.note_words += words(text);
        if self.note_words > self.context_words() {
            self.late.push(text);
        } else {
            self.reading.notes.push(text);
        }
    }

    fn row(&mut self, row: u32) {
        let mut themas = Vec::new();
        let mut headers = 0;
        let mut only_header = None;
        let mut is_data = false;
        for cell in self.grid.row_cells(row) {
            let is_text = !self.text(cell).is_empty();
            let begins = self.grid.cells[cell].row == row;
            match self.class(cell) {
                CellClass::Data => is_data = true,
                CellClass::Header if is_text => {
                    headers += 1;
                    only_header = Some(cell);
                }
                CellClass::Thema if is_text && begins => themas.push(cell),
                CellClass::FinalImportant if is_text && begins => self.note(self.text(cell)),
                _ => {}
            }
        }
        if is_data {
            self.titles_of(&themas);
            self.data(row);
        } else if headers == 0 && self.has_data {
            if !themas.is_empty() {
                self.section(themas);
            }
        } else {
            self.titles_of(&themas);
            match only_header.filter(|&cell| headers == 1 && self.is_section(row, cell)) {
                Some(cell) if self.grid.cells[cell].row == row => self.section(vec![cell]),
                Some(_) => {}
                None if headers > 0 => {
                    self.headers.push(row);
                    self.was_data = false;
                }
                None => {}
            }
        }
    }

    /// Writes the texts of cells as a line outside of rows.
    fn loose(&mut self, cells: &[usize]) {
        let texts = cells.iter().map(|&cell| self.text(cell)).collect();
        self.reading.lines.push(TableLine::Loose(texts));
    }

    /// Adds a cell to the entries of the row that is being read.
    fn entry(&mut self, cell: usize, is_header: bool) {
        let place = &self.grid.cells[cell];
        self.reading.entries.push(RowEntry {
            cell,
            is_header,
            column: place.column,
            columns: place.columns,
        });
    }

    fn titles_of(&mut self, cells: &[usize]) {
        for &cell in cells {
            self.title(self.text(cell));
        }
    }

    /// Returns true if the only header of a row without data is a title of what follows.
    fn is_section(&self, row: u32, cell: usize) -> bool {
        let place = &self.grid.cells[cell];
        let is_alone = self.grid.row_length(row) == place.columns;
        let is_wide = place.columns > 1 && place.columns * 4 >= self.grid.columns * 3;
        let is_whole = place.column == 0 && (is_alone || is_wide);
        let is_first = place.column == 0 && self.has_data && self.headers.is_empty();
        // A header of one row only: what reaches down is a header of its rows.
        let is_flat = place.rows == 1 || place.row != row;
        self.grid.columns > 1 && is_flat && (is_whole || is_first)
    }

    fn section(&mut self, cells: Vec<usize>) {
        if self.was_data || !self.headers.is_empty() {
            self.drop_section();
        }
        if self.section.is_empty() {
            self.is_section_used = false;
        }
        self.section.extend(cells);
        self.was_data = false;
    }

    /// Ends the section; writes it if it had no rows.
    fn drop_section(&mut self) {
        let section = std::mem::take(&mut self.section);
        if !self.is_section_used {
            self.loose(&section);
        }
        self.is_section_used = true;
    }

    /// Makes the headers that were read those of the next rows. A section right above
    /// them becomes their title.
    fn end_headers(&mut self) {
        let rows = std::mem::take(&mut self.headers);
        let first = rows.first().copied().unwrap_or(0);
        let is_above = |&cell: &usize| self.grid.cells[cell].row < first;
        if self.section.first().is_some_and(is_above) {
            let section = std::mem::take(&mut self.section);
            if self.has_data {
                let fixed = self.fixed.clone();
                self.title_words = fixed.iter().map(|title| words(title)).sum();
                self.reading.titles.push(fixed);
            } else if let Some(titles) = self.reading.titles.last() {
                self.fixed.clone_from(titles);
            }
            self.titles_of(&section);
            self.is_section_used = true;
        }
        self.block(&rows);
    }

    fn block(&mut self, rows: &[u32]) {
        let nearest = &rows[rows.len().saturating_sub(MAX_HEADER_ROWS)..];
        let mut block = HeaderBlock::default();
        let mut is_cut = rows.len() > nearest.len();
        let mut last: Vec<usize> = Vec::new();
        let width = nearest.iter().map(|&row| self.grid.row_length(row)).max();
        for column in 0..width.unwrap_or(0) {
            let cells = nearest.iter().filter_map(|&row| self.grid.at(row, column));
            let mut chain: Vec<usize> = cells
                .filter(|&cell| self.class(cell) == CellClass::Header)
                .filter(|&cell| !self.text(cell).is_empty())
                .collect();
            chain.dedup();
            if chain.is_empty() {
                block.of_column.push(0);
                continue;
            }
            if chain != last {
                let label = self.chained(&chain, &mut is_cut);
                block.labels.push(label);
                last = chain;
            }
            block.of_column.push(block.labels.len() as u32);
        }
        if is_cut {
            self.loose_headers(rows);
        }
        self.reading.blocks.push(block);
    }

    fn chained(&self, chain: &[usize], is_cut: &mut bool) -> String {
        let (most_words, most_bytes) = self.reading.detail.header();
        let mut label = String::new();
        let mut before = "";
        for &cell in chain {
            let part = name(self.text(cell));
            if part == before {
                continue;
            }
            before = part;
            let left = most_words.saturating_sub(words(&label));
            let kept = cut(part, (left, most_bytes.saturating_sub(label.len())));
            *is_cut |= kept != part;
            if !label.is_empty() && !kept.is_empty() {
                label.push(' ');
            }
            label.push_str(kept);
        }
        label
    }

    /// Rows of headers as lines.
    fn loose_headers(&mut self, rows: &[u32]) {
        for &row in rows {
            let cells = self.grid.row_cells(row);
            let cells = cells
                .filter(|&cell| self.grid.cells[cell].row == row)
                .filter(|&cell| self.class(cell) == CellClass::Header)
                .filter(|&cell| !self.text(cell).is_empty());
            let cells: Vec<usize> = cells.collect();
            if !cells.is_empty() {
                self.loose(&cells);
            }
        }
    }

    fn data(&mut self, row: u32) {
        let begin = self.reading.entries.len();
        let mut has_datum = false;
        for cell in self.grid.row_cells(row) {
            let begins = self.grid.cells[cell].row == row;
            let is_repeated = self.reading.detail == Detail::Bare && !begins;
            if self.text(cell).is_empty() || is_repeated {
                continue;
            }
            let is_header = match self.class(cell) {
                CellClass::Data => false,
                CellClass::Header => true,
                _ => continue,
            };
            has_datum |= !is_header;
            self.entry(cell, is_header);
        }
        if !has_datum {
            self.reading.entries.truncate(begin);
            return;
        }
        if !self.headers.is_empty() {
            self.end_headers();
        }
        self.has_data = true;
        self.was_data = true;
        self.push_row(begin);
    }

    /// A row of the entries from `begin` on.
    fn push_row(&mut self, begin: usize) {
        let mut section = Vec::new();
        if self.is_section_short() {
            section.extend(self.section.iter().map(|&cell| self.text(cell)));
            self.is_section_used = true;
        } else if !self.is_section_used {
            // A section too long to be repeated is written once.
            self.loose(&self.section.clone());
            self.is_section_used = true;
        }
        self.reading.lines.push(TableLine::Row(DataRow {
            titles: self.reading.titles.len() - 1,
            section,
            block: self.reading.blocks.len() - 1,
            begin,
            end: self.reading.entries.len(),
        }));
    }

    fn is_section_short(&self) -> bool {
        let words = self
            .section
            .iter()
            .map(|&cell| self.reading.cells.words[cell]);
        words.sum::<usize>() <= self.context_words()
    }

    /// Writes the rows of headers without data below them: a row of totals. A repetition
    /// of the headers above is dropped.
    fn last_headers(&mut self) {
        for row in std::mem::take(&mut self.headers) {
            let begin = self.reading.entries.len();
            for cell in self.grid.row_cells(row) {
                let begins = self.grid.cells[cell].row == row;
                if begins && !self.text(cell).is_empty() && self.class(cell) == CellClass::Header {
                    self.entry(cell, self.reading.entries.len() == begin);
                }
            }
            let block = self.reading.blocks.len() - 1;
            let entries = &self.reading.entries[begin..];
            let is_repeated = entries.iter().all(|entry| {
                let label = self.reading.label(block, entry.column);
                label.contains(name(self.text(entry.cell)))
            });
            if is_repeated {
                self.reading.entries.truncate(begin);
            } else if self.has_data && entries.len() > 1 {
                self.push_row(begin);
            } else {
                self.reading.entries.truncate(begin);
                self.loose_headers(&[row]);
            }
        }
    }

    fn finish(mut self) -> TableReading<'c> {
        self.drop_section();
        self.last_headers();
        let mut reading = self.reading;
        if reading.rows().next().is_none() {
            // No row repeats the titles and notes.
            for titles in std::mem::take(&mut reading.titles).into_iter().rev() {
                if !titles.is_empty() {
                    reading.lines.insert(0, TableLine::Loose(titles));
                }
            }
            let notes = std::mem::take(&mut reading.notes);
            self.late.splice(0..0, notes);
        }
        for note in self.late {
            reading.lines.push(TableLine::Loose(vec![note]));
        }
        reading
    }
}
