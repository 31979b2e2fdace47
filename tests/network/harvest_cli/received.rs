//! What a harvest receives beside pages and feeds with news: redirects, failures, robots.txt. All
//! of it is in the WARC files.

use super::site::{Site, User};
use super::upkeep::{unpacked, verify};
use crate::judges::{pywb_replays, warcio_check};
use axum::http::StatusCode;

/// The statuses and paths of the index, without repetitions, sorted.
fn index(user: &User, site: &Site) -> Vec<String> {
    let index = user.run(&["archive", "cdx", "--archive", "store"]);
    let base = format!("http://{}/", site.host);
    let mut found = Vec::new();
    for line in index.ends(0, &[]).out.lines() {
        let json = line.splitn(3, ' ').nth(2).expect("three fields");
        let fields: serde_json::Value = serde_json::from_str(json).expect("JSON");
        let text = |name: &str| fields[name].as_str().unwrap_or("-").to_owned();
        let url = text("url");
        let path = url.strip_prefix(&base).expect("of the site");
        found.push(format!("{} {path}", text("status")));
    }
    found.sort();
    found
}

/// A user with a feed behind a redirect, an item behind another, one that is gone and one that
/// is refused.
fn user() -> (Site, User) {
    let (site, user) = (Site::new(2), User::new());
    site.set(|show| {
        let item = |path| format!("<item><link>http://HOST/{path}</link></item>");
        show.more = ["go/go/story/3", "gone/4", "refused/5"].map(item).concat();
    });
    user.add_all(&[&format!("http://{}/go/feed", site.host)])
        .ends(0, &["added"]);
    user.round(3, &[]).ends(0, &["3 new articles"]);
    (site, user)
}

#[test]
fn redirects_failures_and_robots_txt_are_records() {
    let (site, user) = user();
    let expected = [
        "200 feed",
        "200 story/1?utm_source=rss",
        "200 story/2?utm_source=rss",
        "200 story/3",
        "302 go/feed",
        "302 go/go/story/3",
        "302 go/story/3",
        "403 refused/5",
        "404 gone/4",
        "404 robots.txt",
    ];
    assert_eq!(index(&user, &site), expected);
    let all = unpacked(&user);
    for part in [
        "It is elsewhere.",
        "GET /robots.txt HTTP/1.1\r\n",
        "GET /gone/4 HTTP/1.1\r\n",
    ] {
        assert!(all.contains(part), "{part}");
    }
    // Of a long refusal the beginning, and that it is no more than that.
    assert_eq!(
        all.matches("Only for subscribers. ").count(),
        (1 << 16) / 22
    );
    assert_eq!(all.matches("WARC-Truncated: length\r\n").count(), 1);
    verify(&user, "store");
    warcio_check(&user.store());
    pywb_replays(&user.store());
    user.run(&["archive", "verify", "--rebuild", "--archive", "store"])
        .ends(0, &[]);
    verify(&user, "store");
    assert_eq!(index(&user, &site), expected);
}

#[test]
fn polls_without_news_leave_no_records_and_failed_ones_do() {
    let (site, user) = user();
    let before = index(&user, &site);
    let round = |at: &str| user.run(&user.round_args(at));
    round("2100-01-03T06:00:00Z").ends(0, &["1 feed polled, "]);
    let feed = |lines: &[String]| -> Vec<String> {
        let lines = lines.iter().filter(|line| line.ends_with("feed"));
        lines.cloned().collect()
    };
    assert_eq!(feed(&index(&user, &site)), feed(&before));
    site.set(|show| show.down = Some(StatusCode::INTERNAL_SERVER_ERROR));
    round("2100-01-06T00:00:00Z").ends(1, &["1 feed polled (1 failed)"]);
    let expected = ["200 feed", "302 go/feed", "500 go/feed"];
    assert_eq!(feed(&index(&user, &site)), expected);
}

/// A redirect that leads to nothing was received as well: to a path that robots.txt closes, to an
/// address that is not dialled, to a host that does not answer, and without an end.
#[test]
fn redirects_that_lead_to_no_answer_are_records() {
    let (site, user) = (Site::new(1), User::new());
    site.set(|show| {
        let paths = ["go/http://192.168.0.1/", "go/http://127.0.0.1:1/", "round/"];
        let item = |path| format!("<item><link>http://HOST/{path}</link></item>");
        show.more = paths.map(item).concat();
    });
    user.add(&site).ends(0, &["4 items"]);
    user.round(3, &[]).ends(0, &["3 failed"]);
    let lines = index(&user, &site);
    for line in ["302 go/http://192.168.0.1/", "302 go/http://127.0.0.1:1/"] {
        assert!(lines.iter().any(|one| one == line), "{line}: {lines:?}");
    }
    let round = lines.iter().filter(|line| line.starts_with("302 round/"));
    assert!(round.count() > 1, "{lines:?}");
    verify(&user, "store");
}

/// A page may be refused for weeks: its later refusals are heads alone.
#[test]
fn the_body_of_a_failure_is_kept_once() {
    let (site, user) = user();
    let bodies = || unpacked(&user).matches("Only for subscribers. ").count();
    let once = bodies();
    user.run(&user.round_args("2100-01-03T06:00:00Z"))
        .ends(0, &["2 pages (1 gone, 1 blocked)"]);
    let lines = index(&user, &site);
    let refused = lines.iter().filter(|line| *line == "403 refused/5");
    assert_eq!((refused.count(), bodies()), (2, once));
    assert!(unpacked(&user).contains("WARC-Truncated: unspecified\r\n"));
    verify(&user, "store");
}

#[test]
fn a_forgotten_article_takes_its_redirects_with_it() {
    let (site, user) = user();
    let url = format!("http://{}/story/3", site.host);
    user.run(&["archive", "forget", "--archive", "store", &url])
        .ends(0, &["1 article with"]);
    let left = index(&user, &site);
    assert!(
        !left.iter().any(|line| line.ends_with("story/3")),
        "{left:?}"
    );
    assert!(!unpacked(&user).contains("story/3"));
    verify(&user, "store");
    // What leads to it is not kept again.
    user.run(&user.round_args("2100-01-04T00:00:00Z"));
    assert!(!unpacked(&user).contains("story/3"));
}
