//! The hosts that an archive has had answers from.

use super::read::ArchiveReader;
use super::sql::Sql;
use crate::error::Result;
use forest_html::address::site_of;
use rusqlite::params;
use url::Url;

/// The knowledge that an archive has of a host and its port.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KnownHost {
    /// A page, a feed or a picture came from there.
    pub has_answered: bool,
    /// A person typed the address of a feed there, which was not removed.
    pub is_typed: bool,
}

impl ArchiveReader {
    /// The knowledge of the host and the port of an address, by http and https.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub fn known_host(&self, url: &Url) -> Result<KnownHost> {
        let Some(host) = site_of(Some(url.as_str())) else {
            return Ok(KnownHost::default());
        };
        let mut known = KnownHost::default();
        let sql = "SELECT 1 FROM pages WHERE site = ?1 AND raw IS NOT NULL LIMIT 1";
        let mut has_answered = self.db.value::<i64>(sql, [&host])?.is_some();
        for scheme in ["http", "https"] {
            // `0` is the character behind `/`: all addresses that begin with the host.
            let range = [format!("{scheme}://{host}/"), format!("{scheme}://{host}0")];
            let [from, to] = &range;
            let sql = "SELECT 1 FROM requisites WHERE url >= ?1 AND url < ?2 LIMIT 1";
            has_answered = has_answered || self.db.value::<i64>(sql, params![from, to])?.is_some();
            let sql = "SELECT max(p.success IS NOT NULL), max(f.typed = 1 AND f.state <> 'removed') \
                       FROM feeds f LEFT JOIN polls p ON p.feed = f.id WHERE f.url >= ?1 AND f.url < ?2";
            let row = self.db.first(sql, params![from, to], |row| {
                let answered: Option<bool> = row.get(0)?;
                let typed: Option<bool> = row.get(1)?;
                Ok((answered.unwrap_or_default(), typed.unwrap_or_default()))
            });
            let (answered, typed) = row?.unwrap_or_default();
            has_answered |= answered;
            known.is_typed |= typed;
        }
        known.has_answered = has_answered;
        Ok(known)
    }
}
