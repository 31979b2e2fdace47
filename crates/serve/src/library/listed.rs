//! An entry in a list.

use super::list_pictures::ListPictures;
use super::marks::buttons;
use super::times::shown_time;
use super::token;
use crate::state::LibraryApp;
use crate::state_words::reason_words;
use forest_archive::{ArticleMark, ArticleMarks, EntryOrigin, ListPlace, ListedEntry, SAVED_PAGES};
use forest_core::extract::Status;
use forest_web::links::coded;
use maud::{Markup, html};

/// Words that a person reads in a minute.
const WORDS_A_MINUTE: usize = 230;

/// An entry. `back` is the address of the list, from the level of `/reader`.
pub fn listed(
    state: &LibraryApp,
    (marks, pictures): (&ArticleMarks, &ListPictures),
    entry: &ListedEntry,
    back: &str,
) -> Markup {
    let is_unread = !marks.has(ArticleMark::Read, &entry.key);
    let is_starred = marks.has(ArticleMark::Starred, &entry.key);
    let title = format!("t{}", entry.id);
    html! {
        li .unread[is_unread] id=(anchor(entry.id)) {
            h2 { a href=(address_in(entry, back)) id=(title) dir="auto" {
                (pictures.thumbnail(entry.id))
                span .unseen data-unread dir="ltr" { @if is_unread { "Unread: " } }
                (entry.name())
            } }
            @if !entry.summary.is_empty() && entry.summary != entry.name() {
                p .summary dir="auto" { (entry.summary) }
            }
            .meta {
                span {
                    span data-star { @if is_starred { "★ " } }
                    (pictures.icon(&entry.url)) @if let Some(from) = from(entry) { bdi { (from) } " · " }
                    (shown_time(entry.dated))
                    (source(&entry.source))
                }
                span .quiet {
                    (buttons(state, marks, entry, ("", back), Some(&title)))
                    (up_to_here(state, entry, back, &title))
                }
            }
        }
    }
}

/// The name of an entry's element on the page of a list.
pub fn anchor(id: i64) -> String {
    format!("e{id}")
}

/// The feed of an entry; the site of a saved one.
pub fn from(entry: &ListedEntry) -> Option<&str> {
    let feed = entry.feed.as_ref().filter(|feed| feed.url != SAVED_PAGES);
    let site = || Some(entry.site.as_str()).filter(|site| !site.is_empty());
    feed.map(|feed| feed.title.as_str()).or_else(site)
}

/// The address of an entry in a list, from the level of `/reader`.
pub fn address_in(entry: &ListedEntry, list: &str) -> String {
    match list {
        "reader" => format!("reader/{}", entry.id),
        list => format!("reader/{}?in={}", entry.id, coded(list)),
    }
}

/// The length and state of an article, or the reason why there is none.
fn source(source: &EntryOrigin) -> Markup {
    html! { @match source {
        EntryOrigin::Article { versions, status, words } => {
            " · " (words.div_ceil(WORDS_A_MINUTE).max(1)) " min"
            @if *versions > 1 { " · edited" }
            @match status {
                Some(Status::Blocked) => " · behind a wall",
                Some(Status::Empty) => " · without text",
                Some(Status::Error) => " · could not be read",
                _ => {}
            }
        }
        EntryOrigin::Feed { why: Some(why) } => { " · summary only: " (reason_words(why)) }
        EntryOrigin::Feed { why: None } => {}
    } }
}

/// The button that marks all entries of a list up to one as read.
fn up_to_here(state: &LibraryApp, entry: &ListedEntry, back: &str, title: &str) -> Markup {
    html! {
        form method="post" action="reader/mark" {
            (token(state))
            input type="hidden" name="back" value=(back);
            button .small name="upto" value=(ListPlace::of(entry)) aria-describedby=(title) { "Mark read up to here" }
        }
    }
}
