//! A page of the web for a person, and the address that names it.

use forest_html::address::{has_credentials, web_address};
use url::{Host, Url};

/// A page as it came.
#[derive(Debug, Clone)]
pub(super) struct WebPage {
    pub(super) url: Option<Url>,
    pub(super) bytes: Vec<u8>,
    pub(super) content_type: Option<String>,
}

/// The address that a person typed; the scheme can be left out, unless the host is one word.
pub(super) fn typed_address(typed: &str) -> Result<Url, &'static str> {
    let typed = typed.trim();
    let with_scheme = || web_address(&format!("https://{typed}"));
    let is_host = |url: &Url| match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.contains('.'),
        _ => true,
    };
    let bare = || (!typed.contains("://")).then(with_scheme)?.filter(is_host);
    let url = web_address(typed).or_else(bare);
    url.filter(|url| !has_credentials(url))
        .ok_or("give an address, such as https://example.org/")
}

/// The address with http, to be tried where the one with https does not answer; `None` if the person
/// typed the scheme.
pub(super) fn http_address(typed: &str, url: &Url) -> Option<Url> {
    let mut plain = url.clone();
    let is_bare = web_address(typed.trim()).is_none();
    (is_bare && plain.set_scheme("http").is_ok()).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_can_be_typed_without_its_scheme() {
        let check = |typed: &str, expected: Option<&str>| {
            let url = typed_address(typed).ok();
            assert_eq!(url.as_ref().map(Url::as_str), expected, "{typed}");
        };
        check(" example.org/a ", Some("https://example.org/a"));
        check("localhost:8000/x", Some("https://localhost:8000/x"));
        check("http://a.example", Some("http://a.example/"));
        check("192.0.2.7/x", Some("https://192.0.2.7/x"));
        // One word is the name of a host only behind a scheme.
        check("http://wiki/x", Some("http://wiki/x"));
        check("notaurl", None);
        let plain = |typed: &str| http_address(typed, &typed_address(typed).expect("an address"));
        let of_port = plain("localhost:8000/x").map(String::from);
        assert_eq!(of_port.as_deref(), Some("http://localhost:8000/x"));
        assert_eq!(plain(" https://a.example/"), None);
        check("", None);
        check("javascript:alert(1)", None);
        check("file:///etc/passwd", None);
        check("https://u:p@a.example/", None);
    }
}
