//! A page that was read, as the archive takes it, with its evidence for its site's wrapper.

use super::active::ActiveWrapper;
use crate::answers::take_exchange;
use crate::clock::rfc3339;
use chrono::{DateTime, Utc};
use forest_archive::{
    Arrival, ArticlePart, ItemMetadata, KnownAddress, PreparedVisit, RawPages, VisitResponse,
};
use forest_core::drift::PageSign;
use forest_core::extract::{Article, Status};
use forest_core::feed::sniff_no_page;
use forest_fetch::{Visited, Why};
use forest_html::address::site_of;
use forest_html::error::CRASHED;
use forest_sources::warc::EncodedRecord;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A page that was fetched and will be read.
#[derive(Debug)]
pub(super) struct FetchedPage {
    /// The page's number in the archive.
    pub page: i64,
    pub at: DateTime<Utc>,
    /// The address that was requested.
    pub url: String,
    pub visited: Visited,
    pub known: KnownAddress,
    /// The site's wrapper.
    pub wrapper: Option<Arc<ActiveWrapper>>,
    /// The feed's item of the page.
    pub item_metadata: Option<ItemMetadata>,
    /// The words that its article must contain.
    pub least_words: Option<usize>,
    /// Reads the former state of the page.
    pub raw: RawPages,
    /// The record of the page in another archive.
    pub imported: Option<EncodedRecord>,
    /// A browser showed the page so: the server was not asked.
    pub from_browser: bool,
}

/// A page that was read.
#[derive(Debug)]
pub(super) struct ReadPage {
    pub page: i64,
    pub at: DateTime<Utc>,
    pub site: String,
    pub prepared: PreparedVisit,
    /// The evidence for its site's verdict; `None` for an unchanged page.
    pub sign: Option<SiteSign>,
}

/// The evidence of a page for the verdict on its site.
#[derive(Debug)]
pub(super) struct SiteSign {
    pub of_page: PageSign,
    /// The wrapper that read the page.
    pub wrapper: Option<Arc<ActiveWrapper>>,
    /// The reason why the page was not received, or showed no article.
    pub failure: Option<String>,
}

/// An article, and the evidence of its first page for the wrapper.
pub(super) struct PageReading {
    pub article: Article,
    pub sign: Option<PageSign>,
    pub parts: Vec<ArticlePart>,
    /// The address of its next page, which could not be read for now.
    pub missing: Option<String>,
}

impl PageReading {
    pub fn of_one_page(article: Article, sign: PageSign) -> PageReading {
        PageReading {
            article,
            sign: Some(sign),
            parts: Vec::new(),
            missing: None,
        }
    }
}

/// Makes the archive's record from a page and its article, or from the reason why there is
/// none. `Err(None)`: the page has not changed.
pub(super) fn finish(
    fetched: FetchedPage,
    reading: Result<PageReading, Option<String>>,
) -> ReadPage {
    let url = fetched.visited.url.to_string();
    let (known, wrapper, at) = (fetched.known, fetched.wrapper, fetched.at);
    let refused = is_challenge(&fetched.visited).then_some(Status::Blocked);
    let mut arrival = Arrival {
        wrapper: wrapper.as_ref().map(|wrapper| wrapper.sha256.clone()),
        imported: fetched.imported,
        ..arrival_of(fetched.url, at, fetched.visited, &known)
    };
    if fetched.from_browser
        && let VisitResponse::Answer(exchange) = arrival.response
    {
        arrival.response = VisitResponse::Shown {
            body: exchange.body,
        };
        arrival.http_status = None;
    }
    let mut sign = None;
    match reading {
        Err(error) => arrival.error = error,
        Ok(reading) => {
            arrival.article = Some(reading.article);
            arrival.is_unfit = reading
                .sign
                .is_some_and(|sign| sign.worth.is_some() && !sign.fits);
            let by = wrapper.as_ref();
            let by = by.map(|active| (&*active.extractor, active.sha256.as_str()));
            let compared = AssertUnwindSafe(|| arrival.compare(&known, &fetched.raw, by));
            match catch_unwind(compared) {
                Ok(is_teaser) => {
                    let closed = is_teaser.then(|| PageSign::bare(Status::Blocked));
                    sign = closed.or(reading.sign);
                    (arrival.parts, arrival.missing) = (reading.parts, reading.missing);
                }
                Err(_) => {
                    (arrival.article, arrival.before) = (None, None);
                    arrival.error = Some(CRASHED.to_owned());
                }
            }
        }
    }
    if let Some(article) = &mut arrival.article {
        article.date_fetched = Some(rfc3339(at));
        if article.site.is_none() {
            article.site = site_of(Some(&url));
        }
    }
    let mut prepared = arrival.prepare(&known);
    if let Some(least) = fetched.least_words {
        prepared.leave_out_short(least);
    }
    let sign = sign.or_else(|| sign_of_none(refused.unwrap_or(prepared.visit().status)));
    // The wrapper is for pages as the server sends them.
    let sign = sign.filter(|sign| {
        !fetched.from_browser && !is_as_shut(sign, known.status == Some(Status::Blocked))
    });
    ReadPage {
        page: fetched.page,
        at,
        site: site_of(Some(&url)).unwrap_or_default(),
        sign: sign.map(|sign| SiteSign::of(sign, wrapper, &prepared)),
        prepared,
    }
}

/// Returns true if the page was blocked at its last visit and still is. It is requested
/// again and again, and must not make its site look blocked whose other pages are read.
fn is_as_shut(sign: &PageSign, was_shut: bool) -> bool {
    was_shut && sign.status == Status::Blocked
}

/// The evidence of a page without an article.
fn sign_of_none(status: Status) -> Option<PageSign> {
    matches!(status, Status::Blocked | Status::Error).then(|| PageSign::bare(status))
}

impl SiteSign {
    fn of(
        of_page: PageSign,
        wrapper: Option<Arc<ActiveWrapper>>,
        prepared: &PreparedVisit,
    ) -> SiteSign {
        let failed = sign_of_none(of_page.status).is_some();
        let visit = prepared.visit();
        SiteSign {
            of_page,
            wrapper,
            failure: visit.error.clone().filter(|_| failed),
        }
    }
}

/// Headers by which bot filters mark a response as a challenge, whatever its status; its
/// body is not read.
const CHALLENGES: [(&str, &str); 4] = [
    ("cf-mitigated", "challenge"),
    ("x-vercel-mitigated", "challenge"),
    ("x-amzn-waf-action", "challenge"),
    ("x-amzn-waf-action", "captcha"),
];

/// Returns true if the response is a challenge that asks for a human reader.
fn is_challenge(visited: &Visited) -> bool {
    let is_one = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        let (name, value) = line.split_once(':').unwrap_or_default();
        let (name, value) = (name.trim(), value.trim());
        CHALLENGES.iter().any(|(challenge, expected)| {
            name.eq_ignore_ascii_case(challenge) && value.eq_ignore_ascii_case(expected)
        })
    };
    !(200..=399).contains(&visited.status)
        && visited
            .response_head
            .split(|byte| *byte == b'\n')
            .any(is_one)
}

/// The arrival of a response for a page, without an article.
pub(super) fn arrival_of(
    url: String,
    at: DateTime<Utc>,
    mut visited: Visited,
    known: &KnownAddress,
) -> Arrival {
    // After a redirect a confirmation is about another page.
    let is_direct = visited.hops.is_empty();
    let exchange = take_exchange(&mut visited);
    let response = match visited.status {
        304 if is_direct && known.raw.is_some() => VisitResponse::NotModified(exchange),
        200..=299 => VisitResponse::Answer(exchange),
        _ => VisitResponse::Nothing,
    };
    let final_url = visited.url.to_string();
    Arrival {
        site: site_of(Some(&final_url)).unwrap_or_default(),
        final_url: Some(final_url),
        http_status: Some(visited.status),
        content_type: visited.content_type,
        etag: visited.etag.filter(|_| is_direct),
        last_modified: visited.last_modified.filter(|_| is_direct),
        ..Arrival::new(url, at, response)
    }
}

/// A page that could not be fetched.
pub(super) fn unreachable(
    page: i64,
    at: DateTime<Utc>,
    url: &str,
    known: &KnownAddress,
    why: String,
) -> ReadPage {
    // A site whose robots.txt forbids its pages counts as blocked, like one that refuses them.
    let status = if why == Why::Robots.to_string() {
        Status::Blocked
    } else {
        Status::Error
    };
    let arrival = Arrival {
        error: Some(why),
        ..Arrival::new(url.to_owned(), at, VisitResponse::Nothing)
    };
    let site = arrival.site.clone();
    let prepared = arrival.prepare(known);
    let sign = PageSign::bare(status);
    let failed = known.status == Some(Status::Error);
    ReadPage {
        page,
        at,
        site,
        sign: (!is_as_shut(&sign, failed)).then(|| SiteSign::of(sign, None, &prepared)),
        prepared,
    }
}

/// Returns true if the server confirms the archive's copy of the page.
pub(super) fn is_confirmed(visited: &Visited, known: &KnownAddress) -> bool {
    visited.status == 304 && visited.hops.is_empty() && known.raw.is_some()
}

/// The reason why the bytes are certainly not a page.
pub(super) fn not_a_page(bytes: &[u8]) -> Option<String> {
    sniff_no_page(bytes).map(|found| format!("this is {found}, not an HTML page"))
}
