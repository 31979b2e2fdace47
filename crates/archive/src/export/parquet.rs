//! The record as columns.
//!
//! Each field of the [record](forest_core::extract::Article) is a column of the same name. Lists of
//! strings (`authors`, `tags`, `warnings`, `pages`) are lists; structures (`images`,
//! `wrapper`, `field_confidence`, `parts`) are JSON. Dates are strings, as they may lack a time or a
//! zone. The columns are compressed with zstd, in groups of rows of bounded memory.

use super::super::ArchiveReader;
use super::{ExportCounts, ExportOptions, each_article};
use crate::error::{ErrorKind, Result};
use forest_core::extract::Article;
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use serde_json::Value;
use std::io::{self, Write};
use std::sync::Arc;

/// Bytes of records from which a group of rows is written: they are held in memory.
const GROUP_BYTES: usize = 16_000_000;

/// The columns, in the order of the record's fields.
const COLUMNS: [(&str, ColumnType); 27] = [
    ("schema", ColumnType::Integer),
    ("id", ColumnType::Text),
    ("url", ColumnType::Text),
    ("fetched_url", ColumnType::Text),
    ("site", ColumnType::Text),
    ("title", ColumnType::Text),
    ("text", ColumnType::Text),
    ("html", ColumnType::Text),
    ("authors", ColumnType::List),
    ("date_published", ColumnType::Text),
    ("date_published_raw", ColumnType::Text),
    ("date_modified", ColumnType::Text),
    ("date_modified_raw", ColumnType::Text),
    ("date_fetched", ColumnType::Text),
    ("language", ColumnType::Text),
    ("images", ColumnType::Json),
    ("tags", ColumnType::List),
    ("wrapper", ColumnType::Json),
    ("kind", ColumnType::Text),
    ("kind_confidence", ColumnType::Number),
    ("status", ColumnType::Text),
    ("confidence", ColumnType::Number),
    ("field_confidence", ColumnType::Json),
    ("warnings", ColumnType::List),
    ("error", ColumnType::Text),
    ("pages", ColumnType::List),
    ("parts", ColumnType::Json),
];

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ColumnType {
    Integer,
    Number,
    Text,
    Json,
    List,
}

/// Writes the latest version of each article as a row; additional fields have no columns.
///
/// # Errors
///
/// If the archive cannot be read or `out` cannot be written.
pub fn parquet(
    archive: &ArchiveReader,
    options: &ExportOptions,
    out: &mut (dyn Write + Send),
) -> Result<ExportCounts> {
    let mut rows = Rows::new(out).map_err(failed)?;
    let counts = each_article(archive, options, &mut |article| {
        rows.add(article.record).map_err(as_io)
    })?;
    rows.finish().map_err(failed)?;
    Ok(counts)
}

fn failed(error: ParquetError) -> crate::Error {
    let source = as_io(error);
    ErrorKind::Export { source }.into()
}

fn as_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(io) => *io,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

/// The schema in Parquet's own notation. A list without elements is empty, not null.
fn schema() -> String {
    let column = |(name, column): &(&str, ColumnType)| match column {
        ColumnType::Integer => format!("optional int32 {name};"),
        ColumnType::Number => format!("optional double {name};"),
        ColumnType::Text => format!("optional binary {name} (STRING);"),
        ColumnType::Json => format!("optional binary {name} (JSON);"),
        ColumnType::List => format!(
            "required group {name} (LIST) {{ repeated group list {{ required binary element (STRING); }} }}"
        ),
    };
    let columns: String = COLUMNS.iter().map(column).collect();
    format!("message article {{ {columns} }}")
}

/// A file that is being written.
struct Rows<W: Write + Send> {
    file: SerializedFileWriter<W>,
    group: [ColumnCells; COLUMNS.len()],
    bytes: usize,
    count: usize,
}

/// The cells of a group of rows in a column.
#[derive(Default)]
struct ColumnCells {
    texts: Vec<ByteArray>,
    numbers: Vec<f64>,
    integers: Vec<i32>,
    /// For each cell, and each further element of a list: true if there is a value.
    defined: Vec<i16>,
    /// True if it is a further element of a list.
    repeated: Vec<i16>,
}

impl<W: Write + Send> Rows<W> {
    fn new(out: W) -> Result<Rows<W>, ParquetError> {
        let schema = Arc::new(parse_message_type(&schema())?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .build();
        Ok(Rows {
            file: SerializedFileWriter::new(out, schema, Arc::new(properties))?,
            group: Default::default(),
            bytes: 0,
            count: 0,
        })
    }

    fn add(&mut self, record: &Article) -> Result<(), ParquetError> {
        let record =
            serde_json::to_value(record).map_err(|e| ParquetError::External(Box::new(e)))?;
        for ((name, column), cells) in COLUMNS.iter().zip(&mut self.group) {
            self.bytes += cells.add(*column, &record[name]);
        }
        self.count += 1;
        if self.bytes >= GROUP_BYTES {
            self.flush()
        } else {
            Ok(())
        }
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        let group = std::mem::take(&mut self.group);
        self.bytes = 0;
        let mut writer = self.file.next_row_group()?;
        for ((_, column), cells) in COLUMNS.iter().zip(group) {
            let Some(mut to) = writer.next_column()? else {
                break;
            };
            cells.write(*column, &mut to)?;
            to.close()?;
        }
        writer.close()?;
        Ok(())
    }

    fn finish(mut self) -> Result<usize, ParquetError> {
        if self.bytes > 0 {
            self.flush()?;
        }
        self.file.close()?;
        Ok(self.count)
    }
}

impl ColumnCells {
    /// Adds a value; returns its approximate size in bytes.
    fn add(&mut self, column: ColumnType, value: &Value) -> usize {
        let before = self.texts.len();
        match (column, value) {
            (ColumnType::List, value) => {
                let elements = value.as_array().map_or(&[][..], Vec::as_slice);
                for (at, element) in elements.iter().enumerate() {
                    self.texts.push(element.as_str().unwrap_or_default().into());
                    self.defined.push(1);
                    self.repeated.push(i16::from(at > 0));
                }
                if elements.is_empty() {
                    self.defined.push(0);
                    self.repeated.push(0);
                }
            }
            (_, Value::Null) => self.defined.push(0),
            (column, value) => {
                match column {
                    ColumnType::Integer => self
                        .integers
                        .push(value.as_i64().unwrap_or_default() as i32),
                    ColumnType::Number => self.numbers.push(value.as_f64().unwrap_or_default()),
                    ColumnType::Json => self.texts.push(value.to_string().as_str().into()),
                    _ => self.texts.push(value.as_str().unwrap_or_default().into()),
                }
                self.defined.push(1);
            }
        }
        let added: usize = self.texts[before..].iter().map(ByteArray::len).sum();
        added + size_of::<f64>()
    }

    fn write(
        &self,
        column: ColumnType,
        to: &mut SerializedColumnWriter<'_>,
    ) -> Result<(), ParquetError> {
        let defined = Some(&self.defined[..]);
        match column {
            ColumnType::Integer => {
                to.typed::<Int32Type>()
                    .write_batch(&self.integers, defined, None)
            }
            ColumnType::Number => {
                to.typed::<DoubleType>()
                    .write_batch(&self.numbers, defined, None)
            }
            ColumnType::Text | ColumnType::Json => {
                to.typed::<ByteArrayType>()
                    .write_batch(&self.texts, defined, None)
            }
            ColumnType::List => {
                let repeated = Some(&self.repeated[..]);
                to.typed::<ByteArrayType>()
                    .write_batch(&self.texts, defined, repeated)
            }
        }?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_core::extract::Status;
    use forest_core::render::Image;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::{Field, Row};

    #[test]
    fn the_columns_are_the_fields_of_the_record() {
        let record = serde_json::to_value(Article::default()).expect("JSON");
        let fields: Vec<&str> = record
            .as_object()
            .expect("fields")
            .keys()
            .map(|k| &**k)
            .collect();
        assert_eq!(COLUMNS.map(|(name, _)| name).to_vec(), fields);
    }

    fn value(field: &Field) -> Value {
        match field {
            Field::Null => Value::Null,
            Field::Int(number) => (*number).into(),
            Field::Double(number) => (*number).into(),
            Field::Str(text) => text.as_str().into(),
            Field::Bytes(bytes) => bytes.as_utf8().expect("UTF-8").into(),
            Field::ListInternal(list) => list.elements().iter().map(value).collect(),
            other => panic!("{other}"),
        }
    }

    fn record(row: &Row) -> Value {
        let columns = row.get_column_iter();
        columns
            .map(|(name, field)| (name.clone(), value(field)))
            .collect()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut first = Article {
            id: "1".to_owned(),
            title: Some("Größe".to_owned()),
            text: "a\nb".to_owned(),
            authors: vec!["Ann".to_owned(), "Bo".to_owned()],
            confidence: Some(0.5),
            status: Status::Ok,
            ..Article::default()
        };
        first.images.push(Image {
            url: "https://example.org/a.png".to_owned(),
            caption: None,
        });
        let second = Article {
            id: "2".to_owned(),
            tags: vec![String::new()],
            ..Article::default()
        };
        // Enough rows for several groups.
        let large = Article {
            text: "x".repeat(GROUP_BYTES / 2),
            ..Article::default()
        };
        let mut bytes = Vec::new();
        let mut rows = Rows::new(&mut bytes).expect("begun");
        for record in [&first, &second, &large, &large, &first] {
            rows.add(record).expect("added");
        }
        assert_eq!(rows.finish().expect("written"), 5);
        let path = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(path.path(), &bytes).expect("written");
        let file = std::fs::File::open(path.path()).expect("opened");
        let reader = SerializedFileReader::new(file).expect("Parquet");
        assert_eq!(reader.num_row_groups(), 2);
        let rows: Vec<Row> = reader
            .get_row_iter(None)
            .expect("rows")
            .map(|r| r.expect("a row"))
            .collect();
        let read: Vec<Value> = rows.iter().map(record).collect();
        assert_eq!(read.len(), 5);
        assert_eq!(read[0]["title"], "Größe");
        assert_eq!(read[0]["text"], "a\nb");
        assert_eq!(read[0]["authors"], serde_json::json!(["Ann", "Bo"]));
        assert_eq!(
            (&read[0]["confidence"], &read[0]["status"]),
            (&0.5.into(), &"ok".into())
        );
        let images = read[0]["images"].as_str().expect("JSON in a string");
        assert_eq!(
            images,
            r#"[{"url":"https://example.org/a.png","caption":null}]"#
        );
        assert_eq!(
            (&read[1]["title"], &read[1]["authors"]),
            (&Value::Null, &serde_json::json!([]))
        );
        assert_eq!(read[1]["tags"], serde_json::json!([""]));
        assert_eq!(read[4], read[0]);
    }
}
