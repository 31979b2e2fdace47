//! Reads the archive for a page or a program, or says why there is nothing to show.

use crate::archive::ArchiveReader;
use crate::error::Result;
use crate::serve::answers::plain;
use crate::serve::filter_page::shell;
use crate::serve::state::FilterState;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use maud::{Markup, html};
use std::sync::Arc;

/// The reason why there is no document.
pub(crate) enum NoDocument {
    NoArchive,
    Unknown,
    Unreadable(String),
}

impl NoDocument {
    /// The answer to a program.
    pub(super) fn answer(self) -> Response<Body> {
        match self {
            NoDocument::NoArchive => plain(
                StatusCode::NOT_FOUND,
                "no archive is served: start with --archive DIR",
            ),
            NoDocument::Unknown => plain(
                StatusCode::NOT_FOUND,
                "no such feed: the page /archive lists them",
            ),
            NoDocument::Unreadable(why) => plain(StatusCode::SERVICE_UNAVAILABLE, &why),
        }
    }

    /// The part of a page in its place.
    pub(crate) fn shown(self) -> (StatusCode, Markup) {
        match self {
            NoDocument::NoArchive => (
                StatusCode::OK,
                html! { p { "No archive is served: start with " code { "forest serve --archive DIR" } "." } },
            ),
            NoDocument::Unknown => (
                StatusCode::NOT_FOUND,
                html! { p .bad role="alert" { "The archive has no such thing." } },
            ),
            NoDocument::Unreadable(why) => (
                StatusCode::SERVICE_UNAVAILABLE,
                html! { p .bad role="alert" { (why) } },
            ),
        }
    }

    /// The page that a person sees in its place.
    pub(crate) fn page(self, up: &str, title: &str) -> Response<Body> {
        let (status, shown) = self.shown();
        shell::page_below(up, status, title, &html! { h1 { (title) } (shown) })
    }
}

/// Reads the archive on a thread that may wait for its disk.
pub(crate) async fn read<T: Send + 'static>(
    state: &FilterState,
    read: impl FnOnce(&ArchiveReader) -> Result<T> + Send + 'static,
) -> std::result::Result<T, NoDocument> {
    let archive = state.archive.as_ref().ok_or(NoDocument::NoArchive)?;
    let dir = archive.dir.clone();
    in_turn(state, move || read(&ArchiveReader::open(&dir)?)).await
}

/// Work on a thread of its own, when a core is free.
pub(crate) async fn in_turn<T: Send + 'static>(
    state: &FilterState,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> std::result::Result<T, NoDocument> {
    let permit = Arc::clone(&state.cores).acquire_owned().await;
    let working = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        work()
    });
    match working.await {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error)) => Err(NoDocument::Unreadable(error.to_string())),
        Err(_) => Err(NoDocument::Unreadable("the archive cannot be read".into())),
    }
}
