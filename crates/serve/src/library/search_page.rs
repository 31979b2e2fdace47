//! `/search`: words to articles.

use super::times::shown_date;
use super::{asked, in_folder};
use crate::error::Result;
use crate::state::LibraryApp;
use axum::body::Body;
use axum::http::{Response, StatusCode, Uri};
use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use forest_archive::search::{Query, SearchHit, SearchIndex, SearchResults, Snippet};
use forest_archive::{ArchiveReader, paths};
use forest_html::error::counted;
use forest_web::form_fields::FormFields;
use forest_web::links::coded;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};

/// Hits of a page.
const PAGE: usize = 20;

/// Bytes of a query that are read.
const MAX_QUERY_BYTES: usize = 1_000;

/// The beginning of a typed day.
fn day(typed: &str) -> Option<NaiveDate> {
    typed.parse().ok()
}

fn midnight(day: NaiveDate) -> DateTime<Utc> {
    day.and_time(NaiveTime::MIN).and_utc()
}

pub(super) fn query(asked: &FormFields) -> Query {
    let mut words = asked.get("q").to_owned();
    words.truncate(words.floor_char_boundary(MAX_QUERY_BYTES));
    let until = day(asked.get("until")).and_then(|day| day.checked_add_days(Days::new(1)));
    Query {
        words,
        site: Some(asked.get("site").trim().to_owned()).filter(|site| !site.is_empty()),
        since: day(asked.get("since")).map(midnight),
        until: until.map(midnight),
        limit: PAGE,
        // The index bounds it.
        offset: asked.get("offset").parse().unwrap_or(0),
        ..Query::default()
    }
}

/// Takes into the index what the archive has since.
pub(super) fn catch_up(index: &mut SearchIndex, archive: &ArchiveReader) -> Result<()> {
    if index.followed()? < archive.last_changed()? {
        // While a harvest writes to the index, it is searched as it is.
        index.catch_up(archive)?;
    }
    Ok(())
}

pub(super) async fn show(state: ServedState<LibraryApp>, uri: Uri) -> Response<Body> {
    let asked = asked(&uri);
    let query = query(&asked);
    let offset = query.offset;
    let results = in_folder(&state, move |dir| {
        if query.words.trim().is_empty() {
            return Ok(None);
        }
        let archive = ArchiveReader::open(dir)?;
        let mut index = SearchIndex::open(&paths::index(dir))?;
        catch_up(&mut index, &archive)?;
        Ok(index.search(&query).map(Some)?)
    });
    let (status, shown) = match results.await {
        Ok(None) => (StatusCode::OK, html! {}),
        Ok(Some(results)) => (StatusCode::OK, found(&results, &asked, offset)),
        Err(why) => why.shown(),
    };
    let main = html! { .measure { h1 { "Search" } (form(&asked)) (shown) } };
    shell::page(status, "Search", &main)
}

fn form(asked: &FormFields) -> Markup {
    html! {
        form method="get" action="search" role="search" {
            label for="q" { "Words" }
            .row {
                input #q name="q" type="search" value=(asked.get("q")) aria-describedby="syntax";
                button .main { "Search" }
            }
            p #syntax .hint { "All words are searched; \"words in a row\"; -not." }
            .bar {
                label for="site" { "Site" }
                span { input #site name="site" type="text" value=(asked.get("site")); }
                label for="since" { "From" }
                span { input #since name="since" type="date" value=(asked.get("since")); }
                label for="until" { "To" }
                span { input #until name="until" type="date" value=(asked.get("until")); }
            }
        }
    }
}

fn found(results: &SearchResults, asked: &FormFields, offset: usize) -> Markup {
    let last = offset.saturating_add(results.hits.len());
    let fields = ["q", "site", "since", "until"];
    let fields = fields.map(|name| format!("{name}={}", coded(asked.get(name))));
    html! {
        @if !results.has_terms {
            p { "Give a word that must be there; words as common as \"the\" do not count." }
        } @else {
            p { (counted(results.total, "article", "articles")) " found." }
        }
        @if !results.hits.is_empty() { p { a href={ "export.epub?" (fields.join("&")) } download { "Save as EPUB" } } }
        ul .entries { @for hit in &results.hits { (listed(hit)) } }
        @if last < results.total && !results.hits.is_empty() {
            p { a rel="next" href={ "search?" (fields.join("&")) "&offset=" (last) } { "More" } }
        }
    }
}

fn listed(hit: &SearchHit) -> Markup {
    let title = match hit.title.trim() {
        "" => &hit.url,
        title => title,
    };
    html! {
        li {
            a href={ "reader/" (hit.article) } { span dir="auto" { (title) } }
            .meta { (hit.site) " · " (shown_date(hit.date)) }
            p dir="auto" { (marked(&hit.snippet)) }
        }
    }
}

/// The words of a snippet, the found ones marked.
fn marked(snippet: &Snippet) -> Markup {
    let mut at = 0;
    let pieces = snippet.marks.iter().map(|mark| {
        let before = &snippet.text[at..mark.start];
        at = mark.end;
        (before, &snippet.text[mark.clone()])
    });
    let pieces: Vec<(&str, &str)> = pieces.collect();
    html! {
        @if snippet.cut_before { "… " }
        @for (before, word) in pieces { (before) mark { (word) } }
        (snippet.text[at..])
        @if snippet.cut_after { " …" }
    }
}
