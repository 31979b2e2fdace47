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
/// use forest::address::site_of;
///
/// assert_eq!(site_of(Some("https://a.example:8080/b")).as_deref(), Some("a.example:8080"));
/// assert_eq!(site_of(Some("https://a.example:443/b")).as_deref(), Some("a.example"));
/// assert_eq!(site_of(None), None);
/// ```
pub fn site_of(url: Option<&str>) -> Option<String> {
    let url = Url::parse(url?).ok()?;
    Some(with_port(url.host_str()?, &url).into_owned())
}

/// The host and port by which pages of one site are known: without `www.` and the dot
/// at the host's end.
pub(super) fn bare_site(url: &Url) -> Option<Cow<'_, str>> {
    let host = url.host_str()?.trim_end_matches('.');
    Some(with_port(bare_host(host), url))
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
