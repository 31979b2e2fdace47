//! Entries: their numbers, their contents, and how a list goes on.

use super::{App, json_of};
use crate::harvest_cli::site::{Site, User};
use crate::serve::archive::served;
use crate::serve::library::server_of;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const ALL: &str = "s=user/-/state/com.google/reading-list";

#[test]
fn entries_have_their_lasting_numbers_and_whole_articles() {
    let (site, _user, server) = served();
    let app = App::new(&server);
    let page = server.own("/archive").text();
    let (before, _) = page.split_once(".json\"").expect("a feed");
    let feed = before.rsplit("href=\"").next().expect("an address");
    let feed: Value =
        serde_json::from_slice(&server.own(&format!("/{feed}.json")).body).expect("JSON");
    let items = feed["items"].as_array().expect("a list");
    let numbers = items.iter().map(|item| item["_forest"]["number"].as_str());
    let numbers: Vec<&str> = numbers.map(|number| number.expect("a text")).collect();
    assert_eq!(app.ids(ALL), numbers);
    let long = |number: &str| {
        let number: i64 = number.parse().expect("a number");
        format!("tag:google.com,2005:reader/item/{number:016x}")
    };
    let short: i64 = numbers[2].parse().expect("a number");
    let short = format!("tag:google.com,2005:reader/item/{short:x}");
    let asked = [
        ("i", numbers[1]),
        ("i", &long(numbers[0])),
        ("i", &short),
        ("i", "7"),
    ];
    let found = json_of(&app.post("api/0/stream/items/contents?output=json", &asked));
    let found = found["items"].as_array().expect("a list");
    let ids: Vec<&str> = found
        .iter()
        .filter_map(|item| item["id"].as_str())
        .collect();
    assert_eq!(ids, [1, 0, 2].map(|place| long(numbers[place])));
    let item = &found[1];
    assert_eq!(item["title"], "Story 1");
    let link = item["alternate"][0]["href"].as_str().expect("a text");
    assert!(
        link.starts_with(&format!("http://{}/story/1", site.host)),
        "{link}"
    );
    let content = item["summary"]["content"].as_str().expect("a text");
    assert!(
        content.contains("<p>") && content.contains("keeper"),
        "{content}"
    );
    assert!(!content.contains("All rights"), "{content}");
    assert_eq!(
        item["categories"],
        json!(["user/-/state/com.google/reading-list"])
    );
    assert_eq!(item["origin"]["title"], "The Gazette");
    let msec = item["crawlTimeMsec"].as_str().expect("a text");
    assert_eq!(item["timestampUsec"], format!("{msec}000"));
    // The same as a stream.
    let stream = app.json("api/0/stream/contents/user/-/state/com.google/reading-list");
    assert_eq!(stream["items"][0], *item);
    assert_eq!(stream["id"], "user/-/state/com.google/reading-list");
    for rest in ["", "/", "/reading-list"] {
        let path = format!("api/0/stream/contents{rest}");
        assert_eq!(app.json(&path)["items"], stream["items"], "{path}");
    }
    assert_eq!(app.get("api/0/stream/contents/reading").status, 400);
}

#[test]
fn streams_are_those_of_a_feed_too_and_as_atom() {
    let (site, _user, server) = served();
    let app = App::new(&server);
    let feeds = app.json("api/0/subscription/list?output=json");
    let id = feeds["subscriptions"][0]["id"]
        .as_str()
        .expect("a text")
        .to_owned();
    let coded: String = url::form_urlencoded::byte_serialize(id.as_bytes()).collect();
    let address: String = url::form_urlencoded::byte_serialize(site.feed().as_bytes()).collect();
    for stream in [&id, &coded, &format!("feed/{address}")] {
        let found = app.json(&format!("api/0/stream/contents/{stream}?n=2"));
        assert_eq!(found["items"].as_array().map(Vec::len), Some(2), "{stream}");
        assert_eq!(found["title"], "The Gazette");
        assert_eq!(app.ids(&format!("s={stream}")).len(), 3);
    }
    assert!(app.ids("s=feed/unknown").is_empty());
    let newest = &app.ids(ALL)[0];
    app.change(
        "api/0/edit-tag",
        &[("i", newest), ("a", "user/-/state/com.google/read")],
    );
    let atom = app.get(&format!("atom/{coded}?n=20"));
    assert_eq!(
        atom.header("content-type"),
        Some("application/atom+xml; charset=utf-8")
    );
    let atom = atom.text();
    let entries: Vec<&str> = atom.split("<entry").skip(1).collect();
    assert_eq!(entries.len(), 3);
    let read = "<category scheme=\"http://www.google.com/reader/\" term=\"user/-/state/com.google/read\" label=\"read\"/>";
    let marked: Vec<bool> = entries.iter().map(|entry| entry.contains(read)).collect();
    assert_eq!(marked, [true, false, false]);
    let number: i64 = newest.parse().expect("a number");
    assert!(entries[0].contains(&format!(
        "<id>tag:google.com,2005:reader/item/{number:016x}</id>"
    )));
}

#[test]
fn a_list_goes_on_until_each_entry_came_once() {
    let (site, user) = (Site::new(0), User::new());
    user.add(&site).ends(0, &[]);
    // Of some days each, so that pages end between entries of one time.
    let items: String = (1..=23)
        .map(|n| {
            format!(
                "<item><guid>story-{n}</guid><title>Story {n}</title><link>http://HOST/story/{n}</link>\
                 <pubDate>{:02} Nov 2099 06:00:00 GMT</pubDate></item>",
                1 + (n * 7) % 5
            )
        })
        .collect();
    site.set(|show| show.more = items);
    user.round(3, &[]).ends(0, &["23 new articles"]);
    let server = server_of(&user);
    let app = App::new(&server);
    let whole = app.ids(&format!("{ALL}&n=100"));
    assert_eq!(whole.len(), 23);
    let read_all = |path: &str, list: &str, step: usize| {
        let (mut all, mut next) = (Vec::new(), String::new());
        loop {
            let page = app.json(&format!("{path}&n={step}{next}"));
            let found = page[list].as_array().expect("a list");
            assert!(!found.is_empty() && found.len() <= step);
            all.extend(
                found
                    .iter()
                    .map(|one| one["id"].as_str().expect("a text").to_owned()),
            );
            match page["continuation"].as_str() {
                Some(place) => next = format!("&c={place}"),
                None => return all,
            }
        }
    };
    let ids = format!("api/0/stream/items/ids?{ALL}");
    for step in [1, 5, 22, 23, 24] {
        assert_eq!(read_all(&ids, "itemRefs", step), whole, "{step}");
    }
    let mut back = read_all(&format!("{ids}&r=o"), "itemRefs", 4);
    back.reverse();
    assert_eq!(back, whole);
    let contents = read_all(
        "api/0/stream/contents/user/-/state/com.google/reading-list?x=1",
        "items",
        10,
    );
    let first = app.json("api/0/stream/contents?n=1");
    assert_eq!(first["items"][0]["published"], 4_097_541_600_i64);
    let different: BTreeSet<&String> = contents.iter().collect();
    assert_eq!((contents.len(), different.len()), (23, 23));
}

#[test]
fn an_article_of_two_feeds_is_an_entry_of_each() {
    let (site, user) = (Site::new(2), User::new());
    user.add(&site).ends(0, &[]);
    let other = Site::new(0);
    let shared = format!(
        "<item><guid>x</guid><title>Story 1</title><link>http://{}/story/1</link></item>",
        site.host
    );
    other.set(|show| show.more = shared);
    user.add(&other).ends(0, &[]);
    user.round(3, &[]).ends(0, &["2 new articles"]);
    let server = server_of(&user);
    let app = App::new(&server);
    let ids = app.ids(&format!("{ALL}&n=1"));
    let mut all = ids.clone();
    let mut next = app.json(&format!("api/0/stream/items/ids?{ALL}&n=1"));
    while let Some(place) = next["continuation"].as_str() {
        next = app.json(&format!("api/0/stream/items/ids?{ALL}&n=1&c={place}"));
        all.extend(next["itemRefs"][0]["id"].as_str().map(str::to_owned));
    }
    let different: BTreeSet<&String> = all.iter().collect();
    assert_eq!((all.len(), different.len()), (3, 3));
    let coded: String = url::form_urlencoded::byte_serialize(other.feed().as_bytes()).collect();
    let of_other = app.ids(&format!("s=feed/{coded}"));
    assert_eq!(of_other.len(), 1);
    assert_eq!(app.ids(&format!("{ALL}&xt=feed/{coded}")).len(), 2);
    // Both are read at once: it is one article.
    app.change(
        "api/0/edit-tag",
        &[("i", &of_other[0]), ("a", "user/-/state/com.google/read")],
    );
    assert_eq!(app.unread().len(), 1);
}

#[test]
fn times_choose_what_was_stored_since() {
    let (site, user, server) = served();
    site.set(|show| show.items = (1..=4).collect());
    user.round(20, &["--now"]).ends(0, &["1 new article"]);
    let app = App::new(&server);
    let stored = |hour: i64| 4_102_531_200 + hour * 3600;
    for (query, count) in [
        (format!("ot={}", stored(4)), 1),
        (format!("ot={}", stored(2)), 4),
        (format!("nt={}", stored(4)), 3),
        (format!("ot={}&nt={}", stored(4), stored(5)), 0),
        ("ot=0".to_owned(), 4),
    ] {
        assert_eq!(app.ids(&format!("{ALL}&{query}")).len(), count, "{query}");
    }
}

#[test]
fn hostile_parameters_are_refused_or_bounded() {
    let (_site, _user, server) = served();
    let app = App::new(&server);
    for query in [
        "n=99999999999999999999",
        "n=-5",
        "n=0",
        "n=x",
        "r=x",
        "output=xml",
        "c=",
    ] {
        assert!(!app.ids(&format!("{ALL}&{query}")).is_empty(), "{query}");
    }
    for query in [
        "c=x",
        "c=1",
        "c=1_2",
        "c=1_2_x",
        "c=99999999999999999999_1_1",
        "ot=x",
        "nt=-1",
        "xt=x",
        "it=feed",
    ] {
        let path = format!("api/0/stream/items/ids?{ALL}&{query}");
        assert_eq!(app.get(&path).status, 400, "{query}");
    }
    for odd in [
        "c=-9223372036854775808_0_0",
        "c=9223372036854775807_9223372036854775807_0",
    ] {
        assert_eq!(
            app.get(&format!("api/0/stream/items/ids?{ALL}&{odd}"))
                .status,
            200,
            "{odd}"
        );
    }
    for stream in ["", "feed", "x", "user/-/state/com.google", "%ff"] {
        let answer = app.get(&format!("api/0/stream/items/ids?s=/{stream}"));
        assert_eq!(answer.status, 400, "{stream}");
    }
    assert_eq!(app.get("api/0/stream/contents/%ff").status, 400);
    assert!(
        app.ids("s=user/-/state/com.google/broadcast-friends")
            .is_empty()
    );
    let many = vec![("i", "7"); 1_000];
    let found = json_of(&app.post("api/0/stream/items/contents", &many));
    assert_eq!(found["items"], json!([]));
    let too_many = vec![("i", "7"); 1_001];
    assert_eq!(
        app.post("api/0/stream/items/contents", &too_many).status,
        400
    );
    let too_many = vec![("i", "7"); 10_001];
    let fields = [&too_many[..], &[("a", "user/-/state/com.google/read")]].concat();
    assert_eq!(app.post("api/0/edit-tag", &fields).status, 400);
    for id in [
        "",
        "x",
        "-1",
        "tag:google.com,2005:reader/item/",
        "99999999999999999999",
    ] {
        let status = app.post("api/0/stream/items/contents", &[("i", id)]).status;
        assert_eq!(status, 400, "{id}");
    }
    let large = "x".repeat(1_000_001);
    assert_eq!(app.post("api/0/edit-tag", &[("i", &large)]).status, 413);
    // What costs more than its bytes.
    let many = vec![("i", "7"); 12_002];
    assert_eq!(app.post("api/0/stream/items/ids", &many).status, 400);
    let narrowed = "&xt=feed/1".repeat(51);
    let path = format!("api/0/stream/items/ids?{ALL}{narrowed}");
    assert_eq!(app.get(&path).status, 400);
    let labels: Vec<String> = (0..21).map(|n| format!("user/-/label/{n}")).collect();
    let labels = labels.iter().map(|label| ("a", label.as_str()));
    let fields: Vec<(&str, &str)> = [("ac", "edit"), ("s", "feed/1")]
        .into_iter()
        .chain(labels)
        .collect();
    assert_eq!(app.post("api/0/subscription/edit", &fields).status, 400);
    let host = format!("Host: {}", server.address);
    let kind = "Content-Type: application/x-www-form-urlencoded";
    for base in ["", "/api/greader.php"] {
        let line = format!("POST {base}/accounts/ClientLogin");
        let body = format!("Email=owner&Passwd={}", "x".repeat(4_000));
        assert_eq!(
            server
                .ask_with(&line, &[&host, kind], body.as_bytes())
                .status,
            413
        );
        let body = format!("Email=owner&Passwd={}", "x".repeat(1_500));
        assert_eq!(
            server
                .ask_with(&line, &[&host, kind], body.as_bytes())
                .status,
            401,
            "{base}"
        );
    }
}
