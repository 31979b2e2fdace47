//! Connections: who may have one, and which requests are for the pages and which go on.

use super::FILTER_HOST;
use super::answers::plain;
use super::app::WebApp;
use super::clients::{ClientKey, ClientRange, may_use};
use super::connection::{serve_connection, with_write_timeout};
use super::guard::{Peer, is_own_name, say_https};
use super::places::{ConnectionPlace, ConnectionPlaces};
use super::timed_body::TimedBody;
use super::tls::ServerTls;
use axum::Router;
use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::uri::{Authority, PathAndQuery};
use axum::http::{Method, Request, Response, StatusCode, Uri};
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::fmt;
use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;

/// Pause after a failed accept, such as for want of file descriptors.
const AFTER_FAILURE: Duration = Duration::from_millis(50);

/// Time in which a client of pages has to read something of what is written to it.
const READ_WITHIN: Duration = Duration::from_secs(30);

/// Time of a client of a proxy: a browser that pauses a video or a download does not read, and that
/// may come through the proxy.
const PROXY_READ_WITHIN: Duration = Duration::from_secs(600);

/// The answer to a request that is not for our own pages.
pub type ForeignAnswer = Pin<Box<dyn Future<Output = Response<Body>> + Send>>;

/// Answers requests that are not for our own pages: a proxy.
pub trait ForeignRequests: fmt::Debug + Send + Sync {
    fn answer(&self, request: Request<TimedBody<Incoming>>) -> ForeignAnswer;
}

/// The reason why a connection has no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RefusedClient {
    /// Its address may not use the server.
    Foreign,
    /// Its address has as many connections as it may.
    TooMany,
}

/// Closes a connection, with a word for a person if the client reads it.
fn turn_away(mut stream: impl Write, refused: RefusedClient) {
    let (status, more, why) = match refused {
        RefusedClient::Foreign => (
            "403 Forbidden",
            "",
            "this address may not use this server; --allow lets it",
        ),
        RefusedClient::TooMany => (
            "503 Service Unavailable",
            "Retry-After: 10\r\n",
            "this address has too many connections",
        ),
    };
    let bytes = why.len() + "forest: \n".len();
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\n{more}\
         Content-Length: {bytes}\r\nConnection: close\r\n\r\nforest: {why}\n"
    );
    // It does not wait: a new connection has room for it.
    let _ = stream.write_all(answer.as_bytes());
}

/// A server of pages, and of a proxy where it is one.
#[derive(Debug)]
pub struct WebServer {
    router: Router,
    hosts: Vec<String>,
    proxy: Option<Arc<dyn ForeignRequests>>,
    clients: Vec<ClientRange>,
    tls: Option<Arc<ServerTls>>,
}

impl WebServer {
    /// A server of the pages of a router alone.
    pub fn new(app: &WebApp, router: Router) -> WebServer {
        WebServer {
            router,
            hosts: app.hosts.clone(),
            proxy: None,
            clients: Vec::new(),
            tls: None,
        }
    }

    /// A proxy, with the pages at its own address and at the host `forest.internal`.
    pub fn with_proxy(mut self, proxy: Arc<dyn ForeignRequests>) -> Self {
        self.proxy = Some(proxy);
        self
    }

    fn write_within(&self) -> Duration {
        match self.proxy {
            Some(_) => PROXY_READ_WITHIN,
            None => READ_WITHIN,
        }
    }

    /// Lets clients of these addresses in, too; without them only those of this machine.
    /// They cannot change settings.
    pub fn with_clients(mut self, clients: Vec<ClientRange>) -> Self {
        self.clients = clients;
        self
    }

    /// Answers by https alone; without it by http.
    pub fn with_tls(mut self, tls: ServerTls) -> Self {
        self.tls = Some(Arc::new(tls));
        self
    }

    /// Answers until it is dropped.
    pub async fn run(self, listener: TcpListener) {
        let server = Arc::new(self);
        let places = ConnectionPlaces::new();
        loop {
            let (stream, peer) = match listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::debug!(%error, "no connection");
                    tokio::time::sleep(AFTER_FAILURE).await;
                    continue;
                }
            };
            let place = match server.admit(&places, peer.ip()) {
                Ok(place) => Arc::new(place),
                Err(refused) => {
                    if let Ok(stream) = stream.into_std() {
                        turn_away(stream, refused);
                    }
                    continue;
                }
            };
            // Small answers go out at once.
            let _ = stream.set_nodelay(true);
            let Ok(local) = stream.local_addr() else {
                continue;
            };
            let server = Arc::clone(&server);
            tokio::spawn(async move {
                let served = server.serve(stream, peer, local, Arc::clone(&place));
                tokio::select! {
                    () = served => {}
                    () = place.has_to_leave() => tracing::debug!(%peer, "leaves for another"),
                }
            });
        }
    }

    /// Answers the requests of a connection, after its handshake if there has to be one.
    async fn serve<S>(
        self: Arc<Self>,
        stream: S,
        peer: SocketAddr,
        local: SocketAddr,
        place: Arc<ConnectionPlace>,
    ) where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (within, tls) = (self.write_within(), self.tls.clone());
        let answer = service_fn(move |mut request: Request<Incoming>| {
            let server = Arc::clone(&self);
            request.extensions_mut().insert(Arc::clone(&place));
            async move { Ok::<_, Infallible>(server.answer(request, peer, local).await) }
        });
        let Some(tls) = tls else {
            return serve_connection(with_write_timeout(stream, within), answer).await;
        };
        if let Some(stream) = tls.accept(stream).await {
            serve_connection(with_write_timeout(stream, within), answer).await;
        }
    }

    /// The place of a connection from an address, if it may have one.
    fn admit(
        &self,
        places: &ConnectionPlaces,
        ip: IpAddr,
    ) -> Result<ConnectionPlace, RefusedClient> {
        if !may_use(&self.clients, ip) {
            return Err(RefusedClient::Foreign);
        }
        places.take(ip).ok_or(RefusedClient::TooMany)
    }

    async fn answer(
        &self,
        request: Request<Incoming>,
        peer: SocketAddr,
        local: SocketAddr,
    ) -> Response<Body> {
        let is_connect = request.method() == Method::CONNECT;
        let is_own = !is_connect && self.is_own(request.uri(), local);
        if is_own {
            return self.page(request, peer).await;
        }
        let Some(proxy) = &self.proxy else {
            return plain(StatusCode::FORBIDDEN, "this is no proxy");
        };
        if let Some(place) = request.extensions().get::<Arc<ConnectionPlace>>() {
            place.let_in();
        }
        let mut request = request.map(TimedBody::in_pieces);
        request.extensions_mut().insert(ClientKey::of(peer.ip()));
        proxy.answer(request).await
    }

    /// True for a request that is for the pages: without a host in it, or with ours.
    fn is_own(&self, uri: &Uri, local: SocketAddr) -> bool {
        let Some(authority) = uri.authority() else {
            return true;
        };
        let default = if self.tls.is_some() { 443 } else { 80 };
        let port = authority.port_u16().unwrap_or(default);
        let host = authority.host();
        let is_address = authority_ip(authority).is_some_and(|ip| ip == local.ip());
        let is_local = host.eq_ignore_ascii_case("localhost") && local.ip().is_loopback();
        host.eq_ignore_ascii_case(FILTER_HOST) && port == 80
            || port == local.port() && (is_address || is_local || is_own_name(&self.hosts, host))
    }

    async fn page(&self, mut request: Request<Incoming>, peer: SocketAddr) -> Response<Body> {
        // The target of a request goes before its Host (RFC 9112, 3.2.2).
        if let Some(authority) = request.uri().authority().cloned() {
            let path = request.uri().path_and_query().cloned();
            let path = path.unwrap_or(PathAndQuery::from_static("/"));
            *request.uri_mut() = Uri::from(path);
            if let Ok(host) = HeaderValue::try_from(authority.as_str()) {
                request.headers_mut().insert(header::HOST, host);
            }
        }
        if self.tls.is_some() {
            say_https(request.headers_mut());
        }
        let client = ClientKey::of_request(peer.ip(), request.headers());
        request.extensions_mut().insert(client);
        request.extensions_mut().insert(Peer(peer));
        let request = request.map(TimedBody::whole);
        let late = request.body().lateness();
        let service = TowerToHyperService::new(self.router.clone());
        match service.call(request).await {
            Ok(_) if late.is_late() => plain(StatusCode::REQUEST_TIMEOUT, &late.to_string()),
            Ok(answer) => answer,
            Err(never) => match never {},
        }
    }
}

fn authority_ip(authority: &Authority) -> Option<IpAddr> {
    let host = authority.host();
    host.trim_start_matches('[')
        .trim_end_matches(']')
        .parse()
        .ok()
}

/// Raises the number of files that the process may have open to what the system allows: each
/// connection of a proxy takes two.
pub fn raise_file_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        // Without the right to it, fewer connections are served at once.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_may_not_use_the_server_has_no_place() {
        let proxy = WebServer {
            router: Router::new(),
            hosts: Vec::new(),
            proxy: None,
            clients: vec!["10.0.0.0/8".parse().expect("a range")],
            tls: None,
        };
        let places = ConnectionPlaces::new();
        let admit = |ip: [u8; 4]| proxy.admit(&places, ip.into());
        let foreign = (0..5_000).map(|_| admit([192, 0, 2, 1]).map(|_| ()));
        assert!(
            foreign
                .into_iter()
                .all(|refused| refused == Err(RefusedClient::Foreign))
        );
        let held: Vec<_> = (0..64).map(|_| admit([10, 0, 0, 1])).collect();
        assert!(held.iter().all(Result::is_ok));
        assert_eq!(
            admit([10, 0, 0, 1]).map(|_| ()),
            Err(RefusedClient::TooMany)
        );
        assert!(admit([10, 0, 0, 2]).is_ok() && admit([127, 0, 0, 1]).is_ok());
    }

    #[test]
    fn who_is_turned_away_is_told_why() {
        for (refused, status) in [
            (RefusedClient::Foreign, "HTTP/1.1 403 "),
            (RefusedClient::TooMany, "HTTP/1.1 503 "),
        ] {
            let mut sent = Vec::new();
            turn_away(&mut sent, refused);
            let sent = String::from_utf8(sent).expect("text");
            let (head, body) = sent.split_once("\r\n\r\n").expect("a head");
            assert!(head.starts_with(status), "{head}");
            assert!(
                head.contains(&format!("Content-Length: {}\r\n", body.len())),
                "{sent}"
            );
        }
    }
}
