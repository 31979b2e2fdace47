//! The namespaces of feeds, by address and by the prefixes that everybody uses.

/// The two ways of feeds in XML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Rss,
    Atom,
}

/// What a namespace is to a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    /// The feed's own: RSS of any version, or Atom in an Atom feed.
    Core,
    Atom,
    Content,
    DublinCore,
    Media,
    Itunes,
    Feedburner,
    Syndication,
    Other,
}

impl Space {
    pub(super) fn of_uri(uri: &str, family: Family) -> Space {
        let uri = uri.trim().trim_end_matches(['/', '#']);
        let tail = uri.split_once("://").map_or(uri, |(_, tail)| tail);
        match tail {
            "www.w3.org/2005/Atom" | "purl.org/atom/ns" if family == Family::Atom => Space::Core,
            "www.w3.org/2005/Atom" | "purl.org/atom/ns" => Space::Atom,
            "purl.org/rss/1.0/modules/content" => Space::Content,
            "purl.org/dc/elements/1.1" | "purl.org/dc/terms" => Space::DublinCore,
            "search.yahoo.com/mrss" => Space::Media,
            "www.itunes.com/dtds/podcast-1.0.dtd" => Space::Itunes,
            "purl.org/rss/1.0/modules/syndication" => Space::Syndication,
            "rssnamespace.org/feedburner/ext/1.0" => Space::Feedburner,
            _ => Space::Other,
        }
    }

    /// By the prefix that everybody uses, where it is not declared.
    pub(super) fn of_prefix(prefix: &str, family: Family) -> Space {
        match prefix {
            "atom" | "atom10" if family == Family::Atom => Space::Core,
            "rss" if family == Family::Rss => Space::Core,
            "atom" | "atom10" | "a10" => Space::Atom,
            "content" => Space::Content,
            "dc" | "dcterms" => Space::DublinCore,
            "media" => Space::Media,
            "itunes" => Space::Itunes,
            "feedburner" => Space::Feedburner,
            "sy" => Space::Syndication,
            _ => Space::Other,
        }
    }
}
