//! The feeds of the archive: `/feed/<id>.atom`, `.rss` and `.json` with every item and its
//! whole article, `/opml` with all feeds, and `/archive`, the page that lists them.
//!
//! An id is the beginning of the SHA-256 of the feed's address: it stays the same when the
//! archive's tables are made again. The archive is only read.

use super::archive::ServedArchive;
use super::conditional::ServedDocument;
use super::reading::{NoDocument, read};
use crate::feed_state::{feed_state, harvest_notice};
use crate::state::LibraryApp;
use axum::body::Body;
use axum::extract::{OriginalUri, Path};
use axum::http::{HeaderMap, Response, StatusCode};
use chrono::{DateTime, Utc};
use forest_archive::FeedRow;
use forest_archive::export::{WhichItems, feed_channel};
use forest_core::feed::Outline;
use forest_core::feed::write::{SyndicationFormat, opml, write};
use forest_html::error::counted;
use forest_html::text::sha256_hex;
use forest_web::guard::base_url;
use forest_web::links::coded;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;
use url::Url;

/// Hex digits of an id.
const ID_DIGITS: usize = 16;

/// The formats: the ending of the address, the name.
const FORMATS: [(&str, &str, SyndicationFormat); 3] = [
    ("atom", "Atom", SyndicationFormat::Atom),
    ("rss", "RSS", SyndicationFormat::Rss),
    ("json", "JSON Feed", SyndicationFormat::Json),
];

/// The media type of lists of feeds.
const OPML: &str = "text/x-opml; charset=utf-8";

pub(super) async fn feed(
    state: ServedState<LibraryApp>,
    Path(file): Path<String>,
    request: HeaderMap,
) -> Response<Body> {
    let format = file.rsplit_once('.').and_then(|(id, ending)| {
        let format = FORMATS.iter().find(|(known, ..)| *known == ending)?;
        Some((id.to_owned(), format.2))
    });
    let Some((id, format)) = format else {
        return NoDocument::Unknown.answer();
    };
    let Some(served) = &state.archive else {
        return NoDocument::NoArchive.answer();
    };
    let kept = served.watch.look();
    let kept = kept.map(|now| served.rendered.get(&file, now));
    let document = match kept {
        Ok(Some(kept)) => Ok(kept),
        Ok(None) => made(&state, served, &file, id, format).await,
        Err(error) => Err(NoDocument::Unreadable(error.to_string())),
    };
    match document {
        Ok(document) => document.answer(&request),
        Err(why) => why.answer(),
    }
}

/// The feed of a file's name, made now unless it was made while this waited for its turn, or is
/// made of the same as the last one.
async fn made(
    state: &ServedState<LibraryApp>,
    served: &ServedArchive,
    file: &str,
    id: String,
    format: SyndicationFormat,
) -> std::result::Result<Arc<ServedDocument>, NoDocument> {
    let _turn = served.rendered.turn(file).await;
    let unreadable = |error: forest_archive::Error| NoDocument::Unreadable(error.to_string());
    // Whatever is written from here on makes another state.
    let now = served.watch.look().map_err(unreadable)?;
    if let Some(kept) = served.rendered.get(file, now) {
        return Ok(kept);
    }
    let (shared, file) = (Arc::clone(state), file.to_owned());
    let made = read(state, move |archive| {
        let Some(served) = &shared.archive else {
            return Ok(None);
        };
        if let Some(url) = served.rendered.url(&file) {
            let digest = archive.feed_digest(&url)?;
            if let Some(kept) = served.rendered.renew(&file, now, &digest) {
                return Ok(Some(kept));
            }
        }
        let feeds = archive.feeds()?;
        let Some(row) = feeds.iter().find(|row| id_of(row) == id) else {
            return Ok(None);
        };
        let made_of = (row.url.clone(), archive.feed_digest(&row.url)?);
        let channel = feed_channel(archive, &row.url, &WhichItems::default())?;
        Ok(channel.map(|channel| {
            let text = write(&channel, format);
            let at = SystemTime::now().into();
            let document = served.times.document(&file, format.media_type(), text, at);
            let document = Arc::new(document);
            served.rendered.keep(&file, now, made_of, &document);
            document
        }))
    });
    made.await?.ok_or(NoDocument::Unknown)
}

pub(super) async fn list(
    state: ServedState<LibraryApp>,
    OriginalUri(uri): OriginalUri,
    request: HeaderMap,
) -> Response<Body> {
    let base = base_url(&request, &uri);
    let name = format!("opml of {base}");
    let query = state.web.feed_query();
    let text = read(&state, move |archive| {
        let rows = archive.feeds()?;
        let outlines = rows.iter().filter_map(|row| outline(row, &base, &query));
        let outlines: Vec<Outline> = outlines.collect();
        Ok(opml("Feeds", &outlines))
    });
    match (text.await, &state.archive) {
        (Ok(text), Some(served)) => {
            let now = SystemTime::now().into();
            served
                .times
                .document(&name, OPML, text, now)
                .answer(&request)
        }
        (Ok(_), None) => NoDocument::NoArchive.answer(),
        (Err(why), _) => why.answer(),
    }
}

/// A feed as this server has it, for a list. `base` is the address of the list.
fn outline(row: &FeedRow, base: &Url, query: &str) -> Option<Outline> {
    let address = base.join(&format!("{}{query}", address_of(row, "atom")));
    let address = address.ok()?;
    let mut outline = row.outline(address);
    if outline.title.is_empty() {
        outline.title.clone_from(&row.url);
    }
    Some(outline)
}

fn id_of(row: &FeedRow) -> String {
    id_of_url(&row.url)
}

fn id_of_url(url: &str) -> String {
    sha256_hex(url)[..ID_DIGITS].to_owned()
}

/// The address of a feed, relative to the pages of the server.
fn address_of(row: &FeedRow, ending: &str) -> String {
    feed_path(&row.url, ending)
}

/// The address at which a feed with this address of its own is served, relative to the pages
/// of the server.
pub fn feed_path(url: &str, ending: &str) -> String {
    format!("feed/{}.{ending}", id_of_url(url))
}

pub(super) async fn front_page(
    state: ServedState<LibraryApp>,
    OriginalUri(uri): OriginalUri,
    request: HeaderMap,
) -> Response<Body> {
    let sizes = state.archive.as_ref();
    let sizes = sizes.map(|archive| Arc::clone(&archive.pictures));
    let found = read(&state, move |archive| {
        let sizes = sizes.map(|sizes| sizes.of(archive)).transpose()?;
        Ok((archive.feeds()?, sizes.unwrap_or_default()))
    });
    let now = SystemTime::now().into();
    let (mut notice, query) = (html! {}, state.web.feed_query());
    let (status, shown) = match found.await {
        Ok((rows, pictures)) => {
            if let Some(archive) = &state.archive {
                notice = harvest_notice(&archive.dir, &rows, now);
            }
            (StatusCode::OK, feeds_table(&rows, &pictures, &query, now))
        }
        Err(why) => why.shown(),
    };
    let main = html! {
        h1 { "Feeds" }
        (notice)
        (shown)
        (bookmarklet(&base_url(&request, &uri)))
        @if state.web.access.is_some() { form method="post" action="logout" {
            input type="hidden" name="token" value=(state.web.token.text());
            button { "Log out" }
        } }
    };
    shell::page(status, "Feeds", &main)
}

/// A bookmark that shows the record of the page at which it is clicked.
fn bookmarklet(base: &Url) -> Markup {
    let Ok(extract) = base.join("extract?url=") else {
        return Markup::default();
    };
    let script = format!("javascript:location.href='{extract}'+encodeURIComponent(location.href)");
    html! {
        h2 { "Any page" }
        p {
            "Put the link " a href=(script) { "Extract this page" }
            " among the bookmarks: there it shows the article of an open page as JSON."
        }
    }
}

fn feeds_table(
    rows: &[FeedRow],
    pictures: &HashMap<String, u64>,
    query: &str,
    now: DateTime<Utc>,
) -> Markup {
    if rows.is_empty() {
        return html! { p { "The archive has no feeds: " a href="add" { "add one" } "." } };
    }
    html! {
        p {
            (counted(rows.len(), "feed", "feeds")) " with whole articles, and all of them as "
            a href={ "opml" (query) } { "OPML" } "."
        }
        .scroll { table {
            thead { tr { th scope="col" { "Feed" } th scope="col" { "State" } th scope="col" { "Address" } th scope="col" { "Pictures" } } }
            tbody { @for row in rows { tr {
                th scope="row" { a href={ "reader?feed=" (coded(&row.url)) } { span dir="auto" { (title_of(row)) } } }
                td .name { (feed_state(row, now)) }
                td .name { @for (ending, name, ..) in FORMATS {
                    a href={ (address_of(row, ending)) (query) } { (name) span .unseen { " of " (title_of(row)) } } " "
                } }
                td { (pictures.get(&row.url).map_or_else(|| "–".to_owned(), |bytes| size(*bytes))) }
            } } }
        } }
    }
}

/// A number of bytes for people: `0.3 MB`, `24 MB`.
fn size(bytes: u64) -> String {
    let megabytes = bytes as f64 / 1e6;
    let digits = usize::from(megabytes < 10.0);
    format!("{:.digits$} MB", megabytes.max(0.1))
}

/// The title of a feed for people; its address if it has none.
pub fn title_of(row: &FeedRow) -> &str {
    let titles = [&row.listed_title, &row.title, &row.url];
    let mut named = titles.into_iter().filter(|title| !title.is_empty());
    named.next().map_or("", String::as_str)
}
