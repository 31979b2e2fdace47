//! The pages of feeds that were visited last.

use super::feeds::{FEED, events, named};
use super::*;
use crate::RecentPages;

/// A visit that fails.
fn failed(archive: &mut Archive, url: &str, hour: i64, why: &str) {
    let mut failed = arrival(url, start() + TimeDelta::hours(hour), "", None);
    (failed.response, failed.error) = (VisitResponse::Nothing, Some(why.to_owned()));
    store(archive, failed);
}

fn of_feed(archive: &Archive) -> Option<RecentPages> {
    let pages = archive.reader().expect("a reader").recent_pages();
    pages.expect("readable").remove(FEED)
}

#[test]
fn a_feed_whose_pages_all_fail_is_found_with_the_reason() {
    let dir = folder();
    let mut archive = open(dir.path());
    let urls: Vec<String> = (0..12).map(|n| format!("http://a.example/{n}")).collect();
    let links: Vec<&str> = urls.iter().map(String::as_str).collect();
    named(&mut archive, &links);
    assert_eq!(of_feed(&archive), None);
    visit(&mut archive, links[0], 0, &text_of("one"));
    failed(&mut archive, links[1], 1, "status 500");
    let pages = of_feed(&archive).expect("visited");
    assert_eq!(
        (pages.visited, pages.unread, pages.all_fail()),
        (2, 1, false)
    );
    for (hour, url) in (2..).zip(&links[2..]) {
        failed(&mut archive, url, hour, "status 403");
    }
    // An early success is no page of these any more.
    let pages = of_feed(&archive).expect("visited");
    assert_eq!(
        (pages.visited, pages.unread, pages.all_fail()),
        (10, 10, true)
    );
    assert_eq!(pages.why.as_deref(), Some("status 403"));
}

#[test]
fn a_feed_has_another_title_and_other_folders_also_after_a_rebuild() {
    let dir = folder();
    let mut archive = open(dir.path());
    named(&mut archive, &[]);
    let listed = Event::FeedListed {
        feed: FEED.to_owned(),
        title: "Of the list".to_owned(),
        home: Some("http://a.example/".to_owned()),
        folders: vec![vec!["News".to_owned()]],
    };
    events(&mut archive, [listed]);
    let row = archive.feed(FEED).expect("readable").expect("known");
    let folders = vec![vec!["Sea".to_owned(), "Ferries".to_owned()]];
    events(
        &mut archive,
        [row.listed("Mine".to_owned(), folders.clone())],
    );
    let check = |archive: &Archive| {
        let row = archive.feed(FEED).expect("readable").expect("known");
        assert_eq!(
            (row.listed_title.as_str(), &row.folders),
            ("Mine", &folders)
        );
        assert_eq!(row.listed_home.as_deref(), Some("http://a.example/"));
    };
    check(&archive);
    drop(archive);
    remove_tables(dir.path());
    let archive = open(dir.path());
    check(&archive);
    let status = archive.reader().expect("a reader").feed_status(FEED);
    assert_eq!(
        status.expect("readable").expect("known").feed.listed_title,
        "Mine"
    );
    assert_eq!(
        archive
            .reader()
            .expect("a reader")
            .feed_status("x")
            .expect("readable"),
        None
    );
}
