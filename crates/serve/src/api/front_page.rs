//! `/archive`: the feeds of the archive with their states, narrowed by the words of `q`.

use super::archive::FeedFigures;
use super::feeds::{ADDRESSES, FORMATS, OWN, feed_path, short_title, title_of};
use super::reading::read;
use crate::narrowing::{NarrowingWords, none_found};
use crate::state::LibraryApp;
use crate::state_words::{feed_state, harvest_notice};
use axum::body::Body;
use axum::extract::OriginalUri;
use axum::http::{HeaderMap, Response, StatusCode};
use chrono::{DateTime, Utc};
use forest_archive::FeedRow;
use forest_html::error::counted;
use forest_web::guard::base_url;
use forest_web::links::coded;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};
use std::sync::Arc;
use std::time::SystemTime;
use url::Url;

pub(super) async fn show(
    state: ServedState<LibraryApp>,
    OriginalUri(uri): OriginalUri,
    request: HeaderMap,
) -> Response<Body> {
    let known = state.archive.as_ref();
    let known = known.map(|archive| Arc::clone(&archive.figures));
    let found = read(&state, move |archive| {
        let figures = known.map(|known| known.of(archive)).transpose()?;
        Ok((archive.feeds()?, figures.unwrap_or_default()))
    });
    let now = SystemTime::now().into();
    let words = NarrowingWords::of(&uri);
    let (mut notice, query) = (html! {}, state.web.feed_query());
    let (status, shown) = match found.await {
        Ok((rows, figures)) => {
            if let Some(archive) = &state.archive {
                notice = harvest_notice(&archive.dir, &rows, now);
            }
            (StatusCode::OK, feeds(&rows, &words, &figures, &query, now))
        }
        Err(why) => why.shown(),
    };
    let main = html! {
        h1 { "Feeds" }
        (notice)
        (shown)
        p { a href="apps" { "In other apps" } ": on a phone, with what is read and starred." }
        (bookmarklets(&base_url(&request, &uri)))
    };
    shell::page(status, "Feeds", &main)
}

/// Bookmarks that save the page at which they are clicked, or show its record.
fn bookmarklets(base: &Url) -> Markup {
    let (Ok(save), Ok(extract)) = (base.join("save"), base.join("extract?url=")) else {
        return Markup::default();
    };
    let here = "encodeURIComponent(location.href)";
    let save = save_script(&save, here);
    let extract = format!("javascript:location.href='{extract}'+{here}");
    html! {
        h2 { "Any page" }
        p {
            "Put these links among the bookmarks: " a href=(save) { "Save this page" }
            " makes an open page an article of \"Saved\", as your browser shows it where its site lets it, " a href=(extract) { "Extract this page" }
            " shows its article as JSON."
        }
    }
}

/// The script that opens our page, and hands the open page over when that asks for it: to our
/// origin alone, whatever the window shows by then.
fn save_script(save: &Url, here: &str) -> String {
    let ours = save.origin().ascii_serialization();
    format!(
        "javascript:(()=>{{const w=open('{save}?from=page&url='+{here}+'&title='+encodeURIComponent(document.title));\
         addEventListener('message',e=>{{if(e.source===w&&e.origin==='{ours}')\
         w.postMessage({{html:document.documentElement.outerHTML}},'{ours}')}})}})()"
    )
}

/// The folders of a feed for people, as its own page takes them.
pub fn folder_names(row: &FeedRow) -> impl Iterator<Item = String> {
    row.folders.iter().map(|path| path.join("/"))
}

fn feeds(
    rows: &[FeedRow],
    words: &NarrowingWords,
    figures: &FeedFigures,
    query: &str,
    now: DateTime<Utc>,
) -> Markup {
    if rows.is_empty() {
        return html! { p { "The archive has no feeds: " a href="add" { "add one" } ", or a list of them." } };
    }
    let fits = |row: &&FeedRow| {
        let folders: Vec<String> = folder_names(row).collect();
        let texts = [&row.listed_title, &row.title, &row.url];
        words.fit(texts.into_iter().chain(&folders).map(String::as_str))
    };
    let mut shown: Vec<&FeedRow> = rows.iter().filter(fits).collect();
    shown.sort_by_cached_key(|row| title_of(row).to_lowercase());
    html! {
        p {
            (counted(rows.len(), "feed", "feeds")) " with whole articles, and all of them as "
            a href={ "opml" (query) } { "OPML" } ". E-readers find them as books in the "
            a href={ "opds" (query) } { "OPDS catalogue" } ". "
            a href="add" { "Add a feed or import a list" } ", or "
            a href={ "opml?" (ADDRESSES) "=" (OWN) } download="feeds.opml" { "export the feeds" } " for another program."
        }
        (words.form("archive", "Title, address or folder"))
        @if shown.is_empty() { (none_found("archive", "feed", rows.len())) }
        @else { (feeds_table(&shown, figures, query, now)) }
    }
}

fn feeds_table(
    rows: &[&FeedRow],
    figures: &FeedFigures,
    query: &str,
    now: DateTime<Utc>,
) -> Markup {
    html! {
        .scroll { table {
            thead { tr {
                th scope="col" { "Feed" }
                th .word scope="col" { "State" }
                th .word .wide-only scope="col" { "As a feed" } th .wide-only scope="col" { "Pictures" }
            } }
            tbody { @for row in rows { tr {
                th .name scope="row" {
                    a href={ "reader?feed=" (coded(&row.url)) } { span dir="auto" { (short_title(row)) } }
                    .meta {
                        a href={ "archive/feed?url=" (coded(&row.url)) } { "Settings" span .unseen { " of " (short_title(row)) } }
                        @for folder in folder_names(row) { " · " span dir="auto" { (folder) } }
                    }
                }
                td .name { (feed_state(row, figures.pages.get(&row.url), now)) }
                td .name .wide-only { (addresses(row, "", query)) }
                td .wide-only {
                    (figures.pictures.get(&row.url).map_or_else(|| "–".to_owned(), |bytes| size(*bytes)))
                    @if let Some(room) = picture_room(row) { .meta { (room) } }
                }
            } } }
        } }
    }
}

/// The addresses of a feed for feed readers. `up` leads to the level of `/filter`.
pub fn addresses(row: &FeedRow, up: &str, query: &str) -> Markup {
    html! { @for (ending, name, ..) in FORMATS {
        a href={ (up) (feed_path(&row.url, ending)) (query) } { (name) span .unseen { " of " (short_title(row)) } } " "
    } }
}

/// The room that a rule gives to the pictures of a feed; `None` without one.
pub fn picture_room(row: &FeedRow) -> Option<String> {
    Some(match row.rules.image_budget_mb? {
        0 => "none are stored".to_owned(),
        megabytes => format!("at most {megabytes} MB"),
    })
}

/// A number of bytes for people: `0.3 MB`, `24 MB`.
pub fn size(bytes: u64) -> String {
    let megabytes = bytes as f64 / 1e6;
    let digits = usize::from(megabytes < 10.0);
    format!("{:.digits$} MB", megabytes.max(0.1))
}
