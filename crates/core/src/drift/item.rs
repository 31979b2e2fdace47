//! The words of a feed's item, on its page and in its article.

use forest_html::page::{Mask, Page};
use forest_html::text::{Analyzer, Language};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Minimum number of terms of an item; with fewer it is no evidence for a page.
const MIN_TERMS: usize = 8;

/// A page that has less than this share of its item's terms is not the item's page: of
/// the development gold's pages with an item of eight terms none has, even of those whose
/// item is nothing but headline and description.
const OF_PAGE: f64 = 0.25;

/// If the article has less than this share of the item's terms that its page has, it
/// is not the article of that item. Of texts of `forest` and `paper-nodfs` with an F1 of 0.8
/// or more 3 of 2,605 have less, of those with less than 0.5 26 of 99.
const OF_TEXT: f64 = 0.2;

/// Terms of an item that are looked at; a feed with full texts says no more with the
/// rest.
const MAX_TERMS: usize = 200;

/// The number of an item's words that the page and its article have: evidence that
/// needs neither a model nor other sites.
///
/// Words are terms (stemmed, without stop words), each counted once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemWords {
    /// Terms of the item's title and summary.
    pub asked: usize,
    /// Of these, terms that stand in the page's body.
    pub on_page: usize,
    /// Of those, terms that stand in the article.
    pub in_text: usize,
}

impl ItemWords {
    /// Looks for the terms of `item` in the page and in `kept` of it. `None` where it has
    /// too few to say something.
    pub fn of(page: &Page, kept: &Mask, item: &str) -> Option<ItemWords> {
        let body = page.body()?;
        let text_of = |texts: &mut dyn Iterator<Item = &str>| {
            let mut out = String::new();
            for text in texts {
                out.push_str(text);
                out.push(' ');
            }
            out
        };
        let all = text_of(&mut page.content_texts(body).map(|n| page.text(n)));
        let lang = page.elements().find_map(|n| page.attr(n, "lang"));
        let mut analyzer = Analyzer::new(Language::detect(&all, lang));
        let mut item_terms = BTreeSet::new();
        analyzer.terms(item, |term| {
            if item_terms.len() < MAX_TERMS {
                item_terms.insert(term.to_owned());
            }
        });
        let mut count = |text: &str, among: &BTreeSet<String>| {
            let mut found = BTreeSet::new();
            analyzer.terms(text, |term| {
                if among.contains(term) && !found.contains(term) {
                    found.insert(term.to_owned());
                }
            });
            found
        };
        if item_terms.len() < MIN_TERMS {
            return None;
        }
        let on_page = count(&all, &item_terms);
        let text = text_of(&mut kept.texts(page).map(|n| page.text(n)));
        Some(ItemWords {
            asked: item_terms.len(),
            on_page: on_page.len(),
            in_text: count(&text, &on_page).len(),
        })
    }

    /// The page is not the one that the item is about: it has next to none of its words.
    pub fn is_of_other_page(&self) -> bool {
        (self.on_page as f64) < OF_PAGE * self.asked as f64
    }

    /// The page has the item's words, and the article next to none of them.
    pub fn is_of_other_text(&self) -> bool {
        self.on_page >= MIN_TERMS && (self.in_text as f64) < OF_TEXT * self.on_page as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, tag: &str, item: &str) -> Option<(usize, usize, usize)> {
        let page = Page::from_html(html);
        let n = page
            .elements()
            .find(|n| page.tag(*n).is_some_and(|t| &**t == tag));
        let kept = Mask::subtrees(&page, &n.into_iter().collect::<Vec<_>>());
        let words = ItemWords::of(&page, &kept, item)?;
        Some((words.asked, words.on_page, words.in_text))
    }

    const PAGE: &str = "<html lang=en><title>Ferry</title><nav>Home and islands</nav><article>The ferry to the \
        islands leaves an hour later, said the harbour master, and the boats wait.</article>";

    const ITEM: &str = "Ferries leave later: the harbour master said, islands wait for boats";

    #[test]
    fn stems_of_the_item_are_counted_once_each() {
        let check = |tag, expected| {
            let counted = check(PAGE, tag, &format!("{ITEM}, and boat by boat the volcano"));
            assert_eq!(counted, Some(expected), "{tag}");
        };
        check("article", (10, 9, 9));
        check("nav", (10, 9, 1));
        check("table", (10, 9, 0));
    }

    #[test]
    fn an_item_of_few_words_is_no_evidence() {
        assert_eq!(check(PAGE, "article", "The ferry and the harbour"), None);
        assert_eq!(check(PAGE, "article", ""), None);
    }

    #[test]
    fn items_of_other_pages_and_texts_of_other_items() {
        let mismatches = |tag: &str, item: &str| {
            let (asked, on_page, in_text) = check(PAGE, tag, item).expect("counted");
            let words = ItemWords {
                asked,
                on_page,
                in_text,
            };
            (words.is_of_other_page(), words.is_of_other_text())
        };
        assert_eq!(mismatches("article", ITEM), (false, false));
        assert_eq!(mismatches("nav", ITEM), (false, true));
        let other = "Volcano erupts behind seven mountains: witnesses report smoke, ferry";
        assert_eq!(mismatches("article", other), (true, false));
    }
}
