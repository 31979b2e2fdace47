//! The link from a list's page to the next one.

use crate::extract::list::list_address;
use crate::learn::fields::selector::{FieldStep, StepName};
use crate::learn::paging::links::{says, says_next};
use crate::wrapper::expression::literal;
use forest_html::address::{page_key, site_of};
use forest_html::page::links::Base;
use forest_html::page::{NodeId, Page};
use forest_html::text::{fold, text_size};
use html5ever::local_name;

/// Phrases of links to older articles, beside those for a next page; in lower case.
const OLDER: [&str; 5] = [
    "older",
    "older posts",
    "previous posts",
    "earlier",
    "more posts",
];

/// Words of a link to a next page at the most.
const MAX_WORDS: f32 = 4.0;

/// Tokens of `rel` and `class` of such links, and of the elements around them.
const TOKENS: [&str; 8] = [
    "next",
    "older-posts",
    "older",
    "next-page",
    "pagination-next",
    "nav-previous",
    "nav-next",
    "pagination__next",
];

/// An expression that selects the link to the next page on the newest snapshot that has one.
pub(super) fn expression(snapshots: &[&Page]) -> Option<String> {
    snapshots.iter().rev().find_map(|page| on_page(page))
}

fn on_page(page: &Page) -> Option<String> {
    let address = list_address(page);
    let address = address.as_deref();
    let base = Base::of(page).or(address);
    let leads_on = |n: &NodeId| leads_on(page, *n, &base, address);
    let links: Vec<NodeId> = page.elements().filter(leads_on).collect();
    let own = links
        .iter()
        .find_map(|&n| Some(format!("//{}", named(page, n)?)));
    own.or_else(|| {
        let mut links = links.iter();
        links.find_map(|&n| {
            let around = named(page, page.parent_element(n)?)?;
            Some(format!("//{around}//a"))
        })
    })
    .or_else(|| {
        let says_older = |n: &NodeId| {
            // A headline may have these words, too.
            let is_short = text_size(page.text(*n)) <= MAX_WORDS;
            is_short && (says(page, *n, &OLDER) || says_next(page, *n))
        };
        let mut worded = links.into_iter().filter(|&n| page.is(n, &local_name!("a")));
        let text = fold(page.text(worded.find(says_older)?));
        let has_words = text.contains(char::is_alphabetic);
        has_words.then(|| format!("//a[normalize-space(.)={}]", literal(&text)))
    })
}

/// The step to an element by a token that says so.
fn named(page: &Page, n: NodeId) -> Option<String> {
    let mut steps = FieldStep::all(page, n).into_iter();
    let says_so = |step: &FieldStep<'_>| match step.name {
        StepName::Token("rel", token) => token == "next",
        StepName::Token("class", token) => TOKENS.contains(&token),
        _ => false,
    };
    steps.find(says_so).map(|step| step.step())
}

/// True for a link to another page of the same site, of which `own` is the page's address.
fn leads_on(page: &Page, n: NodeId, base: &Base, own: Option<&str>) -> bool {
    let is_link = page.is(n, &local_name!("a")) || page.is(n, &local_name!("link"));
    let Some(href) = page.attr(n, "href").filter(|_| is_link) else {
        return false;
    };
    let Some(url) = base.resolve(href) else {
        return false;
    };
    let is_other = own.is_none_or(|own| page_key(own) != page_key(&url));
    is_other && !href.starts_with('#') && site_of(Some(&url)) == site_of(own)
}
