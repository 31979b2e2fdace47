//! The tables that the WARC files do not have: polls, watched sites, servers in back-off,
//! robots.txt. If they are lost, they are requested once more.

use super::change::{ArchiveChange, FeedPoll};
use super::sql::{Sql, time_in, time_of};
use crate::error::Result;
use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{Connection, Row, named_params, params};

/// The columns of a poll `p`, as [`poll_of`] reads them.
pub(super) const POLL_COLUMNS: &str = "p.last, p.success, p.next, p.rhythm, p.failures, p.error, \
    p.etag, p.last_modified, p.sha256, p.moved";

/// The poll of a feed. All columns are NULL if there was none.
pub(super) fn poll_of(row: &Row<'_>, feed: String) -> rusqlite::Result<FeedPoll> {
    let time = |column: &str| -> rusqlite::Result<Option<DateTime<Utc>>> {
        Ok(row.get::<_, Option<i64>>(column)?.map(time_of))
    };
    Ok(FeedPoll {
        feed,
        last: time("last")?,
        success: time("success")?,
        next: time("next")?,
        rhythm: row.get("rhythm")?,
        failures: row.get::<_, Option<u32>>("failures")?.unwrap_or(0),
        error: row.get("error")?,
        etag: row.get("etag")?,
        last_modified: row.get("last_modified")?,
        sha256: row.get("sha256")?,
        moved: row.get("moved")?,
    })
}

pub(super) fn write_poll(tables: &Connection, poll: &FeedPoll) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO polls (feed, last, success, next, rhythm, failures, error, etag, \
               last_modified, sha256, moved) \
               SELECT id, :last, :success, :next, :rhythm, :failures, :error, :etag, \
               :last_modified, :sha256, :moved FROM feeds WHERE url = :feed";
    let ms = |time: Option<DateTime<Utc>>| time.map(|time| time.timestamp_millis());
    let params = named_params! {
        ":feed": poll.feed,
        ":last": ms(poll.last),
        ":success": ms(poll.success),
        ":next": ms(poll.next),
        ":rhythm": poll.rhythm,
        ":failures": poll.failures,
        ":error": poll.error,
        ":etag": poll.etag,
        ":last_modified": poll.last_modified,
        ":sha256": poll.sha256,
        ":moved": poll.moved,
    };
    tables.run(sql, params)
}

pub(super) fn write_rest(tables: &Connection, origin: &str, until: DateTime<Utc>) -> Result<()> {
    // Back-offs of more than a day ago are over.
    let over = (until - TimeDelta::days(1)).timestamp_millis();
    tables.run("DELETE FROM rests WHERE until <= ?1", [over])?;
    let sql = "INSERT OR REPLACE INTO rests (origin, until) VALUES (?1, ?2)";
    tables.run(sql, params![origin, until.timestamp_millis()])
}

pub(super) fn write_robots(
    tables: &Connection,
    origin: &str,
    at: DateTime<Utc>,
    text: &[u8],
) -> Result<()> {
    // Texts of more than a day ago are not used.
    let over = (at - TimeDelta::days(1)).timestamp_millis();
    tables.run("DELETE FROM robots WHERE at <= ?1", [over])?;
    let sql = "INSERT OR REPLACE INTO robots (origin, at, text) VALUES (?1, ?2, ?3)";
    tables.run(sql, params![origin, at.timestamp_millis(), text])
}

pub(super) fn write_watch(tables: &Connection, site: &str, state: &str) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO watches (site, state) VALUES (?1, ?2)";
    tables.run(sql, [site, state])
}

/// The changes that restore these tables, except for robots.txt. Tables that cannot be read
/// are left out.
pub(super) fn changes_of(db: &Connection) -> Vec<ArchiveChange> {
    let sql = format!(
        "SELECT f.url, {POLL_COLUMNS} FROM polls p JOIN feeds f ON f.id = p.feed \
         WHERE p.last IS NOT NULL ORDER BY f.id"
    );
    let polls = db.all(&sql, [], |row| {
        Ok(ArchiveChange::Poll(Box::new(poll_of(
            row,
            row.get("url")?,
        )?)))
    });
    let watches = db.all("SELECT site, state FROM watches ORDER BY site", [], |row| {
        let (site, state) = (row.get("site")?, row.get("state")?);
        Ok(ArchiveChange::Watch { site, state })
    });
    let rests = db.all(
        "SELECT origin, until FROM rests ORDER BY until",
        [],
        |row| {
            let (origin, until) = (row.get("origin")?, time_in(row, "until")?);
            Ok(ArchiveChange::Rest { origin, until })
        },
    );
    let all = [polls, watches, rests].into_iter();
    all.flat_map(Result::unwrap_or_default).collect()
}

/// Writes the changes of [`changes_of`].
pub(super) fn write_all(tables: &Connection, changes: Vec<ArchiveChange>) -> Result<()> {
    for change in changes {
        match change {
            ArchiveChange::Poll(poll) => write_poll(tables, &poll)?,
            ArchiveChange::Rest { origin, until } => write_rest(tables, &origin, until)?,
            ArchiveChange::Watch { site, state } => write_watch(tables, &site, &state)?,
            _ => {}
        }
    }
    Ok(())
}
