//! Writes an event to the tables. Only this module writes to the first part of `schema.sql`.

mod dates;
mod doubts;
mod feeds;
mod pages;
mod records;
mod versions;
mod visits;

use super::event::{Event, EventRecord};
use super::event_kind::EventKind;
use super::files::EventRecords;
use super::revisit::RevisitRule;
use super::sql::{Sql, insert};
use crate::error::Result;
use rusqlite::{Connection, params};

/// Writes one event.
pub(super) fn apply(
    db: &Connection,
    revisit: RevisitRule,
    entry: &EventRecord,
    records: &EventRecords,
) -> Result<()> {
    let at = entry.at.timestamp_millis();
    records::note(db, entry, records)?;
    match &entry.event {
        Event::FeedAdded { feed } => feeds::add(db, feed, at),
        Event::FeedRemoved { feed } => feeds::set_state(db, feed, "removed", ""),
        Event::FeedPaused { feed, paused: true } => feeds::set_state(db, feed, "paused", ""),
        Event::FeedPaused {
            feed,
            paused: false,
        } => feeds::resume(db, feed, at),
        Event::FeedEnded { feed, why } => {
            feeds::set_state(db, feed, "ended", why)?;
            notice(db, at, EventKind::FeedGone, feed, why)
        }
        Event::FeedMoved { feed, to, named } => {
            feeds::move_to(db, feed, to, named.as_deref())?;
            notice(db, at, EventKind::FeedMoved, feed, to)
        }
        Event::FeedListed {
            feed,
            title,
            home,
            folders,
        } => {
            let folders = serde_json::to_string(folders).expect("names are strings");
            let sql =
                "UPDATE feeds SET listed_title = ?2, listed_home = ?3, folders = ?4 WHERE url = ?1";
            db.run(sql, params![feed, title, home, folders])
        }
        Event::FeedRules { feed, rules } => {
            let rules = serde_json::to_string(rules).expect("patterns are strings");
            let sql = "UPDATE feeds SET rules = ?2 WHERE url = ?1";
            db.run(sql, params![feed, rules])
        }
        Event::FeedRead { feed, title, items } => {
            feeds::read(db, revisit, (feed, title), items, at, records)
        }
        Event::Page(visit) => visits::visit(db, revisit, visit, at, records),
        Event::Wrapper {
            site,
            sha256,
            yaml,
            why,
        } => {
            let sql = "UPDATE wrappers SET until = ?2 WHERE site = ?1 AND until IS NULL";
            db.run(sql, params![site, at])?;
            insert!(db, "wrappers", site: site, sha256: sha256, yaml: yaml, since: at, why: why)
        }
        Event::Judged { site, verdict, why } => {
            insert!(db, "verdicts", site: site, at: at, verdict: verdict, why: why)
        }
        Event::Reextracted {
            key,
            number,
            reading,
        } => versions::reread(db, (key, *number), reading, records, at),
        Event::Settled { key, seen, reading } => {
            let reading = reading.as_deref();
            doubts::settle(db, (key, *seen), reading, records.text.as_ref(), at)
        }
        Event::Requisite(requisite) => visits::requisite(db, requisite, records, at),
        Event::Pictured {
            key,
            number,
            pictures,
        } => versions::put_pictures(db, (key, *number), pictures),
        Event::Received { .. } | Event::Imported { .. } => Ok(()),
        Event::Forgotten { digest } => {
            let sql = "INSERT OR REPLACE INTO forgotten (digest, at) VALUES (?1, ?2)";
            db.run(sql, params![digest, at])
        }
    }
}

/// Notes that a feed moved or ended.
fn notice(db: &Connection, at: i64, kind: EventKind, feed: &str, why: &str) -> Result<()> {
    insert!(db, "notices", at: at, kind: kind.name(), feed: feed, why: why)
}
