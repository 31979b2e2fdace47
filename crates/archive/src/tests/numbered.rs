//! Entries by their numbers, in their order.

use super::feeds::{FEED, events};
use super::*;
use std::str::FromStr;

const OTHER: &str = "http://a.example/other";

/// Reads an item of a feed whose page is stored.
fn listed(archive: &mut Archive, feed: &str, id: &str, link: &str) {
    let event = Event::FeedRead {
        feed: feed.to_owned(),
        title: "News".to_owned(),
        items: vec![StoredItem {
            id: id.to_owned(),
            link: link.to_owned(),
            title: id.to_owned(),
            digest: id.to_owned(),
            ..StoredItem::default()
        }],
    };
    events(archive, [event]);
}

/// An archive of two feeds with three articles of one time, of which the feeds share one.
fn two_feeds(dir: &Path) -> Archive {
    let mut archive = open(dir);
    for feed in [FEED, OTHER] {
        let feed = feed.to_owned();
        events(&mut archive, [Event::FeedAdded { feed }]);
    }
    for n in 1..=3 {
        let url = format!("http://a.example/{n}");
        let text = text_of(&format!("word{n}"));
        let arrived = arrival(&url, start(), &format!("<p>{text}"), Some(&text));
        store(&mut archive, arrived);
        listed(&mut archive, FEED, &format!("item-{n}"), &url);
    }
    // The same page twice in one feed, and in another.
    listed(&mut archive, FEED, "item-1-again", "http://a.example/1");
    listed(&mut archive, OTHER, "other-1", "http://a.example/1");
    archive
}

fn numbers(archive: &ArchiveReader, query: &EntryQuery, most: usize) -> Vec<(i64, EntryPlace)> {
    let mut found = Vec::new();
    let read = archive.each_numbered_entry(
        query,
        |_| true,
        |entry| {
            found.push((entry.number, EntryPlace::of(&entry)));
            found.len() < most
        },
    );
    read.expect("readable");
    found
}

#[test]
fn entries_go_on_behind_each_place_both_ways() {
    let dir = tempfile::tempdir().expect("a folder");
    let archive = two_feeds(dir.path()).reader().expect("a reader");
    let all = numbers(&archive, &EntryQuery::default(), 100);
    assert_eq!(
        all.len(),
        4,
        "each of three, and one of them in the other feed"
    );
    for order in [EntryOrder::NewestFirst, EntryOrder::OldestFirst] {
        let mut expected = all.clone();
        if order == EntryOrder::OldestFirst {
            expected.reverse();
        }
        for step in 1..=5 {
            let (mut found, mut after) = (Vec::new(), None);
            loop {
                let query = EntryQuery {
                    after,
                    order,
                    ..EntryQuery::default()
                };
                let some = numbers(&archive, &query, step);
                let Some((_, place)) = some.last() else { break };
                let written = place.to_string();
                after = EntryPlace::from_str(&written).ok();
                found.extend(some);
            }
            assert_eq!(found, expected, "{step}");
        }
    }
    let of = |feed: &str| EntryQuery {
        feeds: Some(vec![feed.to_owned()]),
        ..EntryQuery::default()
    };
    let count = |feed| numbers(&archive, &of(feed), 100).len();
    assert_eq!((count(FEED), count(OTHER), count("x")), (3, 1, 0));
    for (number, place) in all {
        let entry = archive.numbered_entry(number).expect("readable");
        assert_eq!(entry.as_ref().map(EntryPlace::of), Some(place));
    }
    assert_eq!(archive.numbered_entry(7).expect("readable"), None);
}

#[test]
fn entries_of_removed_feeds_are_found_by_their_numbers_alone() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut archive = two_feeds(dir.path());
    let all = numbers(
        &archive.reader().expect("a reader"),
        &EntryQuery::default(),
        100,
    );
    let feed = FEED.to_owned();
    events(&mut archive, [Event::FeedRemoved { feed }]);
    let reader = archive.reader().expect("a reader");
    assert_eq!(numbers(&reader, &EntryQuery::default(), 100).len(), 1);
    for (number, _) in all {
        assert!(reader.numbered_entry(number).expect("readable").is_some());
    }
}

#[test]
fn a_place_is_read_as_it_is_written() {
    for odd in [
        "",
        "_",
        "1_2",
        "1_2_x",
        "x_2_3",
        "1_2_3_4",
        "99999999999999999999_1_1",
    ] {
        assert!(EntryPlace::from_str(odd).is_err(), "{odd}");
    }
    let place = EntryPlace::from_str("-5_7_9").expect("a place");
    assert_eq!(place.to_string(), "-5_7_9");
}
