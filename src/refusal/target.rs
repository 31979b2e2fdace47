//! Where a headline leads.

use super::claims::Claims;
use crate::address::bare_host;
use crate::page::Page;

/// Where a link leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Target<'a> {
    /// There is no link.
    #[default]
    None,
    /// To the page itself or a place in it.
    Own,
    /// To the site's home page.
    Home,
    /// To another page of the site.
    Elsewhere,
    /// To another site.
    Outside,
    /// Not looked at yet.
    Unsettled(&'a str),
}

/// The page's own address, as far as it is known: host without `www.`, and path
/// without a slash at its end.
#[derive(Debug, Default)]
pub(super) struct Own<'a> {
    pub host: &'a str,
    pub path: &'a str,
}

impl<'a> Own<'a> {
    /// From the page's address, else from what it says that it is.
    pub fn of(page: &'a Page, claims: &Claims<'a>) -> Own<'a> {
        let urls = [page.url(), claims.canonical, claims.og_url];
        let first = urls.into_iter().flatten().find_map(split);
        first.map_or(Own::default(), |(host, path)| Own { host, path })
    }

    pub fn is_known(&self) -> bool {
        !self.host.is_empty()
    }
}

/// Host and path (with its query where there is no path) of an absolute address.
fn split(url: &str) -> Option<(&str, &str)> {
    let rest = match url.split_once("://") {
        Some(("http" | "https", rest)) => rest,
        Some(_) => return None,
        None => url.strip_prefix("//")?,
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let host = &rest[..end];
    Some((bare_host(host), path(&rest[end..])))
}

/// A path without fragment, slash at its end and, unless it is the home page's,
/// query.
fn path(path: &str) -> &str {
    let path = path.split('#').next().unwrap_or_default();
    match path.split_once('?') {
        Some(("" | "/", _)) => path,
        Some((path, _)) => path.trim_end_matches('/'),
        None => path.trim_end_matches('/'),
    }
}

impl<'a> Target<'a> {
    pub fn settled(self, own: &Own<'_>) -> Target<'a> {
        let Target::Unsettled(href) = self else {
            return self;
        };
        let href = href.trim();
        if href.is_empty() || href.starts_with('#') || href.starts_with("javascript:") {
            return Target::Own;
        }
        let path = match split(href) {
            Some((host, _)) if own.is_known() && host != own.host => return Target::Outside,
            Some((_, path)) => path,
            None => path(href),
        };
        let is_own = || {
            let own = own.path;
            own == path || !path.starts_with('/') && !path.is_empty() && own.ends_with(path)
        };
        match path {
            "" | "." | "./" | ".." | "/index.html" | "index.html" if !own.path.is_empty() => {
                Target::Home
            }
            "" | "." | "./" => Target::Home,
            _ if own.is_known() && is_own() => Target::Own,
            _ => Target::Elsewhere,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_told_apart_by_the_pages_own_address() {
        let own = Own {
            host: "a.example",
            path: "/news/rain",
        };
        let check = |href, expected| {
            assert_eq!(Target::Unsettled(href).settled(&own), expected, "{href}");
        };
        check("#top", Target::Own);
        check("/news/rain/?share=1#x", Target::Own);
        check("https://www.a.example/news/rain", Target::Own);
        check("rain", Target::Own);
        check("/", Target::Home);
        check("http://a.example", Target::Home);
        check("/news/sun", Target::Elsewhere);
        check("https://a.example/?p=7", Target::Elsewhere);
        check("//b.example/news/rain", Target::Outside);
        let unknown = Own::default();
        let settled = |href| Target::Unsettled(href).settled(&unknown);
        assert_eq!(settled("https://b.example/x"), Target::Elsewhere);
        assert_eq!(settled("x.html"), Target::Elsewhere);
        assert_eq!(Target::None.settled(&unknown), Target::None);
    }
}
