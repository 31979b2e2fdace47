//! The reader: where it is found, and how its articles and their texts stand.

use super::Answer;
use super::archive::served;
use super::library::{articles, server_of};
use crate::harvest_cli::site::{Site, User};
use crate::loopback::Loopback;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
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
    for time in [
        "<time data-zone datetime=\"2100-01-02T03:00:00Z\">2 January 2100</time>",
        "<time data-zone datetime=\"2100-01-01T06:00:00Z\">1 January 2100</time>",
        "<time data-zone=\"day\" datetime=\"2099-12-31\">31 December 2099</time>",
        "<time data-zone datetime=\"2099-12-25T06:00:00Z\">25 December 2099</time>",
    ] {
        assert!(page.text().contains(time), "{}", page.text());
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
fn pages_follow_each_other_both_ways() {
    let (site, user) = (Site::new(0), User::new());
    user.add(&site).ends(0, &[]);
    // Two of a day each, so that a page ends between two of one time.
    let date = |n: usize| format!("{:02} Nov 2099 06:00:00 GMT", 1 + (n * 7) % 28);
    let items = (1..=70).map(|n| (n, date(n)));
    site.set(|show| show.more = dated(items));
    user.round(3, &[]).ends(0, &["70 new articles"]);
    let server = server_of(&user);
    let turned = |page: &Answer, to: &str| {
        let page = page.text();
        let (_, link) = page.split_once(&format!("rel=\"{to}\" href=\""))?;
        let link = link.split('"').next().expect("its end");
        Some(server.own(&format!("/{}", link.replace("&amp;", "&"))))
    };
    let mut pages = vec![server.own("/reader")];
    while let Some(next) = turned(&pages[pages.len() - 1], "next") {
        pages.push(next);
    }
    let shown: Vec<Vec<String>> = pages.iter().map(articles).collect();
    let lengths: Vec<usize> = shown.iter().map(Vec::len).collect();
    assert_eq!(lengths, [30, 30, 10]);
    let mut all = shown.concat();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 70, "each of them once");
    let before = |page: &Answer| turned(page, "prev").map(|page| articles(&page));
    assert_eq!(before(&pages[2]).as_ref(), Some(&shown[1]));
    assert_eq!(before(&pages[1]).as_ref(), Some(&shown[0]));
    assert_eq!(before(&pages[0]), None);
    // Where entries were read since, the page before has those that are left.
    let token = server.token();
    for path in &shown[1][..3] {
        let id = path.trim_start_matches("/reader/");
        let fields = [
            ("token", &*token),
            ("id", id),
            ("back", "reader"),
            ("mark", "read"),
            ("on", "true"),
        ];
        assert_eq!(server.send_form("/reader/mark", &fields).status, 303);
    }
    let left = [&shown[0][27..], &shown[1][3..]].concat();
    let last = turned(&pages[1], "next").expect("the last page");
    assert_eq!(before(&last), Some(left));
    for odd in ["x", "1", "-1", "1_", "_1", "_", "99999999999999999999_1"] {
        assert_eq!(
            articles(&server.own(&format!("/reader?after={odd}"))).len(),
            30,
            "{odd}"
        );
    }
}

async fn page_with_a_table() -> Response {
    let words = "השמש זרחה מעל הנמל הישן והדייגים יצאו אל הים עם שחר בסירות קטנות. ".repeat(8);
    let cells = "<td>1,234,567 tonnes</td>".repeat(12);
    let rows = format!("<tr><th>Year</th>{cells}</tr>").repeat(6);
    let page = format!(
        "<!DOCTYPE html><html lang=he><meta charset=utf-8><title>הנמל</title><article><h1>הנמל</h1>\
         <p>{words}</p><table>{rows}</table>\
         <math display=block><msup><mi>x</mi><mn>2</mn></msup></math><p>{words}</p></article>"
    );
    ([(header::CONTENT_TYPE, "text/html")], page).into_response()
}

async fn feed_of_a_table(headers: axum::http::HeaderMap) -> Response {
    let host = headers[header::HOST].to_str().expect("ASCII");
    let feed = format!(
        "<rss version='2.0'><channel><title>חדשות</title><link>http://{host}/</link>\
         <item><title>הנמל</title><link>http://{host}/1</link></item></channel></rss>"
    );
    ([(header::CONTENT_TYPE, "application/rss+xml")], feed).into_response()
}

#[test]
fn texts_have_their_own_direction_and_tables_and_formulas_scroll_alone() {
    let site = Loopback::of(|_| {
        axum::Router::new()
            .route("/feed", get(feed_of_a_table))
            .route("/1", get(page_with_a_table))
    });
    let user = User::new();
    user.add_all(&[&format!("http://{}/feed", site.address)])
        .ends(0, &[]);
    user.round(3, &[]).ends(0, &["1 new article"]);
    let server = server_of(&user);
    let article = server.own("/reader/1").text();
    assert!(article.contains("<div class=scroll><table>"), "{article}");
    assert!(article.contains("</table></div>"), "{article}");
    assert!(article.contains("<math display=\"block\">"), "{article}");
    let style = server.own("/filter/style.css").text();
    let scrolling = style
        .lines()
        .filter(|line| line.contains("overflow-x: auto"));
    assert!(
        scrolling
            .into_iter()
            .any(|line| line.contains("math[display=block]"))
    );
    assert!(article.contains("<div dir=\"auto\"><h1>הנמל"), "{article}");
    // The page's own heading does not repeat it.
    assert_eq!(article.matches("<h1").count(), 1, "{article}");
    assert!(article.contains("<div dir=\"auto\"><"), "{article}");
    for (path, part) in [
        ("/reader", "dir=\"ltr\">Unread: </span>הנמל</a>"),
        ("/reader", "<span dir=\"auto\">חדשות</span>"),
        ("/search?q=הנמל", " dir=\"auto\">הנמל</a>"),
        ("/search?q=הנמל", "<p dir=\"auto\">"),
        ("/archive", "<span dir=\"auto\">חדשות</span>"),
    ] {
        let coded: String = path.replace("הנמל", "%D7%94%D7%A0%D7%9E%D7%9C");
        let page = server.own(&coded).text();
        assert!(page.contains(part), "{path} has {part}: {page}");
    }
}

#[test]
fn an_article_shows_no_less_than_its_feed() {
    let (site, user) = (Site::new(2), User::new());
    let long: String = (0..400).map(|n| format!("word{n} ")).collect();
    let whole = format!(
        "<item><title>Behind a wall</title><link>http://HOST/story/9</link>\
         <content:encoded>&lt;p>{long}&lt;/p>&lt;script>steal()&lt;/script></content:encoded></item>"
    );
    site.set(|show| show.more = whole.clone());
    user.add(&site).ends(0, &["3 items"]);
    user.round(3, &[]).ends(0, &["3 new articles"]);
    let server = server_of(&user);
    let pages: Vec<String> = articles(&server.own("/reader"))
        .iter()
        .map(|path| server.own(path).text())
        .collect();
    let (of_feed, of_page): (Vec<&String>, Vec<&String>) =
        pages.iter().partition(|page| page.contains("word399"));
    assert_eq!((of_feed.len(), of_page.len()), (1, 2));
    assert!(of_feed[0].contains("The page shows less"), "{}", of_feed[0]);
    assert!(!of_feed[0].contains("steal"), "{}", of_feed[0]);
    for page in of_page {
        assert!(page.contains("of story") && !page.contains("The page shows less"));
    }
}
