//! Feeds that are paused, end and move, and the visits to their pages.

use super::*;
use forest_html::address::page_key;

pub(super) const FEED: &str = "http://a.example/feed";

pub(super) fn events(archive: &mut Archive, events: impl IntoIterator<Item = Event>) {
    let change = |event| ArchiveChange::Event { at: start(), event };
    let changes = events.into_iter().map(change).collect();
    archive.write(changes).expect("written");
}

fn added(feed: &str) -> Event {
    let feed = feed.to_owned();
    Event::FeedAdded { feed }
}

fn read(feed: &str, links: &[&str]) -> Event {
    let item = |link: &&str| StoredItem {
        id: (*link).to_owned(),
        link: (*link).to_owned(),
        ..StoredItem::default()
    };
    Event::FeedRead {
        feed: feed.to_owned(),
        title: "News".to_owned(),
        items: links.iter().map(item).collect(),
    }
}

fn paused(feed: &str, paused: bool) -> Event {
    let feed = feed.to_owned();
    Event::FeedPaused { feed, paused }
}

fn moved(feed: &str, to: &str) -> Event {
    let (feed, to) = (feed.to_owned(), to.to_owned());
    Event::FeedMoved {
        feed,
        to,
        named: None,
    }
}

/// A feed that lists these pages and is not polled for a year.
pub(super) fn named(archive: &mut Archive, links: &[&str]) {
    events(archive, [added(FEED), read(FEED, links)]);
    rested(archive, FEED);
}

fn rested(archive: &mut Archive, feed: &str) {
    let poll = FeedPoll {
        feed: feed.to_owned(),
        last: Some(start()),
        next: Some(start() + TimeDelta::days(365)),
        ..FeedPoll::default()
    };
    archive
        .write(vec![ArchiveChange::Poll(Box::new(poll))])
        .expect("written");
}

/// Pages that are due in a month; true if anything is due before.
fn due(archive: &Archive) -> (Vec<String>, bool) {
    let month = start() + TimeDelta::days(31);
    let pages = archive.due_pages(month, 100).expect("readable");
    let urls = pages.into_iter().map(|page| page.url).collect();
    let next = archive.next_due().expect("readable");
    let is_due = next.is_some_and(|next| next <= month);
    let before = start() - TimeDelta::days(1);
    assert_eq!(archive.comes_due(before, month).expect("readable"), is_due);
    (urls, is_due)
}

#[test]
fn the_pages_of_a_feed_rest_with_it() {
    let dir = folder();
    let mut archive = open(dir.path());
    let (one, two, three) = (
        "http://a.example/1",
        "http://a.example/2",
        "http://a.example/3",
    );
    let other = "http://a.example/other";
    named(&mut archive, &[one, two]);
    events(&mut archive, [added(other), read(other, &[two, three])]);
    rested(&mut archive, other);
    // One page was visited before, and is due again.
    visit(&mut archive, one, 0, &text_of("one"));
    let order = [two, three, one].map(str::to_owned).to_vec();
    assert_eq!(due(&archive), (order.clone(), true));
    for stop in [
        paused(FEED, true),
        Event::FeedRemoved {
            feed: FEED.to_owned(),
        },
    ] {
        events(&mut archive, [stop]);
        assert_eq!(due(&archive).0, [two, three]);
        events(&mut archive, [paused(other, true)]);
        assert_eq!(due(&archive), (vec![], false));
        is_whole(&archive);
        events(&mut archive, [added(FEED), paused(other, false)]);
        assert_eq!(due(&archive).0, order);
    }
    // The pages of a feed that ended by itself are still visited.
    let ended = Event::FeedEnded {
        feed: FEED.to_owned(),
        why: "410".to_owned(),
    };
    events(&mut archive, [ended]);
    assert_eq!(due(&archive).0, order);
    is_whole(&archive);
    assert_eq!(due(&archive.rebuild().expect("rebuilt")).0, order);
}

/// A page that a person stored: a harvest requests only pages of feeds.
#[test]
fn a_page_that_no_feed_names_is_not_visited_again() {
    let dir = folder();
    let mut archive = open(dir.path());
    let url = "http://a.example/1";
    visit(&mut archive, url, 0, &text_of("one"));
    assert_eq!(due(&archive), (vec![], false));
    named(&mut archive, &[url]);
    assert_eq!(due(&archive), (vec![url.to_owned()], true));
}

fn states(archive: &Archive) -> Vec<(String, String, bool, String)> {
    let mut rows = archive
        .db
        .prepare("SELECT url, state, typed, why FROM feeds ORDER BY id")
        .expect("SQL");
    let rows = rows.query_map([], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
    });
    rows.expect("read").collect::<Result<_, _>>().expect("rows")
}

#[test]
fn a_feed_that_moves_on_its_own_server_is_still_the_one_that_was_typed() {
    for (from, to, typed) in [
        ("http://10.0.0.1:8080/a", "http://10.0.0.1:8080/b", true),
        ("http://a.example/a", "https://a.example/a", true),
        ("http://a.example/a", "http://a.example:81/a", false),
        ("http://a.example/a", "http://b.example/a", false),
    ] {
        let dir = folder();
        let mut archive = open(dir.path());
        events(&mut archive, [added(from), moved(from, to)]);
        let expected = (to.to_owned(), "active".to_owned(), typed, String::new());
        assert_eq!(states(&archive), [expected]);
        is_whole(&archive);
    }
}

#[test]
fn a_feed_that_moves_to_another_wakes_it_unless_it_is_paused() {
    let to = "http://b.example/feed";
    let gone = || to.to_owned();
    let removed = Event::FeedRemoved { feed: gone() };
    let ended = Event::FeedEnded {
        feed: gone(),
        why: "410".to_owned(),
    };
    for (before, state, why) in [
        (None, "active", "moved to http://b.example/feed"),
        (Some(removed), "active", "moved to http://b.example/feed"),
        (Some(ended), "active", "moved to http://b.example/feed"),
        (
            Some(paused(to, true)),
            "paused",
            "moved to http://b.example/feed, which is paused",
        ),
    ] {
        let dir = folder();
        let mut archive = open(dir.path());
        events(&mut archive, [added(to), added(FEED)]);
        events(&mut archive, before);
        events(&mut archive, [moved(FEED, to)]);
        let target = (gone(), state.to_owned(), true, String::new());
        let old = (FEED.to_owned(), "ended".to_owned(), true, why.to_owned());
        assert_eq!(states(&archive), [target, old]);
        is_whole(&archive);
    }
}

/// The first pages of a site are read before there is a wrapper.
#[test]
fn a_page_has_the_status_of_its_latest_reading() {
    let dir = folder();
    let mut archive = open(dir.path());
    let url = "http://a.example/1";
    let mut first = arrival(url, start(), "<p>one", Some(&text_of("one")));
    let read = first.article.as_mut().expect("read");
    (read.status, read.wrapper) = (Status::Fallback, None);
    first.wrapper = None;
    store(&mut archive, first);
    let status = |archive: &Archive| -> String {
        let found = archive
            .db
            .query_row("SELECT status FROM pages", [], |row| row.get(0));
        found.expect("a page")
    };
    assert_eq!(status(&archive), "fallback");
    let again = |archive: &mut Archive| {
        let again = Reread {
            at: start(),
            key: page_key(url),
            number: 1,
            joined: JoinedArticle::alone(article(url, &text_of("one"))),
            wrapper: "w1".to_owned(),
        };
        archive
            .write(vec![ArchiveChange::Reading(Box::new(again))])
            .expect("written");
    };
    again(&mut archive);
    assert_eq!(status(&archive), "ok");
    // The last failure stays.
    let mut failed = arrival(url, start() + TimeDelta::days(1), "", None);
    failed.response = VisitResponse::Nothing;
    failed.error = Some("no answer".to_owned());
    store(&mut archive, failed);
    again(&mut archive);
    assert_eq!(status(&archive), "error");
    is_whole(&archive);
}

/// The files of wrappers have the permissions of the user's mask, as all files of an archive.
#[cfg(unix)]
#[test]
fn files_that_are_replaced_may_be_read_by_whom_the_archive_may() {
    use std::os::unix::fs::PermissionsExt;
    let dir = folder();
    let archive = open(dir.path());
    let path = dir.path().join("file");
    archive.disk.replace(&path, b"x").expect("written");
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode();
    assert_eq!(mode(&path), mode(&archive.folder.path().join("../lock")));
}

/// A feed's answer, and the event of it.
fn answered(feed: &str, links: &[&str]) -> Vec<ArchiveChange> {
    let items = links
        .iter()
        .map(|link| format!("<item><title>Of {link}</title><link>{link}</link></item>"));
    let items: String = items.collect();
    let answer = ArchiveChange::Feed {
        at: start(),
        url: feed.to_owned(),
        exchange: HttpExchange {
            request_head: b"GET /feed HTTP/1.1\r\n\r\n".to_vec(),
            response_head: b"HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\n\r\n".to_vec(),
            body: format!("<rss version='2.0'><channel><title>Kept</title>{items}</channel></rss>")
                .into_bytes(),
            ..HttpExchange::default()
        },
    };
    let event = read(feed, links);
    vec![answer, ArchiveChange::Event { at: start(), event }]
}

#[test]
fn the_answer_of_a_feed_is_found_again() {
    let dir = folder();
    let mut archive = open(dir.path());
    events(&mut archive, [added(FEED)]);
    let latest_links = |archive: &Archive| {
        let reader = archive.reader().expect("a reader");
        let (number, _) = reader.numbered_feed(FEED).expect("readable")?;
        let profile = reader.profile_of(number).expect("readable")?;
        assert_eq!(profile.title, "Kept");
        let items = reader.latest_items(number).expect("readable").into_iter();
        let links = items.filter_map(|latest| latest.item.link);
        Some(links.map(String::from).collect::<Vec<_>>())
    };
    assert_eq!(latest_links(&archive), None);
    let (one, two) = ("http://a.example/1", "http://a.example/2");
    archive.write(answered(FEED, &[one])).expect("written");
    archive.write(answered(FEED, &[two, one])).expect("written");
    // An event without an answer does not remove the kept one.
    events(&mut archive, [read(FEED, &[two])]);
    let expected = Some(vec![two.to_owned(), one.to_owned()]);
    assert_eq!(latest_links(&archive), expected);
    is_whole(&archive);
    drop(archive);
    // The same with tables that are made from the files.
    remove_tables(dir.path());
    let archive = open(dir.path());
    assert_eq!(latest_links(&archive), expected);
    is_whole(&archive);
}

#[test]
fn titles_and_rules_from_lists_are_kept() {
    let dir = folder();
    let mut archive = open(dir.path());
    let rules = forest_core::feed::ItemRules {
        least_words: Some(80),
        ..Default::default()
    };
    let listed = Event::FeedListed {
        feed: FEED.to_owned(),
        title: "Mine".to_owned(),
        home: Some("http://a.example/".to_owned()),
        folders: vec![vec!["News".to_owned(), "Sea".to_owned()]],
    };
    let ruled = Event::FeedRules {
        feed: FEED.to_owned(),
        rules: rules.clone(),
    };
    events(&mut archive, [added(FEED), listed, ruled]);
    let row = archive.feed(FEED).expect("readable").expect("a feed");
    assert_eq!((row.listed_title.as_str(), &row.rules), ("Mine", &rules));
    let outline = row.outline(FEED.parse().expect("a URL"));
    assert_eq!(outline.folders[0].to_vec(), ["News", "Sea"]);
    assert_eq!(
        outline.html_url.map(String::from).as_deref(),
        Some("http://a.example/")
    );
    // The smallest minimum of the feeds counts.
    events(&mut archive, [read(FEED, &["http://a.example/1"])]);
    let page = archive.due_pages(start(), 1).expect("readable")[0].id;
    assert_eq!(archive.least_words(page).expect("readable"), Some(80));
    let other = "http://b.example/feed";
    events(
        &mut archive,
        [added(other), read(other, &["http://a.example/1"])],
    );
    assert_eq!(archive.least_words(page).expect("readable"), None);
    is_whole(&archive);
}

#[test]
fn past_events_are_listed_by_kind() {
    let dir = folder();
    let mut archive = open(dir.path());
    let (old, new) = (FEED, "http://a.example/new");
    let judged = |verdict: &str| Event::Judged {
        site: "a.example".to_owned(),
        verdict: verdict.to_owned(),
        why: "was ok".to_owned(),
    };
    let ended = Event::FeedEnded {
        feed: new.to_owned(),
        why: "410".to_owned(),
    };
    events(
        &mut archive,
        [
            added(old),
            judged("drift"),
            moved(old, new),
            judged("ok"),
            ended,
        ],
    );
    visit(&mut archive, "http://a.example/1", 0, &text_of("One"));
    visit(&mut archive, "http://a.example/1", 1, &text_of("Two"));
    visit(&mut archive, "http://b.example/1", 2, &text_of("Three"));
    let reader = archive.reader().expect("a reader");
    let lines_of = |kinds: &[EventKind], site: Option<&str>, limit| -> Vec<String> {
        let happened = reader.past_events(kinds, site, limit).expect("readable");
        let line = |one: PastEvent| format!("{} {}", one.kind, one.url.unwrap_or(one.site));
        happened.into_iter().map(line).collect()
    };
    let all = [
        "new http://b.example/1",
        "edited http://a.example/1",
        "new http://a.example/1",
        "drift a.example",
        "feed-moved http://a.example/feed",
        "feed-gone http://a.example/new",
    ];
    assert_eq!(lines_of(&EventKind::ALL, None, 10), all);
    assert_eq!(lines_of(&EventKind::ALL, Some("a.example"), 10), all[1..]);
    assert_eq!(
        lines_of(&[EventKind::New, EventKind::Drift], None, 1),
        [all[0], all[3]]
    );
    assert_eq!(lines_of(&[EventKind::Blocked], None, 10), [""; 0]);
}

/// The text of all records.
fn all_text(dir: &Path) -> String {
    let mut text = String::new();
    for file in fs::read_dir(dir.join("warc")).expect("a folder") {
        let packed = fs::read(file.expect("an entry").path()).expect("readable");
        let mut unpacked = Vec::new();
        let mut reader = flate2::read::MultiGzDecoder::new(&packed[..]);
        std::io::Read::read_to_end(&mut reader, &mut unpacked).expect("gzip");
        text.push_str(&String::from_utf8_lossy(&unpacked));
    }
    text
}

#[test]
fn a_forgotten_item_is_struck_out_of_the_answers_of_its_feed() {
    let dir = folder();
    let mut archive = open(dir.path());
    events(&mut archive, [added(FEED)]);
    let links = [
        "http://a.example/1",
        "http://a.example/secret",
        "http://a.example/3",
    ];
    archive.write(answered(FEED, &links[1..])).expect("written");
    archive.write(answered(FEED, &links)).expect("written");
    let visited = arrival(links[1], start(), "<p>Secret", Some(&text_of("secret")));
    store(&mut archive, visited);
    let before = all_text(dir.path());
    let count = |text: &str, part: &str| text.matches(part).count();
    let (archive, report) = archive
        .forget(&[links[1].to_owned()], start())
        .expect("forgotten");
    let after = all_text(dir.path());
    assert!(!after.contains("a.example/secret"), "{after}");
    for part in ["WARC-Type: response", "WARC-Type: request", "GET /feed"] {
        // One of three exchanges was the page's.
        let gone = usize::from(part.starts_with("WARC"));
        assert_eq!(count(&after, part) + gone, count(&before, part), "{part}");
    }
    assert_eq!(count(&after, "An item was taken out here"), 2);
    assert_eq!(report.struck, 2);
    let removed: Vec<_> = report
        .removed
        .iter()
        .map(|((kind, url), n)| (*kind, &**url, *n))
        .collect();
    let kinds = ["conversion", "metadata", "request", "response"];
    assert_eq!(removed, kinds.map(|kind| (kind, links[1], 1)));
    assert_eq!(report.records, 4);
    assert_eq!(dangling(dir.path()), Vec::<String>::new());
    let reader = archive.reader().expect("a reader");
    let (number, _) = reader
        .numbered_feed(FEED)
        .expect("readable")
        .expect("a feed");
    let left: Vec<String> = reader
        .latest_items(number)
        .expect("readable")
        .into_iter()
        .filter_map(|latest| latest.item.link.map(String::from))
        .collect();
    assert_eq!(left, [links[0], links[2]]);
    is_whole(&archive);
}

/// The table of contents of RSS 1.0 names the item, too.
#[test]
fn an_answer_that_names_a_forgotten_page_elsewhere_is_removed() {
    let dir = folder();
    let mut archive = open(dir.path());
    events(&mut archive, [added(FEED)]);
    let links = ["http://a.example/1", "http://a.example/secret"];
    let mut changes = answered(FEED, &links);
    if let ArchiveChange::Feed { exchange, .. } = &mut changes[0] {
        let body = String::from_utf8_lossy(&exchange.body);
        let contents = format!("<channel><!-- {} -->", links[1]);
        exchange.body = body.replacen("<channel>", &contents, 1).into_bytes();
    }
    archive.write(changes).expect("written");
    let (archive, report) = archive
        .forget(&[links[1].to_owned()], start())
        .expect("forgotten");
    assert!(!all_text(dir.path()).contains("a.example/secret"));
    assert_eq!(report.struck, 0);
    assert_eq!(report.removed.get(&("response", FEED.to_owned())), Some(&1));
    assert_eq!(report.removed.get(&("request", FEED.to_owned())), Some(&1));
    is_whole(&archive);
}
