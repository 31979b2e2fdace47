//! The frame of each page of ours: its head, its style, its script.

use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode};
use maud::{DOCTYPE, Markup, html};

/// The style of all pages.
pub const STYLE: &str = include_str!("style.css");

/// The script of all pages.
pub const SCRIPT: &str = include_str!("script.js");

/// An answer of this media type.
pub fn answer(status: StatusCode, kind: &'static str, text: String) -> Response<Body> {
    let mut answer = Response::new(Body::from(text));
    *answer.status_mut() = status;
    let kind = HeaderValue::from_static(kind);
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}

/// The icon of all pages.
pub const ICON: &str = include_str!("icon.svg");

/// The same as PNG, for phones: names and bytes. They cut it as they like, and it fills the square.
pub const ICON_FILES: [(&str, &[u8]); 2] = [
    ("icon-180.png", include_bytes!("icon-180.png")),
    ("icon-512.png", include_bytes!("icon-512.png")),
];

/// The pages in the navigation: address and name.
const PAGES: &[(&str, &str)] = &[
    ("reader", "Reader"),
    ("archive", "Feeds"),
    ("sites", "Sites"),
    ("add", "Add"),
    ("search", "Search"),
    ("filter", "Tools"),
];

/// The pages below "Tools": address and title.
const TOOLS: &[(&str, &str)] = &[("filter", "Filter settings"), ("view", "View a page")];

/// A whole page at the level of `/filter`.
pub fn page(status: StatusCode, title: &str, main: &Markup) -> Response<Body> {
    page_below("", status, title, main)
}

/// A whole page. `up` leads from it to the level of `/filter`: `../` a level. The router may be
/// nested, so that no address begins with a slash.
pub fn page_below(up: &str, status: StatusCode, title: &str, main: &Markup) -> Response<Body> {
    page_with(up, None, status, title, main)
}

/// A page of work that goes on: the script asks for it again and again and shows what is new;
/// without the script the browser loads it again after this number of seconds.
pub fn page_with(
    up: &str,
    refresh_s: Option<u32>,
    status: StatusCode,
    title: &str,
    main: &Markup,
) -> Response<Body> {
    page_in(title, up, refresh_s, status, title, main)
}

/// A page below one of the navigation, whose name is `section`.
pub fn page_in(
    section: &str,
    up: &str,
    refresh_s: Option<u32>,
    status: StatusCode,
    title: &str,
    main: &Markup,
) -> Response<Body> {
    let is_tool = TOOLS.iter().any(|(_, tool)| *tool == title);
    let current = |name: &str| match () {
        () if name == title || (is_tool && name == "Tools") => Some("page"),
        () if name == section => Some("true"),
        () => None,
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                @if let Some(seconds) = refresh_s { noscript { meta http-equiv="refresh" content=(seconds); } }
                title { (title) " – forest" }
                link rel="icon" type="image/svg+xml" href={ (up) "filter/icon.svg" };
                link rel="apple-touch-icon" href={ (up) "filter/icon-180.png" };
                link rel="manifest" href={ (up) "manifest.webmanifest" };
                link rel="stylesheet" href={ (up) "filter/style.css" };
                script src={ (up) "filter/script.js" } defer {}
            }
            body {
                a .skip href="#main" { "To the content" }
                header {
                    nav .site-pages aria-label="Pages" {
                        a .site-name href={ (up) "./" } { "forest" }
                        @for (path, name) in PAGES {
                            a href={ (up) (path) } aria-current=[current(name)] { (name) }
                        }
                    }
                    @if is_tool { nav .tabs aria-label="Tools" { @for (path, tool) in TOOLS {
                        a href={ (up) (path) } aria-current=[(*tool == title).then_some("page")] { (tool) } " "
                    } } }
                }
                main #main data-goes-on[refresh_s.is_some()] aria-live=[refresh_s.map(|_| "polite")] { (main) }
                (keys())
            }
        }
    };
    answer(status, "text/html; charset=utf-8", page.into_string())
}

/// The keys of the script, shown by `?`.
fn keys() -> Markup {
    const KEYS: [(&str, &str); 9] = [
        ("j", "next entry, on the next page after the last"),
        ("k", "previous entry"),
        ("n", "next page, or next article"),
        ("p", "previous page, or previous article"),
        ("o", "open the entry"),
        ("m", "mark it as read or unread"),
        ("s", "star it or not"),
        ("v", "open the page of the article"),
        ("/", "search"),
    ];
    html! {
        dialog #keys aria-label="Keys" {
            dl { @for (key, does) in KEYS { dt { kbd { (key) } } dd { (does) } } }
            form method="dialog" { button { "Close" } }
        }
    }
}
