//! A page of the web for a person: fetched as the browser would, through the address rules.

use super::state::FilterApp;
use super::web_page::WebPage;
use axum::body::Bytes;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, Response};
use forest_fetch::{FetchOptions, redirect_target};
use forest_html::page::charset::is_html;
use forest_web::collect::{Collected, collect};
use forest_web::encodings::ContentCoding;
use http_body_util::Empty;
use url::Url;

/// Redirects that are followed: as many as `fetch` does.
const REDIRECTS: usize = FetchOptions::REDIRECTS;

/// Headers of the browser's request that go to the server.
const OF_THE_BROWSER: [HeaderName; 2] = [header::USER_AGENT, header::ACCEPT_LANGUAGE];

/// Fetches a page for the browser whose request has the headers `browser`. The error is for
/// people.
pub(super) async fn fetch(
    state: &FilterApp,
    typed: Url,
    browser: &HeaderMap,
) -> Result<WebPage, String> {
    let mut url = typed.clone();
    for _ in 0..=REDIRECTS {
        let sent = state.web.relay.send(
            Method::GET,
            Some(&typed),
            url.clone(),
            headers(state, browser),
            Empty::<Bytes>::new(),
        );
        let answer: Response<_> = sent.await.map_err(|why| why.to_string())?.into();
        if let Some(to) = redirect_target(&url, answer.status().as_u16(), answer.headers()) {
            url = to.map_err(|to| format!("a redirect leads nowhere: {to}"))?;
            continue;
        }
        let kind = answer.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).map(str::to_owned);
        if !kind.as_deref().is_none_or(is_html) {
            let kind = kind.unwrap_or_default();
            return Err(format!("this is no page, but {kind}"));
        }
        let coding = ContentCoding::of(answer.headers()).ok_or("its coding is not known")?;
        let collected = collect(answer.into_body(), coding, &state.web.room, |_| ()).await;
        return match collected {
            Collected::Whole(whole) => Ok(WebPage {
                url: Some(url),
                bytes: whole.bytes,
                content_type: kind,
            }),
            Collected::Passing(why, _) => Err(why.to_string()),
            Collected::Broken => Err("the server broke off".to_owned()),
        };
    }
    Err(format!("more than {REDIRECTS} redirects"))
}

fn headers(state: &FilterApp, browser: &HeaderMap) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for name in OF_THE_BROWSER {
        if let Some(value) = browser.get(&name) {
            headers.insert(name, value.clone());
        }
    }
    let html = HeaderValue::from_static("text/html,application/xhtml+xml;q=0.9,*/*;q=0.5");
    headers.insert(header::ACCEPT, html);
    let codings = HeaderValue::from_static("gzip, deflate, br, zstd");
    headers.insert(header::ACCEPT_ENCODING, codings);
    headers.insert(header::VIA, state.web.via.clone());
    headers
}
