//! Doubtful readings: visits whose page has changed and whose text was found in another way than
//! that of the latest version. They are edits, or their site was redesigned.
//!
//! A doubtful reading is kept as a visit, with its bytes and its time
//! ([`VisitOutcome::Doubtful`](super::VisitOutcome::Doubtful)), and is no version. Once there is a
//! wrapper that finds the article on that page ([`Archive::settle`], and each re-extraction),
//! the words decide. If they differ from those of the version before, it is a version, from the
//! time of the visit on; else nothing was edited. On pages that the wrapper does not match
//! either, it stays doubtful.
//!
//! A new layout may have further lines in its articles, such as a byline. As many lines as most
//! articles of the site have more, or less, than before are no edit (`other_lines`).
//!
//! A page that has changed while its text seemed the same may hide an edit that the wrapper then
//! did not see. When the latest version of an article is read again by another wrapper, so are
//! the pages that came after it: where the same expression finds other words, it was edited.

use super::change::{ArchiveChange, DoubtRecord, SettledDoubt};
use super::handle::Archive;
use super::joined::{JoinedArticle, RawArticle, found_by, same_article};
use super::other_lines::OtherLines;
use super::read::ArchiveReader;
use super::reread::{AT_ONCE, Reextracted, RereadBy, SettledEdit, is_read};
use super::sql::{Sql, time_in};
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_core::extract::{Article, Options};
use rusqlite::{Row, params};
use std::collections::HashMap;

/// Articles that are compared to learn how a new layout differs.
const MOST_COMPARED: usize = 20;

/// The doubtful readings that a wrapper may settle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoubtsOf {
    /// Those of articles that another wrapper had read.
    OtherWrappers,
    /// Its own, too: the other pages of the site show that it finds the articles.
    All,
}

/// A page that came after the latest version of its article.
struct LaterPage {
    article: i64,
    raw: i64,
    seen: DateTime<Utc>,
    page: i64,
    record: DoubtRecord,
    /// Its reading is doubtful; else its text seemed the same.
    is_doubtful: bool,
}

impl LaterPage {
    fn of_row(row: &Row<'_>) -> rusqlite::Result<LaterPage> {
        Ok(LaterPage {
            article: row.get("article")?,
            raw: row.get("raw")?,
            seen: time_in(row, "at")?,
            page: row.get("page")?,
            record: DoubtRecord {
                id: row.get("record")?,
                url: row.get("url")?,
            },
            is_doubtful: row.get("is_doubtful")?,
        })
    }
}

/// The result of reading the page of a doubt by a wrapper.
enum DoubtOutcome {
    /// The wrapper does not match the page: it stays doubtful.
    Open,
    /// Nothing was edited.
    NoEdit,
    /// The reading is a version: the article, and SHA-256 of the file of the wrapper.
    Edit(Box<(JoinedArticle, String)>),
}

/// The latest version of an article, before its later pages.
struct BeforeDoubt {
    article: i64,
    key: String,
    url: String,
    at: DateTime<Utc>,
    /// SHA-256 of the file of the wrapper that read it.
    wrapper: Option<String>,
    /// The wrapper's expression that found it.
    found_by: Option<String>,
    text: String,
    /// The newest bytes of its further pages.
    parts: Vec<(String, i64)>,
}

impl BeforeDoubt {
    /// Returns true if a wrapper reads the article in another way than it was read before.
    fn is_read_otherwise(&self, article: &Article, by: &RereadBy<'_>) -> bool {
        self.wrapper.as_deref() != Some(by.sha256) || self.found_by.as_deref() != found_by(article)
    }
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
    let mut settling = Settling::by(reader, by, at);
    for doubt in reader.doubts(by, doubts)? {
        let known = before.take().filter(|known| known.article == doubt.article);
        let known = match known {
            Some(known) => Some(known),
            None => reader.before_doubt(doubt.article)?,
        };
        let Some(mut known) = known else { continue };
        changes.extend(settling.settle(doubt, &mut known, report)?);
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

/// Settles doubts by a wrapper.
pub(super) struct Settling<'a> {
    reader: &'a ArchiveReader,
    by: &'a RereadBy<'a>,
    at: DateTime<Utc>,
    /// By the wrapper that read an article before.
    usual: HashMap<Option<String>, OtherLines>,
}

impl<'a> Settling<'a> {
    pub(super) fn by(
        reader: &'a ArchiveReader,
        by: &'a RereadBy<'a>,
        at: DateTime<Utc>,
    ) -> Settling<'a> {
        Settling {
            reader,
            by,
            at,
            usual: HashMap::new(),
        }
    }

    /// The change for a page, if it is an edit or is doubtful no more. If it is an edit, `before`
    /// becomes that.
    fn settle(
        &mut self,
        later: LaterPage,
        before: &mut BeforeDoubt,
        report: &mut Reextracted,
    ) -> Result<Option<ArchiveChange>> {
        let former = Some(&before.wrapper).filter(|_| later.is_doubtful);
        let usual = former.map(|former| self.usual_lines(former)).transpose()?;
        let edit = match self.reader.settled(&later, before, (self.by, usual))? {
            DoubtOutcome::Open | DoubtOutcome::NoEdit if !later.is_doubtful => return Ok(None),
            DoubtOutcome::Open => {
                report.doubtful += 1;
                return Ok(None);
            }
            DoubtOutcome::NoEdit => {
                report.settled += 1;
                None
            }
            DoubtOutcome::Edit(edit) => {
                report.edits.push(SettledEdit {
                    url: before.url.clone(),
                    title: edit.0.article.title.clone(),
                    page: later.page,
                    seen: later.seen,
                });
                Some(*edit)
            }
        };
        Ok(Some(ArchiveChange::Settled(Box::new(SettledDoubt {
            at: self.at,
            key: before.key.clone(),
            seen: later.seen,
            record: later.record,
            edit,
        }))))
    }

    fn usual_lines(&mut self, former: &Option<String>) -> Result<OtherLines> {
        if let Some(usual) = self.usual.get(former) {
            return Ok(*usual);
        }
        let usual = self.reader.usual_lines(self.by, former.as_deref())?;
        self.usual.insert(former.clone(), usual);
        Ok(usual)
    }

    /// The edits on the pages that came after the latest version of an article, which was read
    /// again as `now`.
    pub(super) fn later_edits(
        &mut self,
        article: i64,
        now: &JoinedArticle,
        report: &mut Reextracted,
    ) -> Result<Vec<ArchiveChange>> {
        let Some(mut before) = self.reader.before_doubt(article)? else {
            return Ok(Vec::new());
        };
        before.wrapper = Some(self.by.sha256.to_owned());
        before.found_by = found_by(&now.article).map(str::to_owned);
        before.text.clone_from(&now.article.text);
        let mut changes = Vec::new();
        for later in self.reader.later_pages(article)? {
            changes.extend(self.settle(later, &mut before, report)?);
        }
        Ok(changes)
    }
}

impl ArchiveReader {
    /// The doubtful readings of a wrapper's site, by article and time.
    fn doubts(&self, by: &RereadBy<'_>, doubts: DoubtsOf) -> Result<Vec<LaterPage>> {
        let sql = "SELECT d.article, d.raw, d.at, f.page, f.record, f.url, 1 AS is_doubtful FROM doubts d \
                   JOIN fetches f ON f.id = d.raw \
                   WHERE d.site = ?1 AND (?3 OR d.wrapper IS NOT ?2) ORDER BY d.article, d.at, d.id";
        let all = doubts == DoubtsOf::All;
        let params = params![by.site, by.sha256, all];
        self.db.all(sql, params, LaterPage::of_row)
    }

    /// The pages that came after the latest version of an article, doubtful or not, in the order
    /// of time. Those behind a wall are left out.
    fn later_pages(&self, article: i64) -> Result<Vec<LaterPage>> {
        let sql = "SELECT a.id AS article, f.id AS raw, coalesce(d.at, f.at) AS at, f.page, \
                   f.record, f.url, d.id IS NOT NULL AS is_doubtful \
                   FROM articles a JOIN versions v ON v.id = a.latest \
                   JOIN fetches o ON o.id = v.raw JOIN fetches f ON f.page = o.page \
                   LEFT JOIN doubts d ON d.raw = f.id AND d.article = a.id \
                   WHERE a.id = ?1 AND f.at > v.at AND f.kind IN ('response', 'resource') \
                   AND (d.id IS NOT NULL OR f.status IN ('ok', 'degraded', 'fallback')) \
                   ORDER BY 3, 2";
        self.db.all(sql, [article], LaterPage::of_row)
    }

    /// The newest pages of a version's article, if the version is of others, and no wall hides it.
    pub(super) fn newest_pages(&self, version: i64) -> Result<Option<RawArticle>> {
        let sql = "SELECT n.id FROM versions v JOIN fetches f ON f.id = v.raw \
                   JOIN pages p ON p.id = f.page JOIN fetches n ON n.id = p.raw \
                   WHERE v.id = ?1 AND n.id != f.id AND n.status IN ('ok', 'degraded', 'fallback')";
        match self.db.value(sql, [version])? {
            Some(raw) => self.pages_of(raw, &self.newest_parts(version)?),
            None => Ok(None),
        }
    }

    /// The newest bytes of the further pages of a version, by their addresses.
    fn newest_parts(&self, version: i64) -> Result<Vec<(String, i64)>> {
        let sql = "SELECT g.url, g.raw FROM parts t JOIN pages g ON g.id = t.page \
                   WHERE t.version = ?1 AND g.raw IS NOT NULL ORDER BY t.nth";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        self.db.all(sql, [version], read)
    }

    fn before_doubt(&self, article: i64) -> Result<Option<BeforeDoubt>> {
        let Some((of, version)) = self.latest_of(article)? else {
            return Ok(None);
        };
        let parts = self.newest_parts(version.id)?;
        Ok(Some(BeforeDoubt {
            article,
            key: of.key,
            url: of.url,
            at: version.at,
            wrapper: version.wrapper,
            found_by: found_by(&version.record).map(str::to_owned),
            text: version.record.text,
            parts,
        }))
    }

    /// Reads a page by a wrapper. If it is a version, `before` becomes that. `usual`:
    /// the lines that another layout has more or less; if they are not known, nothing that
    /// another expression finds is an edit.
    fn settled(
        &self,
        later: &LaterPage,
        before: &mut BeforeDoubt,
        (by, usual): (&RereadBy<'_>, Option<OtherLines>),
    ) -> Result<DoubtOutcome> {
        let Some(mut joined) = self.read_now(later.raw, before, by)? else {
            return Ok(DoubtOutcome::Open);
        };
        let is_otherwise = before.is_read_otherwise(&joined.article, by);
        let article = &mut joined.article;
        let title = article.title.as_deref();
        let is_of_layout =
            |usual| OtherLines::between(&before.text, &article.text, title).is_of_layout(usual);
        let is_same = same_article(&before.text, &article.text, title)
            || is_otherwise && usual.is_none_or(is_of_layout);
        if is_same || before.at >= later.seen {
            return Ok(DoubtOutcome::NoEdit);
        }
        article.date_fetched = Some(rfc3339(later.seen));
        before.wrapper = Some(by.sha256.to_owned());
        before.found_by = found_by(article).map(str::to_owned);
        before.text.clone_from(&article.text);
        before.at = later.seen;
        let edit = (joined, by.sha256.to_owned());
        Ok(DoubtOutcome::Edit(Box::new(edit)))
    }

    /// The lines that the articles of a site usually have more or less, as the wrapper reads their
    /// newest bytes, than in the version that `former` read: another wrapper, or another
    /// expression of this one.
    fn usual_lines(&self, by: &RereadBy<'_>, former: Option<&str>) -> Result<OtherLines> {
        let sql = "SELECT a.id, p.raw FROM articles a JOIN versions v ON v.id = a.latest \
                   JOIN fetches f ON f.id = v.raw JOIN pages p ON p.id = f.page \
                   WHERE a.site = ?1 AND p.raw IS NOT v.raw AND v.wrapper IS ?2 \
                   ORDER BY p.raw DESC LIMIT ?3";
        let newest: Vec<(i64, i64)> =
            self.db
                .all(sql, params![by.site, former, MOST_COMPARED], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })?;
        let mut found = Vec::new();
        for (article, raw) in newest {
            let Some(before) = self.before_doubt(article)? else {
                continue;
            };
            let joined = self.read_now(raw, &before, by)?;
            let otherwise = joined.filter(|joined| before.is_read_otherwise(&joined.article, by));
            if let Some(JoinedArticle { article, .. }) = &otherwise {
                let title = article.title.as_deref();
                found.push(OtherLines::between(&before.text, &article.text, title));
            }
        }
        Ok(OtherLines::usual(&found))
    }

    /// The article on a page's bytes; `None` if the wrapper does not find all of it.
    fn read_now(
        &self,
        raw: i64,
        before: &BeforeDoubt,
        by: &RereadBy<'_>,
    ) -> Result<Option<JoinedArticle>> {
        let Some(pages) = self.pages_of(raw, &before.parts)? else {
            return Ok(None);
        };
        let joined = pages.read(Some(by.extractor), &Options::default());
        let is_whole = is_read(&joined.article) && joined.missing.is_none();
        Ok(is_whole.then_some(joined))
    }

    /// A page with these further pages.
    fn pages_of(&self, raw: i64, further: &[(String, i64)]) -> Result<Option<RawArticle>> {
        let Some(first) = self.raw(raw)? else {
            return Ok(None);
        };
        let mut parts = Vec::new();
        for (url, raw) in further {
            parts.extend(self.raw(*raw)?.map(|raw| (url.clone(), raw)));
        }
        Ok(Some(RawArticle { first, parts }))
    }
}

fn rfc3339(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}
