//! Headers of requests and answers on their way: those of one connection only, codings,
//! and those that a change of the body makes wrong.

use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use forest_web::encodings::ContentCoding;
use forest_web::header_list::list;

/// Headers of one connection (RFC 9110, 7.6.1), beside those that `Connection` names.
const HOP_BY_HOP: [&str; 8] = [
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authentication-info",
    "proxy-authorization",
    "proxy-connection",
    "transfer-encoding",
    "upgrade",
];

/// Headers that say something of the bytes of a body, which a filtered page no longer has.
const OF_THE_BYTES: [&str; 7] = [
    "accept-ranges",
    "content-digest",
    "content-encoding",
    "content-length",
    "content-md5",
    "digest",
    "repr-digest",
];

/// Removes the headers of one connection.
pub(super) fn drop_hop_by_hop(headers: &mut HeaderMap) {
    // A body's frames say its length, whatever stands beside them (RFC 9112, 6.3).
    if headers.contains_key(header::TRANSFER_ENCODING) {
        headers.remove(header::CONTENT_LENGTH);
    }
    let named: Vec<HeaderName> = list(headers, &header::CONNECTION)
        .filter_map(|name| HeaderName::try_from(name).ok())
        .collect();
    // A server is found by these, and a body's length is known by its frames.
    for name in named {
        headers.remove(name);
    }
    for name in HOP_BY_HOP {
        headers.remove(name);
    }
}

/// The headers of a request as they go on to the server.
pub(super) fn for_server(headers: &mut HeaderMap, via: &HeaderValue) {
    let wants_trailers = headers
        .get_all(header::TE)
        .iter()
        .any(|te| te.to_str().is_ok_and(|te| te.contains("trailers")));
    drop_hop_by_hop(headers);
    // The client that sends it on writes its own from the URL and the body.
    for name in [
        header::HOST,
        header::CONTENT_LENGTH,
        header::TE,
        header::EXPECT,
    ] {
        headers.remove(name);
    }
    if wants_trailers {
        headers.insert(header::TE, HeaderValue::from_static("trailers"));
        headers.insert(header::CONNECTION, HeaderValue::from_static("te"));
    }
    narrow_codings(headers);
    headers.append(header::VIA, via.clone());
}

/// Leaves the codings in `Accept-Encoding` that can be undone.
fn narrow_codings(headers: &mut HeaderMap) {
    if !headers.contains_key(header::ACCEPT_ENCODING) {
        return;
    }
    let known: Vec<String> = list(headers, &header::ACCEPT_ENCODING)
        .filter(|coding| {
            let name = coding.split(';').next().unwrap_or_default().trim();
            ContentCoding::by_name(name).is_some()
        })
        .map(str::to_owned)
        .collect();
    let identity = HeaderValue::from_static("identity");
    let narrowed = if known.is_empty() {
        identity
    } else {
        HeaderValue::try_from(known.join(", ")).unwrap_or(identity)
    };
    headers.insert(header::ACCEPT_ENCODING, narrowed);
}

/// Removes the headers that are wrong for a page whose bytes are others.
pub(super) fn drop_those_of_the_bytes(headers: &mut HeaderMap) {
    for name in OF_THE_BYTES {
        headers.remove(name);
    }
    // Parts of a filtered page do not fit to parts of the page.
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("none"));
    // A page without an entity tag is asked for whole.
    headers.remove(header::LAST_MODIFIED);
    headers.remove(header::TRAILER);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[(&str, &str)]) -> HeaderMap {
        let pair = |&(name, value): &(&str, &str)| {
            (
                HeaderName::try_from(name).expect("a name"),
                HeaderValue::try_from(value).expect("a value"),
            )
        };
        HeaderMap::from_iter(lines.iter().map(pair))
    }

    #[test]
    fn headers_of_the_connection_stay_behind() {
        let mut request = headers(&[
            ("connection", "close, X-Secret"),
            ("x-secret", "1"),
            ("proxy-authorization", "Basic x"),
            ("proxy-connection", "keep-alive"),
            ("keep-alive", "timeout=5"),
            ("upgrade", "websocket"),
            ("host", "other.example"),
            ("content-length", "3"),
            ("transfer-encoding", "chunked"),
            ("expect", "100-continue"),
            ("te", "gzip"),
            ("accept", "text/html"),
        ]);
        for_server(&mut request, &HeaderValue::from_static("1.1 here"));
        let left: Vec<_> = request.keys().map(HeaderName::as_str).collect();
        assert_eq!(left, ["accept", "via"]);
        let mut request = headers(&[("te", "trailers, deflate;q=0.5"), ("via", "1.0 first")]);
        for_server(&mut request, &HeaderValue::from_static("1.1 here"));
        assert_eq!(request["te"], "trailers");
        assert_eq!(request["connection"], "te");
        let via: Vec<_> = list(&request, &header::VIA).collect();
        assert_eq!(via, ["1.0 first", "1.1 here"]);
    }

    #[test]
    fn codings_are_narrowed_to_those_that_can_be_undone() {
        let narrowed = |value: &str| {
            let mut request = headers(&[("accept-encoding", value)]);
            narrow_codings(&mut request);
            request["accept-encoding"]
                .to_str()
                .expect("text")
                .to_owned()
        };
        assert_eq!(
            narrowed("gzip, deflate, br, zstd"),
            "gzip, deflate, br, zstd"
        );
        assert_eq!(narrowed("gzip;q=0.5, dcb, *;q=0"), "gzip;q=0.5");
        assert_eq!(narrowed("compress"), "identity");
        assert_eq!(narrowed("*"), "identity");
        let mut none = headers(&[]);
        narrow_codings(&mut none);
        assert!(none.is_empty());
    }
}
