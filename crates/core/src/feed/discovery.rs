//! From a site's home page to its feeds.
//!
//! A page names its feeds in `<link rel="alternate">`; where it does not, links
//! in the page that end as feeds' addresses do are taken instead, those of the
//! page's own host first. The candidates come ranked: feeds of posts before feeds
//! of comments, `link` elements before other links, feeds in the page's language
//! before those that say that they are in another, and then as in the document.

use std::collections::HashSet;

use html5ever::local_name;
use url::Url;

use forest_html::address::{web_link, without_feed_scheme, without_fragment};
use forest_html::page::links::Base;
use forest_html::page::{NodeId, Page};
use forest_html::text::fold;

/// Candidates given at most.
const MAX_CANDIDATES: usize = 100;

/// Media types that only feeds have.
const FEED_TYPES: &[&str] = &[
    "application/rss+xml",
    "application/atom+xml",
    "application/feed+json",
    "application/rdf+xml",
    "text/rss+xml",
    "application/x.atom+xml",
];

/// Media types that feeds have beside other things (an API's JSON, a sitemap):
/// the address must look like a feed's too.
const WIDE_TYPES: &[&str] = &["application/json", "application/xml", "text/xml"];

/// Last segments of feeds' paths.
const FEED_NAMES: &str = "\
    feed feeds rss rss2 atom rss.xml rss2.xml atom.xml feed.xml feeds.xml index.xml \
    feed.json index.json index.rdf rss.php feed.php rss.json rss.aspx";

/// Ends of file names that only feeds have.
const FEED_ENDINGS: &[&str] = &[".rss", ".atom", ".rdf"];

/// "Comment" in the languages of weblogs, lower case, as it begins.
const COMMENTS: &[&str] = &[
    "comment",
    "kommenta",
    "kommentt",
    "commentaire",
    "comentari",
    "comentári",
    "comentario",
    "commenti",
    "reacties",
    "opmerking",
    "komentar",
    "komentář",
    "komentár",
    "hozzászólás",
    "yorum",
    "коммент",
    "комент",
    "каментар",
    "σχόλι",
    "σχολι",
    "bình luận",
    "ความคิดเห็น",
    "تعليق",
    "تعليقات",
    "תגובות",
    "टिप्पणी",
    "コメント",
    "댓글",
    "评论",
    "評論",
    "留言",
    "回响",
    "迴響",
];

/// Language codes that sites put first in a path.
const LANGUAGES: &[&str] = &[
    "ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "he", "hi", "hr",
    "hu", "id", "it", "ja", "ko", "lt", "lv", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr",
    "sv", "th", "tr", "uk", "vi", "zh",
];

/// A feed that a page names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedCandidate {
    /// Where the feed is.
    pub url: Url,
    /// The page's name of it; may be empty.
    pub title: String,
    /// The way in which the page names it.
    pub origin: FeedLinkKind,
    /// It looks like a feed of comments.
    pub comments: bool,
}

/// The way in which a page names a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FeedLinkKind {
    /// In a `link` element with a feed's media type.
    Link,
    /// By a link to an address that looks like a feed's, on the page's host.
    Anchor,
    /// The same, on another host.
    OtherHost,
}

/// The feeds that a page names, the best first; none if it names none.
///
/// Relative addresses are resolved against the page's `base` element and its own
/// address ([`Page::url`]); without either they are left out.
///
/// ```
/// use forest_core::feed::discover;
/// use forest_html::page::{Page, Source};
///
/// let html = br#"<html lang="en">
///     <link rel="alternate" type="application/rss+xml" title="Comments" href="/comments/feed">
///     <link rel="alternate" type="application/rss+xml" title="Posts" href="/feed">"#;
/// let source = Source { url: Some("https://example.org/"), ..Source::default() };
/// let feeds = discover(&Page::parse(html, source));
/// assert_eq!(feeds[0].url.as_str(), "https://example.org/feed");
/// assert!(feeds[1].comments);
/// ```
pub fn discover(page: &Page) -> Vec<FeedCandidate> {
    let own = page.url().and_then(|url| Url::parse(url).ok());
    let base = Base::of(page);
    let language = page
        .elements()
        .find(|&node| page.is(node, &local_name!("html")))
        .and_then(|html| page.attr(html, "lang"))
        .map(primary);
    let mut found: Vec<(bool, bool, FeedCandidate)> = Vec::new();
    let mut known = HashSet::new();
    let (mut links, mut anchors) = (0, 0);
    for node in page.elements() {
        let is_link = page.is(node, &local_name!("link"));
        // Each kind has its share, so that neither hides the other.
        let count = if is_link {
            &mut links
        } else if page.is(node, &local_name!("a")) || page.is(node, &local_name!("area")) {
            &mut anchors
        } else {
            continue;
        };
        if *count == MAX_CANDIDATES {
            continue;
        }
        let candidate = if is_link {
            link(page, node, base.url())
        } else {
            anchor(page, node, base.url(), own.as_ref())
        };
        let Some(candidate) = candidate else { continue };
        if own.as_ref() == Some(&candidate.url) || !known.insert(candidate.url.clone()) {
            continue;
        }
        *count += 1;
        let language_of_feed = page.attr(node, "hreflang").map(primary);
        let language_of_feed = language_of_feed.or_else(|| path_language(&candidate.url));
        let other = matches!((&language_of_feed, &language), (Some(language_of_feed), Some(page)) if language_of_feed != page);
        // A site may have the word in its own name; the address says more.
        let sure = comments_address(&candidate.url);
        found.push((sure, other, candidate));
    }
    found.sort_by_key(|(sure, other, candidate)| {
        (candidate.comments, *sure, candidate.origin, *other)
    });
    let candidates = found.into_iter().map(|(_, _, candidate)| candidate);
    candidates.take(MAX_CANDIDATES).collect()
}

fn link(page: &Page, node: NodeId, base: Option<&Url>) -> Option<FeedCandidate> {
    let relation = page.attr(node, "rel")?;
    let has = |name: &str| {
        relation
            .split_ascii_whitespace()
            .any(|word| word.eq_ignore_ascii_case(name))
    };
    if !(has("alternate") || has("feed")) || has("stylesheet") {
        return None;
    }
    let kind = page.attr(node, "type").unwrap_or_default();
    let kind = kind
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let url = address(base, page.attr(node, "href")?)?;
    let is_feed = FEED_TYPES.contains(&kind.as_str())
        || has("feed")
        || (WIDE_TYPES.contains(&kind.as_str()) && looks_like_feed(&url));
    let title = fold(page.attr(node, "title").unwrap_or_default());
    is_feed.then(|| FeedCandidate {
        comments: is_of_comments(&url, &title),
        url,
        title,
        origin: FeedLinkKind::Link,
    })
}

fn anchor(
    page: &Page,
    node: NodeId,
    base: Option<&Url>,
    own: Option<&Url>,
) -> Option<FeedCandidate> {
    let url = address(base, page.attr(node, "href")?)?;
    if !looks_like_feed(&url) {
        return None;
    }
    // A name is short; a link around half of the page has none.
    let text = page.text(node);
    let text = if text.len() <= 200 {
        fold(text)
    } else {
        String::new()
    };
    let title = match page.attr(node, "title") {
        Some(title) if text.is_empty() => fold(title),
        _ => text,
    };
    let same = own.is_some_and(|own| own.host_str() == url.host_str());
    Some(FeedCandidate {
        comments: is_of_comments(&url, &title),
        url,
        title,
        origin: if same {
            FeedLinkKind::Anchor
        } else {
            FeedLinkKind::OtherHost
        },
    })
}

/// An absolute address without its fragment; `feed:` before it goes.
fn address(base: Option<&Url>, href: &str) -> Option<Url> {
    web_link(base, &without_feed_scheme(href.trim())).map(without_fragment)
}

/// Returns true if an address is one that feeds have.
fn looks_like_feed(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    let last = path
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default();
    FEED_NAMES.split(' ').any(|name| name == last)
        || FEED_ENDINGS.iter().any(|end| last.ends_with(end))
        || path.contains("/feeds/posts/")
        || url.query_pairs().any(|(name, value)| {
            matches!(&*name, "feed" | "format" | "type" | "alt")
                && ["rss", "atom", "feed", "comments-rss"]
                    .iter()
                    .any(|kind| value.starts_with(kind))
        })
}

fn is_of_comments(url: &Url, title: &str) -> bool {
    let title = title.to_lowercase();
    comments_address(url) || COMMENTS.iter().any(|word| title.contains(word))
}

/// Returns true if an address has a word for comments in it.
fn comments_address(url: &Url) -> bool {
    let address = url[url::Position::BeforePath..].to_ascii_lowercase();
    address
        .split(|c: char| !c.is_ascii_alphabetic())
        .any(|word| {
            matches!(
                word,
                "comments" | "comment" | "kommentare" | "commentaires" | "comentarios"
            )
        })
}

/// The primary tag of a language: `en` of `en-GB`.
fn primary(language: &str) -> String {
    let tag = language.trim().split(['-', '_']).next().unwrap_or_default();
    tag.to_ascii_lowercase()
}

/// The language that the first segment of a path names.
fn path_language(url: &Url) -> Option<String> {
    let first = url.path_segments()?.next()?.to_ascii_lowercase();
    LANGUAGES.contains(&first.as_str()).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_html::page::Source;
    use proptest::prelude::*;

    fn found(html: &str) -> String {
        let source = Source {
            url: Some("https://h.example/blog/"),
            ..Source::default()
        };
        let page = Page::parse(html.as_bytes(), source);
        let shown: Vec<String> = discover(&page)
            .iter()
            .map(|candidate| candidate.url.as_str().replace("https://h.example/", "/"))
            .collect();
        shown.join(" ")
    }

    #[track_caller]
    fn check(html: &str, expected: &str) {
        assert_eq!(found(html), expected);
    }

    fn link(attributes: &str) -> String {
        format!("<link rel=alternate type='application/rss+xml' {attributes}>")
    }

    #[test]
    fn types() {
        check(
            "<link rel='Alternate home' type='application/atom+xml; charset=utf-8' href=a>
             <link rel=alternate type='application/feed+json' href='/b'>
             <link rel=feed href='//c.example/d'>
             <link rel=alternate type='application/json' href='/feed.json'>
             <link rel=alternate type='application/json' href='/wp-json/wp/v2/pages/1'>
             <link rel=alternate type='application/json+oembed' href='/feed.json?e'>
             <link rel='alternate stylesheet' type='application/rss+xml' href=s>
             <link rel=stylesheet type='application/rss+xml' href=s>
             <link rel=alternate hreflang=de href='/de/'>
             <link rel=alternate type='application/rss+xml'>
             <link rel=alternate type='application/rss+xml' href='mailto:x'>",
            "/blog/a /b https://c.example/d /feed.json",
        );
    }

    #[test]
    fn base_element() {
        let with = |base: &str| format!("<base href='{base}'><base href=/x/>{}", link("href=feed"));
        check(&with("/y/"), "/y/feed");
        check(&with("https://o.example/z/"), "https://o.example/z/feed");
        check(&with("data:x"), "/blog/feed");
    }

    #[test]
    fn posts_before_comments() {
        for comments in [
            "href=/comments/feed/",
            "href='/?feed=comments-rss2'",
            "href=/feeds/comments/default",
            "href=/comments/feed title='The Commentary » Comments'",
            "href=/k title='Mein Blog » Kommentar-Feed'",
            "href=/k title='Blog &raquo; Flux des commentaires'",
            "href=/k title='Лента комментариев'",
            "href=/k title='评论 Feed'",
            "href=/k title='Σχόλια'",
        ] {
            let html = format!("{}{}", link(comments), link("href=/feed/ title=Posts"));
            assert!(found(&html).starts_with("/feed/ "), "{comments}");
        }
        check(
            &format!("{}<a href=/rss>RSS</a>", link("href=/comments/feed")),
            "/rss /comments/feed",
        );
    }

    #[test]
    fn the_pages_language_first() {
        let both = format!(
            "{}{}",
            link("href=/feed hreflang=en-US"),
            link("href=/f2 hreflang=de")
        );
        check(&format!("<html lang=de-AT>{both}"), "/f2 /feed");
        check(&format!("<html lang=en>{both}"), "/feed /f2");
        check(&both, "/feed /f2");
        let paths = format!("{}{}", link("href=/en/feed"), link("href=/pl/feed"));
        check(&format!("<html lang=pl>{paths}"), "/pl/feed /en/feed");
    }

    #[test]
    fn links_that_look_like_feeds() {
        check(
            "<a href='https://o.example/rss.xml'>O</a><a href=/news.rss>x</a><a href='/feed/'>x</a><a href='/about'>x</a>
             <a href='index.xml#top'>x</a><a href='?feed=rss2'>x</a><a href='feed:https://h.example/atom.xml'>x</a>
             <a href='/atom.xml'>again</a><a href='/sitemap.xml'>no</a><a href='/feedback'>no</a>",
            "/news.rss /feed/ /blog/index.xml /blog/?feed=rss2 /atom.xml https://o.example/rss.xml",
        );
        check(
            &format!("<a href=/feed>x</a>{}", link("href=/f")),
            "/f /feed",
        );
    }

    #[test]
    fn none() {
        check("", "");
        check("<p>Nothing</p>", "");
        let page = Page::from_html(&link("href=/relative"));
        assert_eq!(discover(&page), []);
    }

    #[test]
    fn bounded() {
        let many: String = (0..300)
            .map(|n| format!("<a href='/{n}.rss'></a>"))
            .collect();
        assert_eq!(found(&many).split(' ').count(), MAX_CANDIDATES);
        check(
            &format!("{many}{}", link("href=/f")).replace("<a", "<b"),
            "/f",
        );
        assert!(found(&format!("{many}{}", link("href=/f"))).starts_with("/f "));
    }

    proptest! {
        #[test]
        fn no_bytes_panic(href in ".{0,40}", title in ".{0,20}", base in ".{0,20}") {
            let html = format!("<base href='{base}'><link rel=alternate type='application/rss+xml' title='{title}' href='{href}'><a href='{href}'>{title}</a>");
            let _ = found(&html);
        }
    }
}
