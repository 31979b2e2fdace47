//! The feeds of an archive.

use super::proxy_of;
use super::{Running, options};
use crate::harvest_cli::site::{Site, User};
use forest_core::feed::{parse, parse_opml};
use forest_serve::FilterPages;

/// A user with a harvested feed of three stories, and the server of the archive.
pub fn served() -> (Site, User, Running) {
    let (site, user) = (Site::new(3), User::new());
    user.add(&site).ends(0, &["3 items"]);
    user.round(3, &[]).ends(0, &["3 new articles"]);
    let pages = FilterPages::new(options().with_archive(user.store())).expect("pages");
    let server = Running::of(&pages, FilterPages::server);
    (site, user, server)
}

/// The addresses of the one feed as Atom, RSS and JSON Feed, from the page that lists it.
fn addresses(server: &Running) -> [String; 3] {
    let page = server.own("/archive").text();
    ["atom", "rss", "json"].map(|ending| {
        let (before, _) = page
            .split_once(&format!(".{ending}\""))
            .unwrap_or_else(|| panic!("{page}"));
        let id = before.rsplit("href=\"").next().expect("an address");
        format!("/{id}.{ending}")
    })
}

fn conditional(server: &Running, line: &str, condition: &str) -> (u16, Vec<u8>) {
    let host = format!("Host: {}", server.address);
    let answer = server.ask(line, &[&host, condition]);
    (answer.status, answer.body)
}

#[test]
fn a_feed_is_served_as_the_command_writes_it() {
    let (site, user, server) = served();
    let kinds = [
        "application/atom+xml",
        "application/rss+xml",
        "application/feed+json",
    ];
    let formats = ["atom", "rss", "json"];
    for ((address, kind), format) in addresses(&server).iter().zip(kinds).zip(formats) {
        let args = [
            "feed",
            "--archive",
            "store",
            &site.feed(),
            "--format",
            format,
        ];
        let written = user.run(&args).ends(0, &[]).out.clone();
        let answer = server.own(address);
        assert_eq!((answer.status, answer.text()), (200, written));
        let served = answer.header("content-type").expect("one");
        assert_eq!(served, format!("{kind}; charset=utf-8"));
        let feed = parse(&answer.body, None, None).expect("a feed");
        assert_eq!(feed.items.len(), 3);
        let host = format!("Host: {}", server.address);
        let head = server.ask(&format!("HEAD {address}"), &[&host]);
        assert_eq!((head.status, head.body.len()), (200, 0));
        for name in ["etag", "last-modified", "content-type", "content-length"] {
            assert_eq!(head.header(name), answer.header(name), "{name}");
            assert!(head.header(name).is_some(), "{name}");
        }
    }
    for unknown in ["/feed/0000000000000000.atom", "/feed/x", "/feed/..%2fx.rss"] {
        assert_eq!(server.own(unknown).status, 404, "{unknown}");
    }
}

#[test]
fn a_feed_that_the_reader_has_is_not_sent_again() {
    let (site, user, server) = served();
    let [address, ..] = addresses(&server);
    let get = format!("GET {address}");
    let first = server.own(&address);
    let tag = first.header("etag").expect("one").to_owned();
    let date = first.header("last-modified").expect("one").to_owned();
    let tagged = format!("If-None-Match: \"x\", {tag}");
    let since = format!("If-Modified-Since: {date}");
    for known in [&tagged, &since] {
        assert_eq!(conditional(&server, &get, known), (304, Vec::new()));
    }
    let before = "If-Modified-Since: Sat, 01 Jan 2000 00:00:00 GMT";
    assert_eq!(conditional(&server, &get, before).0, 200);
    // A new article makes another feed, also for those that know its time alone.
    site.set(|show| show.items.push(4));
    user.run(&user.round_args("2100-02-02T00:00:00Z"))
        .ends(0, &["1 new article"]);
    for known in [&tagged, &since] {
        let (status, body) = conditional(&server, &get, known);
        assert_eq!(status, 200, "{known}");
        assert!(String::from_utf8_lossy(&body).contains("Story 4"));
    }
}

#[test]
fn all_feeds_stand_in_a_list_and_on_a_page() {
    let (site, user, server) = served();
    let list = server.own("/opml");
    let outlines = parse_opml(&list.body).expect("a list");
    let [outline] = &outlines[..] else {
        panic!("{}", list.text())
    };
    assert_eq!(outline.title, "The Gazette");
    let [atom, ..] = addresses(&server);
    let expected = format!("http://{}{atom}", server.address);
    assert_eq!(outline.xml_url.as_str(), expected);
    assert_eq!(conditional(&server, "GET /opml", "If-None-Match: *").0, 304);
    // For another program it has the feed's own address, as the command writes it.
    let exported = server.own("/opml?addresses=own");
    let written = user.run(&["harvest", "export", "--archive", "store"]);
    assert_eq!(exported.text(), written.ends(0, &[]).out);
    assert!(
        exported.text().contains(&site.feed()),
        "{}",
        exported.text()
    );
    // Behind a reverse proxy with TLS.
    for (proto, begins) in [
        ("https", "https://"),
        ("http", "http://"),
        ("gopher", "http://"),
    ] {
        let header = format!("X-Forwarded-Proto: {proto}");
        let (_, body) = conditional(&server, "GET /opml", &header);
        let outlines = parse_opml(&body).expect("a list");
        let all = outlines.iter().map(|outline| outline.xml_url.as_str());
        assert!(
            all.clone().all(|url| url.starts_with(begins)),
            "{proto}: {:?}",
            all.collect::<Vec<_>>()
        );
    }
    let page = server.own("/archive");
    let policy = page.header("content-security-policy").expect("one");
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    assert!(page.text().contains("href=\"opml\""));
    assert!(page.text().contains("The Gazette"));
    assert!(!page.text().contains(&site.feed()), "its title is enough");
    // Without an archive the page says how to serve one.
    let pages = FilterPages::new(options()).expect("pages");
    let without = Running::of(&pages, FilterPages::server);
    assert!(without.own("/archive").text().contains("--archive DIR"));
    assert_eq!(without.own("/opml").status, 404);
}

#[test]
fn a_page_of_another_site_reads_no_feed() {
    let (_site, _user, server) = served();
    let [address, ..] = addresses(&server);
    for path in [&*address, "/opml", "/archive"] {
        let get = format!("GET {path}");
        let status = |line: &str| conditional(&server, &get, line).0;
        assert_eq!(status("Sec-Fetch-Site: cross-site"), 403);
        assert_eq!(status("Sec-Fetch-Site: same-site"), 403);
        assert_eq!(status("Sec-Fetch-Site: none"), 200);
        let rebound = server.ask(&get, &["Host: evil.example"]);
        assert_eq!(rebound.status, 421);
        let host = format!("Host: {}", server.address);
        let deleted = server.ask(&format!("DELETE {path}"), &[&host]);
        assert_eq!(deleted.status, 405);
    }
    let pages = FilterPages::new(options()).expect("pages");
    let proxy = Running::of(&pages, proxy_of);
    assert_eq!(proxy.own("/archive").status, 200, "on this machine");
}

#[test]
fn each_described_path_answers_as_described() {
    let (_site, _user, server) = served();
    let answer = server.own("/api");
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let api: serde_json::Value = serde_json::from_slice(&answer.body).expect("JSON");
    assert_eq!(api["openapi"], "3.1.0");
    let [atom, ..] = addresses(&server);
    let file = atom.trim_start_matches("/feed/");
    let host = format!("Host: {}", server.address);
    let mut described = Vec::new();
    for (path, operations) in api["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            described.push(format!("{method} {path}"));
            let path = path.replace("{file}", file);
            let line = format!("{} {path}", method.to_uppercase());
            let answer = server.ask(&line, &[&host, "Content-Length: 0"]);
            let status = answer.status.to_string();
            let response = &operation["responses"][&status];
            assert!(response.is_object(), "{line}: {status} {}", answer.text());
            let kind = answer.header("content-type").expect("one");
            let kind = kind.split(';').next().expect("one");
            assert!(response["content"][kind].is_object(), "{line}: {kind}");
            let needs = operation["parameters"].as_array().expect("a list");
            let needs_query = needs.iter().any(|one| {
                assert!(one["name"].is_string() && one["schema"].is_object());
                one["in"] == "query" && one["required"] == true
            });
            let expected = match (needs_query, method.as_str()) {
                (true, _) => 400,
                (false, "post") => 415,
                (false, _) => 200,
            };
            assert_eq!(answer.status, expected, "{line}");
        }
    }
    let expected = [
        "get /archive",
        "get /feed/{file}",
        "get /opml",
        "get /extract",
        "post /extract",
        "get /makefulltextfeed",
        "get /api",
    ];
    assert_eq!(described, expected);
}
