//! The requests that a request may lead to and still get its headers.

use forest_html::address::bare_host;
use url::Url;

/// Returns true if the user's headers for `requested` may go to `url`: the same host and port,
/// or the same host one step up from http to https.
pub(super) fn same_host(requested: &Url, url: &Url) -> bool {
    requested.host_str() == url.host_str() && is_as_safe(requested, url)
}

/// Returns true for the same scheme and port, or one step up from http to https.
fn is_as_safe(requested: &Url, url: &Url) -> bool {
    let port = |url: &Url| url.port_or_known_default();
    let same = requested.scheme() == url.scheme() && port(requested) == port(url);
    let up = (requested.scheme(), port(requested)) == ("http", Some(80))
        && (url.scheme(), port(url)) == ("https", Some(443));
    same || up
}

/// Returns true for the same host, with or without `www.`, asked as safely as before.
pub(super) fn same_site(requested: &Url, url: &Url) -> bool {
    requested.host_str().map(bare_host) == url.host_str().map(bare_host)
        && is_as_safe(requested, url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_its_host_asked_as_safely_as_before() {
        let check = |from: &str, to: &str, expected: bool| {
            let [from, to] = [from, to].map(|url| Url::parse(url).expect("a URL"));
            assert_eq!(same_site(&from, &to), expected, "{from} {to}");
        };
        check("https://a.example/", "https://a.example/x", true);
        check("https://a.example/", "https://www.a.example/", true);
        check("http://www.a.example/", "https://a.example/", true);
        check("http://a.example:81/", "http://a.example:81/", true);
        check("https://a.example/", "http://a.example/", false);
        check("https://a.example/", "https://a.example:444/", false);
        check("https://a.example/", "https://b.a.example/", false);
        check("https://a.example/", "https://evila.example/", false);
        check("https://b.example/", "https://a.example/", false);
    }
}
