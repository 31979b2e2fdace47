//! What pages show besides their texts, as it came: pictures of articles, style sheets and
//! fonts. Each is a response of its own with an event ([`Requisite`]) behind it; bytes
//! that are there already, at whatever address, are a `revisit`. Which pictures a version
//! has is an event, too ([`Event::Pictured`]), written when all of them came or failed.

use super::apply::{Records, article_of};
use super::event::{Event, Picture, Requisite};
use super::forget::Forgotten;
use super::identity::key_of;
use super::journal::Journal;
use super::store::{place_of, time_of, write_event};
use super::{Archive, ArchiveReader};
use crate::error::Result;
use crate::extract::Article;
use crate::warc::{EarlierRecord, Record, RecordType, hex, record_date};
use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::net::IpAddr;

/// A requisite that came, made ready to be stored.
#[derive(Debug, Clone)]
pub struct FetchedRequisite {
    /// When.
    pub at: DateTime<Utc>,
    /// The address that a page names.
    pub url: String,
    /// The address that answered.
    pub final_url: String,
    /// What it is.
    pub kind: super::RequisiteKind,
    /// Its `Content-Type`.
    pub content_type: Option<String>,
    /// How the name of a file with it ends.
    pub extension: String,
    /// The request's head.
    pub request_head: Vec<u8>,
    /// The answer's head, which describes `body` as it is here.
    pub response_head: Vec<u8>,
    /// The answer's body.
    pub body: Vec<u8>,
    /// Who answered.
    pub address: Option<IpAddr>,
}

/// A version of an article of whose pictures nothing was written yet.
#[derive(Debug, Clone, PartialEq)]
pub struct UnpicturedVersion {
    /// Its number in the archive.
    pub version: i64,
    /// Key of the article.
    pub key: String,
    /// The version, from 1.
    pub number: u32,
    /// When it came.
    pub at: DateTime<Utc>,
    /// The article's record, without its text.
    pub record: Article,
}

/// Bytes at an address as they came last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRequisite {
    /// When.
    pub at: DateTime<Utc>,
    /// SHA-256 of the bytes, in hex.
    pub sha256: String,
    /// How the name of a file with them ends.
    pub extension: String,
}

impl Archive {
    /// The latest versions with pictures of which none was asked for, with `all` those
    /// without pictures, too. Those that came at `since` or later and have a number above
    /// `after`, the oldest first.
    ///
    /// # Errors
    ///
    /// If the database cannot be read; so all of these.
    pub fn unpictured(
        &self,
        since: DateTime<Utc>,
        after: i64,
        all: bool,
        most: usize,
    ) -> Result<Vec<UnpicturedVersion>> {
        let sql = "SELECT v.id, a.key, v.number, v.at, v.record FROM versions v \
                   JOIN articles a ON a.latest = v.id \
                   WHERE v.pictured IN (0, ?4) AND v.at >= ?1 AND v.id > ?2 ORDER BY v.at, v.id LIMIT ?3";
        let mut rows = self.db.prepare_cached(sql)?;
        let mut rows = rows.query(params![
            since.timestamp_millis(),
            after,
            most,
            if all { 2 } else { 0 }
        ])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let record: String = row.get(4)?;
            found.push(UnpicturedVersion {
                version: row.get(0)?,
                key: row.get(1)?,
                number: row.get(2)?,
                at: time_of(row.get(3)?),
                record: serde_json::from_str(&record).unwrap_or_default(),
            });
        }
        Ok(found)
    }

    /// The number of the version that came last; 0 if there is none.
    pub fn last_version(&self) -> Result<i64> {
        let sql = "SELECT coalesce(max(id), 0) FROM versions";
        Ok(self.db.query_row(sql, [], |row| row.get(0))?)
    }

    /// What is known of the address of a requisite.
    pub fn requisite(&self, url: &str) -> Result<Option<StoredRequisite>> {
        let sql =
            "SELECT at, sha256, extension FROM requisites WHERE url = ?1 ORDER BY id DESC LIMIT 1";
        let known = self.db.prepare_cached(sql)?.query_row([url], |row| {
            Ok(StoredRequisite {
                at: time_of(row.get(0)?),
                sha256: row.get(1)?,
                extension: row.get(2)?,
            })
        });
        Ok(known.optional()?)
    }

    /// The digests of pictures that only forgotten articles have.
    pub(super) fn orphans(&self, forgotten: &Forgotten) -> Result<HashSet<String>> {
        let sql = "SELECT DISTINCT p.sha256, a.key FROM pictures p JOIN versions v ON v.id = p.version \
                   JOIN articles a ON a.id = v.article WHERE p.sha256 IS NOT NULL";
        let mut rows = self.db.prepare(sql)?;
        let mut rows = rows.query([])?;
        let (mut gone, mut used) = (HashSet::new(), HashSet::new());
        while let Some(row) = rows.next()? {
            let (sha256, key): (String, String) = (row.get(0)?, row.get(1)?);
            match forgotten.holds_key(&key) {
                true => gone.insert(sha256),
                false => used.insert(sha256),
            };
        }
        gone.retain(|sha256| !used.contains(sha256));
        Ok(gone)
    }
}

impl ArchiveReader {
    /// The pictures of a version that the archive has.
    pub fn pictures(&self, version: i64) -> Result<Vec<Picture>> {
        let sql = "SELECT url, sha256, extension FROM pictures WHERE version = ?1 AND sha256 IS NOT NULL \
                   ORDER BY nth";
        let mut rows = self.db.prepare_cached(sql)?;
        let rows = rows.query_map([version], |row| {
            Ok(Picture {
                url: row.get(0)?,
                sha256: row.get(1)?,
                extension: row.get(2)?,
                error: None,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The pictures that the archive has of the latest version of the article that an
    /// address is known for.
    pub fn latest_pictures(&self, url: &str) -> Result<Vec<Picture>> {
        let Some(article) = article_of(&self.db, &key_of(url))? else {
            return Ok(Vec::new());
        };
        let sql = "SELECT latest FROM articles WHERE id = ?1";
        let mut latest = self.db.prepare_cached(sql)?;
        let latest = latest.query_row([article], |row| row.get(0));
        match latest.optional()?.flatten() {
            Some(version) => self.pictures(version),
            None => Ok(Vec::new()),
        }
    }

    /// The bytes with this digest, if they came as a requisite.
    pub fn requisite_bytes(&self, sha256: &str) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT file, place, length FROM requisites WHERE sha256 = ?1 AND kind = 'response' LIMIT 1";
        let place = self
            .db
            .prepare_cached(sql)?
            .query_row([sha256], |row| place_of(row, 0));
        let Some(place) = place.optional()? else {
            return Ok(None);
        };
        let record = self.folder.record(place)?;
        let body = record.answer().map(|(_, _, body)| body.to_vec());
        Ok(body.filter(|body| hex(&Sha256::digest(body)) == sha256))
    }
}

/// The records of a requisite, and its event.
pub(super) fn write_requisite(
    tables: &Connection,
    journal: &mut Journal,
    came: FetchedRequisite,
) -> Result<()> {
    journal.rotate(came.at)?;
    let sha256 = hex(&Sha256::digest(&came.body));
    let url = came.final_url.as_str();
    let answer = match earlier(tables, &sha256)? {
        Some(earlier) => {
            Record::revisit(url, came.at, &came.response_head, &sha256, &earlier, false)
        }
        None => Record::response(url, came.at, &came.response_head, &came.body),
    };
    let answer = match came.address {
        Some(address) => answer.from_address(address),
        None => answer,
    };
    let request = Record::request(url, came.at, &came.request_head, &answer);
    journal.record(request.encode())?;
    let records = Records {
        raw: Some(journal.record(answer.encode())?),
        text: None,
    };
    let event = Event::Requisite(Box::new(Requisite {
        final_url: Some(came.final_url).filter(|url| *url != came.url),
        url: came.url,
        kind: came.kind,
        sha256,
        extension: came.extension,
        content_type: came.content_type,
    }));
    write_event(tables, journal, came.at, event, records)
}

/// The record that holds bytes of this digest.
fn earlier(tables: &Connection, sha256: &str) -> Result<Option<EarlierRecord>> {
    let sql = "SELECT record, target, at FROM requisites WHERE sha256 = ?1 AND kind = ?2 LIMIT 1";
    let found = tables.prepare_cached(sql)?.query_row(
        params![sha256, RecordType::Response.name()],
        |row| {
            Ok(EarlierRecord {
                id: row.get(0)?,
                url: row.get(1)?,
                date: record_date(time_of(row.get(2)?)),
            })
        },
    );
    Ok(found.optional()?)
}
