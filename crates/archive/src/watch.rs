//! A look at an archive that another process may write to: if its tables are as they were.

use super::paths;
use super::read::ArchiveReader;
use crate::error::Result;
use forest_html::text::hex;
use rusqlite::types::ValueRef;
use sha2::{Digest, Sha256};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A state of the tables: two looks give the same one if nothing was written between them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TablesState {
    /// The number of times that the file of the tables was another one.
    file: u64,
    /// SQLite's number of changes by other connections.
    version: i64,
}

impl TablesState {
    /// The state after a commit.
    pub fn later(self) -> TablesState {
        let version = self.version + 1;
        TablesState { version, ..self }
    }
}

/// A connection that is kept open: SQLite tells it of each commit of others.
#[derive(Debug)]
pub struct ArchiveWatch {
    dir: PathBuf,
    open: Mutex<OpenTables>,
}

/// The tables that are open, and how many were before.
#[derive(Debug, Default)]
struct OpenTables {
    reader: Option<(ArchiveReader, FileName)>,
    count: u64,
}

/// A name of a file that another file in its place does not have.
pub(super) type FileName = (u64, u64);

#[cfg(unix)]
pub(super) fn file_name(about: &Metadata) -> FileName {
    use std::os::unix::fs::MetadataExt;
    (about.dev(), about.ino())
}

#[cfg(not(unix))]
pub(super) fn file_name(about: &Metadata) -> FileName {
    let made = about.created().ok();
    let since = made.and_then(|made| made.duration_since(std::time::UNIX_EPOCH).ok());
    let since = since.unwrap_or_default();
    (since.as_secs(), u64::from(since.subsec_nanos()))
}

impl ArchiveWatch {
    /// A watch of the archive in a folder, which is not looked at yet.
    pub fn of(dir: &Path) -> ArchiveWatch {
        ArchiveWatch {
            dir: dir.to_owned(),
            open: Mutex::default(),
        }
    }

    /// The state of the tables now.
    ///
    /// # Errors
    ///
    /// If the tables cannot be read.
    pub fn look(&self) -> Result<TablesState> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let there = fs::metadata(paths::database(&self.dir)).ok();
        let there = there.as_ref().map(file_name);
        let is_same = |(_, name): &(ArchiveReader, FileName)| Some(*name) == there;
        if !open.reader.as_ref().is_some_and(is_same) {
            open.reader = None;
            open.count += 1;
            let reader = ArchiveReader::open(&self.dir)?;
            open.reader = Some((reader, there.unwrap_or_default()));
        }
        let version = match &open.reader {
            Some((reader, _)) => reader.version_of_tables()?,
            None => 0,
        };
        Ok(TablesState {
            file: open.count,
            version,
        })
    }
}

impl ArchiveReader {
    fn version_of_tables(&self) -> Result<i64> {
        Ok(self
            .db
            .pragma_query_value(None, "data_version", |row| row.get(0))?)
    }

    /// A digest of all rows that a feed is made of: two equal ones are of equal feeds. It takes
    /// less than the feed itself, whose answer and articles are read from files.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub fn feed_digest(&self, url: &str) -> Result<String> {
        const ROWS: [&str; 2] = [
            "SELECT f.id, f.state, f.title, f.listed_title, f.rules, \
             (SELECT group_concat(id) FROM (SELECT id FROM answers WHERE feed = f.id ORDER BY id DESC LIMIT 3)), \
             (SELECT count(*) FROM forgotten) FROM feeds f WHERE f.url = ?1",
            "SELECT i.item, i.page, i.digest, i.answer, i.published, g.visits, g.status, g.article, \
             v.id, v.changed FROM feeds f JOIN items i ON i.feed = f.id JOIN pages g ON g.id = i.page \
             LEFT JOIN articles a ON a.id = g.article LEFT JOIN versions v ON v.id = a.latest \
             WHERE f.url = ?1",
        ];
        let mut hash = Sha256::new();
        for sql in ROWS {
            let mut statement = self.db.prepare_cached(sql)?;
            let columns = statement.column_count();
            let mut rows = statement.query([url])?;
            while let Some(row) = rows.next()? {
                for column in 0..columns {
                    add(&mut hash, row.get_ref(column)?);
                }
            }
        }
        Ok(hex(&hash.finalize()))
    }
}

/// Adds a value with its type, and its length where it has one.
fn add(hash: &mut Sha256, value: ValueRef<'_>) {
    match value {
        ValueRef::Null => hash.update(b"n"),
        ValueRef::Integer(number) => {
            hash.update(b"i");
            hash.update(number.to_le_bytes());
        }
        ValueRef::Real(number) => {
            hash.update(b"r");
            hash.update(number.to_le_bytes());
        }
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            hash.update(b"t");
            hash.update(bytes.len().to_le_bytes());
            hash.update(bytes);
        }
    }
}
