//! A server on loopback that runs until it is dropped. For the tests of several crates,
//! each of which makes its own site.

use axum::Router;
use std::net::{Ipv4Addr, SocketAddr};
use tokio::runtime::{Builder, Runtime};

pub struct Loopback {
    pub address: SocketAddr,
    /// The server ends when this is dropped.
    _runtime: Runtime,
}

impl Loopback {
    /// A server at a port of its own; the site is made from its address.
    pub fn of(site: impl FnOnce(SocketAddr) -> Router) -> Loopback {
        Loopback::at((Ipv4Addr::LOCALHOST, 0).into(), site)
    }

    /// A server at an address that is free.
    pub fn at(address: SocketAddr, site: impl FnOnce(SocketAddr) -> Router) -> Loopback {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let listener = runtime
            .block_on(tokio::net::TcpListener::bind(address))
            .expect("a port");
        let address = listener.local_addr().expect("an address");
        let router = site(address);
        runtime.spawn(async move { axum::serve(listener, router).await });
        Loopback {
            address,
            _runtime: runtime,
        }
    }
}
