//! The report of a list of articles: its items on each snapshot, and why these elements and no
//! others.

use super::markup::{HtmlTable, STYLE, address, cut, document, expression};
use super::{MAX_BYTES, MAX_FILE_CHARS, footer};
use crate::error::Result;
use crate::extract::list::{ListExtractor, ListItem};
use crate::learn::list::LearnedList;
use forest_html::error::counted;
use forest_html::page::Page;
use maud::{Markup, html};

/// Items of a snapshot that are shown.
const MAX_ITEMS: usize = 100;

/// Characters of a title, and of what else an item has.
const MAX_CELL_CHARS: usize = 200;

/// The report of a list as a page of HTML: `name` is its site, `snapshots` are those that it was
/// learned from. Snapshots for which there is no room below [`MAX_BYTES`] are counted.
///
/// # Errors
///
/// If an expression of the wrapper is not valid XPath 1.0; learned ones are.
pub fn list_html(name: &str, learned: &LearnedList, snapshots: &[&Page]) -> Result<String> {
    let wrapper = learned.wrapper.as_ref();
    let items: Vec<(&Page, Vec<ListItem>)> = match wrapper {
        Some(wrapper) => {
            let extractor = ListExtractor::new(wrapper.clone())?;
            let applied = snapshots
                .iter()
                .map(|page| (*page, extractor.apply(page).items));
            applied.collect()
        }
        None => Vec::new(),
    };
    let before = html! {
        header {
            h1 { (cut(name, 300)) }
            p.soft { "A list of articles, from " (counted(snapshots.len(), "snapshot", "snapshots")) " of its page." }
        }
        @match wrapper {
            Some(wrapper) => section.card {
                h3 { "The items" }
                p { (expression(&wrapper.item)) }
            },
            None => section.card {
                h3 { "Nothing was learned" }
                p.why { "No group of links looks like a list of articles." }
            },
        }
        (candidates(learned))
    };
    let after = html! {
        @if let Some(wrapper) = wrapper {
            section {
                h2 { "Wrapper file" }
                pre { (cut(&wrapper.to_yaml(), MAX_FILE_CHARS)) }
            }
        }
        (footer())
    };
    let mut left = MAX_BYTES.saturating_sub(before.0.len() + after.0.len() + 2 * STYLE.len());
    let sections = items.iter().enumerate();
    let sections = sections.map(|(at, (page, items))| snapshot(at + 1, page, items));
    let fitting = sections.map_while(|section| {
        left = left.checked_sub(section.0.len())?;
        Some(section)
    });
    let shown: Vec<Markup> = fitting.collect();
    let main = html! {
        (before)
        @for section in &shown { (section) }
        @if shown.len() < items.len() {
            p.soft.small { (items.len() - shown.len()) " more snapshots left out of this report." }
        }
        (after)
    };
    Ok(document(&format!("{name}: list report"), &main))
}

/// The groups of elements that may be the list, and why they are not.
fn candidates(learned: &LearnedList) -> Markup {
    let heads = [
        ("Score", "num"),
        ("Items", ""),
        ("Figures", ""),
        ("Not chosen, as", ""),
    ];
    let mut table = HtmlTable::new(&heads, learned.candidates.len());
    for candidate in &learned.candidates {
        let (score, item) = (
            format!("{:.2}", candidate.score),
            expression(&candidate.item),
        );
        table.row(
            "",
            &[&score, &item, &candidate.why, &candidate.against.join("; ")],
        );
    }
    html! {
        section {
            h2 { "Candidates" }
            p.soft { "Elements that repeat, by how much they look like the page's main list." }
            (table)
        }
    }
}

fn snapshot(number: usize, page: &Page, items: &[ListItem]) -> Markup {
    let heads = [("Day", ""), ("Title", ""), ("Summary", ""), ("Author", "")];
    let mut table = HtmlTable::new(&heads, MAX_ITEMS);
    for item in items {
        let day = item
            .date
            .as_deref()
            .map_or("–", |date| date.get(..10).unwrap_or(date));
        let text = |text: &Option<String>| cut(text.as_deref().unwrap_or("–"), MAX_CELL_CHARS);
        let title = html! { (text(&item.title)) br; small { (address(&item.url)) } };
        table.row(
            "",
            &[&day, &title, &text(&item.summary), &text(&item.author)],
        );
    }
    html! {
        section {
            h2 { "Snapshot " (number) ": " (counted(items.len(), "item", "items")) }
            @if let Some(url) = page.url() { p.soft { (address(url)) } }
            (table)
        }
    }
}
