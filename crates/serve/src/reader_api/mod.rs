//! The Google Reader API, by which apps on phones and desktops read an archive: as FreshRSS serves
//! it (below `/api/greader.php`) and as Miniflux does (below `/`).
//!
//! Takes requests with the token of a device; gives lists of feeds, entries with their articles
//! (without one, with what their feeds say and why), and changes the reader's marks and feeds.
//!
//! - `request`: a request with its parameters; `fault`: why it has no answer.
//! - `device_login`: who may ask, `wrong_tokens` how often; `apps_page`: `/apps`, where devices get their tokens.
//! - `stream`: which entries are meant; `listed_feeds`: the feeds and folders of the archive.
//! - `lists`: feeds, folders and their unread entries; `items`: entries, by `entry_json` and `atom`.
//! - `marking`: entries are marked; `subscribing`: feeds are added, named, moved and removed.
//!
//! Entries are known by their lasting numbers ([`NumberedEntry`](forest_archive::NumberedEntry)), in
//! decimals or as `tag:google.com,2005:reader/item/` with 16 hex digits. Feeds are known by the id
//! in their addresses here.
//!
//! **Departures** from the descriptions: a token for changes (`T`) is that of the device. Labels are
//! the folders of feeds; entries have none of their own.

mod apps_page;
mod atom;
mod device_login;
mod entry_json;
mod fault;
mod items;
mod listed_feeds;
mod lists;
mod marking;
mod request;
mod stream;
mod subscribing;
mod wrong_tokens;

pub(super) use wrong_tokens::WrongTokens;

use crate::state::LibraryApp;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path};
use axum::http::request::Parts;
use axum::http::{Response, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{MethodRouter, get};
use fault::AppFault;
use forest_web::app_guard::SECOND_BASE;
use forest_web::served_state::ServedState;
use forest_web::shell::answer;
use request::AppRequest;
use serde_json::Value;
use std::sync::Arc;

/// Bytes of a request: 10,000 ids in their long form.
const MAX_BODY_BYTES: usize = 1_000_000;

/// Bytes of a login, which strangers may send, too.
const MAX_LOGIN_BYTES: usize = 4_000;

/// Parameters of a request.
const MAX_PARAMETERS: usize = 12_000;

/// The answer to a request.
type AppAnswer = Result<Response<Body>, AppFault>;

/// The routes for apps.
pub(super) fn router(state: &Arc<LibraryApp>) -> Router {
    Router::new()
        .route(SECOND_BASE, get(async || text("OK")))
        .route(&format!("{SECOND_BASE}/{{*path}}"), below(""))
        .route(&format!("{SECOND_BASE}/accounts/{{*path}}"), login())
        .route("/accounts/{*path}", login())
        .route("/reader/api/0/{*path}", below("reader/api/0/"))
        .route("/reader/atom/{*path}", below("reader/atom/"))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .with_state(Arc::clone(state))
}

/// The page on which devices get their tokens.
pub(super) fn page_router(state: &Arc<LibraryApp>) -> Router {
    Router::new()
        .route("/apps", get(apps_page::show).post(apps_page::change))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .with_state(Arc::clone(state))
}

/// A login, whose path below `accounts` is in the route.
fn login() -> MethodRouter<Arc<LibraryApp>> {
    below("accounts/").layer(DefaultBodyLimit::max(MAX_LOGIN_BYTES))
}

/// The requests for paths that begin so, whose rest is in the route.
fn below(start: &'static str) -> MethodRouter<Arc<LibraryApp>> {
    let handle = async move |state: ServedState<LibraryApp>,
                             Path(path): Path<String>,
                             parts: Parts,
                             body: Bytes| {
        if body.iter().filter(|byte| **byte == b'&').count() > MAX_PARAMETERS {
            return AppFault::Bad("too many parameters").answer();
        }
        let request = AppRequest::new(&format!("{start}{path}"), &parts, &body);
        let answered = answer_to(&state, &request, &parts).await;
        answered.unwrap_or_else(AppFault::answer)
    };
    get(handle).post(handle)
}

async fn answer_to(
    state: &ServedState<LibraryApp>,
    request: &AppRequest,
    parts: &Parts,
) -> AppAnswer {
    match request.path.as_str() {
        "accounts/ClientLogin" => return device_login::log_in(state, request).await,
        "check/compatibility" => return Ok(text("PASS")),
        _ => {}
    }
    device_login::authorise(state, request, parts).await?;
    if let Some(stream) = request.path.strip_prefix("reader/atom/") {
        return items::show_atom(state, request, stream).await;
    }
    let Some(asked) = request.path.strip_prefix("reader/api/0/") else {
        return Err(AppFault::Unknown);
    };
    if let Some(stream) = asked.strip_prefix("stream/contents") {
        return items::show_stream(state, request, stream.trim_start_matches('/')).await;
    }
    match asked {
        "token" => Ok(text(&request.token)),
        "user-info" => Ok(lists::user_info()),
        "tag/list" => lists::folders(state).await,
        "subscription/list" => lists::feeds(state).await,
        "subscription/export" => lists::exported_feeds(state).await,
        "unread-count" => lists::unread_counts(state).await,
        "stream/items/ids" => items::ids(state, request).await,
        "stream/items/contents" => items::show_items(state, request).await,
        _ => changed(state, request, asked).await,
    }
}

/// The requests that change something: a POST alone does.
async fn changed(state: &ServedState<LibraryApp>, request: &AppRequest, asked: &str) -> AppAnswer {
    const CHANGES: [&str; 6] = [
        "edit-tag",
        "mark-all-as-read",
        "subscription/edit",
        "subscription/quickadd",
        "rename-tag",
        "disable-tag",
    ];
    if !CHANGES.contains(&asked) {
        return Err(AppFault::Unknown);
    }
    if !request.is_post {
        return Err(AppFault::NoPost);
    }
    match asked {
        "edit-tag" => marking::edit_tag(state, request).await,
        "mark-all-as-read" => marking::mark_all(state, request).await,
        "subscription/edit" => subscribing::edit(state, request).await,
        "subscription/quickadd" => subscribing::quick_add(state, request).await,
        "rename-tag" => subscribing::rename_folder(state, request).await,
        _ => subscribing::remove_folders(state, request).await,
    }
}

/// An answer that is a line of text.
fn text(text: &str) -> Response<Body> {
    answer(StatusCode::OK, "text/plain; charset=utf-8", text.to_owned())
}

/// An answer in JSON.
fn json(value: &Value) -> Response<Body> {
    let kind = "application/json; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], value.to_string()).into_response()
}
