//! Pages that a person saves: articles of the feed "Saved", with and without a harvest.

use super::library::{articles, server_of};
use super::{Answer, Running};
use crate::harvest_cli::site::{Running as Harvesting, Site, User};
use std::io::Read;

const SAVED: &str = "/reader?feed=forest%3Asaved&show=all";

fn save(server: &Running, url: &str, title: &str) -> Answer {
    let token = server.token();
    let fields = [("token", token.as_str()), ("url", url), ("title", title)];
    server.send_form("/save", &fields)
}

/// An archive with a feed of one story.
fn archive() -> (Site, User) {
    let (site, user) = (Site::new(1), User::new());
    user.add(&site).ends(0, &[]);
    user.round(3, &[]).ends(0, &["1 new article"]);
    (site, user)
}

#[test]
fn a_saved_page_is_an_article_of_its_own_feed() {
    let (site, user) = archive();
    let server = server_of(&user);
    let page = |n: usize| format!("http://{}/story/{n}", site.host);
    let asked = server.own(&format!("/save?url={}&title=A+%3Cb%3Estory", page(7)));
    let text = asked.text();
    assert!(text.contains(&format!("value=\"{}\"", page(7))), "{text}");
    assert!(text.contains("A &lt;b&gt;story"), "{text}");
    // A bookmark opens it from any page.
    let host = format!("Host: {}", server.address);
    let from_page = [
        &*host,
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Mode: navigate",
        "Sec-Fetch-Dest: document",
    ];
    assert_eq!(server.ask("GET /save?url=x", &from_page).status, 200);
    let saved = save(&server, &page(7), "A story");
    assert!(saved.text().contains("No harvest runs"), "{}", saved.text());
    assert!(
        save(&server, &page(8), "")
            .text()
            .contains("Its article will stand in")
    );
    user.round(4, &[]).ends(0, &["2 new articles"]);
    let list = server.own(SAVED);
    assert_eq!(articles(&list).len(), 2);
    assert!(list.text().contains(">Saved</h1>") && list.text().contains("Story 7"));
    // A page that is saved again is unread again.
    let unread = || articles(&server.own("/reader?feed=forest%3Asaved"));
    let (token, id) = (
        server.token(),
        articles(&list)[0].trim_start_matches("/reader/").to_owned(),
    );
    let read = [
        ("token", &*token),
        ("id", &id),
        ("back", "reader"),
        ("mark", "read"),
        ("on", "true"),
    ];
    assert_eq!(server.send_form("/reader/mark", &read).status, 303);
    assert_eq!(unread().len(), 1);
    for n in [7, 8] {
        save(&server, &page(n), "");
    }
    assert_eq!(unread().len(), 2);
    // It is there once more in a feed that reads it, too, and its text in that of "Saved".
    let feeds = server.own("/archive").text();
    assert!(feeds.contains("pages that you saved"), "{feeds}");
    let (_, row) = feeds.split_once("pages that you saved").expect("a row");
    let (_, feed) = row.split_once("href=\"feed/").expect("an address");
    let feed = feed.split('"').next().expect("its end");
    let feed = server.own(&format!("/feed/{feed}")).text();
    assert!(
        feed.contains("number7") && feed.contains("number8"),
        "{feed}"
    );
    let exported = server.own("/opml?addresses=own").text();
    assert!(exported.contains(&site.feed()) && !exported.contains("forest:saved"));
    let own = server.own("/archive/feed?url=forest%3Asaved").text();
    assert!(own.contains("Stored") && !own.contains("Asked next") && !own.contains("Refresh now"));
    // Nobody polls it, a second save is no second article, and the tables can be made again.
    save(&server, &page(7), "A story");
    site.take_requests();
    user.round(9, &["--now"]).ends(0, &["0 new articles"]);
    assert!(
        server
            .own("/archive")
            .text()
            .contains("pages that you saved")
    );
    let asked = site.take_requests();
    assert!(asked.contains(&"story/7".to_owned()), "{asked:?}");
    drop(server);
    std::fs::remove_file(user.store().join("archive.sqlite")).expect("removed");
    user.run(&["archive", "verify", "--archive", "store"])
        .ends(0, &[]);
    let server = server_of(&user);
    assert_eq!(articles(&server.own(SAVED)).len(), 2);
    // Forgotten pages stay so.
    user.run(&["archive", "forget", "--archive", "store", &page(7)])
        .ends(0, &[]);
    let refused = save(&server, &page(7), "");
    assert_eq!(refused.status, 400);
    assert!(
        refused.text().contains("was forgotten"),
        "{}",
        refused.text()
    );
}

#[test]
fn a_saved_page_may_be_private_where_typed_addresses_may() {
    let (_site, user) = archive();
    let (other, server) = (Site::new(0), server_of(&user));
    save(&server, &format!("http://{}/story/5", other.host), "");
    user.round(4, &[]).ends(0, &["1 new article"]);
    assert_eq!(articles(&server.own(SAVED)).len(), 1);
    assert!(other.take_requests().contains(&"story/5".to_owned()));
    // Its site has no feed.
    let site = server.own(&format!("/sites/{}", other.host)).text();
    assert!(!site.contains("forest:saved"), "{site}");
}

#[test]
fn a_page_is_saved_beside_a_harvest() {
    let (site, user) = archive();
    let harvest = Harvesting::new(&user, &["--serve", "127.0.0.1:0", "-v"]);
    harvest.wait_for("pages at http://");
    let server = server_of(&user);
    let page = format!("http://{}/story/9", site.host);
    let saved = save(&server, &page, "").text();
    assert!(!saved.contains("No harvest runs"), "{saved}");
    harvest.wait_for("story/9: stored");
    assert_eq!(articles(&server.own(SAVED)).len(), 1);
}

/// Sends the form with a page as a browser sends it.
fn save_shown(server: &Running, url: &str, html: &str) -> Answer {
    let (token, title) = (server.token(), "As shown");
    let fields = [
        ("token", token.as_str()),
        ("url", url),
        ("title", title),
        ("page", html),
    ];
    let part = |(name, value): &(&str, &str)| {
        format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let body: String = fields.iter().map(part).collect();
    let lines = [
        format!("Host: {}", server.address),
        format!("Origin: http://{}", server.address),
        "Content-Type: multipart/form-data; boundary=x".to_owned(),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    server.ask_with("POST /save", &lines, format!("{body}--x--\r\n").as_bytes())
}

/// A page that only a browser with a login shows.
fn shown() -> String {
    let words = crate::story::paragraphs("", 4);
    let words: String = words
        .iter()
        .map(|text| format!("<p>{text}</p>\r\n"))
        .collect();
    format!(
        "<html><head><title>As shown</title><script>evil()</script></head><body><h1>As shown</h1>\
         <div class=story>{words}<p>Only members read of the walrus in the harbour, which came on Monday.</p>\
         </div></body></html>"
    )
}

/// All records of the archive, as they stand in its files.
fn records(user: &User) -> String {
    let mut text = String::new();
    let mut folders = vec![user.store()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "gz") {
                let file = std::fs::File::open(path).expect("a file");
                let mut bytes = Vec::new();
                flate2::read::MultiGzDecoder::new(file)
                    .read_to_end(&mut bytes)
                    .expect("gzip");
                text.push_str(&String::from_utf8_lossy(&bytes));
            }
        }
    }
    text
}

#[test]
fn a_page_is_saved_as_the_browser_shows_it_and_not_asked_for() {
    let (site, user) = archive();
    let server = server_of(&user);
    let page = format!("http://{}/members/7", site.host);
    let asked = server.own(&format!("/save?from=page&url={page}"));
    assert_eq!(
        asked.header("cross-origin-opener-policy"),
        Some("unsafe-none")
    );
    assert!(
        asked.text().contains("Only the address"),
        "{}",
        asked.text()
    );
    let plain = server.own("/save?url=x");
    assert_eq!(
        plain.header("cross-origin-opener-policy"),
        Some("same-origin")
    );
    site.take_requests();
    let saved = save_shown(&server, &page, &shown()).text();
    assert!(
        saved.contains("as your browser showed it") && saved.contains("No harvest runs"),
        "{saved}"
    );
    user.round(4, &[]).ends(0, &["1 new article"]);
    let list = server.own(SAVED);
    let found = articles(&list);
    assert_eq!(found.len(), 1, "{}", list.text());
    let article = server.own(&found[0]).text();
    assert!(
        article.contains("walrus") && !article.contains("evil()"),
        "{article}"
    );
    // As archived, it is a page of others.
    let archived = server.own(&format!("{}/page", found[0]));
    let policy = archived.header("content-security-policy").expect("one");
    assert!(
        policy.starts_with("sandbox; default-src 'none'"),
        "{policy}"
    );
    assert!(archived.text().contains("walrus"));
    // Its record says where it comes from, and the server is not asked, now or later.
    let records = records(&user);
    let (before, _) = records
        .split_once("Forest-Origin: browser")
        .expect("a field");
    let record = &before[before.rfind("WARC/1.1").expect("its begin")..];
    assert!(
        record.contains("WARC-Type: resource") && record.contains(&page),
        "{record}"
    );
    user.run(&["archive", "verify", "--archive", "store"])
        .ends(0, &[]);
    let later = |day: &str| user.run(&user.round_args(&format!("2100-{day}T12:00:00Z")));
    later("03-01");
    let asked = site.take_requests();
    assert!(
        !asked.iter().any(|path| path.contains("members")),
        "{asked:?}"
    );
    // The tables can be made again.
    drop(server);
    std::fs::remove_file(user.store().join("archive.sqlite")).expect("removed");
    user.run(&["archive", "verify", "--archive", "store"])
        .ends(0, &[]);
    let server = server_of(&user);
    assert!(
        server
            .own(&articles(&server.own(SAVED))[0])
            .text()
            .contains("walrus")
    );
    later("06-01");
    assert!(
        !site
            .take_requests()
            .iter()
            .any(|path| path.contains("members"))
    );
    user.run(&["archive", "forget", "--archive", "store", &page])
        .ends(0, &[]);
    let refused = save_shown(&server, &page, &shown());
    assert!(refused.status == 400 && refused.text().contains("was forgotten"));
}

#[test]
fn a_page_as_shown_is_taken_by_the_harvest_that_runs() {
    let (site, user) = archive();
    let harvest = Harvesting::new(&user, &["--serve", "127.0.0.1:0", "-v"]);
    harvest.wait_for("pages at http://");
    let server = server_of(&user);
    let page = format!("http://{}/members/9", site.host);
    let saved = save_shown(&server, &page, &shown()).text();
    assert!(!saved.contains("No harvest runs"), "{saved}");
    harvest.wait_for("members/9: stored");
    let found = articles(&server.own(SAVED));
    assert!(server.own(&found[0]).text().contains("walrus"));
    harvest.ends("");
}

#[test]
fn a_page_as_shown_is_kept_though_it_was_visited_since() {
    let (site, user) = archive();
    let server = server_of(&user);
    // The harvest's clock is ahead: the story was visited after the page was saved.
    let story = format!("http://{}/story/1", site.host);
    let saved = save_shown(&server, &story, &shown()).text();
    assert!(saved.contains("as your browser showed it"), "{saved}");
    user.round(4, &[]).ends(0, &[]);
    let found = articles(&server.own(SAVED));
    let article = server.own(&found[0]).text();
    assert!(article.contains("walrus"), "{article}");
    // It is stored once.
    user.round(5, &[]).ends(0, &[]);
    let records = records(&user);
    assert_eq!(records.matches("Forest-Origin: browser").count(), 1);
    user.run(&["archive", "verify", "--archive", "store"])
        .ends(0, &[]);
}

#[test]
fn pages_as_shown_are_bounded() {
    let (_site, user) = archive();
    let server = server_of(&user);
    let too_large = save_shown(&server, "http://a.example/", &"x".repeat(8_000_001));
    assert_eq!(too_large.status, 400);
    assert!(too_large.text().contains("more than 8 MB"));
    let far_too_large = save_shown(&server, "http://a.example/", &"x".repeat(10_100_000));
    assert_eq!(far_too_large.status, 413);
    for n in 0..50 {
        let page = format!("http://a.example/{n}");
        assert_eq!(save_shown(&server, &page, "<p>x</p>").status, 200, "{n}");
    }
    let more = save_shown(&server, "http://a.example/50", "<p>x</p>");
    assert!(
        more.status == 400 && more.text().contains("50 pages wait"),
        "{}",
        more.text()
    );
    // Those that are fetched wait elsewhere.
    assert_eq!(save(&server, "http://a.example/51", "").status, 200);
}

#[test]
fn what_is_no_page_of_the_web_is_not_saved() {
    let (_site, user) = archive();
    let server = server_of(&user);
    for odd in [
        "",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "http://",
        "ftp://a.example/",
    ] {
        let refused = save(&server, odd, "");
        assert_eq!(refused.status, 400, "{odd}");
        assert!(refused.text().contains("no page of the web"), "{odd}");
    }
    assert!(articles(&server.own("/reader?show=all")).len() == 1);
    let without_token = server.send_form("/save", &[("url", "http://a.example/")]);
    assert_eq!(without_token.status, 403);
    assert_eq!(server_without_archive().own("/save").status, 200);
}

fn server_without_archive() -> Running {
    let pages = forest_serve::FilterPages::new(super::options()).expect("pages");
    Running::of(&pages, forest_serve::FilterPages::server)
}
