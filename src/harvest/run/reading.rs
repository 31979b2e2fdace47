//! A page that came, read: what the archive takes, and what it says of the wrapper.
//! No state, so that pages are read on all cores.

use super::parts::Unfinished;
use super::sites::InForce;
use crate::archive::{
    Arrival, Before, Came, Known, Part, Prepared, RawPages, Said, before_of, close_teaser,
};
use crate::drift::{PageSign, extract_and_observe};
use crate::extract::{Article, Options, PagedArticle, Status, fallback};
use crate::feed::{Kind, sniff};
use crate::fetch::{Visited, Why};
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
    /// What a feed says of it.
    pub said: Option<Said>,
    /// The words that its article must have.
    pub least_words: Option<usize>,
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
    /// What it says of its site; `None` of one that is as it was.
    pub sign: Option<Sign>,
}

/// What a page says of its site.
#[derive(Debug)]
pub(super) struct Sign {
    pub of_page: PageSign,
    /// The wrapper that it was held against.
    pub wrapper: Option<Arc<InForce>>,
    /// Why it did not come, or what stands in the way of its article.
    pub failure: Option<String>,
}

/// How far a page is read.
#[derive(Debug)]
pub(super) enum Step {
    Read(Box<Read>),
    /// Its article goes on at another page.
    GoesOn(Box<Unfinished>),
}

/// An article, and what its first page says of the wrapper.
pub(super) struct Made {
    pub article: Article,
    pub sign: Option<PageSign>,
    pub parts: Vec<Part>,
    /// Where it goes on, and could not be read for now.
    pub missing: Option<String>,
}

/// What became of reading a page.
enum Extracted {
    Made(Box<Made>),
    GoesOn(
        Box<PagedArticle<Arc<crate::extract::Extractor>>>,
        Option<PageSign>,
    ),
    /// It says what it said before.
    Nothing,
}

pub(super) const CRASHED: &str = "forest crashed on this page: please report it";

/// Reads a page.
pub(super) fn read(job: Job) -> Step {
    if let Some(error) = error_of(&job) {
        return Step::Read(Box::new(arrived(job, Err(Some(error)))));
    }
    match catch_unwind(AssertUnwindSafe(|| extract(&job))) {
        Ok(Extracted::GoesOn(whole, sign)) => {
            Step::GoesOn(Box::new(Unfinished::new(job, whole, sign)))
        }
        Ok(Extracted::Made(made)) => Step::Read(Box::new(arrived(job, Ok(*made)))),
        Ok(Extracted::Nothing) => Step::Read(Box::new(arrived(job, Err(None)))),
        Err(_) => Step::Read(Box::new(arrived(job, Err(Some(CRASHED.to_owned()))))),
    }
}

/// What the archive takes of a page with its article, or with why there is none, if
/// that is an error.
pub(super) fn arrived(job: Job, made: Result<Made, Option<String>>) -> Read {
    let url = job.visited.url.to_string();
    let made = made.and_then(|mut made| {
        let before = catch_unwind(AssertUnwindSafe(|| before(&job, &mut made)));
        let before = before.map_err(|_| Some(CRASHED.to_owned()))?;
        Ok((before, made))
    });
    let (mut article, mut parts, mut sign, mut missing, mut old) = (None, vec![], None, None, None);
    let error = match made {
        Err(error) => error,
        Ok((before, mut made)) => {
            let at = job.at.to_rfc3339_opts(SecondsFormat::Secs, true);
            made.article.date_fetched = Some(at);
            if made.article.site.is_none() {
                made.article.site = site_of(Some(&url));
            }
            let error = made.article.error.clone();
            (article, parts, missing) = (Some(made.article), made.parts, made.missing);
            (sign, old) = (made.sign, before);
            error
        }
    };
    let known = job.known;
    let wrapper = job.wrapper;
    let refused = is_challenge(&job.visited).then_some(Status::Blocked);
    let arrival = Arrival {
        error,
        article,
        parts,
        missing,
        wrapper: wrapper.as_ref().map(|wrapper| wrapper.sha256.clone()),
        before: old,
        ..arrival_of(job.url, job.at, job.visited, &known)
    };
    let mut prepared = arrival.prepare(&known);
    if let Some(least) = job.least_words {
        prepared.leave_out_short(least);
    }
    let sign = sign.or_else(|| sign_of_none(refused.unwrap_or(prepared.visit().status)));
    let sign = sign.filter(|sign| !is_as_shut(sign, known.status == Some(Status::Blocked)));
    Read {
        page: job.page,
        at: job.at,
        site: site_of(Some(&url)).unwrap_or_default(),
        sign: sign.map(|sign| Sign::of(sign, wrapper, &prepared)),
        prepared,
    }
}

/// Whether what stood in the way of a page at its last visit does so still. It is asked
/// for again and again, and must not make its site look blocked whose other pages are read.
fn is_as_shut(sign: &PageSign, was_shut: bool) -> bool {
    was_shut && sign.status == Status::Blocked
}

/// What a page says that brought no article.
fn sign_of_none(status: Status) -> Option<PageSign> {
    matches!(status, Status::Blocked | Status::Error).then(|| PageSign::bare(status))
}

impl Sign {
    fn of(of_page: PageSign, wrapper: Option<Arc<InForce>>, prepared: &Prepared) -> Sign {
        let failed = sign_of_none(of_page.status).is_some();
        let visit = prepared.visit();
        Sign {
            of_page,
            wrapper,
            failure: visit.error.clone().filter(|_| failed),
        }
    }
}

/// Headers by which those who guard sites say that an answer is a challenge, whatever its
/// status; its body is not read.
const CHALLENGES: [(&str, &str); 4] = [
    ("cf-mitigated", "challenge"),
    ("x-vercel-mitigated", "challenge"),
    ("x-amzn-waf-action", "challenge"),
    ("x-amzn-waf-action", "captcha"),
];

/// Whether the answer in place of a page asks whether its reader is human.
fn is_challenge(visited: &Visited) -> bool {
    let is_one = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        let (name, value) = line.split_once(':').unwrap_or_default();
        let (name, value) = (name.trim(), value.trim());
        CHALLENGES.iter().any(|(challenge, says)| {
            name.eq_ignore_ascii_case(challenge) && value.eq_ignore_ascii_case(says)
        })
    };
    !(200..=399).contains(&visited.status)
        && visited
            .response_head
            .split(|byte| *byte == b'\n')
            .any(is_one)
}

/// What came in answer to a visit to a page, without what it says.
pub(super) fn arrival_of(
    url: String,
    at: DateTime<Utc>,
    visited: Visited,
    known: &Known,
) -> Arrival {
    // Behind a redirect a confirmation speaks of another page.
    let is_direct = visited.hops.is_empty();
    let came = match visited.status {
        304 if is_direct && known.raw.is_some() => Came::NotModified {
            request_head: visited.request_head,
            response_head: visited.response_head,
            address: visited.address,
        },
        200..=299 => Came::Answer {
            request_head: visited.request_head,
            response_head: visited.response_head,
            body: visited.body,
            address: visited.address,
        },
        _ => Came::Nothing,
    };
    let final_url = visited.url.to_string();
    Arrival {
        site: site_of(Some(&final_url)).unwrap_or_default(),
        final_url: Some(final_url),
        http_status: Some(visited.status),
        content_type: visited.content_type,
        etag: visited.etag.filter(|_| is_direct),
        last_modified: visited.last_modified.filter(|_| is_direct),
        ..Arrival::new(url, at, came)
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
    // Who closes a site by robots.txt stands in the way as one who refuses each page.
    let status = match why == Why::Robots.to_string() {
        true => Status::Blocked,
        false => Status::Error,
    };
    let arrival = Arrival {
        error: Some(why),
        ..Arrival::new(url.to_owned(), at, Came::Nothing)
    };
    let site = arrival.site.clone();
    let prepared = arrival.prepare(known);
    let sign = PageSign::bare(status);
    let failed = known.status == Some(Status::Error);
    Read {
        page,
        at,
        site,
        sign: (!is_as_shut(&sign, failed)).then(|| Sign::of(sign, None, &prepared)),
        prepared,
    }
}

/// Why there is no page to read.
fn error_of(job: &Job) -> Option<String> {
    match job.visited.status {
        304 if is_confirmed(&job.visited, &job.known) => None,
        200..=299 => not_a_page(&job.visited.body),
        status => Some(format!("status {status}")),
    }
}

/// Whether the server says that the page is what the archive has.
pub(super) fn is_confirmed(visited: &Visited, known: &Known) -> bool {
    visited.status == 304 && visited.hops.is_empty() && known.raw.is_some()
}

/// The article, and what the page says of the wrapper.
fn extract(job: &Job) -> Extracted {
    let options = Options::default();
    let is_known = |known: &Known| {
        let digest = || hex(&Sha256::digest(&job.visited.body));
        let raw = known.raw.as_ref();
        is_confirmed(&job.visited, known) || raw.is_some_and(|raw| raw.sha256 == digest())
    };
    if is_known(&job.known) {
        return go_on_again(job, options);
    }
    let url = job.visited.url.as_str();
    let source = Source {
        url: Some(url),
        content_type: job.visited.content_type.as_deref(),
    };
    // The fetcher has its limit.
    let body = &job.visited.body;
    let Some(used) = &job.wrapper else {
        let page = Page::parse_within(body, source, body.len(), |text| text);
        let why = "no wrapper of this site was learned yet";
        let article = fallback(&page, &options, why);
        let sign = PageSign::bare(article.status);
        return Extracted::Made(Box::new(Made::alone(article, Some(sign))));
    };
    let extractor = &used.extractor;
    let page = extractor.parse_within(body, source, body.len());
    let said = job.said.as_ref();
    let said = said.map(|said| format!("{}\n{}", said.title, said.summary));
    let (article, seen) =
        extract_and_observe(extractor, url, &(&page).into(), said.as_deref(), &options);
    let sign = Some(PageSign::of(extractor.wrapper(), &seen));
    let whole = PagedArticle::with(Arc::clone(extractor), &page, options, article);
    match whole.wanted() {
        Some(_) => Extracted::GoesOn(Box::new(whole), sign),
        None => Extracted::Made(Box::new(Made::alone(whole.finish(), sign))),
    }
}

/// A first page that has not changed: those that follow it may have, or may be there
/// now.
fn go_on_again(job: &Job, options: Options) -> Extracted {
    let latest = job.known.latest.as_ref();
    let has_parts = !job.known.is_part() && latest.is_some_and(|latest| !latest.parts.is_empty());
    let (true, Some(used), Some(raw)) = (has_parts, &job.wrapper, &job.known.raw) else {
        return Extracted::Nothing;
    };
    let Ok(raw) = job.raw.read(raw) else {
        return Extracted::Nothing;
    };
    let page = raw.parse(Some(&used.extractor));
    let whole = PagedArticle::of(Arc::clone(&used.extractor), &page, options);
    match whole.wanted() {
        Some(_) => Extracted::GoesOn(Box::new(whole), None),
        None => Extracted::Nothing,
    }
}

/// The pages of the latest version as they are read today; `None` where what came is a
/// teaser, whose article is none.
fn before(job: &Job, made: &mut Made) -> Option<Before> {
    let by = job.wrapper.as_ref();
    let by = by.map(|used| (&*used.extractor, used.sha256.as_str()));
    let now = (
        job.visited.body.as_slice(),
        job.visited.url.as_str(),
        job.visited.content_type.as_deref(),
    );
    if close_teaser(&job.raw, &job.known, now, &mut made.article) {
        made.sign = Some(PageSign::bare(Status::Blocked));
        return None;
    }
    before_of(&job.raw, &job.known, now, &made.article, by)
}

impl Made {
    fn alone(article: Article, sign: Option<PageSign>) -> Made {
        Made {
            article,
            sign,
            parts: Vec::new(),
            missing: None,
        }
    }
}

/// Why the bytes are certainly no page.
pub(super) fn not_a_page(bytes: &[u8]) -> Option<String> {
    match sniff(bytes) {
        kind @ (Kind::Pdf
        | Kind::Warc
        | Kind::Zip
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
