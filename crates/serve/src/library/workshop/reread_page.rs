//! The page of a re-reading of stored articles: how far it is, and what changed.

use super::rereading::{ChangedArticle, RereadingPhase, RereadingState, phase_of_harvest};
use crate::api::NoDocument;
use crate::library::in_folder;
use crate::state::LibraryApp;
use axum::body::Body;
use axum::extract::Path;
use axum::http::{Response, StatusCode};
use forest_archive::RereadReceipt;
use forest_html::error::counted;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};

/// Seconds after which a browser without scripts asks again.
const REFRESH_S: u32 = 1;

/// The way from the page to the level of `/filter`.
const UP: &str = "../../../../";

pub(super) async fn progress(
    state: ServedState<LibraryApp>,
    Path((site, id)): Path<(String, String)>,
) -> Response<Body> {
    let job = state.rereadings.get(&id);
    let Some(job) = job.filter(|job| job.state().site == site) else {
        return NoDocument::Unknown.page(UP, "Sites");
    };
    let is_left = matches!(job.state().phase, RereadingPhase::LeftToHarvest);
    if is_left {
        let phase = in_folder(&state, move |dir| phase_of_harvest(dir, &id)).await;
        match phase {
            Ok(RereadingPhase::LeftToHarvest) => {}
            Ok(phase) => job.take(phase),
            Err(why) => return why.page(UP, "Sites"),
        }
    }
    let now = job.state().clone();
    shown(&now)
}

fn shown(state: &RereadingState) -> Response<Body> {
    let articles = counted(state.articles, "stored article", "stored articles");
    let main = html! { .measure {
        h1 { "Stored articles of " (state.site) }
        @match &state.phase {
            RereadingPhase::Reading => p role="status" {
                "Reading " (articles) " again: " (counted(state.read, "version", "versions")) " read …"
            },
            RereadingPhase::LeftToHarvest => p role="status" { "The harvest that runs reads " (articles) " again …" },
            RereadingPhase::Failed(why) => p .bad role="alert" { "They were not read again: " (why) "." },
            RereadingPhase::Done(receipt, changed) => (result(receipt, changed)),
        }
        p { a href="../../workshop" { "Back to the workshop" } }
    } };
    let goes_on = matches!(
        state.phase,
        RereadingPhase::Reading | RereadingPhase::LeftToHarvest
    );
    let refresh = goes_on.then_some(REFRESH_S);
    shell::page_with(UP, refresh, StatusCode::OK, "Sites", &main)
}

fn result(receipt: &RereadReceipt, changed: &[ChangedArticle]) -> Markup {
    let unchanged = receipt.read.saturating_sub(receipt.changed);
    let failed = [
        (
            receipt.unmatched,
            "The wrapper does not match",
            "keep their text",
        ),
        (
            receipt.without_page,
            "There is no stored page of",
            "keep their text",
        ),
    ];
    let more = receipt.articles.len().saturating_sub(changed.len());
    html! {
        p .good role="status" {
            (counted(receipt.read, "version", "versions")) " read again: "
            (receipt.changed) " with another text, " (unchanged) " unchanged."
        }
        @if receipt.edits > 0 { p { (counted(receipt.edits, "edit was", "edits were")) " found and became versions." } }
        @for (count, what, then) in failed { @if count > 0 {
            p { (what) " " (counted(count, "version", "versions")) ": they " (then) "." }
        } }
        @for why in &receipt.failed { p .bad { (why) } }
        @if !changed.is_empty() {
            h2 { "Changed articles" }
            ul { @for article in changed { li {
                a href={ (UP) "reader/" (article.id) } dir="auto" { (article.title) }
            } } }
            @if more > 0 { p { "And " (more) " more." } }
        }
    }
}
