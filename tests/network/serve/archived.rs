//! The page of an article as archived, with its stored pictures and style sheets.

use super::{Running, options};
use crate::harvest_cli::site::User;
use crate::loopback::Loopback;
use crate::story::paragraphs;
use axum::Router;
use axum::extract::Path;
use axum::http::header;
use axum::response::{Html, IntoResponse};
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use forest_serve::FilterPages;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x40\0\0\0\x40\x08\0\0\0\0";
const CSS: &str = "body { background: url(/back.png) } h1 { color: teal }";

async fn feed() -> impl IntoResponse {
    let items = (1..=4).map(|n| {
        format!("<item><guid>{n}</guid><title>Story {n}</title><link>/story/{n}</link></item>")
    });
    let items: String = items.collect();
    let kind = [(header::CONTENT_TYPE, "application/rss+xml")];
    let rss = "<rss version='2.0'><channel><title>G</title><link>/</link>";
    (kind, format!("{rss}{items}</channel></rss>"))
}

async fn story(Path(n): Path<usize>) -> Html<String> {
    let paragraphs = paragraphs("", n).into_iter();
    let body: String = paragraphs.map(|text| format!("<p>{text}</p>")).collect();
    Html(format!(
        "<!DOCTYPE html><html lang=en><title>Story {n}</title><link rel=stylesheet href=/style.css>\
         <link rel=stylesheet href=/gone.css><script src=/x.js></script><body><h1>Story {n}</h1>\
         <div class=story>{body}<picture><source srcset='/p/{n}.webp 2x'><img src=/p/{n}.png alt=Harbour width=64 \
         height=64></picture></div><img src=/logo.png width=64 height=64><div class=foot>All rights reserved.</div>"
    ))
}

async fn picture(Path(file): Path<String>) -> impl IntoResponse {
    let kind = [(header::CONTENT_TYPE, "image/png")];
    (kind, [PNG, file.as_bytes()].concat())
}

/// The page of an article, and what is said of it beside the article.
fn shown(more: &[&str]) -> (String, String) {
    let [page, beside, _] = pages(more);
    (page, beside)
}

#[test]
fn an_article_without_a_picture_begins_with_that_of_its_page() {
    let story = |Path(n): Path<usize>| async move {
        let body = paragraphs("", n).concat();
        Html(format!(
            "<!DOCTYPE html><html lang=en><title>Story {n}</title><meta property=og:image content=/p/{n}.png>\
             <body><h1>Story {n}</h1><div class=story><p>{body}</p></div>"
        ))
    };
    let router = Router::new()
        .route("/feed", get(feed))
        .route("/story/{n}", get(story))
        .route("/p/{file}", get(picture));
    let (site, user) = (Loopback::of(|_| router), User::new());
    user.add_all(&[&format!("http://{}/feed", site.address)]);
    user.round(3, &["--with-images"]).ends(0, &["4 pictures"]);
    let server = super::library::server_of(&user);
    let path = super::library::articles(&server.own("/reader"))[0].clone();
    let article = server.own(&path).text();
    let (_, text) = article.split_once("<article").expect("an article");
    let picture = "<p class=\"lead\"><img loading=lazy src=\"../archive/resource/";
    assert_eq!(text.matches(picture).count(), 1, "{article}");
}

/// A site with pictures, and the server of its archive after a harvest with these options.
pub fn illustrated(more: &[&str]) -> (Loopback, User, Running) {
    illustrated_by_rules(&[], more)
}

/// The same, where the feed was added with these rules.
fn illustrated_by_rules(rules: &[&str], more: &[&str]) -> (Loopback, User, Running) {
    let css = || async { ([(header::CONTENT_TYPE, "text/css")], CSS) };
    let router = Router::new()
        .route("/feed", get(feed))
        .route("/story/{n}", get(story))
        .route("/p/{file}", get(picture))
        .route("/style.css", get(css));
    let (site, user) = (Loopback::of(|_| router), User::new());
    let feed = format!("http://{}/feed", site.address);
    user.add_all(&[&[&*feed], rules].concat())
        .ends(0, &["4 items"]);
    let round = user.round_args("2100-01-01T12:00:00Z");
    user.run(&[&round[..], more].concat()).ends(0, &[]);
    let pages = FilterPages::new(options().with_archive(user.store())).expect("pages");
    let server = Running::of(&pages, FilterPages::server);
    (site, user, server)
}

/// The same, and the page of feeds, after a harvest with these options.
fn pages(more: &[&str]) -> [String; 3] {
    let (_site, _user, server) = illustrated(more);
    let page = server.own("/reader/1/page");
    let policy = page.header("content-security-policy").expect("one");
    assert!(
        policy.starts_with("sandbox; default-src 'none'"),
        "{policy}"
    );
    for loads in ["'self'", "http", "*"] {
        assert!(
            !policy
                .split("frame-ancestors")
                .next()
                .is_some_and(|p| p.contains(loads)),
            "{policy}"
        );
    }
    let beside = server.own("/reader/1?beside=page");
    [page, beside, server.own("/archive")].map(|answer| answer.text())
}

/// Where people read, pictures are wanted.
#[test]
fn a_harvest_that_serves_stores_pictures_within_a_budget() {
    let check = |more: &[&str], are_stored: bool| {
        let [_, beside, feeds] = pages(more);
        let is_shown = beside.contains("src=\"../archive/resource/");
        assert_eq!(is_shown, are_stored, "{more:?}: {beside}");
        assert_eq!(feeds.contains("\">0.1 MB</td>"), are_stored, "{feeds}");
    };
    let serve = ["--serve", "127.0.0.1:0"];
    check(&serve, true);
    check(&[&serve[..], &["--no-images"]].concat(), false);
    check(&[&serve[..], &["--image-budget", "0"]].concat(), false);
    check(&["--image-budget", "1"], true);
    check(&[], false);
}

#[test]
fn a_feed_has_its_own_budget_of_pictures() {
    let check = |own: &str, more: &[&str], said: &str, are_stored: bool| {
        let (_site, _user, server) = illustrated_by_rules(&["--image-budget", own], more);
        let feeds = server.own("/archive").text();
        assert!(feeds.contains(said), "{feeds}");
        let article = server.own("/reader/1").text();
        let is_shown = article.contains("src=\"../archive/resource/");
        assert_eq!(is_shown, are_stored, "{own} {more:?}: {article}");
    };
    check("0", &["--with-images"], "none are stored", false);
    check("0", &["--image-budget", "1"], "none are stored", false);
    check("2", &["--image-budget", "0"], "at most 2 MB", true);
    // It is the run that stores pictures at all.
    check("2", &[], "at most 2 MB", false);
}

#[test]
fn stored_pictures_and_style_sheets_are_in_the_page_itself() {
    let (page, beside) = shown(&["--with-requisites"]);
    assert!(
        page.contains(&format!("data:text/css;base64,{}", STANDARD.encode(CSS))),
        "{page}"
    );
    assert!(page.contains("src=\"data:image/png;base64,"), "{page}");
    assert!(
        page.contains("srcset=\"\"") && page.contains("/logo.png"),
        "{page}"
    );
    assert!(!page.contains("<style>:where(body)"), "{page}");
    let said = "the archive has 1 of its 2 pictures and 1 of its 2 style sheets.";
    assert!(beside.contains(said), "{beside}");
}

#[test]
fn without_stored_style_sheets_a_page_is_in_a_reading_style() {
    let (page, beside) = shown(&["--with-images"]);
    assert!(page.contains("src=\"data:image/png;base64,"), "{page}");
    assert!(page.contains("<style>:where(body)"), "{page}");
    let said = "1 of its 2 pictures and none of its style sheets, so that it is in a reading style";
    assert!(beside.contains(said), "{beside}");
    let lazy = "<img loading=lazy src=\"../archive/resource/";
    assert!(beside.contains(lazy), "{beside}");
}

#[test]
fn a_picture_that_is_not_stored_is_a_link() {
    let (_, beside) = shown(&[]);
    assert!(!beside.contains("<img"), "{beside}");
    assert!(beside.contains(">Picture: Harbour</a>"), "{beside}");
}
