//! Addresses of our own pages.

use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode};

/// A value as it stands in a query.
pub(super) fn coded(value: &str) -> String {
    url::form_urlencoded::byte_serialize(value.as_bytes()).collect()
}

/// Leads the browser to a page of ours after a form, with GET. The address is relative and
/// begins with `../` or `add/`, so that it leads nowhere else.
pub(super) fn see_other(address: &str) -> Response<Body> {
    let mut answer = Response::default();
    *answer.status_mut() = StatusCode::SEE_OTHER;
    let begins = ["../", "add/"].iter().any(|begin| address.starts_with(begin));
    let safe = begins && address.is_ascii();
    let address = HeaderValue::try_from(address).ok().filter(|_| safe);
    let address = address.unwrap_or(HeaderValue::from_static("../filter"));
    answer.headers_mut().insert(header::LOCATION, address);
    answer
}
