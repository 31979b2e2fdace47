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

/// A server of one feed; its pages have stories with a date.
fn feed_of(items: String) -> Origin {
    Origin::new(move |mut peer| {
        let rss = format!("<rss version='2.0'><channel><title>G</title>{items}</channel></rss>");
        async move {
            let html = [("Content-Type", "text/html; charset=utf-8")];
            let number = peer.path.strip_prefix("/story/").map(str::parse::<usize>);
            match number {
                Some(Ok(n)) => {
                    let date =
                        "<meta property='article:published_time' content='2024-11-20T08:00:00Z'>";
                    let page = story(n).replace("<title>", &format!("{date}<title>"));
                    peer.answer(200, &html, page.as_bytes()).await
                }
                _ => {
                    let kind = [("Content-Type", "application/rss+xml")];
                    peer.answer(200, &kind, rss.as_bytes()).await
                }
            };
        }
    })
}

/// An item by its title, link and guid.
fn item(title: &str, link: &str, guid: &str) -> String {
    let link = match link {
        "" => String::new(),
        link => format!("<link>{link}</link>"),
    };
    let guid = match guid {
        "" => String::new(),
        guid => format!("<guid isPermaLink='false'>{guid}</guid>"),
    };
    format!("<item><title>{title}</title>{link}{guid}<description>Of {title}</description></item>")
}

/// The whole feed of these items as RSS and as Atom.
fn whole(items: &[String]) -> (String, String) {
    let (origin, server) = (feed_of(items.concat()), serving(options()));
    let path = format!("/makefulltextfeed?url={}", origin.url("/feed"));
    let atom = server.own(&format!("{path}&format=atom"));
    assert_eq!(read(&atom, ATOM).items.len(), items.len());
    (server.own(&path).text(), atom.text())
}

#[test]
fn entries_have_the_identifiers_of_their_items() {
    let (rss, atom) = whole(&[
        item("A", "/story/1", "CAN-1"),
        item("B", "/story/2", "tag:a.example,2026:2"),
        item("C", "/story/3", ""),
        item("D", "", "note 4"),
    ]);
    let guids = |rss: &str| -> Vec<String> {
        let guids = rss
            .split("</guid>")
            .filter_map(|part| part.split_once("<guid "));
        guids.map(|(_, guid)| guid.to_owned()).collect()
    };
    let found = guids(&rss);
    assert_eq!(found[0], "isPermaLink=\"false\">CAN-1");
    assert_eq!(found[1], "isPermaLink=\"false\">tag:a.example,2026:2");
    assert!(
        found[2].starts_with("isPermaLink=\"true\">http://127.0.0.1"),
        "{found:?}"
    );
    assert_eq!(found[3], "isPermaLink=\"false\">note 4");
    // Those of Atom are addresses or names.
    assert!(atom.contains("<id>tag:a.example,2026:2</id>"), "{atom}");
    assert!(
        atom.contains("feed+CAN-1</id>") && atom.contains("feed+note+4</id>"),
        "{atom}"
    );
    assert_eq!(atom.matches("<id>urn:forest:").count(), 2, "{atom}");
    for items in [
        // One link, no guid; one guid, no link; both; only one link.
        [
            item("A", "/story/1", ""),
            item("B", "/story/1", ""),
            item("C", "/story/1", ""),
        ],
        [
            item("A", "", "N/A"),
            item("B", "", "N/A"),
            item("C", "", "N/A"),
        ],
        [
            item("A", "/story/1", "x"),
            item("B", "/story/1", "x"),
            item("C", "/story/1", "x"),
        ],
        [item("A", "", ""), item("B", "", ""), item("C", "", "")],
        [
            item("A", "/story/1", "CAN-1"),
            item("B", "/story/1", "CAN-2"),
            item("C", "/story/2", "x"),
        ],
    ] {
        let (rss, _) = whole(&items);
        let found: std::collections::BTreeSet<String> = guids(&rss).into_iter().collect();
        assert_eq!(found.len(), 3, "{found:?}");
    }
}

#[test]
fn items_of_one_page_keep_the_text_of_the_feed() {
    let (rss, _) = whole(&[
        item("A", "/story/1#a", "CAN-1"),
        item("B", "/story/1#b", "CAN-2"),
        item("C", "/story/2", "CAN-3"),
    ]);
    assert!(rss.contains("Of A") && rss.contains("Of B"), "{rss}");
    assert!(
        rss.contains("part5 of story2") && !rss.contains("of story1"),
        "{rss}"
    );
    assert!(!rss.contains("could not be read"), "{rss}");
}

#[test]
fn an_item_without_a_date_has_that_of_its_article_and_never_one_of_1970() {
    let (rss, atom) = whole(&[item("A", "/story/1", ""), item("B", "", "b")]);
    assert_eq!(
        rss.matches("<pubDate>Wed, 20 Nov 2024 08:00:00 +0000</pubDate>")
            .count(),
        1,
        "{rss}"
    );
    assert_eq!(rss.matches("<pubDate>").count(), 1, "{rss}");
    assert!(
        rss.contains("<lastBuildDate>Wed, 20 Nov 2024 08:00:00"),
        "{rss}"
    );
    assert!(
        atom.contains("<published>2024-11-20T08:00:00Z</published>"),
        "{atom}"
    );
    let (none, empty) = whole(&[item("B", "", "b")]);
    assert!(
        !none.contains("<pubDate>") && !none.contains("<lastBuildDate>"),
        "{none}"
    );
    // Atom has the time of the answer.
    assert!(!none.contains("1970") && !empty.contains("1970") && !atom.contains("1970"));
}

#[test]
fn a_page_that_shows_less_than_its_feed_does_not_take_its_place() {
    let long: String = (0..400).map(|n| format!("word{n} ")).collect();
    let whole = format!(
        "<item><title>Behind a wall</title><link>/story/1</link>\
         <content:encoded>&lt;p>{long}&lt;/p></content:encoded></item>"
    );
    let (origin, server) = (
        feed_of(whole + &item("Cut", "/story/2", "")),
        serving(options()),
    );
    let answer = server.own(&format!("/makefulltextfeed?url={}", origin.url("/feed")));
    let feed = read(&answer, RSS);
    let content = |n: usize| feed.items[n].content.clone().expect("content");
    assert!(content(0).contains("word399"), "{}", content(0));
    assert!(content(0).contains("The page shows less"), "{}", content(0));
    assert!(content(1).contains("part5 of story2"), "{}", content(1));
}
