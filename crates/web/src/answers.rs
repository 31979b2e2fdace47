//! Answers of the server itself.

use axum::body::Body;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Response, StatusCode};
use serde_json::json;

/// Paths at which programs expect JSON, faults included.
const OF_PROGRAMS: [&str; 3] = ["/api", "/extract", "/makefulltextfeed"];

/// The refusal of a request for a path: JSON for programs, else plain text.
pub fn refusal(path: &str, status: StatusCode, why: &str) -> Response<Body> {
    if !OF_PROGRAMS.contains(&path) {
        return plain(status, why);
    }
    let mut answer = Response::new(Body::from(json!({ "error": why }).to_string()));
    *answer.status_mut() = status;
    let kind = HeaderValue::from_static("application/json");
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}

/// True for a client that shows pages to people: it says that it takes HTML.
pub fn is_browser(headers: &HeaderMap) -> bool {
    let accepts = headers.get(header::ACCEPT);
    let accepts = accepts.and_then(|kinds| kinds.to_str().ok());
    accepts.is_some_and(|kinds| kinds.contains("text/html"))
}

/// A short answer in plain text.
pub fn plain(status: StatusCode, text: &str) -> Response<Body> {
    let mut answer = Response::new(Body::from(format!("forest: {text}\n")));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    headers.insert(header::CONTENT_TYPE, kind);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    answer
}

/// The answer to a form without the token of the server's forms.
pub fn of_earlier_run() -> Response<Body> {
    let why = "the form is of an earlier run of the server: load the page again";
    plain(StatusCode::FORBIDDEN, why)
}

/// An answer that says when to try again.
pub fn with_retry_after(mut answer: Response<Body>, seconds: u64) -> Response<Body> {
    let after = HeaderValue::from(seconds);
    answer.headers_mut().insert(header::RETRY_AFTER, after);
    answer
}
