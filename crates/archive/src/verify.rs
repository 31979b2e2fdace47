//! The check that WARC files, tables and index agree.

use super::files::{FileId, Folder, Lengths};
use super::handle::Archive;
use super::known::is_forgotten;
use super::recover::catch_up;
use super::sql::Sql;
use super::tables;
use crate::error::Result;
use forest_html::error::counted;
use forest_sources::warc::{RecordType, is_digest_of};
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use std::fmt;
use std::path::PathBuf;

/// A fault in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Damage {
    /// A WARC file that cannot be read to its end.
    Cut {
        /// The file.
        file: String,
        /// The offset of the damage.
        offset: u64,
        /// The reason.
        reason: String,
    },
    /// A record whose content does not match its digest.
    Digest {
        /// The file.
        file: String,
        /// The offset of the record.
        offset: u64,
    },
    /// A table that differs from the one made from the WARC files.
    Table {
        /// Its name.
        table: &'static str,
        /// The first row that differs, for a person.
        row: String,
    },
    /// Forgotten addresses that are still there.
    Remembered {
        /// Their number.
        addresses: u64,
    },
    /// The file of an active wrapper that cannot be read.
    Wrapper {
        /// The file.
        path: PathBuf,
        /// The reason; empty if it is not there.
        reason: String,
    },
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Cut {
                file,
                offset,
                reason,
            } => {
                write!(
                    f,
                    "{file}: damaged at byte {offset}: {reason}; restore it from a backup, or see --salvage"
                )
            }
            Damage::Digest { file, offset } => write!(
                f,
                "{file}: the record at byte {offset} is not what its digest says; restore it from a backup, or see --salvage"
            ),
            Damage::Table { table, row } => {
                write!(
                    f,
                    "the table {table} is not what the WARC files give, first at {row}; rebuild it"
                )
            }
            Damage::Remembered { addresses } => write!(
                f,
                "{} still there after `forest archive forget`: it was interrupted; --rebuild ends it",
                counted(*addresses, "address is", "addresses are")
            ),
            Damage::Wrapper { path, reason } => {
                let path = path.display();
                if reason.is_empty() {
                    write!(f, "the wrapper {path} is not there; --rebuild puts it back")
                } else {
                    write!(f, "{reason}; mend it, or remove it and --rebuild")
                }
            }
        }
    }
}

/// The result of a check: the counts, and the damage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    /// WARC files.
    pub files: u64,
    /// Records in all of them.
    pub records: u64,
    /// Articles in the tables.
    pub articles: u64,
    /// Their versions.
    pub versions: u64,
    /// The damage; empty if nothing is wrong.
    pub damage: Vec<Damage>,
}

/// The tables that are made of events, with the order of their rows.
const TABLES: [(&str, &str); 16] = [
    ("feeds", "id"),
    ("answers", "id"),
    ("notices", "id"),
    ("items", "feed, item"),
    ("pages", "id"),
    ("fetches", "id"),
    ("articles", "id"),
    ("versions", "id"),
    ("doubts", "id"),
    ("parts", "version, nth"),
    ("requisites", "id"),
    ("pictures", "version, nth"),
    ("wrappers", "id"),
    ("verdicts", "id"),
    ("records", "id"),
    ("forgotten", "digest"),
];

impl Archive {
    /// Reads all WARC files, checks the digests, makes the tables once more in memory and
    /// compares them with those of the database.
    ///
    /// # Errors
    ///
    /// If the files or the database cannot be read at all.
    pub fn verify(&self) -> Result<Verified> {
        let mut found = Verified::default();
        for file in self.folder.lengths()?.into_keys() {
            check_file(&self.folder, file, &mut found)?;
        }
        let count = |table: &str| {
            let sql = format!("SELECT count(*) FROM {table}");
            self.db.value(&sql, []).map(Option::unwrap_or_default)
        };
        (found.articles, found.versions) = (count("articles")?, count("versions")?);
        if !found.damage.is_empty() {
            return Ok(found);
        }
        let mut again = tables::in_memory()?;
        catch_up(&mut again, &self.folder, &Lengths::default(), self.revisit)?;
        for (table, order) in TABLES {
            if let Some(row) = difference(&self.db, &again, table, order)? {
                found.damage.push(Damage::Table { table, row });
            }
        }
        let addresses = self.remembered()?;
        if addresses > 0 {
            found.damage.push(Damage::Remembered { addresses });
        }
        let wrappers = self.wrapper_damage()?.into_iter();
        let damage = wrappers.map(|(path, reason)| Damage::Wrapper { path, reason });
        found.damage.extend(damage);
        Ok(found)
    }

    /// The number of forgotten addresses that are still there: the call was interrupted.
    /// [`forget`](Self::forget) without addresses continues it.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub fn remembered(&self) -> Result<u64> {
        let none = "SELECT NOT EXISTS (SELECT 1 FROM forgotten)";
        if self.db.query_row(none, [], |row| row.get(0))? {
            return Ok(0);
        }
        let sql = "SELECT key FROM pages WHERE visits > 0 OR raw IS NOT NULL OR article IS NOT NULL \
                   UNION SELECT key FROM articles";
        let mut remaining = 0;
        for key in self.db.values::<String>(sql, [])? {
            remaining += u64::from(is_forgotten(&self.db, &key)?);
        }
        Ok(remaining)
    }
}

fn check_file(folder: &Folder, file: FileId, found: &mut Verified) -> Result<()> {
    found.files += 1;
    let mut members = folder.records(file, 0)?;
    let file = file.to_string();
    loop {
        match members.read() {
            Ok(None) => return Ok(()),
            Ok(Some(record)) => {
                found.records += 1;
                let stated = record.digest.as_deref();
                let stated = stated.map(|stated| is_digest_of(stated, &record.block));
                if stated != Some(Some(true)) && record.kind != Some(RecordType::Warcinfo) {
                    let (file, offset) = (file.clone(), record.offset);
                    found.damage.push(Damage::Digest { file, offset });
                }
            }
            Err(broken) => {
                found.damage.push(Damage::Cut {
                    file,
                    offset: broken.offset,
                    reason: broken.reason,
                });
                return Ok(());
            }
        }
    }
}

/// The first row in which a table of two databases differs.
fn difference(a: &Connection, b: &Connection, table: &str, order: &str) -> Result<Option<String>> {
    let sql = format!("SELECT * FROM {table} ORDER BY {order}");
    let (mut a, mut b) = (a.prepare(&sql)?, b.prepare(&sql)?);
    let columns = a.column_count();
    let (mut a, mut b) = (a.query([])?, b.query([])?);
    loop {
        match (a.next()?, b.next()?) {
            (None, None) => return Ok(None),
            (Some(left), Some(right)) => {
                for column in 0..columns {
                    let (left, right) = (left.get_ref(column)?, right.get_ref(column)?);
                    if left != right {
                        return Ok(Some(format!("{} instead of {}", shown(left), shown(right))));
                    }
                }
            }
            (Some(row), None) => {
                let first = shown(row.get_ref(0)?);
                return Ok(Some(format!("{first}, which should not be there")));
            }
            (None, Some(row)) => {
                return Ok(Some(format!(
                    "{}, which is missing",
                    shown(row.get_ref(0)?)
                )));
            }
        }
    }
}

fn shown(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "nothing".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).chars().take(80).collect(),
        ValueRef::Blob(bytes) => format!("{} bytes", bytes.len()),
    }
}
