//! The target of a headline's link.

use forest_html::address::bare_host;

/// The target of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum LinkTarget<'a> {
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
pub(super) struct PageAddress<'a> {
    pub host: &'a str,
    pub path: &'a str,
}

impl<'a> PageAddress<'a> {
    /// The first of these that is an absolute address.
    pub fn first_of(urls: [Option<&'a str>; 3]) -> PageAddress<'a> {
        let first = urls.into_iter().flatten().find_map(split);
        first.map_or(PageAddress::default(), |(host, path)| PageAddress {
            host,
            path,
        })
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

impl<'a> LinkTarget<'a> {
    pub fn settled(self, own: &PageAddress<'_>) -> LinkTarget<'a> {
        let LinkTarget::Unsettled(href) = self else {
            return self;
        };
        let href = href.trim();
        if href.is_empty() || href.starts_with('#') || href.starts_with("javascript:") {
            return LinkTarget::Own;
        }
        let path = match split(href) {
            Some((host, _)) if own.is_known() && host != own.host => return LinkTarget::Outside,
            Some((_, path)) => path,
            None => path(href),
        };
        let is_own = || {
            let own = own.path;
            own == path || !path.starts_with('/') && !path.is_empty() && own.ends_with(path)
        };
        match path {
            "" | "." | "./" | ".." | "/index.html" | "index.html" if !own.path.is_empty() => {
                LinkTarget::Home
            }
            "" | "." | "./" => LinkTarget::Home,
            _ if own.is_known() && is_own() => LinkTarget::Own,
            _ => LinkTarget::Elsewhere,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_distinguished_by_the_pages_own_address() {
        let own = PageAddress {
            host: "a.example",
            path: "/news/rain",
        };
        let check = |href, expected| {
            assert_eq!(
                LinkTarget::Unsettled(href).settled(&own),
                expected,
                "{href}"
            );
        };
        check("#top", LinkTarget::Own);
        check("/news/rain/?share=1#x", LinkTarget::Own);
        check("https://www.a.example/news/rain", LinkTarget::Own);
        check("rain", LinkTarget::Own);
        check("/", LinkTarget::Home);
        check("http://a.example", LinkTarget::Home);
        check("/news/sun", LinkTarget::Elsewhere);
        check("https://a.example/?p=7", LinkTarget::Elsewhere);
        check("//b.example/news/rain", LinkTarget::Outside);
        let unknown = PageAddress::default();
        let settled = |href| LinkTarget::Unsettled(href).settled(&unknown);
        assert_eq!(settled("https://b.example/x"), LinkTarget::Elsewhere);
        assert_eq!(settled("x.html"), LinkTarget::Elsewhere);
        assert_eq!(LinkTarget::None.settled(&unknown), LinkTarget::None);
    }
}
