//! `forest harvest` as its user meets it.

mod agreement;
mod lists;
mod notify;
mod now;
mod received;
mod redesign;
pub mod site;
mod upkeep;
#[cfg(unix)]
pub mod watched;
mod whole;

use axum::http::StatusCode;
use serde_json::json;
#[cfg(unix)]
use site::Running;
use site::{Site, User};

#[test]
fn feeds_are_added_with_one_request_each() {
    let (site, user) = (Site::new(3), User::new());
    let home = format!("http://{}/", site.host);
    let nothing = format!("http://{}/story/1", site.host);
    let added = user.add_all(&[&home, &nothing]);
    added.ends(
        3,
        &[
            "its feed is",
            "added: The Gazette (3 items)",
            "names no feed",
        ],
    );
    assert_eq!(site.take_requests(), ["robots.txt", "feed", "story/1"]);
    // The request of `add` was the first poll: the pages are due, the feed is not.
    user.add(&site).ends(0, &["is harvested already"]);
    let round = user.run(&[
        "harvest",
        "run",
        "--once",
        "--archive",
        "store",
        "--delay",
        "0",
        "--allow-private",
    ]);
    round.ends(
        0,
        &["0 feeds", "3 pages", "3 new articles", "wrapper learned"],
    );
    assert_eq!(
        site.take_requests(),
        ["robots.txt", "story/1", "story/2", "story/3"]
    );
}

#[test]
fn lists_are_added_and_what_is_refused_is_named() {
    let (site, user) = (Site::new(1), User::new());
    let list = format!(
        "# my feeds\n{}\nnot an address\nfile:///etc/passwd\n",
        site.feed()
    );
    std::fs::write(user.path("feeds.txt"), list).expect("written");
    let args = [
        "harvest",
        "add",
        "--archive",
        "store",
        "--allow-private",
        "--delay",
        "0",
    ];
    let added = user.run(&[&args[..], &["feeds.txt"]].concat());
    added.ends(3, &["line 3", "line 4: file:///etc/passwd", "added"]);
    // An exported list can be added.
    user.run(&[
        "harvest",
        "export",
        "--archive",
        "store",
        "--out",
        "feeds.opml",
    ])
    .ends(0, &[]);
    user.run(&[&args[..], &["feeds.opml"]].concat())
        .ends(0, &["is harvested already"]);
    // A paused feed stays paused.
    let feed = site.feed();
    user.run(&["harvest", "pause", "--archive", "store", &feed])
        .ends(0, &[]);
    let exported = user.run(&["harvest", "export", "--archive", "store"]);
    exported.ends(0, &["left out, since they rest or ended: 1"]);
    assert!(exported.out.contains("</opml>") && !exported.out.contains(&feed));
    // A private address is refused unless it is allowed.
    user.run(&["harvest", "add", "--archive", "other", &feed])
        .ends(1, &["not added", "--allow-private"]);
    user.run(&["harvest", "add", "--archive", "other", "nothing.txt"])
        .ends(1, &["nothing.txt", "no address"]);
    user.run(&["harvest", "add", "--archive", "other", "a.localhost/feed"])
        .ends(
            1,
            &["https://a.localhost/feed: not added", "--allow-private"],
        );
}

#[test]
fn feeds_rest_go_on_and_are_removed() {
    let (site, user) = (Site::new(1), User::new());
    user.add(&site).ends(0, &[]);
    let feed = site.feed();
    let states = || -> Vec<String> {
        let listed = user.run(&["harvest", "list", "--json", "--archive", "store"]);
        let states = listed.ends(0, &[]).records();
        let state = |record: &serde_json::Value| record["state"].as_str().expect("one").to_owned();
        states.iter().map(state).collect()
    };
    let change = |what: &str| {
        user.run(&["harvest", what, "--archive", "store", &feed])
            .ends(0, &[&feed]);
    };
    assert_eq!(states(), ["active"]);
    change("pause");
    assert_eq!(states(), ["paused"]);
    site.take_requests();
    user.round(3, &["--no-learn"]).ends(0, &["0 feeds"]);
    change("resume");
    user.round(3, &["--no-learn"]).ends(0, &["1 feed polled,"]);
    change("remove");
    assert_eq!(states(), [""; 0]);
    user.run(&["harvest", "remove", "--archive", "store", &feed])
        .ends(1, &["no such feed"]);
    // Its articles stay.
    let export = user.run(&["archive", "export", "--archive", "store"]);
    assert_eq!(export.ends(0, &[]).records().len(), 1);
}

#[test]
fn feeds_are_renamed_and_moved() {
    let (site, user) = (Site::new(1), User::new());
    user.add(&site).ends(0, &[]);
    let feed = site.feed();
    let change = |args: &[&str]| {
        let all = [
            &["harvest", args[0], "--archive", "store", &feed],
            &args[1..],
        ]
        .concat();
        user.run(&all).ends(0, &[&feed]);
        let listed = user.run(&["harvest", "list", "--json", "--archive", "store"]);
        let row = listed.ends(0, &[]).records().remove(0);
        (row["listed_title"].clone(), row["folders"].clone())
    };
    let none = serde_json::Value::Null;
    assert_eq!(change(&["rename", "Mine"]), ("Mine".into(), none.clone()));
    let folders = serde_json::json!([["News", "Sea"], ["All"]]);
    assert_eq!(
        change(&["move", "News/Sea", "All"]),
        ("Mine".into(), folders.clone())
    );
    assert_eq!(change(&["rename", " "]), (none.clone(), folders));
    assert_eq!(change(&["move"]), (none.clone(), none));
    let other = "http://nowhere.example/feed";
    user.run(&["harvest", "rename", "--archive", "store", other, "x"])
        .ends(1, &["no such feed"]);
}

#[test]
fn failed_pages_are_reported_by_site_and_reason() {
    let (site, user) = (Site::new(3), User::new());
    let host = site.host.clone();
    let gone =
        |n: usize| format!("<item><title>Gone</title><link>http://{host}/gone/{n}</link></item>");
    site.set(|show| show.more = gone(1) + &gone(2));
    user.add(&site).ends(0, &[]);
    let round = user.round(3, &["--json"]);
    let url = format!("http://{host}/gone/1");
    let line = format!("{host}: 2 pages without an article: status 404, so {url}");
    round.ends(0, &[&line, "5 pages (2 gone)"]);
    let failures = json!([{"site": host, "error": "status 404", "pages": 2, "url": url}]);
    assert_eq!(round.records()[0]["failures"], failures);
}

#[test]
fn a_round_reports_its_counts() {
    let (site, user) = (Site::new(3), User::new());
    user.add(&site).ends(0, &[]);
    let round = user.round(3, &["-v", "--json"]);
    round.ends(0, &["/story/3?utm_source=rss: stored\n", "wrapper learned"]);
    let tally = serde_json::json!({
        "feeds": 1, "feeds_failed": 0, "feeds_gone": 0, "items": 0,
        "pages": 3, "pages_failed": 0, "pages_gone": 0, "pages_blocked": 0, "pages_empty": 0,
        "articles": 3, "versions": 0, "pictures": 0, "pictures_failed": 0, "wrappers": 1, "drifted": 0, "failures": [],
        "polled": [{"feed": site.feed(), "new": 0, "error": null}],
    });
    assert_eq!(round.records(), [tally]);
    site.set(|show| show.down = Some(StatusCode::INTERNAL_SERVER_ERROR));
    let args = user.round_args("2100-01-04T00:00:00Z");
    let failed = user.run(&[&args[..], &["--json"]].concat());
    failed.ends(1, &["status 500", "1 feed polled (1 failed)"]);
    let tally = serde_json::json!({
        "feeds": 1, "feeds_failed": 1, "feeds_gone": 0, "items": 0,
        "pages": 0, "pages_failed": 0, "pages_gone": 0, "pages_blocked": 0, "pages_empty": 0,
        "articles": 0, "versions": 0, "pictures": 0, "pictures_failed": 0, "wrappers": 0, "drifted": 0, "failures": [],
        "polled": [{"feed": site.feed(), "new": 0, "error": "status 500"}],
    });
    assert_eq!(failed.records(), [tally]);
    let status = user.run(&["harvest", "status", "--archive", "store"]);
    status.ends(0, &[]);
    for part in [
        "1 failure in a row: status 500",
        "wrapper learned 2100-01-02T03:00:00Z",
        "3 articles",
    ] {
        assert!(status.out.contains(part), "{part}: {}", status.out);
    }
    let status = user.run(&["harvest", "status", "--json", "--archive", "store"]);
    let all = &status.ends(0, &[]).records()[0];
    let (feed, site) = (&all["feeds"][0], &all["sites"][0]);
    assert_eq!(
        (&feed["failures"], &feed["items"], &feed["articles"]),
        (&1.into(), &3.into(), &3.into())
    );
    assert_eq!(feed["last_success"], "2100-01-02T03:00:00Z");
    assert_eq!(
        (&site["verdict"], &site["drifts"]),
        (&"ok".into(), &0.into())
    );
    assert!(
        site["confidence"].as_f64().expect("a number") > 0.5,
        "{all}"
    );
}

#[test]
fn items_without_an_address_are_counted() {
    let (site, user) = (Site::new(2), User::new());
    site.set(|show| {
        let nowhere = "<item><title>Somewhere else</title></item>\
             <item><title>A program</title><link>javascript:alert(1)</link></item>";
        show.more = nowhere.to_owned();
    });
    user.add(&site)
        .ends(0, &["(4 items)", "/feed: 2 items have no address"]);
    site.set(|show| show.items = vec![1, 2, 3]);
    user.round(3, &[])
        .ends(0, &["/feed: 2 items have no address", "/feed: 1 new item"]);
}

/// The connection broke, or its writer did: the whole items are used.
#[test]
fn a_feed_that_breaks_off_is_named_when_it_is_added() {
    let (site, user) = (Site::new(2), User::new());
    site.set(|show| show.is_cut = true);
    user.add(&site)
        .ends(0, &["(1 item)", "/feed: the feed is cut off"]);
}

#[test]
fn a_log_of_json_has_fields() {
    let (site, user) = (Site::new(3), User::new());
    user.add(&site).ends(0, &[]);
    site.set(|show| {
        show.items = vec![1, 2, 3, 4];
        show.more = "<item><title>Nowhere</title></item>".to_owned();
    });
    let round = user.round(3, &["-v", "--log", "json"]);
    let events: Vec<serde_json::Value> = round
        .ends(0, &[])
        .err
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object a line"))
        .collect();
    let check = |level: &str, expected: serde_json::Value| {
        let expected = expected.as_object().expect("an object");
        let has = |event: &serde_json::Value| {
            let same = |(name, value)| event["fields"].get(name) == Some(value);
            event["level"] == level && event["target"] == "forest" && expected.iter().all(same)
        };
        assert!(events.iter().any(has), "{expected:?}: {}", round.err);
    };
    let (feed, host) = (site.feed(), site.host.as_str());
    let url = format!("http://{host}/story/3?utm_source=rss");
    let (name, learned) = (&feed, format!("{host}: wrapper learned"));
    check("WARN", json!({"feed": name, "without_address": 1}));
    check(
        "INFO",
        json!({"feed": name, "new": 1, "message": format!("{feed}: 1 new item")}),
    );
    check(
        "DEBUG",
        json!({"url": url, "site": host, "status": "fallback", "stored": "new"}),
    );
    check(
        "INFO",
        json!({"site": host, "learning": "learned", "message": learned}),
    );
    check(
        "INFO",
        json!({"feeds": 1, "pages": 4, "articles": 4, "wrappers": 1, "drifted": 0}),
    );
    site.set(|show| show.down = Some(StatusCode::INTERNAL_SERVER_ERROR));
    let args = user.round_args("2100-01-04T00:00:00Z");
    let failed = user.run(&[&args[..], &["--log", "json"]].concat());
    let mut lines = failed.ends(1, &["archive: store"]).err.lines();
    let line = lines.nth(1).expect("an event");
    let event: serde_json::Value = serde_json::from_str(line).expect("an object");
    assert_eq!(
        (&event["fields"]["feed"], &event["fields"]["error"]),
        (&json!(feed), &json!("status 500"))
    );
}

#[test]
fn the_status_shows_known_and_unknown_values() {
    let (site, user) = (Site::new(3), User::new());
    user.add(&site).ends(0, &[]);
    let status = || {
        let status = user.run(&["harvest", "status", "--json", "--archive", "store"]);
        status.ends(0, &[]).records().remove(0)
    };
    user.round(3, &["--no-learn"]).ends(0, &[]);
    let known = status();
    let (feed, of_site) = (&known["feeds"][0], &known["sites"][0]);
    assert_eq!(
        (&of_site["verdict"], &of_site["failure"]),
        (&json!("none yet"), &json!(null))
    );
    assert_eq!(feed["sites"][0]["verdict"], "none yet");
    assert!(feed["sites"][0]["confidence"].is_number(), "{feed}");
    assert_eq!(feed["sites"][0]["drifts"], 0);
    // An unfinished wrapper file.
    let sites = user.store().join("sites");
    let name = site.host.replace(':', "_");
    std::fs::write(sites.join(format!("{name}.yaml")), "format: [").expect("written");
    site.set(|show| show.items = (1..=8).collect());
    let args = user.round_args("2100-01-02T12:00:00Z");
    let round = user.run(&args.iter().map(|arg| &**arg).collect::<Vec<_>>());
    round.ends(0, &["cannot be used and is left as it is"]);
    assert_eq!(
        round.err.matches("left as it is").count(),
        1,
        "{}",
        round.err
    );
    assert!(status()["sites"][0]["unusable"].is_string());
    let lines = user.run(&["harvest", "status", "--archive", "store"]);
    for part in [
        "its file cannot be used and is left as it is: ",
        &format!("  {}: none yet", site.host),
    ] {
        assert!(lines.out.contains(part), "{part}: {}", lines.out);
    }
}

#[test]
fn an_archive_without_feeds_is_reported() {
    let user = User::new();
    user.run(&["harvest", "run", "--once", "--archive", "store"])
        .ends(0, &["no feeds", "forest harvest add"]);
    user.run(&["harvest", "status", "--archive", "none"])
        .ends(2, &["no archive in none"]);
}

/// A running harvest gets feeds by its inbox, serves its figures, and ends with exit code 0
/// after SIGTERM.
#[cfg(unix)]
#[test]
fn a_running_harvest_gets_feeds_and_its_end() {
    let (site, user) = (Site::new(3), User::new());
    let running = Running::new(&user, &["--metrics", "127.0.0.1:0"]);
    running.wait_for("figures at http://127.0.0.1:");
    let second = user.run(&["harvest", "run", "--once", "--archive", "store"]);
    second.ends(2, &["another forest writes to the archive"]);
    user.add(&site)
        .ends(0, &["added, as soon as the harvest that runs sees it"]);
    running.wait_for("/feed: 3 new items");
    running.wait_for("wrapper learned");
    // The request of `add` was the first poll.
    let mut take_requests = site.take_requests();
    take_requests.sort_unstable();
    let once = ["feed", "robots.txt", "robots.txt"];
    assert_eq!(
        take_requests,
        [&once[..], &["story/1", "story/2", "story/3"]].concat()
    );
    running.ends("1 feed polled, 3 new items, 3 pages, 3 new articles");
    let export = user.run(&["archive", "export", "--archive", "store"]);
    assert_eq!(export.ends(0, &[]).records().len(), 3);
}
