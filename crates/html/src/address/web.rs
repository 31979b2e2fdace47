//! Addresses of the Web, read from text.

use std::borrow::Cow;
use url::Url;

/// Bytes of the longest address that is kept; longer ones are data, not addresses.
/// Servers refuse request lines over 8 kB.
pub const MAX_URL_BYTES: usize = 8192;

/// Returns true for `http` and `https`.
pub fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// An absolute `http` or `https` address with a host.
///
/// ```
/// use forest_html::address::web_address;
///
/// assert_eq!(web_address(" HTTPS://A.example").unwrap().as_str(), "https://a.example/");
/// assert_eq!(web_address("a.example"), None);
/// assert_eq!(web_address("mailto:jane@a.example"), None);
/// ```
pub fn web_address(text: &str) -> Option<Url> {
    web_link(None, text)
}

/// A link as an absolute `http` or `https` address, relative to `base` if there is one.
pub fn web_link(base: Option<&Url>, link: &str) -> Option<Url> {
    let link = link.trim();
    if link.is_empty() {
        return None;
    }
    let url = match base {
        Some(base) => base.join(link).ok()?,
        None => Url::parse(link).ok()?,
    };
    (is_web(&url) && url.has_host()).then_some(url)
}

/// Returns true if the host's name is reserved for examples and tests, so that no server has
/// it (RFC 2606).
///
/// ```
/// use forest_html::address::{is_reserved, web_address};
///
/// let is_of = |address| is_reserved(&web_address(address).unwrap());
/// assert!(is_of("https://www.a.example/x") && is_of("https://a.invalid./"));
/// assert!(!is_of("https://example.org/a.example"));
/// ```
pub fn is_reserved(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    let domain = host.rsplit('.').next();
    domain.is_some_and(|domain| matches!(domain, "example" | "invalid" | "test"))
}

/// Returns true if the address has a name or a password of a user.
pub fn has_credentials(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

/// The address without its fragment.
pub fn without_fragment(mut url: Url) -> Url {
    url.set_fragment(None);
    url
}

/// The address that a browser's `feed:` address stands for: `feed://a.example/rss` is
/// `http://a.example/rss`, and `feed:https://a.example/rss` is what follows the colon.
pub fn without_feed_scheme(text: &str) -> Cow<'_, str> {
    match text.split_at_checked("feed:".len()) {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("feed:") => {
            if rest.starts_with("//") {
                format!("http:{rest}").into()
            } else {
                rest.into()
            }
        }
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_joined_and_other_schemes_refused() {
        let base = Url::parse("https://a.example/x/y").expect("an address");
        let check = |link: &str, expected: Option<&str>| {
            let found = web_link(Some(&base), link);
            assert_eq!(found.as_ref().map(Url::as_str), expected, "{link}");
        };
        check("z", Some("https://a.example/x/z"));
        check("//b.example", Some("https://b.example/"));
        check(" /z#top ", Some("https://a.example/z#top"));
        check("", None);
        check("tel:1", None);
        check("javascript:alert(1)", None);
    }

    #[test]
    fn addresses_of_feeds_as_browsers_wrote_them() {
        let check = |text, expected| assert_eq!(without_feed_scheme(text), expected);
        check("Feed://a.example/rss", "http://a.example/rss");
        check("feed:https://a.example/rss", "https://a.example/rss");
        check("https://a.example/feed:x", "https://a.example/feed:x");
        check("fée:", "fée:");
    }
}
