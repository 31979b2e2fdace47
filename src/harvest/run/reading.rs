//! A page that came, read: what the archive takes, and what it says of the wrapper.
//! No state, so that pages are read on all cores.

use super::sites::InForce;
use crate::archive::{Arrival, Came, Known, Prepared, RawPages, before_of};
use crate::extract::check::{PageSign, read_and_look};
use crate::extract::{Article, Options, Status, fallback};
use crate::feed::{Kind, sniff};
use crate::fetch::Visited;
use crate::learn::site_of;
use crate::page::{Page, Source};
use crate::warc::hex;
use chrono::{DateTime, SecondsFormat, Utc};
use sha2::{Digest, Sha256};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A page that is to be read.
#[derive(Debug)]
pub(super) struct Job {
    /// The page's number in the archive.
    pub page: i64,
    pub at: DateTime<Utc>,
    /// The address that was asked for.
    pub url: String,
    pub visited: Visited,
    pub known: Known,
    /// The site's wrapper.
    pub wrapper: Option<Arc<InForce>>,
    /// Title and summary that a feed gave it.
    pub said: Option<(String, String)>,
    /// Where the page is read as it was before.
    pub raw: RawPages,
}

/// A page that was read.
#[derive(Debug)]
pub(super) struct Read {
    pub page: i64,
    pub at: DateTime<Utc>,
    pub site: String,
    pub prepared: Prepared,
    /// What it says of the wrapper, and of which.
    pub sign: Option<(String, PageSign)>,
}

/// Reads a page.
pub(super) fn read(job: Job) -> Read {
    let url = job.visited.url.to_string();
    let site = site_of(Some(&url)).unwrap_or_default();
    let mut sign = None;
    let body = &job.visited.body;
    // Behind a redirect a confirmation speaks of another page.
    let is_direct = job.visited.hops.is_empty();
    let came = match job.visited.status {
        304 if is_direct && job.known.raw.is_some() => Came::NotModified {
            request_head: job.visited.request_head.clone(),
            response_head: job.visited.response_head.clone(),
            address: job.visited.address,
        },
        200..=299 => Came::Answer {
            request_head: job.visited.request_head.clone(),
            response_head: job.visited.response_head.clone(),
            body: body.clone(),
            address: job.visited.address,
        },
        _ => Came::Nothing,
    };
    let mut error = match &came {
        Came::Nothing => Some(format!("status {}", job.visited.status)),
        Came::Answer { .. } => not_a_page(body),
        _ => None,
    };
    let mut article = None;
    let mut before = None;
    let is_known = |known: &Known| {
        let raw = known.raw.as_ref();
        raw.is_some_and(|raw| raw.sha256 == hex(&Sha256::digest(body)))
    };
    if matches!(came, Came::Answer { .. }) && error.is_none() && !is_known(&job.known) {
        let made = catch_unwind(AssertUnwindSafe(|| {
            let (article, seen) = extract(&job, &url);
            let content_type = job.visited.content_type.as_deref();
            let by = job.wrapper.as_ref();
            let by = by.map(|wrapper| (&wrapper.extractor, wrapper.sha256.as_str()));
            let now = (body.as_slice(), url.as_str(), content_type);
            let before = before_of(&job.raw, &job.known, now, &article, by);
            (before, article, seen)
        }));
        match made {
            Ok((old, mut made, seen)) => {
                made.date_fetched = Some(job.at.to_rfc3339_opts(SecondsFormat::Secs, true));
                sign = seen
                    .zip(job.wrapper.as_ref())
                    .map(|(sign, used)| (used.sha256.clone(), sign));
                error.clone_from(&made.error);
                (article, before) = (Some(made), old);
            }
            Err(_) => error = Some("forest crashed on this page: please report it".to_owned()),
        }
    }
    let arrival = Arrival {
        at: job.at,
        final_url: Some(url),
        url: job.url,
        site: site.clone(),
        http_status: Some(job.visited.status),
        error,
        content_type: job.visited.content_type,
        etag: job.visited.etag.filter(|_| is_direct),
        last_modified: job.visited.last_modified.filter(|_| is_direct),
        came,
        article,
        wrapper: job.wrapper.map(|wrapper| wrapper.sha256.clone()),
        before,
    };
    Read {
        page: job.page,
        at: job.at,
        site,
        prepared: arrival.prepare(&job.known),
        sign,
    }
}

/// A page that could not be had.
pub(super) fn unreachable(
    page: i64,
    at: DateTime<Utc>,
    url: &str,
    known: &Known,
    why: String,
) -> Read {
    let site = site_of(Some(url)).unwrap_or_default();
    let arrival = Arrival {
        at,
        url: url.to_owned(),
        final_url: None,
        site: site.clone(),
        http_status: None,
        error: Some(why),
        content_type: None,
        etag: None,
        last_modified: None,
        came: Came::Nothing,
        article: None,
        wrapper: None,
        before: None,
    };
    Read {
        page,
        at,
        site,
        prepared: arrival.prepare(known),
        sign: None,
    }
}

/// The article, and what the page says of the wrapper.
fn extract(job: &Job, url: &str) -> (Article, Option<PageSign>) {
    let source = Source {
        url: Some(url),
        content_type: job.visited.content_type.as_deref(),
    };
    let options = Options::default();
    match &job.wrapper {
        Some(wrapper) => {
            let extractor = &wrapper.extractor;
            let page = extractor.parse(&job.visited.body, source);
            let said = job
                .said
                .as_ref()
                .map(|(title, summary)| format!("{title}\n{summary}"));
            let said = said.as_deref();
            let (article, seen) = read_and_look(extractor, url, &page, said, &options);
            let sign = PageSign::of(extractor.wrapper(), &seen);
            (article, Some(sign))
        }
        None => {
            let page = Page::parse(&job.visited.body, source);
            (
                fallback(&page, &options, "no wrapper of this site was learned yet"),
                None,
            )
        }
    }
}

/// Why the bytes are certainly no page.
fn not_a_page(bytes: &[u8]) -> Option<String> {
    match sniff(bytes) {
        kind @ (Kind::Pdf
        | Kind::Warc
        | Kind::Gzip
        | Kind::Feed
        | Kind::Opml
        | Kind::Json
        | Kind::Binary) => Some(format!("this is {}, not an HTML page", kind.name())),
        _ => None,
    }
}

/// Whether a page says something of its article.
pub(super) fn has_article(status: Status) -> bool {
    matches!(status, Status::Ok | Status::Degraded | Status::Fallback)
}
