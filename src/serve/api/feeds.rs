//! The feeds of the archive: `/feed/<id>.atom`, `.rss` and `.json` with every item and its
//! whole article, `/opml` with all feeds, and `/archive`, the page that lists them.
//!
//! An id is the beginning of the SHA-256 of the feed's address: it stays the same when the
//! archive's tables are made again. The archive is opened for each request, and only read.

use super::conditional::answer;
use super::reading::{NoDocument, read};
use crate::archive::export::{WhichItems, feed_channel};
use crate::archive::{ArchiveReader, ArchiveStamp, FeedRow};
use crate::error::{Result, counted};
use crate::feed::Outline;
use crate::feed::write::{SyndicationFormat, opml, write};
use crate::serve::filter_page::shell;
use crate::serve::guard::base_url;
use crate::serve::links::coded;
use crate::serve::state::FilterState;
use crate::text::sha256_hex;
use axum::body::{Body, Bytes};
use axum::extract::{OriginalUri, Path, State};
use axum::http::{HeaderMap, Response, StatusCode};
use maud::{Markup, html};
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

/// The answer with a document of the archive.
fn document(
    state: &FilterState,
    request: &HeaderMap,
    name: &str,
    kind: &'static str,
    text: std::result::Result<String, NoDocument>,
) -> Response<Body> {
    match (text, &state.archive) {
        (Ok(text), Some(archive)) => {
            let now = SystemTime::now().into();
            let validators = archive.times.validators(name, text.as_bytes(), now);
            answer(request, &validators, kind, text.into())
        }
        (Ok(_), None) => NoDocument::NoArchive.answer(),
        (Err(why), _) => why.answer(),
    }
}

pub(super) async fn feed(
    State(state): State<Arc<FilterState>>,
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
    let now = SystemTime::now();
    let stamp = ArchiveStamp::of(&served.dir, now);
    if let Some((validators, text)) = served.rendered.get(&file, &stamp) {
        return answer(&request, &validators, format.media_type(), text);
    }
    let written = read(&state, move |archive| written(archive, &id, format)).await;
    match written.and_then(|text| text.ok_or(NoDocument::Unknown)) {
        Ok(text) => {
            let text = Bytes::from(text);
            let validators = served.times.validators(&file, &text, now.into());
            served.rendered.keep(&file, stamp, (&validators, &text));
            answer(&request, &validators, format.media_type(), text)
        }
        Err(why) => why.answer(),
    }
}

/// The feed with an id, as `forest feed` writes it; `None` if there is no such feed.
fn written(archive: &ArchiveReader, id: &str, format: SyndicationFormat) -> Result<Option<String>> {
    let feeds = archive.feeds()?;
    let Some(row) = feeds.iter().find(|row| id_of(row) == id) else {
        return Ok(None);
    };
    let channel = feed_channel(archive, &row.url, &WhichItems::default())?;
    Ok(channel.map(|channel| write(&channel, format)))
}

pub(super) async fn list(
    State(state): State<Arc<FilterState>>,
    OriginalUri(uri): OriginalUri,
    request: HeaderMap,
) -> Response<Body> {
    let base = base_url(&request, &uri);
    let name = format!("opml of {base}");
    let query = state.feed_query();
    let text = read(&state, move |archive| {
        let rows = archive.feeds()?;
        let outlines = rows.iter().filter_map(|row| outline(row, &base, &query));
        let outlines: Vec<Outline> = outlines.collect();
        Ok(opml("Feeds", &outlines))
    });
    let text = text.await;
    document(&state, &request, &name, OPML, text)
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
pub(crate) fn feed_path(url: &str, ending: &str) -> String {
    format!("feed/{}.{ending}", id_of_url(url))
}

pub(super) async fn front_page(
    State(state): State<Arc<FilterState>>,
    OriginalUri(uri): OriginalUri,
    request: HeaderMap,
) -> Response<Body> {
    let rows = read(&state, ArchiveReader::feeds).await;
    let (status, shown) = match rows {
        Ok(rows) => (StatusCode::OK, feeds_table(&rows, &state.feed_query())),
        Err(why) => why.shown(),
    };
    let main = html! {
        h1 { "Feeds" }
        (shown)
        (bookmarklet(&base_url(&request, &uri)))
        @if state.access.is_some() { p { a href="login" { "Log out" } } }
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

fn feeds_table(rows: &[FeedRow], query: &str) -> Markup {
    if rows.is_empty() {
        return html! { p { "The archive has no feeds: " a href="add" { "add one" } "." } };
    }
    html! {
        p {
            (counted(rows.len(), "feed", "feeds")) " with the whole articles of their items; all of them as "
            a href={ "opml" (query) } { "OPML" } "."
        }
        .scroll { table {
            thead { tr { th scope="col" { "Feed" } th scope="col" { "Address" } th scope="col" { "State" } } }
            tbody { @for row in rows { tr {
                th scope="row" { a href={ "reader?feed=" (coded(&row.url)) } { (title_of(row)) } }
                td .name { @for (ending, name, ..) in FORMATS {
                    a href={ (address_of(row, ending)) (query) } { (name) span .unseen { " of " (title_of(row)) } } " "
                } }
                td .name { (row.state) @if !row.why.is_empty() { ": " (row.why) } }
            } } }
        } }
    }
}

/// The title of a feed for people; its address if it has none.
pub(crate) fn title_of(row: &FeedRow) -> &str {
    let titles = [&row.listed_title, &row.title, &row.url];
    let mut named = titles.into_iter().filter(|title| !title.is_empty());
    named.next().map_or("", String::as_str)
}
