//! Requests to the process that writes the archive: to add or poll a feed, to visit a page, or
//! to read versions again, while a harvest runs.
//!
//! A request is a file in `inbox/` with an event or an [`UrgentRequest`]. It also has the
//! answer of an added feed, so that the feed is not requested again at once, or a saved page as a
//! browser showed it. The harvest takes it over at its next look; the sender does not wait for it.

use super::change::ArchiveChange;
use super::disk::{Disk, remove, write_failed};
use super::event::Event;
use super::feeds::SAVED_PAGES;
use super::handle::Archive;
use super::reextract::ReextractOptions;
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_core::feed::MAX_FEED_BYTES;
use forest_html::text::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// Bytes of a request at the most: a feed as large as feeds may be, in base64.
const MAX_BYTES: u64 = MAX_FEED_BYTES as u64 * 4 / 3 + 200_000;

/// The end of the name of a request with a page.
const PAGE_ENDING: &str = "-page.json";

/// Pages that wait at the most, and bytes of their requests: without a harvest, nobody takes them.
const MAX_PAGES: usize = 50;
const MAX_PAGES_BYTES: u64 = 100_000_000;

/// Bytes of a page that a browser hands over.
pub const MAX_SHOWN_BYTES: usize = 8_000_000;

#[derive(Debug, Default, Serialize, Deserialize)]
struct Request {
    at: DateTime<Utc>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    event: Option<Event>,
    /// Further events of the feed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    about: Vec<Event>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<FeedAnswer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wish: Option<UrgentRequest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    page: Option<ShownPage>,
}

/// A page as a browser showed it, with what its scripts made of it. Nobody vouches for its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownPage {
    /// The address at which it was shown.
    pub url: String,
    /// The page, as HTML in UTF-8.
    #[serde(with = "as_base64")]
    pub html: Vec<u8>,
}

/// Feeds or pages to be requested at once, whatever their schedule, or versions to be read again.
/// It is not stored after it was taken over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UrgentRequest {
    /// These feeds are to be polled.
    Poll(Vec<String>),
    /// The pages of these addresses are to be visited.
    Visit(Vec<String>),
    /// These versions are to be read again.
    Reextract(ReextractOptions),
}

/// The answer of a feed that is added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeedAnswer {
    /// The address that answered, after redirects.
    pub url: String,
    /// The redirects: their statuses and targets.
    pub hops: Vec<(u16, String)>,
    /// The status.
    pub status: u16,
    /// The head of the request, as HTTP/1.1; empty from an earlier release.
    #[serde(default, with = "as_base64")]
    pub request_head: Vec<u8>,
    /// The head, as HTTP/1.1.
    #[serde(with = "as_base64")]
    pub response_head: Vec<u8>,
    /// The `Content-Type` header.
    pub content_type: Option<String>,
    /// The `ETag` header.
    pub etag: Option<String>,
    /// The `Last-Modified` header.
    pub last_modified: Option<String>,
    /// The time for which it may be cached, from the server.
    pub max_age_s: Option<u64>,
    /// `Retry-After` of the server, in seconds.
    pub retry_after_s: Option<u64>,
    /// The feed.
    #[serde(with = "as_base64")]
    pub body: Vec<u8>,
}

/// Requests that were taken over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TakenRequests {
    /// Their number.
    pub count: usize,
    /// Of these, feeds that were added with their answers: their addresses, and the times of
    /// the answers.
    pub answers: Vec<(String, DateTime<Utc>, FeedAnswer)>,
    /// Requests that are to be done at once.
    pub urgent: Vec<UrgentRequest>,
    /// Pages that a person saved as a browser showed them. They wait on until they are removed.
    pub pages: Vec<WaitingPage>,
}

/// A saved page in the inbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingPage {
    /// When it was saved.
    pub at: DateTime<Utc>,
    path: PathBuf,
}

impl WaitingPage {
    /// The page; `None` if it is gone.
    pub fn read(&self) -> Option<ShownPage> {
        read_request(&self.path)?.page
    }

    /// Takes it out of the inbox, for the archive has it.
    ///
    /// # Errors
    ///
    /// If its file cannot be removed.
    pub fn remove(self) -> Result<()> {
        remove(&self.path)
    }
}

fn folder(dir: &Path) -> PathBuf {
    dir.join("inbox")
}

/// Writes a request into the archive's folder, with further events of a feed that is added,
/// and its answer. An answer that is too large is left out, and the feed is requested again.
///
/// # Errors
///
/// If it cannot be written.
pub fn request(
    dir: &Path,
    at: DateTime<Utc>,
    event: Event,
    about: Vec<Event>,
    answer: Option<FeedAnswer>,
) -> Result<()> {
    let answer = answer.filter(|answer| answer.body.len() <= MAX_FEED_BYTES);
    let request = Request {
        at,
        event: Some(event),
        about,
        answer,
        ..Request::default()
    };
    leave(dir, &request, ".json")
}

/// Writes a saved page into the archive's folder, with the events that make it an item of the
/// feed of saved pages. Gives false, and writes nothing, if the page is too large, or those that
/// wait leave no room for it: 50 pages, and 100 MB as they are written there.
///
/// # Errors
///
/// If it cannot be written.
pub fn request_page(
    dir: &Path,
    at: DateTime<Utc>,
    events: Vec<Event>,
    page: ShownPage,
) -> Result<bool> {
    let (mut count, mut bytes) = (1, page.html.len() as u64 * 4 / 3);
    for entry in fs::read_dir(folder(dir)).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().ends_with(PAGE_ENDING) {
            count += 1;
            bytes += entry.metadata().map_or(0, |about| about.len());
        }
    }
    if page.html.len() > MAX_SHOWN_BYTES || count > MAX_PAGES || bytes > MAX_PAGES_BYTES {
        return Ok(false);
    }
    let mut events = events.into_iter();
    let request = Request {
        at,
        event: events.next(),
        about: events.collect(),
        page: Some(page),
        ..Request::default()
    };
    leave(dir, &request, PAGE_ENDING)?;
    Ok(true)
}

/// Writes an urgent request into the archive's folder.
///
/// # Errors
///
/// If it cannot be written.
pub fn request_now(dir: &Path, at: DateTime<Utc>, request: UrgentRequest) -> Result<()> {
    let request = Request {
        at,
        wish: Some(request),
        ..Request::default()
    };
    leave(dir, &request, ".json")
}

fn leave(dir: &Path, request: &Request, ending: &str) -> Result<()> {
    let folder = folder(dir);
    let json = serde_json::to_vec(request).expect("an event has string keys only");
    // By their time, then by their content.
    let digest = hex(&Sha256::digest(&json)[..8]);
    let path = folder.join(format!(
        "{:016}-{digest}{ending}",
        request.at.timestamp_micros().max(0)
    ));
    let write = || {
        fs::create_dir_all(&folder)?;
        Disk::default().replace(&path, &json)
    };
    write().map_err(|source| write_failed(&path, source))
}

impl Archive {
    /// Returns true if there is a request.
    pub fn has_requests(&self) -> bool {
        !self.requests().is_empty()
    }

    /// Performs the requests, except for the feeds' answers and the pages. Invalid requests are
    /// removed.
    ///
    /// # Errors
    ///
    /// If the archive cannot be written; the requests stay.
    pub fn take_requests(&mut self) -> Result<TakenRequests> {
        let paths = self.requests();
        let mut taken = TakenRequests::default();
        let mut changes = Vec::new();
        for path in &paths {
            match read_request(path) {
                Some(Request {
                    at,
                    event: Some(event),
                    about,
                    answer,
                    page,
                    ..
                }) if is_allowed(&event) => {
                    let path = path.clone();
                    taken.pages.extend(page.map(|_| WaitingPage { at, path }));
                    if let (Event::FeedAdded { feed }, Some(answer)) = (&event, answer) {
                        taken.answers.push((feed.clone(), at, answer));
                    }
                    taken.count += 1;
                    let events = [event].into_iter().chain(about).filter(is_allowed);
                    changes.extend(events.map(|event| ArchiveChange::Event { at, event }));
                }
                Some(Request {
                    event: None,
                    wish: Some(request),
                    ..
                }) => taken.urgent.push(request),
                _ => tracing::warn!(file = %path.display(), "this is no request"),
            }
        }
        if taken.count > 0 {
            self.write(changes)?;
        }
        let waits = |path: &PathBuf| taken.pages.iter().any(|page| page.path == *path);
        for path in paths.iter().filter(|path| !waits(path)) {
            remove(path)?;
        }
        Ok(taken)
    }

    fn requests(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(folder(&self.dir)) else {
            return Vec::new();
        };
        let mut paths: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|end| end == "json"))
            .collect();
        paths.sort();
        paths
    }
}

fn read_request(path: &Path) -> Option<Request> {
    let fits = fs::metadata(path).is_ok_and(|about| about.len() <= MAX_BYTES);
    let text = fits.then(|| fs::read(path).ok()).flatten()?;
    serde_json::from_slice(&text).ok()
}

/// Only events of feeds are valid in a request. A reader cannot know the items of a feed but of
/// the pages that a person saved.
fn is_allowed(event: &Event) -> bool {
    matches!(event, Event::FeedRead { feed, .. } if feed == SAVED_PAGES)
        || matches!(
            event,
            Event::FeedAdded { .. }
                | Event::FeedListed { .. }
                | Event::FeedRules { .. }
                | Event::FeedRemoved { .. }
                | Event::FeedPaused { .. }
        )
}

/// Bytes of any kind in JSON.
mod as_base64 {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        STANDARD.decode(text).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::archive_options;

    #[test]
    fn a_feed_is_added_while_another_process_writes() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut archive = Archive::open(dir.path(), archive_options()).expect("it opens");
        assert!(!archive.has_requests());
        let at = "2026-01-02T03:04:05Z".parse().expect("a date");
        for feed in ["http://a.example/feed", "http://b.example/feed"] {
            let feed = feed.to_owned();
            request(dir.path(), at, Event::FeedAdded { feed }, vec![], None).expect("written");
        }
        fs::write(folder(dir.path()).join("9.json"), "{}").expect("written");
        let forgotten = Event::Forgotten {
            digest: "x".to_owned(),
        };
        request(dir.path(), at, forgotten, vec![], None).expect("written");
        assert!(archive.has_requests());
        let taken = archive.take_requests().expect("done");
        assert_eq!((taken.count, taken.answers), (2, Vec::new()));
        assert!(!archive.has_requests());
        assert_eq!(
            archive
                .reader()
                .expect("a reader")
                .feeds()
                .expect("readable")
                .len(),
            2
        );
        assert_eq!(
            archive.take_requests().expect("done"),
            TakenRequests::default()
        );
    }

    #[test]
    fn urgent_requests_are_read_from_the_inbox() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut archive = Archive::open(dir.path(), archive_options()).expect("it opens");
        let at = "2026-01-02T03:04:05Z".parse().expect("a date");
        let urls = |names: [&str; 2]| {
            names
                .map(|name| format!("http://a.example/{name}"))
                .to_vec()
        };
        let urgent = [
            UrgentRequest::Poll(Vec::new()),
            UrgentRequest::Visit(urls(["1", "2"])),
        ];
        for request in &urgent {
            request_now(dir.path(), at, request.clone()).expect("written");
        }
        assert!(archive.has_requests());
        let mut taken = archive.take_requests().expect("done").urgent;
        taken.sort_by_key(|request| matches!(request, UrgentRequest::Visit(_)));
        assert_eq!(taken, urgent);
        assert_eq!(
            archive.take_requests().expect("done"),
            TakenRequests::default()
        );
    }

    #[test]
    fn pages_wait_within_a_bound() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut archive = Archive::open(dir.path(), archive_options()).expect("it opens");
        let at = |n: i64| DateTime::from_timestamp(n, 0).expect("a time");
        let leave = |n: i64, bytes: usize| {
            let feed = SAVED_PAGES.to_owned();
            let page = ShownPage {
                url: format!("http://a.example/{n}"),
                html: vec![b'x'; bytes],
            };
            let events = vec![Event::FeedAdded { feed }];
            request_page(dir.path(), at(n), events, page).expect("written")
        };
        assert!(!leave(0, MAX_SHOWN_BYTES + 1));
        assert_eq!((0..51).filter(|n| leave(*n, 10)).count(), MAX_PAGES);
        let taken = archive.take_requests().expect("done");
        assert_eq!((taken.count, taken.pages.len()), (MAX_PAGES, MAX_PAGES));
        let page = &taken.pages[7];
        let read = page.read().expect("it waits");
        assert_eq!((page.at, &*read.url), (at(7), "http://a.example/7"));
        assert_eq!(read.html, b"xxxxxxxxxx");
        // They wait until they are stored, also for a harvest that begins anew.
        let again = archive.take_requests().expect("done");
        assert_eq!(again.pages, taken.pages);
        for page in again.pages {
            page.remove().expect("removed");
        }
        assert!(!archive.has_requests() && taken.pages[7].read().is_none());
        // 10.7 MB each in base64.
        assert_eq!((0..12).filter(|n| leave(*n, MAX_SHOWN_BYTES)).count(), 9);
        assert_eq!(archive.take_requests().expect("done").pages.len(), 9);
    }

    #[test]
    fn a_request_has_the_answer_of_its_feed() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut archive = Archive::open(dir.path(), archive_options()).expect("it opens");
        let at = "2026-01-02T03:04:05Z".parse().expect("a date");
        let answer = |size| FeedAnswer {
            url: "http://b.example/feed".to_owned(),
            hops: vec![(301, "http://b.example/feed".to_owned())],
            status: 200,
            request_head: b"GET /feed HTTP/1.1\r\n\r\n".to_vec(),
            response_head: b"HTTP/1.1 200 OK\r\nServer: \xe9\r\n\r\n".to_vec(),
            content_type: None,
            etag: Some("\"1\"".to_owned()),
            last_modified: None,
            max_age_s: Some(60),
            retry_after_s: None,
            body: vec![0xff; size],
        };
        let feed = "http://a.example/feed".to_owned();
        let add = |size| {
            let event = Event::FeedAdded { feed: feed.clone() };
            request(dir.path(), at, event, vec![], Some(answer(size))).expect("written");
        };
        let mut taken = || archive.take_requests().expect("done");
        add(MAX_FEED_BYTES);
        let expected = vec![(feed.clone(), at, answer(MAX_FEED_BYTES))];
        assert_eq!(taken().answers, expected);
        // An answer that is too large is requested again.
        add(MAX_FEED_BYTES + 1);
        assert_eq!((taken().count, taken().count), (1, 0));
        // A pause has no answer.
        let paused = Event::FeedPaused { feed, paused: true };
        request(dir.path(), at, paused, vec![], Some(answer(1))).expect("written");
        assert_eq!(taken().answers, []);
    }
}
