//! `/archive/feed?url=`: the state of a feed with its remedy, its addresses, and the forms that
//! change it; `/archive/feed/remove?url=`, which asks once more.

use super::feed_form::{FeedChange, IMAGE_BUDGET};
use super::field::{FieldFault, TextField};
use super::times::exact_time;
use super::{asked, in_folder, sent, token};
use crate::api::{NoDocument, addresses, folder_names, picture_room, short_title, size};
use crate::error::Result;
use crate::state::LibraryApp;
use crate::state_words::{feed_remedy, feed_state, harvest_notice};
use axum::body::{Body, Bytes};
use axum::http::{Response, StatusCode, Uri};
use chrono::{DateTime, Utc};
use forest_archive::{ArchiveReader, Event, FeedRow, FeedStatus, RecentPages, SAVED_PAGES};
use forest_harvest::FeedStore;
use forest_html::error::counted;
use forest_web::form_fields::FormFields;
use forest_web::links::coded;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};
use std::path::Path;
use std::time::SystemTime;

/// Sites of a feed that are named.
const SITES: usize = 20;

const TITLE: TextField = TextField {
    name: "title",
    label: "Title",
    hint: "Empty: the feed's own title.",
    lines: 1,
};
const FOLDERS: TextField = TextField {
    name: "folders",
    label: "Folders",
    hint: "One a line; News/Islands is the folder Islands in the folder News.",
    lines: 2,
};
const TITLES: TextField = TextField {
    name: "titles",
    label: "Skip items with these words in their title",
    hint: "One rule a line, in any case; * matches any characters.",
    lines: 3,
};
const ADDRESSES: TextField = TextField {
    name: "addresses",
    label: "Skip items with this in their address",
    hint: "One rule a line, such as /video/.",
    lines: 3,
};
const SECTION: TextField = TextField {
    name: "section",
    label: "Keep only items below this path",
    hint: "Such as /news/. Empty: all.",
    lines: 1,
};
const LEAST_WORDS: TextField = TextField {
    name: "least_words",
    label: "Skip articles with fewer words than",
    hint: "Such as 80. Empty: none is skipped.",
    lines: 1,
};

/// A feed, as the archive has it.
struct ShownFeed {
    status: FeedStatus,
    /// All feeds of the archive.
    all: Vec<FeedRow>,
    pages: Option<RecentPages>,
    pictures: Option<u64>,
}

/// The result of a form.
enum FormResult {
    /// A sentence for people.
    Done(&'static str),
    /// The fields that were sent, and the fault of one.
    Faulty(FormFields, FieldFault),
}

pub(super) async fn show(state: ServedState<LibraryApp>, uri: Uri) -> Response<Body> {
    let url = asked(&uri).get("url").to_owned();
    match found(&state, url).await {
        Ok(feed) => page(&state, &feed, None),
        Err(why) => why.page("../", "Feeds"),
    }
}

/// The feed at an address, unless it was removed.
async fn found(
    state: &ServedState<LibraryApp>,
    url: String,
) -> std::result::Result<ShownFeed, NoDocument> {
    let known = state.archive.as_ref().ok_or(NoDocument::NoArchive)?;
    let figures = std::sync::Arc::clone(&known.figures);
    let found = in_folder(state, move |dir| {
        let archive = ArchiveReader::open(dir)?;
        let Some(status) = archive.feed_status(&url)? else {
            return Ok(None);
        };
        let figures = figures.of(&archive)?;
        Ok(Some(ShownFeed {
            status,
            all: archive.feeds()?,
            pages: figures.pages.get(&url).cloned(),
            pictures: figures.pictures.get(&url).copied(),
        }))
    });
    found.await?.ok_or(NoDocument::Unknown)
}

fn page(
    state: &ServedState<LibraryApp>,
    feed: &ShownFeed,
    result: Option<&FormResult>,
) -> Response<Body> {
    let row = &feed.status.feed;
    let now = DateTime::<Utc>::from(SystemTime::now());
    let (status, fault) = match result {
        Some(FormResult::Faulty(sent, fault)) => (StatusCode::BAD_REQUEST, Some((sent, fault))),
        _ => (StatusCode::OK, None),
    };
    let archive = state.archive.as_ref();
    let main = html! { .measure {
        h1 dir="auto" { (short_title(row)) }
        @if let Some(FormResult::Done(done)) = result { p .good role="status" { (done) } }
        @if fault.is_some() { p .bad role="alert" { "Nothing was changed: see below." } }
        @if let Some(archive) = archive { (harvest_notice(&archive.dir, &feed.all, now)) }
        p { strong { "State: " } (feed_state(row, feed.pages.as_ref(), now)) "." }
        @match feed_remedy(row, feed.pages.as_ref()) { "" => {} remedy => p { (remedy) } }
        (buttons(state, row))
        (facts(feed, &state.web.feed_query(), now))
        (listing_form(state, row, fault))
        (rules_form(state, row, fault))
        h2 { "Remove" }
        p { a href={ "feed/remove?url=" (coded(&row.url)) } { "Remove this feed" } " – its articles stay." }
    } };
    shell::page_in("Feeds", "../", None, status, &short_title(row), &main)
}

/// The buttons that do something at once.
fn buttons(state: &LibraryApp, row: &FeedRow) -> Markup {
    let is_active = row.state == "active";
    html! { .bar {
        a href={ "../reader?feed=" (coded(&row.url)) } { "Its articles" }
        form method="post" action="feed" {
            (token(state))
            input type="hidden" name="url" value=(row.url);
            @if is_active {
                @if row.url != SAVED_PAGES { button name="action" value="poll" { "Refresh now" } " " }
                button name="action" value="pause" { "Pause" }
            } @else { button name="action" value="resume" { "Resume" } }
        }
    } }
}

fn facts(feed: &ShownFeed, query: &str, now: DateTime<Utc>) -> Markup {
    let (row, poll) = (&feed.status.feed, &feed.status.feed.poll);
    let next = poll.next.filter(|_| row.state == "active");
    html! {
        dl {
            @if row.url != SAVED_PAGES {
                dt { "Last read" } dd { @match poll.success { Some(at) => (exact_time(at)), None => "never" } }
                dt { "Failures in a row" } dd { (poll.failures) }
                dt { "Asked next" } dd { @match next {
                    Some(next) if next > now => (exact_time(next)),
                    Some(_) => "now, while a harvest runs",
                    None => "not at all",
                } }
            }
            dt { "Stored" } dd {
                (counted(feed.status.items, "item", "items")) ", "
                (counted(feed.status.pages, "page", "pages")) ", "
                (counted(feed.status.articles, "article", "articles"))
                @if let Some(bytes) = feed.pictures { ", " (size(bytes)) " of pictures" }
            }
            @if let Some(room) = picture_room(row) { dt { "Pictures of 30 days" } dd { (room) } }
            dt { "Added" } dd { (exact_time(row.added)) }
            dt { "For feed readers" } dd { (addresses(row, "../", query)) }
            dt { "Its address" } dd { code { (row.url) } }
            @if !feed.status.sites.is_empty() { dt { "Its sites" } dd {
                @for site in feed.status.sites.iter().take(SITES) { a href={ "../sites/" (site) } { (site) } " " }
                "(their wrappers: learn again, correct)"
            } }
        }
    }
}

/// The fields that were sent, and the fault of one of them.
type SentFault<'a> = Option<(&'a FormFields, &'a FieldFault)>;

/// A field with what was sent if that was wrong, else with what holds.
fn field(field: &TextField, holds: &str, (action, sent): (&str, SentFault<'_>)) -> Markup {
    match sent.filter(|(sent, _)| sent.get("action") == action) {
        Some((sent, fault)) => field.show(sent.get(field.name), Some(fault)),
        None => field.show(holds, None),
    }
}

fn listing_form(state: &LibraryApp, row: &FeedRow, fault: SentFault<'_>) -> Markup {
    let sent = ("list", fault);
    let folders: Vec<String> = folder_names(row).collect();
    html! {
        h2 { "Title and folders" }
        form method="post" action="feed" {
            (token(state))
            input type="hidden" name="url" value=(row.url);
            (field(&TITLE, &row.listed_title, sent))
            @if !row.title.is_empty() { p .hint { "Its own title: " span dir="auto" { (row.title) } } }
            (field(&FOLDERS, &folders.join("\n"), sent))
            button name="action" value="list" { "Save title and folders" }
        }
    }
}

fn rules_form(state: &LibraryApp, row: &FeedRow, fault: SentFault<'_>) -> Markup {
    let (sent, rules) = (("rules", fault), &row.rules);
    let words = rules.least_words.map(|words| words.to_string());
    let budget = rules.image_budget_mb.map(|megabytes| megabytes.to_string());
    html! {
        h2 { "Rules" }
        p .hint { "What a rule skips is not fetched. Articles that are stored stay." }
        form method="post" action="feed" {
            (token(state))
            input type="hidden" name="url" value=(row.url);
            (field(&TITLES, &rules.titles.join("\n"), sent))
            (field(&ADDRESSES, &rules.addresses.join("\n"), sent))
            (field(&SECTION, rules.section.as_deref().unwrap_or_default(), sent))
            (field(&LEAST_WORDS, &words.unwrap_or_default(), sent))
            (field(&IMAGE_BUDGET, &budget.unwrap_or_default(), sent))
            button name="action" value="rules" { "Save rules" }
        }
    }
}

pub(super) async fn change(state: ServedState<LibraryApp>, body: Bytes) -> Response<Body> {
    let sent = match sent(&state, &body) {
        Ok(sent) => sent,
        Err(refused) => return *refused,
    };
    let mut feed = match found(&state, sent.get("url").to_owned()).await {
        Ok(feed) => feed,
        Err(why) => return why.page("../", "Feeds"),
    };
    let change = match FeedChange::read(&sent, &feed.status.feed) {
        Some(Ok(change)) => change,
        Some(Err(fault)) => return page(&state, &feed, Some(&FormResult::Faulty(sent, fault))),
        None => return NoDocument::Unknown.page("../", "Feeds"),
    };
    let mut row = feed.status.feed.clone();
    let changed = in_folder(&state, move |dir| {
        let done = changed(dir, change, &mut row)?;
        Ok((done, row))
    });
    match changed.await {
        Ok((done, row)) => {
            feed.status.feed = row;
            page(&state, &feed, Some(&FormResult::Done(done)))
        }
        Err(why) => why.page("../", "Feeds"),
    }
}

/// Makes a change; gives a sentence for people.
fn changed(dir: &Path, change: FeedChange, row: &mut FeedRow) -> Result<&'static str> {
    let mut store = FeedStore::open(dir)?;
    let is_poll = change == FeedChange::Poll;
    change.store(&mut store, row, SystemTime::now().into())?;
    Ok(match (store.waits_for_harvest(), is_poll) {
        (true, true) => "The harvest that runs reads the feed now.",
        (true, false) => "Saved. The harvest that runs takes it over in a moment.",
        (false, true) => "No harvest runs: the next one reads the feed first.",
        (false, false) => "Saved.",
    })
}

pub(super) async fn ask_to_remove(state: ServedState<LibraryApp>, uri: Uri) -> Response<Body> {
    let url = asked(&uri).get("url").to_owned();
    let feed = match found(&state, url).await {
        Ok(feed) => feed.status,
        Err(why) => return why.page("../../", "Feeds"),
    };
    let row = &feed.feed;
    let articles = counted(feed.articles, "article", "articles");
    let main = html! { .measure {
        h1 { "Remove " span dir="auto" { (short_title(row)) } "?" }
        p { code { (row.url) } }
        p {
            "It is not asked for news any more. What it brought (" (articles) ") stays in the reader, in the search \
             and in exports; its address for feed readers stops working. Adding it again goes on where it ended."
        }
        .bar {
            form method="post" action="remove" {
                (token(&state))
                input type="hidden" name="url" value=(row.url);
                button .main { "Remove the feed" }
            }
            a href={ "../feed?url=" (coded(&row.url)) } { "Keep it" }
        }
    } };
    shell::page_in("Feeds", "../../", None, StatusCode::OK, "Remove", &main)
}

pub(super) async fn remove(state: ServedState<LibraryApp>, body: Bytes) -> Response<Body> {
    let sent = match sent(&state, &body) {
        Ok(sent) => sent,
        Err(refused) => return *refused,
    };
    let feed = match found(&state, sent.get("url").to_owned()).await {
        Ok(feed) => feed.status.feed,
        Err(why) => return why.page("../../", "Feeds"),
    };
    let title = short_title(&feed);
    let removed = in_folder(&state, move |dir| {
        let mut store = FeedStore::open(dir)?;
        let event = Event::FeedRemoved { feed: feed.url };
        store.write(event, SystemTime::now().into())?;
        Ok(store.waits_for_harvest())
    });
    let waits = match removed.await {
        Ok(waits) => waits,
        Err(why) => return why.page("../../", "Feeds"),
    };
    let main = html! { .measure {
        h1 { "Removed" }
        p .good role="status" {
            span dir="auto" { (title) } " is removed. Its articles stay."
            @if waits { " The harvest that runs takes it over in a moment." }
        }
        p { a href="../../archive" { "Feeds" } }
    } };
    shell::page_in("Feeds", "../../", None, StatusCode::OK, "Removed", &main)
}
