//! Requests that go on to their servers.

use super::filtered;
use super::headers::{drop_hop_by_hop, for_server};
use super::{refused, validators};
use crate::state::ProxyApp;
use axum::body::{Body, Bytes};
use axum::http::header;
use axum::http::{Method, Request, Response, StatusCode, Uri};
use forest_fetch::Why;
use forest_fetch::unknown_transfer_coding;
use forest_html::address::has_credentials;
use forest_web::clients::ClientKey;
use forest_web::guard::TRANSFER_CODING;
use std::sync::Arc;
use url::Url;

/// Forwards a request in absolute form (RFC 9112, 3.2.2).
pub(super) async fn forward<B>(state: &Arc<ProxyApp>, request: Request<B>) -> Response<Body>
where
    B: hyper::body::Body<Data = Bytes> + Send + Sync + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    match target(request.uri()) {
        Ok(url) => forward_to(state, url, request).await,
        Err(why) => refused(state, StatusCode::BAD_REQUEST, why),
    }
}

/// Forwards a request to an address.
pub(super) async fn forward_to<B>(
    state: &Arc<ProxyApp>,
    url: Url,
    request: Request<B>,
) -> Response<Body>
where
    B: hyper::body::Body<Data = Bytes> + Send + Sync + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let refused = |status, why: &str| refused(state, status, why);
    let (mut head, body) = request.into_parts();
    let client = ClientKey::of_extensions(&head.extensions);
    if head.method == Method::TRACE {
        return refused(StatusCode::NOT_IMPLEMENTED, "TRACE is not forwarded");
    }
    if state.web.came_through(&head.headers) {
        return refused(StatusCode::LOOP_DETECTED, "the request came here before");
    }
    if unknown_transfer_coding(&head.headers).is_some() {
        return refused(StatusCode::NOT_IMPLEMENTED, TRANSFER_CODING);
    }
    let active = state.filter.active();
    let is_on = state.filters_site(url.host_str().unwrap_or_default());
    for_server(&mut head.headers, &state.web.via);
    let was_marked = validators::unmark(&mut head.headers, &active.digest);
    let method = head.method.clone();
    let sent = state
        .web
        .relay
        .send(head.method, Some(&url), url.clone(), head.headers, body);
    let mut answer: Response<_> = match sent.await {
        Ok(answer) => answer.into(),
        Err(why) => return refused(status_of(&why), &why.to_string()),
    };
    drop_hop_by_hop(answer.headers_mut());
    answer
        .headers_mut()
        .append(header::VIA, state.web.via.clone());
    *answer.version_mut() = axum::http::Version::HTTP_11;
    if was_marked && answer.status() == StatusCode::NOT_MODIFIED {
        validators::mark(answer.headers_mut(), &active.digest);
    }
    let coding = filtered::is_filtered(&method, answer.status(), answer.headers());
    match coding.filter(|_| is_on) {
        None => {
            state.log().passed += 1;
            answer.map(Body::new)
        }
        Some(_) if method == Method::HEAD => filtered::head_alone(answer, &active),
        Some(coding) => match filtered::filter(state, client, active, &url, answer, coding).await {
            Ok(answer) => answer,
            Err(why) => refused(StatusCode::BAD_GATEWAY, why),
        },
    }
}

/// The target of a request; an error for what a proxy for plain HTTP does not forward.
fn target(uri: &Uri) -> Result<Url, &'static str> {
    let url = Url::parse(&uri.to_string()).map_err(|_| "the address cannot be read")?;
    match url.scheme() {
        "http" => {}
        "https" => return Err("https goes through a tunnel: CONNECT"),
        _ => return Err("only http is forwarded"),
    }
    if has_credentials(&url) {
        return Err("an address with a password is not forwarded");
    }
    Ok(url)
}

fn status_of(why: &Why) -> StatusCode {
    match why {
        Why::PrivateAddress(_) | Why::Scheme(_) => StatusCode::FORBIDDEN,
        Why::Timeout => StatusCode::GATEWAY_TIMEOUT,
        _ => StatusCode::BAD_GATEWAY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_http_without_a_password_is_forwarded() {
        let check = |uri: &'static str, expected: Option<&str>| {
            let url = target(&Uri::from_static(uri)).ok();
            assert_eq!(url.as_ref().map(Url::as_str), expected, "{uri}");
        };
        check("http://a.example", Some("http://a.example/"));
        check("http://A.example:80/x?y", Some("http://a.example/x?y"));
        check("http://0x7f.1/", Some("http://127.0.0.1/"));
        check("https://a.example/", None);
        check("ftp://a.example/", None);
        check("http://u:p@a.example/", None);
        check("http://u@a.example/", None);
    }
}
