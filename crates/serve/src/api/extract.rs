//! `/extract`: the record of one page as JSON, as `forest apply` writes it, with the article's
//! HTML. A GET names the page; a POST has its HTML, or JSON with `url` and `html`.

use super::fault::{ApiFault, json_answer};
use super::reader::within;
use crate::state::LibraryApp;
use crate::web_page::{WebPage, typed_address};
use axum::body::{Body, to_bytes};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Response, StatusCode, Uri};
use forest_html::page::MAX_PAGE_BYTES;
use forest_html::page::charset::is_html;
use forest_web::cores::LARGE_BYTES;
use forest_web::form_fields::FormFields;
use forest_web::served_state::ServedState;
use serde::Deserialize;
use std::time::Duration;
use url::Url;

/// Time for a page, its fetch included.
const WITHIN: Duration = Duration::from_secs(60);

/// Bytes of a POST at the most: JSON writes some characters of a page as several.
const MAX_BODY_BYTES: usize = 2 * MAX_PAGE_BYTES;

/// The page in a POST of JSON.
#[derive(Debug, Deserialize)]
struct SentPage {
    /// Its address.
    url: Option<String>,
    /// Its HTML; without it the page is fetched.
    html: Option<String>,
}

pub(super) async fn of_address(
    state: ServedState<LibraryApp>,
    uri: Uri,
) -> Result<Response<Body>, ApiFault> {
    let url = address(&uri)?;
    let reader = &state.reader;
    let work = async {
        reader
            .article(state.client, fetched(&state, &url).await?)
            .await
    };
    let article = reader.within(state.client, WITHIN, work).await?;
    Ok(json_answer(StatusCode::OK, &article))
}

pub(super) async fn of_body(
    state: ServedState<LibraryApp>,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response<Body>, ApiFault> {
    let article = within(WITHIN, async {
        let _room = if is_large(&headers) {
            Some(state.large_bodies.acquire(state.client).await?)
        } else {
            None
        };
        let kind = headers.get(header::CONTENT_TYPE).map(HeaderValue::to_str);
        let kind = kind.and_then(Result::ok).unwrap_or_default();
        let page = match kind.split(';').next().map(str::trim) {
            Some("application/json") => sent_page(&state, &read(body).await?).await?,
            _ if is_html(kind) => WebPage {
                url: optional_address(&uri)?,
                bytes: read(body).await?,
                content_type: Some(kind.to_owned()),
            },
            _ => {
                let why = "send text/html, or application/json with url and html";
                return Err(ApiFault::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
            }
        };
        if page.bytes.len() > MAX_PAGE_BYTES {
            return Err(too_large());
        }
        state.reader.article(state.client, page).await
    })
    .await?;
    Ok(json_answer(StatusCode::OK, &article))
}

/// The page that JSON has or names.
async fn sent_page(state: &ServedState<LibraryApp>, bytes: &[u8]) -> Result<WebPage, ApiFault> {
    let sent: SentPage = serde_json::from_slice(bytes)
        .map_err(|error| ApiFault::new(StatusCode::BAD_REQUEST, format!("the JSON: {error}")))?;
    let url = sent.url.as_deref().map(checked).transpose()?;
    match (sent.html, url) {
        (Some(html), url) => Ok(WebPage {
            url,
            bytes: html.into_bytes(),
            content_type: Some("text/html; charset=utf-8".to_owned()),
        }),
        // It waits for its turn as that of a GET does.
        (None, Some(url)) => {
            let fetching = fetched(state, &url);
            state.reader.within(state.client, WITHIN, fetching).await
        }
        (None, None) => Err(ApiFault::new(StatusCode::BAD_REQUEST, "give url or html")),
    }
}

async fn fetched(state: &ServedState<LibraryApp>, url: &Url) -> Result<WebPage, ApiFault> {
    state.rate.take(1)?;
    state.reader.allow(url);
    state.reader.page(state.client, url).await
}

/// True for a body that may be a large one: it says so, or does not say.
fn is_large(headers: &HeaderMap) -> bool {
    let length = headers.get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    length.is_none_or(|length| length >= LARGE_BYTES)
}

async fn read(body: Body) -> Result<Vec<u8>, ApiFault> {
    let read = to_bytes(body, MAX_BODY_BYTES).await;
    read.map(Vec::from).map_err(|_| too_large())
}

fn too_large() -> ApiFault {
    let why = format!("the page has more than {MAX_PAGE_BYTES} bytes, or breaks off");
    ApiFault::new(StatusCode::PAYLOAD_TOO_LARGE, why)
}

/// The address in the parameter `url`.
pub(super) fn address(uri: &Uri) -> Result<Url, ApiFault> {
    let none = || ApiFault::new(StatusCode::BAD_REQUEST, "the parameter url is missing");
    optional_address(uri)?.ok_or_else(none)
}

fn optional_address(uri: &Uri) -> Result<Option<Url>, ApiFault> {
    let sent = FormFields::read(uri.query().unwrap_or_default().as_bytes());
    let typed = Some(sent.get("url")).filter(|typed| !typed.is_empty());
    typed.map(checked).transpose()
}

fn checked(typed: &str) -> Result<Url, ApiFault> {
    typed_address(typed).map_err(|why| ApiFault::new(StatusCode::BAD_REQUEST, why))
}
