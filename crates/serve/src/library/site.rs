//! `/sites/<site>`: the state of a site and of its wrapper, and what can be done.

use super::plot::plot;
use super::site_secrets::{ShownSecrets, secrets_of, section};
use super::times::exact_time;
use super::{in_folder, sent, token};
use crate::api::{NoDocument, in_turn};
use crate::error::Result;
use crate::state::LibraryApp;
use crate::state_words::{site_words, verdict};
use axum::body::{Body, Bytes};
use axum::extract::Path;
use axum::http::header::HeaderMap;
use axum::http::{Response, StatusCode, Uri};
use chrono::{DateTime, Utc};
use forest_archive::{ArchiveReader, Event, SiteFigures, SiteStatus, WrapperRow};
use forest_harvest::{FeedStore, Relearned, relearn_site, roll_back};
use forest_web::links::coded;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};
use std::path::{Path as FolderPath, PathBuf};
use std::time::SystemTime;

/// A site, as the archive has it.
struct ShownSite {
    status: SiteStatus,
    figures: SiteFigures,
    wrappers: Vec<WrapperRow>,
    secrets: ShownSecrets,
}

/// The result of a change, and the request for the page that shows it.
struct Asked {
    done: Option<std::result::Result<String, String>>,
    uri: Uri,
    headers: HeaderMap,
}

/// Wrappers of the history that are shown.
const WRAPPERS: usize = 20;

pub(super) async fn show(
    state: ServedState<LibraryApp>,
    Path(site): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Response<Body> {
    let done = None;
    page(&state, site, Asked { done, uri, headers }).await
}

/// The page of a site, with the result of a change.
async fn page(state: &ServedState<LibraryApp>, site: String, asked: Asked) -> Response<Body> {
    let found = in_folder(state, move |dir| of(dir, &site));
    match found
        .await
        .and_then(|found| found.ok_or(NoDocument::Unknown))
    {
        Ok(site) => {
            let main = whole(state, &site, &asked);
            shell::page_in(
                "Sites",
                "../",
                None,
                StatusCode::OK,
                &site.status.site,
                &main,
            )
        }
        Err(why) => why.page("../", "Sites"),
    }
}

fn of(dir: &FolderPath, site: &str) -> Result<Option<ShownSite>> {
    let archive = ArchiveReader::open(dir)?;
    let Some(status) = archive.site_status(site)? else {
        return Ok(None);
    };
    let mut wrappers = archive.wrappers(site)?;
    wrappers.truncate(WRAPPERS);
    Ok(Some(ShownSite {
        status,
        figures: archive.site_figures(site)?,
        wrappers,
        secrets: secrets_of(dir, site),
    }))
}

fn whole(state: &LibraryApp, site: &ShownSite, asked: &Asked) -> Markup {
    let ShownSite {
        status,
        figures,
        wrappers,
        secrets,
    } = site;
    html! {
        .measure {
            h1 { (status.site) }
            @match &asked.done {
                Some(Ok(done)) => p .good role="status" { (done) },
                Some(Err(why)) => p .bad role="alert" { "Nothing was changed: " (why) "." },
                None => {}
            }
            (site_words(status))
            p .hint { "Verdict: " strong { (verdict(status)) } @if let Some((at, _)) = &status.verdict { " since " (exact_time(*at)) } "." }
            .bar {
                (button(state, status, "learn", "Learn again"))
                @if wrappers.len() > 1 { (button(state, status, "roll-back", "Roll back")) }
                a href={ (status.site) "/workshop" } { "Workshop" }
                a href={ (status.site) "/workshop?proposal=on" } { "What would be learned now" }
            }
            h2 { "Confidence" }
            (plot(&figures.confidence))
            (counts("Pages by the status of their last visit", &figures.pages))
            (counts("Errors of the newest visits", &figures.errors))
            h2 { "Feeds" }
            (feeds(state, status, figures))
            (section(state, &status.site, secrets, &asked.uri, &asked.headers))
            h2 { "Verdicts" }
            @if figures.verdicts.is_empty() { p { "None yet." } }
            ul { @for (at, verdict, why) in &figures.verdicts { li {
                (exact_time(*at)) ": " (verdict) @if !why.is_empty() { ", " (why) }
            } } }
            h2 { "Wrappers" }
            @if wrappers.is_empty() { p { "None yet." } }
            @for wrapper in wrappers { details {
                summary {
                    (exact_time(wrapper.since)) ": " (wrapper.why)
                    @if let Some(until) = wrapper.until { ", until " (exact_time(until)) } @else { ", active" }
                }
                pre .code { (wrapper.yaml) }
            } }
        }
    }
}

fn button(state: &LibraryApp, status: &SiteStatus, action: &str, shown: &str) -> Markup {
    html! {
        form method="post" action={ "../sites/" (status.site) } {
            (token(state))
            button name="action" value=(action) { (shown) }
        }
    }
}

fn counts(title: &str, counts: &[(String, u64)]) -> Markup {
    html! { @if !counts.is_empty() {
        h2 { (title) }
        table { tbody { @for (name, count) in counts { tr { th scope="row" { (name) } td { (count) } } } } }
    } }
}

fn feeds(state: &LibraryApp, status: &SiteStatus, figures: &SiteFigures) -> Markup {
    html! {
        @if figures.feeds.is_empty() { p { "No feed leads to its pages." } }
        ul { @for (feed, is) in &figures.feeds { li {
            a href={ "../reader?feed=" (coded(feed)) } { (feed) } ", " (is) " "
            a href={ "../archive/feed?url=" (coded(feed)) } { "Settings" } " "
            form .inline method="post" action={ "../sites/" (status.site) } {
                (token(state))
                input type="hidden" name="feed" value=(feed);
                @if is == "active" { button .small name="action" value="pause" { "Pause" } }
                @else { button .small name="action" value="resume" { "Resume" } }
            }
        } } }
    }
}

pub(super) async fn change(
    state: ServedState<LibraryApp>,
    Path(site): Path<String>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let sent = match sent(&state, &body) {
        Ok(sent) => sent,
        Err(refused) => return *refused,
    };
    let Some(archive) = &state.archive else {
        return NoDocument::NoArchive.page("../", "Sites");
    };
    let (dir, name) = (archive.dir.clone(), site.clone());
    let (action, feed) = (sent.get("action").to_owned(), sent.get("feed").to_owned());
    let done = in_turn(&state, move || changed(dir, &name, &action, feed));
    let done = match done.await {
        Ok(done) => Some(done),
        Err(NoDocument::Unreadable(why)) => Some(Err(why)),
        Err(why) => return why.page("../", "Sites"),
    };
    page(&state, site, Asked { done, uri, headers }).await
}

/// Does what a button says; a sentence for people.
fn changed(
    dir: PathBuf,
    site: &str,
    action: &str,
    feed: String,
) -> Result<std::result::Result<String, String>> {
    let now = DateTime::<Utc>::from(SystemTime::now());
    let figures = |dir| ArchiveReader::open(dir)?.site_figures(site);
    if figures(&dir)?.pages.is_empty() {
        return Ok(Err("the archive has no such site".to_owned()));
    }
    match action {
        "learn" => Ok(match relearn_site(&dir, site, now)? {
            Relearned::Kept(why) => Err(why),
            done => Ok(done.to_string()),
        }),
        "roll-back" => Ok(roll_back(&dir, site, now)?),
        "pause" | "resume" => {
            let is_known = figures(&dir)?.feeds.iter().any(|(known, _)| *known == feed);
            if !is_known {
                return Ok(Err("the site has no such feed".to_owned()));
            }
            let mut store = FeedStore::open(&dir)?;
            let paused = action == "pause";
            store.write(Event::FeedPaused { feed, paused }, now)?;
            let when = if store.waits_for_harvest() {
                "The harvest that runs does so in a moment."
            } else {
                "Done."
            };
            Ok(Ok(when.to_owned()))
        }
        _ => Ok(Err("there is no such button".to_owned())),
    }
}
