//! The reader as an app of a phone: `/manifest.webmanifest`, and `/worker.js`, the service worker that
//! keeps articles for reading without the network.
//!
//! Browsers run a worker for pages by https, and for those of their own machine.

use crate::state::LibraryApp;
use axum::body::Body;
use axum::http::{HeaderMap, Response, StatusCode, Uri};
use forest_web::guard::{base_url, is_secure_context};
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};
use serde_json::json;

/// The service worker.
const WORKER: &str = include_str!("worker.js");

/// The ground of the icon, and that of a page in the light theme.
const ICON_GROUND: &str = "#1f5c36";
const PAGE_GROUND: &str = "#fdfdfb";

pub(super) async fn worker() -> Response<Body> {
    let kind = "text/javascript; charset=utf-8";
    shell::answer(StatusCode::OK, kind, WORKER.to_owned())
}

/// The manifest (W3C, Web Application Manifest). What is shared with the app is saved by a person.
pub(super) async fn manifest(state: ServedState<LibraryApp>) -> Response<Body> {
    let mut manifest = json!({
        "name": "forest",
        "short_name": "forest",
        "description": "Articles of feeds, to read and to search",
        "start_url": state.web.first_page,
        "scope": "./",
        "display": "standalone",
        "background_color": PAGE_GROUND,
        "theme_color": ICON_GROUND,
        "icons": [
            { "src": "filter/icon.svg", "sizes": "any", "type": "image/svg+xml" },
            {
                "src": "filter/icon-512.png",
                "sizes": "512x512",
                "type": "image/png",
                "purpose": "any maskable",
            },
        ],
    });
    if state.archive.is_some() {
        manifest["share_target"] = json!({
            "action": "save",
            "method": "GET",
            "enctype": "application/x-www-form-urlencoded",
            "params": { "title": "title", "text": "text", "url": "url" },
        });
    }
    let kind = "application/manifest+json";
    shell::answer(StatusCode::OK, kind, manifest.to_string())
}

/// How to install the reader, or why that is not possible here.
pub(super) fn installation(headers: &HeaderMap, uri: &Uri, has_password: bool) -> Markup {
    html! {
        h2 { "As an app" }
        @if is_secure_context(&base_url(headers, uri)) {
            p {
                "The menu of the browser installs the reader (\"Install\" or \"Add to home screen\"). The last 100 articles "
                "that you open are kept in this browser with their stored pictures, 50 MB at the most, for reading without the "
                "network" @if has_password { ", until you log out" } "."
            }
        } @else {
            p { "The browser installs the reader, and keeps articles for reading without the network, only where its address begins with https." }
        }
    }
}
