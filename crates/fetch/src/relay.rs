//! Requests that are sent on for others: no robots.txt, no delay, no retry, bodies as the
//! server sends them. The address rules are those of all requests.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Body, Method, Request, Response};
use tokio::net::TcpStream;
use url::{Host, Url};

use super::address::{self, AddressRules, AddressScope, PrivateHosts, is_public};
use super::client::{BodyForm, Clients, resolver_failure};
use super::options::FetchOptions;
use crate::Why;
use crate::error::Result;

/// Time without a byte from a server after which an answer is given up: some answers wait
/// for an event.
const SILENCE: Duration = Duration::from_secs(120);

/// Sends requests of others on to their servers.
#[derive(Debug)]
pub struct Relay {
    addresses: AddressRules,
    clients: Clients,
    connect_timeout: Duration,
}

impl Relay {
    /// A relay to public addresses; with `allow_private` to all.
    ///
    /// # Errors
    ///
    /// If there is no client for this machine's TLS.
    pub fn new(allow_private: bool) -> Result<Relay> {
        let proxies = Arc::new(address::proxy_hosts());
        let options = FetchOptions::default().with_idle_timeout(SILENCE);
        let private = if allow_private {
            PrivateHosts::All
        } else {
            PrivateHosts::None
        };
        Ok(Relay {
            addresses: AddressRules::new(private, Arc::clone(&proxies)),
            clients: Clients::new(&options, &proxies, BodyForm::AsSent)?,
            connect_timeout: options.connect_timeout(),
        })
    }

    /// Checks an address as far as its text says where it leads.
    ///
    /// # Errors
    ///
    /// If it may not be dialled.
    pub fn check(&self, url: &Url) -> std::result::Result<(), Why> {
        self.addresses.reach(url).map(|_| ())
    }

    /// Sends one request for somebody who typed `typed`: another host than that of this URL
    /// is reached at public addresses only, and so is any host if nobody typed one. The answer
    /// can be of any status; redirects are answers.
    ///
    /// # Errors
    ///
    /// If the address may not be dialled, or no answer begins.
    pub async fn send<B>(
        &self,
        method: Method,
        typed: Option<&Url>,
        url: Url,
        headers: HeaderMap,
        body: B,
    ) -> std::result::Result<Response, Why>
    where
        B: hyper::body::Body + Send + Sync + 'static,
        B::Data: Into<hyper::body::Bytes>,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let scope = self.addresses.reach_from(typed, &url)?;
        let client = self.clients.get(scope, &url).map_err(|failed| failed.why)?;
        let mut request = Request::new(method, url);
        *request.headers_mut() = headers;
        *request.body_mut() = Some(Body::wrap(body));
        let answer = self.clients.answer(client.execute(request).await);
        answer.map_err(|failed| failed.why)
    }

    /// A connection to a host and port, for bytes in both directions. No proxy stands
    /// between.
    ///
    /// # Errors
    ///
    /// If the address may not be dialled, or nobody listens there.
    pub async fn connect(&self, host: &str, port: u16) -> std::result::Result<TcpStream, Why> {
        let url = Url::parse(&format!("https://{host}:{port}/"))
            .map_err(|error| Why::Connect(error.to_string()))?;
        let scope = self.addresses.reach(&url)?;
        let found = match url.host() {
            Some(Host::Ipv4(ip)) => vec![SocketAddr::new(IpAddr::V4(ip), port)],
            Some(Host::Ipv6(ip)) => vec![SocketAddr::new(IpAddr::V6(ip), port)],
            Some(Host::Domain(name)) => self.resolve(name, port, scope).await?,
            None => return Err(Why::Connect("it names no host".to_owned())),
        };
        let connect = TcpStream::connect(&found[..]);
        match tokio::time::timeout(self.connect_timeout, connect).await {
            Ok(Ok(stream)) => Ok(stream),
            Ok(Err(error)) => Err(Why::Connect(error.to_string())),
            Err(_) => Err(Why::Timeout),
        }
    }

    async fn resolve(
        &self,
        name: &str,
        port: u16,
        scope: AddressScope,
    ) -> std::result::Result<Vec<SocketAddr>, Why> {
        let found = self.clients.resolver(scope).addresses(name).await;
        let found = found.map_err(|error| {
            resolver_failure(&*error).unwrap_or_else(|| Why::Connect(error.to_string()))
        })?;
        // The resolver lets the names of proxies pass; a tunnel asks no proxy.
        let may = |ip| scope != AddressScope::Public || is_public(ip);
        let mut found: Vec<SocketAddr> = found.into_iter().filter(|at| may(at.ip())).collect();
        found.iter_mut().for_each(|at| at.set_port(port));
        if found.is_empty() {
            return Err(Why::PrivateAddress(name.to_owned()));
        }
        Ok(found)
    }
}
