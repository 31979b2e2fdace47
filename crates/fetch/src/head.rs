//! The heads of a request and its response as lines of HTTP/1.1, for an archive; and the
//! time that a response stays fresh.
//!
//! They are written from what was sent and received, whatever the protocol of
//! the connection was: WARC tools read HTTP/1.1.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{self, HeaderMap, HeaderName};
use url::Url;

/// Bytes of a head at the most; headers beyond it are left out.
const LIMIT: usize = 64_000;

/// Stands before the name of a header that was received but does not fit the
/// body as it is kept.
const ORIGINAL: &str = "X-Archive-Orig-";

/// The longest age that is read, as RFC 9111, 1.2.2 has it.
const LONGEST_AGE: u64 = 1 << 31;

/// Headers of a request that hold secrets of this side, beside those that are
/// marked as such.
const SECRET: [HeaderName; 3] = [
    header::AUTHORIZATION,
    header::COOKIE,
    header::PROXY_AUTHORIZATION,
];

/// A request's head, without secrets: neither in headers nor in the URL.
pub(super) fn of_request(url: &Url, headers: &HeaderMap) -> Vec<u8> {
    let query = url.query().map(|query| format!("?{query}"));
    let query = query.unwrap_or_default();
    let mut head = HeadWriter(format!("GET {}{query} HTTP/1.1\r\n", url.path()).into_bytes());
    let host = url.host_str().unwrap_or_default();
    let port = url.port().map(|port| format!(":{port}"));
    head.line("", "Host", format!("{host}{}", port.unwrap_or_default()));
    for (name, value) in headers {
        if !SECRET.contains(name) && !value.is_sensitive() {
            head.line("", name.as_str(), value);
        }
    }
    head.end()
}

/// An answer's head for a body of so many bytes, which is no longer encoded for
/// its transport.
pub(super) fn of_answer(status: u16, headers: &HeaderMap, body_bytes: usize) -> Vec<u8> {
    let known = StatusCode::from_u16(status).ok();
    let reason = known.and_then(|status| status.canonical_reason());
    let reason = reason.unwrap_or_default();
    let mut head = HeadWriter(format!("HTTP/1.1 {status:03} {reason}\r\n").into_bytes());
    // What the body needs comes before what may be left out.
    let length = body_bytes.to_string();
    if let Some(value) = headers.get(header::CONTENT_TYPE) {
        head.line("", header::CONTENT_TYPE.as_str(), value);
    }
    head.line("", header::CONTENT_LENGTH.as_str(), &length);
    for (name, value) in headers {
        match *name {
            // Cookies may be secrets.
            header::CONTENT_TYPE | header::SET_COOKIE => {}
            header::CONTENT_LENGTH if value.as_bytes() == length.as_bytes() => {}
            header::CONTENT_LENGTH | header::TRANSFER_ENCODING | header::CONTENT_ENCODING => {
                head.line(ORIGINAL, name.as_str(), value);
            }
            _ => head.line("", name.as_str(), value),
        }
    }
    head.end()
}

struct HeadWriter(Vec<u8>);

impl HeadWriter {
    /// Adds a line if there is room for it. Header names and values hold no line
    /// ends.
    fn line(&mut self, before: &str, name: &str, value: impl AsRef<[u8]>) {
        let value = value.as_ref();
        // ": ", the line's end and the head's.
        let bytes = before.len() + name.len() + value.len() + 6;
        if self.0.len() + bytes <= LIMIT {
            for part in [before.as_bytes(), name.as_bytes(), b": ", value, b"\r\n"] {
                self.0.extend_from_slice(part);
            }
        }
    }

    fn end(mut self) -> Vec<u8> {
        self.0.extend_from_slice(b"\r\n");
        self.0
    }
}

/// The time that a response stays fresh by its `Cache-Control` (RFC 9111, 5.2.2):
/// `max-age`, the smallest if there are several, or 0 if the answer may not be
/// kept or not be used without asking. `s-maxage` is for caches that many share.
pub(super) fn max_age(headers: &HeaderMap) -> Option<Duration> {
    let lines = headers.get_all(header::CACHE_CONTROL).into_iter();
    let lines = lines.filter_map(|line| line.to_str().ok());
    let ages = lines.flat_map(|line| line.split(',')).filter_map(|word| {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        let name = name.trim().to_ascii_lowercase();
        match (&*name, value) {
            // With a value, `no-cache` is about single headers.
            ("no-cache" | "no-store", None) => Some(0),
            ("max-age", Some(value)) => seconds(value.trim().trim_matches('"')),
            _ => None,
        }
    });
    ages.min().map(Duration::from_secs)
}

fn seconds(digits: &str) -> Option<u64> {
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().unwrap_or(LONGEST_AGE).min(LONGEST_AGE))
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    fn headers(lines: &[(&str, &[u8])]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in lines {
            let name = HeaderName::from_bytes(name.as_bytes()).expect("a name");
            map.append(name, HeaderValue::from_bytes(value).expect("a value"));
        }
        map
    }

    #[test]
    fn a_request_s_head_has_no_secrets() {
        let check = |url: &str, expected: &str| {
            let headers = headers(&[
                ("user-agent", b"forest"),
                ("authorization", b"Bearer secret"),
                ("cookie", b"secret=1"),
                ("proxy-authorization", b"secret"),
            ]);
            let mut headers = headers;
            let mut key = HeaderValue::from_static("secret");
            key.set_sensitive(true);
            headers.insert("x-api-key", key);
            let head = of_request(&Url::parse(url).expect("a URL"), &headers);
            assert_eq!(String::from_utf8_lossy(&head), expected);
        };
        check(
            "http://user:secret@a.example:81/p/%C3%A9?q=1&r#part",
            "GET /p/%C3%A9?q=1&r HTTP/1.1\r\nHost: a.example:81\r\nuser-agent: forest\r\n\r\n",
        );
        check(
            "https://[2001:db8::1]",
            "GET / HTTP/1.1\r\nHost: [2001:db8::1]\r\nuser-agent: forest\r\n\r\n",
        );
    }

    #[test]
    fn an_answer_s_head_fits_the_body_as_it_is_kept() {
        let check = |status, lines: &[(&str, &[u8])], bytes, expected: &[u8]| {
            let head = of_answer(status, &headers(lines), bytes);
            assert_eq!(
                head.escape_ascii().to_string(),
                expected.escape_ascii().to_string()
            );
        };
        check(200, &[], 0, b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
        check(
            404,
            &[("content-length", b"0")],
            0,
            b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
        );
        check(799, &[], 0, b"HTTP/1.1 799 \r\ncontent-length: 0\r\n\r\n");
        check(
            200,
            &[
                ("date", b"now"),
                ("content-encoding", b"gzip"),
                ("transfer-encoding", b"chunked"),
                ("content-length", b"7"),
                ("set-cookie", b"session=secret"),
                ("x-odd", b"\xff\t\xfe"),
                ("link", b"<a>"),
                ("link", b"<b>"),
                ("content-type", b"text/html"),
            ],
            12,
            b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 12\r\n\
              date: now\r\nX-Archive-Orig-content-encoding: gzip\r\n\
              X-Archive-Orig-transfer-encoding: chunked\r\n\
              X-Archive-Orig-content-length: 7\r\nx-odd: \xff\t\xfe\r\n\
              link: <a>\r\nlink: <b>\r\n\r\n",
        );
    }

    #[test]
    fn a_head_is_bounded_and_keeps_what_the_body_needs() {
        let junk = vec![b'x'; 1000];
        let mut map = HeaderMap::new();
        for i in 0..200 {
            let name = HeaderName::from_bytes(format!("x-{i}").as_bytes()).expect("a name");
            map.insert(name, HeaderValue::from_bytes(&junk).expect("a value"));
        }
        map.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html"));
        let head = String::from_utf8(of_answer(200, &map, 5)).expect("ASCII");
        assert!(
            (LIMIT - 1100..=LIMIT).contains(&head.len()),
            "{}",
            head.len()
        );
        assert!(head.contains("\r\ncontent-type: text/html\r\ncontent-length: 5\r\n"));
        assert!(head.ends_with("x\r\n\r\n"));
    }

    #[test]
    fn an_age_is_read_from_cache_control() {
        let check = |lines: &[&str], seconds: Option<u64>| {
            let lines: Vec<(&str, &[u8])> = lines
                .iter()
                .map(|line| ("cache-control", line.as_bytes()))
                .collect();
            let age = max_age(&headers(&lines));
            assert_eq!(age.map(|age| age.as_secs()), seconds, "{lines:?}");
        };
        check(&[], None);
        check(&["max-age=3600"], Some(3600));
        check(&["public, Max-Age = \"60\" , s-maxage=9"], Some(60));
        check(&["s-maxage=9"], None);
        check(&["max-age=60, no-cache"], Some(0));
        check(&["max-age=60", "no-store"], Some(0));
        check(&["no-cache=\"set-cookie\", max-age=60"], Some(60));
        check(&["max-age=60, max-age=30"], Some(30));
        check(&["max-age=99999999999999999999999"], Some(LONGEST_AGE));
        check(&["max-age=-1"], None);
        check(&["max-age=1.5"], None);
        check(&["max-age="], None);
        check(&["max-age"], None);
    }
}
