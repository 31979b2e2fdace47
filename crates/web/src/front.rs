//! Where `/` leads, and what stands at paths that lead nowhere.
//!
//! Both belong to a server of our own. A router that another program mounts leaves `/` and
//! unknown paths to that program.

use super::answers::{is_browser, refusal};
use super::app::WebApp;
use super::links::{see_other, up_from};
use super::shell;
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::HeaderMap;
use axum::http::{Response, StatusCode, Uri};
use axum::routing::get;
use maud::html;
use std::sync::Arc;

/// `/` of a server that has no other page there.
pub fn router(state: &Arc<WebApp>) -> Router {
    Router::new()
        .route("/", get(lead))
        .with_state(Arc::clone(state))
}

async fn lead(State(state): State<Arc<WebApp>>) -> Response<Body> {
    see_other(state.first_page)
}

/// The answer at an unknown path: a page for people, a refusal for programs.
pub async fn answer_unknown(headers: HeaderMap, uri: Uri) -> Response<Body> {
    if !is_browser(&headers) {
        let why = "there is no such page: see /, or /api for programs";
        return refusal(uri.path(), StatusCode::NOT_FOUND, why);
    }
    let up = up_from(uri.path());
    let main = html! { .measure {
        h1 { "There is no such page" }
        p { "The address leads nowhere. " a href={ (up) "./" } { "To the first page" } }
    } };
    shell::page_below(&up, StatusCode::NOT_FOUND, "No such page", &main)
}
