//! A proxy for plain HTTP that filters. Gupta et al. 2003, section 4.
//!
//! An inner crate of `forest-wrappers`: its interface may change with any version.
//!
//! Takes the [state of a server](forest_web::app::WebApp), the [filter](SharedFilter) that it shares
//! with the pages of `forest-serve`, and [`ProxyOptions`]; gives a [`Proxy`], which is a
//! [`WebServer`] with the pages that its caller gives it.
//!
//! - `options`, `state`: what is set at first; the sites that are left alone, and what was filtered.
//! - `forward`: a request on its way to the server, and the answer back.
//! - `filtered`: answers that are filtered; `parsing`: pages parsed while their bytes come.
//! - `headers`, `validators`: what a proxy must not hand on, and what a change makes wrong.
//! - `connect`: tunnels; `decrypt`: connections with https that are opened (feature `ca`), by the
//!   certificates of an `authority` of the user's own.
//! - `page`: the page of the proxy, and the file for its installation; `certificate`: that of
//!   the authority.
//!
//! **The proxy.** HTML with status 200 in a known charset is filtered; all else passes byte
//! for byte as it comes, and so do pages that are larger than
//! [`MAX_PAGE_BYTES`](forest_html::page::MAX_PAGE_BYTES), come for longer than 30 seconds or are
//! not in the coding that they name. Tunnels (CONNECT) are not looked into, but by an
//! authority of the user's own (feature `ca`, `authority`). Only clients of
//! this machine are served, and only public addresses are dialled, unless the options say
//! otherwise. A page is written once: it is not parsed again to see that it stays the same,
//! as [`Filtered::html`](forest_text::filter::Filtered::html) does.
//!
//! A page is parsed while it comes. The filters need all of it: what stands in an element, the
//! links below, and if the page is a portal are known at its end. A page whose charset is not
//! declared as UTF-8 is parsed at its end, too: see [`charset`](mod@forest_html::page::charset).

#[cfg(feature = "ca")]
mod authority;
#[cfg(feature = "ca")]
mod certificate;
mod connect;
#[cfg(feature = "ca")]
mod decrypt;
mod filtered;
mod forward;
mod headers;
mod options;
mod page;
mod parsing;
mod state;
mod validators;

#[cfg(feature = "ca")]
pub use authority::{AuthorityFault, AuthorityPair, CertificateAuthority};
pub use options::ProxyOptions;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{Method, Request, Response, StatusCode};
use forest_web::answers::plain;
use forest_web::app::WebApp;
use forest_web::server::{ForeignAnswer, ForeignRequests, WebServer};
use forest_web::shared_filter::SharedFilter;
use forest_web::timed_body::TimedBody;
use hyper::body::Incoming;
use state::ProxyApp;
use std::sync::Arc;

/// The proxy. Clones share what they did.
#[derive(Debug, Clone)]
pub struct Proxy {
    state: Arc<ProxyApp>,
}

impl Proxy {
    /// A proxy that filters as the pages do.
    pub fn new(web: &Arc<WebApp>, filter: &Arc<SharedFilter>, options: ProxyOptions) -> Proxy {
        let state = ProxyApp::new(Arc::clone(web), Arc::clone(filter), options);
        Proxy {
            state: Arc::new(state),
        }
    }

    /// A server of the proxy, with the pages that `pages` makes of the proxy's own at its own
    /// address and at the host `forest.internal`.
    pub fn server(&self, pages: impl FnOnce(Router) -> Router) -> WebServer {
        let router = pages(page::router(&self.state));
        WebServer::new(&self.state.web, router).with_proxy(Arc::new(self.clone()))
    }
}

impl ForeignRequests for Proxy {
    fn answer(&self, request: Request<TimedBody<Incoming>>) -> ForeignAnswer {
        let state = Arc::clone(&self.state);
        Box::pin(async move { answer(&state, request).await })
    }
}

/// Forwards a request of a client.
async fn answer<B>(state: &Arc<ProxyApp>, request: Request<B>) -> Response<Body>
where
    B: hyper::body::Body<Data = Bytes> + Send + Sync + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    if request.method() == Method::CONNECT {
        connect::tunnel(state, request).await
    } else {
        forward::forward(state, request).await
    }
}

/// The answer to a request that is refused, which is counted.
fn refused(state: &ProxyApp, status: StatusCode, why: &str) -> Response<Body> {
    state.log().refused += 1;
    plain(status, why)
}
