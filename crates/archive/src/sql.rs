//! Short forms for SQL statements, and the types of columns.

use super::files::RecordPlace;
use crate::error::{Error, ErrorKind, Result};
use chrono::{DateTime, TimeZone, Utc};
use forest_core::extract::Status;
use rusqlite::types::FromSql;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Params, Row};

/// Statements on a connection. Each is prepared once.
pub(super) trait Sql {
    /// Runs a statement that gives no rows.
    fn run(&self, sql: &str, params: impl Params) -> Result<()>;

    /// The first row; `None` if there is no row.
    fn first<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>>;

    /// All rows.
    fn all<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>>;

    /// The first column of the first row; `None` if there is no row, or NULL.
    fn value<T: FromSql>(&self, sql: &str, params: impl Params) -> Result<Option<T>> {
        let found: Option<Option<T>> = self.first(sql, params, |row| row.get(0))?;
        Ok(found.flatten())
    }

    /// The first column of all rows.
    fn values<T: FromSql>(&self, sql: &str, params: impl Params) -> Result<Vec<T>> {
        self.all(sql, params, |row| row.get(0))
    }
}

impl Sql for Connection {
    fn run(&self, sql: &str, params: impl Params) -> Result<()> {
        self.prepare_cached(sql)?.execute(params)?;
        Ok(())
    }

    fn first<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        Ok(self
            .prepare_cached(sql)?
            .query_row(params, read)
            .optional()?)
    }

    fn all<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let mut statement = self.prepare_cached(sql)?;
        let rows = statement.query_map(params, read)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

/// `INSERT INTO` a table, with each column next to its value.
macro_rules! insert {
    ($db:expr, $table:literal, $first:ident: $value:expr $(, $column:ident: $other:expr)* $(,)?) => {
        $crate::sql::Sql::run(
            $db,
            concat!(
                "INSERT INTO ", $table, " (", stringify!($first), $(", ", stringify!($column),)*
                ") VALUES (:", stringify!($first), $(", :", stringify!($column),)* ")"
            ),
            &[
                (concat!(":", stringify!($first)), &$value as &dyn rusqlite::ToSql),
                $((concat!(":", stringify!($column)), &$other as &dyn rusqlite::ToSql),)*
            ][..],
        )
    };
}
pub(super) use insert;

impl From<rusqlite::Error> for Error {
    fn from(source: rusqlite::Error) -> Self {
        match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                ErrorKind::DatabaseBroken { source }.into()
            }
            _ => ErrorKind::Database { source }.into(),
        }
    }
}

/// The place in the columns `file`, `place` and `length`.
pub(super) fn place_of(row: &Row<'_>) -> rusqlite::Result<RecordPlace> {
    Ok(RecordPlace {
        file: row.get("file")?,
        offset: row.get("place")?,
        length: row.get("length")?,
    })
}

/// The place in the same columns; `None` if `file` is NULL.
pub(super) fn optional_place_of(row: &Row<'_>) -> rusqlite::Result<Option<RecordPlace>> {
    match row.get_ref("file")? {
        rusqlite::types::ValueRef::Null => Ok(None),
        _ => place_of(row).map(Some),
    }
}

/// A list of names, as JSON in its column; empty if the column is NULL.
pub(super) fn list_of(row: &Row<'_>, column: &str) -> rusqlite::Result<Vec<String>> {
    let json: Option<String> = row.get(column)?;
    let list = json.and_then(|json| serde_json::from_str(&json).ok());
    Ok(list.unwrap_or_default())
}

/// A time in milliseconds since 1970.
pub(super) fn time_of(ms: i64) -> DateTime<Utc> {
    Utc.timestamp_millis_opt(ms).single().unwrap_or_default()
}

/// The time in a column of milliseconds.
pub(super) fn time_in(row: &Row<'_>, column: &str) -> rusqlite::Result<DateTime<Utc>> {
    Ok(time_of(row.get(column)?))
}

/// The status in the column `status`; `None` if it is NULL or an unknown name.
pub(super) fn status_of(row: &Row<'_>) -> rusqlite::Result<Option<Status>> {
    let name: Option<String> = row.get("status")?;
    Ok(name.as_deref().and_then(Status::named))
}
