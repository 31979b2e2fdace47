//! The states of the pages: of those that show the filter, and of those that show an archive.

use super::api::{PageReader, ServedArchive};
use super::filter_page::Previews;
use super::kept_by_url::{KeptBounds, KeptByUrl};
use super::library::{AddingJobs, KnownCounts, RereadingJobs, UndoableMarks, WrapperDrafts};
use super::picture_key::PictureKey;
use super::picture_source::PictureSource;
use super::rate::FetchRate;
use super::reader_api::WrongTokens;
use forest_core::extract::Article;
use forest_harvest::Metrics;
use forest_web::app::WebApp;
use forest_web::permits::ClientPermits;
use forest_web::shared_filter::SharedFilter;
use std::sync::Arc;
use std::time::Duration;

/// The articles of pages that are kept: feed readers ask again sooner.
const KEPT_ARTICLES: KeptBounds = KeptBounds {
    age: Duration::from_secs(3600),
    count: 1000,
    bytes: 64_000_000,
};

/// Large pages that are sent to be read at once, and those of one client.
const LARGE_BODIES: usize = 8;
const LARGE_BODIES_OF_CLIENT: usize = 2;

/// The state of the page of settings and of the view.
#[derive(Debug)]
pub(super) struct FilterApp {
    pub(super) web: Arc<WebApp>,
    pub(super) filter: Arc<SharedFilter>,
    pub(super) rate: Arc<FetchRate>,
    pub(super) previews: Previews,
}

impl FilterApp {
    pub(super) fn new(
        web: Arc<WebApp>,
        filter: Arc<SharedFilter>,
        rate: Arc<FetchRate>,
    ) -> FilterApp {
        FilterApp {
            web,
            filter,
            rate,
            previews: Previews::default(),
        }
    }
}

/// The state of the pages of an archive, and of the interfaces for programs.
#[derive(Debug)]
pub(super) struct LibraryApp {
    pub(super) web: Arc<WebApp>,
    pub(super) rate: Arc<FetchRate>,
    pub(super) archive: Option<ServedArchive>,
    pub(super) jobs: AddingJobs,
    pub(super) drafts: WrapperDrafts,
    pub(super) undo: UndoableMarks,
    pub(super) unread: Arc<KnownCounts>,
    pub(super) wrong_tokens: WrongTokens,
    pub(super) rereadings: RereadingJobs,
    pub(super) metrics: Option<Arc<Metrics>>,
    pub(super) reader: Arc<PageReader>,
    /// The articles of pages that were read for a GET.
    pub(super) kept_articles: KeptByUrl<Arc<Article>>,
    pub(super) pictures: PictureSource,
    pub(super) picture_key: Arc<PictureKey>,
    /// The right to send a large page: each takes its size in memory until its answer.
    pub(super) large_bodies: ClientPermits,
}

impl LibraryApp {
    pub(super) fn new(
        web: Arc<WebApp>,
        rate: Arc<FetchRate>,
        archive: Option<ServedArchive>,
        metrics: Option<Arc<Metrics>>,
        reader: PageReader,
        (pictures, picture_key): (PictureSource, PictureKey),
    ) -> LibraryApp {
        LibraryApp {
            web,
            rate,
            archive,
            jobs: AddingJobs::default(),
            drafts: WrapperDrafts::default(),
            undo: UndoableMarks::default(),
            unread: Arc::default(),
            wrong_tokens: WrongTokens::default(),
            rereadings: RereadingJobs::default(),
            metrics,
            reader: Arc::new(reader),
            kept_articles: KeptByUrl::new(KEPT_ARTICLES),
            pictures,
            picture_key: Arc::new(picture_key),
            large_bodies: ClientPermits::new(LARGE_BODIES, LARGE_BODIES_OF_CLIENT),
        }
    }
}
