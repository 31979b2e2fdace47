//! Feeds made whole.

use super::extract::{serving, story};
use super::{Answer, options};
use crate::hostile_server::server::Server as Origin;
use forest_core::feed::{Feed, parse};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A site whose feed is cut, and the number of requests for its stories.
fn site() -> (Origin, Arc<AtomicUsize>) {
    let asked = Arc::<AtomicUsize>::default();
    let seen = Arc::clone(&asked);
    let origin = Origin::new(move |mut peer| {
        let seen = Arc::clone(&seen);
        async move {
            let html = [("Content-Type", "text/html; charset=utf-8")];
            let number = peer.path.strip_prefix("/story/").map(str::parse::<usize>);
            match (number, peer.path.as_str()) {
                (Some(Ok(n)), _) => {
                    seen.fetch_add(1, Ordering::SeqCst);
                    peer.answer(200, &html, story(n).as_bytes()).await
                }
                (_, "/feed") => {
                    let kind = [("Content-Type", "application/rss+xml")];
                    peer.answer(200, &kind, feed().as_bytes()).await
                }
                (_, "/") => {
                    let home = "<link rel=alternate type=application/rss+xml href=/feed><p>Hello";
                    peer.answer(200, &html, home.as_bytes()).await
                }
                _ => peer.answer(404, &html, b"none").await,
            };
        }
    });
    (origin, asked)
}

/// Stories, a page that is gone, one at an address that nobody may fetch, and an item without a
/// page.
fn feed() -> String {
    let item = |title: &str, link: &str| {
        format!(
            "<item><title>{title}</title>{link}<description>Cut &lt;b&gt;short&lt;/b&gt;\
             &lt;script&gt;evil()&lt;/script&gt;</description></item>"
        )
    };
    let mut items = String::new();
    for n in 1..=2 {
        items.push_str(&item(
            &format!("Story {n}"),
            &format!("<link>/story/{n}</link>"),
        ));
    }
    items.push_str(&item("Gone", "<link>/gone</link>"));
    items.push_str(&item(
        "Inside",
        "<link>http://169.254.169.254/latest</link>",
    ));
    items.push_str(&item("Spoken", ""));
    format!("<rss version='2.0'><channel><title>The Gazette</title>{items}</channel></rss>")
}

fn read(answer: &Answer, kind: &str) -> Feed {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some(kind));
    parse(&answer.body, None, None).expect("a feed")
}

const RSS: &str = "application/rss+xml; charset=utf-8";
const ATOM: &str = "application/atom+xml; charset=utf-8";

#[test]
fn a_cut_feed_gets_its_articles() {
    let ((origin, asked), server) = (site(), serving(options()));
    let path = format!("/makefulltextfeed?url={}", origin.url("/feed"));
    let answer = server.own(&path);
    let feed = read(&answer, RSS);
    assert_eq!(feed.title, "The Gazette");
    let content = |n: usize| feed.items[n].content.clone().expect("content");
    for n in [0, 1] {
        assert_eq!(feed.items[n].title, format!("Story {}", n + 1));
        let part = format!("part5 of story{}", n + 1);
        assert!(content(n).contains(&part), "{}", content(n));
    }
    assert!(content(2).contains("404") && content(2).contains("Cut"));
    assert!(content(3).contains("169.254.169.254 is not a public address"));
    assert!(!content(4).contains("could not be read"));
    assert!(!answer.text().contains("evil()</script"));
    // The articles are not fetched again.
    assert_eq!(asked.load(Ordering::SeqCst), 2);
    let atom = read(&server.own(&format!("{path}&format=atom&max=1")), ATOM);
    assert_eq!(atom.items.len(), 1);
    assert_eq!(atom.items[0].content, Some(content(0)));
    assert_eq!(asked.load(Ordering::SeqCst), 2);
}

#[test]
fn the_feed_of_a_page_is_found() {
    let ((origin, _), server) = (site(), serving(options()));
    let feed = server.own(&format!("/makefulltextfeed?url={}", origin.url("/")));
    assert_eq!(read(&feed, RSS).items.len(), 5);
    let check = |query: &str, status: u16, part: &str| {
        let answer = server.own(&format!("/makefulltextfeed{query}"));
        assert_eq!(answer.status, status, "{}", answer.text());
        assert!(answer.text().contains(part), "{}", answer.text());
    };
    check("", 400, "url is missing");
    check(
        &format!("?url={}&max=many", origin.url("/feed")),
        400,
        "max",
    );
    check(
        &format!("?url={}&format=pdf", origin.url("/feed")),
        400,
        "rss or atom",
    );
    check(
        &format!("?url={}", origin.url("/story/1")),
        502,
        "names no feed",
    );
    check(&format!("?url={}", origin.url("/gone")), 502, "404");
}

#[test]
fn private_feeds_are_not_fetched_unless_that_is_allowed() {
    let ((origin, _), server) = (site(), serving(options().with_allow_private(false)));
    let answer = server.own(&format!("/makefulltextfeed?url={}", origin.url("/feed")));
    assert_eq!(answer.status, 403);
    assert_eq!(origin.accepted(), 0);
}

#[test]
fn a_site_is_learned_on_first_use_and_nothing_of_it_is_kept() {
    let origin = Origin::new(|mut peer| async move {
        let html = [("Content-Type", "text/html; charset=utf-8")];
        let rss = [("Content-Type", "application/rss+xml")];
        let number = peer.path.strip_prefix("/story/").map(str::parse::<usize>);
        match number {
            Some(Ok(n)) => peer.answer(200, &html, story(n).as_bytes()).await,
            _ => {
                let items = (1..=8).map(|n| {
                    format!("<item><title>Story {n}</title><link>/story/{n}</link></item>")
                });
                let items: String = items.collect();
                let feed =
                    format!("<rss version='2.0'><channel><title>G</title>{items}</channel></rss>");
                peer.answer(200, &rss, feed.as_bytes()).await
            }
        };
    });
    let server = serving(options());
    let wrapper = || {
        let record = server.own(&format!("/extract?url={}", origin.url("/story/9")));
        let record: serde_json::Value = serde_json::from_slice(&record.body).expect("JSON");
        record["wrapper"].clone()
    };
    assert!(wrapper().is_null());
    let feed = server.own(&format!("/makefulltextfeed?url={}", origin.url("/feed")));
    assert_eq!(read(&feed, RSS).items.len(), 8);
    // A page that the feed does not have is read by what was learned.
    let learned = wrapper();
    let host = origin.url("/").authority().to_owned();
    assert_eq!(learned["site"], host.as_str(), "{learned}");
    // Another run knows nothing of it.
    let other = serving(options());
    let record = other.own(&format!("/extract?url={}", origin.url("/story/9")));
    assert!(
        record.text().contains("\"wrapper\":null"),
        "{}",
        record.text()
    );
}
