//! `/search`: words to articles, and to items of feeds without one.

use super::list_pictures::ListPictures;
use super::listed::{address_in, anchor, from};
use super::times::shown_date;
use super::{archive_dir, asked, with_marks};
use crate::error::Result;
use crate::state::LibraryApp;
use axum::body::Body;
use axum::http::{Response, StatusCode, Uri};
use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use forest_archive::search::{Query, SearchHit, SearchIndex, SearchResults, Snippet, TypedWords};
use forest_archive::{ArchiveReader, ArticleMark, ArticleMarks, ListedEntry, paths};
use forest_html::error::counted;
use forest_web::form_fields::FormFields;
use forest_web::links::coded;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};
use std::path::Path;
use std::thread;

/// Hits of a page.
const PAGE: usize = 20;

/// Bytes of a query that are read.
const MAX_QUERY_BYTES: usize = 1_000;

/// A typed day.
fn day(typed: &str) -> Option<NaiveDate> {
    typed.parse().ok()
}

/// The beginning of a day.
fn midnight(day: NaiveDate) -> DateTime<Utc> {
    day.and_time(NaiveTime::MIN).and_utc()
}

/// A search as it is typed.
#[derive(Debug, Clone, Default)]
pub(super) struct TypedSearch {
    words: String,
    /// A part of the name of a site.
    site: String,
    since: Option<NaiveDate>,
    until: Option<NaiveDate>,
    /// Only starred articles.
    is_starred: bool,
    offset: usize,
}

impl TypedSearch {
    /// The search of a query.
    pub(super) fn of(asked: &FormFields) -> TypedSearch {
        let bounded = |name: &str| {
            let typed = asked.get(name).trim();
            typed[..typed.floor_char_boundary(MAX_QUERY_BYTES)].to_owned()
        };
        TypedSearch {
            words: bounded("q"),
            site: bounded("site").to_lowercase(),
            since: day(asked.get("since")),
            until: day(asked.get("until")),
            is_starred: asked.get("starred") == "1",
            // The index bounds it.
            offset: asked.get("offset").parse().unwrap_or(0),
        }
    }

    /// True if nothing is typed.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty() && self.filters().is_empty()
    }

    /// The same search from its best hit on.
    pub(super) fn without_offset(self) -> TypedSearch {
        TypedSearch { offset: 0, ..self }
    }

    /// The fields of its address, without the words.
    fn filters(&self) -> Vec<(&'static str, String)> {
        let day = |day: Option<NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
        let is_starred = if self.is_starred { "1" } else { "" };
        let fields = [
            ("site", self.site.clone()),
            ("since", day(self.since)),
            ("until", day(self.until)),
            ("starred", is_starred.to_owned()),
        ];
        let typed = fields.into_iter();
        typed.filter(|(_, value)| !value.is_empty()).collect()
    }

    /// The name of what it finds: its words, or what it asks for.
    pub(super) fn title(&self) -> String {
        let asked = self.filters().into_iter().map(|(name, value)| match name {
            "starred" => name.to_owned(),
            _ => format!("{name} {value}"),
        });
        let words = Some(self.words.clone()).filter(|words| !words.is_empty());
        let named: Vec<String> = words.into_iter().chain(asked).collect();
        format!("Search: {}", named.join(", "))
    }

    /// The search of an [address](Self::address); `None` if that is of something else.
    pub(super) fn of_address(address: &str) -> Option<TypedSearch> {
        let query = address.strip_prefix("search?")?;
        Some(TypedSearch::of(&FormFields::read(query.as_bytes())))
    }

    /// Its address, from the level of `/search`.
    pub(super) fn address(&self) -> String {
        match self.offset {
            0 => format!("search?{}", self.query_text()),
            offset => format!("search?{}&offset={offset}", self.query_text()),
        }
    }

    /// The query of its address, from its beginning.
    fn query_text(&self) -> String {
        let words = ("q", self.words.clone());
        let fields = std::iter::once(words).chain(self.filters());
        let fields = fields.map(|(name, value)| format!("{name}={}", coded(&value)));
        fields.collect::<Vec<String>>().join("&")
    }

    /// Searches an archive, its index first brought up to date: `limit` hits from `offset` on.
    pub(super) fn find(
        &self,
        dir: &Path,
        archive: &ArchiveReader,
        marks: &ArticleMarks,
        limit: usize,
    ) -> Result<SearchResults> {
        let query = self.query(archive, marks, limit)?;
        let mut index = SearchIndex::open(&paths::index(dir))?;
        catch_up(&mut index, archive)?;
        let found = index.search(&query);
        // It merges what it has added: nobody has to wait for that.
        let _ = thread::Builder::new().spawn(|| drop(index));
        Ok(found?)
    }

    /// The newest items without an article that have the words in title or summary; on the first page
    /// alone.
    fn items(&self, archive: &ArchiveReader, marks: &ArticleMarks) -> Result<Vec<ListedEntry>> {
        if self.words.is_empty() || self.offset > 0 {
            return Ok(Vec::new());
        }
        let words = TypedWords::of(&self.words);
        let found = archive.items_without_article(PAGE, |item| {
            let day = item.dated.date_naive();
            let is_starred = || marks.has(ArticleMark::Starred, &item.key);
            item.site.contains(&self.site)
                && self.since.is_none_or(|since| since <= day)
                && self.until.is_none_or(|until| day <= until)
                && (!self.is_starred || is_starred())
                && words.are_in(&format!("{}\n{}", item.title, item.summary))
        });
        Ok(found?)
    }

    fn query(&self, archive: &ArchiveReader, marks: &ArticleMarks, limit: usize) -> Result<Query> {
        let starred = |key: &str| marks.has(ArticleMark::Starred, key);
        let articles = self.is_starred.then(|| archive.articles_of_keys(starred));
        let until = self
            .until
            .and_then(|day| day.checked_add_days(Days::new(1)));
        Ok(Query {
            words: self.words.clone(),
            sites: self.sites(archive)?,
            articles: articles.transpose()?,
            since: self.since.map(midnight),
            until: until.map(midnight),
            limit,
            offset: self.offset,
            ..Query::default()
        })
    }

    /// The sites that have the typed part in their names; `None`: any.
    fn sites(&self, archive: &ArchiveReader) -> Result<Option<Vec<String>>> {
        if self.site.is_empty() {
            return Ok(None);
        }
        let names = archive.sites()?.into_iter().map(|(name, _)| name);
        Ok(Some(
            names.filter(|name| name.contains(&self.site)).collect(),
        ))
    }
}

/// Takes into the index what the archive has since.
fn catch_up(index: &mut SearchIndex, archive: &ArchiveReader) -> Result<()> {
    if index.followed()? < archive.last_changed()? {
        // While a harvest writes to the index, it is searched as it is.
        index.catch_up(archive)?;
    }
    Ok(())
}

pub(super) async fn show(state: ServedState<LibraryApp>, uri: Uri) -> Response<Body> {
    let typed = TypedSearch::of(&asked(&uri));
    let search = typed.clone();
    let dir = archive_dir(&state);
    let results = with_marks(&state, move |archive, marks| {
        let dir = dir.filter(|_| !search.is_empty());
        let Some(dir) = dir else { return Ok(None) };
        let results = search.find(&dir, archive, &marks, PAGE)?;
        let items = search.items(archive, &marks)?;
        let of_items = items.iter().map(|item| &*item.url);
        let pages = results.hits.iter().map(|hit| &*hit.url).chain(of_items);
        let pictures = ListPictures::icons_of(archive, pages)?;
        Ok(Some(Found {
            results,
            items,
            pictures,
        }))
    });
    let (status, shown) = match results.await {
        Ok(None) => (StatusCode::OK, html! {}),
        Ok(Some(found)) => (StatusCode::OK, shown(&found, &typed)),
        Err(why) => why.shown(),
    };
    let main = html! { .measure { h1 { "Search" } (form(&typed)) (shown) } };
    shell::page(status, "Search", &main)
}

fn form(typed: &TypedSearch) -> Markup {
    html! {
        form method="get" action="search" role="search" {
            label for="q" { "Words" }
            .row {
                input #q name="q" type="search" value=(typed.words) aria-describedby="syntax" autofocus[typed.is_empty()];
                button .main { "Search" }
            }
            p #syntax .hint { "All words are searched; \"words in a row\"; -not. Without words, the newest come first." }
            .bar {
                span .pair { label for="site" { "Site" } " " input #site name="site" type="text" value=(typed.site) placeholder="a part of its name"; }
                span .pair { label for="since" { "From" } " " input #since name="since" type="date" value=[typed.since]; }
                span .pair { label for="until" { "To" } " " input #until name="until" type="date" value=[typed.until]; }
                label .pair { input name="starred" type="checkbox" value="1" checked[typed.is_starred]; " Starred" }
            }
        }
    }
}

/// The results of a search, to be shown.
struct Found {
    results: SearchResults,
    /// Items without an article.
    items: Vec<ListedEntry>,
    pictures: ListPictures,
}

fn shown(found: &Found, typed: &TypedSearch) -> Markup {
    let (results, pictures) = (&found.results, &found.pictures);
    let last = typed.offset.saturating_add(results.hits.len());
    let address = typed.query_text();
    html! {
        @if !results.has_condition {
            p { "Give a word that must be there; words as common as \"the\" do not count." }
        } @else {
            p { (counted(results.total, "article", "articles")) " found." }
        }
        @if !results.hits.is_empty() { p { a href={ "export.epub?" (address) } download { "Save as EPUB" } } }
        ul .entries .hits { @for hit in &results.hits { (listed(hit, pictures, &typed.address())) } }
        @if last < results.total && !results.hits.is_empty() {
            p { a rel="next" href={ "search?" (address) "&offset=" (last) } { "More" } }
        }
        @if !found.items.is_empty() {
            p { (counted(found.items.len(), "item", "items")) " without an article, by title and summary:" }
            ul .entries .hits { @for item in &found.items { (listed_item(item, pictures, &typed.address())) } }
        }
    }
}

/// A hit. `list` is the address of the search.
fn listed(hit: &SearchHit, pictures: &ListPictures, list: &str) -> Markup {
    let title = match hit.title.trim() {
        "" => &hit.url,
        title => title,
    };
    html! {
        li id=(anchor(hit.article)) {
            h2 { a href={ "reader/" (hit.article) "?in=" (coded(list)) } dir="auto" { (title) } }
            .meta { span { (pictures.icon(&hit.url)) (hit.site) " · " (shown_date(hit.date)) } }
            p dir="auto" { (marked(&hit.snippet)) }
        }
    }
}

/// An item without an article. `list` is the address of the search.
fn listed_item(item: &ListedEntry, pictures: &ListPictures, list: &str) -> Markup {
    html! {
        li id=(anchor(item.id)) {
            h2 { a href=(address_in(item, list)) dir="auto" { (item.name()) } }
            .meta { span {
                (pictures.icon(&item.url))
                @if let Some(from) = from(item) { bdi { (from) } " · " }
                (shown_date(item.dated)) " · summary only"
            } }
            @if item.summary != item.name() { p .summary dir="auto" { (item.summary) } }
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
