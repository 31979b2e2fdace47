//! Headers that hold lists (RFC 9110, 5.6.1).

use axum::http::header::{HeaderMap, HeaderName};

/// The items of a comma-separated list in all headers of a name.
pub fn list<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> impl Iterator<Item = &'a str> + use<'a> {
    headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .filter(|item| !item.is_empty())
}
