//! Reads the archive for a page or a program, or says why there is nothing to show.

use crate::state::LibraryApp;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use forest_archive::ArchiveReader;
use forest_web::answers::plain;
use forest_web::cores::NoResult;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};

/// The reason why there is no document.
pub enum NoDocument {
    NoArchive,
    Unknown,
    /// It was there, and is no more; a sentence.
    Gone(&'static str),
    Unreadable(String),
    /// Nobody read it.
    Unworked(NoResult),
}

impl NoDocument {
    /// The answer to a program.
    pub fn answer(self) -> Response<Body> {
        match self {
            NoDocument::NoArchive => plain(
                StatusCode::NOT_FOUND,
                "no archive is served: start with --archive DIR",
            ),
            NoDocument::Unknown => plain(
                StatusCode::NOT_FOUND,
                "no such feed: the page /archive lists them",
            ),
            NoDocument::Gone(why) => plain(StatusCode::GONE, why),
            NoDocument::Unreadable(why) => plain(StatusCode::SERVICE_UNAVAILABLE, &why),
            NoDocument::Unworked(why) => why.in_answer(plain(why.status(), &why.to_string())),
        }
    }

    /// The part of a page in its place.
    pub fn shown(self) -> (StatusCode, Markup) {
        match self {
            NoDocument::NoArchive => (
                StatusCode::OK,
                html! { p { "No archive is served: start with " code { "forest serve --archive DIR" } "." } },
            ),
            NoDocument::Unknown => (
                StatusCode::NOT_FOUND,
                html! { p .bad role="alert" { "The archive has no such thing." } },
            ),
            NoDocument::Gone(why) => (StatusCode::GONE, html! { p .bad role="alert" { (why) } }),
            NoDocument::Unreadable(why) => (
                StatusCode::SERVICE_UNAVAILABLE,
                html! { p .bad role="alert" { (why) } },
            ),
            NoDocument::Unworked(why) => (why.status(), html! { p .bad role="alert" { (why) } }),
        }
    }

    /// The page that a person sees in its place.
    pub fn page(self, up: &str, title: &str) -> Response<Body> {
        let unworked = match &self {
            NoDocument::Unworked(why) => Some(*why),
            _ => None,
        };
        let (status, shown) = self.shown();
        let page = shell::page_below(up, status, title, &html! { h1 { (title) } (shown) });
        match unworked {
            Some(why) => why.in_answer(page),
            None => page,
        }
    }
}

/// Reads the archive on a thread that may wait for its disk.
pub async fn read<T: Send + 'static>(
    state: &ServedState<LibraryApp>,
    read: impl FnOnce(&ArchiveReader) -> crate::Result<T> + Send + 'static,
) -> Result<T, NoDocument> {
    let archive = state.archive.as_ref().ok_or(NoDocument::NoArchive)?;
    let dir = archive.dir.clone();
    in_turn(state, move || read(&ArchiveReader::open(&dir)?)).await
}

/// Work with the archive, in the client's turn.
pub async fn in_turn<T: Send + 'static>(
    state: &ServedState<LibraryApp>,
    work: impl FnOnce() -> crate::Result<T> + Send + 'static,
) -> Result<T, NoDocument> {
    match state.web.cores.run_whole(state.client, work).await {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error)) => Err(NoDocument::Unreadable(error.to_string())),
        Err(NoResult::Crashed) => Err(NoDocument::Unreadable("the archive cannot be read".into())),
        Err(why) => Err(NoDocument::Unworked(why)),
    }
}
