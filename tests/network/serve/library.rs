//! The pages of an archive: reader, search, sites, and new feeds.

use super::archive::served;
use super::{Answer, Running, options};
use crate::harvest_cli::site::{Site, User};
use crate::loopback::Loopback;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use forest_serve::FilterPages;

/// The server of a user's archive.
pub fn server_of(user: &User) -> Running {
    let pages = FilterPages::new(options().with_archive(user.store())).expect("pages");
    Running::of(&pages, FilterPages::server)
}

/// The server of an archive with feeds, each with its title and the path of its folder.
pub fn in_folders(feeds: &[(&Site, &str, &[&str])]) -> (User, Running) {
    let user = User::new();
    let outline = |(site, title, folder): &(&Site, &str, &[&str])| {
        let feed = format!(
            "<outline type='rss' text='{title}' xmlUrl='{}'/>",
            site.feed()
        );
        let names = folder.iter().rev();
        names.fold(feed, |within, name| {
            format!("<outline text='{name}'>{within}</outline>")
        })
    };
    let outlines: String = feeds.iter().map(outline).collect();
    let list = format!("<opml version='2.0'><body>{outlines}</body></opml>");
    std::fs::write(user.path("list.opml"), list).expect("written");
    user.add_all(&["list.opml"]).ends(0, &[]);
    user.round(3, &[]).ends(0, &[]);
    let server = server_of(&user);
    (user, server)
}

/// The paths of the articles in a list.
pub fn articles(page: &Answer) -> Vec<String> {
    let page = page.text();
    let (_, entries) = page.split_once("<ul class=\"entries\"").expect("a list");
    let links = entries.split("href=\"reader/").skip(1);
    let ids = links.filter_map(|rest| rest.split(['"', '?']).next());
    ids.map(|id| format!("/reader/{id}")).collect()
}

fn mark(server: &Running, path: &str, mark: &str, on: &str) -> Answer {
    let id = path.trim_start_matches("/reader/");
    let token = server.token();
    let back = "reader?feed=&show=";
    let fields = [
        ("token", &*token),
        ("id", id),
        ("back", back),
        ("mark", mark),
        ("on", on),
    ];
    server.send_form("/reader/mark", &fields)
}

#[test]
fn articles_are_listed_and_read() {
    let (site, user, server) = served();
    let list = server.own("/reader");
    let found = articles(&list);
    assert_eq!((list.status, found.len()), (200, 3));
    let article = server.own(&found[0]).text();
    assert!(
        article.contains("<article") && article.contains("keeper"),
        "{article}"
    );
    assert!(article.contains("About "), "{article}");
    let feed = site.feed();
    let coded: String = url::form_urlencoded::byte_serialize(feed.as_bytes()).collect();
    // Both name their feed, and the way back leads to the place of the entry, where the next unread
    // one stands then.
    let named = format!("<a href=\"../reader?feed={coded}\"><bdi>The Gazette</bdi></a>");
    assert!(article.contains(&named), "{article}");
    assert!(list.text().contains("<bdi>The Gazette</bdi>"));
    let next = found[1].trim_start_matches("/reader/");
    assert!(
        article.contains(&format!("href=\"../reader#e{next}\"")),
        "{article}"
    );
    let id = found[0].trim_start_matches("/reader/");
    let of_all = server.own(&format!("{}?in=reader%3Fshow%3Dall", found[0]));
    assert!(
        of_all
            .text()
            .contains(&format!("href=\"../reader?show=all#e{id}\""))
    );
    assert!(list.text().contains(&format!(" id=\"e{id}\"")));
    // Who hears the buttons of a list hears of what they are.
    let told = format!("aria-describedby=\"t{id}\"");
    assert_eq!(list.text().matches(&told).count(), 3);
    assert!(
        list.text()
            .contains(&format!(" id=\"t{id}\" dir=\"auto\">"))
    );
    assert_eq!(
        articles(&server.own(&format!("/reader?feed={coded}"))).len(),
        3
    );
    assert!(articles(&server.own("/reader?feed=x")).is_empty());
    for gone in ["/reader/999", "/reader/x", "/reader/-1", "/reader/999/page"] {
        assert_eq!(server.own(gone).status, 404, "{gone}");
    }
    // Another version of an article has its changes.
    site.set(|show| show.edited.push(1));
    let page = format!("http://{}/story/1", site.host);
    let refetch = [
        "harvest",
        "refetch",
        "--archive",
        "store",
        "--delay",
        "0",
        "--allow-private",
    ];
    user.run(&[&refetch[..], &[&page]].concat()).ends(0, &[]);
    let edited = found.iter().map(|path| server.own(path).text());
    let edited: Vec<String> = edited.filter(|page| page.contains("2 versions")).collect();
    assert_eq!(edited.len(), 1);
    assert!(edited[0].contains("<ins>"), "{}", edited[0]);
}

#[test]
fn a_page_as_archived_runs_and_loads_nothing() {
    let (_site, _user, server) = served();
    let found = articles(&server.own("/reader"));
    let page = server.own(&format!("{}/page", found[0]));
    assert!(page.text().contains("All rights reserved"));
    assert!(
        page.text().contains("<style>:where(body)"),
        "a reading style"
    );
    let policy = page.header("content-security-policy").expect("one");
    assert!(
        policy.starts_with("sandbox; default-src 'none'"),
        "{policy}"
    );
    let beside = server.own(&format!("{}?beside=page", found[0])).text();
    assert!(beside.contains("<iframe sandbox "), "{beside}");
    assert!(beside.contains("in a reading style"), "{beside}");
    assert_eq!(server.own("/archive/resource/0.png").status, 404);
    assert_eq!(server.own("/archive/resource/..%2fmarks.json").status, 404);
}

#[test]
fn marks_are_set_by_forms_alone_and_are_in_a_backup() {
    let (_site, user, server) = served();
    let found = articles(&server.own("/reader?show=unread"));
    assert_eq!(found.len(), 3);
    let marked = mark(&server, &found[1], "read", "true");
    assert_eq!(marked.status, 303, "{}", marked.text());
    assert_eq!(marked.header("location"), Some("../reader?feed=&show="));
    assert_eq!(articles(&server.own("/reader?show=unread")).len(), 2);
    mark(&server, &found[2], "starred", "true");
    let starred = articles(&server.own("/reader?show=starred"));
    assert_eq!(starred, [found[2].clone()]);
    user.run(&["archive", "verify", "--archive", "store"])
        .ends(0, &[]);
    user.run(&["archive", "backup", "--archive", "store", "copy"])
        .ends(0, &[]);
    let marks = |folder: &str| std::fs::read(user.path(folder).join("marks.json")).expect("marks");
    assert_eq!(marks("copy"), marks("store"));
    mark(&server, &found[1], "read", "false");
    assert_eq!(articles(&server.own("/reader?show=unread")).len(), 3);
    // The script takes the entry as it is then.
    let id = found[1].trim_start_matches("/reader/");
    let token = server.token();
    let fields = [("token", &*token), ("id", id), ("back", "reader?feed=")];
    let sets = [("mark", "read"), ("on", "true")];
    let entry = server.send_form("/reader/mark?part=entry", &[&fields[..], &sets].concat());
    let text = entry.text();
    assert_eq!(entry.status, 200, "{text}");
    assert!(
        text.starts_with(&format!(
            "<li class=\"\" id=\"e{id}\"><h2><a href=\"reader/"
        )),
        "{text}"
    );
    assert!(text.contains("Mark as unread"), "{text}");
    let gone = [("id", "999"), ("token", &*token), ("back", "reader?feed=")];
    let gone = server.send_form("/reader/mark?part=entry", &[&gone[..], &sets].concat());
    assert_eq!(gone.status, 404);
}

#[test]
fn what_is_no_form_of_ours_changes_nothing() {
    let (_site, user, server) = served();
    let found = articles(&server.own("/reader"));
    let wrong = [
        ("token", "x"),
        ("id", "1"),
        ("mark", "read"),
        ("on", "true"),
    ];
    let site = server.own("/sites").text();
    let (_, site) = site.split_once("href=\"sites/").expect("a site");
    let site = format!("/sites/{}", site.split('"').next().expect("its end"));
    for path in ["/reader/mark", &site, "/add", "/add/x"] {
        assert_eq!(server.send_form(path, &wrong).status, 403, "{path}");
        let host = format!("Host: {}", server.address);
        let kind = "Content-Type: application/x-www-form-urlencoded";
        let post = format!("POST {path}");
        let body = format!("token={}&id=1&mark=read&on=true", server.token());
        for origin in ["Origin: http://evil.example", "Origin: null", "X: y"] {
            let answer = server.ask_with(&post, &[&host, kind, origin], body.as_bytes());
            assert_eq!(answer.status, 403, "{path} {origin}");
        }
        let rebound = server.ask_with(&post, &["Host: evil.example", kind], body.as_bytes());
        assert_eq!(rebound.status, 421);
    }
    for path in ["/reader", &found[0], "/search?q=x", "/sites", "/add"] {
        let get = format!("GET {path}");
        let host = format!("Host: {}", server.address);
        let foreign = server.ask(&get, &[&host, "Sec-Fetch-Site: cross-site"]);
        assert_eq!(foreign.status, 403, "{path}");
        assert_eq!(
            server.ask(&get, &["Host: evil.example"]).status,
            421,
            "{path}"
        );
    }
    assert!(!user.store().join("marks.json").exists());
    // A form leads to pages of ours alone.
    let token = server.token();
    for back in [
        "//evil.example",
        "http://evil.example/",
        "\r\nSet-Cookie: a=b",
        "ü",
    ] {
        let fields = [
            ("token", &*token),
            ("id", "1"),
            ("back", back),
            ("mark", "read"),
            ("on", "true"),
        ];
        let answer = server.send_form("/reader/mark", &fields);
        let location = answer.header("location").expect("one");
        assert!(location.starts_with("../"), "{location}");
        assert!(answer.header("set-cookie").is_none());
    }
}

#[test]
fn a_site_shows_its_state_and_is_changed_by_its_buttons() {
    let (site, user, server) = served();
    let list = server.own("/sites").text();
    assert!(list.contains("127.0.0.1"), "{list}");
    let (_, name) = list.split_once("href=\"sites/").expect("a site");
    let path = format!("/sites/{}", name.split('"').next().expect("its end"));
    let page = server.own(&path).text();
    assert!(
        page.contains("<svg") && page.contains("Learn again"),
        "{page}"
    );
    assert_eq!(server.own("/sites/nowhere.example").status, 404);
    let press = |action: &str, feed: &str| {
        let token = server.token();
        let fields = [("token", &*token), ("action", action), ("feed", feed)];
        server.send_form(&path, &fields).text()
    };
    assert!(press("roll-back", "").contains("there is no earlier wrapper"));
    assert!(!server.own(&path).text().contains("Roll back"));
    // Whatever the present one finds: its newest pages are those that it was learned from.
    let learned = press("learn", "");
    assert!(
        learned.contains("the newest pages teach the same wrapper"),
        "{learned}"
    );
    assert!(press("pause", "http://a.example/").contains("no such feed"));
    let paused = press("pause", &site.feed());
    assert!(
        paused.contains("Done.") && paused.contains("Resume"),
        "{paused}"
    );
    let listed = user.run(&["harvest", "list", "--archive", "store"]);
    assert!(listed.out.starts_with("paused"), "{}", listed.out);
    assert!(press("resume", &site.feed()).contains("Pause"));
    // Without its file, the wrapper is learned again.
    let files = std::fs::read_dir(user.store().join("sites")).expect("a folder");
    for file in files {
        std::fs::remove_file(file.expect("an entry").path()).expect("removed");
    }
    let learned = press("learn", "");
    assert!(learned.contains("A new wrapper was learned"), "{learned}");
    assert_eq!(
        std::fs::read_dir(user.store().join("sites"))
            .expect("a folder")
            .count(),
        1
    );
}

#[test]
fn a_feed_is_shown_before_it_is_added() {
    let (_site, user, server) = served();
    let other = Site::new(4);
    // A page of the view leads here with its address.
    let asked = server.own("/add?url=http%3A%2F%2Fa.example%2F%22").text();
    assert!(
        asked.contains("value=\"http://a.example/&quot;\""),
        "{asked}"
    );
    let token = server.token();
    let begun = server.send_form(
        "/add",
        &[
            ("token", &token),
            ("url", &format!("http://{}/", other.host)),
        ],
    );
    let job = format!("/{}", begun.header("location").expect("one"));
    let begun = std::time::Instant::now();
    let page = loop {
        let page = server.own(&job).text();
        if !page.contains("http-equiv=\"refresh\"") {
            break page;
        }
        assert!(begun.elapsed().as_secs() < 60, "{page}");
        std::thread::yield_now();
    };
    assert!(
        page.contains("Story 1") && page.contains("keeper"),
        "{page}"
    );
    let list = || user.run(&["harvest", "list", "--archive", "store"]).out;
    assert!(!list().contains(&other.host), "{}", list());
    let adds = |budget: &str| {
        let fields = [("token", token.as_str()), ("image_budget", budget)];
        server.send_form(&job, &fields)
    };
    let wrong = adds("many");
    assert_eq!(wrong.status, 400);
    let text = wrong.text();
    assert!(
        text.contains("value=\"many\"") && text.contains("id=\"image_budget-fault\""),
        "{text}"
    );
    assert!(!list().contains(&other.host), "{}", list());
    assert_eq!(adds("20").status, 303);
    let rules = user.run(&["harvest", "rules", "--archive", "store", &other.feed()]);
    assert_eq!(
        rules.ends(0, &[]).records()[0]["rules"],
        serde_json::json!({"image_budget_mb": 20})
    );
    assert!(list().contains(&other.host), "{}", list());
    let page = server.own(&job).text();
    let (_, feed) = page.split_once("href=\"../feed/").expect("its address");
    let feed = format!("/feed/{}", feed.split('"').next().expect("its end"));
    assert_eq!(server.own(&feed).status, 200);
    for bad in ["", "javascript:alert(1)", "file:///etc/passwd"] {
        let answer = server.send_form("/add", &[("token", &token), ("url", bad)]);
        assert_eq!(answer.status, 400, "{bad}");
    }
}

#[test]
fn feeds_are_shown_by_their_folders() {
    let (one, other) = (Site::new(2), Site::new(3));
    let (_user, server) =
        in_folders(&[(&one, "One", &["News", "Islands"]), (&other, "Other", &[])]);
    let list = server.own("/reader");
    assert_eq!(articles(&list).len(), 5);
    assert!(
        list.text()
            .contains("href=\"reader?folder=News%2FIslands\""),
        "{}",
        list.text()
    );
    for (query, count) in [
        ("folder=News", 2),
        ("folder=News/Islands", 2),
        ("folder=Islands", 0),
        ("folder=", 5),
    ] {
        let page = server.own(&format!("/reader?{query}"));
        let count_of = if page.text().contains("href=\"reader/") {
            articles(&page).len()
        } else {
            0
        };
        assert_eq!(count_of, count, "{query}");
    }
    let coded: String = url::form_urlencoded::byte_serialize(other.feed().as_bytes()).collect();
    let none = server.own(&format!("/reader?folder=News&feed={coded}"));
    assert!(
        none.text().contains("There are no articles"),
        "{}",
        none.text()
    );
}

#[test]
fn an_article_is_saved_as_a_file() {
    let (_site, _user, server) = served();
    let found = articles(&server.own("/reader"));
    let page = server.own(&found[0]).text();
    let save = |ending: &str| server.own(&format!("{}/export?format={ending}", found[0]));
    for (ending, kind) in [
        ("md", "text/markdown; charset=utf-8"),
        ("txt", "text/plain; charset=utf-8"),
        ("html", "text/html; charset=utf-8"),
        ("json", "application/json"),
    ] {
        assert!(
            page.contains(&format!("/export?format={ending}&amp;version=1")),
            "{page}"
        );
        let answer = save(ending);
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (200, Some(kind))
        );
        assert!(answer.text().contains("keeper"), "{}", answer.text());
        let saved = answer.header("content-disposition").expect("one");
        assert!(
            saved.starts_with("attachment; filename=\"article-"),
            "{saved}"
        );
        assert!(saved.ends_with(&format!(".{ending}\"")), "{saved}");
        let policy = answer.header("content-security-policy").expect("one");
        assert_eq!(policy, "sandbox; default-src 'none'");
    }
    let record: serde_json::Value = serde_json::from_slice(&save("json").body).expect("JSON");
    assert!(record["text"].as_str().expect("a text").contains("keeper"));
    assert_eq!(save("pdf").status, 404);
    assert_eq!(server.own("/reader/x/export?format=md").status, 404);
    assert_eq!(
        server
            .own(&format!("{}/export?format=md&version=9", found[0]))
            .status,
        404
    );
}

/// A home page without a feed, which lists articles.
async fn listing_page() -> Response {
    let items = (1..=12).map(|n| {
        format!(
            "<article class=card><h2><a href='/story/{n}'>The ferry number {n} leaves the harbour at dawn</a></h2>\
             <p class=by>By Ann Keeper</p><time datetime='2026-01-{n:02}'>{n} January 2026</time>\
             <p>The harbour master says that ferry {n} leaves an hour later.</p></article>"
        )
    });
    let page = format!(
        "<!DOCTYPE html><html lang=en><title>The Gazette</title><body><ul class=menu><li><a href=/>Home</a>\
         <li><a href=/about>About</a></ul><main>{}</main></body></html>",
        items.collect::<String>()
    );
    ([(header::CONTENT_TYPE, "text/html")], page).into_response()
}

async fn listed_story(axum::extract::Path(n): axum::extract::Path<usize>) -> Response {
    (
        [(header::CONTENT_TYPE, "text/html")],
        super::extract::story(n),
    )
        .into_response()
}

#[test]
fn a_page_without_a_feed_offers_its_list() {
    let site = Loopback::of(|_| {
        axum::Router::new()
            .route("/", get(listing_page))
            .route("/story/{n}", get(listed_story))
    });
    let (_first, user, server) = served();
    let token = server.token();
    let home = format!("http://{}/", site.address);
    let begun = server.send_form("/add", &[("token", &token), ("url", &home)]);
    let job = format!("/{}", begun.header("location").expect("one"));
    let mut page = server.own(&job).text();
    while page.contains("http-equiv=\"refresh\"") {
        page = server.own(&job).text();
    }
    assert!(page.contains("The page lists 12 articles"), "{page}");
    assert!(
        page.contains("Story 1") && page.contains("Add the feed"),
        "{page}"
    );
    assert_eq!(server.send_form(&job, &[("token", &token)]).status, 303);
    let list = user.run(&["harvest", "list", "--archive", "store"]).out;
    assert!(list.contains(&home), "{list}");
    let name = site.address.to_string();
    let lists = std::fs::read_dir(user.store().join("sites")).expect("a folder");
    let files: Vec<String> = lists
        .map(|file| {
            file.expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    assert!(
        files.iter().any(|file| file.ends_with(".list.yaml")),
        "{name}: {files:?}"
    );
}

#[test]
fn private_addresses_are_not_looked_at_for_a_feed() {
    let (site, user) = (Site::new(1), User::new());
    user.add(&site).ends(0, &[]);
    site.take_requests();
    let options = options()
        .with_archive(user.store())
        .with_allow_private(false);
    let pages = FilterPages::new(options).expect("pages");
    let server = Running::of(&pages, FilterPages::server);
    let token = server.token();
    let begun = server.send_form("/add", &[("token", &token), ("url", &site.feed())]);
    let job = format!("/{}", begun.header("location").expect("one"));
    while server.own(&job).text().contains("http-equiv=\"refresh\"") {
        std::thread::yield_now();
    }
    assert!(server.own(&job).text().contains("It does not work"));
    assert_eq!(site.take_requests(), Vec::<String>::new());
}

#[test]
fn a_reader_without_articles_says_why() {
    let (site, user) = (Site::new(3), User::new());
    let open = || forest_archive::Archive::open(&user.store(), forest_harvest::archive_options());
    drop(open().expect("made"));
    let server = server_of(&user);
    let check = |query: &str, why: &str, goes_on: bool| {
        let page = server.own(&format!("/reader{query}")).text();
        assert!(page.contains(why), "{why}: {page}");
        assert_eq!(page.contains("data-goes-on"), goes_on, "{why}");
    };
    check("", "There are no feeds yet", false);
    let next = "forest harvest run --archive store --serve";
    user.add(&site).ends(0, &["archive: store", next]);
    let command = format!("forest harvest run --archive {}", user.store().display());
    check("", &command, false);
    check("?feed=x", "There are no articles here.", false);
    check("?show=starred", "Nothing is starred.", false);
    let harvest = open().expect("opened");
    check("", "A harvest runs", true);
    let add = user.add(&site);
    assert!(!add.err.contains("fetches the articles"), "{}", add.err);
    drop(harvest);
    check("", "No harvest runs", false);
}

#[cfg(unix)]
#[test]
fn a_harvest_serves_its_pages_and_figures() {
    use crate::harvest_cli::site::Running as Harvesting;
    let (site, user) = (Site::new(3), User::new());
    user.add(&site).ends(0, &[]);
    let refused = user.run(&[
        "harvest",
        "run",
        "--archive",
        "store",
        "--serve",
        "0.0.0.0:0",
    ]);
    refused.ends(2, &["--serve 0.0.0.0:0", "--password-file"]);
    let unserved = [
        "harvest",
        "run",
        "--archive",
        "store",
        "--host",
        "a.example",
    ];
    user.run(&unserved)
        .ends(2, &["--serve, which is not given"]);
    let harvest = Harvesting::new(&user, &["--serve", "127.0.0.1:0", "-v"]);
    let line = harvest.wait_for("pages at http://");
    let (_, at) = line.split_once("http://").expect("an address");
    let at: std::net::SocketAddr = at.trim_end_matches("/reader").parse().expect("an address");
    harvest.wait_for("wrapper learned");
    let host = format!("Host: {at}");
    let get = |path: &str| super::Client::to(at).ask(&format!("GET {path}"), &[&host], b"");
    assert_eq!(articles(&get("/reader")).len(), 3);
    assert!(get("/metrics").text().contains("# HELP"));
    // A change goes through the inbox of the harvest.
    let token = get("/filter").text();
    let (_, token) = token
        .split_once("name=\"token\" value=\"")
        .expect("a token");
    let token = token.split('"').next().expect("its end");
    let feed: String = url::form_urlencoded::byte_serialize(site.feed().as_bytes()).collect();
    let body = format!("token={token}&action=pause&feed={feed}");
    let origin = format!("Origin: http://{at}");
    let kind = "Content-Type: application/x-www-form-urlencoded";
    let line = format!("POST /sites/{}", site.host);
    let post = |line: &str, body: &str| {
        super::Client::to(at).ask(line, &[&host, &origin, kind], body.as_bytes())
    };
    let paused = post(&line, &body);
    assert!(
        paused.text().contains("The harvest that runs does so"),
        "{}",
        paused.text()
    );
    let begun = std::time::Instant::now();
    while !get("/archive").text().contains("paused") {
        assert!(begun.elapsed().as_secs() < 60);
    }
    // What the harvest may request, its pages may, too.
    let other = Site::new(4);
    let job = post(
        "POST /add",
        &format!("token={token}&url=http://{}/", other.host),
    );
    let job = format!("/{}", job.header("location").expect("one"));
    while !get(&job).text().contains("Story 4") {
        assert!(begun.elapsed().as_secs() < 60, "{}", get(&job).text());
    }
    harvest.ends("");
    assert_eq!(server_of(&user).own("/metrics").status, 404);
}

#[test]
fn without_an_archive_each_page_says_how_to_serve_one() {
    let pages = FilterPages::new(options()).expect("pages");
    let server = Running::of(&pages, FilterPages::server);
    for path in [
        "/reader",
        "/reader/1",
        "/search",
        "/search?q=a",
        "/sites",
        "/sites/x",
        "/archive/feed?url=x",
        "/archive/feed/remove?url=x",
        "/add",
    ] {
        let answer = server.own(path);
        assert_eq!(answer.status, 200, "{path}");
        assert!(
            answer.text().contains("--archive DIR"),
            "{path}: {}",
            answer.text()
        );
    }
}
