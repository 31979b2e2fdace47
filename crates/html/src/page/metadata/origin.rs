//! Where a page is, and which links go to what is above it.

/// Where a page is: its origin (`https://a.example`) and its path.
#[derive(Debug, Clone, Copy)]
pub struct PageOrigin<'a> {
    origin: &'a str,
    path: &'a str,
}

impl<'a> PageOrigin<'a> {
    /// The origin and path of an address; empty of an empty one.
    pub fn of_url(url: &'a str) -> PageOrigin<'a> {
        let host = url.find("://").map_or(0, |at| at + 3);
        let path = url[host..].find('/').map_or(url.len(), |at| host + at);
        PageOrigin {
            origin: &url[..path],
            path: &url[path..],
        }
    }

    /// Returns true if a link goes to the home page, or to a directory of the first level
    /// that the page is in.
    pub fn is_above(&self, href: &str) -> bool {
        let href = href.trim();
        // Most links end otherwise.
        if !href.ends_with('/') && href.len() != self.origin.len() {
            return false;
        }
        let path = match href.strip_prefix(self.origin) {
            Some(path) => path,
            None => href,
        };
        match path {
            "" => !self.origin.is_empty() && !href.is_empty(),
            "/" => self.path != "/",
            _ => {
                path.strip_prefix('/')
                    .and_then(|path| path.strip_suffix('/'))
                    .is_some_and(|name| !name.contains('/'))
                    && self.path.starts_with(path)
                    && self.path != path
            }
        }
    }
}
