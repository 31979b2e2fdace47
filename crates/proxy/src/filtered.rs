//! Answers that are filtered: which they are, and what becomes of them.

use super::headers;
use super::validators;
use crate::state::{FilteredPageRecord, ProxyApp};
use axum::body::{Body, Bytes};
use axum::http::header::{self as names, HeaderMap, HeaderName, HeaderValue};
use axum::http::response::Parts;
use axum::http::{Method, Response, StatusCode};
use forest_html::page::Page;
use forest_html::page::charset;
use forest_html::page::stream::PageStream;
use forest_text::filter::{FilterEngine, FilteredDocument};
use forest_text::prose::filtered_document;
use forest_web::clients::ClientKey;
use forest_web::collect::{Collected, collect};
use forest_web::cores::{LARGE_BYTES, NoResult, StopFlag};
use forest_web::encodings::ContentCoding;
use forest_web::header_list::list;
use forest_web::shared_filter::ActiveSettings;
use std::sync::Arc;
use tokio::sync::oneshot;
use url::Url;

/// The outcome of an answer in the proxy: `filtered`, `filtered; warned` or `unread`.
const OUTCOME: HeaderName = HeaderName::from_static("x-forest-filter");

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
    let names_charset = kind.to_ascii_lowercase().contains("charset");
    charset::is_html(kind) && (!names_charset || charset::from_content_type(kind).is_some())
}

/// An answer that is parsed.
enum ParsedAnswer {
    Filtered(FilteredDocument),
    /// A page that is filtered in its client's turn.
    Large(Box<Page>),
}

/// Filters an answer that [`is_filtered`] for a client. It passes as it came if it cannot be read
/// whole, or others have the cores.
pub(super) async fn filter<B>(
    state: &Arc<ProxyApp>,
    client: ClientKey,
    active: ActiveSettings,
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
    let (sender, filtered) = oneshot::channel();
    let use_page = filter_where_parsed(state, &active, url, sender);
    let growing = parsing.begin(active.engine.clone(), url.to_string(), kind, use_page);
    let collected = collect(body, coding, &state.web.room, |bytes| growing.push(bytes)).await;
    let whole = match collected {
        Collected::Whole(whole) => whole,
        Collected::Passing(why, body) => {
            tracing::debug!(%url, ?why, "passes as it comes");
            state.log().passed += 1;
            return Ok(with_outcome(Response::from_parts(head, body), "unread"));
        }
        Collected::Broken => return Err("the server broke off before the page was whole"),
    };
    if whole.bytes.is_empty() {
        return Ok(Response::from_parts(head, whole.into_sent()));
    }
    // A page on which the filter fails is a fault of ours; the answer cannot be had again.
    let failed = "the filter failed on this page; switch it off for this site";
    drop(growing);
    let page = match filtered.await.map_err(|_| failed)? {
        ParsedAnswer::Filtered(page) => page,
        ParsedAnswer::Large(page) => {
            let bytes = whole.bytes.len();
            match filter_large(state, client, &active, url, page, bytes).await {
                Ok(page) => page,
                Err(NoResult::Crashed) => return Err(failed),
                Err(why @ (NoResult::Busy | NoResult::Late)) => {
                    tracing::debug!(%url, %why, "passes as it came");
                    state.log().passed += 1;
                    let answer = Response::from_parts(head, whole.into_sent());
                    return Ok(with_outcome(answer, "unread"));
                }
            }
        }
    };
    Ok(filtered_answer(head, page, &active))
}

/// Filters a page on the thread that parsed it, and sends the outcome.
fn filter_where_parsed(
    state: &Arc<ProxyApp>,
    active: &ActiveSettings,
    url: &Url,
    sender: oneshot::Sender<ParsedAnswer>,
) -> impl FnOnce(PageStream, usize) + Send + use<> {
    let (engine, state, url) = (active.engine.clone(), Arc::clone(state), url.clone());
    move |page, bytes| {
        if sender.is_closed() {
            return;
        }
        let page = page.finish();
        if bytes >= LARGE_BYTES {
            // It would hold up the pages that are parsed on this thread.
            let _ = sender.send(ParsedAnswer::Large(Box::new(page)));
        } else {
            filter_page(&state, &engine, &page, &url, bytes, |document| {
                let _ = sender.send(ParsedAnswer::Filtered(document));
            });
        }
    }
}

/// Filters a large page in its client's turn.
async fn filter_large(
    state: &Arc<ProxyApp>,
    client: ClientKey,
    active: &ActiveSettings,
    url: &Url,
    page: Box<Page>,
    bytes: usize,
) -> Result<FilteredDocument, NoResult> {
    let (engine, log_state, page_url) = (active.engine.clone(), Arc::clone(state), url.clone());
    let work = move |_: &StopFlag| {
        let mut filtered = None;
        filter_page(&log_state, &engine, &page, &page_url, bytes, |document| {
            filtered = Some(document);
        });
        filtered
    };
    state.web.cores.run(client, bytes, work).await
}

/// The answer with the page after the filter.
fn filtered_answer(head: Parts, page: FilteredDocument, active: &ActiveSettings) -> Response<Body> {
    let mut answer = Response::from_parts(head, ());
    change_headers(answer.headers_mut(), active);
    let outcome = if page.warnings.is_empty() {
        "filtered"
    } else {
        "filtered; warned"
    };
    with_outcome(answer.map(|()| Body::from(page.text)), outcome)
}

/// The head of an answer to HEAD as that of the filtered page.
pub(super) fn head_alone<B>(answer: Response<B>, active: &ActiveSettings) -> Response<Body> {
    let mut answer = answer.map(|_| Body::empty());
    change_headers(answer.headers_mut(), active);
    with_outcome(answer, "filtered")
}

fn with_outcome(mut answer: Response<Body>, outcome: &'static str) -> Response<Body> {
    answer
        .headers_mut()
        .insert(OUTCOME, HeaderValue::from_static(outcome));
    answer
}

fn change_headers(headers: &mut HeaderMap, active: &ActiveSettings) {
    headers::drop_those_of_the_bytes(headers);
    validators::mark(headers, &active.digest);
    let kind = active.engine.settings().output.media_type();
    headers.insert(names::CONTENT_TYPE, HeaderValue::from_static(kind));
}

/// Gives the page after the filter, and then counts what is left of it.
fn filter_page(
    state: &ProxyApp,
    engine: &FilterEngine,
    page: &Page,
    url: &Url,
    bytes_before: usize,
    give: impl FnOnce(FilteredDocument),
) {
    let filtered = engine.filter(page);
    let document = filtered_document(&filtered, engine.settings().output);
    let (bytes_after, warnings) = (document.text.len(), document.warnings.clone());
    give(document);
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
