//! Typed addresses.

use super::name::{is_page, may_be_host, may_be_page};
use crate::error::{Result, SourceFault};
use forest_html::address::web_address;
use std::fs::Metadata;
use std::path::Path;
use url::Url;

/// A typed address: one of the web, or a bare host (`www.example.org/feed`), which gets the
/// scheme `https`. A file on the disk, or the name of a file, is no address.
pub fn address(typed: &str) -> Option<Url> {
    web_address(typed).or_else(|| {
        let (host, path) = typed.split_once('/').unwrap_or((typed, ""));
        let is_file = |name: &str| is_page(Path::new(name)) || !may_be_page(Path::new(name));
        let is_www = host
            .get(..4)
            .is_some_and(|www| www.eq_ignore_ascii_case("www."));
        let has_host = may_be_host(host) && (is_www || !path.is_empty() || !is_file(host));
        let is_there = || Path::new(host).exists() || Path::new(typed).exists();
        if !has_host || typed.contains(char::is_whitespace) || is_there() {
            return None;
        }
        web_address(&format!("https://{typed}"))
    })
}

/// The metadata of a typed path.
///
/// # Errors
///
/// If nothing exists there.
pub fn metadata(path: &Path) -> Result<Metadata> {
    let typed = path.display().to_string();
    let scheme = typed.split_once("://").map(|(scheme, _)| scheme);
    let scheme = scheme.map(str::to_ascii_lowercase);
    if let Some("http" | "https") = scheme.as_deref() {
        return Err(match Url::parse(&typed) {
            Err(source) => SourceFault::Address { typed, source }.into(),
            Ok(_) => SourceFault::Hostless { typed }.into(),
        });
    }
    std::fs::metadata(path).map_err(|source| match scheme {
        Some(_) => SourceFault::Scheme { typed, source }.into(),
        None => SourceFault::Missing { typed, source }.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_host_gets_the_scheme_https() {
        let check = |typed: &str, expected: Option<&str>| {
            assert_eq!(
                address(typed).as_ref().map(Url::as_str),
                expected,
                "{typed}"
            );
        };
        check("www.example.org", Some("https://www.example.org/"));
        check("example.org", Some("https://example.org/"));
        check(
            "Example.org:8443/Feed",
            Some("https://example.org:8443/Feed"),
        );
        check(
            "example.org/feed.xml?a=b",
            Some("https://example.org/feed.xml?a=b"),
        );
        check("www.example.rs", Some("https://www.example.rs/"));
        check("example.rs/feed", Some("https://example.rs/feed"));
        check("http://example.org/a", Some("http://example.org/a"));
        for file in [
            "feed.xml",
            "notes.txt",
            "page.html",
            "page.html.gz",
            "main.rs",
            "pages",
            "saved/example.org",
            "./example.org",
            "/example.org",
            "../x.example",
            "",
            "-",
            "example.org and more",
            "ftp://example.org/",
            "http:///",
            "localhost:8000",
            "127.0.0.1:8000/feed",
            "a..",
        ] {
            check(file, None);
        }
        // A folder that exists, and a name in it.
        check("src.example/a", Some("https://src.example/a"));
        check("Cargo.toml/a", None);
    }

    #[test]
    fn an_address_that_cannot_be_fetched_is_an_error() {
        let check = |typed: &str, part: &str| {
            let error = metadata(Path::new(typed)).expect_err(typed).to_string();
            assert!(error.contains(part), "{error}");
        };
        check("http:///", "no address (empty host): one is https://");
        check("HTTPS://", "no address (empty host)");
        check("http://exa mple/", "no address");
        check("ftp://a.example/feed", "only http:// and https://");
        check("none.xml", "no such file or folder");
    }
}
