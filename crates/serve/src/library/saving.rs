//! `/save?url=`: a page that a person wants to keep becomes an article of the feed "Saved".

use super::entry_filter::{EntryFilter, ShownMarks};
use super::field::{FieldFault, TextField};
use super::{asked, in_folder, sent, token};
use crate::api::NoDocument;
use crate::feed_state::harvest_command;
use crate::state::LibraryApp;
use crate::web_page::typed_address;
use axum::body::{Body, Bytes};
use axum::http::{Response, StatusCode, Uri};
use forest_archive::{SAVED_PAGES, is_in_use};
use forest_harvest::FeedStore;
use forest_web::form_fields::FormFields;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::html;
use std::time::SystemTime;

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
    };
    match state.archive {
        Some(_) => question(&state, &typed, None),
        None => NoDocument::NoArchive.page("", "Save"),
    }
}

/// The page that a person names.
#[derive(Debug, Clone, Copy)]
struct TypedPage<'r> {
    url: &'r str,
    title: &'r str,
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
        form method="post" action="save" {
            (token(state))
            input type="hidden" name="title" value=(title);
            (ADDRESS.show(typed.url, fault))
            button .main autofocus { "Save" }
        }
        p .hint { "The harvest fetches the page as anybody sees it, without your login." }
    } };
    shell::page(status, "Save", &main)
}

pub(super) async fn save(state: ServedState<LibraryApp>, body: Bytes) -> Response<Body> {
    let sent = match sent(&state, &body) {
        Ok(sent) => sent,
        Err(refused) => return *refused,
    };
    let typed = TypedPage {
        url: sent.get("url"),
        title: sent.get("title"),
    };
    let fault = |why| FieldFault::of(ADDRESS.name, why);
    let Ok(url) = typed_address(typed.url) else {
        let why = "no page of the web has this address";
        return question(&state, &typed, Some(&fault(why)));
    };
    let title = typed.title.to_owned();
    let saved = in_folder(&state, move |dir| {
        let is_saved = FeedStore::open(dir)?.save_page(&url, &title, SystemTime::now().into())?;
        Ok((is_saved, is_in_use(dir), harvest_command(dir)))
    });
    let list = EntryFilter::of_feed(SAVED_PAGES).showing(ShownMarks::All);
    match saved.await {
        Ok((true, is_harvested, command)) => {
            let main = html! { .measure {
                h1 { "Saved" }
                p role="status" {
                    "Its article stands in " a href=(list.address()) { "Saved" } " as soon as the harvest has fetched it."
                }
                @if !is_harvested { p { "No harvest runs: start " (command) } }
            } };
            shell::page(StatusCode::OK, "Saved", &main)
        }
        Ok((false, ..)) => {
            let why = "this page was forgotten by `forest archive forget`, and stays so";
            question(&state, &typed, Some(&fault(why)))
        }
        Err(why) => why.page("", "Save"),
    }
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
