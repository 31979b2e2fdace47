//! The frame of each page of ours: its head, its style, its script.

use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode};
use maud::{DOCTYPE, Markup, html};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

pub(super) async fn style() -> Response<Body> {
    answer(StatusCode::OK, "text/css; charset=utf-8", STYLE.to_owned())
}

pub(super) async fn script() -> Response<Body> {
    answer(
        StatusCode::OK,
        "text/javascript; charset=utf-8",
        SCRIPT.to_owned(),
    )
}

/// An answer of this media type.
fn answer(status: StatusCode, kind: &'static str, text: String) -> Response<Body> {
    let mut answer = Response::new(Body::from(text));
    *answer.status_mut() = status;
    let kind = HeaderValue::from_static(kind);
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}

/// A whole page.
pub(in crate::serve) fn page(status: StatusCode, title: &str, main: &Markup) -> Response<Body> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " – forest" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="filter/style.css";
                script src="filter/script.js" defer {}
            }
            body {
                a .skip href="#main" { "To the content" }
                header { nav aria-label="Pages" {
                    a href="filter" { "Settings" }
                    a href="view" { "View a page" }
                    @if cfg!(feature = "archive") { a href="archive" { "Feeds" } }
                } }
                main #main { (main) }
            }
        }
    };
    answer(status, "text/html; charset=utf-8", page.into_string())
}
