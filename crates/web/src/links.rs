//! Addresses of our own pages.

use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode};

/// A value as it stands in a query.
pub fn coded(value: &str) -> String {
    url::form_urlencoded::byte_serialize(value.as_bytes()).collect()
}

/// An address with one more field of its query: `name=value`, coded.
pub fn with_field(address: &str, field: &str) -> String {
    let joint = if address.contains('?') { '&' } else { '?' };
    format!("{address}{joint}{field}")
}

/// Levels that are gone up at the most; our pages have four. An answer to a path of slashes would
/// be many times as long as the path.
const MAX_LEVELS: usize = 32;

/// The way from a page to the level of `/filter`: `../` a level.
pub fn up_from(path: &str) -> String {
    let levels = path.matches('/').count().saturating_sub(1);
    "../".repeat(levels.min(MAX_LEVELS))
}

/// Leads the browser to a page of ours after a form, with GET. The address is relative to the
/// page of the form: its first part is `..` or a name, so that it leads nowhere else.
pub fn see_other(address: &str) -> Response<Body> {
    let mut answer = Response::default();
    *answer.status_mut() = StatusCode::SEE_OTHER;
    let first = address.split(['/', '?']).next().unwrap_or_default();
    let is_name = !first.is_empty() && first.bytes().all(|b| b.is_ascii_alphanumeric());
    let is_safe = (first == ".." || is_name) && !address.contains('\\');
    let address = HeaderValue::try_from(address).ok();
    let address = address.filter(|address| is_safe && address.to_str().is_ok());
    let address = address.unwrap_or(HeaderValue::from_static("../filter"));
    answer.headers_mut().insert(header::LOCATION, address);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_led_to_another_server() {
        let led = |address: &str| see_other(address).headers()[header::LOCATION].clone();
        for ours in ["../reader?feed=a", "login?to=%2F", "add/x-1", "../../sites"] {
            assert_eq!(led(ours), ours);
        }
        for foreign in [
            "",
            "/",
            "//evil.example",
            "/\\evil.example",
            "http://evil.example",
            "javascript:1",
            "\\\\evil.example",
            "..\\evil",
            "a\r\nb: c",
            "ü",
            " //evil.example",
            "?a",
        ] {
            assert_eq!(led(foreign), "../filter", "{foreign}");
        }
    }
}
