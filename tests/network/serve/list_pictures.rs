//! The pictures of lists: the icons of sites, kept in the archive, and one of each article.

use super::Answer;
use super::archived::illustrated;
use super::library::server_of;
use crate::harvest_cli::site::User;
use crate::loopback::Loopback;
use crate::story::paragraphs;
use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const ICO: &[u8] = b"\0\0\x01\0\x01\0\x10\x10\0\0";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\0\0\0\0";

/// A site without pictures in its articles, whose icon is an answer.
struct IconSite {
    server: Loopback,
    /// The items of its feed.
    items: Arc<AtomicUsize>,
    /// Times that the icon was asked for.
    asked: Arc<AtomicUsize>,
}

impl IconSite {
    fn new(icon: impl Fn() -> Response + Clone + Send + Sync + 'static) -> IconSite {
        let (items, asked) = (Arc::new(AtomicUsize::new(3)), Arc::new(AtomicUsize::new(0)));
        let (shown, counted) = (Arc::clone(&items), Arc::clone(&asked));
        let feed = move || {
            let items = (1..=shown.load(Ordering::SeqCst)).map(|n| {
                format!(
                    "<item><guid>{n}</guid><title>Story {n}</title><link>/story/{n}</link></item>"
                )
            });
            let items: String = items.collect();
            let kind = [(header::CONTENT_TYPE, "application/rss+xml")];
            let rss = "<rss version='2.0'><channel><title>G</title><link>/</link>";
            std::future::ready((kind, format!("{rss}{items}</channel></rss>")))
        };
        let icon = move || {
            counted.fetch_add(1, Ordering::SeqCst);
            std::future::ready(icon())
        };
        let png = || std::future::ready(([(header::CONTENT_TYPE, "image/png")], PNG));
        let router = Router::new()
            .route("/feed", get(feed))
            .route("/story/{n}", get(story))
            .route("/favicon.ico", get(icon))
            .route("/icon.png", get(png));
        IconSite {
            server: Loopback::of(|_| router),
            items,
            asked,
        }
    }

    /// A user with its feed after a round.
    fn read(&self, more: &[&str]) -> User {
        let user = User::new();
        user.add_all(&[&format!("http://{}/feed", self.server.address)]);
        user.round(3, more).ends(0, &["3 new articles"]);
        user
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

async fn story(Path(n): Path<usize>) -> Html<String> {
    let paragraphs = paragraphs("", n).into_iter();
    let body: String = paragraphs.map(|text| format!("<p>{text}</p>")).collect();
    Html(format!(
        "<!DOCTYPE html><html lang=en><title>Story {n}</title><body><h1>Story {n}</h1>\
         <div class=story>{body}</div><div class=foot>All rights reserved.</div>"
    ))
}

fn typed(kind: &'static str, bytes: &[u8]) -> Response {
    ([(header::CONTENT_TYPE, kind)], bytes.to_vec()).into_response()
}

/// The addresses of the icons of a list.
fn icons(list: &str) -> Vec<&str> {
    let rest = list.split("<img class=\"icon\" src=\"").skip(1);
    rest.map(|rest| rest.split('"').next().expect("its end"))
        .collect()
}

#[test]
fn the_icon_of_a_site_is_asked_for_once_and_stands_in_the_lists() {
    let site = IconSite::new(|| typed("image/x-icon", ICO));
    let user = site.read(&["--with-images"]);
    let server = server_of(&user);
    let list = server.own("/reader").text();
    let shown = icons(&list);
    assert_eq!(shown.len(), 3, "{list}");
    let icon: Answer = server.own(&format!("/{}", shown[0]));
    assert_eq!(icon.body, ICO);
    assert_eq!(icon.header("content-type"), Some("image/x-icon"));
    let found = server.own("/search?q=story").text();
    assert_eq!(icons(&found).len(), 3, "{found}");
    site.items.store(4, Ordering::SeqCst);
    user.round(9, &["--now", "--with-images"])
        .ends(0, &["1 new article"]);
    assert_eq!(icons(&server.own("/reader").text()).len(), 4);
    assert_eq!(site.asked(), 1);
}

#[test]
fn an_icon_may_be_elsewhere_on_its_site() {
    let site = IconSite::new(|| Redirect::temporary("/icon.png").into_response());
    let user = site.read(&["--with-images"]);
    let server = server_of(&user);
    let list = server.own("/reader").text();
    let icon = server.own(&format!("/{}", icons(&list)[0]));
    assert_eq!(icon.body, PNG);
}

#[test]
fn what_is_no_icon_is_not_kept() {
    let large = [ICO, &[0; 300_000]].concat();
    let answers: [Box<dyn Fn() -> Response + Send + Sync>; 4] = [
        Box::new(|| StatusCode::NOT_FOUND.into_response()),
        Box::new(|| typed("text/html", b"<title>Not here</title>")),
        Box::new(|| typed("image/x-icon", b"<script>evil()</script>")),
        Box::new(move || typed("image/x-icon", &large)),
    ];
    for answer in answers.map(Arc::new) {
        let site = IconSite::new(move || answer());
        let user = site.read(&["--with-images"]);
        assert_eq!(site.asked(), 1);
        let list = server_of(&user).own("/reader").text();
        assert!(list.contains("Story 3"), "{list}");
        assert_eq!(icons(&list), [""; 0], "{list}");
    }
}

#[test]
fn without_pictures_no_icon_is_asked_for() {
    let site = IconSite::new(|| typed("image/x-icon", ICO));
    let server = server_of(&site.read(&[]));
    assert_eq!(
        (site.asked(), icons(&server.own("/reader").text()).len()),
        (0, 0)
    );
}

#[test]
fn lists_show_a_picture_of_each_article_by_a_setting() {
    let (_site, _user, server) = illustrated(&["--with-images"]);
    let pictures = || {
        let list = server.own("/reader").text();
        let rest = list.split("<img class=\"thumbnail\" src=\"").skip(1);
        rest.map(|rest| rest.split('"').next().expect("its end").to_owned())
            .collect::<Vec<String>>()
    };
    assert_eq!(pictures(), [""; 0]);
    let token = server.token();
    server.send_form("/settings", &[("token", &token), ("thumbnails", "on")]);
    let shown = pictures();
    assert_eq!(shown.len(), 4);
    assert_eq!(server.own(&format!("/{}", shown[0])).status, 200);
    let settings = server.own("/settings").text();
    assert!(
        settings.contains("name=\"thumbnails\" checked"),
        "{settings}"
    );
    server.send_form("/settings", &[("token", &token)]);
    assert_eq!(pictures(), [""; 0]);
}
