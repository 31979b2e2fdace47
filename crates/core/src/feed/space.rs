//! The namespaces of feeds, by address and by the prefixes that everybody uses.

/// The two ways of feeds in XML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FeedFamily {
    Rss,
    Atom,
}

/// The meaning of a namespace to a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FeedNamespace {
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

impl FeedNamespace {
    pub(super) fn of_uri(uri: &str, family: FeedFamily) -> FeedNamespace {
        let uri = uri.trim().trim_end_matches(['/', '#']);
        let tail = uri.split_once("://").map_or(uri, |(_, tail)| tail);
        match tail {
            "www.w3.org/2005/Atom" | "purl.org/atom/ns" if family == FeedFamily::Atom => {
                FeedNamespace::Core
            }
            "www.w3.org/2005/Atom" | "purl.org/atom/ns" => FeedNamespace::Atom,
            _ if family == FeedFamily::Rss && is_rss(tail) => FeedNamespace::Core,
            "purl.org/rss/1.0/modules/content" => FeedNamespace::Content,
            "purl.org/dc/elements/1.1" | "purl.org/dc/terms" => FeedNamespace::DublinCore,
            "search.yahoo.com/mrss" => FeedNamespace::Media,
            "www.itunes.com/dtds/podcast-1.0.dtd" => FeedNamespace::Itunes,
            "purl.org/rss/1.0/modules/syndication" => FeedNamespace::Syndication,
            "rssnamespace.org/feedburner/ext/1.0" => FeedNamespace::Feedburner,
            _ => FeedNamespace::Other,
        }
    }

    /// By the prefix that everybody uses, where it is not declared.
    pub(super) fn of_prefix(prefix: &str, family: FeedFamily) -> FeedNamespace {
        match prefix {
            "atom" | "atom10" if family == FeedFamily::Atom => FeedNamespace::Core,
            "rss" if family == FeedFamily::Rss => FeedNamespace::Core,
            "atom" | "atom10" | "a10" => FeedNamespace::Atom,
            "content" => FeedNamespace::Content,
            "dc" | "dcterms" => FeedNamespace::DublinCore,
            "media" => FeedNamespace::Media,
            "itunes" => FeedNamespace::Itunes,
            "feedburner" => FeedNamespace::Feedburner,
            "sy" => FeedNamespace::Syndication,
            _ => FeedNamespace::Other,
        }
    }
}

/// Returns true for the addresses of RSS itself: 0.90's, 1.0's and the many of 2.0.
fn is_rss(address: &str) -> bool {
    const ADDRESSES: [&str; 8] = [
        "purl.org/rss/1.0",
        "my.netscape.com/rdf/simple/0.9",
        "channel.netscape.com/rdf/simple/0.9",
        "my.netscape.com/publish/formats/rss-0.91.dtd",
        "purl.org/net/rss1.1",
        "backend.userland.com/rss2",
        "blogs.law.harvard.edu/tech/rss",
        "www.rssboard.org/rss-specification",
    ];
    ADDRESSES.contains(&address.to_ascii_lowercase().as_str())
}
