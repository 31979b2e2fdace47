//! Canonical links: which of them count.

use super::series::Address;
use super::site::bare_site;
use url::Url;

/// Returns true if a page at `page` may have the address `canonical`: an address of its
/// own site, so that no site takes another's articles over, and not the home page, which
/// some templates name everywhere.
pub fn may_be_canonical(page: &str, canonical: &str) -> bool {
    let (Ok(page), Ok(canonical)) = (Url::parse(page), Url::parse(canonical)) else {
        return false;
    };
    let has_path = |url: &Url| !url.path().trim_matches('/').is_empty();
    let site = bare_site(&page);
    site.is_some() && site == bare_site(&canonical) && (has_path(&canonical) || !has_path(&page))
}

/// The address that an article is given: the canonical one, of whatever site, unless it
/// is a home page and the page is not; else the page's.
pub fn own_address(canonical: Option<&str>, page: Option<&str>) -> Option<String> {
    let is_home = |url: &str| Address::of(url).is_some_and(|url| url.is_home());
    let canonical =
        canonical.filter(|canonical| page.is_none_or(|page| is_home(page) || !is_home(canonical)));
    canonical.or(page).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_links_of_a_page_s_own_site() {
        let check = |page, canonical, expected| {
            assert_eq!(
                may_be_canonical(page, canonical),
                expected,
                "{page} {canonical}"
            );
        };
        check("https://www.a.example/x?p=1", "http://a.example/x", true);
        check("https://a.example/x", "https://b.example/x", false);
        check("https://a.example/x", "https://a.example/", false);
        check("https://a.example/x", "https://a.example/?p=1", false);
        check("https://a.example/", "https://a.example/", true);
        check("https://a.example/x", "http://127.0.0.1/x", false);
        check("https://a.example/x", "http://a.example:22/x", false);
        check("https://a.example/x", "javascript:alert(1)", false);
        check("data:x", "data:y", false);
    }

    #[test]
    fn the_address_of_an_article() {
        let check = |canonical: Option<&str>, page: Option<&str>, expected: Option<&str>| {
            assert_eq!(own_address(canonical, page).as_deref(), expected);
        };
        let (page, home) = (Some("https://a.example/x"), Some("https://a.example/"));
        check(
            Some("https://b.example/x"),
            page,
            Some("https://b.example/x"),
        );
        check(home, page, page);
        check(Some("https://a.example/index.html"), page, page);
        check(home, home, home);
        check(home, None, home);
        check(None, page, page);
        check(None, None, None);
    }
}
