//! Addresses and items of pages.

use forest::feed::Item;
use url::Url;

/// An address without the parts that do not identify a page: scheme, fragment, campaign
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

/// An item without its content, which may be as long as the page.
pub fn without_content(item: &Item) -> Item {
    Item {
        content: None,
        ..item.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_same_page() {
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
