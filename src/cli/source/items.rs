//! Feed items to leads.

use super::folder::LocalPages;
use super::{Lead, Place};
use forest::feed::{Feed, Item};
use std::collections::HashSet;
use url::Url;

/// An address without what does not tell pages apart: scheme, fragment, campaign
/// parameters, the slash at its end.
pub fn key(url: &str) -> String {
    let Ok(mut url) = Url::parse(url) else {
        return url.to_owned();
    };
    let kept: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| !name.starts_with("utm_"))
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    if kept.is_empty() {
        url.set_query(None);
    } else if kept.len() < url.query_pairs().count() {
        url.query_pairs_mut().clear().extend_pairs(kept);
    }
    url.set_fragment(None);
    let url = url.as_str();
    let url = url.split_once("://").map_or(url, |(_, rest)| rest);
    url.trim_end_matches('/').to_owned()
}

/// What is kept of an item beside its page: all but its content, which may be as
/// long as the page.
pub fn without_content(item: &Item) -> Item {
    Item {
        content: None,
        ..item.clone()
    }
}

/// The pages that the items link to, each once: in `local`, if they are there,
/// else on the web.
pub fn leads(feed: Feed, local: Option<LocalPages>) -> Vec<Lead> {
    let mut seen = HashSet::new();
    let mut used = HashSet::new();
    let mut leads = Vec::new();
    for item in &feed.items {
        let Some(link) = &item.link else { continue };
        if !seen.insert(key(link.as_str())) {
            continue;
        }
        let file = local.as_ref().and_then(|local| local.find(link));
        let file = file.filter(|file| used.insert(file.clone()));
        let mut lead = match (&local, file) {
            (Some(local), Some(file)) => local.lead(&file),
            _ => Lead {
                id: None,
                folder: None,
                item: None,
                place: Place::Web(link.clone()),
            },
        };
        lead.item = Some(without_content(item));
        leads.push(lead);
    }
    leads
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_tell_pages_apart() {
        let check = |a: &str, b: &str| assert_eq!(key(a), key(b));
        check("http://a.example/x/", "https://a.example/x#top");
        check("https://a.example/x?utm_source=rss", "https://a.example/x");
        check(
            "https://a.example/?p=1&utm_medium=a",
            "https://a.example/?p=1",
        );
        assert_ne!(key("https://a.example/?p=1"), key("https://a.example/?p=2"));
    }
}
