//! Connections with https that are opened by an authority of the user's own, so that their
//! pages are filtered. To the server goes a connection of ours, whose certificate is verified
//! as for all requests.

use super::{forward, refused};
use crate::authority::{AuthorityFault, is_signed};
use crate::state::ProxyApp;
use axum::body::Body;
use axum::http::header::{self, HeaderMap};
use axum::http::{Request, Response, StatusCode, Uri};
use chrono::{DateTime, Utc};
use forest_fetch::Why;
use forest_web::clients::ClientKey;
use forest_web::connection::{HEAD_WITHIN, serve_connection};
use forest_web::places::ConnectionPlace;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rustls::ServerConfig;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::SystemTime;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use url::{Host, Url};

/// A host with https whose connections are opened.
pub(super) struct OpenedHost {
    /// Its address, without path.
    origin: Url,
    tls: Arc<ServerConfig>,
}

/// The reason why a host is not opened, and not tunnelled either.
#[derive(Debug, thiserror::Error)]
pub(super) enum UnopenedHost {
    #[error("{0}")]
    Address(#[from] Why),
    #[error("{0}")]
    Certificate(#[from] AuthorityFault),
}

/// The host that a client asks for, if its connections are opened; `None` for those that stay
/// tunnels: without an authority, of sites that are left alone, and of local networks.
pub(super) fn opened(
    state: &ProxyApp,
    host: &str,
    port: u16,
) -> Option<Result<OpenedHost, UnopenedHost>> {
    let authority = state.authority.as_ref()?;
    let origin = Url::parse(&format!("https://{host}:{port}/")).ok()?;
    let name = match origin.host()? {
        Host::Domain(name) => name.trim_end_matches('.').to_owned(),
        Host::Ipv4(ip) => ip.to_string(),
        Host::Ipv6(ip) => ip.to_string(),
    };
    if !state.filters_site(origin.host_str()?) || !is_signed(&name) {
        return None;
    }
    let today = DateTime::<Utc>::from(SystemTime::now()).date_naive();
    let open = || {
        state.web.relay.check(&origin)?;
        let tls = authority.tls(&name, today)?;
        Ok(OpenedHost { origin, tls })
    };
    Some(open())
}

impl OpenedHost {
    /// Answers CONNECT, and then the requests inside.
    pub(super) fn answer<B>(self, state: &Arc<ProxyApp>, request: Request<B>) -> Response<Body>
    where
        B: Send + 'static,
    {
        state.log().opened += 1;
        let asked_by = ClientKey::of_extensions(request.extensions());
        let place = request.extensions().get::<Arc<ConnectionPlace>>().cloned();
        let upgrade = hyper::upgrade::on(request);
        let state = Arc::clone(state);
        tokio::spawn(async move {
            let _place = place;
            let Ok(client) = upgrade.await else { return };
            let accepted = TlsAcceptor::from(self.tls).accept(TokioIo::new(client));
            // A client that does not trust the authority ends here.
            let Ok(Ok(stream)) = timeout(HEAD_WITHIN, accepted).await else {
                return;
            };
            let origin = Arc::new(self.origin);
            let service = service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(asked_by);
                let (state, origin) = (Arc::clone(&state), Arc::clone(&origin));
                async move { Ok::<_, Infallible>(forward_inside(&state, &origin, request).await) }
            });
            serve_connection(TokioIo::new(stream), service).await;
        });
        Response::new(Body::empty())
    }
}

/// Forwards a request of an opened connection.
async fn forward_inside(
    state: &Arc<ProxyApp>,
    origin: &Url,
    request: Request<Incoming>,
) -> Response<Body> {
    match target(origin, request.uri(), request.headers()) {
        Ok(url) => forward::forward_to(state, url, request).await,
        Err((status, why)) => refused(state, status, why),
    }
}

/// The target of a request inside: a path of the host for which the connection was opened.
fn target(origin: &Url, uri: &Uri, headers: &HeaderMap) -> Result<Url, (StatusCode, &'static str)> {
    let bad = |why| (StatusCode::BAD_REQUEST, why);
    let path = uri.path_and_query().map_or("", |path| path.as_str());
    if uri.authority().is_some() || !path.starts_with('/') {
        return Err(bad("a request inside a connection has a path alone"));
    }
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let named = host.and_then(|host| Url::parse(&format!("https://{host}/")).ok());
    if named.as_ref() != Some(origin) || headers.get_all(header::HOST).iter().count() != 1 {
        let why = "the connection was opened for another host";
        return Err((StatusCode::MISDIRECTED_REQUEST, why));
    }
    let base = origin.as_str().trim_end_matches('/');
    Url::parse(&format!("{base}{path}")).map_err(|_| bad("the address cannot be read"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header::HeaderValue;

    #[test]
    fn a_request_inside_stays_with_its_host() {
        let origin = Url::parse("https://a.example:8443/").expect("a URL");
        let check = |uri: &'static str, hosts: &[&'static str], expected: Result<&str, u16>| {
            let mut headers = HeaderMap::new();
            for host in hosts {
                headers.append(header::HOST, HeaderValue::from_static(host));
            }
            let url = target(&origin, &Uri::from_static(uri), &headers);
            let url = url.map_err(|(status, _)| status.as_u16());
            assert_eq!(
                url.as_ref().map(Url::as_str),
                expected.as_ref().map(|url| *url)
            );
        };
        let own = ["A.example:8443"];
        check("/x?y=//z", &own, Ok("https://a.example:8443/x?y=//z"));
        check(
            "//b.example/",
            &own,
            Ok("https://a.example:8443//b.example/"),
        );
        check("*", &own, Err(400));
        check("https://b.example/", &own, Err(400));
        check("b.example:443", &own, Err(400));
        for others in [
            &["b.example:8443"][..],
            &["a.example"],
            &[],
            &["a.example:8443/x"],
        ] {
            check("/", others, Err(421));
        }
        check("/", &["a.example:8443", "a.example:8443"], Err(421));
        check("/", &["u@a.example:8443"], Err(421));
    }
}
