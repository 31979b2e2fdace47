//! `/reader`: the articles by day of publication, the newest first.

use super::marks::buttons;
use super::{asked, token, with_marks};
use crate::api::title_of;
use crate::feed_state::{harvest_command, harvest_notice};
use crate::state::LibraryApp;
use axum::body::Body;
use axum::http::{Response, StatusCode, Uri};
use forest_archive::{ArticleMark, ArticleMarks, FeedRow, ListPlace, ListedArticle, is_in_use};
use forest_core::extract::Status;
use forest_web::links::coded;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::SystemTime;

/// Articles of a page.
const PAGE: usize = 30;

/// Seconds after which a browser without scripts looks for the first articles again.
const REFRESH_S: u32 = 5;

/// The articles that a page shows.
#[derive(Debug, Clone, Default)]
struct EntryFilter {
    /// The address of their feed; empty: of any.
    feed: String,
    /// The folder of their feed, its names joined by slashes; empty: of any.
    folder: String,
    /// `unread`, `starred`, or all.
    show: String,
    /// Articles that stand after this place.
    after: Option<ListPlace>,
}

impl EntryFilter {
    fn of(uri: &Uri) -> EntryFilter {
        let asked = asked(uri);
        EntryFilter {
            feed: asked.get("feed").to_owned(),
            folder: asked.get("folder").to_owned(),
            show: asked.get("show").to_owned(),
            after: asked.get("after").parse().ok(),
        }
    }

    /// The address of the page, from its own level.
    fn address(&self) -> String {
        let after = self.after.map(|after| format!("&after={after}"));
        let (feed, show) = (coded(&self.feed), coded(&self.show));
        let folder = match self.folder.as_str() {
            "" => String::new(),
            folder => format!("&folder={}", coded(folder)),
        };
        let after = after.unwrap_or_default();
        format!("reader?feed={feed}&show={show}{folder}{after}")
    }

    /// The addresses of the feeds whose articles are shown; `None`: all articles.
    fn feeds(&self, all: &[FeedRow]) -> Option<Vec<String>> {
        let is_in = |feed: &&FeedRow| {
            let is_it = self.feed.is_empty() || feed.url == self.feed;
            is_it && (self.folder.is_empty() || folders_of(feed).any(|name| name == self.folder))
        };
        let is_all = self.feed.is_empty() && self.folder.is_empty();
        let shown = all.iter().filter(is_in).map(|feed| feed.url.clone());
        (!is_all).then(|| shown.collect())
    }

    fn wants(&self, marks: &ArticleMarks, key: &str) -> bool {
        match self.show.as_str() {
            "unread" => !marks.has(ArticleMark::Read, key),
            "starred" => marks.has(ArticleMark::Starred, key),
            _ => true,
        }
    }
}

/// The folders of a feed and those around them.
fn folders_of(feed: &FeedRow) -> impl Iterator<Item = String> {
    let paths = feed.folders.iter();
    paths.flat_map(|path| (1..=path.len()).map(|depth| path[..depth].join("/")))
}

/// The feeds, by title, and the folders, by name, that a person chooses among.
struct Choices {
    feeds: Vec<(String, String)>,
    folders: BTreeSet<String>,
}

impl Choices {
    fn of(feeds: &[FeedRow]) -> Choices {
        let named = feeds.iter();
        let named = named.map(|feed| (feed.url.clone(), title_of(feed).to_owned()));
        let mut named: Vec<(String, String)> = named.collect();
        named.sort_by(|a, b| a.1.cmp(&b.1));
        Choices {
            feeds: named,
            folders: feeds.iter().flat_map(folders_of).collect(),
        }
    }
}

pub(super) async fn show(state: ServedState<LibraryApp>, uri: Uri) -> Response<Body> {
    let filter = EntryFilter::of(&uri);
    let asked = filter.clone();
    let found = with_marks(&state, move |archive, marks| {
        let feeds = archive.feeds()?;
        let shown = asked.feeds(&feeds);
        let wanted = |key: &str| asked.wants(&marks, key);
        let there = match asked.show.as_str() {
            "starred" => marks.count(ArticleMark::Starred),
            _ => usize::MAX,
        };
        // One more shows that there is a further page.
        let most = there.min(PAGE + 1);
        let entries = archive.newest(shown.as_deref(), asked.after, most, wanted)?;
        Ok((entries, marks, feeds))
    });
    let (mut entries, marks, feeds) = match found.await {
        Ok(found) => found,
        Err(why) => return why.page("", "Reader"),
    };
    let (mut goes_on, mut notice) = (false, html! {});
    if let Some(archive) = state.archive.as_ref().map(|archive| &archive.dir) {
        notice = harvest_notice(archive, &feeds, SystemTime::now().into());
        if entries.is_empty() {
            let why = NoEntries::of(&filter, &feeds, archive);
            (goes_on, notice) = (why == NoEntries::Fetched, why.shown(archive));
        }
    }
    let has_more = entries.len() > PAGE;
    entries.truncate(PAGE);
    let older = entries.last().filter(|_| has_more).map(|last| EntryFilter {
        after: Some(ListPlace::of(last)),
        ..filter.clone()
    });
    let main = html! {
        .measure {
            .bar { h1 { "Reader" } (filter_form(&filter, &Choices::of(&feeds))) }
            (notice)
            ul .entries { @for entry in &entries { (listed(&state, &marks, entry, &filter.address())) } }
            .bar {
                @if filter.after.is_some() {
                    a rel="prev" href=(EntryFilter { after: None, ..filter.clone() }.address()) { "Newest" }
                }
                @if let Some(older) = older { a rel="next" href=(older.address()) { "Older" } }
                @if !entries.is_empty() { (mark_all(&state, &entries, &filter)) }
            }
        }
    };
    let refresh = goes_on.then_some(REFRESH_S);
    shell::page_with("", refresh, StatusCode::OK, "Reader", &main)
}

fn filter_form(filter: &EntryFilter, choices: &Choices) -> Markup {
    const SHOWN: [(&str, &str); 3] = [("", "All"), ("unread", "Unread"), ("starred", "Starred")];
    html! {
        form method="get" action="reader" .bar {
            label for="show" { "Show" }
            span { select #show name="show" { @for (value, name) in SHOWN {
                option value=(value) selected[value == filter.show] { (name) }
            } } }
            label for="feed" { "of" }
            span { select #feed name="feed" {
                option value="" { "all feeds" }
                @for (url, title) in &choices.feeds { option value=(url) selected[*url == filter.feed] dir="auto" { (title) } }
            } }
            @if !choices.folders.is_empty() {
                label for="folder" { "in" }
                span { select #folder name="folder" {
                    option value="" { "all folders" }
                    @for folder in &choices.folders { option value=(folder) selected[*folder == filter.folder] dir="auto" { (folder) } }
                } }
            }
            button { "Show" }
        }
    }
}

/// Why a list shows no articles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NoEntries {
    /// All are read.
    Read,
    NoneStarred,
    /// No feed is chosen.
    NoneChosen,
    NoFeeds,
    /// A harvest fetches them.
    Fetched,
    /// No harvest runs.
    NotFetched,
}

impl NoEntries {
    fn of(filter: &EntryFilter, feeds: &[FeedRow], archive: &Path) -> NoEntries {
        let has_chosen = || filter.feeds(feeds).is_none_or(|chosen| !chosen.is_empty());
        match filter.show.as_str() {
            "unread" => NoEntries::Read,
            "starred" => NoEntries::NoneStarred,
            _ if feeds.is_empty() => NoEntries::NoFeeds,
            _ if !has_chosen() => NoEntries::NoneChosen,
            _ if is_in_use(archive) => NoEntries::Fetched,
            _ => NoEntries::NotFetched,
        }
    }

    fn shown(self, archive: &Path) -> Markup {
        html! { p { @match self {
            NoEntries::Read => "Everything here is read.",
            NoEntries::NoneStarred => "Nothing is starred.",
            NoEntries::NoneChosen => "There are no articles here.",
            NoEntries::NoFeeds => { "There are no feeds yet: " a href="add" { "add one" } "." }
            NoEntries::Fetched => "There are no articles yet. A harvest runs: they will stand here as soon as it has some.",
            NoEntries::NotFetched => { "There are no articles yet. No harvest runs to fetch them: start " (harvest_command(archive)) }
        } } }
    }
}

/// The title of an article for people; its address if it has none.
pub(super) fn name_of(article: &ListedArticle) -> &str {
    let title = article.title.as_deref().map(str::trim);
    title
        .filter(|title| !title.is_empty())
        .unwrap_or(&article.article.url)
}

/// The day by which an article stands in the list.
fn day(entry: &ListedArticle) -> Markup {
    let day = entry.dated.format("%Y-%m-%d");
    html! { time datetime=(day) { (day) } }
}

/// An article in a list. `back` is the address of the list, from the level of `/reader`.
pub(super) fn listed(
    state: &LibraryApp,
    marks: &ArticleMarks,
    entry: &ListedArticle,
    back: &str,
) -> Markup {
    let is_unread = !marks.has(ArticleMark::Read, &entry.article.key);
    let is_starred = marks.has(ArticleMark::Starred, &entry.article.key);
    let faulty = entry.status.filter(|status| *status != Status::Ok);
    html! {
        li .unread[is_unread] {
            a href={ "reader/" (entry.article.id) } {
                span .unseen data-unread { @if is_unread { "Unread: " } }
                span dir="auto" { (name_of(entry)) }
            }
            .meta {
                span data-star { @if is_starred { "★ " } }
                (entry.article.site) " · " (day(entry))
                @if entry.article.versions > 1 { " · edited" }
                @if let Some(status) = faulty { " · " (status.name()) }
                " · " (buttons(state, marks, entry, ("", back)))
            }
        }
    }
}

/// The button that marks all articles of a page as read.
fn mark_all(state: &LibraryApp, entries: &[ListedArticle], filter: &EntryFilter) -> Markup {
    let ids: Vec<String> = entries
        .iter()
        .map(|entry| entry.article.id.to_string())
        .collect();
    html! {
        form method="post" action="reader/mark" {
            (token(state))
            input type="hidden" name="id" value=(ids.join(" "));
            input type="hidden" name="back" value=(filter.address());
            input type="hidden" name="on" value="true";
            button name="mark" value="read" { "Mark these as read" }
        }
    }
}
