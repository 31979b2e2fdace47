//! Addresses in a page, made absolute.

use super::{NodeId, Page};
use crate::address::{MAX_URL_BYTES, is_web};
use html5ever::local_name;
use std::borrow::Cow;
use url::Url;

/// The base of a page's relative addresses: its `base` element, else its own
/// address.
///
/// ```
/// use forest_html::page::{Page, Source, links::Base};
///
/// let source = Source { url: Some("https://a.example/x/y"), ..Source::default() };
/// let base = Base::of(&Page::parse(b"<a href=z>", source));
/// assert_eq!(base.resolve("z").unwrap(), "https://a.example/x/z");
/// assert_eq!(base.resolve("javascript:alert(1)"), None);
/// ```
#[derive(Debug, Clone)]
pub struct Base(Option<Url>);

impl Base {
    /// The base of a page: its first `base` with an `href`, which may itself be
    /// relative to the page's address.
    pub fn of(page: &Page) -> Base {
        let own = page.url().and_then(|url| Url::parse(url).ok());
        let href = first_base(page).and_then(|n| page.attr(n, "href"));
        let base = href
            .filter(|href| href.len() <= MAX_URL_BYTES)
            .and_then(|href| match &own {
                Some(own) => own.join(href).ok(),
                None => Url::parse(href).ok(),
            });
        // A page that was saved from elsewhere can have a base that is no address.
        Base(base.filter(is_web).or(own))
    }

    /// No base.
    pub fn none() -> Base {
        Base(None)
    }

    /// The same; without a base this address is it.
    #[must_use]
    pub fn or(self, address: Option<&str>) -> Base {
        let address = || address.and_then(|address| Url::parse(address).ok());
        Base(self.0.or_else(|| address().filter(is_web)))
    }

    /// The base, if the page has one that is an address of the Web.
    pub fn url(&self) -> Option<&Url> {
        self.0.as_ref()
    }

    /// `href` as an absolute address. Where there is no base a relative address
    /// stays as it is. `None` for what is no address of the Web, mail or
    /// telephone: `javascript:`, `data:` and the like, and what is empty or
    /// longer than [`MAX_URL_BYTES`].
    pub fn resolve<'a>(&self, href: &'a str) -> Option<Cow<'a, str>> {
        let href = href.trim_matches(|c: char| c.is_ascii_whitespace() || c.is_control());
        if href.is_empty() || href.len() > MAX_URL_BYTES {
            return None;
        }
        let parsed = match &self.0 {
            Some(base) => base.join(href),
            None => Url::parse(href),
        };
        match parsed {
            Ok(url) => {
                let safe = is_web(&url) || matches!(url.scheme(), "mailto" | "tel" | "ftp");
                (safe && url.as_str().len() <= MAX_URL_BYTES).then(|| Cow::Owned(url.into()))
            }
            Err(url::ParseError::RelativeUrlWithoutBase)
                if !href.contains(|c: char| c.is_whitespace() || c.is_control()) =>
            {
                Some(Cow::Borrowed(href))
            }
            Err(_) => None,
        }
    }
}

/// The first `base` with an `href`. The standard has it in the head; so has this.
fn first_base(page: &Page) -> Option<NodeId> {
    let end = page.body().unwrap_or(NodeId(page.len() as u32));
    (0..end.0)
        .map(NodeId)
        .find(|&n| page.is(n, &local_name!("base")) && page.attr(n, "href").is_some())
}
