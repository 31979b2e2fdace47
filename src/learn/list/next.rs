//! The link from a list's page to the next one.

use crate::address::{page_key, site_of};
use crate::page::links::Base;
use crate::page::{NodeId, Page};
use crate::text::fold;
use html5ever::local_name;

/// Words of the text of a link to older articles, beside those for a next page.
const OLDER: [&str; 6] = [
    "older",
    "next",
    "previous posts",
    "earlier",
    "more posts",
    "load more",
];

/// An expression that selects the link to the next page on the first snapshot that has one.
pub(super) fn expression(snapshots: &[&Page]) -> Option<String> {
    let token = |attr: &str, token: &str| {
        format!("contains(concat(' ',normalize-space(@{attr}),' '),' {token} ')")
    };
    let page = snapshots.iter().rev();
    let mut forms = Vec::new();
    for tag in ["a", "link"] {
        forms.push((
            tag,
            "rel",
            "next",
            format!("//{tag}[{}]", token("rel", "next")),
        ));
    }
    for class in [
        "next",
        "older-posts",
        "older",
        "next-page",
        "pagination-next",
        "nav-previous",
        "pagination__next",
    ] {
        forms.push((
            "a",
            "class",
            class,
            format!("//a[{}]", token("class", class)),
        ));
        forms.push((
            "*",
            "class",
            class,
            format!("//*[{}]//a", token("class", class)),
        ));
    }
    for page in page {
        let base = Base::of(page);
        let links: Vec<NodeId> = page
            .elements()
            .filter(|&n| leads_on(page, n, &base))
            .collect();
        for (tag, attr, name, xpath) in &forms {
            let has = |n: NodeId| {
                page.attr(n, attr)
                    .is_some_and(|value| value.split_ascii_whitespace().any(|token| token == *name))
            };
            let found = links.iter().find(|&&n| match *tag {
                "*" => page.ancestors(n).take(2).any(has),
                tag => page.tag(n).is_some_and(|own| &**own == tag) && has(n),
            });
            if found.is_some() {
                return Some(xpath.clone());
            }
        }
        let by_text = links
            .iter()
            .find(|&&n| page.is(n, &local_name!("a")) && says_older(page.text(n)));
        if let Some(&n) = by_text {
            let text = fold(page.text(n));
            let literal = crate::wrapper::expression::literal(&text);
            return Some(format!("//a[normalize-space(.)={literal}]"));
        }
    }
    None
}

/// True for a link to another page of the same site.
fn leads_on(page: &Page, n: NodeId, base: &Base) -> bool {
    let is_link = page.is(n, &local_name!("a")) || page.is(n, &local_name!("link"));
    let Some(href) = page.attr(n, "href").filter(|_| is_link) else {
        return false;
    };
    let Some(url) = base.resolve(href) else {
        return false;
    };
    let is_other = page.url().is_none_or(|own| page_key(own) != page_key(&url));
    is_other && !href.starts_with('#') && site_of(Some(&url)) == site_of(page.url())
}

fn says_older(text: &str) -> bool {
    let text = fold(text).to_lowercase();
    text.len() <= 40
        && OLDER.iter().any(|word| {
            text.trim_start_matches(|c: char| !c.is_alphanumeric())
                .starts_with(word)
        })
}
