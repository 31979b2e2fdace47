//! An entry in a list.

use super::marks::buttons;
use super::times::shown_time;
use super::token;
use crate::state::LibraryApp;
use forest_archive::{ArticleMark, ArticleMarks, EntryOrigin, ListPlace, ListedEntry};
use forest_core::extract::Status;
use forest_web::links::coded;
use maud::{Markup, html};

/// Words that a person reads in a minute.
const WORDS_A_MINUTE: usize = 230;

/// An entry. `back` is the address of the list, from the level of `/reader`.
pub fn listed(state: &LibraryApp, marks: &ArticleMarks, entry: &ListedEntry, back: &str) -> Markup {
    let is_unread = !marks.has(ArticleMark::Read, &entry.key);
    let is_starred = marks.has(ArticleMark::Starred, &entry.key);
    html! {
        li .unread[is_unread] {
            a href=(address_in(entry, back)) {
                span .unseen data-unread { @if is_unread { "Unread: " } }
                span dir="auto" { (entry.name()) }
            }
            @if !entry.summary.is_empty() && entry.summary != entry.name() {
                p .summary dir="auto" { (entry.summary) }
            }
            .meta {
                span data-star { @if is_starred { "★ " } }
                @if !entry.site.is_empty() { (entry.site) " · " }
                (shown_time(entry.dated))
                (source(&entry.source))
                span .quiet {
                    (buttons(state, marks, entry, ("", back)))
                    (up_to_here(state, entry, back))
                }
            }
        }
    }
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
            @if let Some(status) = status.filter(|status| *status != Status::Ok) { " · " (status.name()) }
        }
        EntryOrigin::Feed { title, why } => { " · only from the feed " bdi { (title) } ": " (why) }
    } }
}

/// The button that marks all entries of a list up to one as read.
fn up_to_here(state: &LibraryApp, entry: &ListedEntry, back: &str) -> Markup {
    html! {
        form method="post" action="reader/mark" {
            (token(state))
            input type="hidden" name="back" value=(back);
            button .small name="upto" value=(ListPlace::of(entry)) { "Read up to here" }
        }
    }
}
