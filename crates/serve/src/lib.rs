//! Pages in the browser, and a proxy that filters. Gupta et al. 2003, sections 4 and 4.3.
//!
//! An inner crate of `forest-wrappers`: its interface may change with any version.
//!
//! Takes [`ServeOptions`]; gives [`FilterPages`], the page of settings and a view of filtered
//! pages as a [`Router`] that another program can mount; and, for the command, a [`FilterServer`] of
//! them that can be a proxy for plain HTTP.
//!
//! - `options`, `state`: what is set at first; the active settings and what was filtered.
//! - `ad_status`: the lists of advertisements, as the page of settings shows them.
//! - `server`, `places`, `connection`, `timed_body`, `clients`: connections, who may have one, and
//!   for how long.
//! - `access`, `login`, `wrong_passwords`: the password of the pages, if they have one.
//! - `guard`, `token`: requests that a foreign page thought of are refused.
//! - `cores`, `permits`: work on a core, which ends with its request, and for which clients take
//!   turns; `served_state`: the state, for the client of one request.
//! - `rate`: a bound on what is fetched for clients.
//! - `links`: addresses of our own pages.
//! - `encodings`, `collect`: bodies unpacked and read whole, within limits.
//! - `parsing`: pages parsed while their bytes come.
//! - `proxy`: requests on their way to the servers, and back.
//! - `front`: where `/` leads, and the page of unknown paths.
//! - `web_page`, `page_request`: a page fetched for a person.
//! - `filter_page`: the page of settings; `view`: a filtered page whose links lead to
//!   filtered pages.
//! - `api`: interfaces for programs.
//! - `library`: the pages of an archive: reader, search, sites, adding a feed.
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
//!
//! **The pages** can be changed by forms of their own alone, from this machine. They run one script
//! of ours, without which they work, and set no cookie but that of a session where they have a
//! password.
//!
//! ```no_run
//! use forest_serve::{FilterPages, ServeOptions};
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let pages = FilterPages::new(ServeOptions::default())?;
//! let router = axum::Router::new().nest("/tools", pages.router());
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:7878").await?;
//! axum::serve(listener, router).await?;
//! # Ok(())
//! # }
//! ```

mod access;
mod ad_status;
mod answers;
mod api;
#[cfg(feature = "ca")]
mod authority;
mod clients;
mod collect;
mod connection;
mod cores;
mod encodings;
pub mod error;
mod filter_page;
mod front;
mod guard;
mod header_list;
mod library;
mod links;
mod login;
mod options;
mod page_request;
mod parsing;
mod permits;
mod places;
mod proxy;
mod rate;
mod served_state;
mod server;
mod state;
mod timed_body;
mod token;
mod view;
mod web_page;
mod wrong_passwords;

pub use error::{Error, Result};
pub use options::{ServeOptions, SettingsStore, WrapperSource};

#[cfg(feature = "ca")]
pub use authority::{AuthorityFault, AuthorityPair, CertificateAuthority};

pub use access::{hash_of, new_feed_key};
pub use ad_status::AdListStatus;
pub use clients::ClientRange;
pub use server::FilterServer;
pub use server::raise_file_limit;

use axum::Router;
use axum::middleware;
use forest_text::filter::AdList;
use state::FilterState;
use std::sync::Arc;

/// The host under which the pages of the proxy are found by those who use it. Nobody owns
/// the domain `internal`.
pub const FILTER_HOST: &str = "forest.internal";

/// The pages: settings, preview, view. Clones share their settings.
#[derive(Debug, Clone)]
pub struct FilterPages {
    state: Arc<FilterState>,
}

impl FilterPages {
    /// Pages with these options.
    ///
    /// # Errors
    ///
    /// If there is no client for this machine's TLS, or the password's hash is none.
    pub fn new(options: ServeOptions) -> Result<FilterPages> {
        let state = Arc::new(FilterState::new(options)?);
        Ok(FilterPages { state })
    }

    /// `/filter`, the page of settings, `/view?url=`, a page filtered, and the interfaces for
    /// programs, which `/api` describes. The router can be
    /// nested at any path. Whoever mounts it decides who may use it.
    pub fn router(&self) -> Router {
        self.guarded(self.routes())
    }

    /// Filters by these lists of advertisements from the next page on.
    pub fn set_ads(&self, ads: Arc<AdList>, lists: Vec<AdListStatus>) {
        self.state.set_ads(ads, lists);
    }

    /// The pages of a server of their own: `/` leads to the first one.
    fn page_router(&self) -> Router {
        self.with_root(front::router(&self.state))
    }

    /// The pages, and the page of the proxy at `/`.
    fn proxy_router(&self) -> Router {
        self.with_root(proxy::page::router(&self.state))
    }

    /// The pages with those of `root`, and an answer at all other paths.
    fn with_root(&self, root: Router) -> Router {
        let router = self.routes().merge(root);
        self.guarded(router.fallback(front::answer_unknown))
    }

    fn routes(&self) -> Router {
        filter_page::router(&self.state)
            .merge(view::router(&self.state))
            .merge(login::router(&self.state))
    }

    /// The pages behind their guard, and the interfaces behind theirs.
    fn guarded(&self, pages: Router) -> Router {
        let state = || Arc::clone(&self.state);
        let api = api::router(&self.state);
        let api = api.layer(middleware::from_fn_with_state(
            state(),
            guard::program_guard,
        ));
        let api = api.merge(
            library::router(&self.state).layer(middleware::from_fn_with_state(
                state(),
                guard::library_guard,
            )),
        );
        let pages = pages.layer(middleware::from_fn_with_state(state(), guard::guard));
        let password = middleware::from_fn_with_state(state(), login::password_guard);
        pages.merge(api).layer(password)
    }
}
