//! Forgets addresses: removes all data about them from the archive's files.
//!
//! The fact is written first, so that an interrupted call can be repeated. Then each segment
//! with data about them is written anew (`rewrite`): without the records of their visits and
//! their texts, and without their items in feeds' events and in the kept answers of feeds. An answer
//! of which these cannot be taken out ([`strike_out`]) is removed. All that is removed is named
//! ([`ForgetReport::removed`]).
//!
//! The page is removed from the samples and tests of wrappers. In the events about wrappers
//! the old digest stays, since versions refer to it. A file that was edited by hand is not
//! changed, but named ([`ForgetReport::edited`]). So is a damaged file that was kept
//! ([`ForgetReport::damaged`]).

use super::change::ArchiveChange;
use super::drafts::StoredDrafts;
use super::event::{Event, Extraction, Visit, VisitOutcome};
use super::files::{Folder, StoredRecord};
use super::groups::EventGroup;
use super::handle::Archive;
use super::known::{article_of, key_digest};
use super::raw::feed_in;
use super::rewrite::{GroupChange, rewrite, swap};
use super::sql::Sql;
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_core::feed::strike_out;
use forest_core::wrapper::Wrapper;
use forest_html::address::page_key;
use forest_sources::warc::Record;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use url::Url;

/// The counts of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ForgetReport {
    /// Articles.
    pub articles: u64,
    /// Addresses, those that the archive did not know included.
    pub addresses: u64,
    /// WARC records that were removed.
    pub records: u64,
    /// The same by their type and the address that they are of or about.
    pub removed: BTreeMap<(&'static str, String), u64>,
    /// Items that were struck out of the kept answers of feeds.
    pub struck: u64,
    /// WARC files that were written anew.
    pub files: u64,
    /// Wrappers' files that name a forgotten page and were edited by hand.
    pub edited: Vec<PathBuf>,
    /// Damaged files that were kept by a salvage: they are not rewritten, and may hold
    /// forgotten data.
    pub damaged: Vec<PathBuf>,
}

/// The digests of the keys of all forgotten addresses, and those of the pictures that only
/// forgotten articles have.
struct Forgotten {
    keys: HashSet<String>,
    pictures: HashSet<String>,
}

impl Forgotten {
    fn holds(&self, address: &str) -> bool {
        self.holds_key(&page_key(address))
    }

    fn holds_key(&self, key: &str) -> bool {
        self.keys.contains(&key_digest(key))
    }
}

impl Archive {
    /// Forgets addresses, their articles, and all other addresses of these. They are not
    /// visited again. The rest of an interrupted call is removed as well.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written. Some of the data may still be there: call it
    /// again.
    pub fn forget(mut self, urls: &[String], at: DateTime<Utc>) -> Result<(Archive, ForgetReport)> {
        let mut report = ForgetReport::default();
        let mut keys: Vec<String> = Vec::new();
        let mut articles = HashSet::new();
        for url in urls {
            let key = page_key(url);
            for article in self.articles_with(&key)? {
                if articles.insert(article) {
                    keys.extend(self.keys_of(article)?);
                }
            }
            keys.push(key);
        }
        keys.sort();
        keys.dedup();
        (report.articles, report.addresses) = (articles.len() as u64, keys.len() as u64);
        let event = |key: &String| ArchiveChange::Event {
            at,
            event: Event::Forgotten {
                digest: key_digest(key),
            },
        };
        self.write(keys.iter().map(event).collect())?;
        let digests: Vec<String> = self.db.values("SELECT digest FROM forgotten", [])?;
        let mut forgotten = Forgotten {
            keys: digests.into_iter().collect(),
            pictures: HashSet::new(),
        };
        forgotten.pictures = self.orphans(&forgotten)?;
        self.forget_in_sites(&forgotten, &mut report)?;
        // Nobody knows which of them name it in a sentence.
        StoredDrafts::remove(&self.dir)?;
        let folder = &self.folder;
        let changed = rewrite(folder, &mut |group| rewritten(group, folder, &forgotten))?;
        report.files = changed.files.len() as u64;
        report.struck = changed.struck;
        report.records = changed.removed.len() as u64;
        for record in changed.removed {
            let name = (record.type_name(), record.page);
            *report.removed.entry(name).or_default() += 1;
        }
        swap(&self.dir, folder, &self.disk)?;
        report.damaged = self.folder.damaged()?;
        let archive = self.rebuild_anew()?;
        Ok((archive, report))
    }

    fn forget_in_sites(&self, forgotten: &Forgotten, report: &mut ForgetReport) -> Result<()> {
        let sql = "SELECT DISTINCT site FROM wrappers ORDER BY site";
        for site in self.db.values::<String>(sql, [])? {
            let Some(found) = self.wrapper_file(&site)? else {
                continue;
            };
            let mut wrapper = found.file.wrapper;
            if !without(&mut wrapper, forgotten) {
                continue;
            }
            if found.file.edited {
                report.edited.push(found.path);
            } else {
                self.write_wrapper(&wrapper)?;
            }
        }
        Ok(())
    }

    /// The article of a key, and the articles that have its page as a further page.
    fn articles_with(&self, key: &str) -> Result<Vec<i64>> {
        let sql = "SELECT DISTINCT v.article FROM pages g JOIN parts t ON t.page = g.id \
                   JOIN versions v ON v.id = t.version WHERE g.key = ?1";
        let mut articles: Vec<i64> = self.db.values(sql, [key])?;
        articles.extend(article_of(&self.db, key)?);
        Ok(articles)
    }

    /// All keys of an article, including those of its further pages.
    fn keys_of(&self, article: i64) -> Result<Vec<String>> {
        let sql =
            "SELECT key FROM pages WHERE article = ?1 UNION SELECT key FROM articles WHERE id = ?1";
        self.db.values(sql, [article])
    }

    /// The digests of pictures that only forgotten articles have.
    fn orphans(&self, forgotten: &Forgotten) -> Result<HashSet<String>> {
        let sql = "SELECT DISTINCT p.sha256, a.key FROM pictures p JOIN versions v ON v.id = p.version \
                   JOIN articles a ON a.id = v.article WHERE p.sha256 IS NOT NULL";
        let all: Vec<(String, String)> =
            self.db.all(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let (gone, used): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|(_, key)| forgotten.holds_key(key));
        let used: HashSet<String> = used.into_iter().map(|(sha256, _)| sha256).collect();
        let gone = gone.into_iter().map(|(sha256, _)| sha256);
        Ok(gone.filter(|sha256| !used.contains(sha256)).collect())
    }
}

/// Returns true if the answer of a feed lists a forgotten page.
fn names_forgotten(group: &EventGroup, folder: &Folder, forgotten: &Forgotten) -> Result<bool> {
    let Some(answer) = group.page() else {
        return Ok(false);
    };
    let feed = feed_in(&folder.record(answer.place)?);
    let items = feed.map(|feed| feed.items).unwrap_or_default();
    let mut links = items.iter().filter_map(|item| item.link.as_ref());
    Ok(links.any(|link| forgotten.holds(link.as_str())))
}

/// The answer of a feed without its items of forgotten pages, and their number; `None` if these
/// cannot be taken out of it.
fn struck_answer(
    group: &EventGroup,
    folder: &Folder,
    forgotten: &Forgotten,
) -> Result<Option<(Record, u64)>> {
    let Some(answer) = group.page() else {
        return Ok(None);
    };
    let record = folder.record(answer.place)?;
    let Some((_, content_type, body)) = record.answer() else {
        return Ok(None);
    };
    let base = Url::parse(&record.url).ok();
    let holds = |link: &str| forgotten.holds(link);
    let struck = strike_out(body, base.as_ref(), content_type.as_deref(), &holds);
    let at = DateTime::parse_from_rfc3339(&record.date).ok();
    let (Some(struck), Some(at)) = (struck, at) else {
        return Ok(None);
    };
    let head = &record.block[..record.block.len() - body.len()];
    let head = head_for(head, struck.bytes.len());
    let new = Record::response(&record.url, at.to_utc(), &head, &struck.bytes);
    Ok(Some((new.with_id(&record.id), struck.items as u64)))
}

/// The head of an HTTP answer for a body of another length.
fn head_for(head: &[u8], bytes: usize) -> Vec<u8> {
    const NAME: &[u8] = b"content-length:";
    let mut new = Vec::with_capacity(head.len() + 8);
    for line in head.split_inclusive(|byte| *byte == b'\n') {
        let is_length = line
            .get(..NAME.len())
            .is_some_and(|name| name.eq_ignore_ascii_case(NAME));
        if is_length {
            new.extend_from_slice(format!("Content-Length: {bytes}\r\n").as_bytes());
        } else {
            new.extend_from_slice(line);
        }
    }
    new
}

/// A wrapper's file without what is forgotten; `None` if it names nothing of it.
fn rewritten_yaml(yaml: &str, forgotten: &Forgotten) -> Option<String> {
    let mut wrapper = Wrapper::from_yaml(yaml).ok()?.wrapper;
    without(&mut wrapper, forgotten).then(|| wrapper.to_yaml())
}

/// True of a visit of a page, or of an article, that is forgotten.
fn is_forgotten(visit: &Visit, forgotten: &Forgotten) -> bool {
    let known = match &visit.outcome {
        VisitOutcome::Known(key) => forgotten.holds_key(key),
        VisitOutcome::Version(reading) => has_part(reading, forgotten),
        _ => false,
    };
    let addresses = [Some(&visit.url), visit.final_url.as_ref()];
    let mut own = addresses.into_iter().flatten();
    known || own.any(|address| forgotten.holds(address))
}

fn rewritten(group: &EventGroup, folder: &Folder, forgotten: &Forgotten) -> Result<GroupChange> {
    let other = |event| {
        let mut other = group.clone();
        other.entry.event = event;
        GroupChange::Other(Box::new(other))
    };
    Ok(match &group.entry.event {
        Event::Page(visit) => {
            if is_forgotten(visit, forgotten) {
                return Ok(GroupChange::LeftOut);
            }
            if !visit.also.iter().any(|address| forgotten.holds(address)) {
                return Ok(GroupChange::Same);
            }
            let mut visit = visit.clone();
            visit.also.retain(|address| !forgotten.holds(address));
            other(Event::Page(visit))
        }
        Event::Wrapper { yaml, .. } => match rewritten_yaml(yaml, forgotten) {
            None => GroupChange::Same,
            Some(rewritten) => {
                let mut event = group.entry.event.clone();
                if let Event::Wrapper { yaml, .. } = &mut event {
                    *yaml = rewritten;
                }
                other(event)
            }
        },
        Event::Requisite(requisite)
            if forgotten.pictures.contains(&requisite.sha256)
                || forgotten.holds(&requisite.url) =>
        {
            GroupChange::LeftOut
        }
        Event::Pictured { key, .. } if forgotten.holds_key(key) => GroupChange::LeftOut,
        Event::Reextracted { key, reading, .. }
            if forgotten.holds_key(key) || has_part(reading, forgotten) =>
        {
            GroupChange::LeftOut
        }
        Event::Received { url, final_url, .. } => {
            let records = group.pages.iter().map(|record| &record.page);
            let mut addresses = records.chain([url]).chain(final_url);
            if addresses.any(|address| forgotten.holds(address)) {
                GroupChange::LeftOut
            } else {
                GroupChange::Same
            }
        }
        Event::Imported { .. } => {
            let kept =
                |record: &StoredRecord| record.page.is_empty() || !forgotten.holds(&record.page);
            match group.with_records(kept) {
                None => GroupChange::LeftOut,
                Some(rest) if rest.all_records().count() == group.all_records().count() => {
                    GroupChange::Same
                }
                Some(rest) => GroupChange::Other(Box::new(rest)),
            }
        }
        Event::Settled { key, reading, .. }
            if forgotten.holds_key(key)
                || reading.as_ref().is_some_and(|it| has_part(it, forgotten)) =>
        {
            GroupChange::LeftOut
        }
        Event::FeedRead { feed, title, items } => {
            let is_named = items.iter().any(|item| forgotten.holds(&item.link));
            if !is_named && !names_forgotten(group, folder, forgotten)? {
                return Ok(GroupChange::Same);
            }
            let mut items = items.clone();
            items.retain(|item| !forgotten.holds(&item.link));
            let (feed, title) = (feed.clone(), title.clone());
            let mut other = group.clone();
            other.entry.event = Event::FeedRead { feed, title, items };
            match struck_answer(group, folder, forgotten)? {
                Some((answer, items)) => {
                    GroupChange::Struck(Box::new(other), Box::new(answer), items)
                }
                None => {
                    // Its answer is removed.
                    other.pages.clear();
                    GroupChange::Other(Box::new(other))
                }
            }
        }
        _ => GroupChange::Same,
    })
}

/// Returns true if a text has data of a forgotten page.
fn has_part(reading: &Extraction, forgotten: &Forgotten) -> bool {
    let mut parts = reading.parts.iter().chain(&reading.missing);
    parts.any(|part| forgotten.holds(part))
}

/// Removes forgotten pages from a wrapper and its history. Returns true if there were any.
fn without(wrapper: &mut Wrapper, forgotten: &Forgotten) -> bool {
    let mut changed = false;
    let mut wrappers = vec![wrapper];
    while let Some(wrapper) = wrappers.pop() {
        let named =
            |wrapper: &Wrapper| wrapper.sample.len() + wrapper.tests.len() + wrapper.labels.len();
        let before = named(wrapper);
        wrapper.sample.retain(|page| !forgotten.holds(&page.url));
        wrapper.tests.retain(|test| !forgotten.holds(&test.url));
        wrapper.labels.retain(|label| !forgotten.holds(&label.page));
        changed |= named(wrapper) < before;
        let earlier = wrapper.history.iter_mut();
        wrappers.extend(earlier.filter_map(|retired| retired.wrapper.as_deref_mut()));
    }
    changed
}
