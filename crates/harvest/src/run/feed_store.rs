//! The feeds of an archive, changed by a person: takes events of feeds, lists of feeds and wishes
//! for a poll; gives them to the archive, or to its inbox while another process harvests.

use super::adding::{FoundFeed, add_feed, add_unseen, request_feed};
use super::feeds::{TITLE_CHARS, cut};
use crate::clock::rfc3339;
use crate::error::Result;
use crate::inputs::FeedInput;
use chrono::{DateTime, Utc};
use forest_archive::{
    Archive, ArchiveChange, ArchiveReader, Event, FeedRow, SAVED_PAGES, ShownPage, StoredItem,
    UrgentRequest, request_now, request_page,
};
use forest_html::text::sha256_hex;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use url::Url;

/// Feeds of a list in one request to a harvest.
const FEEDS_OF_REQUEST: usize = 100;

/// The outcome for a feed of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportedFeed {
    /// It is added, and the harvest polls it.
    Added,
    /// It is harvested already.
    Known,
    /// It is there already, and paused; it stays so.
    Paused,
}

/// The outcome for a page that a browser showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShownPageOutcome {
    /// It waits for the harvest.
    Saved,
    /// It was forgotten, and stays so.
    Forgotten,
    /// It is too large, or too many wait for a harvest.
    NoRoom,
}

/// The feeds of an archive, for changes: the archive itself, or its inbox while another process
/// writes to it.
#[derive(Debug)]
pub struct FeedStore {
    dir: PathBuf,
    archive: Option<Archive>,
}

impl FeedStore {
    /// Opens the archive in a folder.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read or written; so all of these.
    pub fn open(dir: &Path) -> Result<FeedStore> {
        let archive = match Archive::open(dir, crate::archive_options()) {
            Err(error) if error.is_archive_locked() => None,
            opened => Some(opened?),
        };
        Ok(FeedStore {
            dir: dir.to_owned(),
            archive,
        })
    }

    /// The end of a message about a change: when it is seen.
    pub fn when_seen(&self) -> &'static str {
        if self.waits_for_harvest() {
            ", as soon as the harvest that runs sees it"
        } else {
            ""
        }
    }

    /// True if a harvest that runs makes the changes, a moment later.
    pub fn waits_for_harvest(&self) -> bool {
        self.archive.is_none()
    }

    /// Stores an event of a feed.
    pub fn write(&mut self, event: Event, at: DateTime<Utc>) -> Result<()> {
        match &mut self.archive {
            Some(archive) => _ = archive.write(vec![ArchiveChange::Event { at, event }])?,
            None => forest_archive::request(&self.dir, at, event, vec![], None)?,
        }
        Ok(())
    }

    /// A feed by its address.
    pub fn feed(&self, url: &Url) -> Result<Option<FeedRow>> {
        match &self.archive {
            Some(archive) => Ok(archive.feed(url.as_str())?),
            None => Ok(ArchiveReader::open(&self.dir)?.feed(url.as_str())?),
        }
    }

    /// Adds a feed, with its response if it gave one, and further events of it.
    pub fn add(
        &mut self,
        url: &Url,
        found: Option<FoundFeed>,
        about: Vec<Event>,
        now: DateTime<Utc>,
    ) -> Result<()> {
        if let Some(list) = found.as_ref().and_then(|found| found.list.as_ref()) {
            forest_archive::replace_list(&self.dir, list)?;
        }
        match (&mut self.archive, found) {
            (Some(archive), Some(found)) => add_feed(archive, found, about, now),
            (Some(archive), None) => add_unseen(archive, url.as_str(), about, now),
            (None, found) => request_feed(&self.dir, url, found, about, now),
        }
    }

    /// Adds the feeds of a list without a request to their servers; gives the outcome for each, in
    /// order. The titles and folders of known feeds become those of the list.
    pub fn import(&mut self, inputs: &[FeedInput], at: DateTime<Utc>) -> Result<Vec<ImportedFeed>> {
        let rows = match &self.archive {
            Some(archive) => archive.reader()?.feeds()?,
            None => ArchiveReader::open(&self.dir)?.feeds()?,
        };
        let rows = rows.into_iter().map(|row| (row.url.clone(), row));
        let rows: HashMap<String, FeedRow> = rows.collect();
        let mut outcomes = Vec::with_capacity(inputs.len());
        let mut events = Vec::with_capacity(inputs.len());
        for input in inputs {
            let row = rows.get(input.url.as_str());
            outcomes.push(match row.map(|row| row.state.as_str()) {
                Some("active") => ImportedFeed::Known,
                Some("paused") => ImportedFeed::Paused,
                _ => ImportedFeed::Added,
            });
            let feed = input.url.to_string();
            let added = matches!(outcomes.last(), Some(ImportedFeed::Added));
            let added = added.then_some(Event::FeedAdded { feed });
            let listed = input.listed(&input.url);
            let is_news = |event: &Event| row.is_none_or(|row| !is_known(event, row));
            let listed = listed.filter(|event| added.is_some() || is_news(event));
            events.push(added.into_iter().chain(listed).collect());
        }
        self.write_all(events, at)?;
        Ok(outcomes)
    }

    /// Stores the events of several feeds, which are few writes.
    fn write_all(&mut self, events: Vec<Vec<Event>>, at: DateTime<Utc>) -> Result<()> {
        if let Some(archive) = &mut self.archive {
            let changes = events.into_iter().flatten();
            let changes = changes.map(|event| ArchiveChange::Event { at, event });
            archive.write(changes.collect())?;
            return Ok(());
        }
        for some in events.chunks(FEEDS_OF_REQUEST) {
            let mut some = some.iter().flatten().cloned();
            if let Some(first) = some.next() {
                forest_archive::request(&self.dir, at, first, some.collect(), None)?;
            }
        }
        Ok(())
    }

    /// Saves a page: it becomes an item of the feed of [`SAVED_PAGES`], whose article the harvest
    /// fetches. A page that was saved before is visited again. The title may be empty. Gives
    /// false for a page that was forgotten, which stays so.
    pub fn save_page(&mut self, page: &Url, title: &str, at: DateTime<Utc>) -> Result<bool> {
        let Some(events) = self.saved_events(page, title, at)? else {
            return Ok(false);
        };
        self.write_all(vec![events], at)?;
        Ok(true)
    }

    /// Saves a page with the HTML that a browser showed of it, which waits in the inbox for the
    /// harvest: that stores it, and does not fetch the page.
    pub fn save_shown_page(
        &mut self,
        page: &Url,
        title: &str,
        html: Vec<u8>,
        at: DateTime<Utc>,
    ) -> Result<ShownPageOutcome> {
        let Some(events) = self.saved_events(page, title, at)? else {
            return Ok(ShownPageOutcome::Forgotten);
        };
        let url = page.to_string();
        let shown = ShownPage { url, html };
        Ok(if request_page(&self.dir, at, events, shown)? {
            ShownPageOutcome::Saved
        } else {
            ShownPageOutcome::NoRoom
        })
    }

    /// The events that make a page an item of [`SAVED_PAGES`]; `None` for one that was forgotten.
    fn saved_events(
        &self,
        page: &Url,
        title: &str,
        at: DateTime<Utc>,
    ) -> Result<Option<Vec<Event>>> {
        let known = match &self.archive {
            Some(archive) => archive.known(page.as_str())?,
            None => ArchiveReader::open(&self.dir)?.known(page.as_str())?,
        };
        if known.forgotten {
            return Ok(None);
        }
        let feed = SAVED_PAGES.to_owned();
        let title = cut(title.trim(), TITLE_CHARS);
        let item = StoredItem {
            digest: sha256_hex(&title),
            id: known.key,
            link: page.to_string(),
            title,
            published: Some(rfc3339(at)),
            ..StoredItem::default()
        };
        let read = Event::FeedRead {
            feed: feed.clone(),
            title: "Saved".to_owned(),
            items: vec![item],
        };
        Ok(Some(vec![Event::FeedAdded { feed }, read]))
    }

    /// Has an active feed polled at once: by the harvest that runs, or by the next one.
    pub fn poll_now(&mut self, feed: &str, at: DateTime<Utc>) -> Result<()> {
        let Some(archive) = &mut self.archive else {
            let feeds = vec![feed.to_owned()];
            return Ok(request_now(&self.dir, at, UrgentRequest::Poll(feeds))?);
        };
        let row = archive.feed(feed)?.filter(FeedRow::is_polled);
        if let Some(mut row) = row {
            row.poll.next = Some(at);
            archive.write(vec![ArchiveChange::Poll(Box::new(row.poll))])?;
        }
        Ok(())
    }
}

/// True if an event says of a feed what the archive knows.
pub(super) fn is_known(event: &Event, known: &FeedRow) -> bool {
    match event {
        Event::FeedListed {
            title,
            home,
            folders,
            ..
        } => (title, home, folders) == (&known.listed_title, &known.listed_home, &known.folders),
        Event::FeedRules { rules, .. } => *rules == known.rules,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::FeedInputs;

    fn now() -> DateTime<Utc> {
        "2026-01-02T03:04:05Z".parse().expect("a date")
    }

    fn address(name: &str) -> String {
        format!("http://a.example/{name}")
    }

    /// A list with these feeds in a folder.
    fn list(names: &[&str]) -> Vec<FeedInput> {
        let outline = |name: &&str| {
            let url = address(name);
            format!("<outline text='Title of {name}' xmlUrl='{url}'/>")
        };
        let outlines: String = names.iter().map(outline).collect();
        let text = format!("<opml><body><outline text='News'>{outlines}</outline></body></opml>");
        let mut inputs = FeedInputs::default();
        inputs.add_list(text.as_bytes()).expect("a list");
        inputs.feeds().to_vec()
    }

    fn open_archive(dir: &Path) -> Archive {
        Archive::open(dir, crate::archive_options()).expect("it opens")
    }

    /// Stores a change; beside a harvest, which takes it then.
    fn changed<T>(dir: &Path, is_beside: bool, change: impl FnOnce(&mut FeedStore) -> T) -> T {
        let harvest = is_beside.then(|| open_archive(dir));
        let mut store = FeedStore::open(dir).expect("it opens");
        assert_eq!(store.waits_for_harvest(), is_beside);
        let done = change(&mut store);
        if let Some(mut harvest) = harvest {
            let taken = harvest.take_requests().expect("taken");
            for request in taken.urgent {
                assert_eq!(request, UrgentRequest::Poll(vec![address("one")]));
            }
        }
        done
    }

    #[test]
    fn a_list_is_imported_with_and_without_a_harvest() {
        for is_beside in [false, true] {
            let dir = tempfile::tempdir().expect("a folder");
            drop(open_archive(dir.path()));
            let import = |names: &[&str]| {
                let import = |store: &mut FeedStore| store.import(&list(names), now());
                changed(dir.path(), is_beside, import).expect("imported")
            };
            assert_eq!(import(&["one", "two"]), [ImportedFeed::Added; 2]);
            let paused = Event::FeedPaused {
                feed: address("one"),
                paused: true,
            };
            changed(dir.path(), is_beside, |store| store.write(paused, now())).expect("paused");
            let again = import(&["one", "two", "three"]);
            let (known, added) = (ImportedFeed::Known, ImportedFeed::Added);
            assert_eq!(again, [ImportedFeed::Paused, known, added]);
            let archive = open_archive(dir.path());
            let rows = archive
                .reader()
                .expect("a reader")
                .feeds()
                .expect("readable");
            let states = rows
                .iter()
                .map(|row| (row.state.as_str(), row.listed_title.as_str()));
            let expected = [
                ("paused", "Title of one"),
                ("active", "Title of three"),
                ("active", "Title of two"),
            ];
            assert_eq!(states.collect::<Vec<_>>(), expected);
            assert!(rows.iter().all(|row| row.folders == [["News"]]));
        }
    }

    #[test]
    fn many_feeds_are_few_requests() {
        let dir = tempfile::tempdir().expect("a folder");
        let harvest = open_archive(dir.path());
        let names: Vec<String> = (0..440).map(|n| format!("feed{n}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut store = FeedStore::open(dir.path()).expect("it opens");
        store.import(&list(&names), now()).expect("imported");
        let inbox = std::fs::read_dir(dir.path().join("inbox")).expect("a folder");
        assert_eq!(inbox.count(), 5);
        drop(harvest);
        let mut archive = open_archive(dir.path());
        archive.take_requests().expect("taken");
        assert_eq!(
            archive
                .reader()
                .expect("a reader")
                .feeds()
                .expect("readable")
                .len(),
            440
        );
    }

    #[test]
    fn a_saved_page_waits_for_its_visit_and_no_feed_for_a_poll() {
        for is_beside in [false, true] {
            let dir = tempfile::tempdir().expect("a folder");
            drop(open_archive(dir.path()));
            let save = |page: &str| {
                let url: Url = address(page).parse().expect("an address");
                let save = |store: &mut FeedStore| store.save_page(&url, " A page ", now());
                changed(dir.path(), is_beside, save).expect("saved")
            };
            assert!(save("1") && save("2?utm_source=x") && save("1"));
            let archive = open_archive(dir.path());
            let due = archive.due_pages(now(), 9).expect("readable");
            let due = due.iter().map(|page| page.url.as_str());
            let pages = ["1", "2?utm_source=x"].map(address);
            assert_eq!(due.collect::<Vec<_>>(), pages);
            assert_eq!(archive.due_feeds(now(), 9).expect("readable"), []);
            let row = archive
                .feed(SAVED_PAGES)
                .expect("readable")
                .expect("a feed");
            assert_eq!(
                (row.state.as_str(), row.title.as_str()),
                ("active", "Saved")
            );
            assert!(!row.is_polled());
            let url = address("1");
            let (archive, _) = archive.forget(&[url], now()).expect("forgotten");
            drop(archive);
            assert!(!save("1"));
        }
    }

    #[test]
    fn a_feed_is_polled_at_once() {
        let dir = tempfile::tempdir().expect("a folder");
        drop(open_archive(dir.path()));
        let url = address("one");
        let import = |store: &mut FeedStore| store.import(&list(&["one"]), now());
        changed(dir.path(), false, import).expect("imported");
        let next = || {
            let row = open_archive(dir.path()).feed(&url).expect("readable");
            row.expect("known").poll.next
        };
        changed(dir.path(), false, |store| store.poll_now(&url, now())).expect("done");
        assert_eq!(next(), Some(now()));
        changed(dir.path(), true, |store| store.poll_now(&url, now())).expect("asked");
    }
}
