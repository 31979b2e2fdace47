//! Answers that are filtered: which they are, and what becomes of them.

use super::headers::{self, list};
use super::validators;
use crate::filter::{FilterEngine, FilterWarning, OutputFormat};
use crate::page::Page;
use crate::page::charset::from_content_type;
use crate::prose::xhtml::xhtml;
use crate::serve::collect::{Collected, collect};
use crate::serve::encodings::ContentCoding;
use crate::serve::state::{FilterState, FilteredPageRecord, InForce};
use axum::body::{Body, Bytes};
use axum::http::header::{self as names, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, Response, StatusCode};
use std::sync::Arc;
use tokio::sync::oneshot;
use url::Url;

/// Says what the proxy did with an answer.
const DONE: HeaderName = HeaderName::from_static("x-forest-filter");

/// The coding of the body, if an answer is a page that is filtered: HTML with status 200,
/// whole, in a charset and a coding that are known, which its server lets be changed (RFC
/// 9110, 7.7) and shows in place.
pub(super) fn is_filtered(
    method: &Method,
    status: StatusCode,
    headers: &HeaderMap,
) -> Option<ContentCoding> {
    let is_page = matches!(*method, Method::GET | Method::HEAD | Method::POST)
        && status == StatusCode::OK
        && !headers.contains_key(names::CONTENT_RANGE)
        && !is_attachment(headers)
        && !list(headers, &names::CACHE_CONTROL)
            .any(|directive| directive.eq_ignore_ascii_case("no-transform"))
        && is_html(headers);
    if is_page {
        ContentCoding::of(headers)
    } else {
        None
    }
}

fn is_attachment(headers: &HeaderMap) -> bool {
    let disposition = headers.get(names::CONTENT_DISPOSITION);
    disposition.is_some_and(|value| {
        let value = value.as_bytes().trim_ascii_start();
        value.len() >= 10 && value[..10].eq_ignore_ascii_case(b"attachment")
    })
}

/// True for HTML whose charset is known, or left to be found.
fn is_html(headers: &HeaderMap) -> bool {
    let Some(kind) = headers.get(names::CONTENT_TYPE) else {
        return false;
    };
    let Ok(kind) = kind.to_str() else {
        return false;
    };
    let media = kind.split(';').next().unwrap_or_default().trim();
    let is_html = ["text/html", "application/xhtml+xml"]
        .iter()
        .any(|html| media.eq_ignore_ascii_case(html));
    let names_charset = kind.to_ascii_lowercase().contains("charset");
    is_html && (!names_charset || from_content_type(kind).is_some())
}

/// A page after the filter.
#[derive(Debug)]
struct FilteredText {
    text: String,
    warnings: Vec<FilterWarning>,
}

/// Filters an answer that [`is_filtered`]. It passes as it came if it cannot be read whole.
pub(super) async fn filter<B>(
    state: &Arc<FilterState>,
    in_force: InForce,
    url: &Url,
    answer: Response<B>,
    coding: ContentCoding,
) -> Result<Response<Body>, &'static str>
where
    B: hyper::body::Body<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let (head, body) = answer.into_parts();
    let kind = head.headers.get(names::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).map(str::to_owned);
    let parsing = &state.parsing;
    let growing = parsing.begin(in_force.engine.clone(), url.to_string(), kind);
    let collected = collect(body, coding, &state.room, |bytes| growing.push(bytes)).await;
    let whole = match collected {
        Collected::Whole(whole) => whole,
        Collected::Passing(why, body) => {
            tracing::debug!(%url, ?why, "passes as it comes");
            state.log().passed += 1;
            return Ok(said(Response::from_parts(head, body), "unread"));
        }
        Collected::Broken => return Err("the server broke off before the page was whole"),
    };
    if whole.bytes.is_empty() {
        return Ok(Response::from_parts(head, whole.into_sent()));
    }
    // A page on which the filter fails is a fault of ours; the answer cannot be had again.
    let failed = "the filter failed on this page; switch it off for this site";
    let page = growing.finish().await.ok_or(failed)?;
    let permit = Arc::clone(&state.cores).acquire_owned().await;
    let (engine, held, of) = (in_force.engine.clone(), Arc::clone(state), url.clone());
    let (give, filtered) = oneshot::channel();
    tokio::task::spawn_blocking(move || {
        let _permit = permit;
        filter_page(&held, &engine, &page, &of, whole.bytes.len(), give);
    });
    let page = filtered.await.map_err(|_| failed)?;
    let mut answer = Response::from_parts(head, ());
    change_headers(answer.headers_mut(), &in_force);
    let done = if page.warnings.is_empty() {
        "filtered"
    } else {
        "filtered; warned"
    };
    Ok(said(answer.map(|()| Body::from(page.text)), done))
}

/// The head of an answer to HEAD as that of the filtered page.
pub(super) fn head_alone<B>(answer: Response<B>, in_force: &InForce) -> Response<Body> {
    let mut answer = answer.map(|_| Body::empty());
    change_headers(answer.headers_mut(), in_force);
    said(answer, "filtered")
}

fn said(mut answer: Response<Body>, what: &'static str) -> Response<Body> {
    answer
        .headers_mut()
        .insert(DONE, HeaderValue::from_static(what));
    answer
}

fn change_headers(headers: &mut HeaderMap, in_force: &InForce) {
    headers::drop_those_of_the_bytes(headers);
    validators::mark(headers, &in_force.digest);
    let kind = match in_force.engine.settings().output {
        OutputFormat::Html => "text/html; charset=utf-8",
        OutputFormat::Text => "text/plain; charset=utf-8",
        OutputFormat::Xhtml => "application/xhtml+xml; charset=utf-8",
    };
    headers.insert(names::CONTENT_TYPE, HeaderValue::from_static(kind));
}

/// Gives the page after the filter, and then counts what is left of it.
fn filter_page(
    state: &FilterState,
    engine: &FilterEngine,
    page: &Page,
    url: &Url,
    bytes_before: usize,
    give: oneshot::Sender<FilteredText>,
) {
    let filtered = engine.filter(page);
    let (text, warnings) = match engine.settings().output {
        OutputFormat::Html => {
            let html = filtered.html_once();
            (html.text, html.warnings)
        }
        OutputFormat::Text => (filtered.text(), filtered.warnings()),
        OutputFormat::Xhtml => (xhtml(&filtered.reparsed()).text, filtered.warnings()),
    };
    let bytes_after = text.len();
    let given = FilteredText {
        text,
        warnings: warnings.clone(),
    };
    // The client may have gone away.
    let _ = give.send(given);
    let record = FilteredPageRecord {
        url: url.to_string(),
        site: url.host_str().unwrap_or_default().to_owned(),
        before: filtered.before(),
        after: filtered.after(),
        bytes_before,
        bytes_after,
        warnings,
    };
    state.log().add(record);
}
