//! `/save?url=`: a page that a person wants to keep becomes an article of the feed "Saved".
//!
//! With `from=page`, the bookmark that opened this window hands over the page as the browser shows it:
//! to the script, which takes one message of the window that opened this one, if its origin is that of
//! the address, and puts it into the form. Nothing is stored before a person presses the button. The
//! HTML is never shown as a page of ours: the harvest stores it, and it is read like any other page.

use super::entry_filter::{EntryFilter, ShownMarks};
use super::field::{FieldFault, TextField};
use super::sent_parts::{SentParts, is_multipart};
use super::{MAX_FORM_BYTES, asked, in_folder, token};
use crate::api::NoDocument;
use crate::error::Result;
use crate::state::LibraryApp;
use crate::state_words::harvest_command;
use crate::web_page::typed_address;
use axum::body::{Body, to_bytes};
use axum::http::header::{HeaderMap, HeaderName, HeaderValue};
use axum::http::{Response, StatusCode, Uri};
use forest_archive::{ArticleMark, ArticleMarks, MAX_SHOWN_BYTES, SAVED_PAGES, is_in_use};
use forest_harvest::{FeedStore, ShownPageOutcome};
use forest_html::address::page_key;
use forest_web::answers::{of_earlier_run, plain};
use forest_web::cores::NoResult;
use forest_web::form_fields::FormFields;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};
use std::time::SystemTime;
use url::Url;

const ADDRESS: TextField = TextField {
    name: "url",
    label: "The address of the page",
    hint: "",
    lines: 1,
};

pub(super) async fn show(state: ServedState<LibraryApp>, uri: Uri) -> Response<Body> {
    let asked = asked(&uri);
    let typed = TypedPage {
        url: shared_address(&asked),
        title: asked.get("title"),
        is_handed: asked.get("from") == "page",
    };
    match state.archive {
        Some(_) if typed.is_handed => with_opener(question(&state, &typed, None)),
        Some(_) => question(&state, &typed, None),
        None => NoDocument::NoArchive.page("", "Save"),
    }
}

/// The page that a person names.
#[derive(Debug, Clone, Copy)]
struct TypedPage<'r> {
    url: &'r str,
    title: &'r str,
    /// A window of the page opened this one, to hand it over.
    is_handed: bool,
}

/// Bytes of a form with a page: browsers end its lines with two characters.
const MAX_HANDED_FORM_BYTES: usize = MAX_SHOWN_BYTES + 2_000_000;

/// The form, as it was sent.
#[derive(Debug, Default)]
struct SavingForm {
    token: String,
    url: String,
    title: String,
    /// The page as the browser showed it; empty: the harvest fetches it.
    html: Vec<u8>,
}

impl SavingForm {
    /// Reads a form with a page, or without one; `None` if it breaks off.
    fn read(headers: &HeaderMap, body: &[u8]) -> Option<SavingForm> {
        if !is_multipart(headers) {
            let sent = FormFields::read(body);
            let field = |name| sent.get(name).to_owned();
            return Some(SavingForm {
                token: field("token"),
                url: field("url"),
                title: field("title"),
                html: Vec::new(),
            });
        }
        let sent = SentParts::read(headers, body)?;
        let field = |name| sent.text(name).into_owned();
        Some(SavingForm {
            token: field("token"),
            url: field("url"),
            title: field("title"),
            html: field("page").replace("\r\n", "\n").into_bytes(),
        })
    }

    fn typed(&self) -> TypedPage<'_> {
        TypedPage {
            url: &self.url,
            title: &self.title,
            is_handed: false,
        }
    }
}

/// The address that an app of a phone shares: many have it within a text, and some as the title.
fn shared_address(asked: &FormFields) -> &str {
    let fields = ["url", "text", "title"].map(|name| asked.get(name));
    let [url, text, title] = fields;
    if !url.is_empty() {
        return url;
    }
    let is_link = |word: &&str| word.starts_with("https://") || word.starts_with("http://");
    let mut words = text.split_whitespace().chain(title.split_whitespace());
    let link = words.find_map(|word| {
        let word = word.trim_start_matches(['(', '<', '"', '“', '«']);
        Some(word).filter(is_link)
    });
    let closing = ['.', ',', ';', ':', '!', '?', ')', '>', '"', '”', '»'];
    link.unwrap_or_default().trim_end_matches(closing)
}

/// An answer whose window can speak with the one that opened it.
fn with_opener(mut answer: Response<Body>) -> Response<Body> {
    let name = HeaderName::from_static("cross-origin-opener-policy");
    let value = HeaderValue::from_static("unsafe-none");
    answer.headers_mut().insert(name, value);
    answer
}

/// The page with one button.
fn question(
    state: &LibraryApp,
    typed: &TypedPage<'_>,
    fault: Option<&FieldFault>,
) -> Response<Body> {
    let status = match fault {
        Some(_) => StatusCode::BAD_REQUEST,
        None => StatusCode::OK,
    };
    let title = typed.title;
    let main = html! { .measure {
        h1 { "Save a page" }
        @if !title.is_empty() { p dir="auto" { (title) } }
        form method="post" action="save" data-handed[typed.is_handed]
            enctype=[typed.is_handed.then_some("multipart/form-data")] {
            (token(state))
            input type="hidden" name="title" value=(title);
            (ADDRESS.show(typed.url, fault))
            @if typed.is_handed {
                input type="hidden" name="page";
                p role="status" { "Only the address of the page came with it." }
            }
            button .main autofocus { "Save" }
        }
        p .hint {
            "The harvest fetches the page without the login of your browser."
            @if typed.is_handed { " If the page came with it, it is stored as your browser shows it." }
        }
    } };
    shell::page(status, "Save", &main)
}

pub(super) async fn save(
    state: ServedState<LibraryApp>,
    headers: HeaderMap,
    body: Body,
) -> Response<Body> {
    // A large form takes its size in memory until its answer.
    let (most, _room) = if is_multipart(&headers) {
        match state.large_bodies.acquire(state.client).await {
            Ok(room) => (MAX_HANDED_FORM_BYTES, Some(room)),
            Err(_) => return NoDocument::Unworked(NoResult::Busy).page("", "Save"),
        }
    } else {
        (MAX_FORM_BYTES, None)
    };
    let Ok(body) = to_bytes(body, most).await else {
        let why = "the page has more than 8 MB, or it broke off on its way";
        return plain(StatusCode::PAYLOAD_TOO_LARGE, why);
    };
    let Some(mut sent) = SavingForm::read(&headers, &body) else {
        return plain(StatusCode::BAD_REQUEST, "this is no form with a page");
    };
    if !state.web.token.is(&sent.token) {
        return of_earlier_run();
    }
    let fault = |why| FieldFault::of(ADDRESS.name, why);
    let Ok(url) = typed_address(&sent.url) else {
        let why = "no page of the web has this address";
        return question(&state, &sent.typed(), Some(&fault(why)));
    };
    let (title, html) = (sent.title.clone(), std::mem::take(&mut sent.html));
    let is_fetched = html.is_empty();
    let saved = in_folder(&state, move |dir| {
        let saved = kept(&mut FeedStore::open(dir)?, &url, &title, html)?;
        if saved == ShownPageOutcome::Saved {
            // Who saves a page wants to read it, also if it was read once.
            let key = page_key(url.as_str());
            ArticleMarks::change(dir, ArticleMark::Read, false, &[key])?;
        }
        Ok((saved, is_in_use(dir), harvest_command(dir)))
    });
    let why = match saved.await {
        Ok((ShownPageOutcome::Saved, is_harvested, command)) => {
            let command = Some(command).filter(|_| !is_harvested);
            return said(is_fetched, command.as_ref());
        }
        Ok((ShownPageOutcome::Forgotten, ..)) => {
            "this page was forgotten by `forest archive forget`, and stays so"
        }
        Ok((ShownPageOutcome::NoRoom, ..)) => {
            "the page has more than 8 MB, or 50 pages wait for a harvest already"
        }
        Err(why) => return why.page("", "Save"),
    };
    question(&state, &sent.typed(), Some(&fault(why)))
}

/// Saves a page: as a browser showed it, if that is there.
fn kept(store: &mut FeedStore, url: &Url, title: &str, html: Vec<u8>) -> Result<ShownPageOutcome> {
    let now = SystemTime::now().into();
    if !html.is_empty() {
        return Ok(store.save_shown_page(url, title, html, now)?);
    }
    Ok(if store.save_page(url, title, now)? {
        ShownPageOutcome::Saved
    } else {
        ShownPageOutcome::Forgotten
    })
}

/// The page behind the button. `command` starts a harvest, if none runs.
fn said(is_fetched: bool, command: Option<&Markup>) -> Response<Body> {
    let list = EntryFilter::of_feed(SAVED_PAGES).showing(ShownMarks::All);
    let when = if is_fetched {
        " as soon as the harvest has fetched it."
    } else {
        " as soon as the harvest has stored the page as your browser showed it."
    };
    let main = html! { .measure {
        h1 { "It will be saved" }
        p role="status" { "Its article will stand in " a href=(list.address()) { "Saved" } (when) }
        @if let Some(command) = command { p { "No harvest runs: start " (command) } }
    } };
    shell::page(StatusCode::OK, "Save", &main)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_what_is_shared_is_found() {
        let check = |query: &str, expected: &str| {
            let asked = FormFields::read(query.as_bytes());
            assert_eq!(shared_address(&asked), expected, "{query}");
        };
        check(
            "url=https://a.example/1&text=http://b.example/",
            "https://a.example/1",
        );
        check(
            "text=The+ferry%0Ahttps://a.example/1?b=c",
            "https://a.example/1?b=c",
        );
        check(
            "text=Read+this+(http://a.example/1).&title=The+ferry",
            "http://a.example/1",
        );
        check("url=&title=https://a.example/1", "https://a.example/1");
        check("text=javascript:alert(1)+ftp://a.example/", "");
        check("title=The+ferry", "");
    }
}
