//! The list of a reader: articles and items without one, in one order.

use super::feeds::{FEED, events};
use super::*;

const OTHER: &str = "http://b.example/feed";

/// An item that was published an hour after `start` for each of `hours`; without a path it links to
/// no page.
fn item(path: &str, title: &str, hours: i64) -> StoredItem {
    let at = start() + TimeDelta::hours(hours);
    let link = match path {
        "" => String::new(),
        path => format!("http://a.example/{path}"),
    };
    StoredItem {
        id: format!("{title} {path}"),
        entry: Some(format!("urn:{title}")),
        link,
        title: title.to_owned(),
        summary: format!("About {title}."),
        published: Some(at.to_rfc3339()),
        digest: title.to_owned(),
        ..StoredItem::default()
    }
}

#[test]
fn a_day_of_an_item_lasts_to_its_end() {
    let dir = folder();
    let mut archive = open(dir.path());
    let feed = FEED.to_owned();
    events(&mut archive, [Event::FeedAdded { feed }]);
    let dates = [
        (
            Some("2026-01-02T00:00:00+00:00"),
            "2026-01-02T23:59:59.999+00:00",
        ),
        (
            Some("2026-01-02T00:00:00+02:00"),
            "2026-01-02T21:59:59.999+00:00",
        ),
        (
            Some("2026-01-02T03:00:00+02:00"),
            "2026-01-02T01:00:00+00:00",
        ),
        (
            Some("2027-01-02T03:00:00+02:00"),
            "2026-01-05T03:04:05+00:00",
        ),
        (Some("soon"), "2026-01-05T03:04:05+00:00"),
        (Some("2026"), "2026-01-05T03:04:05+00:00"),
        (None, "2026-01-05T03:04:05+00:00"),
    ];
    let items = dates
        .iter()
        .enumerate()
        .map(|(n, (published, _))| StoredItem {
            published: published.map(str::to_owned),
            ..item("", &n.to_string(), 0)
        });
    let event = Event::FeedRead {
        feed: FEED.to_owned(),
        title: "News".to_owned(),
        items: items.collect(),
    };
    let at = start() + TimeDelta::days(3);
    archive
        .write(vec![ArchiveChange::Event { at, event }])
        .expect("written");
    let reader = archive.reader().expect("a reader");
    let all = reader.entries(&EntryRange::default(), 9, |_| true);
    let mut all = all.expect("readable");
    all.sort_by(|a, b| a.title.cmp(&b.title));
    let dated: Vec<String> = all.iter().map(|entry| entry.dated.to_rfc3339()).collect();
    assert_eq!(dated, dates.map(|(_, expected)| expected.to_owned()));
}

/// A visit that brought no article.
fn fail(archive: &mut Archive, path: &str, error: Option<&str>) {
    let url = format!("http://a.example/{path}");
    let at = start() + TimeDelta::days(1);
    let failed = Arrival {
        error: error.map(str::to_owned),
        ..arrival(&url, at, "<p>", None)
    };
    store(archive, failed);
}

/// Two feeds: an article of both, one of none, pages that failed, an item that links to none, and
/// one whose page is still to be visited.
fn archive_of_two_feeds(dir: &Path) -> Archive {
    let mut archive = open(dir);
    let feeds = [FEED, OTHER].map(|feed| Event::FeedAdded {
        feed: feed.to_owned(),
    });
    events(&mut archive, feeds);
    let read = |feed: &str, items| Event::FeedRead {
        feed: feed.to_owned(),
        title: "News".to_owned(),
        items,
    };
    let at = start() + TimeDelta::days(1);
    let first = vec![
        item("1", "one", 1),
        item("2", "two", 2),
        item("3", "three", 3),
        item("", "four", 4),
        item("5", "five", 5),
        // Another item of a page.
        StoredItem {
            id: "again".to_owned(),
            ..item("3", "three", 3)
        },
    ];
    let second = vec![item("1", "one", 1), item("2", "two", 2)];
    for event in [read(FEED, first), read(OTHER, second)] {
        let change = ArchiveChange::Event { at, event };
        archive.write(vec![change]).expect("written");
    }
    visit(&mut archive, "http://a.example/1", 1, &text_of("one"));
    visit(&mut archive, "http://c.example/6", 6, &text_of("six"));
    fail(&mut archive, "2", Some("status 403"));
    fail(&mut archive, "3", None);
    archive
}

fn names(entries: &[ListedEntry]) -> Vec<&str> {
    entries.iter().map(ListedEntry::name).collect()
}

#[test]
fn items_without_an_article_stand_among_articles() {
    let dir = folder();
    let archive = archive_of_two_feeds(dir.path());
    let check = |archive: &Archive| {
        let reader = archive.reader().expect("a reader");
        let all = reader.entries(&EntryRange::default(), 9, |_| true);
        let all = all.expect("readable");
        assert_eq!(names(&all), ["A title", "four", "three", "two", "A title"]);
        let source = |at: usize| match &all[at].source {
            EntryOrigin::Article { .. } => "",
            EntryOrigin::Feed { why } => why.as_deref().unwrap_or("no page"),
        };
        let expected = [
            "",
            "no page",
            "its page could not be read",
            "status 403",
            "",
        ];
        assert_eq!([0, 1, 2, 3, 4].map(source), expected);
        assert_eq!(all[3].key, "a.example/2");
        assert_eq!(
            (all[3].summary.as_str(), &*all[3].site),
            ("About two.", "a.example")
        );
        assert!(
            all[0].summary.starts_with("six 0 on a long road."),
            "{all:?}"
        );
        for entry in &all {
            assert_eq!(
                reader.entry(entry.id).expect("readable").as_ref(),
                Some(entry)
            );
        }
        let of_item = reader.item_of_entry(all[3].id).expect("readable");
        assert_eq!(of_item.map(|item| item.title).as_deref(), Some("two"));
        all.iter().map(|entry| entry.id).collect::<Vec<i64>>()
    };
    let ids = check(&archive);
    let archive = archive.rebuild().expect("rebuilt");
    assert_eq!(check(&archive)[1..4], ids[1..4]);
    // An article comes in the place of the item.
    let mut archive = archive;
    visit(&mut archive, "http://a.example/2", 2, &text_of("two"));
    let reader = archive.reader().expect("a reader");
    let now = reader.entry(ids[3]).expect("readable").expect("an entry");
    assert!(now.has_article() && now.id != ids[3] && now.url.ends_with("/2"));
}

#[test]
fn a_range_of_the_list_is_read_from_both_ends() {
    let dir = folder();
    let archive = archive_of_two_feeds(dir.path());
    let reader = archive.reader().expect("a reader");
    let with_article = EntryRange {
        with_article: true,
        ..EntryRange::default()
    };
    let articles = reader.entry_keys(&with_article, 9, |_| true);
    assert_eq!(articles.expect("readable"), ["c.example/6", "a.example/1"]);
    let of_feed = EntryRange {
        feeds: Some(vec![OTHER.to_owned()]),
        ..with_article
    };
    let articles = reader.entry_keys(&of_feed, 9, |_| true);
    assert_eq!(articles.expect("readable"), ["a.example/1"]);
    let keys = |range: EntryRange, most| {
        let keys = reader.entry_keys(&range, most, |_| true);
        keys.expect("readable").join(" ")
    };
    let all = "c.example/6 urn:four a.example/3 a.example/2 a.example/1";
    assert_eq!(keys(EntryRange::default(), 9), all);
    let backwards: Vec<&str> = all.split(' ').rev().collect();
    let from_end = EntryRange {
        from_end: true,
        ..EntryRange::default()
    };
    assert_eq!(keys(from_end, 9), backwards.join(" "));
    let entries = reader.entries(&EntryRange::default(), 9, |_| true);
    let places: Vec<ListPlace> = entries
        .expect("readable")
        .iter()
        .map(ListPlace::of)
        .collect();
    for (at, place) in places.iter().enumerate() {
        let known: ListPlace = place.to_string().parse().expect("a place");
        let after = EntryRange {
            after: Some(known),
            ..EntryRange::default()
        };
        let until = EntryRange {
            until: Some(known),
            ..EntryRange::default()
        };
        let words: Vec<&str> = all.split(' ').collect();
        assert_eq!(keys(after, 9), words[at + 1..].join(" "));
        assert_eq!(keys(until, 9), words[..=at].join(" "));
    }
    let before = EntryRange {
        after: Some(ListPlace::before(start() + TimeDelta::hours(3))),
        ..EntryRange::default()
    };
    assert_eq!(keys(before, 9), "a.example/2 a.example/1");
    let of_feed = |feed: &str| EntryRange {
        feeds: Some(vec![feed.to_owned()]),
        ..EntryRange::default()
    };
    assert_eq!(keys(of_feed(OTHER), 9), "a.example/2 a.example/1");
    assert_eq!(keys(of_feed(FEED), 2), "urn:four a.example/3");
    assert_eq!(keys(of_feed("http://d.example/"), 9), "");
}

#[test]
fn each_entry_comes_with_each_of_its_feeds() {
    let dir = folder();
    let mut archive = archive_of_two_feeds(dir.path());
    let pairs = |archive: &Archive| {
        let reader = archive.reader().expect("a reader");
        let mut found = Vec::new();
        let each = reader.each_entry(|id, key, feed| {
            found.push((id, format!("{key} {}", feed.unwrap_or("none"))));
        });
        each.expect("readable");
        let ids: Vec<i64> = found.iter().map(|(id, _)| *id).collect();
        let mut alone = ids.clone();
        alone.dedup();
        let different: HashSet<i64> = ids.into_iter().collect();
        assert_eq!(
            alone.len(),
            different.len(),
            "one after the other: {found:?}"
        );
        let mut pairs: Vec<String> = found.into_iter().map(|(_, pair)| pair).collect();
        pairs.sort();
        pairs
    };
    let expected = [
        "a.example/1 http://a.example/feed",
        "a.example/1 http://b.example/feed",
        "a.example/2 http://a.example/feed",
        "a.example/2 http://b.example/feed",
        "a.example/3 http://a.example/feed",
        "c.example/6 none",
        "urn:four http://a.example/feed",
    ];
    assert_eq!(pairs(&archive), expected);
    let feed = OTHER.to_owned();
    events(&mut archive, [Event::FeedRemoved { feed }]);
    assert_eq!(pairs(&archive).len(), 5);
    // What stands in no page outlives its feed.
    let feed = FEED.to_owned();
    events(&mut archive, [Event::FeedRemoved { feed }]);
    let left = [
        "a.example/1 none",
        "c.example/6 none",
        "urn:four http://a.example/feed",
    ];
    assert_eq!(pairs(&archive), left);
    let reader = archive.reader().expect("a reader");
    let all = reader.entry_keys(&EntryRange::default(), 9, |_| true);
    assert_eq!(
        all.expect("readable"),
        ["c.example/6", "urn:four", "a.example/1"]
    );
}

/// The titles of numbered entries with their feeds.
fn numbered(archive: &ArchiveReader, query: &EntryQuery) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let read = archive.each_numbered_entry(
        query,
        |_| true,
        |entry| {
            let alone = archive.numbered_entry(entry.number).expect("readable");
            let alone = alone.expect("an entry");
            assert_eq!(
                (&alone.key, alone.dated, alone.stored),
                (&entry.key, entry.dated, entry.stored)
            );
            let shown = archive.entry(entry.listed).expect("readable");
            let shown = shown.expect("an entry of the list");
            assert_eq!((&shown.key, shown.dated), (&entry.key, entry.dated));
            found.push((shown.name().to_owned(), entry.feed.to_string()));
            true
        },
    );
    read.expect("readable");
    found
}

#[test]
fn numbered_entries_are_those_of_the_list_in_their_feeds() {
    let dir = folder();
    let mut archive = archive_of_two_feeds(dir.path());
    let reader = archive.reader().expect("a reader");
    let mut expected = Vec::new();
    for entry in reader
        .entries(&EntryRange::default(), 100, |_| true)
        .expect("readable")
    {
        let mut feeds = Vec::new();
        let each = reader.each_entry(|id, _, feed| {
            if id == entry.id {
                feeds.extend(feed.map(str::to_owned));
            }
        });
        each.expect("readable");
        feeds.sort();
        let name = entry.name();
        expected.extend(feeds.into_iter().map(|feed| (name.to_owned(), feed)));
    }
    assert!(expected.len() >= 6, "{expected:?}");
    let mut found = numbered(&reader, &EntryQuery::default());
    let oldest_first = EntryQuery {
        order: EntryOrder::OldestFirst,
        ..EntryQuery::default()
    };
    let mut turned = numbered(&reader, &oldest_first);
    turned.reverse();
    assert_eq!(turned, found);
    // Of one place, entries stand by their numbers, whatever their feeds.
    found.sort();
    expected.sort();
    assert_eq!(found, expected);

    // Who keeps a copy and asks for what is new hears of an item when its page was visited: then it
    // became an entry.
    let since = |days| EntryQuery {
        since: Some(start() + TimeDelta::days(days)),
        ..EntryQuery::default()
    };
    let of_page =
        |found: &[(String, String)]| found.iter().filter(|(name, _)| name == "five").count();
    assert_eq!(
        of_page(&numbered(&reader, &since(0))),
        0,
        "still to be visited"
    );
    let failed = Arrival {
        error: Some("its server does not answer".to_owned()),
        ..arrival(
            "http://a.example/5",
            start() + TimeDelta::days(5),
            "<p>",
            None,
        )
    };
    store(&mut archive, failed);
    let reader = archive.reader().expect("a reader");
    assert_eq!(of_page(&numbered(&reader, &since(5))), 1);
    assert_eq!(of_page(&numbered(&reader, &since(6))), 0);
}

#[test]
fn a_page_with_fewer_words_than_asked_for_is_no_entry() {
    let dir = folder();
    let mut archive = archive_of_two_feeds(dir.path());
    let url = "http://a.example/5";
    let at = start() + TimeDelta::days(1);
    let short = arrival(url, at, "<p>Short", Some("Short."));
    let known = archive.known(url).expect("readable");
    let mut prepared = short.prepare(&known);
    prepared.leave_out_short(10);
    let change = ArchiveChange::Page(Box::new(prepared));
    archive.write(vec![change]).expect("written");
    let reader = archive.reader().expect("a reader");
    let all = reader.entries(&EntryRange::default(), 9, |_| true);
    assert!(!names(&all.expect("readable")).contains(&"five"));
}
