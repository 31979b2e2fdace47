//! The pages of feeds: the list with its box, and a page a feed that changes it.

use super::archive::served;
use super::library::server_of;
use super::{Answer, Running};
use crate::harvest_cli::site::{Site, User};
use forest_archive::{Archive, UrgentRequest};

fn coded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

fn page_of(server: &Running, feed: &str) -> Answer {
    server.own(&format!("/archive/feed?url={}", coded(feed)))
}

/// Sends a form of a feed's page.
fn send(server: &Running, path: &str, feed: &str, fields: &[(&str, &str)]) -> Answer {
    let token = server.token();
    let own = [("token", &*token), ("url", feed)];
    server.send_form(path, &[&own[..], fields].concat())
}

/// The row of the one feed, as the command shows it.
fn row(user: &User) -> serde_json::Value {
    let listed = user.run(&["harvest", "list", "--json", "--archive", "store"]);
    listed.ends(0, &[]).records().pop().unwrap_or_default()
}

#[test]
fn a_feed_has_a_page_with_its_state_and_addresses() {
    let (site, _user, server) = served();
    let feed = site.feed();
    let list = server.own("/archive").text();
    let link = format!("href=\"archive/feed?url={}\"", coded(&feed));
    assert!(list.contains(&link), "{list}");
    let page = page_of(&server, &feed).text();
    for part in [
        "<h1 dir=\"auto\">The Gazette</h1>",
        "Failures in a row",
        "3 items, 3 pages, 3 articles",
        ".atom\"",
        "Refresh now",
        "href=\"../sites/127.0.0.1",
        &feed,
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    for unknown in ["", "http://nowhere.example/feed", "%00"] {
        assert_eq!(page_of(&server, unknown).status, 404, "{unknown}");
    }
}

#[test]
fn a_feed_is_renamed_moved_and_given_rules() {
    let (site, user, server) = served();
    let feed = site.feed();
    let save = |fields: &[(&str, &str)]| send(&server, "/archive/feed", &feed, fields);
    let hostile = "\"><script>alert(1)</script>";
    let listing = [
        ("action", "list"),
        ("title", hostile),
        ("folders", "News/Sea\r\nAll"),
    ];
    let saved = save(&listing);
    assert_eq!(saved.status, 200);
    assert!(saved.text().contains("Saved.") && !saved.text().contains("<script>alert"));
    assert_eq!(row(&user)["listed_title"], hostile);
    assert_eq!(
        row(&user)["folders"],
        serde_json::json!([["News", "Sea"], ["All"]])
    );
    for path in ["/archive", "/reader"] {
        let page = server.own(path).text();
        assert!(
            page.contains("News/Sea") && !page.contains("<script>alert"),
            "{page}"
        );
    }
    let rules = [
        ("action", "rules"),
        ("titles", "sponsored"),
        ("addresses", "/video/"),
        ("section", "/news/"),
        ("least_words", "80"),
        ("image_budget", "50"),
    ];
    save(&rules);
    let expected = serde_json::json!({
        "titles": ["sponsored"], "addresses": ["/video/"], "section": "/news/", "least_words": 80,
        "image_budget_mb": 50,
    });
    assert_eq!(row(&user)["rules"], expected);
    for page in [server.own("/archive"), page_of(&server, &feed)] {
        assert!(page.text().contains("at most 50 MB"), "{}", page.text());
    }
    // A wrong field stays as it was typed, beside its fault, and changes nothing.
    let wrong = save(&[
        ("action", "rules"),
        ("titles", "kept"),
        ("least_words", "many"),
    ]);
    let text = wrong.text();
    assert_eq!(wrong.status, 400);
    assert!(
        text.contains("value=\"many\"") && text.contains(">kept</textarea>"),
        "{text}"
    );
    assert!(text.contains("id=\"least_words-fault\""), "{text}");
    assert_eq!(row(&user)["rules"], expected);
    save(&[("action", "rules")]);
    save(&[("action", "list")]);
    let plain = row(&user);
    for gone in ["rules", "listed_title", "folders"] {
        assert_eq!(plain[gone], serde_json::Value::Null, "{gone}");
    }
    assert_eq!(save(&[("action", "other")]).status, 404);
}

#[test]
fn a_feed_rests_goes_on_and_is_read_now() {
    let (site, user, server) = served();
    let press = |action: &str| {
        let pressed = send(
            &server,
            "/archive/feed",
            &site.feed(),
            &[("action", action)],
        );
        pressed.text()
    };
    let paused = press("pause");
    assert!(
        paused.contains("Resume") && paused.contains("It rests"),
        "{paused}"
    );
    assert_eq!(row(&user)["state"], "paused");
    assert!(press("resume").contains("Refresh now"));
    assert_eq!(row(&user)["state"], "active");
    site.set(|show| show.items.push(4));
    user.round(3, &[]).ends(0, &["0 feeds polled"]);
    assert!(press("poll").contains("No harvest runs: the next one reads the feed"));
    user.round(3, &[]).ends(0, &["1 feed polled, 1 new item"]);
}

#[test]
fn a_feed_is_removed_after_a_question_and_its_articles_stay() {
    let (site, user, server) = served();
    let feed = site.feed();
    let asks = server.own(&format!("/archive/feed/remove?url={}", coded(&feed)));
    assert!(
        asks.text().contains("(3 articles) stays"),
        "{}",
        asks.text()
    );
    assert_eq!(row(&user)["state"], "active", "a GET removes nothing");
    let removed = send(&server, "/archive/feed/remove", &feed, &[]);
    assert!(removed.text().contains("is removed"), "{}", removed.text());
    assert_eq!(row(&user), serde_json::Value::Null);
    assert_eq!(page_of(&server, &feed).status, 404);
    assert_eq!(
        send(&server, "/archive/feed/remove", &feed, &[]).status,
        404
    );
    assert_eq!(super::library::articles(&server.own("/reader")).len(), 3);
}

#[test]
fn beside_a_harvest_the_forms_leave_requests() {
    let (site, user, server) = served();
    let feed = site.feed();
    let options = forest_harvest::archive_options();
    let mut harvest = Archive::open(&user.store(), options).expect("it opens");
    let listing = [("action", "list"), ("title", "Mine"), ("folders", "News")];
    let saved = send(&server, "/archive/feed", &feed, &listing).text();
    assert!(
        saved.contains("takes it over") && saved.contains("value=\"Mine\""),
        "{saved}"
    );
    assert_eq!(row(&user)["listed_title"], serde_json::Value::Null);
    let now = send(&server, "/archive/feed", &feed, &[("action", "poll")]).text();
    assert!(now.contains("reads the feed now"), "{now}");
    let taken = harvest.take_requests().expect("taken");
    assert_eq!(taken.urgent, [UrgentRequest::Poll(vec![feed.clone()])]);
    assert_eq!(row(&user)["listed_title"], "Mine");
    let removed = send(&server, "/archive/feed/remove", &feed, &[]).text();
    assert!(removed.contains("takes it over"), "{removed}");
    harvest.take_requests().expect("taken");
    assert_eq!(row(&user), serde_json::Value::Null);
}

#[test]
fn what_is_no_form_of_ours_changes_no_feed() {
    let (site, user, server) = served();
    let feed = site.feed();
    let fields = [("token", "x"), ("url", &*feed), ("action", "pause")];
    for path in ["/archive/feed", "/archive/feed/remove"] {
        assert_eq!(server.send_form(path, &fields).status, 403, "{path}");
        let host = format!("Host: {}", server.address);
        let kind = "Content-Type: application/x-www-form-urlencoded";
        let body = format!("token={}&action=pause&url={}", server.token(), coded(&feed));
        for origin in ["Origin: http://evil.example", "X: y"] {
            let post = format!("POST {path}");
            let answer = server.ask_with(&post, &[&host, kind, origin], body.as_bytes());
            assert_eq!(answer.status, 403, "{path} {origin}");
        }
        let get = format!("GET {path}?url={}", coded(&feed));
        let foreign = server.ask(&get, &[&host, "Sec-Fetch-Site: cross-site"]);
        assert_eq!(foreign.status, 403, "{path}");
    }
    assert_eq!(row(&user)["state"], "active");
}

#[test]
fn a_feed_whose_pages_are_refused_says_so() {
    let (site, user) = (Site::new(0), User::new());
    let item =
        |n| format!("<item><title>Refused {n}</title><link>http://HOST/refused/{n}</link></item>");
    site.set(|show| show.more = [item(1), item(2)].concat());
    user.add(&site).ends(0, &["2 items"]);
    user.round(3, &[]);
    let server = server_of(&user);
    let words = "its pages cannot be read: status 403 on 2 of 2";
    let list = server.own("/archive").text();
    assert!(list.contains(words), "{list}");
    let page = page_of(&server, &site.feed()).text();
    assert!(
        page.contains(words) && page.contains("The site refuses"),
        "{page}"
    );
}

#[test]
fn lists_of_feeds_and_sites_are_narrowed() {
    let (one, other, user) = (Site::new(1), Site::new(1), User::new());
    let long = "Long".repeat(250);
    let list = format!(
        "<opml version='2.0'><body><outline text='Islands'><outline text='{long}' xmlUrl='{}'/></outline>\
         <outline text='Mainland news' xmlUrl='{}'/></body></opml>",
        one.feed(),
        other.feed()
    );
    std::fs::write(user.path("list.opml"), list).expect("written");
    user.add_all(&["list.opml"]).ends(0, &[]);
    user.round(3, &[]).ends(0, &[]);
    let server = server_of(&user);
    let shown = |query: &str| {
        let page = server.own(&format!("/archive?q={query}")).text();
        let has = |feed: String| page.contains(&format!("feed?url={}", coded(&feed)));
        (has(one.feed()), has(other.feed()))
    };
    assert_eq!(shown(""), (true, true));
    assert_eq!(shown("islands"), (true, false));
    assert_eq!(shown("NEWS+mainland"), (false, true));
    assert_eq!(shown(&coded(&one.feed())), (true, false));
    assert_eq!(shown("nothing"), (false, false));
    let none = server.own("/archive?q=%3Cb%3E").text();
    assert!(none.contains("No feed has these words") && none.contains("Show 2 feeds"));
    assert!(none.contains("value=\"&lt;b&gt;\""), "{none}");
    // A long title is cut in the list, and whole on the feed's page.
    assert!(!server.own("/archive").text().contains(&long));
    assert!(page_of(&server, &one.feed()).text().contains(&long));
    let sites = |query: &str| server.own(&format!("/sites?q={query}")).text();
    assert!(sites(&coded(&one.host)).contains(&format!("sites/{}", one.host)));
    assert!(!sites(&coded(&one.host)).contains(&format!("sites/{}", other.host)));
    assert!(sites("nothing").contains("No site has these words"));
}
