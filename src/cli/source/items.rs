//! Feed items to leads.

use super::folder::LocalPages;
use super::{Lead, Place};
use forest::address::page_key;
use forest::feed::Feed;
use std::collections::HashSet;

/// The pages that the items link to, each once: in `local`, if they are there,
/// else on the web.
pub fn leads(feed: Feed, local: Option<LocalPages>) -> Vec<Lead> {
    let mut seen = HashSet::new();
    let mut used = HashSet::new();
    let mut leads = Vec::new();
    for item in &feed.items {
        let Some(link) = &item.link else { continue };
        if !seen.insert(page_key(link.as_str())) {
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
        lead.item = Some(item.without_content());
        leads.push(lead);
    }
    leads
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_tell_pages_apart() {
        let check = |a: &str, b: &str| assert_eq!(page_key(a), page_key(b));
        check("http://a.example/x/", "https://a.example/x#top");
        check("https://a.example/x?utm_source=rss", "https://a.example/x");
        check(
            "https://a.example/?p=1&utm_medium=a",
            "https://a.example/?p=1",
        );
        assert_ne!(
            page_key("https://a.example/?p=1"),
            page_key("https://a.example/?p=2")
        );
    }
}
