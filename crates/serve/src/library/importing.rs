//! `/add/import`: takes a list of feeds, as OPML or as a text with an address a line, in a file or
//! pasted; adds its feeds without a request to their servers, and says what became of each.

use super::sent_parts::SentParts;
use super::{in_folder, token};
use crate::api::NoDocument;
use crate::error::Result;
use crate::state::LibraryApp;
use crate::state_words::harvest_command;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Response, StatusCode};
use forest_harvest::inputs::FeedInputs;
use forest_harvest::{FeedStore, ImportedFeed};
use forest_html::error::counted;
use forest_web::answers::{of_earlier_run, plain};
use forest_web::cores::NoResult;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};
use std::path::Path;
use std::time::SystemTime;

/// Bytes of a list, with the form around it.
const MAX_BYTES: usize = 4_000_000;

/// Feeds of a list.
const MAX_FEEDS: usize = 5_000;

/// Feeds that are shown one by one.
const SHOWN: usize = 1_000;

/// Bytes of a pasted text that a faulty form keeps.
const KEPT_BYTES: usize = 64_000;

/// The form. `action` is its address, relative to its page.
pub(super) fn form(state: &LibraryApp, action: &str, pasted: &str, fault: Option<&str>) -> Markup {
    let described = fault.map(|_| "import-fault");
    html! {
        form method="post" action=(action) enctype="multipart/form-data" {
            (token(state))
            label for="file" { "A list of feeds: an OPML file of another program, or a text with an address a line" }
            input #file name="file" type="file" aria-describedby=[described];
            label for="text" { "Or paste it here" }
            textarea #text name="text" rows="4" aria-describedby=[described] aria-invalid=[fault.map(|_| "true")] { (pasted) }
            @if let Some(fault) = fault { p #import-fault .bad role="alert" { (fault) } }
            p .hint { "The feeds are added at once, and the harvest reads them. At most 5,000 feeds and 4 MB." }
            button { "Import" }
        }
    }
}

pub(super) async fn import(
    state: ServedState<LibraryApp>,
    headers: HeaderMap,
    body: Body,
) -> Response<Body> {
    // A large form takes its size in memory until its answer.
    let Ok(_room) = state.large_bodies.acquire(state.client).await else {
        return NoDocument::Unworked(NoResult::Busy).page("../", "Add");
    };
    let Ok(body) = to_bytes(body, MAX_BYTES).await else {
        let why = "The list has more than 4 MB, or it broke off on its way.";
        return refused(&state, StatusCode::PAYLOAD_TOO_LARGE, "", why);
    };
    let Some(sent) = SentParts::read(&headers, &body) else {
        return plain(
            StatusCode::BAD_REQUEST,
            "this is no form with a list of feeds",
        );
    };
    if !state.web.token.is(&sent.text("token")) {
        return of_earlier_run();
    }
    let pasted = sent.text("text");
    let kept = &pasted[..pasted.floor_char_boundary(KEPT_BYTES)];
    let inputs = match listed(sent.bytes("file"), pasted.trim().as_bytes()) {
        Ok(inputs) => inputs,
        Err(why) => return refused(&state, StatusCode::BAD_REQUEST, kept, &why),
    };
    let added = in_folder(&state, move |dir| imported(dir, inputs));
    match added.await {
        Ok(done) => shell::page_below("../", StatusCode::OK, "Add", &done),
        Err(why) => why.page("../", "Add"),
    }
}

/// The feeds of a file and of a text; else the reason why there are none.
fn listed(file: &[u8], pasted: &[u8]) -> std::result::Result<FeedInputs, String> {
    let mut inputs = FeedInputs::default();
    for list in [file, pasted].into_iter().filter(|list| !list.is_empty()) {
        let read = inputs.add_list(list);
        read.map_err(|error| format!("The list cannot be read: {error}."))?;
    }
    let feeds = inputs.feeds().len();
    if feeds + inputs.refused().len() == 0 {
        return Err("Choose a file, or paste a list: there is no address in it.".to_owned());
    }
    if feeds > MAX_FEEDS {
        return Err(format!(
            "The list has {}: import at most {MAX_FEEDS} at a time.",
            counted(feeds, "feed", "feeds")
        ));
    }
    Ok(inputs)
}

fn refused(state: &LibraryApp, status: StatusCode, pasted: &str, why: &str) -> Response<Body> {
    let main = html! { .measure {
        h1 { "Import feeds" }
        (form(state, "import", pasted, Some(why)))
        p { a href="../add" { "Add one feed" } }
    } };
    shell::page_below("../", status, "Add", &main)
}

/// Adds the feeds; gives the page about them.
fn imported(dir: &Path, inputs: FeedInputs) -> Result<Markup> {
    let mut store = FeedStore::open(dir)?;
    let outcomes = store.import(inputs.feeds(), SystemTime::now().into())?;
    let count = |wanted| {
        outcomes
            .iter()
            .filter(|outcome| **outcome == wanted)
            .count()
    };
    let (added, refused) = (count(ImportedFeed::Added), inputs.refused());
    Ok(html! { .measure {
        h1 { "Import feeds" }
        p .good[added > 0] role="status" {
            (counted(added, "feed is added", "feeds are added")) "; "
            "there already: " (outcomes.len() - added) "; refused: " (refused.len()) "."
        }
        @if added > 0 { p {
            @if store.waits_for_harvest() { "The harvest that runs reads them now, one after the other." }
            @else { "The next harvest reads them: " (harvest_command(dir)) }
        } }
        p { a href="../archive" { "Feeds" } " · " a href="../add" { "Add another" } }
        @if !refused.is_empty() {
            h2 { "Refused" }
            ul { @for refused in refused.iter().take(SHOWN) { li .bad { (refused) } } }
            (more(refused.len()))
        }
        h2 { "Feeds" }
        @if outcomes.is_empty() { p { "None." } }
        ul { @for (input, outcome) in inputs.feeds().iter().zip(&outcomes).take(SHOWN) { li {
            (words(*outcome)) ": "
            @if let Some(outline) = &input.outline { span dir="auto" { (outline.title) } " " }
            code { (input.url) }
        } } }
        (more(outcomes.len()))
    } })
}

/// A line on those that are not shown.
fn more(all: usize) -> Markup {
    html! { @if all > SHOWN { p { "And " (all - SHOWN) " more." } } }
}

fn words(outcome: ImportedFeed) -> &'static str {
    match outcome {
        ImportedFeed::Added => "Added",
        ImportedFeed::Known => "There already",
        ImportedFeed::Paused => "There already, and paused",
    }
}
