//! Doubtful readings: visits whose page has changed and whose text was found in another way than
//! that of the latest version. They are edits, or their site was redesigned.
//!
//! A doubtful reading is kept as a visit, with its bytes and its time
//! ([`VisitOutcome::Doubtful`](super::VisitOutcome::Doubtful)), and is no version. Once there is a
//! wrapper that finds the article on that page ([`Archive::settle`], and each re-extraction),
//! the words decide. If they differ from those of the version before, it is a version, from the
//! time of the visit on; else nothing was edited. On pages that the wrapper does not match
//! either, it stays doubtful.

use super::change::{ArchiveChange, DoubtRecord, SettledDoubt};
use super::handle::Archive;
use super::joined::{JoinedArticle, RawArticle, same_article};
use super::read::ArchiveReader;
use super::reread::{AT_ONCE, Reextracted, RereadBy, SettledEdit, is_read};
use super::sql::{Sql, time_in};
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_core::extract::Options;
use rusqlite::{Row, params};

/// The doubtful readings that a wrapper may settle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoubtsOf {
    /// Those of the time of another wrapper.
    OtherWrappers,
    /// Its own, too: the other pages of the site show that it finds the articles.
    All,
}

/// A doubtful reading.
struct Doubt {
    article: i64,
    raw: i64,
    seen: DateTime<Utc>,
    page: i64,
    record: DoubtRecord,
}

/// The latest version of an article that has doubtful readings.
struct BeforeDoubt {
    article: i64,
    key: String,
    url: String,
    at: DateTime<Utc>,
    text: String,
    /// The newest bytes of its further pages.
    parts: Vec<(String, i64)>,
}

impl Archive {
    /// Settles the doubtful readings of a site by a wrapper, as far as it finds their articles;
    /// returns those that became versions.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read or written.
    pub fn settle(
        &mut self,
        (by, doubts): (RereadBy<'_>, DoubtsOf),
        at: DateTime<Utc>,
    ) -> Result<Vec<SettledEdit>> {
        let mut report = Reextracted::default();
        let reader = self.reader()?;
        let mut write = |changes| self.write(changes).map(|_| ());
        settle(&reader, (&by, doubts), at, &mut report, &mut write)?;
        Ok(report.edits)
    }

    /// Returns true if a site has doubtful readings.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub fn has_doubts(&self, site: &str) -> Result<bool> {
        let sql = "SELECT EXISTS (SELECT 1 FROM doubts WHERE site = ?1)";
        Ok(self.db.value(sql, [site])?.unwrap_or(false))
    }
}

/// Settles the doubtful readings of a site, article by article and in the order of time.
pub(super) fn settle(
    reader: &ArchiveReader,
    (by, doubts): (&RereadBy<'_>, DoubtsOf),
    at: DateTime<Utc>,
    report: &mut Reextracted,
    write: &mut dyn FnMut(Vec<ArchiveChange>) -> Result<()>,
) -> Result<()> {
    let (mut changes, mut before): (Vec<ArchiveChange>, Option<BeforeDoubt>) = (Vec::new(), None);
    for doubt in reader.doubts(by, doubts)? {
        let known = before.take().filter(|known| known.article == doubt.article);
        let known = match known {
            Some(known) => Some(known),
            None => reader.before_doubt(doubt.article)?,
        };
        let Some(mut known) = known else { continue };
        match reader.settled(&doubt, &mut known, by)? {
            None => report.doubtful += 1,
            Some(edit) => {
                match &edit {
                    None => report.settled += 1,
                    Some((joined, _)) => report.edits.push(SettledEdit {
                        url: known.url.clone(),
                        title: joined.article.title.clone(),
                        page: doubt.page,
                        seen: doubt.seen,
                    }),
                }
                changes.push(ArchiveChange::Settled(Box::new(SettledDoubt {
                    at,
                    key: known.key.clone(),
                    seen: doubt.seen,
                    record: doubt.record,
                    edit,
                })));
            }
        }
        before = Some(known);
        if changes.len() >= AT_ONCE {
            write(std::mem::take(&mut changes))?;
        }
    }
    if changes.is_empty() {
        return Ok(());
    }
    write(changes)
}

impl ArchiveReader {
    /// The doubtful readings of a wrapper's site, by article and time.
    fn doubts(&self, by: &RereadBy<'_>, doubts: DoubtsOf) -> Result<Vec<Doubt>> {
        let sql = "SELECT d.article, d.raw, d.at, f.page, f.record, f.url FROM doubts d \
                   JOIN fetches f ON f.id = d.raw \
                   WHERE d.site = ?1 AND (?3 OR d.wrapper IS NOT ?2) ORDER BY d.article, d.at, d.id";
        let all = doubts == DoubtsOf::All;
        let read = |row: &Row<'_>| {
            Ok(Doubt {
                article: row.get("article")?,
                raw: row.get("raw")?,
                seen: time_in(row, "at")?,
                page: row.get("page")?,
                record: DoubtRecord {
                    id: row.get("record")?,
                    url: row.get("url")?,
                },
            })
        };
        self.db.all(sql, params![by.site, by.sha256, all], read)
    }

    fn before_doubt(&self, article: i64) -> Result<Option<BeforeDoubt>> {
        let Some((of, version)) = self.latest_of(article)? else {
            return Ok(None);
        };
        let sql = "SELECT g.url, g.raw FROM parts t JOIN pages g ON g.id = t.page \
                   WHERE t.version = ?1 AND g.raw IS NOT NULL ORDER BY t.nth";
        let parts = self
            .db
            .all(sql, [version.id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(Some(BeforeDoubt {
            article,
            key: of.key,
            url: of.url,
            at: version.at,
            text: version.record.text,
            parts,
        }))
    }

    /// The version that a doubtful reading is, or `Some(None)` if nothing was edited; `None`: it
    /// stays doubtful. `before` becomes the version.
    fn settled(
        &self,
        doubt: &Doubt,
        before: &mut BeforeDoubt,
        by: &RereadBy<'_>,
    ) -> Result<Option<Option<(JoinedArticle, String)>>> {
        let Some(first) = self.raw(doubt.raw)? else {
            return Ok(None);
        };
        let mut parts = Vec::new();
        for (url, raw) in &before.parts {
            parts.extend(self.raw(*raw)?.map(|raw| (url.clone(), raw)));
        }
        let raw = RawArticle { first, parts };
        let mut joined = raw.read(Some(by.extractor), &Options::default());
        let article = &mut joined.article;
        if !is_read(article) || joined.missing.is_some() {
            return Ok(None);
        }
        let is_same = same_article(&before.text, &article.text, article.title.as_deref());
        if is_same || before.at >= doubt.seen {
            return Ok(Some(None));
        }
        article.date_fetched = Some(rfc3339(doubt.seen));
        before.text.clone_from(&article.text);
        before.at = doubt.seen;
        Ok(Some(Some((joined, by.sha256.to_owned()))))
    }
}

fn rfc3339(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}
