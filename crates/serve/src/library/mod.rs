//! The pages of an archive, for people: its articles, a search, its sites, and new feeds.
//!
//! - `entries`: `/reader`, the entries of a list (`listed`) with its `list_pictures`, by an `entry_filter`, with counts of
//!   `unread` ones; `marks`: the buttons of read and starred ones, and `marking`, which does as they
//!   say, and can `undo` it; `times`: days and times for people.
//! - `article`: an article with its versions and its pictures; `archived`: its page as archived;
//!   `player`: a recording or a film that goes with it; `export`: the article as a file; `shown_html`: its HTML as it is shown; `remote_pictures`:
//!   `/picture`, the pictures that are not stored.
//! - `books`: lists and searches as EPUB; `opds`: a catalogue of them for e-readers.
//! - `search_page`: `/search`; `settings`: `/settings`; `saving`: `/save`; `installed`: the reader as an
//!   app, and without the network.
//! - `sites`: `/sites`, and `site`, a page a site; `plot`: its
//!   confidence over time.
//! - `site_secrets`: headers and cookies that only the site itself gets.
//! - `workshop`: the wrapper of a site, changed by a person.
//! - `feed_page`: `/archive/feed`, a page a feed; `feed_form`: its forms, of which `field` shows a
//!   field.
//! - `adding`: `/add`, from an address to a feed of the harvest; `job`: the work for it; `jobs`:
//!   work of any kind that takes longer than an answer.
//! - `importing`: `/add/import`, a list of feeds; `sent_parts`: a form with a file.
//!
//! The archive is only read. What a form changes goes to the file of marks, to a wrapper's
//! file, or to the harvest ([`FeedStore`](forest_harvest::FeedStore)). All works without the
//! script.

mod adding;
mod archived;
mod article;
mod books;
mod entries;
mod entry_filter;
mod export;
mod feed_form;
mod feed_page;
mod field;
mod importing;
mod installed;
mod job;
mod jobs;
mod list_pictures;
mod listed;
mod marking;
mod marks;
mod opds;
mod player;
mod plot;
mod saving;
mod remote_pictures;
mod search_page;
mod settings;
mod sent_parts;
mod shown_html;
mod site;
mod site_secrets;
mod sites;
mod times;
mod undo;
mod unread;
mod workshop;

pub use archived::READING_STYLE;
pub use feed_form::MAX_FOLDERS;
pub use job::AddingJobs;
pub use settings::put_theme;
pub use undo::UndoableMarks;
pub use unread::KnownCounts;
pub use workshop::{RereadingJobs, WrapperDrafts};

use super::api::{NoDocument, in_turn};
use super::state::LibraryApp;
use crate::error::Result;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::DefaultBodyLimit;
use axum::http::{Response, Uri};
use axum::routing::{get, post};
use forest_archive::{ArchiveReader, ArticleMarks};
use forest_web::answers::of_earlier_run;
use forest_web::form_fields::FormFields;
use forest_web::served_state::ServedState;
use maud::{Markup, html};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of a form: an address and some names.
const MAX_FORM_BYTES: usize = 64_000;

/// The routes of the pages.
pub(super) fn router(state: &Arc<LibraryApp>) -> Router {
    Router::new()
        .route("/reader", get(entries::show))
        .route("/reader/mark", post(marking::change))
        .route("/reader/{id}", get(article::show))
        .route("/reader/{id}/page", get(archived::show))
        .route("/reader/{id}/play", get(player::show))
        .route("/reader/{id}/export", get(export::article))
        .route("/archive/resource/{file}", get(article::picture))
        .route("/picture", get(remote_pictures::show))
        .route("/export.epub", get(books::show))
        .route("/opds", get(opds::root))
        .route("/opds/list", get(opds::list))
        .route("/search", get(search_page::show))
        .route("/manifest.webmanifest", get(installed::manifest))
        .route("/worker.js", get(installed::worker))
        .route("/save", get(saving::show).post(saving::save))
        .route("/settings", get(settings::show).post(settings::change))
        .route("/sites", get(sites::show))
        .route("/sites/{site}", get(site::show).post(site::change))
        .route(
            "/archive/feed",
            get(feed_page::show).post(feed_page::change),
        )
        .route(
            "/archive/feed/remove",
            get(feed_page::ask_to_remove).post(feed_page::remove),
        )
        .route("/add", get(adding::show).post(adding::begin))
        .route("/add/import", post(importing::import))
        .route("/add/{job}", get(adding::progress).post(adding::keep))
        // It has a limit of its own.
        .route("/sites/{site}/secrets", post(site_secrets::change))
        .layer(DefaultBodyLimit::max(MAX_FORM_BYTES))
        .merge(workshop::router())
        .with_state(Arc::clone(state))
}

/// The fields of a form that stands on a page of ours; else the answer that says so.
pub(super) fn sent(
    state: &LibraryApp,
    body: &Bytes,
) -> std::result::Result<FormFields, Box<Response<Body>>> {
    let sent = FormFields::read(body);
    if state.web.token.is(sent.get("token")) {
        return Ok(sent);
    }
    Err(Box::new(of_earlier_run()))
}

/// The fields of a query.
fn asked(uri: &Uri) -> FormFields {
    FormFields::read(uri.query().unwrap_or_default().as_bytes())
}

/// Work with the archive's folder, on a thread of its own.
pub(super) async fn in_folder<T: Send + 'static>(
    state: &ServedState<LibraryApp>,
    work: impl FnOnce(&Path) -> Result<T> + Send + 'static,
) -> std::result::Result<T, NoDocument> {
    let archive = state.archive.as_ref().ok_or(NoDocument::NoArchive)?;
    let dir = archive.dir.clone();
    in_turn(state, move || work(&dir)).await
}

/// The folder of the archive.
pub(super) fn archive_dir(state: &LibraryApp) -> Option<PathBuf> {
    state.archive.as_ref().map(|archive| archive.dir.clone())
}

/// The same with the marks of its articles.
pub(super) async fn with_marks<T: Send + 'static>(
    state: &ServedState<LibraryApp>,
    work: impl FnOnce(&ArchiveReader, Arc<ArticleMarks>) -> Result<T> + Send + 'static,
) -> std::result::Result<T, NoDocument> {
    let archive = state.archive.as_ref().ok_or(NoDocument::NoArchive)?;
    let known = Arc::clone(&archive.marks);
    in_folder(state, move |dir| {
        work(&ArchiveReader::open(dir)?, known.of(dir)?)
    })
    .await
}

/// The field of a form that says that the form is ours.
pub(super) fn token(state: &LibraryApp) -> Markup {
    html! { input type="hidden" name="token" value=(state.web.token.text()); }
}
