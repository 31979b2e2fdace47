//! Answers with validators (RFC 9110, 8.8), which a client that has them is not sent again.

use axum::body::{Body, Bytes};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Response, StatusCode};
use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use flate2::Compression;
use flate2::write::GzEncoder;
use forest_fetch::http_date;
use forest_html::text::sha256_hex;
use forest_web::header_list::list;
use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

/// Documents that are remembered. All are forgotten at once: then `Last-Modified` is later,
/// and clients without entity tags ask for them once more.
const REMEMBERED: usize = 30_000;

/// The last known state of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
struct DocumentValidators {
    /// A strong entity tag, with its quotes.
    tag: String,
    /// The time from which on the document was the same, in whole seconds.
    modified: DateTime<Utc>,
}

/// The times at which documents were first served as they are. Their own dates do not tell:
/// an old article that is read again changes a feed.
#[derive(Debug, Default)]
pub(super) struct ServedTimes(Mutex<HashMap<String, DocumentValidators>>);

impl ServedTimes {
    /// The validators of a document with this name and these bytes.
    fn validators(&self, name: &str, bytes: &[u8], now: DateTime<Utc>) -> DocumentValidators {
        let tag = format!("\"{}\"", &sha256_hex(bytes)[..32]);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = known.get(name);
        if let Some(last) = last.filter(|last| last.tag == tag) {
            return last.clone();
        }
        // Two versions have two times: HTTP's have no parts of a second.
        let after = last.map(|last| last.modified + TimeDelta::seconds(1));
        let now = now.trunc_subsecs(0);
        let modified = after.map_or(now, |after| after.max(now));
        if known.len() >= REMEMBERED {
            known.clear();
        }
        let validators = DocumentValidators { tag, modified };
        known.insert(name.to_owned(), validators.clone());
        validators
    }

    /// A document with this name and text, and its validators. It takes a core for a while.
    pub(super) fn document(
        &self,
        name: &str,
        kind: &'static str,
        text: String,
        now: DateTime<Utc>,
    ) -> ServedDocument {
        ServedDocument {
            kind,
            validators: self.validators(name, text.as_bytes(), now),
            gzip: packed(text.as_bytes()),
            whole: text.into(),
        }
    }
}

/// A document as it is sent, and packed where that is shorter.
#[derive(Debug)]
pub(super) struct ServedDocument {
    kind: &'static str,
    validators: DocumentValidators,
    whole: Bytes,
    gzip: Option<Bytes>,
}

impl ServedDocument {
    /// Its bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        self.whole.len() + self.gzip.as_ref().map_or(0, Bytes::len)
    }

    /// One with so many bytes that cannot be packed.
    #[cfg(test)]
    pub(super) fn of_bytes(count: usize) -> ServedDocument {
        let mut document =
            ServedTimes::default().document("", "", String::new(), DateTime::UNIX_EPOCH);
        document.whole = vec![0; count].into();
        document
    }

    /// The answer to a request with these headers: the bytes, packed if the client knows that, or
    /// status 304 if it has them.
    pub(super) fn answer(&self, request: &HeaderMap) -> Response<Body> {
        let mut answer = Response::default();
        let gzip = self.gzip.as_ref().filter(|_| takes_gzip(request));
        let headers = answer.headers_mut();
        if self.gzip.is_some() {
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        let mut tag = self.validators.tag.clone();
        if gzip.is_some() {
            // The packed bytes are another representation (RFC 9110, 8.8.3.3).
            tag.insert_str(tag.len() - 1, PACKED);
        }
        let date = self.validators.modified.format("%a, %d %b %Y %H:%M:%S GMT");
        let values = [
            (header::ETAG, tag),
            (header::LAST_MODIFIED, date.to_string()),
            // It may be kept, and is asked for each time.
            (header::CACHE_CONTROL, "private, no-cache".to_owned()),
        ];
        for (name, value) in values {
            let value = HeaderValue::try_from(value).expect("hex digits, dates and words");
            headers.insert(name, value);
        }
        if is_known(request, &self.validators) {
            *answer.status_mut() = StatusCode::NOT_MODIFIED;
            return answer;
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        if gzip.is_some() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        *answer.body_mut() = Body::from(gzip.unwrap_or(&self.whole).clone());
        answer
    }
}

/// The end of the tag of packed bytes.
const PACKED: &str = "-gzip";

/// Bytes from which on a document is packed: fewer fit into two packets.
const PACKED_FROM: usize = 2_000;

/// The bytes packed, if that makes them shorter. Text of feeds shrinks to a third.
fn packed(bytes: &[u8]) -> Option<Bytes> {
    if bytes.len() < PACKED_FROM {
        return None;
    }
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(bytes).ok()?;
    let gzip = gzip.finish().ok()?;
    (gzip.len() < bytes.len()).then(|| gzip.into())
}

/// True if the client says that it unpacks gzip (RFC 9110, 12.5.3).
fn takes_gzip(request: &HeaderMap) -> bool {
    list(request, &header::ACCEPT_ENCODING).any(|item| {
        let (coding, weight) = item.split_once(';').unwrap_or((item, ""));
        let is_gzip = ["gzip", "x-gzip"].map(|name| coding.trim().eq_ignore_ascii_case(name));
        let weight = weight.trim().to_ascii_lowercase();
        let weight = weight.strip_prefix("q=").map(str::parse::<f32>);
        is_gzip.contains(&true) && weight.is_none_or(|weight| weight.is_ok_and(|q| q > 0.0))
    })
}

/// True if the client has the document. Entity tags go before times (RFC 9110, 13.2.2).
fn is_known(request: &HeaderMap, validators: &DocumentValidators) -> bool {
    if request.contains_key(header::IF_NONE_MATCH) {
        return list(request, &header::IF_NONE_MATCH)
            .map(|tag| tag.strip_prefix("W/").unwrap_or(tag))
            .any(|tag| tag == "*" || tag.replace(PACKED, "") == validators.tag);
    }
    let since = request.get(header::IF_MODIFIED_SINCE);
    let since = since.and_then(|since| http_date(since.to_str().ok()?));
    since.is_some_and(|since| validators.modified <= since)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_700_000_000 + second, 5_000_000).expect("a time")
    }

    #[test]
    fn a_document_is_as_old_as_its_bytes() {
        let times = ServedTimes::default();
        let first = times.validators("a", b"1", at(0));
        assert_eq!(times.validators("a", b"1", at(9)), first);
        assert_ne!(times.validators("b", b"1", at(9)), first);
        let second = times.validators("a", b"2", at(9));
        assert_eq!(second.modified, at(9).trunc_subsecs(0));
        let third = times.validators("a", b"3", at(9));
        assert_eq!(third.modified, at(10).trunc_subsecs(0));
    }

    fn request(headers: &[(header::HeaderName, &str)]) -> HeaderMap {
        let mut request = HeaderMap::new();
        for (name, value) in headers {
            request.append(name, value.parse().expect("a value"));
        }
        request
    }

    #[test]
    fn packed_bytes_are_for_those_who_know_them_and_have_a_tag_of_their_own() {
        let times = ServedTimes::default();
        let document = times.document("a", "text/plain", "a text ".repeat(1000), at(0));
        let whole = document.answer(&HeaderMap::new());
        let ask = |coding: &str| document.answer(&request(&[(header::ACCEPT_ENCODING, coding)]));
        for none in [
            "",
            "br",
            "gzip;q=0",
            "gzip; q=0.0",
            "xgzip",
            "identity, *;q=0",
        ] {
            assert_eq!(ask(none).headers(), whole.headers(), "{none}");
        }
        for packed in [
            "gzip",
            "br;q=1, GZIP;q=0.5",
            "deflate, gzip ; q=1.0",
            "x-gzip",
        ] {
            let answer = ask(packed);
            assert_eq!(
                answer.headers()[header::CONTENT_ENCODING],
                "gzip",
                "{packed}"
            );
            assert_ne!(
                answer.headers()[header::ETAG],
                whole.headers()[header::ETAG]
            );
            assert_eq!(answer.headers()[header::VARY], "accept-encoding");
        }
        for coding in ["", "gzip"] {
            let known = ask(coding).headers()[header::ETAG].clone();
            let known = known.to_str().expect("ASCII");
            for asked in ["", "gzip"] {
                let headers = [
                    (header::IF_NONE_MATCH, known),
                    (header::ACCEPT_ENCODING, asked),
                ];
                let answer = document.answer(&request(&headers));
                assert_eq!(answer.status(), StatusCode::NOT_MODIFIED);
            }
        }
        assert!(document.bytes() < 8000, "it is packed");
        let short = times.document("b", "text/plain", "a text ".to_owned(), at(0));
        assert_eq!(short.bytes(), 7);
    }

    #[test]
    fn what_the_client_has_is_not_sent_again() {
        let times = ServedTimes::default();
        let document = times.document("a", "text/plain", "1".to_owned(), at(0));
        let tag = document.validators.tag.as_str();
        let status = |headers: &[(header::HeaderName, &str)]| {
            let answer = document.answer(&request(headers));
            answer.status().as_u16()
        };
        let tagged = |tags: &str| status(&[(header::IF_NONE_MATCH, tags)]);
        assert_eq!(status(&[]), 200);
        assert_eq!(tagged(tag), 304);
        assert_eq!(tagged(&format!("W/{tag}")), 304);
        assert_eq!(tagged(&format!("\"x\", {tag}")), 304);
        assert_eq!(tagged("*"), 304);
        assert_eq!(tagged("\"x\""), 200);
        assert_eq!(tagged(""), 200);
        let since = |date: &str| status(&[(header::IF_MODIFIED_SINCE, date)]);
        assert_eq!(since("Tue, 14 Nov 2023 22:13:20 GMT"), 304);
        assert_eq!(since("Tue, 14 Nov 2023 22:13:19 GMT"), 200);
        assert_eq!(since("yesterday"), 200);
        let both = [
            (header::IF_NONE_MATCH, "\"x\""),
            (header::IF_MODIFIED_SINCE, "Fri, 14 Nov 2098 22:13:20 GMT"),
        ];
        assert_eq!(status(&both), 200);
    }
}
