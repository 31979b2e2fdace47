//! Pages that a person saves: articles of the feed "Saved", with and without a harvest.

use super::library::{articles, server_of};
use super::{Answer, Running};
use crate::harvest_cli::site::{Running as Harvesting, Site, User};

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
            .contains("Its article stands in")
    );
    user.round(4, &[]).ends(0, &["2 new articles"]);
    let list = server.own(SAVED);
    assert_eq!(articles(&list).len(), 2);
    assert!(list.text().contains(">Saved</h1>") && list.text().contains("Story 7"));
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
