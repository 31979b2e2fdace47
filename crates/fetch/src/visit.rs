//! One request on behalf of an archive, and all that an archive keeps of it.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use reqwest::header::{self, HeaderName};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use url::Url;

use super::date::http_date;
use super::exchange::{Conditions, FetchCore, ResourceRequest, Validators};
use super::head;
use super::kept::Truncation;
use super::pace::LONGEST;
use super::resource::{FetchWarning, Resource};
use super::response::{Hop, HttpResponse, plain};
use crate::FetchFailure;

/// Maximum number of bytes of a header that is given as text: an archive keeps these.
const TEXT_BYTES: usize = 1000;

/// A URL to visit, with the conditions of the request.
///
/// The validators are sent with each request of the visit, also after redirects. They belong
/// to the URL that gave them: a 304 from another URL, [`Visited::url`], is about another page,
/// not about this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisitRequest {
    /// The URL.
    pub url: Url,
    /// The kind of the resource.
    pub what: Resource,
    /// The [`Visited::etag`] of the last visit that had a body.
    pub etag: Option<String>,
    /// The [`Visited::last_modified`] of that visit.
    pub last_modified: Option<String>,
    /// The body of an answer that is no success is received, too.
    pub with_failure: bool,
    /// A page of another site names the URL: it gets no secrets.
    pub is_foreign: bool,
}

impl VisitRequest {
    /// A visit without conditions, with the body of a failure.
    pub fn new(url: Url, what: Resource) -> Self {
        VisitRequest {
            url,
            what,
            etag: None,
            last_modified: None,
            with_failure: true,
            is_foreign: false,
        }
    }
}

/// The last response to a visit, whatever its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visited {
    /// The URL that was asked for, without credentials and fragment.
    pub requested: Url,
    /// The URL that answered, after redirects.
    pub url: Url,
    /// The redirects in their order; the last leads to `url`.
    pub hops: Vec<Hop>,
    /// The status of the last answer.
    pub status: u16,
    /// The head of the last request, as HTTP/1.1. Left out are `Authorization`,
    /// `Cookie`, `Proxy-Authorization` and whatever else the user or a site's
    /// file added, but for `Accept`, `Accept-Language` and `User-Agent`.
    pub request_head: Vec<u8>,
    /// The head of the last answer, as HTTP/1.1, at most 64 kB. It describes
    /// `body`: `Content-Length` is its length, and the headers about the
    /// transport are named `X-Archive-Orig-...`, where they are known still (an
    /// encoding that was undone is not). `Set-Cookie` is left out.
    pub response_head: Vec<u8>,
    /// The `Content-Type` header; this and the next two only up to 1,000 bytes.
    pub content_type: Option<String>,
    /// The `ETag` header.
    pub etag: Option<String>,
    /// The `Last-Modified` header.
    pub last_modified: Option<String>,
    /// `max-age` of `Cache-Control`; 0 for `no-cache` and `no-store`.
    pub max_age: Option<Duration>,
    /// The time that the server asks to stay away, at most a day. A date that is past is 0;
    /// a value that is neither seconds nor a date is `None`.
    pub retry_after: Option<Duration>,
    /// The `Date` header.
    pub date: Option<DateTime<Utc>>,
    /// The address that answered, unless a proxy stands between.
    pub address: Option<IpAddr>,
    /// The time of the last exchange, without the time in queues.
    pub took: Duration,
    /// The body, decompressed. Of a status that is no success at most 64 kB of it, and none
    /// without [`VisitRequest::with_failure`].
    pub body: Vec<u8>,
    /// The reason why such a body is not whole.
    pub truncated: Option<Truncation>,
    /// The warnings of the visit.
    pub warnings: Vec<FetchWarning>,
}

impl Visited {
    /// An answer with this status, of which no more is known.
    pub fn new(requested: Url, url: Url, status: u16) -> Visited {
        Visited {
            requested,
            url,
            hops: Vec::new(),
            status,
            request_head: Vec::new(),
            response_head: Vec::new(),
            content_type: None,
            etag: None,
            last_modified: None,
            max_age: None,
            retry_after: None,
            date: None,
            address: None,
            took: Duration::ZERO,
            body: Vec::new(),
            truncated: None,
            warnings: Vec::new(),
        }
    }
}

impl FetchCore {
    /// Visits one URL. The permit is the body's room in `window`.
    pub(super) async fn visit(
        &self,
        visit: &VisitRequest,
        window: Option<&Arc<Semaphore>>,
    ) -> Result<(Visited, Option<OwnedSemaphorePermit>), FetchFailure> {
        let mut url = visit.url.clone();
        let (mut hops, mut warnings) = (Vec::new(), Vec::new());
        let resource_request = ResourceRequest {
            what: visit.what,
            known: Conditions::Given(Validators {
                etag: visit.etag.as_deref(),
                last_modified: visit.last_modified.as_deref(),
            }),
            with_failure: visit.with_failure,
            is_foreign: visit.is_foreign,
            window,
        };
        let result = self
            .follow(&mut url, resource_request, &mut hops, &mut warnings)
            .await;
        let (requested, url) = (plain(&visit.url), plain(&url));
        let mut answer = match result {
            Ok((answer, _)) => answer,
            Err(failure) => match failure.answer {
                // A busy server has answered too.
                Some(answer) => *answer,
                None => {
                    tracing::debug!(%url, why = %failure.why, "not visited");
                    let (requested, at) = (requested.into(), Some(url.into()));
                    let redirects = hops.into_iter().filter_map(|hop| hop.exchange);
                    let redirects = redirects.map(|exchange| *exchange).collect();
                    let failure = FetchFailure::new(requested, at, failure.why);
                    return Err(failure.behind(redirects));
                }
            },
        };
        tracing::debug!(%url, status = answer.status, "visited");
        let room = answer.room.take();
        let visited = Visited {
            requested,
            url,
            hops,
            status: answer.status,
            response_head: head::of_answer(answer.status, &answer.headers, answer.body.len()),
            content_type: short(&answer, header::CONTENT_TYPE),
            etag: short(&answer, header::ETAG),
            last_modified: short(&answer, header::LAST_MODIFIED),
            max_age: head::max_age(&answer.headers),
            retry_after: answer.retry_after().map(|wait| wait.min(LONGEST)),
            date: short(&answer, header::DATE).and_then(|date| http_date(&date)),
            address: answer.address,
            took: answer.took,
            request_head: answer.request_head,
            body: answer.body,
            truncated: answer.truncated,
            warnings,
        };
        Ok((visited, room))
    }
}

fn short(answer: &HttpResponse, name: HeaderName) -> Option<String> {
    answer.text(name).filter(|text| text.len() <= TEXT_BYTES)
}
