//! Answers with validators (RFC 9110, 8.8), which a client that has them is not sent again.

use crate::fetch::http_date;
use crate::serve::header_list::list;
use crate::text::sha256_hex;
use axum::body::{Body, Bytes};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Response, StatusCode};
use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Documents that are remembered. All are forgotten at once: then `Last-Modified` is later,
/// and clients without entity tags ask for them once more.
const REMEMBERED: usize = 30_000;

/// The last known state of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DocumentValidators {
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
    pub(super) fn validators(
        &self,
        name: &str,
        bytes: &[u8],
        now: DateTime<Utc>,
    ) -> DocumentValidators {
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
}

/// The answer to a request with these headers: the bytes, or status 304 if the client has them.
pub(super) fn answer(
    request: &HeaderMap,
    validators: &DocumentValidators,
    kind: &'static str,
    bytes: Bytes,
) -> Response<Body> {
    let mut answer = Response::default();
    if is_known(request, validators) {
        *answer.status_mut() = StatusCode::NOT_MODIFIED;
    } else {
        *answer.body_mut() = Body::from(bytes);
        let kind = HeaderValue::from_static(kind);
        answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    }
    let date = validators.modified.format("%a, %d %b %Y %H:%M:%S GMT");
    let values = [
        (header::ETAG, validators.tag.clone()),
        (header::LAST_MODIFIED, date.to_string()),
        // It may be kept, and is asked for each time.
        (header::CACHE_CONTROL, "private, no-cache".to_owned()),
    ];
    for (name, value) in values {
        let value = HeaderValue::try_from(value).expect("hex digits, dates and words");
        answer.headers_mut().insert(name, value);
    }
    answer
}

/// True if the client has the document. Entity tags go before times (RFC 9110, 13.2.2).
fn is_known(request: &HeaderMap, validators: &DocumentValidators) -> bool {
    if request.contains_key(header::IF_NONE_MATCH) {
        return list(request, &header::IF_NONE_MATCH)
            .map(|tag| tag.strip_prefix("W/").unwrap_or(tag))
            .any(|tag| tag == "*" || tag == validators.tag);
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

    #[test]
    fn what_the_client_has_is_not_sent_again() {
        let times = ServedTimes::default();
        let validators = times.validators("a", b"1", at(0));
        let tag = validators.tag.as_str();
        let status = |headers: &[(header::HeaderName, &str)]| {
            let mut request = HeaderMap::new();
            for (name, value) in headers {
                request.append(name, value.parse().expect("a value"));
            }
            answer(
                &request,
                &validators,
                "text/plain",
                Bytes::from_static(b"1"),
            )
            .status()
            .as_u16()
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
