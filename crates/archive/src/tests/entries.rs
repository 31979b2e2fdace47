//! The names of entries in served feeds, through polls of feeds that change.

use super::feeds::{FEED, events};
use super::*;
use crate::export::{WhichItems, feed_channel, site_channel};
use forest_core::feed::write::FeedEntry;
use forest_core::feed::{self, FeedItem};
use std::collections::HashMap;

/// How an answer was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Writer {
    /// By a release that served entries by their links.
    Earlier,
    Present,
}

/// A feed that was added.
fn added(dir: &Path) -> Archive {
    let mut archive = open(dir);
    let feed = FEED.to_owned();
    events(&mut archive, [Event::FeedAdded { feed }]);
    archive
}

/// Writes an answer of the feed on a day, with its new and changed items.
fn poll(archive: &mut Archive, url: &str, day: i64, items: &str, by: Writer) {
    let body = format!("<rss version='2.0'><channel><title>News</title>{items}</channel></rss>");
    let content = feed::parse(body.as_bytes(), url.parse().ok().as_ref(), None).expect("a feed");
    let at = start() + TimeDelta::days(day);
    let named = archive.name_items(url, &content).expect("readable");
    let mut names = HashSet::new();
    let mut new = Vec::new();
    for (item, named) in content.items.iter().zip(named) {
        let link = item.link.as_ref().map(ToString::to_string);
        let is_first = names.insert(named.name.clone());
        if is_first && named.known_digest.as_ref() != Some(&named.digest) {
            new.push(StoredItem {
                id: named.name,
                link: link.unwrap_or_default(),
                entry: (by == Writer::Present).then_some(named.entry),
                title: item.title.clone(),
                published: item.date().map(ToString::to_string),
                digest: named.digest,
                ..StoredItem::default()
            });
        }
    }
    let answer = ArchiveChange::Feed {
        at,
        url: url.to_owned(),
        exchange: HttpExchange {
            request_head: b"GET /feed HTTP/1.1\r\n\r\n".to_vec(),
            response_head: b"HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\n\r\n".to_vec(),
            body: body.into_bytes(),
            ..HttpExchange::default()
        },
    };
    let event = Event::FeedRead {
        feed: url.to_owned(),
        title: "News".to_owned(),
        items: new,
    };
    let changes = vec![answer, ArchiveChange::Event { at, event }];
    archive.write(changes).expect("written");
}

/// The entries of the feed, in their order.
fn entries(archive: &Archive, url: &str) -> Vec<FeedEntry> {
    let reader = archive.reader().expect("a reader");
    let channel = feed_channel(&reader, url, &WhichItems::default());
    let entries = channel.expect("readable").expect("a feed").entries;
    let ids: HashSet<&str> = entries.iter().map(|entry| entry.id.as_str()).collect();
    assert_eq!(ids.len(), entries.len(), "{entries:?}");
    entries
}

/// Title and name of each entry.
fn names(archive: &Archive, url: &str) -> Vec<(String, String)> {
    let entries = entries(archive, url).into_iter();
    entries.map(|entry| (entry.title, entry.id)).collect()
}

fn item(title: &str, link: &str, guid: &str) -> String {
    let link = match link {
        "" => String::new(),
        link => format!("<link>{link}</link>"),
    };
    let guid = match guid {
        "" => String::new(),
        guid => format!("<guid isPermaLink='false'>{guid}</guid>"),
    };
    format!("<item><title>{title}</title>{link}{guid}</item>")
}

/// Each answer with the names of the feed's entries after it. Made again from the files, the
/// tables give the same names.
fn check(answers: &[(Writer, &str)], expected: &[&[(&str, &str)]]) {
    let dir = folder();
    let mut archive = added(dir.path());
    for (day, ((by, items), expected)) in (0..).zip(answers.iter().zip(expected)) {
        poll(&mut archive, FEED, day, items, *by);
        let found = names(&archive, FEED);
        let found: Vec<_> = found
            .iter()
            .map(|(t, id)| (t.as_str(), id.as_str()))
            .collect();
        assert_eq!(found, *expected, "after answer {day}");
    }
    let before = names(&archive, FEED);
    let archive = archive.rebuild().expect("rebuilt");
    assert_eq!(names(&archive, FEED), before);
    is_whole(&archive);
}

fn urn(name: &str) -> String {
    let feed = "urn:forest:http%3A%2F%2Fa.example%2Ffeed+";
    format!("{feed}{name}")
}

#[test]
fn an_entry_keeps_its_name_when_its_link_changes() {
    let links = [
        "http://a.example/2026/ferry?utm_campaign=c1",
        "http://a.example/2026/ferry?utm_campaign=c2",
        "https://a.example/2026/ferry",
        "https://a.example/2026/the-ferry-is-back",
        "https://a.example/2026/the-ferry-is-back?session=77",
    ];
    let answers = links.map(|link| item("Ferry", link, "f1"));
    let answers: Vec<_> = answers
        .iter()
        .map(|items| (Writer::Present, items.as_str()))
        .collect();
    let id = urn("f1");
    let same: &[(&str, &str)] = &[("Ferry", &id)];
    check(&answers, &[same; 5]);
}

#[test]
fn an_entry_that_an_earlier_release_served_keeps_its_link_as_its_name() {
    let (old, new) = ("http://a.example/ferry", "https://a.example/ferry?x=1");
    let (one, two) = (item("Ferry", old, "f1"), item("Ferry", new, "f1"));
    let three = item("Mill", "http://a.example/mill", "f2") + &two;
    let mill = urn("f2");
    check(
        &[
            (Writer::Earlier, &one),
            (Writer::Present, &one),
            (Writer::Present, &two),
            (Writer::Present, &three),
        ],
        &[
            &[("Ferry", old)],
            &[("Ferry", old)],
            &[("Ferry", old)],
            &[("Mill", &mill), ("Ferry", old)],
        ],
    );
    // The last link that it served.
    check(
        &[
            (Writer::Earlier, &one),
            (Writer::Earlier, &two),
            (Writer::Present, &one),
        ],
        &[&[("Ferry", old)], &[("Ferry", new)], &[("Ferry", new)]],
    );
}

/// Without an identifier of its own, or with its link as such, an item is known by its link.
#[test]
fn an_entry_without_an_identifier_has_its_link_as_its_name() {
    let link = "http://a.example/ferry";
    let moved = "https://a.example/ferry";
    let without = item("Ferry", link, "");
    check(&[(Writer::Present, &without)], &[&[("Ferry", link)]]);
    let with = item("Ferry", link, link);
    let later = item("Ferry", moved, link);
    check(
        &[(Writer::Present, &with), (Writer::Present, &later)],
        &[&[("Ferry", link)], &[("Ferry", link)]],
    );
    // Identifiers are added later.
    let guided = item("Ferry", link, "f1");
    check(
        &[(Writer::Present, &without), (Writer::Present, &guided)],
        &[&[("Ferry", link)], &[("Ferry", link)]],
    );
}

/// The entries of a feed after an answer, by their titles.
fn by_title(archive: &Archive) -> std::collections::BTreeMap<String, String> {
    names(archive, FEED).into_iter().collect()
}

#[test]
fn items_that_share_all_but_their_contents_are_all_kept() {
    let home = "http://a.example/";
    let cast = |n: usize, link: &str, guid: &str| {
        let file =
            format!("<enclosure url='http://a.example/{n}.mp3' type='audio/mpeg' length='9'/>");
        let item = item(&format!("Part {n}"), link, guid);
        item.replace(
            "</item>",
            &format!("<description>Number {n}</description>{file}</item>"),
        )
    };
    for (link, guid) in [(home, "cast"), (home, ""), ("", "N/A"), (home, home)] {
        let dir = folder();
        let mut archive = added(dir.path());
        let all = |parts: std::ops::RangeInclusive<usize>| -> String {
            parts.rev().map(|n| cast(n, link, guid)).collect()
        };
        poll(&mut archive, FEED, 0, &all(1..=3), Writer::Present);
        let first = by_title(&archive);
        assert_eq!(first.len(), 3, "{link} {guid}: {first:?}");
        poll(&mut archive, FEED, 1, &all(1..=5), Writer::Present);
        let second = by_title(&archive);
        assert_eq!(second.len(), 5, "{link} {guid}: {second:?}");
        assert!(
            first
                .iter()
                .all(|(title, id)| second.get(title) == Some(id))
        );
        // Only the last one is left in the feed.
        poll(&mut archive, FEED, 2, &all(5..=5), Writer::Present);
        let third = by_title(&archive);
        if !link.is_empty() {
            assert_eq!(third, second);
        }
        let archive = archive.rebuild().expect("rebuilt");
        assert_eq!(by_title(&archive), third);
    }
}

#[test]
fn an_item_keeps_its_name_when_others_come_to_share_it() {
    let link = "http://a.example/";
    let (one, two) = (item("Part 1", link, "cast"), item("Part 2", link, "cast"));
    for (by, id) in [
        (Writer::Present, urn("cast")),
        (Writer::Earlier, link.to_owned()),
    ] {
        let dir = folder();
        let mut archive = added(dir.path());
        poll(&mut archive, FEED, 0, &one, by);
        assert_eq!(by_title(&archive)["Part 1"], id);
        poll(
            &mut archive,
            FEED,
            1,
            &(two.clone() + &one),
            Writer::Present,
        );
        let both = by_title(&archive);
        assert_eq!((both.len(), &both["Part 1"]), (2, &id));
        poll(&mut archive, FEED, 2, &two, Writer::Present);
        assert_eq!(by_title(&archive)["Part 2"], both["Part 2"]);
        // Others have other links under this identifier.
        let other = item("Part 3", "http://a.example/3", "cast");
        poll(&mut archive, FEED, 3, &(other + &one), Writer::Present);
        assert_eq!(by_title(&archive)["Part 1"], id);
        is_whole(&archive);
    }
}

#[test]
fn an_item_without_identifier_and_link_is_named_by_its_contents() {
    let dir = folder();
    let mut archive = added(dir.path());
    let note = |title: &str, more: &str| format!("<item><title>{title}</title>{more}</item>");
    let file =
        |n: usize| format!("<enclosure url='http://a.example/{n}.mp3' type='a/b' length='1'/>");
    let first =
        note("Note", &file(1)) + &note("Gate", "<pubDate>Fri, 13 Nov 2026 08:00:00 GMT</pubDate>");
    poll(&mut archive, FEED, 0, &first, Writer::Present);
    let before = names(&archive, FEED);
    assert_eq!(before.len(), 2);
    let later = note("Gate", "<pubDate>Sat, 14 Nov 2026 08:00:00 GMT</pubDate>")
        + &note("Note", &file(2))
        + &first;
    poll(&mut archive, FEED, 1, &later, Writer::Present);
    let after = names(&archive, FEED);
    assert_eq!((after.len(), &after[2..]), (4, &before[..]));
}

/// Entries without a page have no row in the tables.
#[test]
fn entries_of_a_feed_that_moves_keep_their_names() {
    let dir = folder();
    let mut archive = added(dir.path());
    let items = item("Note", "", "n1") + &item("Ferry", "http://a.example/1", "f1");
    poll(&mut archive, FEED, 0, &items, Writer::Present);
    let before = names(&archive, FEED);
    let row = archive.feed(FEED).expect("readable").expect("a feed");
    let to = "https://a.example/feed";
    let moved = |named| Event::FeedMoved {
        feed: FEED.to_owned(),
        to: to.to_owned(),
        named,
    };
    events(&mut archive, [moved(Some(row.named))]);
    assert_eq!(names(&archive, to), before);
    poll(
        &mut archive,
        to,
        1,
        &(item("Mill", "", "n2") + &items),
        Writer::Present,
    );
    assert_eq!(names(&archive, to)[1..], before);
    let archive = archive.rebuild().expect("rebuilt");
    assert_eq!(names(&archive, to)[1..], before);
}

/// The texts of the entries of the feed.
fn texts(archive: &Archive) -> Vec<(String, String)> {
    let text = |entry: FeedEntry| (entry.title, feed::plain_text(&entry.html));
    entries(archive, FEED).into_iter().map(text).collect()
}

fn told(title: &str, link: &str, text: &str) -> String {
    let item = item(title, link, title);
    let text = format!(
        "<description>{text}</description><pubDate>Fri, 13 Nov 2026 08:00:00 GMT</pubDate>"
    );
    item.replace("</item>", &format!("{text}</item>"))
}

#[test]
fn items_of_one_page_keep_their_own_texts() {
    let page = "http://a.example/notices";
    let own = |title: &str, text: &str| (title.to_owned(), text.to_owned());
    let whole = text_of("The page");
    for (links, titles, is_own) in [
        // Anchors of one page.
        (
            [format!("{page}#2"), format!("{page}#1")],
            ["Gate", "Mill"],
            true,
        ),
        ([page.to_owned(), page.to_owned()], ["Gate", "Mill"], true),
        // The same news twice.
        (
            [page.to_owned(), format!("{page}?utm_source=b")],
            ["Gate", "Gate "],
            false,
        ),
    ] {
        let dir = folder();
        let mut archive = added(dir.path());
        let items = told(titles[0], &links[0], "Shut.") + &told(titles[1], &links[1], "Open.");
        poll(&mut archive, FEED, 0, &items, Writer::Present);
        visit(&mut archive, page, 1, &whole);
        let found = texts(&archive);
        if is_own {
            assert_eq!(found, [own("Gate", "Shut."), own("Mill", "Open.")]);
            let day = "2026-11-13T08:00:00+00:00";
            let dates = entries(&archive, FEED)
                .into_iter()
                .map(|entry| entry.published);
            assert!(dates.flatten().all(|date| date.to_rfc3339() == day));
        } else {
            let is_whole = |(_, text): &(String, String)| text.contains("The page 1 on");
            assert!(found.iter().all(is_whole), "{found:?}");
        }
        // One item of two is left, and a third one comes.
        let later =
            told("Crane", &format!("{page}#3"), "Red.") + &told(titles[0], &links[0], "Shut.");
        poll(&mut archive, FEED, 2, &later, Writer::Present);
        let found = texts(&archive);
        assert_eq!(found[..2], [own("Crane", "Red."), own("Gate", "Shut.")]);
        if is_own {
            // The answer that had it is read again.
            assert_eq!(found[2..], [own("Mill", "Open.")]);
        }
        is_whole(&archive);
    }
}

/// The addresses of three episodes lead to the home page.
#[test]
fn items_whose_links_redirect_to_one_page_keep_their_own_texts() {
    let dir = folder();
    let mut archive = added(dir.path());
    let link = |n: usize| format!("http://a.example/episode/{n}");
    let items: String = (1..4)
        .map(|n| told(&format!("Part {n}"), &link(n), "Words."))
        .collect();
    poll(&mut archive, FEED, 0, &items, Writer::Present);
    for n in 1..4 {
        let mut came = arrival(&link(n), start(), "<p>Home", Some(&text_of("Home")));
        came.final_url = Some("http://a.example/".to_owned());
        store(&mut archive, came);
    }
    let found = texts(&archive);
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|(_, text)| text == "Words."), "{found:?}");
}

/// A feed that gives its items new identifiers in each answer.
#[test]
fn an_item_with_ever_new_identifiers_is_one_entry_with_its_article() {
    let dir = folder();
    let mut archive = added(dir.path());
    let link = "http://a.example/1";
    let mut seen = HashSet::new();
    for day in 0..4 {
        let items = item("Ferry", link, &format!("random-{day}"))
            + &item("Mill", "http://a.example/mill", &format!("{day}"));
        poll(&mut archive, FEED, day, &items, Writer::Present);
        seen.extend(names(&archive, FEED));
    }
    assert_eq!(seen.len(), 2, "{seen:?}");
    visit(&mut archive, link, 1, &text_of("The ferry"));
    let found = texts(&archive);
    assert_eq!(found.len(), 2);
    assert!(found[0].1.contains("The ferry 1 on"), "{found:?}");
    is_whole(&archive);
}

#[test]
fn another_identifier_with_another_title_or_date_is_another_entry() {
    let link = "http://a.example/menu";
    let dated = |day: u32, guid: &str| {
        let date = format!("<pubDate>{day} Nov 2026 08:00:00 GMT</pubDate></item>");
        item("Menu", link, guid).replace("</item>", &date)
    };
    for [first, second] in [
        [item("Soup", link, "m1"), item("Fish", link, "m2")],
        [dated(13, "m1"), dated(14, "m2")],
    ] {
        let dir = folder();
        let mut archive = added(dir.path());
        poll(&mut archive, FEED, 0, &first, Writer::Present);
        assert_eq!(names(&archive, FEED)[0].1, urn("m1"));
        poll(&mut archive, FEED, 1, &second, Writer::Present);
        assert_eq!(names(&archive, FEED)[0].1, urn("m2"));
    }
}

/// The largest feed of a site comes first, and another one may become the largest.
#[test]
fn an_entry_of_a_site_keeps_its_name_whichever_feed_is_the_largest() {
    let dir = folder();
    let mut archive = added(dir.path());
    let other = "http://a.example/other";
    let feed = other.to_owned();
    events(&mut archive, [Event::FeedAdded { feed }]);
    let link = |n: usize| format!("http://a.example/{n}");
    let items = |numbers: std::ops::Range<usize>, of: &str| -> String {
        let items = numbers.map(|n| item(&format!("Story {n}"), &link(n), &format!("{of}{n}")));
        items.collect()
    };
    let named = |archive: &Archive| -> std::collections::BTreeMap<String, String> {
        let reader = archive.reader().expect("a reader");
        let channel = site_channel(&reader, "a.example", &WhichItems::default());
        let entries = channel.expect("readable").expect("a site").entries;
        entries
            .into_iter()
            .map(|entry| (entry.title, entry.id))
            .collect()
    };
    poll(&mut archive, FEED, 0, &items(0..4, "f"), Writer::Present);
    let alone = named(&archive);
    poll(&mut archive, other, 1, &items(2..5, "o"), Writer::Present);
    let before = named(&archive);
    assert_eq!((alone.len(), before.len()), (4, 5));
    assert!(
        alone.iter().all(|(title, id)| before[title] == *id),
        "{before:?}"
    );
    poll(&mut archive, other, 2, &items(2..9, "o"), Writer::Present);
    let after = named(&archive);
    assert_eq!(after.len(), 9);
    assert!(
        before.iter().all(|(title, id)| after[title] == *id),
        "{after:?}"
    );
}

/// Ten thousand items of one name are named in one pass.
#[test]
fn a_feed_of_one_name_is_named_in_time() {
    let dir = folder();
    let archive = added(dir.path());
    let item = |n: usize| FeedItem {
        id: "cast".to_owned(),
        title: format!("Part {n}"),
        link: "http://a.example/".parse().ok(),
        ..FeedItem::default()
    };
    let rss = b"<rss version='2.0'><channel><title>News</title></channel></rss>";
    let mut content = feed::parse(rss, None, None).expect("a feed");
    content.items = (0..10_000).map(item).collect();
    let named = archive.name_items(FEED, &content).expect("readable");
    let names: HashSet<&str> = named.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names.len(), 10_000);
}

#[test]
fn an_item_without_identifier_keeps_its_name_while_its_link_changes_form() {
    let of = |scheme: &str, mark: &str, title: &str| {
        item(title, &format!("{scheme}://a.example/p/1{mark}"), "")
    };
    let first = "http://a.example/p/1?utm_source=x1";
    let answers = [
        of("http", "?utm_source=x1", "One"),
        of("http", "?utm_source=x2", "One"),
        of("https", "?utm_source=x3&amp;fbclid=4", "One"),
        of("https", "", "One"),
    ];
    for by in [Writer::Present, Writer::Earlier] {
        let mut answers: Vec<_> = answers
            .iter()
            .map(|items| (Writer::Present, items.as_str()))
            .collect();
        answers[0].0 = by;
        let entry: &[_] = &[("One", first)];
        check(&answers, &[entry; 4]);
    }
    // Another title may be another item of the page.
    let (one, other) = (of("http", "#n1", "One"), of("http", "#n2", "Two"));
    check(
        &[(Writer::Present, &one), (Writer::Present, &other)],
        &[
            &[("One", "http://a.example/p/1#n1")],
            &[("Two", "http://a.example/p/1#n2")],
        ],
    );
}

/// The numbers of the entries by their titles.
fn numbers(archive: &Archive) -> Vec<(String, i64)> {
    let entries = entries(archive, FEED).into_iter();
    entries
        .map(|entry| (entry.title, entry.number.expect("a number")))
        .collect()
}

#[test]
fn an_entry_keeps_its_number_through_polls_a_rebuild_and_what_is_forgotten() {
    let dir = folder();
    let mut archive = added(dir.path());
    let (ferry, mill, note) = (
        item("Ferry", "http://a.example/ferry", "f1"),
        item("Mill", "http://a.example/mill", ""),
        item("Note", "", "n1"),
    );
    let mut known: HashMap<String, i64> = HashMap::new();
    let moved = ferry.replace("a.example/ferry", "a.example/the-ferry?session=7");
    for (day, answer) in (0..).zip([
        ferry.clone(),
        format!("{mill}{ferry}"),
        format!("{note}{mill}{moved}"),
        format!("{moved}{note}"),
    ]) {
        poll(&mut archive, FEED, day, &answer, Writer::Present);
        for (title, number) in numbers(&archive) {
            assert!(number > 0);
            assert_eq!(*known.entry(title).or_insert(number), number);
        }
    }
    assert_eq!(known.len(), 3);
    // They grow with time.
    assert!(known["Ferry"] < known["Mill"] && known["Mill"] < known["Note"]);
    let mut archive = archive.rebuild().expect("rebuilt");
    let same = |archive: &Archive| {
        let mut found = numbers(archive).into_iter();
        found.all(|(title, number)| known[&title] == number)
    };
    assert!(same(&archive));
    let forgotten = ["http://a.example/mill".to_owned()];
    (archive, _) = archive.forget(&forgotten, start()).expect("forgotten");
    assert_eq!(numbers(&archive).len(), 2);
    assert!(same(&archive));
    is_whole(&archive);
}

#[test]
fn of_items_that_come_at_one_time_each_has_a_number_of_its_own() {
    let dir = folder();
    let mut archive = added(dir.path());
    let items = (0..500).map(|n| item(&format!("Item {n}"), "", &format!("g{n}")));
    poll(
        &mut archive,
        FEED,
        0,
        &items.collect::<String>(),
        Writer::Present,
    );
    let found: HashSet<i64> = numbers(&archive).into_iter().map(|(_, n)| n).collect();
    assert_eq!(found.len(), 500);
    // A number that another feed's item has already is not given again.
    let sql = "UPDATE items SET number = number - 1 WHERE item = 'g7'";
    archive.db.execute(sql, []).expect("written");
    let taken = crate::item_names::entry_number(start().timestamp_millis(), FEED, "new");
    let sql = "UPDATE items SET number = ?1 WHERE item = 'g8'";
    archive.db.execute(sql, [taken]).expect("written");
    poll(
        &mut archive,
        FEED,
        0,
        &item("New", "", "new"),
        Writer::Present,
    );
    let new = numbers(&archive)
        .into_iter()
        .find(|(title, _)| title == "New");
    assert_eq!(new, Some(("New".to_owned(), taken + 1)));
}

/// The archive knows an item without a page as it knows others.
#[test]
fn an_item_without_a_link_stays_when_it_leaves_the_feed_and_keeps_its_name() {
    let (one, two) = (item("Note", "", "n1"), item("Other", "", "n2"));
    let edited = item("Note, edited", "", "n1");
    let (a, b) = (urn("n1"), urn("n2"));
    check(
        &[
            (Writer::Present, &one),
            (Writer::Present, &(two.clone() + &one)),
            (Writer::Present, &(edited + &two)),
            (Writer::Present, &two),
        ],
        &[
            &[("Note", &a)],
            &[("Other", &b), ("Note", &a)],
            &[("Note, edited", &a), ("Other", &b)],
            &[("Other", &b), ("Note, edited", &a)],
        ],
    );
}

#[test]
fn a_feed_is_served_without_its_last_answer() {
    let dir = folder();
    let mut archive = added(dir.path());
    let items = told(
        "Ferry",
        "http://a.example/ferry",
        "It &lt;b&gt;sails&lt;/b&gt; again.",
    ) + &told("Mill", "http://a.example/mill", "It turns.")
        + &told("Note", "", "No page.");
    poll(&mut archive, FEED, 0, &items, Writer::Present);
    let before = entries(&archive, FEED);
    assert!(
        before[0].html.contains("<b>sails</b>"),
        "{}",
        before[0].html
    );
    let pages = archive.folder.file(FileId::new(1, FileKind::Pages));
    fs::remove_file(pages).expect("removed");
    assert_eq!(entries(&archive, FEED), before);
}
