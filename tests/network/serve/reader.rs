//! The reader: where it is found, and how its articles and their texts stand.

use super::Answer;
use super::archive::served;
use super::library::{articles, server_of};
use crate::harvest_cli::site::{Site, User};
use std::fmt::Display;

#[test]
fn the_root_leads_to_the_reader() {
    let (_site, _user, server) = served();
    let root = server.own("/");
    assert_eq!(
        (root.status, root.header("location")),
        (303, Some("reader"))
    );
}

/// The numbers of the stories on a page of the reader, in its order.
fn stories(page: &Answer) -> Vec<usize> {
    let page = page.text();
    let titles = page.split("Story ").skip(1);
    let numbers = titles.map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
    numbers
        .map(|number| number.and_then(|number| number.parse().ok()))
        .map(|number| number.expect("a number"))
        .collect()
}

/// Stories as items of a feed, with their dates.
fn dated<D: Display>(stories: impl IntoIterator<Item = (usize, D)>) -> String {
    let items = stories.into_iter().map(|(n, date)| {
        format!(
            "<item><guid>story-{n}</guid><title>Story {n}</title><link>http://HOST/story/{n}</link>\
             <pubDate>{date}</pubDate></item>"
        )
    });
    items.collect()
}

#[test]
fn articles_stand_by_day_of_publication() {
    let (site, user) = (Site::new(0), User::new());
    user.add(&site).ends(0, &[]);
    let more = dated([
        (4, "Fri, 31 Dec 2100 12:00:00 GMT"),
        (5, "Thu, 31 Dec 2099 06:00:00 GMT"),
        (6, "Fri, 25 Dec 2099 06:00:00 GMT"),
        (7, "Fri, 01 Jan 2100 06:00:00 GMT"),
        // A day without a time.
        (8, "Thu, 31 Dec 2099 00:00:00 GMT"),
    ]);
    site.set(|show| {
        show.items = (1..=3).collect();
        show.more = more.clone();
    });
    user.round(3, &[]).ends(0, &["8 new articles"]);
    let server = server_of(&user);
    // Those without a day, and one of a day to come, are of the day on which they were first
    // seen; of one time, they stand as their feed has them, which begins with those of `more`.
    let first = [4, 1, 2, 3, 7, 8, 5, 6];
    let page = server.own("/reader");
    assert_eq!(stories(&page), first);
    for day in ["2100-01-02", "2100-01-01", "2099-12-31", "2099-12-25"] {
        let time = format!("<time datetime=\"{day}\">{day}</time>");
        assert!(page.text().contains(&time), "{}", page.text());
    }
    assert!(!page.text().contains("2100-12-31"), "{}", page.text());
    // What is new stands first, unless it is older.
    site.set(|show| {
        show.items = (1..=3).chain([9]).collect();
        show.more = more + &dated([(10, "Fri, 01 Jan 2100 05:00:00 GMT")]);
    });
    user.round(20, &[]).ends(0, &["2 new articles"]);
    let all = [9, 4, 1, 2, 3, 7, 10, 8, 5, 6];
    assert_eq!(stories(&server.own("/reader")), all);
    let coded: String = url::form_urlencoded::byte_serialize(site.feed().as_bytes()).collect();
    let of_feed = server.own(&format!("/reader?feed={coded}"));
    assert_eq!(stories(&of_feed), all);
    // Made again, the tables say the same.
    std::fs::remove_file(user.store().join("archive.sqlite")).expect("removed");
    user.run(&["archive", "verify", "--archive", "store"])
        .ends(0, &[]);
    assert_eq!(stories(&server.own("/reader")), all);
}

#[test]
fn older_articles_follow_page_by_page() {
    let (site, user) = (Site::new(0), User::new());
    user.add(&site).ends(0, &[]);
    // Two of a day each, so that a page ends between two of one time.
    let date = |n: usize| format!("{:02} Nov 2099 06:00:00 GMT", 1 + (n * 7) % 20);
    let items = (1..=40).map(|n| (n, date(n)));
    site.set(|show| show.more = dated(items));
    user.round(3, &[]).ends(0, &["40 new articles"]);
    let server = server_of(&user);
    let first = server.own("/reader");
    let next = first.text();
    let (next, _) = next.split_once("\">Older</a>").expect("a further page");
    let next = next.rsplit("href=\"").next().expect("its address");
    let second = server.own(&format!("/{}", next.replace("&amp;", "&")));
    assert!(!second.text().contains(">Older</a>"));
    let mut all = [articles(&first), articles(&second)].concat();
    assert_eq!((articles(&first).len(), all.len()), (30, 40));
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 40, "each of them once");
    for odd in ["x", "1", "-1", "1_", "_1", "_", "99999999999999999999_1"] {
        assert_eq!(
            articles(&server.own(&format!("/reader?after={odd}"))).len(),
            30,
            "{odd}"
        );
    }
}
