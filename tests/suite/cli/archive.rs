//! Reading an archive: search, history, diffs, feed, export.

use super::User;
use chrono::{DateTime, Utc};
use forest_archive::{Archive, ArchiveChange, Arrival, Stored, VisitResponse};
use forest_core::extract::{Article, Status};
use serde_json::Value;

/// A user with an archive: two articles of one site, one of them edited, and one article of
/// another site.
fn user() -> User {
    let user = User::new();
    let mut archive =
        Archive::open(&user.path("store"), forest_harvest::archive_options()).expect("made");
    let long = "Nobody was hurt and the harbour stays open. ".repeat(12);
    let mut put = |day: u32, site: &str, name: &str, language: &str, title: &str, text: &str| {
        let url = format!("https://{site}/{name}");
        let at: DateTime<Utc> = format!("2026-01-{day:02}T03:04:05Z")
            .parse()
            .expect("a time");
        let article = Article {
            id: url.clone(),
            url: Some(url.clone()),
            site: Some(site.to_owned()),
            title: Some(title.to_owned()),
            text: text.to_owned(),
            language: Some(language.to_owned()),
            status: Status::Ok,
            ..Article::default()
        };
        let response = VisitResponse::File {
            body: format!("<title>{title}</title><p>{text}").into_bytes(),
        };
        let arrival = Arrival {
            content_type: Some("text/html".to_owned()),
            article: Some(article),
            ..Arrival::new(url.clone(), at, response)
        };
        let known = archive.known(&url).expect("read");
        let prepared = arrival.prepare(&known);
        let stored = archive.write(vec![ArchiveChange::Page(Box::new(prepared))]);
        stored.expect("written")[0]
    };
    let first = format!("The ferry leaves at nine. {long}");
    let second = format!("The ferry leaves at ten <sharp>. {long}");
    put(
        2,
        "news.example",
        "ferry",
        "en",
        "Ferries & \u{1b}[31mboats",
        &first,
    );
    put(
        3,
        "news.example",
        "cat",
        "en",
        "A cat",
        "The cats sleep on the organ.",
    );
    put(
        4,
        "blatt.example",
        "hund",
        "de",
        "Der Hund",
        "Die Hunde bellten in den Häusern.",
    );
    let again = put(
        5,
        "news.example",
        "ferry",
        "en",
        "Ferries & \u{1b}[31mboats",
        &second,
    );
    assert_eq!(again, Stored::Version);
    user
}

#[test]
fn words_find_articles() {
    let user = user();
    let found = user.run(&["search", "--archive", "store", "ferries", "leaving"]);
    found.ends(0, &[]);
    let mut lines = found.out.lines();
    assert_eq!(lines.next(), Some("Ferries & ␛[31mboats"));
    assert_eq!(lines.next(), Some("2026-01-02  https://news.example/ferry"));
    assert!(
        lines
            .next()
            .expect("a snippet")
            .starts_with("  The ferry leaves at ten <sharp>. Nobody")
    );
    let found = user.run(&["search", "--archive", "store", "--json", "Haus"]);
    let hit = &found.ends(0, &[]).records()[0];
    assert_eq!(hit["url"], "https://blatt.example/hund");
    assert_eq!(
        (&hit["language"], &hit["status"]),
        (&"de".into(), &"ok".into())
    );
    assert_eq!(hit["snippet"], "Die Hunde bellten in den Häusern.");
    // In characters, not bytes.
    assert_eq!(hit["highlights"], serde_json::json!([[25, 32]]));
    user.run(&["search", "--archive", "store", "nine"])
        .ends(1, &["nothing found"]);
    user.run(&["search", "--archive", "store", "--", "ferry", "-sharp"])
        .ends(1, &["nothing found"]);
    // A stop word of English is a word of other languages.
    user.run(&["search", "--archive", "store", "\"", "(", "AND"])
        .ends(1, &["nothing found"]);
    for nothing in [
        &["", "\" ("] as &[&str],
        &["--lang", "en", "and the"],
        &["--", "-ferry"],
    ] {
        user.run(&[&["search", "--archive", "store"], nothing].concat())
            .ends(1, &["nothing to look for"]);
    }
    // Again, with the existing index.
    user.run(&["search", "--archive", "store", "cat"])
        .ends(0, &[]);
}

#[test]
fn searches_are_filtered() {
    let user = user();
    let check = |args: &[&str], code: i32, parts: &[&str]| {
        let all = [&["search", "--archive", "store", "ferry"], args].concat();
        user.run(&all).ends(code, parts);
    };
    check(&["--site", "news.example"], 0, &[]);
    check(&["--site", "blatt.example"], 1, &["nothing found"]);
    check(
        &["--site", "else.example"],
        1,
        &["else.example", "news.example", "blatt.example"],
    );
    check(&["--since", "2026-01-02"], 0, &[]);
    check(&["--since", "2026-01-03"], 1, &[]);
    check(&["--until", "2026-01-02T03:04:05Z"], 1, &[]);
    check(&["--since", "1h"], 1, &[]);
    check(&["--since", "yesterday"], 2, &["yesterday", "7d"]);
    check(&["--status", "ok", "--status", "fallback"], 0, &[]);
    check(&["--status", "degraded"], 1, &[]);
    check(&["--status", "good"], 2, &["degraded"]);
    check(&["--lang", "de"], 1, &[]);
}

#[test]
fn an_article_has_a_history() {
    let user = user();
    let url = "http://www.news.example/ferry?utm_source=x";
    let shown = user.run(&["history", "--archive", "store", url]);
    shown.ends(0, &[]);
    assert!(
        shown
            .out
            .starts_with("https://news.example/ferry\n\nversion 1  2026-01-02T03:04:05Z  ok  ")
    );
    assert!(
        shown
            .out
            .contains("\nversion 2  2026-01-05T03:04:05Z  ok  "),
        "{}",
        shown.out
    );
    let edit = "The ferry leaves at [-nine-]{+ten <sharp>+}. Nobody was hurt and the harbour stays open ...\n";
    assert!(shown.out.ends_with(edit), "{}", shown.out);
    assert!(!shown.out.contains('\u{1b}'), "{:?}", shown.out);
    let json = user.run(&["history", "--archive", "store", "--format", "json", url]);
    let history = &json.ends(0, &[]).records()[0];
    let versions = history["versions"].as_array().expect("a list");
    assert_eq!(versions.len(), 2);
    assert_eq!(versions[0]["hunks"], Value::Null);
    assert_eq!(
        versions[1]["hunks"][0][1],
        serde_json::json!({"op": "delete", "text": "nine"})
    );
    let atom = user.run(&["history", "--archive", "store", "--format", "atom", url]);
    let feed =
        forest_core::feed::parse(atom.ends(0, &[]).out.as_bytes(), None, None).expect("a feed");
    let ids: Vec<&str> = feed.items.iter().map(|item| &*item.id).collect();
    assert_eq!(
        ids,
        [
            "https://news.example/ferry#version-2",
            "https://news.example/ferry"
        ]
    );
    user.run(&["history", "--archive", "store", "https://news.example/none"])
        .ends(1, &["no article at https://news.example/none"]);
}

#[test]
fn edits_are_shown() {
    let user = user();
    let run = |args: &[&str]| user.run(&[&["diffs", "--archive", "store"], args].concat());
    let shown = run(&["--since", "2026-01-05"]);
    shown.ends(0, &[]);
    let head = "2026-01-05T03:04:05Z  version 2  https://news.example/ferry\nFerries & ␛[31mboats\nThe ferry";
    assert!(shown.out.starts_with(head), "{}", shown.out);
    let json = run(&["--since", "2026-01-01", "--format", "json"]);
    let edit = &json.ends(0, &[]).records()[0];
    assert_eq!(
        (&edit["url"], &edit["version"]),
        (&"https://news.example/ferry".into(), &2.into())
    );
    assert_eq!(
        (&edit["words_inserted"], &edit["words_deleted"]),
        (&2.into(), &1.into())
    );
    let atom = run(&[
        "--since",
        "2026-01-01",
        "--format",
        "atom",
        "--site",
        "news.example",
    ]);
    let feed =
        forest_core::feed::parse(atom.ends(0, &[]).out.as_bytes(), None, None).expect("a feed");
    let content = feed.items[0].content.as_deref().expect("content");
    assert!(
        content.contains("<del>nine</del><ins>ten &lt;sharp&gt;</ins>"),
        "{content}"
    );
    run(&["--since", "2026-01-06"]).ends(1, &["no edits"]);
    run(&["--since", "2026-01-01", "--site", "blatt.example"]).ends(1, &["no edits"]);
    let none = run(&["--since", "12h", "--format", "atom"]);
    let feed = forest_core::feed::parse(none.ends(1, &["no edits"]).out.as_bytes(), None, None);
    assert_eq!(feed.expect("a feed without items").items.len(), 0);
    run(&[]).ends(2, &["--since"]);
}

#[test]
fn a_site_is_a_feed() {
    let user = user();
    for format in ["atom", "rss", "json"] {
        let args = [
            "feed",
            "news.example",
            "--archive",
            "store",
            "--format",
            format,
        ];
        let out = user.run(&args).ends(0, &[]).out.clone();
        assert_eq!(user.run(&args).out, out, "the same bytes");
        let feed = forest_core::feed::parse(out.as_bytes(), None, None).expect("a feed");
        let ids: Vec<&str> = feed.items.iter().map(|item| &*item.id).collect();
        assert_eq!(
            ids,
            ["https://news.example/cat", "https://news.example/ferry"]
        );
        let content = feed.items[1].content.as_deref().expect("content");
        assert!(
            content.starts_with("<p>The ferry leaves at ten &lt;sharp&gt;. Nobody"),
            "{content}"
        );
        assert!(!out.contains('\u{1b}'));
    }
    let out = [
        "feed",
        "news.example",
        "--archive",
        "store",
        "--limit",
        "1",
        "--out",
        "a.xml",
    ];
    assert_eq!(user.run(&out).ends(0, &[]).out, "");
    assert_eq!(user.read("a.xml").matches("<entry").count(), 1);
    user.run(&[
        "feed",
        "none.example",
        "--archive",
        "store",
        "--out",
        "b.xml",
    ])
    .ends(1, &["none.example", "news.example"]);
    assert!(!user.path("b.xml").exists());
}

#[test]
fn articles_are_exported() {
    let user = user();
    let export =
        |args: &[&str]| user.run(&[&["archive", "export", "--archive", "store"], args].concat());
    let urls = |ran: &super::Ran| -> Vec<String> {
        let records = ran.ends(0, &[]).records();
        records
            .iter()
            .map(|r| r["url"].as_str().expect("a url").to_owned())
            .collect()
    };
    let all = [
        "https://blatt.example/hund",
        "https://news.example/ferry",
        "https://news.example/cat",
    ];
    assert_eq!(urls(&export(&[])), all);
    assert_eq!(urls(&export(&["--site", "blatt.example"])), all[..1]);
    assert_eq!(urls(&export(&["--since", "2026-01-05"])), all[1..2]);
    assert_eq!(urls(&export(&["--until", "2026-01-04"])), all[2..]);
    assert_eq!(
        export(&[]).records()[2]["text"],
        "The cats sleep on the organ."
    );
    assert_eq!(export(&["--out", "a.jsonl"]).ends(0, &[]).out, "");
    assert_eq!(user.read("a.jsonl"), export(&[]).out);
    export(&["--since", "2027-01-01"]).ends(1, &["no articles"]);
    #[cfg(not(feature = "parquet"))]
    export(&["--format", "parquet"]).ends(2, &["--features parquet", "jsonl"]);
    #[cfg(feature = "parquet")]
    {
        export(&["--format", "parquet", "--out", "a.parquet"]).ends(0, &[]);
        let bytes = std::fs::read(user.path("a.parquet")).expect("written");
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    }
}

/// The further pages are stored as well, so that the article can be read again.
#[test]
fn apply_stores_articles_of_several_pages() {
    let user = User::new();
    crate::cli::paging::folder(&user, "");
    user.run(&["learn", "small"]).ends(0, &[]);
    let apply = ["apply", "small", "--archive", "store"];
    let records = user.run(&apply).records();
    let firsts: Vec<&Value> = crate::cli::paging::first_pages(&records);
    let text = |url: &str| {
        let first = firsts.iter().find(|first| first["fetched_url"] == url);
        first.expect("its record")["text"].clone()
    };
    let exported = || {
        let export = user.run(&["archive", "export", "--archive", "store"]);
        export.ends(0, &[]).records()
    };
    let check = || {
        let stored = exported();
        assert_eq!(stored.len(), firsts.len());
        for article in stored {
            let url = article["url"].as_str().expect("an address");
            assert_eq!(article["text"], text(url), "{url}");
        }
        user.run(&["archive", "verify", "--archive", "store"])
            .ends(0, &["all is well"]);
    };
    check();
    // The same pages once more are not new, nor are they as prose.
    user.run(&apply)
        .ends(0, &["0 new articles, 0 new versions"]);
    let prose: Vec<&str> = apply.into_iter().chain(["--prose"]).collect();
    let normalised = user.run(&prose);
    normalised.ends(0, &["0 new articles, 0 new versions"]);
    let normalised = normalised.records();
    assert_ne!(
        crate::cli::paging::first_pages(&normalised)[0]["text"],
        firsts[0]["text"]
    );
    check();
    // Read again by an edited wrapper, and as a feed with its HTML.
    let path = "sites/small.example.yaml";
    let edited = user
        .read(path)
        .replace("format: 2\n", "format: 2\n# edited\n");
    std::fs::create_dir_all(user.path("store/sites")).expect("made");
    user.put("store/sites/small.example.yaml", edited);
    user.run(&["archive", "reextract", "--archive", "store"])
        .ends(0, &["5 "]);
    check();
    let feed = user.run(&["feed", "small.example", "--archive", "store"]);
    let feed = feed.ends(0, &[]).out.clone();
    for word in ["page 1", "page 2", "page 3"] {
        assert!(feed.contains(word), "{word}: {feed}");
    }
}

#[test]
fn the_archive_is_where_the_config_file_or_the_user_has_it() {
    let user = user();
    user.run(&["search", "cat"]).ends(2, &["forest/archive"]);
    user.put("config.yaml", "archive: store\n");
    user.run(&["--config", "config.yaml", "search", "cat"])
        .ends(0, &[]);
    std::fs::create_dir_all(user.path("data/forest")).expect("made");
    std::fs::rename(user.path("store"), user.path("data/forest/archive")).expect("moved");
    user.run(&["search", "cat"]).ends(0, &[]);
    user.run(&["search", "--archive", "store", "cat"])
        .ends(2, &["store"]);
}

/// A reader finds the commits of another process that still writes.
#[test]
fn an_archive_is_searched_while_it_is_written() {
    let user = user();
    user.run(&["search", "--archive", "store", "cat"])
        .ends(0, &[]);
    let _writes =
        Archive::open(&user.path("store"), forest_harvest::archive_options()).expect("opened");
    user.run(&["search", "--archive", "store", "cat"])
        .ends(0, &[]);
    user.run(&["feed", "news.example", "--archive", "store"])
        .ends(0, &[]);
}

#[test]
fn apply_stores_what_it_reads() {
    let user = User::new();
    let site = super::gold("plain-notes.example");
    user.run(&["learn", &site]).ends(0, &[]);
    let apply = ["apply", &site, "--archive", "store"];
    let first = user.run(&apply);
    first.ends(0, &["stored: "]);
    let pages = first.records().len();
    assert!(
        first.err.contains(&format!(
            "stored: {pages} new articles, 0 new versions, 0 known"
        )),
        "{}",
        first.err
    );
    let export = user.run(&["archive", "export", "--archive", "store"]);
    let texts = |records: Vec<Value>| -> std::collections::BTreeSet<String> {
        records
            .iter()
            .map(|record| record["text"].as_str().expect("a text").to_owned())
            .collect()
    };
    assert_eq!(texts(export.ends(0, &[]).records()), texts(first.records()));
    user.run(&apply).ends(
        0,
        &[&format!(
            "stored: 0 new articles, 0 new versions, {pages} known"
        )],
    );
    user.run(&["archive", "verify", "--archive", "store"])
        .ends(0, &["all is well"]);
    // A page without an address cannot be stored there.
    let page = user.put(
        "page.html",
        "<p>A harbour and its ferry, told at some length.",
    );
    let page = page.display().to_string();
    user.run(&["apply", &page, "--archive", "store"])
        .ends(0, &["1 page has no address"]);
}

/// A WARC file with a damaged byte is not cut there.
#[test]
fn damage_is_reported_and_dropped_on_request() {
    let user = user();
    let path = "store/warc/pages-000001.warc.gz";
    let mut bytes = std::fs::read(user.path(path)).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xFF;
    user.put(path, &bytes);
    let verify =
        |args: &[&str]| user.run(&[&["archive", "verify", "--archive", "store"], args].concat());
    let parts = ["pages-000001.warc.gz", "damaged", "backup", "1 damage"];
    verify(&[]).ends(1, &parts);
    verify(&["--rebuild"]).ends(1, &parts);
    assert_eq!(std::fs::read(user.path(path)).expect("a file"), bytes);
    let salvaged = verify(&["--salvage"]);
    salvaged.ends(
        0,
        &[
            "pages-000001.warc.gz.damaged",
            "bytes skipped",
            "all is well",
        ],
    );
    let kept = std::fs::read(user.path(&format!("{path}.damaged"))).expect("kept");
    assert_eq!(kept, bytes);
    verify(&[]).ends(0, &["all is well"]);
    // It may still have forgotten data.
    let url = "https://news.example/ferry";
    let forget = || user.run(&["archive", "forget", "--archive", "store", url]);
    forget().ends(3, &["pages-000001.warc.gz.damaged", "delete"]);
    std::fs::remove_file(user.path(&format!("{path}.damaged"))).expect("deleted");
    forget().ends(0, &[]);
}

/// Runs a command as somebody who may read the archive, and not write to it.
#[cfg(unix)]
fn as_a_reader(user: &User, args: &[&str]) -> super::Ran {
    use std::os::unix::fs::PermissionsExt;
    let home = user.path(".");
    let set = |folder, file| {
        if crate::nobody::is_root(&home) {
            return;
        }
        for (name, mode) in [
            ("store", folder),
            ("store/index", folder),
            ("store/archive.sqlite", file),
        ] {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(user.path(name), permissions).expect("set");
        }
    };
    let mut command = user.command();
    // The config file may stand where only root may go.
    command.args(args).env("FOREST_CONFIG", "");
    set(0o555, 0o444);
    let ran = crate::nobody::as_nobody(command, &home).output();
    set(0o755, 0o644);
    super::ran(ran.expect("it runs"))
}

#[cfg(unix)]
#[test]
fn an_archive_that_may_not_be_written_to_is_read() {
    let user = user();
    user.run(&["search", "--archive", "store", "cat"])
        .ends(0, &[]);
    for args in [
        &["harvest", "list", "--archive", "store"][..],
        &["archive", "export", "--archive", "store"],
        &[
            "history",
            "--archive",
            "store",
            "https://news.example/ferry",
        ],
        &["search", "--archive", "store", "cat"],
    ] {
        as_a_reader(&user, args).ends(0, &[]);
    }
    // An unreadable end of the log is reported.
    leave_a_log(&user);
    let ran = as_a_reader(&user, &["archive", "export", "--archive", "store"]);
    ran.ends(2, &["may not write", "archive verify"]);
}

/// Leaves a log beside the database, as a killed process does.
#[cfg(unix)]
fn leave_a_log(user: &User) {
    let mut archive =
        Archive::open(&user.path("store"), forest_harvest::archive_options()).expect("opened");
    let feed = "https://news.example/feed".to_owned();
    let event = forest_archive::Event::FeedAdded { feed };
    let at = "2026-01-02T03:04:05Z".parse().expect("a time");
    archive
        .write(vec![ArchiveChange::Event { at, event }])
        .expect("written");
    let (log, kept) = (user.path("store/archive.sqlite-wal"), user.path("kept"));
    std::fs::copy(&log, &kept).expect("copied");
    drop(archive);
    std::fs::rename(kept, log).expect("put back");
}

#[test]
fn the_rest_of_an_interrupted_forgetting_is_reported_and_removed() {
    let user = user();
    let verify =
        |args: &[&str]| user.run(&[&["archive", "verify", "--archive", "store"], args].concat());
    // It was killed just after it had written the addresses.
    let mut archive =
        Archive::open(&user.path("store"), forest_harvest::archive_options()).expect("opened");
    let key = forest_html::address::page_key("https://news.example/ferry");
    let digest = forest_html::text::hex(&<sha2::Sha256 as sha2::Digest>::digest(key));
    let event = forest_archive::Event::Forgotten { digest };
    let at = "2026-01-06T03:04:05Z".parse().expect("a time");
    archive
        .write(vec![ArchiveChange::Event { at, event }])
        .expect("written");
    drop(archive);
    user.put("store/warc/pages-000001.warc.gz.new", "half");
    verify(&[]).ends(1, &["1 address is", "--rebuild", "1 damage"]);
    let files = [
        "events-000001.warc.wat.gz",
        "pages-000001.warc.gz",
        "texts-000001.warc.wet.gz",
    ];
    assert_eq!(user.names("store/warc"), files);
    verify(&["--rebuild"]).ends(0, &["2 articles", "all is well"]);
    user.run(&["search", "--archive", "store", "ferry"])
        .ends(1, &[]);
}

/// A wrapper of a harvest, which became active.
fn active_wrapper(user: &User, site: &str) -> String {
    let yaml = format!("format: 1\nsite: {site}\ntemplates:\n- body: ['//p']\n");
    let mut archive =
        Archive::open(&user.path("store"), forest_harvest::archive_options()).expect("opened");
    let event = forest_archive::Event::Wrapper {
        site: site.to_owned(),
        sha256: "0".to_owned(),
        yaml: yaml.clone(),
        why: "learned".to_owned(),
    };
    let at = "2026-01-06T03:04:05Z".parse().expect("a time");
    archive
        .write(vec![ArchiveChange::Event { at, event }])
        .expect("written");
    yaml
}

#[test]
fn the_file_of_a_wrapper_that_is_gone_is_put_back() {
    let user = user();
    let verify =
        |args: &[&str]| user.run(&[&["archive", "verify", "--archive", "store"], args].concat());
    let yaml = active_wrapper(&user, "news.example");
    let file = "news.example.yaml";
    verify(&[]).ends(1, &[file, "not there", "--rebuild"]);
    verify(&["--rebuild"]).ends(0, &[file, "put back", "all is well"]);
    assert_eq!(user.read(&format!("store/sites/{file}")), yaml);
    verify(&[]).ends(0, &["all is well"]);
    user.put(&format!("store/sites/{file}"), "format: 1\nsitse: x\n");
    verify(&[]).ends(1, &[file, "sitse", "mend it"]);
}

#[test]
fn one_broken_wrapper_does_not_keep_the_others_from_being_applied() {
    let user = user();
    let reextract =
        |args: &[&str]| user.run(&[&["archive", "reextract", "--archive", "store"], args].concat());
    active_wrapper(&user, "news.example");
    user.put("store/sites/blatt.example.yaml", "format: 1\nsitse: x\n");
    let yaml = "format: 1\nsite: news.example\ntemplates:\n- body: ['//p']\n";
    user.put("store/sites/news.example.yaml", yaml);
    reextract(&[]).ends(
        3,
        &["blatt.example.yaml", "sitse", "1 wrapper newly active"],
    );
    reextract(&["--site", "none.example"])
        .ends(1, &["no articles of none.example", "news.example"]);
}

#[test]
fn a_backup_within_the_archive_is_refused() {
    let user = user();
    for to in ["store", "store/copy", "store/warc", "./store/../store/a/b"] {
        user.run(&["archive", "backup", "--archive", "store", to])
            .ends(2, &["archive"]);
    }
    assert!(!user.path("store/copy").exists() && !user.path("store/a").exists());
    user.run(&["archive", "backup", "--archive", "store", "store-copy"])
        .ends(0, &[]);
}

#[test]
fn a_cause_is_reported_once() {
    let user = User::new();
    user.put("file", "");
    let applied = user.run(&["apply", "file", "--archive", "file/store"]);
    assert_eq!(
        applied.ends(2, &[]).err.matches("os error").count(),
        1,
        "{}",
        applied.err
    );
}
