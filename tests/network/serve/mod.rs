//! The pages and the proxy of `serve`, on loopback: what goes through, what is changed, and
//! what is refused.

mod access;
mod archive;
mod archived;
#[cfg(feature = "ca")]
mod authority;
#[cfg(all(feature = "heavy", feature = "archive", feature = "cli"))]
mod browser;
mod books;
mod changed;
mod client;
mod crowd;
#[cfg(all(feature = "heavy", feature = "archive", feature = "cli"))]
mod day;
mod command;
mod extract;
mod feed_pages;
mod full_text;
#[cfg(all(feature = "heavy", feature = "archive", feature = "cli"))]
mod handed;
mod hostile;
mod imports;
mod installed;
pub mod library;
mod list_pictures;
mod many;
#[cfg(all(feature = "heavy", feature = "archive", feature = "cli"))]
mod offline;
mod pages;
mod passed;
mod players;
mod reader;
mod reader_api;
mod refused;
mod remote_pictures;
mod rereading;
mod safety;
mod saved;
mod searched;
mod site_secrets;
mod strangers;
#[cfg(all(feature = "heavy", feature = "archive", feature = "cli"))]
mod tasks;
#[cfg(feature = "ca")]
mod tls;
mod triage;
mod workshop;

use client::{Answer, Client};
use forest_proxy::{Proxy, ProxyOptions};
use forest_serve::{FilterPages, ServeOptions};
use forest_text::filter::Profile;
use forest_web::server::WebServer;
use std::net::SocketAddr;
use tokio::runtime::Runtime;

/// A page with something to filter.
pub const PAGE: &str = "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>T</title></head>\
    <body><p>The ferry to the islands leaves an hour later from Monday, says the harbour \
    master.</p><script>evil()</script></body></html>";

/// A server of the pages, a proxy or not.
pub struct Running {
    pub address: SocketAddr,
    _runtime: Runtime,
}

/// Options for servers on loopback.
pub fn options() -> ServeOptions {
    ServeOptions::default()
        .with_settings(Profile::Light.settings())
        .with_allow_private(true)
}

/// A proxy beside the pages.
pub fn proxy_of(pages: &FilterPages) -> WebServer {
    proxy_with(pages, ProxyOptions::default())
}

fn proxy_with(pages: &FilterPages, options: ProxyOptions) -> WebServer {
    let proxy = Proxy::new(pages.web(), pages.filter(), options);
    proxy.server(|root| pages.router_with(root))
}

impl Running {
    pub fn proxy(options: ServeOptions) -> Running {
        Running::proxy_with(options, ProxyOptions::default())
    }

    pub fn proxy_with(options: ServeOptions, of_proxy: ProxyOptions) -> Running {
        let pages = FilterPages::new(options).expect("pages");
        Running::of(&pages, |pages| proxy_with(pages, of_proxy))
    }

    pub fn of(pages: &FilterPages, server: impl FnOnce(&FilterPages) -> WebServer) -> Running {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0"));
        let listener = listener.expect("a port");
        let address = listener.local_addr().expect("an address");
        runtime.spawn(server(pages).run(listener));
        Running {
            address,
            _runtime: runtime,
        }
    }

    /// The answer to a request with these lines after `Host` of its target.
    pub fn ask(&self, line: &str, headers: &[&str]) -> Answer {
        self.ask_with(line, headers, b"")
    }

    pub fn ask_with(&self, line: &str, headers: &[&str], body: &[u8]) -> Answer {
        Client::to(self.address).ask(line, headers, body)
    }

    /// A page of the server itself.
    pub fn own(&self, path: &str) -> Answer {
        self.ask(
            &format!("GET {path}"),
            &[&format!("Host: {}", self.address)],
        )
    }

    /// A form that is sent as a browser sends it.
    pub fn send_form(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let host = format!("Host: {}", self.address);
        let origin = format!("Origin: http://{}", self.address);
        let kind = "Content-Type: application/x-www-form-urlencoded";
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.extend_pairs(fields);
        let body = form.finish();
        self.ask_with(
            &format!("POST {path}"),
            &[&host, &origin, kind],
            body.as_bytes(),
        )
    }

    /// The token of the forms.
    pub fn token(&self) -> String {
        let page = self.own("/filter").text();
        let (_, rest) = page.split_once("name=\"token\" value=\"").expect("a token");
        rest.split('"').next().expect("its end").to_owned()
    }
}
