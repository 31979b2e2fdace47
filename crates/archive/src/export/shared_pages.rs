//! Pages that several items of a feed link to: lists of notices, home pages of podcasts. Such a
//! page is the article of none of them.

use super::super::answers::{ItemRow, KnownPage};
use chrono::{DateTime, Utc};
use forest_core::feed::FeedItem;
use forest_html::address::page_key;
use forest_html::text::fold;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// Items of one page from which the page is shared, whatever their titles. Two items with
/// different titles share a page, too; two with one title are the same news twice.
const MANY: usize = 3;

/// The items that link to one page.
#[derive(Debug, Default)]
struct ItemsOfPage {
    count: usize,
    title: String,
    titles_differ: bool,
}

impl ItemsOfPage {
    fn add(&mut self, title: &str) {
        let title = fold(title);
        if self.count == 0 {
            self.title = title;
        } else {
            self.titles_differ |= self.title != title;
        }
        self.count += 1;
    }

    fn share_it(&self) -> bool {
        self.count >= MANY || self.titles_differ
    }
}

/// Returns the pages that several of these items share. Each item is given as its page and its
/// title.
fn find_shared<'a, P: Eq + Hash>(items: impl Iterator<Item = (P, &'a str)>) -> HashSet<P> {
    let mut pages: HashMap<P, ItemsOfPage> = HashMap::new();
    for (page, title) in items {
        pages.entry(page).or_default().add(title);
    }
    let shared = pages.into_iter().filter(|(_, items)| items.share_it());
    shared.map(|(page, _)| page).collect()
}

/// The links among those of a feed's items that several of them share, as keys of their pages.
pub fn find_shared_links(items: &[FeedItem]) -> HashSet<String> {
    let linked = items.iter().filter_map(|item| {
        let link = item.link.as_ref()?;
        Some((page_key(link.as_str()), item.title.as_str()))
    });
    find_shared(linked)
}

/// The pages that several items of a feed share, as numbers of pages.
///
/// An item that gets another identifier at each poll is no second item: only those count that
/// the last answer has together, and those that came together.
pub(super) fn find_shared_pages<'a>(
    current: impl Iterator<Item = (&'a KnownPage, &'a str)> + Clone,
    rows: &[ItemRow],
) -> HashSet<i64> {
    // Redirects lead from several addresses to one article.
    let target = |page: &KnownPage| page.article.ok_or(page.id);
    let targets = find_shared(current.clone().map(|(page, title)| (target(page), title)));
    let of_answer = current.filter(|(page, _)| targets.contains(&target(page)));
    let mut pages: HashSet<i64> = of_answer.map(|(page, _)| page.id).collect();
    let came = rows
        .iter()
        .filter_map(|row| Some(((row.page?, row.first_seen), row.title.as_str())));
    let together: HashSet<(i64, DateTime<Utc>)> = find_shared(came);
    pages.extend(together.into_iter().map(|(page, _)| page));
    pages
}
