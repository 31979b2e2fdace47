//! Pages in the browser, and a proxy that filters. Gupta et al. 2003, sections 4 and 4.3.
//!
//! An inner crate of `forest-wrappers`: its interface may change with any version.
//!
//! Takes [`ServeOptions`]; gives [`FilterPages`], the page of settings and a view of filtered
//! pages as a [`Router`] that another program can mount, or a [server](FilterPages::server) of them.
//!
//! - `options`: what is set at first; `state`: the states of the pages, which stand on
//!   [`forest_web`].
//! - `rate`: a bound on what is fetched for clients.
//! - `web_page`, `page_request`: a page fetched for a person; `picture_source`: a picture;
//!   `picture_key`: the proof that an article shows it.
//! - `filter_page`: the page of settings; `view`: a filtered page whose links lead to
//!   filtered pages.
//! - `api`: interfaces for programs.
//! - `library`: the pages of an archive: reader, search, sites, feeds and their settings.
//! - `state_words`: the states of feeds, sites and the harvest in the words of readers; `narrowing`: the box that narrows a list.
//! - `reader_api`: the same for apps on phones and desktops.
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

mod api;
pub mod error;
mod filter_page;
mod kept_by_url;
mod library;
mod narrowing;
mod options;
mod page_request;
mod picture_key;
mod picture_source;
mod rate;
mod reader_api;
mod run_memory;
mod state;
mod state_words;
mod view;
mod web_page;

pub use error::{Error, Result};
pub use options::{ServeOptions, WrapperSource};

use api::{PageReader, ServedArchive};
use axum::Router;
use axum::middleware;
use forest_archive::ReadingSettings;
use forest_html::text::sha256_hex;
use forest_text::filter::AdList;
use forest_web::access::SessionMemory;
use forest_web::ad_status::AdListStatus;
use forest_web::app::{WebApp, WebOptions};
use forest_web::app_guard::app_guard;
use forest_web::server::WebServer;
use forest_web::shared_filter::SharedFilter;
use forest_web::token::{FormToken, random_name};
use forest_web::{front, guard, login};
use picture_key::PictureKey;
use picture_source::PictureSource;
use rate::FetchRate;
use run_memory::RunMemory;
use state::{FilterApp, LibraryApp};
use std::sync::Arc;

/// The pages: settings, preview, view. Clones share their settings.
#[derive(Debug, Clone)]
pub struct FilterPages {
    web: Arc<WebApp>,
    shared: Arc<SharedFilter>,
    filter: Arc<FilterApp>,
    library: Arc<LibraryApp>,
}

impl FilterPages {
    /// Pages with these options.
    ///
    /// # Errors
    ///
    /// If there is no client for this machine's TLS, or the password's hash is none.
    pub fn new(options: ServeOptions) -> Result<FilterPages> {
        let memory = options.archive.clone().map(|dir| RunMemory { dir });
        let secret = memory.as_ref().and_then(RunMemory::secret);
        let secret = secret.unwrap_or_else(random_name);
        let web = Arc::new(WebApp::new(WebOptions {
            form_token: FormToken::of(&sha256_hex(format!("forms of {secret}"))),
            session_memory: memory.map(|memory| Arc::new(memory) as Arc<dyn SessionMemory>),
            hosts: options.hosts,
            password_hash: options.password_hash,
            feed_key: options.feed_key,
            allow_private: options.allow_private,
            room_bytes: options.room_bytes,
            whole_within: options.whole_within,
            first_page: match options.archive {
                Some(_) => "reader",
                None => "filter",
            },
        })?);
        let (settings, ads, lists) = (options.settings, options.ads, options.ad_lists);
        let shared = Arc::new(SharedFilter::new(settings, ads, lists, options.store));
        let rate = Arc::new(FetchRate::new(options.fetches_at_once));
        let pictures = PictureSource::new(&options.fetching);
        let reader = PageReader::new(
            options.fetching,
            options.allow_private,
            options.wrappers,
            Arc::clone(&web.cores),
        )?;
        let archive = options.archive.map(ServedArchive::new);
        if let Some(archive) = &archive {
            reader.keep_secrets(&archive.dir)?;
        }
        if let Some(archive) = &archive
            && let Ok(settings) = ReadingSettings::of(&archive.dir)
        {
            library::put_theme(&web, settings.theme);
        }
        let filter = FilterApp::new(Arc::clone(&web), Arc::clone(&shared), Arc::clone(&rate));
        let metrics = options.metrics;
        let key = PictureKey::new(secret);
        let library = LibraryApp::new(
            Arc::clone(&web),
            rate,
            archive,
            metrics,
            reader,
            (pictures, key),
        );
        Ok(FilterPages {
            web,
            shared,
            filter: Arc::new(filter),
            library: Arc::new(library),
        })
    }

    /// `/filter`, the page of settings, `/view?url=`, a page filtered, and the interfaces for
    /// programs, which `/api` describes. The router can be
    /// nested at any path. Whoever mounts it decides who may use it.
    pub fn router(&self) -> Router {
        self.guarded(self.routes())
    }

    /// Filters by these lists of advertisements from the next page on.
    pub fn set_ads(&self, ads: Arc<AdList>, lists: Vec<AdListStatus>) {
        self.shared.set_ads(ads, lists);
    }

    /// The state of the server, which a proxy shares with the pages.
    pub fn web(&self) -> &Arc<WebApp> {
        &self.web
    }

    /// The filter, which a proxy shares with the pages.
    pub fn filter(&self) -> &Arc<SharedFilter> {
        &self.shared
    }

    /// A server of the pages alone: `/` leads to the first one.
    pub fn server(&self) -> WebServer {
        WebServer::new(&self.web, self.router_with(front::router(&self.web)))
    }

    /// The pages with those of `root`, and an answer at all other paths.
    pub fn router_with(&self, root: Router) -> Router {
        let router = self.routes().merge(root);
        self.guarded(router.fallback(front::answer_unknown))
    }

    fn routes(&self) -> Router {
        filter_page::router(&self.filter)
            .merge(view::router(&self.filter))
            .merge(login::router(&self.web))
    }

    /// The pages behind their guard, and the interfaces behind theirs.
    fn guarded(&self, pages: Router) -> Router {
        let web = || Arc::clone(&self.web);
        let for_programs = middleware::from_fn_with_state(web(), guard::program_guard);
        let for_readers = middleware::from_fn_with_state(web(), guard::library_guard);
        let api = api::router(&self.library).layer(for_programs);
        let library = library::router(&self.library).merge(reader_api::page_router(&self.library));
        let api = api.merge(library.layer(for_readers));
        let for_apps = middleware::from_fn_with_state(web(), app_guard);
        let api = api.merge(reader_api::router(&self.library).layer(for_apps));
        let pages = pages.layer(middleware::from_fn_with_state(web(), guard::guard));
        let password = middleware::from_fn_with_state(web(), login::password_guard);
        pages.merge(api).layer(password)
    }
}
