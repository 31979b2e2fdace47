//! `/opds`: a catalogue for e-readers, OPDS 1.2. Its first page leads to lists of articles: unread
//! ones, starred ones, those of each folder and of each feed. A list has one entry, its book.

use super::books::range_of_book;
use super::entry_filter::{EntryFilter, ShownMarks, folders_of};
use super::{asked, with_marks};
use crate::api::{NoDocument, title_of};
use crate::error::Result;
use crate::state::LibraryApp;
use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, Uri};
use chrono::{DateTime, SecondsFormat, Utc};
use forest_archive::export::MAX_EPUB_ARTICLES;
use forest_archive::{ArchiveReader, EntryRange, FeedRow};
use forest_html::error::counted;
use forest_html::page::plain::escape;
use forest_html::text::sha256_hex;
use forest_text::prose::xhtml::legal;
use forest_web::served_state::ServedState;
use std::collections::BTreeSet;
use std::fmt::Write;

const NAVIGATION: &str = "application/atom+xml;profile=opds-catalog;kind=navigation";

const ACQUISITION: &str = "application/atom+xml;profile=opds-catalog;kind=acquisition";

/// A list of articles.
#[derive(Debug, PartialEq, Eq)]
struct ListedBook {
    title: String,
    /// Its query, without the key.
    query: String,
}

/// The lists: unread, starred, all, of each folder by name, of each feed by title.
fn lists(feeds: &[FeedRow]) -> Vec<ListedBook> {
    let of = |title: &str, filter: &EntryFilter| ListedBook {
        title: title.to_owned(),
        query: query_of(filter),
    };
    let all = EntryFilter::default();
    let mut lists = vec![
        of("All unread", &all),
        of("Starred", &all.showing(ShownMarks::Starred)),
        of("All articles", &all.showing(ShownMarks::All)),
    ];
    let folders: BTreeSet<String> = feeds.iter().flat_map(folders_of).collect();
    let whole = |list: EntryFilter| list.showing(ShownMarks::All);
    let of_folder = |folder: &String| of(folder, &whole(EntryFilter::of_folder(folder)));
    lists.extend(folders.iter().map(of_folder));
    let mut feeds: Vec<&FeedRow> = feeds.iter().collect();
    feeds.sort_by_key(|feed| (title_of(feed), &feed.url));
    let of_feed = |feed: &FeedRow| of(title_of(feed), &whole(EntryFilter::of_feed(&feed.url)));
    lists.extend(feeds.into_iter().map(of_feed));
    lists
}

/// The query of a list, which is never empty.
fn query_of(filter: &EntryFilter) -> String {
    match filter.query() {
        query if query.is_empty() => "show=unread".to_owned(),
        query => query,
    }
}

/// The key of the feeds, behind another field of a query.
fn key(state: &LibraryApp) -> String {
    state.web.feed_query().replacen('?', "&", 1)
}

pub(super) async fn root(state: ServedState<LibraryApp>) -> Response<Body> {
    let found = with_marks(&state, |archive, _| {
        Ok((lists(&archive.feeds()?), last_dated(archive)?))
    });
    let (lists, updated) = match found.await {
        Ok(found) => found,
        Err(why) => return refused(why, ""),
    };
    let (key, own) = (key(&state), state.web.feed_query());
    let entries = lists.iter().map(|list| {
        let address = format!("opds/list?{}{key}", list.query);
        let link = link("subsection", &address, ACQUISITION);
        entry(&list.title, &name(&list.query), updated, &link)
    });
    let links = link("self", &format!("opds{own}"), NAVIGATION)
        + &link("start", &format!("opds{own}"), NAVIGATION);
    let entries: String = entries.collect();
    catalogue(
        "Articles",
        &name(""),
        updated,
        &(links + &entries),
        NAVIGATION,
    )
}

pub(super) async fn list(state: ServedState<LibraryApp>, uri: Uri) -> Response<Body> {
    let filter = EntryFilter::of(&asked(&uri));
    let filter = filter.showing(filter.show);
    let query = query_of(&filter);
    let found = with_marks(&state, move |archive, marks| {
        let feeds = archive.feeds()?;
        let wanted = |key: &str| filter.wants(&marks, key);
        let entries =
            archive.entries(&range_of_book(&filter, &feeds), MAX_EPUB_ARTICLES, wanted)?;
        let newest = entries.first().map(|entry| entry.dated);
        Ok((lists(&feeds), entries.len(), newest))
    });
    let (lists, count, newest) = match found.await {
        Ok(found) => found,
        Err(why) => return refused(why, "../"),
    };
    let known = lists.iter().find(|list| list.query == query);
    let title = known.map_or("Articles", |list| &list.title);
    let (key, own) = (key(&state), state.web.feed_query());
    let updated = newest.unwrap_or_default();
    let mut inner = link("self", &format!("list?{query}{key}"), ACQUISITION)
        + &link("start", &format!("../opds{own}"), NAVIGATION)
        + &link("up", &format!("../opds{own}"), NAVIGATION);
    if count > 0 {
        let book = format!("../export.epub?{query}{key}");
        let link = link(
            "http://opds-spec.org/acquisition",
            &book,
            super::books::EPUB,
        );
        let title = format!("{title} ({})", counted(count, "article", "articles"));
        inner += &entry(&title, &name(&format!("book {query}")), updated, &link);
    }
    catalogue(title, &name(&query), updated, &inner, ACQUISITION)
}

/// The time by which the newest article is dated.
fn last_dated(archive: &ArchiveReader) -> Result<DateTime<Utc>> {
    let newest = archive.entries(&EntryRange::default(), 1, |_| true)?;
    Ok(newest.first().map(|entry| entry.dated).unwrap_or_default())
}

/// A name for ever.
fn name(of: &str) -> String {
    format!("urn:forest:opds:{}", &sha256_hex(of)[..16])
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    let text: String = text.chars().filter_map(legal).collect();
    escape(&text, &mut out);
    out
}

fn link(relation: &str, address: &str, kind: &str) -> String {
    let address = escaped(address);
    format!("<link rel=\"{relation}\" href=\"{address}\" type=\"{kind}\"/>\n")
}

fn entry(title: &str, id: &str, updated: DateTime<Utc>, link: &str) -> String {
    let (title, updated) = (escaped(title), time(updated));
    format!(
        "<entry><title>{title}</title><id>{id}</id><updated>{updated}</updated>\
         <content type=\"text\">{title}</content>\n{link}</entry>\n"
    )
}

fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn catalogue(
    title: &str,
    id: &str,
    updated: DateTime<Utc>,
    inner: &str,
    kind: &'static str,
) -> Response<Body> {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let _ = write!(
        text,
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><id>{id}</id><title>{}</title>\
         <updated>{}</updated><author><name>forest</name></author>\n{inner}</feed>\n",
        escaped(title),
        time(updated)
    );
    let mut answer = Response::new(Body::from(text));
    let kind = HeaderValue::from_static(kind);
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}

fn refused(why: NoDocument, up: &str) -> Response<Body> {
    why.page(up, "Reader")
}
