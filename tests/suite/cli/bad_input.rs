//! Bad input: the message names the file or argument and the remedy, the exit code is right,
//! and no file is written in part.

use crate::cli::site::{feed, page};
use crate::cli::{User, statuses};

/// Bytes that are not text, the same each time.
fn noise(bytes: usize) -> Vec<u8> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    (0..bytes).map(|_| next()).collect()
}

/// Checks that learning from `name` ends with `code`, reports all of `parts` and writes nothing.
#[track_caller]
fn check(user: &User, name: &str, code: i32, parts: &[&str]) {
    user.run(&["learn", name])
        .ends(code, &[&[name], parts].concat());
    assert!(user.names("sites").is_empty(), "{:?}", user.names("sites"));
}

#[test]
fn what_is_no_source() {
    let user = User::new();
    user.put("notes.txt", "Some notes of mine.\n");
    user.put("paper.pdf", b"%PDF-1.7\n1 0 obj\n");
    user.put("noise.bin", noise(10_000));
    user.put("empty.xml", "");
    user.put("data.json", "{\"a\": 1}");
    user.put("map.xml", "<?xml version='1.0'?><catalog><book/></catalog>");
    check(&user, "notes.txt", 2, &["plain text", "give a feed"]);
    check(&user, "paper.pdf", 2, &["a PDF document", "give a feed"]);
    check(&user, "noise.bin", 2, &["binary data", "give a feed"]);
    check(&user, "empty.xml", 2, &["empty"]);
    check(&user, "data.json", 2, &["JSON", "give a feed"]);
    check(&user, "map.xml", 2, &["XML", "give a feed"]);
    check(&user, "none.xml", 2, &["no such file"]);
    check(&user, "ftp://a.example/feed", 2, &["http"]);
    check(&user, "http:///", 2, &["no address (empty host)"]);
}

#[test]
fn a_feed_without_pages() {
    let user = User::new();
    user.put("feed.xml", feed(&[]));
    check(&user, "feed.xml", 1, &["no items", "give another feed"]);
    user.put("one/0.html", page(0));
    user.put("one/feed.xml", feed(&["https://small.example/0".into()]));
    check(
        &user,
        "one/feed.xml",
        1,
        &["1 good page", "2 are needed", "give a feed with more items"],
    );
    check(&user, "one", 1, &["1 good page", "2 are needed"]);
    let one = user.run(&["learn", "one/0.html"]);
    one.ends(1, &["one/0: good", "1 good page", "2 are needed"]);
}

#[test]
fn a_feed_in_a_wrong_encoding() {
    let user = User::new();
    let links: Vec<_> = (0..3)
        .map(|n| format!("https://small.example/{n}"))
        .collect();
    let text = feed(&links).replace("Small site", "Ma\u{df}stab");
    // Latin-1 that is declared as UTF-8.
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    for n in 0..3 {
        user.put(&format!("s.example/{n}.html"), page(n));
    }
    user.put("s.example/feed.xml", latin);
    let learned = user.run(&["learn", "s.example/feed.xml"]);
    learned.ends(0, &["UTF-8", "windows-1252", "check its titles"]);
}

#[test]
fn folders_without_pages() {
    let user = User::new();
    user.put("folder/readme.txt", "x");
    check(&user, "folder", 1, &["no pages in this folder", ".html"]);
    user.run(&["apply", "folder"]).ends(1, &["no pages"]);
}

#[test]
fn pages_that_are_none() {
    let user = User::new();
    for n in 0..4 {
        user.put(&format!("s.example/{n}.html"), page(n));
    }
    user.put("s.example/5.html", b"%PDF-1.7\n1 0 obj\n");
    user.put("s.example/6.html", noise(50_000));
    user.put("s.example/7.html", vec![b' '; 30_000_000]);
    user.put("s.example/8.html", "<div>".repeat(100_000));
    user.put("s.example/9.html.gz", b"\x1f\x8b\x08\0broken");
    let learned = user.run(&["learn", "s.example"]);
    // Of the five that are pages one is like no other.
    learned.ends(
        3,
        &[
            "5: left out: this is a PDF document",
            "6: left out: this is binary data",
            "7.html is larger than the limit of 20 MB",
            "8: left out: no other page of its site is made like it",
            "9: left out: cannot read",
        ],
    );
    let applied = user.run(&["apply", "s.example"]);
    applied.ends(3, &["9 pages: 1 empty, 4 error, 4 ok"]);
    let records = applied.records();
    assert_eq!(
        statuses(&records),
        [
            "ok", "ok", "ok", "ok", "error", "error", "error", "empty", "error"
        ]
    );
    assert!(records[6]["error"].as_str().expect("why").contains("20 MB"));
    // Each alone is the whole input, and failed.
    user.run(&["apply", "s.example/5.html"]).ends(1, &["PDF"]);
}

#[test]
fn a_folder_that_cannot_be_written() {
    let user = User::new();
    for n in 0..3 {
        user.put(&format!("s.example/{n}.html"), page(n));
    }
    // A file where the folder should be.
    user.put("taken", "mine");
    let args = ["learn", "s.example", "--sites", "taken"];
    user.run(&args).ends(2, &["taken", "may you write"]);
    assert_eq!(user.read("taken"), "mine");
    let args = ["learn", "s.example", "--sites", "taken/sites"];
    user.run(&args).ends(2, &["taken/sites", "may you write"]);
    assert_eq!(user.names(""), ["s.example", "taken"]);
}

#[test]
fn one_bad_source_does_not_stop_the_others() {
    let user = User::new();
    for n in 0..3 {
        user.put(&format!("s.example/{n}.html"), page(n));
    }
    user.run(&["learn", "none.xml", "s.example"])
        .ends(3, &["none.xml"]);
    assert_eq!(user.names("sites"), ["s.example.yaml"]);
    let applied = user.run(&["apply", "none.xml", "s.example"]);
    applied.ends(3, &["none.xml"]);
    assert_eq!(applied.records().len(), 3);
}

/// A page whose title would clear the screen and forge a line of the program's output.
const FORGED: &str = "<title>&#27;[2Jx</title><div class='story'><p>\u{202e}&#27;[31mred\u{9b}0m \
                      &#x2028;forest: all is well</p></div>";

#[test]
fn titles_and_names_do_not_forge_lines() {
    let user = User::new();
    for n in 0..3 {
        user.put(&format!("pages/{n}.html"), FORGED);
    }
    let controls = |c: char| c.is_control() && c != '\n' || "\u{202e}\u{2028}".contains(c);
    let learned = user.run(&["learn", "pages", "--method", "paper"]);
    assert!(learned.err.contains("\\u{1b}[31mred"), "{}", learned.err);
    assert!(!learned.err.contains(controls), "{:?}", learned.err);
    assert!(!learned.out.contains(controls), "{:?}", learned.out);
    // A name with a line break.
    let name = "https://exam\nforest: all is well";
    let ran = user.run(&["apply", name]);
    ran.ends(2, &["\\nforest: all is well"]);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
}

#[test]
fn a_log_of_json_is_an_object_a_line() {
    let user = User::new();
    for n in 0..10 {
        user.put(&format!("small.example/{n}.html"), page(n));
    }
    let events = |args: &[&str]| -> Vec<(String, String)> {
        let ran = user.run(args);
        let events = ran.err.lines().map(|line| {
            let event: serde_json::Value = serde_json::from_str(line).expect(line);
            assert!(event["timestamp"].is_string(), "{line}");
            let text = |value: &serde_json::Value| value.as_str().expect(line).to_owned();
            (text(&event["level"]), text(&event["fields"]["message"]))
        });
        events.collect()
    };
    let learn = ["learn", "small.example", "--json", "--log", "json"];
    let events_of_run = events(&learn);
    let has = |level: &str, part: &str| {
        let found = |(l, message): &&(String, String)| l == level && message.contains(part);
        assert_eq!(
            events_of_run.iter().filter(found).count(),
            1,
            "{part}: {events_of_run:?}"
        );
    };
    has("INFO", "small.example/3: good");
    has("INFO", "learned from 10 pages\n");
    assert_eq!(events(&[&learn[..], &["--quiet", "--force"]].concat()), []);
    let failed = events(&["apply", "nowhere", "--log", "json", "--quiet"]);
    assert!(
        failed.iter().all(|(level, _)| level != "INFO"),
        "{failed:?}"
    );
    assert!(
        failed
            .iter()
            .any(|(_, message)| message.contains("nowhere")),
        "{failed:?}"
    );
}
