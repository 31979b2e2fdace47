mod alike;
mod damage;
mod doubts;
mod entries;
mod feeds;
mod floats;
mod forgotten;
mod imports;
mod later_edits;
mod listed;
mod numbered;
mod received;
mod recent_pages;
mod segments;
mod walls;
mod watch;

use super::disk::Disk;
use super::files::{FileKind, Folder};
use super::*;
use crate::error::Result;
use chrono::{DateTime, TimeDelta, Utc};
use forest_core::extract::Article;
use forest_core::extract::{ArticleOrigin, Extractor, Options, Status};
use forest_sources::warc::RecordType;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

pub fn start() -> DateTime<Utc> {
    "2026-01-02T03:04:05Z".parse().expect("a date")
}

/// An archive whose pages are visited again as a harvest visits them: after a day, a week and a
/// month; if they could not be fetched, after ever more hours, and in the end no more; after news of
/// them the later, the more often they were visited.
pub fn archive_options() -> ArchiveOptions {
    const HOUR_MS: i64 = 3_600_000;
    ArchiveOptions::new(RevisitRule {
        after_visit: |page, now| match page.failures {
            0 => [1, 7, 30]
                .map(|days| page.first_seen + days * 24 * HOUR_MS)
                .into_iter()
                .find(|time| *time > now),
            failures => [1, 4, 12, 24, 48, 96, 168, 168, 168, 168, 168]
                .get(usize::try_from(failures - 1).ok()?)
                .map(|hours| now + hours * HOUR_MS),
        },
        after_news: |page, now| {
            let rest = (48 * HOUR_MS).min(HOUR_MS << page.visits.min(30)) / 2;
            let soon = now.max(page.last_visit.unwrap_or(0) + rest);
            page.next_visit.map_or(soon, |next| next.min(soon))
        },
    })
}

pub fn text_of(words: &str) -> String {
    (0..20)
        .map(|n| format!("{words} {n} on a long road. "))
        .collect()
}

/// An article that a wrapper read.
fn article(url: &str, text: &str) -> Article {
    Article {
        id: url.to_owned(),
        url: Some(url.to_owned()),
        title: Some("A title".to_owned()),
        text: text.to_owned(),
        status: Status::Ok,
        wrapper: Some(ArticleOrigin::default()),
        confidence: Some(0.9),
        ..Article::default()
    }
}

fn arrival(url: &str, at: DateTime<Utc>, body: &str, text: Option<&str>) -> Arrival {
    let response = VisitResponse::Answer(HttpExchange {
        request_head: b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n".to_vec(),
        response_head: format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n",
            body.len()
        )
        .into_bytes(),
        body: body.as_bytes().to_vec(),
        address: Some([127, 0, 0, 1].into()),
        truncated: None,
    });
    Arrival {
        http_status: Some(200),
        content_type: Some("text/html".to_owned()),
        etag: Some("\"1\"".to_owned()),
        article: text.map(|text| article(url, text)),
        wrapper: Some("w1".to_owned()),
        ..Arrival::new(url.to_owned(), at, response)
    }
}

fn store(archive: &mut Archive, arrival: Arrival) -> Stored {
    let known = archive.known(&arrival.url).expect("readable");
    let prepared = arrival.prepare(&known);
    let stored = archive.write(vec![ArchiveChange::Page(Box::new(prepared))]);
    stored.expect("written")[0]
}

/// A visit of a page that a wrapper reads, which is given with its digest.
fn read_visit(
    archive: &mut Archive,
    by: (&Extractor, &str),
    (url, days): (&str, i64),
    html: &str,
) -> Stored {
    let at = start() + TimeDelta::days(days);
    let first = RawPage {
        url: url.to_owned(),
        at,
        content_type: Some("text/html".to_owned()),
        body: html.as_bytes().to_vec(),
    };
    let raw = RawArticle {
        first,
        parts: Vec::new(),
    };
    let mut arrival = arrival(url, at, html, None);
    arrival.article = Some(raw.read(Some(by.0), &Options::default()).article);
    arrival.wrapper = Some(by.1.to_owned());
    let known = archive.known(url).expect("readable");
    arrival.compare(&known, &archive.raw_pages(), Some(by));
    store(archive, arrival)
}

/// A page with this text, also in its bytes.
fn visit(archive: &mut Archive, url: &str, days: i64, text: &str) -> Stored {
    let at = start() + TimeDelta::days(days);
    store(archive, arrival(url, at, &format!("<p>{text}"), Some(text)))
}

fn open(dir: &Path) -> Archive {
    Archive::open(dir, archive_options()).expect("it opens")
}

/// Removes the tables.
fn remove_tables(dir: &Path) {
    remake::remove_database(&paths::database(dir)).expect("removed");
    let _ = fs::remove_dir_all(paths::index(dir));
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// All articles with all versions' texts.
fn all(archive: &Archive) -> Vec<(String, Vec<String>)> {
    let reader = archive.reader().expect("a reader");
    let mut found = Vec::new();
    let each = reader.each_latest(&Filter::default(), &mut |article, latest| {
        let versions = reader.versions(article.id)?;
        assert_eq!(versions.last(), Some(&latest));
        found.push((
            article.key,
            versions.into_iter().map(|v| v.record.text).collect(),
        ));
        Ok(())
    });
    each.expect("readable");
    found
}

fn is_whole(archive: &Archive) {
    let verified = archive.verify().expect("readable");
    assert_eq!(verified.damage, []);
}

/// The identifiers that records refer to and no record of the archive has.
pub fn dangling(dir: &Path) -> Vec<String> {
    let folder = Folder::of(dir);
    let (mut ids, mut referenced) = (HashSet::new(), Vec::new());
    for file in folder.lengths().expect("readable").into_keys() {
        let mut records = folder.records(file, 0).expect("a file");
        while let Some(record) = records.read().expect("whole") {
            referenced.extend(record.refers_to);
            ids.insert(record.id);
        }
    }
    referenced.retain(|id| !ids.contains(id));
    referenced
}

#[test]
fn an_article_is_there_after_it_was_stored_and_after_a_rebuild() {
    let dir = folder();
    let mut archive = open(dir.path());
    let text = text_of("one");
    assert_eq!(
        visit(&mut archive, "http://a.example/1", 0, &text),
        Stored::New
    );
    let expected = vec![("a.example/1".to_owned(), vec![text])];
    assert_eq!(all(&archive), expected);
    is_whole(&archive);
    drop(archive);
    let archive = open(dir.path());
    assert_eq!(all(&archive), expected);
    let archive = archive.rebuild().expect("rebuilt");
    assert_eq!(all(&archive), expected);
    let reader = archive.reader().expect("a reader");
    let found = reader
        .article("https://www.a.example/1?utm_source=x")
        .expect("readable");
    let version = &reader.versions(found.expect("known").id).expect("readable")[0];
    assert_eq!(version.record.title.as_deref(), Some("A title"));
    let raw = reader.raw_of(version).expect("readable").expect("there");
    assert!(raw.first.body.starts_with(b"<p>one 0"));
    assert_eq!(raw.first.content_type.as_deref(), Some("text/html"));
}

#[test]
fn the_same_page_again_stores_no_page_and_no_version() {
    let dir = folder();
    let mut archive = open(dir.path());
    let (url, text) = ("http://a.example/1", text_of("one"));
    visit(&mut archive, url, 0, &text);
    let before = archive.journal.end().lengths.expect("three files");
    assert_eq!(visit(&mut archive, url, 1, &text), Stored::Same);
    let mut again = arrival(url, start() + TimeDelta::days(2), "", None);
    again.response = VisitResponse::NotModified(HttpExchange {
        request_head: b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        response_head: b"HTTP/1.1 304 Not Modified\r\n\r\n".to_vec(),
        ..HttpExchange::default()
    });
    assert_eq!(store(&mut archive, again), Stored::Same);
    let mut kinds = Vec::new();
    for (kind, before) in FileKind::ALL.into_iter().zip(before) {
        let file = FileId::new(1, kind);
        let mut members = archive.folder.records(file, before).expect("readable");
        while let Some(record) = members.read().expect("whole") {
            kinds.push(record.kind.map_or("", |kind| kind.name()));
        }
    }
    let twice = ["request", "revisit"].repeat(2);
    assert_eq!(kinds, [twice, vec!["metadata"; 2]].concat());
    assert_eq!(all(&archive)[0].1.len(), 1);
    is_whole(&archive);
}

#[test]
fn another_text_is_another_version() {
    let dir = folder();
    let mut archive = open(dir.path());
    let (one, two) = (text_of("one"), text_of("two"));
    visit(&mut archive, "http://a.example/1", 0, &one);
    assert_eq!(
        visit(&mut archive, "http://a.example/1", 1, &two),
        Stored::Version
    );
    assert_eq!(all(&archive)[0].1, [one, two]);
    let reader = archive.reader().expect("a reader");
    let mut changes = Vec::new();
    let each = reader.changed_since(start(), &mut |_, before, after| {
        changes.push((before.number, after.number));
        Ok(())
    });
    each.expect("readable");
    assert_eq!(changes, [(1, 2)]);
}

#[test]
fn another_wrapper_alone_makes_no_version() {
    let dir = folder();
    let mut archive = open(dir.path());
    let url = "http://a.example/1";
    visit(&mut archive, url, 0, &text_of("one"));
    let by_new = text_of("one and the caption");
    let mut same = arrival(
        url,
        start() + TimeDelta::days(1),
        "<p>new bytes",
        Some(&by_new),
    );
    same.wrapper = Some("w2".to_owned());
    same.before = Some(EarlierReading::ByWrapper(Box::new(JoinedArticle::alone(
        article(url, &by_new),
    ))));
    assert_eq!(store(&mut archive, same.clone()), Stored::Same);
    assert_eq!(all(&archive)[0].1.len(), 1);
    // An edit: both versions, read by the new wrapper.
    let edited = text_of("two and the caption");
    let mut other = arrival(
        url,
        start() + TimeDelta::days(2),
        "<p>edited",
        Some(&edited),
    );
    (other.wrapper, other.before) = (same.wrapper, same.before);
    assert_eq!(store(&mut archive, other), Stored::Version);
    assert_eq!(all(&archive)[0].1, [by_new, edited]);
    is_whole(&archive);
}

#[test]
fn pages_without_an_article_are_seen_and_tried_again() {
    let dir = folder();
    let mut archive = open(dir.path());
    let url = "http://a.example/1";
    let mut failed = arrival(url, start(), "", None);
    failed.response = VisitResponse::Nothing;
    failed.error = Some("no answer".to_owned());
    assert_eq!(store(&mut archive, failed), Stored::Nothing);
    let next: i64 = archive
        .db
        .query_row("SELECT next_visit FROM pages", [], |row| row.get(0))
        .expect("a page");
    assert_eq!(next, start().timestamp_millis() + 3_600_000);
    assert_eq!(visit(&mut archive, url, 1, &text_of("one")), Stored::New);
    is_whole(&archive);
}

#[test]
fn one_process_writes() {
    let dir = folder();
    let archive = open(dir.path());
    let second = Archive::open(dir.path(), archive_options()).expect_err("it is locked");
    assert!(second.to_string().contains("another forest"), "{second}");
    std::fs::remove_file(super::paths::lock(dir.path())).expect("removed");
    let third = Archive::open(dir.path(), archive_options());
    #[cfg(unix)]
    assert!(third.is_err_and(|third| third.to_string().contains("another forest")));
    #[cfg(not(unix))]
    drop(third);
    drop(archive);
    open(dir.path());
    let other = folder();
    std::fs::write(other.path().join("thesis.txt"), "mine").expect("written");
    assert!(Archive::open(other.path(), archive_options()).is_err());
    assert!(ArchiveReader::open(other.path()).is_err());
}

/// The records of a segment: their file, kind, page, offset and length.
pub fn records_of(archive: &Archive) -> Vec<(FileId, Option<RecordType>, String, u64, u64)> {
    let mut found = Vec::new();
    for file in archive.folder.lengths().expect("readable").into_keys() {
        let mut members = archive.folder.records(file, 0).expect("readable");
        while let Some(record) = members.read().expect("whole") {
            let page = record.page().to_owned();
            found.push((file, record.kind, page, record.offset, record.length));
        }
    }
    found
}

#[test]
fn damage_is_found() {
    let dir = folder();
    let mut archive = open(dir.path());
    visit(&mut archive, "http://a.example/1", 0, &text_of("one"));
    archive
        .db
        .execute("UPDATE articles SET site = 'b.example'", [])
        .expect("written");
    let damage = archive.verify().expect("readable").damage;
    assert!(
        matches!(
            &damage[..],
            [Damage::Table {
                table: "articles",
                ..
            }]
        ),
        "{damage:?}"
    );
    let archive = archive.rebuild().expect("rebuilt");
    is_whole(&archive);
    let records = records_of(&archive);
    for file in archive.folder.lengths().expect("readable").into_keys() {
        let path = archive.folder.file(file);
        let mut bytes = std::fs::read(&path).expect("a file");
        let starts = records.iter().filter(|record| record.0 == file);
        let starts: Vec<usize> = starts.map(|record| record.3 as usize).collect();
        for at in (0..bytes.len()).step_by(7) {
            // Time, speed and system in gzip's header are ignored.
            let means_nothing = |start: &usize| (start + 4..start + 10).contains(&at);
            if starts.iter().any(means_nothing) {
                continue;
            }
            bytes[at] ^= 0xFF;
            std::fs::write(&path, &bytes).expect("written");
            bytes[at] ^= 0xFF;
            let damage = archive.verify().expect("readable").damage;
            assert!(
                matches!(&damage[..], [Damage::Cut { .. }]),
                "byte {at} of {file}: {damage:?}"
            );
        }
        std::fs::write(&path, &bytes).expect("written");
    }
}

#[test]
fn feeds_items_and_their_pages() {
    let dir = folder();
    let mut archive = open(dir.path());
    let feed = "http://a.example/feed".to_owned();
    let item = |n: u32, digest: &str| StoredItem {
        id: n.to_string(),
        link: format!("http://a.example/{n}?utm_source=feed"),
        title: format!("Item {n}"),
        digest: digest.to_owned(),
        ..StoredItem::default()
    };
    let read = |items| Event::FeedRead {
        feed: feed.clone(),
        title: "News".to_owned(),
        items,
    };
    let events = [
        Event::FeedAdded { feed: feed.clone() },
        read(vec![item(1, "a"), item(2, "a")]),
        read(vec![item(2, "b")]),
    ];
    let changes = events.map(|event| ArchiveChange::Event { at: start(), event });
    archive.write(changes.to_vec()).expect("written");
    let feeds = archive
        .reader()
        .expect("a reader")
        .feeds()
        .expect("readable");
    assert_eq!(
        (feeds.len(), &*feeds[0].title, &*feeds[0].state),
        (1, "News", "active")
    );
    let count = |sql: &str| {
        archive
            .db
            .query_row(sql, [], |row| row.get::<_, i64>(0))
            .expect("a number")
    };
    assert_eq!(count("SELECT count(*) FROM items"), 2);
    assert_eq!(
        count("SELECT count(*) FROM pages WHERE next_visit IS NOT NULL"),
        2
    );
    is_whole(&archive);
}

/// A feed's answer that fills a file is in the same segment as its event: alone at the end of
/// a file it would count as damage.
#[test]
fn a_feed_and_its_event_stand_in_one_segment() {
    let dir = tempfile::tempdir().expect("a folder");
    let options = || archive_options().with_file_bytes(1);
    let mut archive = Archive::open(dir.path(), options()).expect("it opens");
    let at = "2026-01-02T03:04:05Z".parse().expect("a date");
    let url = "http://a.example/feed".to_owned();
    let read = |title: &str| {
        let event = Event::FeedRead {
            feed: url.clone(),
            title: title.to_owned(),
            items: Vec::new(),
        };
        ArchiveChange::Event { at, event }
    };
    let answer = ArchiveChange::Feed {
        at,
        url: url.clone(),
        exchange: HttpExchange {
            request_head: b"GET /feed HTTP/1.1\r\n\r\n".to_vec(),
            response_head: b"HTTP/1.1 200 OK\r\n\r\n".to_vec(),
            body: b"<rss/>".to_vec(),
            ..HttpExchange::default()
        },
    };
    let changes = vec![read("One"), answer, read("Two"), read("Three")];
    archive.write(changes).expect("written");
    let found = archive.verify().expect("readable");
    assert_eq!((found.damage, found.files), (vec![], 9));
    // Nine that begin files, three events, the answer and its request.
    assert_eq!(found.records, 14);
}

const STORY: &str = "http://a.example/s";
const SECOND: &str = "http://a.example/s?page=2";

/// A visit to [`STORY`], whose next page is [`SECOND`]. The texts of the pages are also their
/// bytes. Without a text for the second, that page could not be fetched.
fn story(archive: &mut Archive, days: i64, first: &str, second: Option<&str>) -> Stored {
    let at = start() + TimeDelta::days(days);
    let body = |text: &str| format!("<p>{text}");
    let text = [first]
        .into_iter()
        .chain(second)
        .collect::<Vec<_>>()
        .join("\n");
    let mut first_page = arrival(STORY, at, &body(first), Some(&text));
    match second {
        Some(second) => {
            let known = archive.known(SECOND).expect("readable");
            let part = arrival(SECOND, at, &body(second), None);
            first_page.parts = vec![ArticlePart::of_arrival(part, &known)];
        }
        None => first_page.missing = Some(SECOND.to_owned()),
    }
    let known = archive.known(STORY).expect("readable");
    if let Some(latest) = known
        .latest
        .filter(|latest| latest.parts.iter().any(|p| p.raw.is_none()))
    {
        let reader = archive.reader().expect("a reader");
        let stored = reader.article(STORY).expect("readable").expect("known");
        let before = reader
            .versions(stored.id)
            .expect("readable")
            .pop()
            .expect("one");
        assert_eq!(latest.number, before.number);
        first_page.before = Some(EarlierReading::ByWrapper(Box::new(JoinedArticle {
            article: before.record,
            parts: Vec::new(),
            missing: Some(SECOND.to_owned()),
        })));
    }
    store(archive, first_page)
}

/// The bytes of the further pages that each version was read on.
fn second_pages(archive: &Archive) -> Vec<Vec<u8>> {
    let reader = archive.reader().expect("a reader");
    let article = reader.article(SECOND).expect("readable").expect("known");
    assert_eq!(article.url, STORY);
    let versions = reader.versions(article.id).expect("readable");
    let raw = versions.iter().map(|version| {
        let raw = reader.raw_of(version).expect("readable").expect("there");
        let parts: Vec<&str> = raw.parts.iter().map(|(url, _)| url.as_str()).collect();
        assert_eq!(parts, [SECOND]);
        raw.parts[0].1.body.clone()
    });
    raw.collect()
}

#[test]
fn an_article_of_two_pages_has_the_bytes_of_both_for_each_version() {
    let dir = folder();
    let mut archive = open(dir.path());
    let (one, two, three) = (text_of("one"), text_of("two"), text_of("three"));
    assert_eq!(story(&mut archive, 0, &one, Some(&two)), Stored::New);
    assert_eq!(story(&mut archive, 1, &one, Some(&two)), Stored::Same);
    assert_eq!(story(&mut archive, 2, &one, Some(&three)), Stored::Version);
    let texts = vec![format!("{one}\n{two}"), format!("{one}\n{three}")];
    let check = |archive: &Archive| {
        assert_eq!(all(archive), [("a.example/s".to_owned(), texts.clone())]);
        let pages = [format!("<p>{two}"), format!("<p>{three}")];
        assert_eq!(second_pages(archive), pages.map(String::into_bytes));
        is_whole(archive);
    };
    check(&archive);
    let archive = archive.rebuild().expect("rebuilt");
    check(&archive);
}

/// The feed may list its address as well.
#[test]
fn a_visit_to_the_second_page_makes_no_version_of_the_article() {
    let dir = folder();
    let mut archive = open(dir.path());
    let (one, two) = (text_of("one"), text_of("two"));
    story(&mut archive, 0, &one, Some(&two));
    assert_eq!(visit(&mut archive, SECOND, 1, &two), Stored::Same);
    assert_eq!(
        visit(&mut archive, SECOND, 2, &text_of("three")),
        Stored::Same
    );
    assert_eq!(all(&archive)[0].1, [format!("{one}\n{two}")]);
    is_whole(&archive);
}

#[test]
fn a_page_that_failed_is_added_later_to_the_version_that_lacks_it() {
    let dir = folder();
    let mut archive = open(dir.path());
    let (one, two) = (text_of("one"), text_of("two"));
    feeds::named(&mut archive, &[STORY]);
    assert_eq!(story(&mut archive, 0, &one, None), Stored::New);
    let next = |archive: &Archive| {
        archive
            .next_due()
            .expect("readable")
            .map(|next| next - start())
    };
    assert_eq!(next(&archive), Some(TimeDelta::hours(1)));
    assert_eq!(story(&mut archive, 1, &one, None), Stored::Same);
    assert_eq!(next(&archive), Some(TimeDelta::hours(24 + 4)));
    assert_eq!(story(&mut archive, 2, &one, Some(&two)), Stored::Same);
    assert_eq!(next(&archive), Some(TimeDelta::days(7)));
    let expected = [("a.example/s".to_owned(), vec![format!("{one}\n{two}")])];
    assert_eq!(all(&archive), expected);
    assert_eq!(second_pages(&archive), [format!("<p>{two}").into_bytes()]);
    is_whole(&archive);
    let archive = archive.rebuild().expect("rebuilt");
    assert_eq!(all(&archive), expected);
    // Where the first page was edited at the same time, that is a version.
    let dir = folder();
    let mut archive = open(dir.path());
    story(&mut archive, 0, &one, None);
    assert_eq!(
        story(&mut archive, 1, &text_of("three"), Some(&two)),
        Stored::Version
    );
}

#[test]
fn an_article_is_forgotten_by_any_of_its_pages() {
    for address in [STORY, SECOND] {
        let dir = folder();
        let mut archive = open(dir.path());
        let (one, two) = (text_of("one"), text_of("two"));
        story(&mut archive, 0, &one, Some(&two));
        let (mut archive, report) = archive
            .forget(&[address.to_owned()], start())
            .expect("forgotten");
        assert_eq!((report.articles, report.addresses), (1, 2));
        assert_eq!(all(&archive), []);
        for file in std::fs::read_dir(dir.path().join("warc")).expect("a folder") {
            let bytes = std::fs::read(file.expect("an entry").path()).expect("readable");
            let mut text = String::new();
            std::io::Read::read_to_string(
                &mut flate2::read::MultiGzDecoder::new(&bytes[..]),
                &mut text,
            )
            .expect("text");
            assert!(!text.contains("a.example/s"), "{text}");
        }
        assert_eq!(story(&mut archive, 1, &one, Some(&two)), Stored::Forgotten);
    }
}

#[test]
fn a_text_with_a_page_that_was_forgotten_before_is_not_stored() {
    let dir = folder();
    let archive = open(dir.path());
    let (mut archive, _) = archive
        .forget(&[SECOND.to_owned()], start())
        .expect("forgotten");
    assert_eq!(
        story(&mut archive, 1, &text_of("one"), Some(&text_of("two"))),
        Stored::Forgotten
    );
    assert_eq!(all(&archive), []);
}

const FEED: &str = "http://a.example/feed";

/// Writes an event: the feed's item of [`STORY`] has this digest.
fn write_item(archive: &mut Archive, at: DateTime<Utc>, digest: &str) {
    let item = StoredItem {
        id: "1".to_owned(),
        link: STORY.to_owned(),
        digest: digest.to_owned(),
        ..StoredItem::default()
    };
    let (feed, title) = (FEED.to_owned(), String::new());
    let events = [
        Event::FeedAdded { feed: feed.clone() },
        Event::FeedRead {
            feed,
            title,
            items: vec![item],
        },
    ];
    let changes = events.map(|event| ArchiveChange::Event { at, event });
    archive.write(changes.to_vec()).expect("written");
}

fn next_visit(archive: &Archive) -> Option<TimeDelta> {
    let sql = "SELECT next_visit FROM pages";
    let next: Option<i64> = archive
        .db
        .query_row(sql, [], |row| row.get(0))
        .expect("a page");
    next.map(|next| TimeDelta::milliseconds(next - start().timestamp_millis()))
}

#[test]
fn an_item_that_changes_in_each_poll_has_its_page_visited_less_and_less() {
    let dir = folder();
    let mut archive = open(dir.path());
    write_item(&mut archive, start(), "0");
    assert_eq!(next_visit(&archive), Some(TimeDelta::zero()));
    let mut visits = 0;
    // A poll each quarter of an hour for two days.
    for poll in 0..192 {
        let at = start() + TimeDelta::minutes(15 * poll);
        write_item(&mut archive, at, &poll.to_string());
        if next_visit(&archive) <= Some(at - start()) {
            visits += 1;
            store(
                &mut archive,
                arrival(STORY, at, "<p>one", Some(&text_of("one"))),
            );
        }
    }
    // At once, after 1, 2, 4, 8 and 16 hours.
    assert_eq!(visits, 6);
    is_whole(&archive);
}

#[test]
fn a_page_that_was_given_up_is_tried_again_when_its_feed_is_resumed() {
    let dir = folder();
    let mut archive = open(dir.path());
    write_item(&mut archive, start(), "0");
    let mut tried = 0;
    let mut last = TimeDelta::zero();
    while let Some(next) = next_visit(&archive) {
        let mut failed = arrival(STORY, start() + next, "", None);
        failed.response = VisitResponse::Nothing;
        store(&mut archive, failed);
        (tried, last) = (tried + 1, next);
    }
    assert_eq!(tried, 12);
    assert!(
        (TimeDelta::days(42)..TimeDelta::days(43)).contains(&last),
        "{last}"
    );
    let at = start() + TimeDelta::days(50);
    let event = Event::FeedPaused {
        feed: FEED.to_owned(),
        paused: false,
    };
    archive
        .write(vec![ArchiveChange::Event { at, event }])
        .expect("written");
    assert_eq!(next_visit(&archive), Some(TimeDelta::days(50)));
    is_whole(&archive);
}

/// The state of a process that another thread is starting.
#[test]
fn a_copy_of_the_lock_does_not_keep_an_archive_locked() {
    let dir = folder();
    let archive = open(dir.path());
    let copies = archive.lock.0.iter().map(|file| file.try_clone());
    let copies: Vec<_> = copies.map(|copy| copy.expect("copied")).collect();
    drop(archive);
    open(dir.path());
    drop(copies);
}

/// It was bounded before it was stored; a user may set that limit above that of a page's file.
#[test]
fn asking_whether_an_archive_is_in_use_keeps_nobody_from_opening_it() {
    let dir = folder();
    drop(open(dir.path()));
    let ends = AtomicBool::new(false);
    thread::scope(|scope| {
        let asked = scope.spawn(|| {
            let mut seen = 0;
            while !ends.load(Ordering::Relaxed) {
                seen += usize::from(is_in_use(dir.path()));
            }
            seen
        });
        for _ in 0..30 {
            let opened = Archive::open(dir.path(), archive_options());
            if let Err(error) = opened {
                ends.store(true, Ordering::Relaxed);
                panic!("{error}");
            }
        }
        ends.store(true, Ordering::Relaxed);
        assert!(asked.join().expect("it asked") > 0);
    });
    assert!(!is_in_use(dir.path()));
}

#[test]
fn a_stored_page_is_read_whole() {
    let mut body = b"<p>one</p>".to_vec();
    body.resize(forest_html::page::MAX_PAGE_BYTES, b' ');
    body.extend(b"<p>two</p>");
    let raw = RawPage {
        url: "http://a.example/1".to_owned(),
        at: start(),
        content_type: None,
        body,
    };
    let page = raw.parse(None);
    let paragraphs = page
        .elements()
        .filter(|n| page.tag(*n).is_some_and(|tag| &**tag == "p"));
    assert_eq!(paragraphs.count(), 2);
    assert_eq!(page.warnings(), []);
}
