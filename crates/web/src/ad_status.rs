//! The lists of advertisements, as the page of settings shows them.

use chrono::{DateTime, Utc};
use forest_html::error::{counted, span};
use maud::{Markup, html};

/// A list of advertisements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdListStatus {
    /// Its name for people.
    pub name: String,
    /// Its hosts and rules that no list before it has.
    pub rules: usize,
    /// The time when it was fetched, or last found unchanged; `None` for a file of the user's.
    pub fetched: Option<DateTime<Utc>>,
    /// The reason why the last fetch failed.
    pub fault: Option<String>,
}

/// The lists, with their ages at a time, and the number of all hosts and rules.
pub fn shown(lists: &[AdListStatus], all: usize, now: DateTime<Utc>) -> Markup {
    html! {
        details {
            summary { "Lists of advertisements: " (counted(all, "host or rule", "hosts and rules")) }
            @if lists.is_empty() { p { "Only the list that comes with the program." } }
            @else { ul { @for list in lists { li {
                (list.name) ": " (counted(list.rules, "host or rule", "hosts and rules"))
                @if let Some(fetched) = list.fetched { ", fetched " (span(now - fetched)) " ago" }
                @if let Some(fault) = &list.fault { p .bad { "Not fetched again: " (fault) } }
            } } } }
        }
    }
}
