//! `/reader`: the entries of an archive, the newest first, and the feeds that have unread ones.

use super::entry_filter::{EntryFilter, ShownMarks};
use super::list_pictures::ListPictures;
use super::listed::listed;
use super::settings::kept_settings;
use super::unread::UnreadCounts;
use super::{archive_dir, asked, token, with_marks};
use crate::api::title_of;
use crate::error::Result;
use crate::state::LibraryApp;
use crate::state_words::{harvest_command, harvest_notice};
use axum::body::Body;
use axum::http::{Response, StatusCode, Uri};
use forest_archive::{
    ArchiveReader, ArticleMark, ArticleMarks, EntryRange, FeedRow, ListPlace, ListedEntry,
    is_in_use,
};
use forest_html::error::counted;
use forest_web::links::coded;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// Entries of a page.
const PAGE: usize = 30;

/// Seconds after which a browser without scripts looks for the first articles again.
const REFRESH_S: u32 = 5;

/// A page of the list.
struct ReaderPage {
    filter: EntryFilter,
    entries: Vec<ListedEntry>,
    pictures: ListPictures,
    /// There are more behind them.
    has_more: bool,
    /// The page before this one, unless that is the first.
    newer: Option<EntryFilter>,
    /// There are some with other marks.
    has_others: bool,
    marks: Arc<ArticleMarks>,
    feeds: Vec<FeedRow>,
    counts: Arc<UnreadCounts>,
}

pub(super) async fn show(state: ServedState<LibraryApp>, uri: Uri) -> Response<Body> {
    let asked = asked(&uri);
    let filter = EntryFilter::of(&asked);
    let known = Arc::clone(&state.unread);
    let dir = archive_dir(&state);
    let found = with_marks(&state, move |archive, marks| {
        let feeds = archive.feeds()?;
        let wanted = |key: &str| filter.wants(&marks, key);
        let there = match filter.show {
            ShownMarks::Starred => marks.count(ArticleMark::Starred),
            _ => usize::MAX,
        };
        // One more shows that there is a further page.
        let most = there.min(PAGE + 1);
        let range = filter.range(&feeds);
        let mut entries = archive.entries(&range, most, wanted)?;
        let has_others = entries.is_empty() && !archive.entry_keys(&range, 1, |_| true)?.is_empty();
        let has_more = entries.len() > PAGE;
        entries.truncate(PAGE);
        let counts = known.of(archive, &marks, &feeds)?;
        Ok(ReaderPage {
            pictures: ListPictures::of(
                archive,
                &entries,
                kept_settings(dir.as_deref()).thumbnails,
            )?,
            newer: page_before(archive, &filter, range, wanted)?,
            filter,
            entries,
            has_more,
            has_others,
            marks,
            feeds,
            counts,
        })
    });
    let page = match found.await {
        Ok(page) => page,
        Err(why) => return why.page("", "Reader"),
    };
    let (mut goes_on, mut notice) = (false, html! {});
    if let Some(archive) = state.archive.as_ref().map(|archive| &archive.dir) {
        notice = harvest_notice(archive, &page.feeds, SystemTime::now().into());
        if page.entries.is_empty() {
            let why = NoEntries::of(&page, archive);
            (goes_on, notice) = (why == NoEntries::Fetched, why.shown(&page.filter, archive));
        }
    }
    let main = html! {
        .reader {
            .list {
                (head(&page))
                (undo_notice(&state, asked.get("undo"), &page.filter))
                (notice)
                ul .entries { @for entry in &page.entries {
                    (listed(&state, (&page.marks, &page.pictures), entry, &page.filter.address()))
                } }
                (foot(&state, &page))
            }
            (feeds_beside(&page))
        }
    };
    let refresh = goes_on.then_some(REFRESH_S);
    shell::page_in("Reader", "", refresh, StatusCode::OK, &title(&page), &main)
}

/// The page before that of a filter; `None`: there is none, or it is the first. It ends with the
/// entry behind which the page of the filter begins.
fn page_before(
    archive: &ArchiveReader,
    filter: &EntryFilter,
    range: EntryRange,
    wanted: impl Fn(&str) -> bool,
) -> Result<Option<EntryFilter>> {
    if filter.after.is_none() {
        return Ok(None);
    }
    let before = EntryRange {
        after: None,
        until: filter.after,
        from_end: true,
        ..range
    };
    let entries = archive.entries(&before, PAGE + 1, wanted)?;
    Ok(entries.get(PAGE).map(|last| EntryFilter {
        after: Some(ListPlace::of(last)),
        ..filter.clone()
    }))
}

impl ReaderPage {
    /// The feed that the list is of alone.
    fn feed(&self) -> Option<&FeedRow> {
        self.feeds.iter().find(|feed| feed.url == self.filter.feed)
    }

    /// The feed or the folder; the reader for all.
    fn name(&self) -> &str {
        match (self.feed(), self.filter.folder.as_str()) {
            (Some(feed), _) => title_of(feed),
            (None, "") => "Reader",
            (None, folder) => folder,
        }
    }

    /// The number of unread entries of the feed or the folder.
    fn unread(&self) -> usize {
        let unread = match (self.feed(), self.filter.folder.as_str()) {
            (Some(feed), _) => self.counts.feeds.get(&feed.url),
            (None, "") if self.filter.is_of_all() => Some(&self.counts.all),
            (None, folder) => self.counts.folders.get(folder),
        };
        unread.copied().unwrap_or_default()
    }
}

/// The title of the page: what the list is of.
fn title(page: &ReaderPage) -> String {
    match (page.filter.show, page.unread()) {
        (ShownMarks::Unread, 0) | (ShownMarks::All, _) => page.name().to_owned(),
        (ShownMarks::Unread, unread) => format!("{} ({unread})", page.name()),
        (ShownMarks::Starred, _) => format!("{}, starred", page.name()),
    }
}

/// The name of the list, and the same list with other marks.
fn head(page: &ReaderPage) -> Markup {
    let (filter, unread) = (&page.filter, page.unread());
    html! {
        .bar {
            h1 dir="auto" { (page.name()) }
            nav .tabs aria-label="Entries" { @for (show, _, name) in ShownMarks::NAMED {
                a href=(filter.showing(show).address()) aria-current=[(show == filter.show).then_some("page")] {
                    (name) @if show == ShownMarks::Unread && unread > 0 { " " (unread) }
                } " "
            } }
            @if let Some(feed) = page.feed() { a href={ "archive/feed?url=" (coded(&feed.url)) } { "About this feed" } }
            a .to-feeds href="#feeds" { "By feed" }
            a .to-feeds href="settings" { "Settings" }
        }
    }
}

/// The links to further pages, and the buttons that mark many entries at once.
fn foot(state: &LibraryApp, page: &ReaderPage) -> Markup {
    const OLDER: [(u16, &str); 4] = [
        (0, "All of this list"),
        (1, "Older than a day"),
        (7, "Older than a week"),
        (30, "Older than a month"),
    ];
    let filter = &page.filter;
    let last = page.entries.last().filter(|_| page.has_more);
    let older = last.map(|last| EntryFilter {
        after: Some(ListPlace::of(last)),
        ..filter.clone()
    });
    html! {
        .bar {
            @if filter.after.is_some() {
                @let newest = filter.showing(filter.show).address();
                @match &page.newer {
                    Some(newer) => { a href=(newest) { "Newest" } a rel="prev" href=(newer.address()) { "Newer" } }
                    None => a rel="prev" href=(newest) { "Newer" },
                }
            }
            @if let Some(older) = older { a rel="next" href=(older.address()) { "Older" } }
            @if page.entries.iter().any(ListedEntry::has_article) { a href=(filter.book()) download { "Save as EPUB" } }
        }
        @if !page.entries.is_empty() {
            form .bar method="post" action="reader/mark" {
                (token(state))
                input type="hidden" name="back" value=(filter.address());
                span { "Mark as read:" }
                @for (days, name) in OLDER { button .small name="older" value=(days) { (name) } " " }
            }
        }
    }
}

/// The number of entries that were just marked at once, and the button that takes it back.
fn undo_notice(state: &LibraryApp, number: &str, filter: &EntryFilter) -> Markup {
    let Some(keys) = state.undo.keys(number) else {
        return html! {};
    };
    html! {
        form .bar role="status" method="post" action="reader/mark" {
            (token(state))
            input type="hidden" name="back" value=(filter.address());
            span { (counted(keys.len(), "entry is", "entries are")) " marked as read." }
            button .small name="undo" value=(number) { "Undo" }
        }
    }
}

/// The feeds by their folders; beside unread entries, those that have some.
fn feeds_beside(page: &ReaderPage) -> Markup {
    let unread_of = |feed: &FeedRow| page.counts.feeds.get(&feed.url).copied();
    let mut by_folder: BTreeMap<String, Vec<&FeedRow>> = BTreeMap::new();
    for feed in &page.feeds {
        let is_shown = feed.url == page.filter.feed;
        if unread_of(feed).is_none() && !is_shown && page.filter.show == ShownMarks::Unread {
            continue;
        }
        let folders = feed.folders.iter().map(|path| path.join("/"));
        let mut folders: Vec<String> = folders.collect();
        if folders.is_empty() {
            folders.push(String::new());
        }
        for folder in folders {
            let feeds = by_folder.entry(folder).or_default();
            feeds.push(feed);
        }
    }
    for feeds in by_folder.values_mut() {
        feeds.sort_by_cached_key(|feed| title_of(feed).to_lowercase());
    }
    let line = |of: &EntryFilter, name: &str, unread: Option<usize>| {
        let is_shown = (&of.feed, &of.folder) == (&page.filter.feed, &page.filter.folder);
        html! {
            a href=(of.address()) aria-current=[is_shown.then_some("page")] { span dir="auto" { (name) } }
            @if let Some(unread) = unread { " " span .count { (unread) } }
        }
    };
    let show = page.filter.show;
    let all = EntryFilter::default().showing(show);
    html! {
        nav #feeds .feeds aria-label="Feeds" {
            ul {
                li { (line(&all, "All feeds", Some(page.counts.all))) }
                @for (folder, feeds) in &by_folder {
                    @if !folder.is_empty() {
                        li .folder { (line(&EntryFilter::of_folder(folder).showing(show), folder, page.counts.folders.get(folder).copied())) }
                    }
                    @for feed in feeds {
                        li .within[!folder.is_empty()] { (line(&EntryFilter::of_feed(&feed.url).showing(show), title_of(feed), unread_of(feed))) }
                    }
                }
                li { a href="archive" { "Manage feeds" } }
                li { a href="settings" { "Settings" } }
            }
        }
    }
}

/// Why a list shows no entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NoEntries {
    /// All are read.
    Read,
    NoneStarred,
    /// Those behind a place are gone from the list.
    NoMore,
    /// No feed is chosen.
    NoneChosen,
    NoFeeds,
    /// A harvest fetches them.
    Fetched,
    /// No harvest runs.
    NotFetched,
}

impl NoEntries {
    fn of(page: &ReaderPage, archive: &Path) -> NoEntries {
        let chosen = page.filter.feeds(&page.feeds);
        let chosen = |feed: &&FeedRow| chosen.as_ref().is_none_or(|urls| urls.contains(&feed.url));
        let chosen: Vec<&FeedRow> = page.feeds.iter().filter(chosen).collect();
        if page.filter.after.is_some() {
            return NoEntries::NoMore;
        }
        match page.filter.show {
            ShownMarks::Starred => NoEntries::NoneStarred,
            ShownMarks::Unread if page.has_others => NoEntries::Read,
            _ if page.feeds.is_empty() => NoEntries::NoFeeds,
            _ if chosen.is_empty() => NoEntries::NoneChosen,
            _ if is_in_use(archive) => NoEntries::Fetched,
            _ => NoEntries::NotFetched,
        }
    }

    fn shown(self, filter: &EntryFilter, archive: &Path) -> Markup {
        html! { p { @match self {
            NoEntries::Read => { "Everything here is read. " a href=(filter.showing(ShownMarks::All).address()) { "Show all" } "." }
            NoEntries::NoMore => "There is nothing more here.",
            NoEntries::NoneStarred => "Nothing is starred.",
            NoEntries::NoneChosen => "There are no articles here.",
            NoEntries::NoFeeds => { "There are no feeds yet: " a href="add" { "add one" } "." }
            NoEntries::Fetched => "There are no articles yet. A harvest runs: they will stand here as soon as it has some.",
            NoEntries::NotFetched => { "There are no articles yet. No harvest runs to fetch them: start " (harvest_command(archive)) }
        } } }
    }
}
