//! Pages in Parquet: a row a page, with the columns `url` and `html`, as strings or bytes,
//! uncompressed or compressed with Snappy, gzip or zstd. Other columns are not read.

use super::pages::{FoundPage, FurtherPages, PageContent, PageError, PageRef, PageRefs};
use crate::error::{self, Error, SourceFault};
use forest_html::error::megabytes;
use parquet::basic::{ConvertedType, LogicalType, Type};
use parquet::column::reader::{ColumnReaderImpl, get_typed_column_reader};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Rows that are read at once.
const ROWS: usize = 32;

/// The reason where the reader panics: broken files make it do so.
const BROKEN: &str = "the file is broken";

/// A column of the file.
#[derive(Debug, Clone, Copy)]
struct Column {
    at: usize,
    /// The definition level of a cell that has a value.
    defined: i16,
    is_text: bool,
}

/// The cells of a group of rows, those that were not read yet.
struct GroupCells {
    urls: ColumnReaderImpl<ByteArrayType>,
    htmls: ColumnReaderImpl<ByteArrayType>,
}

/// A file that is being read.
struct ColumnPages {
    name: String,
    file: SerializedFileReader<File>,
    url: Column,
    html: Column,
    next_group: usize,
    cells: Option<GroupCells>,
    /// Rows before those that are read next.
    row: usize,
    limit: usize,
}

/// The pages of a file in its order, each of at most `limit` bytes. Rows without HTML are left
/// out.
///
/// # Errors
///
/// If it cannot be read, or lacks a column.
pub fn pages(path: &Path, limit: usize) -> error::Result<PageRefs> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|e| Error::read(path, e))?;
    let file = guarded(|| SerializedFileReader::new(file)).map_err(|source| {
        let name = name.clone();
        SourceFault::Columns { name, source }
    })?;
    let mut pages = ColumnPages {
        url: column(&file, &name, "url")?,
        html: column(&file, &name, "html")?,
        name,
        file,
        next_group: 0,
        cells: None,
        row: 0,
        limit,
    };
    let mut is_broken = false;
    let batches = std::iter::from_fn(move || {
        if is_broken {
            return None;
        }
        match guarded(|| pages.batch()) {
            Ok(batch) => batch,
            Err(error) => {
                // The rest of the file stands at places that are not known.
                is_broken = true;
                Some(vec![Err(pages.error(format!("rows are missing: {error}")))])
            }
        }
    });
    Ok(Box::new(batches.flatten()))
}

/// The value of a function of the reader, a panic as an error.
fn guarded<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(ParquetError::General(BROKEN.to_owned())))
}

fn column(
    file: &SerializedFileReader<File>,
    name: &str,
    column: &'static str,
) -> error::Result<Column> {
    let schema = file.metadata().file_metadata().schema_descr();
    let columns = schema.columns().iter().enumerate();
    let mut named = columns.filter(|(_, found)| found.path().string() == column);
    let name = name.to_owned();
    let Some((at, found)) = named.next() else {
        return Err(SourceFault::NoColumn { name, column }.into());
    };
    if found.physical_type() != Type::BYTE_ARRAY || found.max_rep_level() > 0 {
        return Err(SourceFault::ColumnType { name, column }.into());
    }
    let is_text = found.converted_type() == ConvertedType::UTF8
        || matches!(found.logical_type_ref(), Some(LogicalType::String));
    Ok(Column {
        at,
        defined: found.max_def_level(),
        is_text,
    })
}

impl ColumnPages {
    /// The next pages; `None` at the end.
    fn batch(&mut self) -> Result<Option<Vec<FoundPage>>> {
        loop {
            let Some(cells) = &mut self.cells else {
                if self.next_group == self.file.num_row_groups() {
                    return Ok(None);
                }
                let group = self.file.get_row_group(self.next_group)?;
                let open = |column: Column| group.get_column_reader(column.at);
                self.cells = Some(GroupCells {
                    urls: get_typed_column_reader(open(self.url)?),
                    htmls: get_typed_column_reader(open(self.html)?),
                });
                self.next_group += 1;
                continue;
            };
            let urls = values(&mut cells.urls, self.url)?;
            let htmls = values(&mut cells.htmls, self.html)?;
            if urls.len() != htmls.len() {
                return Err(ParquetError::General(BROKEN.to_owned()));
            }
            if urls.is_empty() {
                self.cells = None;
                continue;
            }
            let first = self.row;
            self.row += urls.len();
            let rows = (first + 1..).zip(urls.into_iter().zip(htmls));
            let pages = rows.filter_map(|(row, (url, html))| Some(self.page(row, url, html?)));
            return Ok(Some(pages.collect()));
        }
    }

    fn page(&self, row: usize, url: Option<ByteArray>, html: ByteArray) -> FoundPage {
        let url = url.map(|url| String::from_utf8_lossy(url.data()).into_owned());
        if html.len() > self.limit {
            let reason = format!(
                "row {row}: the page is larger than {}: --max-page-bytes sets another limit",
                megabytes(self.limit)
            );
            let error = self.error(reason);
            return Err(PageError { url, ..error });
        }
        // A string is decoded already, whatever its `meta` says.
        let decoded = "text/html; charset=utf-8";
        let page = PageRef::of_content(PageContent {
            url,
            bytes: html.data().to_vec(),
            content_type: self.html.is_text.then(|| decoded.to_owned()),
            date: None,
            further: FurtherPages::Together,
        });
        Ok(page)
    }

    fn error(&self, reason: String) -> PageError {
        PageError {
            id: self.name.clone(),
            url: None,
            reason: format!("{}: {reason}", self.name),
        }
    }
}

/// The next cells of a column, [`ROWS`] at the most.
fn values(
    cells: &mut ColumnReaderImpl<ByteArrayType>,
    column: Column,
) -> Result<Vec<Option<ByteArray>>> {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    let (rows, ..) = cells.read_records(ROWS, Some(&mut levels), None, &mut values)?;
    if column.defined == 0 {
        return Ok(values.into_iter().map(Some).collect());
    }
    let mut values = values.into_iter();
    let cell = |level| (level == column.defined).then(|| values.next()).flatten();
    Ok(levels.into_iter().take(rows).map(cell).collect())
}
