//! Polls and visits at a user's request, and the messages about unknown addresses.

#[cfg(unix)]
use super::site::Running;
use super::site::{Site, User};
use axum::http::StatusCode;
use serde_json::json;

#[test]
fn feeds_are_polled_now_though_they_are_not_due() {
    let (site, user) = (Site::new(3), User::new());
    user.add(&site).ends(0, &[]);
    let feed = site.feed();
    let quiet = format!("polled, with nothing new: {feed}\n");
    user.round(3, &[])
        .ends(0, &["1 feed polled, 0 new items", &quiet]);
    site.set(|show| show.items = vec![1, 2, 3, 4]);
    let not_due = format!("not due: 1 feed; the next, {feed}, at 2100-01-0");
    let nothing = user.round(3, &[]);
    nothing.ends(0, &["0 feeds polled", &not_due, "--now polls at once"]);
    user.round(3, &["--now"])
        .ends(0, &["1 feed polled, 1 new item"]);
    user.round(3, &["--now", &feed])
        .ends(0, &["1 feed polled, 0 new items"]);
    // An unknown feed is reported, and no other feed is polled.
    let other = "http://nowhere.example/feed";
    let none = user.round(3, &["--now", other]);
    none.ends(1, &["http://nowhere.example/feed: no such feed"]);
    assert!(!none.err.contains("polled,"), "{}", none.err);
    user.round(3, &["--now", other, &feed])
        .ends(3, &["no such feed", "1 feed polled"]);
    user.run(&["harvest", "pause", "--archive", "store", &feed])
        .ends(0, &[]);
    user.round(3, &["--now"]).ends(0, &["0 feeds polled"]);
    user.round(3, &["--now", &feed])
        .ends(1, &["since it is paused", "harvest resume"]);
}

#[test]
fn a_feed_that_is_gone_is_distinguished_from_one_that_failed() {
    let (site, user) = (Site::new(1), User::new());
    user.add(&site).ends(0, &[]);
    site.set(|show| show.down = Some(StatusCode::NOT_FOUND));
    let round = user.round(3, &["--json"]);
    round.ends(
        1,
        &[
            "1 feed polled (1 gone)",
            "1 page (1 gone)",
            "/feed: status 404",
        ],
    );
    let tally = &round.records()[0];
    assert_eq!(
        (&tally["feeds_gone"], &tally["pages_gone"]),
        (&json!(1), &json!(1))
    );
}

/// A feed that links its items in another way has nothing new.
#[test]
fn an_item_whose_link_alone_changed_is_not_counted() {
    let (site, user) = (Site::new(3), User::new());
    let item = |link: &str, title: &str| {
        format!(
            "<item><title>{title}</title><link>http://HOST/story/{link}</link><guid>fourth</guid></item>"
        )
    };
    site.set(|show| show.more = item("4", "Four"));
    user.add(&site).ends(0, &["(4 items)"]);
    user.round(3, &[]).ends(0, &["4 new articles"]);
    for (link, title, new) in [
        ("4?from=feed", "Four", "0 new items"),
        ("5", "Four", "0 new items"),
        ("5", "The fourth", "1 new item"),
    ] {
        site.set(|show| show.more = item(link, title));
        user.round(3, &["--now"]).ends(0, &[new]);
    }
}

#[test]
fn pages_are_visited_again_now() {
    let (site, user) = (Site::new(3), User::new());
    user.add(&site).ends(0, &[]);
    user.round(3, &[]).ends(0, &[]);
    site.set(|show| {
        show.edited = vec![2];
        show.items = vec![1, 2, 3, 4];
    });
    site.take_requests();
    let url = |n: usize| format!("http://{}/story/{n}", site.host);
    let refetch = |more: &[&str]| {
        let args = [
            "harvest",
            "refetch",
            "--archive",
            "store",
            "--allow-private",
            "--delay",
            "0",
        ];
        user.run(&[&args[..], more].concat())
    };
    let (one, two) = (url(1), url(2));
    let refetched = refetch(&["--json", &one, &two]);
    let same = format!("{one}?utm_source=rss: nothing new");
    refetched.ends(
        0,
        &[&same, "/story/2?utm_source=rss: stored as another version"],
    );
    let stored: Vec<_> = refetched
        .records()
        .iter()
        .map(|page| page["stored"].clone())
        .collect();
    assert_eq!(stored, ["same", "version"]);
    // robots.txt is requested again: the archive's copy is of another time.
    assert_eq!(site.take_requests(), ["robots.txt", "story/1", "story/2"]);
    // One address is gone, one is not in the archive.
    site.set(|show| show.down = Some(StatusCode::NOT_FOUND));
    refetch(&[&one]).ends(1, &["/story/1?utm_source=rss: no article: status 404"]);
    site.set(|show| show.down = None);
    refetch(&[&one, &url(4)]).ends(3, &["/story/4: the archive has no such page"]);
    refetch(&[&url(4)]).ends(1, &["no such page"]);
    user.run(&["harvest", "refetch", "--archive", "nowhere", &one])
        .ends(2, &["nowhere"]);
}

#[cfg(unix)]
#[test]
fn a_harvest_that_runs_does_what_is_wanted_now() {
    let (site, user) = (Site::new(3), User::new());
    user.add(&site).ends(0, &[]);
    let running = Running::new(&user, &["-v"]);
    running.wait_for("wrapper learned");
    site.set(|show| show.edited = vec![2]);
    let url = format!("http://{}/story/2", site.host);
    let refetch = user.run(&["harvest", "refetch", "--archive", "store", &url]);
    refetch.ends(0, &["another process harvests: it visits 1 page now"]);
    running.wait_for("/story/2?utm_source=rss: stored as another version");
    site.set(|show| show.items = vec![1, 2, 3, 4]);
    let feed = site.feed();
    let now = user.run(&["harvest", "run", "--archive", "store", "--now", &feed]);
    now.ends(0, &["another process harvests: it polls them now"]);
    running.wait_for("/feed: 1 new item");
    running.wait_for("/story/4?utm_source=rss: stored");
    // The option for notifications is refused.
    let args = [
        "harvest",
        "run",
        "--archive",
        "store",
        "--notify",
        "http://127.0.0.1:9/",
        "--now",
    ];
    user.run(&args).ends(2, &["--notify has no effect"]);
    running.ends("1 feed polled, 1 new item, 5 pages, 4 new articles, 1 new version");
}
