//! Addresses are forgotten: all that the archive has of them leaves its files.
//!
//! That they are forgotten is written first, so that a process that is killed in the
//! midst can be asked again. Then each WARC file that holds something of them is
//! written anew beside itself, without the records of their visits and their texts,
//! with feeds' events that do not name them, and without feeds that do. Only when all
//! of these are on the disk do they take the old ones' places, under a marker that has
//! the tables and the index made again when the archive is opened next.
//!
//! Wrappers lose the page from their samples and tests. In the events that tell of them
//! they keep the digest that they had, by which versions name them; a file that was
//! edited by hand is not touched, but named ([`Forgot::edited`]), and so is a damaged
//! file that was kept ([`Forgot::damaged`]).

use super::apply::{article_of, key_digest};
use super::event::{Entry, Event, Outcome, Reading};
use super::identity::key_of;
use super::journal::Folder;
use super::recover::entry_of;
use super::store::Change;
use super::{Archive, paths, write_failed};
use crate::error::{Error, Kind, Result};
use crate::feed;
use crate::warc::{Record, RecordType, Whole};
use crate::wrapper::Wrapper;
use chrono::{DateTime, Utc};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// What was forgotten.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Forgot {
    /// Articles.
    pub articles: u64,
    /// Addresses, those that the archive did not know included.
    pub addresses: u64,
    /// WARC records that were taken out.
    pub records: u64,
    /// WARC files that were written anew.
    pub files: u64,
    /// Wrappers' files that name a forgotten page and were edited by hand.
    pub edited: Vec<PathBuf>,
    /// Files that were damaged and are kept since a salvage: they are not rewritten, and
    /// may hold what was forgotten.
    pub damaged: Vec<PathBuf>,
}

/// What the marker says while the files take their places.
pub(super) const MARK: &[u8] = b"forget\n";

/// The digests of the keys of all that was ever forgotten.
struct Forgotten(HashSet<String>);

impl Forgotten {
    fn holds(&self, address: &str) -> bool {
        self.holds_key(&key_of(address))
    }

    fn holds_key(&self, key: &str) -> bool {
        self.0.contains(&key_digest(key))
    }
}

impl Archive {
    /// Forgets addresses, their articles, and all other addresses of these. They are
    /// not visited again. What an interrupted call left is taken out as well.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written. What was to be forgotten may be there
    /// still: ask again.
    pub fn forget(mut self, urls: &[String], at: DateTime<Utc>) -> Result<(Archive, Forgot)> {
        let mut done = Forgot::default();
        let mut keys: Vec<String> = Vec::new();
        let mut articles = HashSet::new();
        for url in urls {
            let key = key_of(url);
            for article in self.articles_with(&key)? {
                if articles.insert(article) {
                    keys.extend(self.keys_of(article)?);
                }
            }
            keys.push(key);
        }
        keys.sort();
        keys.dedup();
        (done.articles, done.addresses) = (articles.len() as u64, keys.len() as u64);
        let event = |key: &String| Change::Event {
            at,
            event: Event::Forgotten {
                digest: key_digest(key),
            },
        };
        self.write(keys.iter().map(event).collect())?;
        let mut rows = self.db.prepare("SELECT digest FROM forgotten")?;
        let digests = rows.query_map([], |row| row.get(0))?;
        let forgotten = Forgotten(digests.collect::<Result<_, _>>()?);
        drop(rows);
        self.forget_in_sites(&forgotten, &mut done)?;
        let mut renames = Vec::new();
        for number in self.folder.lengths()?.into_keys() {
            if let Some(rename) = rewrite(&self.folder, number, &forgotten, &mut done)? {
                renames.push(rename);
            }
        }
        done.files = renames.len() as u64;
        let stale = paths::stale(&self.dir);
        self.disk
            .replace(&stale, MARK)
            .map_err(|source| write_failed(&stale, source))?;
        for (new, path) in renames {
            fs::rename(&new, &path).map_err(|source| write_failed(&path, source))?;
        }
        done.damaged = self.folder.damaged()?;
        let archive = self.rebuild_anew()?;
        Ok((archive, done))
    }

    fn forget_in_sites(&self, forgotten: &Forgotten, done: &mut Forgot) -> Result<()> {
        let mut rows = self
            .db
            .prepare("SELECT DISTINCT site FROM wrappers ORDER BY site")?;
        let sites = rows.query_map([], |row| row.get(0))?;
        let sites: Vec<String> = sites.collect::<Result<_, _>>()?;
        for site in sites {
            let Some(found) = self.wrapper_file(&site)? else {
                continue;
            };
            let mut wrapper = found.file.wrapper;
            match without(&mut wrapper, forgotten) {
                true if found.file.edited => done.edited.push(found.path),
                true => {
                    self.write_wrapper(&wrapper)?;
                }
                false => {}
            }
        }
        Ok(())
    }

    /// The article that a key is known for, and those that have its page as one of
    /// theirs.
    fn articles_with(&self, key: &str) -> Result<Vec<i64>> {
        let sql = "SELECT DISTINCT v.article FROM pages g JOIN parts t ON t.page = g.id \
                   JOIN versions v ON v.id = t.version WHERE g.key = ?1";
        let mut rows = self.db.prepare_cached(sql)?;
        let articles = rows.query_map([key], |row| row.get(0))?;
        let mut articles: Vec<i64> = articles.collect::<Result<_, _>>()?;
        articles.extend(article_of(&self.db, key)?);
        Ok(articles)
    }

    /// All keys that an article is known by, those of its further pages included.
    fn keys_of(&self, article: i64) -> Result<Vec<String>> {
        let sql =
            "SELECT key FROM pages WHERE article = ?1 UNION SELECT key FROM articles WHERE id = ?1";
        let mut rows = self.db.prepare_cached(sql)?;
        let keys = rows.query_map([article], |row| row.get(0))?;
        Ok(keys.collect::<Result<_, _>>()?)
    }
}

/// What becomes of the records before an event, and of the event.
enum Fate {
    Stays,
    Goes,
    /// The event is another one, and the records before it go, or stay.
    Becomes(Box<Event>, bool),
}

/// Writes a file anew beside itself if it holds something that is forgotten; the new
/// file and the old one.
fn rewrite(
    folder: &Folder,
    number: u32,
    forgotten: &Forgotten,
    done: &mut Forgot,
) -> Result<Option<(PathBuf, PathBuf)>> {
    let path = folder.file(number);
    let mut new = path.clone().into_os_string();
    new.push(".new");
    let new = PathBuf::from(new);
    let failed = |source| write_failed(&new, source);
    let mut old = File::open(&path).map_err(|source| Error::read(&path, source))?;
    let mut out = BufWriter::new(File::create(&new).map_err(failed)?);
    let mut members = folder.records(number, 0)?;
    // Where the records stand that wait for their event, and how many they are.
    let (mut from, mut to, mut waiting) = (0, 0, 0);
    let mut carries = false;
    let mut changed = false;
    loop {
        let record = members.read().map_err(|broken| Kind::ArchiveBroken {
            path: path.clone(),
            reason: format!("at byte {}: {}", broken.offset, broken.reason),
        })?;
        let Some(record) = record else { break };
        let next = record.offset + record.length;
        let fate = match record.kind {
            Some(RecordType::Metadata) => {
                let entry = entry_of(&record, folder, number)?;
                Some((fate_of(&entry, forgotten, carries), entry.at))
            }
            Some(RecordType::Warcinfo) => None,
            _ => {
                carries |= carries_item(&record, forgotten);
                (to, waiting) = (next, waiting + 1);
                continue;
            }
        };
        match fate {
            None | Some((Fate::Stays, _)) => to = next,
            Some((Fate::Goes, _)) => {
                (done.records, changed) = (done.records + waiting + 1, true);
                to = from;
            }
            Some((Fate::Becomes(event, records_go), at)) => {
                changed = true;
                match records_go {
                    true => done.records += waiting,
                    false => copy(&mut old, from, to, &mut out).map_err(failed)?,
                }
                to = from;
                let entry = Entry {
                    format: super::event::FORMAT,
                    at,
                    event: *event,
                };
                let json = serde_json::to_vec(&entry).expect("an event has string keys only");
                let about = record.refers_to.as_deref().filter(|_| !records_go);
                let member = Record::metadata(&record.url, at, &json, about).member();
                out.write_all(&member).map_err(failed)?;
            }
        }
        copy(&mut old, from, to, &mut out).map_err(failed)?;
        (from, to, waiting, carries) = (next, next, 0, false);
    }
    if !changed {
        drop(out);
        fs::remove_file(&new).map_err(failed)?;
        return Ok(None);
    }
    let file = out
        .into_inner()
        .map_err(|error| failed(error.into_error()))?;
    file.sync_all().map_err(failed)?;
    Ok(Some((new, path)))
}

fn copy(old: &mut File, from: u64, to: u64, out: &mut impl Write) -> std::io::Result<()> {
    if to > from {
        old.seek(SeekFrom::Start(from))?;
        std::io::copy(&mut Read::by_ref(old).take(to - from), out)?;
    }
    Ok(())
}

/// Whether a record is a feed that names something forgotten. A page has no items.
fn carries_item(record: &Whole, forgotten: &Forgotten) -> bool {
    if record.kind != Some(RecordType::Response) {
        return false;
    }
    let Some((_, content_type, body)) = record.answer() else {
        return false;
    };
    let base = url::Url::parse(&record.url).ok();
    let Ok(feed) = feed::parse(body, base.as_ref(), content_type.as_deref()) else {
        return false;
    };
    let links = feed.items.iter().filter_map(|item| item.link.as_ref());
    links.into_iter().any(|link| forgotten.holds(link.as_str()))
}

fn fate_of(entry: &Entry, forgotten: &Forgotten, carries: bool) -> Fate {
    match &entry.event {
        Event::Page(visit) => {
            let known = match &visit.outcome {
                Outcome::Known(key) => forgotten.holds_key(key),
                Outcome::Version(reading) => has_part(reading, forgotten),
                _ => false,
            };
            let addresses = [Some(&visit.url), visit.final_url.as_ref()];
            let own = addresses.into_iter().flatten();
            if known || own.into_iter().any(|address| forgotten.holds(address)) {
                return Fate::Goes;
            }
            if !visit.also.iter().any(|address| forgotten.holds(address)) {
                return Fate::Stays;
            }
            let mut visit = visit.clone();
            visit.also.retain(|address| !forgotten.holds(address));
            Fate::Becomes(Box::new(Event::Page(visit)), false)
        }
        Event::Wrapper {
            site,
            sha256,
            yaml,
            why,
        } => {
            let Ok(file) = Wrapper::from_yaml(yaml) else {
                return Fate::Stays;
            };
            let mut wrapper = file.wrapper;
            if !without(&mut wrapper, forgotten) {
                return Fate::Stays;
            }
            let event = Event::Wrapper {
                site: site.clone(),
                sha256: sha256.clone(),
                yaml: wrapper.to_yaml(),
                why: why.clone(),
            };
            Fate::Becomes(Box::new(event), false)
        }
        Event::Reextracted { key, reading, .. }
            if forgotten.holds_key(key) || has_part(reading, forgotten) =>
        {
            Fate::Goes
        }
        Event::FeedRead { feed, title, items } => {
            if !carries && !items.iter().any(|item| forgotten.holds(&item.link)) {
                return Fate::Stays;
            }
            let mut items = items.clone();
            items.retain(|item| !forgotten.holds(&item.link));
            let (feed, title) = (feed.clone(), title.clone());
            Fate::Becomes(Box::new(Event::FeedRead { feed, title, items }), true)
        }
        _ => Fate::Stays,
    }
}

/// Whether a text has something of a page that is forgotten.
fn has_part(reading: &Reading, forgotten: &Forgotten) -> bool {
    let mut parts = reading.parts.iter().chain(&reading.missing);
    parts.any(|part| forgotten.holds(part))
}

/// Takes forgotten pages out of a wrapper and those of its history; whether there were
/// any.
fn without(wrapper: &mut Wrapper, forgotten: &Forgotten) -> bool {
    let mut changed = false;
    let mut wrappers = vec![wrapper];
    while let Some(wrapper) = wrappers.pop() {
        let (sample, tests) = (wrapper.sample.len(), wrapper.tests.len());
        wrapper.sample.retain(|page| !forgotten.holds(&page.url));
        wrapper.tests.retain(|test| !forgotten.holds(&test.url));
        changed |= wrapper.sample.len() < sample || wrapper.tests.len() < tests;
        let earlier = wrapper.history.iter_mut();
        wrappers.extend(earlier.filter_map(|retired| retired.wrapper.as_deref_mut()));
    }
    changed
}
