//! The site of an address.

use super::web::is_web;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use url::Url;

/// A host without `www.`.
pub fn bare_host(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}

/// The name of the site that an address belongs to: its host, with the port if that is
/// not the scheme's own.
///
/// ```
/// use forest_html::address::site_of;
///
/// assert_eq!(site_of(Some("https://a.example:8080/b")).as_deref(), Some("a.example:8080"));
/// assert_eq!(site_of(Some("https://a.example:443/b")).as_deref(), Some("a.example"));
/// assert_eq!(site_of(Some("https://a.example./b")).as_deref(), Some("a.example"));
/// assert_eq!(site_of(None), None);
/// ```
pub fn site_of(url: Option<&str>) -> Option<String> {
    let url = Url::parse(url?).ok()?;
    Some(with_port(named_host(&url)?, &url).into_owned())
}

/// The host of an address without the dot at its end. `None` if it is the name of a scheme:
/// then the address is another one's end, as in `https://https://a.example`.
fn named_host(url: &Url) -> Option<&str> {
    let host = url.host_str()?.trim_end_matches('.');
    let is_scheme = matches!(host, "http" | "https") && url.path().starts_with("//");
    (!host.is_empty() && !is_scheme).then_some(host)
}

/// The host and port by which pages of one site are known: without `www.` and the dot
/// at the host's end.
///
/// ```
/// use forest_html::address::bare_site;
///
/// let url = url::Url::parse("https://www.a.example.:8443/b")?;
/// assert_eq!(bare_site(&url).as_deref(), Some("a.example:8443"));
/// # Ok::<(), url::ParseError>(())
/// ```
pub fn bare_site(url: &Url) -> Option<Cow<'_, str>> {
    Some(with_port(bare_host(named_host(url)?), url))
}

/// [`bare_site`] of an address of the Web.
pub(super) fn bare_web_site(url: &Url) -> Option<String> {
    let site = bare_site(url).filter(|_| is_web(url))?;
    Some(site.into_owned())
}

fn with_port<'a>(host: &'a str, url: &Url) -> Cow<'a, str> {
    match url.port() {
        Some(port) => format!("{host}:{port}").into(),
        None => host.into(),
    }
}

/// The most frequent of the values that there are; of equally frequent ones the first.
pub fn most_frequent(values: &[Option<String>]) -> Option<String> {
    let mut counts: BTreeMap<&str, (usize, Reverse<usize>)> = BTreeMap::new();
    for (at, value) in values.iter().enumerate() {
        if let Some(value) = value {
            counts.entry(value).or_insert((0, Reverse(at))).0 += 1;
        }
    }
    let best = counts.into_iter().max_by_key(|(_, count)| *count);
    best.map(|(value, _)| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_one_site() {
        let check = |address: &str, expected: Option<&str>| {
            assert_eq!(site_of(Some(address)).as_deref(), expected, "{address}");
        };
        check("https://a.example./x", Some("a.example"));
        check("https://a.example.:81/x", Some("a.example:81"));
        check("https://https://a.example/x", None);
        check("http://http//a.example/x", None);
        check("https://https/x", Some("https"));
        check("file:///x", None);
    }

    #[test]
    fn the_first_of_equally_frequent_values() {
        let check = |values: &[&str], expected: Option<&str>| {
            let values: Vec<Option<String>> = values
                .iter()
                .map(|value| (!value.is_empty()).then(|| (*value).to_owned()))
                .collect();
            assert_eq!(most_frequent(&values).as_deref(), expected);
        };
        check(&["b", "a", "", "a", "b"], Some("b"));
        check(&["b", "a", "a"], Some("a"));
        check(&["", ""], None);
    }
}
