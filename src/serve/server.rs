//! Connections: who may have one, and which requests are for the pages and which go on.

use super::answers::plain;
use super::clients::{ClientRange, may_use};
use super::connection::{ConnectionPermit, serve_connection};
use super::guard::{Peer, is_own_name};
use super::proxy;
use super::state::FilterState;
use super::{FILTER_HOST, FilterPages};
use axum::Router;
use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::uri::{Authority, PathAndQuery};
use axum::http::{Method, Request, Response, StatusCode, Uri};
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Connections at once; others wait in the queue of the system.
const CONNECTIONS: usize = 4096;

/// Pause after a failed accept, such as for want of file descriptors.
const AFTER_FAILURE: Duration = Duration::from_millis(50);

/// The purpose of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ServerWork {
    Pages,
    Proxy,
}

/// A server of the pages, and of the proxy where it is one.
#[derive(Debug)]
pub struct FilterServer {
    router: Router,
    state: Arc<FilterState>,
    work: ServerWork,
    clients: Vec<ClientRange>,
}

impl FilterServer {
    /// A server of the pages alone.
    pub fn of_pages(pages: &FilterPages) -> FilterServer {
        FilterServer {
            router: pages.router(),
            state: Arc::clone(&pages.state),
            work: ServerWork::Pages,
            clients: Vec::new(),
        }
    }

    /// A proxy for plain HTTP, with the pages at its own address and at the host
    /// `forest.internal`.
    pub fn of_proxy(pages: &FilterPages) -> FilterServer {
        FilterServer {
            router: pages.proxy_router(),
            work: ServerWork::Proxy,
            ..FilterServer::of_pages(pages)
        }
    }

    /// Lets clients of these addresses in, too; without them only those of this machine.
    /// They cannot change settings.
    pub fn with_clients(mut self, clients: Vec<ClientRange>) -> Self {
        self.clients = clients;
        self
    }

    /// Answers until it is dropped.
    pub async fn run(self, listener: TcpListener) {
        let server = Arc::new(self);
        let permits = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            let Ok(permit) = Arc::clone(&permits).acquire_owned().await else {
                return;
            };
            let (stream, peer) = match listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::debug!(%error, "no connection");
                    tokio::time::sleep(AFTER_FAILURE).await;
                    continue;
                }
            };
            // Small answers go out at once.
            let _ = stream.set_nodelay(true);
            let Ok(local) = stream.local_addr() else {
                continue;
            };
            let server = Arc::clone(&server);
            let permit = ConnectionPermit::of(permit);
            tokio::spawn(serve_connection(
                TokioIo::new(stream),
                service_fn(move |mut request: Request<Incoming>| {
                    let server = Arc::clone(&server);
                    request.extensions_mut().insert(permit.clone());
                    async move { Ok::<_, Infallible>(server.answer(request, peer, local).await) }
                }),
            ));
        }
    }

    async fn answer(
        &self,
        request: Request<Incoming>,
        peer: SocketAddr,
        local: SocketAddr,
    ) -> Response<Body> {
        if !may_use(&self.clients, peer.ip()) {
            let why = "this address may not use this server; --allow lets it";
            return plain(StatusCode::FORBIDDEN, why);
        }
        let is_connect = request.method() == Method::CONNECT;
        let is_own = !is_connect && self.is_own(request.uri(), local);
        match self.work {
            _ if is_own => self.page(request, peer).await,
            ServerWork::Proxy => proxy::answer(&self.state, request).await,
            ServerWork::Pages => plain(StatusCode::FORBIDDEN, "this is no proxy"),
        }
    }

    /// True for a request that is for the pages: without a host in it, or with ours.
    fn is_own(&self, uri: &Uri, local: SocketAddr) -> bool {
        let Some(authority) = uri.authority() else {
            return true;
        };
        let port = authority.port_u16().unwrap_or(80);
        let host = authority.host();
        let is_address = authority_ip(authority).is_some_and(|ip| ip == local.ip());
        let is_local = host.eq_ignore_ascii_case("localhost") && local.ip().is_loopback();
        host.eq_ignore_ascii_case(FILTER_HOST) && port == 80
            || port == local.port()
                && (is_address || is_local || is_own_name(&self.state.hosts, host))
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
        request.extensions_mut().insert(Peer(peer));
        let service = TowerToHyperService::new(self.router.clone());
        match service.call(request).await {
            Ok(answer) => answer,
            Err(never) => match never {},
        }
    }
}

fn authority_ip(authority: &Authority) -> Option<std::net::IpAddr> {
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
