//! The claims of a page about itself: OpenGraph, schema.org, the class of its body, its
//! address.

use super::target::PageAddress;
use forest_html::page::{NodeId, Page};
use html5ever::local_name;

/// Types of schema.org that stand for an article.
const ARTICLE_TYPES: [&str; 8] = [
    "NewsArticle",
    "Article",
    "BlogPosting",
    "ReportageNewsArticle",
    "OpinionNewsArticle",
    "LiveBlogPosting",
    "TechArticle",
    "Recipe",
];

/// Types of schema.org that stand for a list.
const LISTING_TYPES: [&str; 4] = ["CollectionPage", "ItemList", "SearchResultsPage", "Blog"];

/// The claims of a page.
#[derive(Debug, Default)]
pub(super) struct Claims<'a> {
    /// `og:type` is `article`, or JSON-LD or the body's class claim an article.
    pub article: u32,
    /// The same for lists, home pages, archives and search results.
    pub listing: u32,
    /// It has a time of publication.
    pub published: bool,
    /// JSON-LD `isAccessibleForFree` is false.
    pub is_sold: bool,
    /// A `meta` sends the reader to another page.
    pub refresh: bool,
    /// The body's class is that of an error page.
    pub error: bool,
    pub canonical: Option<&'a str>,
    pub og_url: Option<&'a str>,
}

impl<'a> Claims<'a> {
    /// The page's own address, else the one that it claims.
    pub fn address(&self, page: &'a Page) -> PageAddress<'a> {
        PageAddress::first_of([page.url(), self.canonical, self.og_url])
    }

    pub fn meta(&mut self, page: &'a Page, n: NodeId) {
        let (mut name, mut content) = ("", "");
        for (key, value) in page.attrs(n) {
            match key.local {
                local_name!("property") | local_name!("name") | local_name!("http-equiv") => {
                    name = value;
                }
                local_name!("content") => content = value.trim(),
                _ => {}
            }
        }
        match name {
            "og:type" if content.eq_ignore_ascii_case("article") => self.article += 1,
            "og:type" if content.eq_ignore_ascii_case("website") => self.listing += 1,
            "article:published_time" | "og:published_time" => self.published = true,
            "og:url" => self.og_url = Some(content),
            _ if name.eq_ignore_ascii_case("refresh") => {
                self.refresh = content.to_ascii_lowercase().contains("url=");
            }
            _ => {}
        }
    }

    pub fn link(&mut self, page: &'a Page, n: NodeId) {
        if page
            .attr(n, "rel")
            .is_some_and(|rel| rel.eq_ignore_ascii_case("canonical"))
        {
            self.canonical = page.attr(n, "href");
        }
    }

    pub fn body(&mut self, page: &'a Page, n: NodeId) {
        let class = page.attr(n, "class").unwrap_or_default();
        for token in class.split_ascii_whitespace().take(64) {
            match token {
                "single"
                | "single-post"
                | "node-type-article"
                | "page-node-type-article"
                | "article-page"
                | "is-article" => self.article += 1,
                "home" | "blog" | "archive" | "category" | "tag" | "search" | "search-results"
                | "front" | "path-frontpage" | "date" | "home-template" | "tag-template"
                | "homepage" => self.listing += 1,
                "error404" | "page-404" | "error-404" => self.error = true,
                _ => {}
            }
        }
    }

    /// The claims of the page's JSON-LD.
    pub fn json(&mut self, page: &Page) {
        let metadata = page.metadata();
        let claims = |types: &[&str]| {
            let mut named = metadata.schema_types.iter();
            u32::from(named.any(|named| types.contains(&named.as_str())))
        };
        self.article += claims(&ARTICLE_TYPES);
        self.listing += claims(&LISTING_TYPES);
        self.is_sold |= metadata.is_sold;
    }
}

/// The kind of page that the path of an address stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathKind {
    /// The root of a site or of one of its languages.
    Home,
    /// A category, a tag, an archive, a search.
    List,
    /// A date or a slug, as articles have it.
    Article,
    /// Nothing.
    Unclear,
}

/// Words of paths to lists.
const LISTS: [&str; 21] = [
    "category",
    "categories",
    "tag",
    "tags",
    "author",
    "authors",
    "search",
    "page",
    "archive",
    "archives",
    "topic",
    "topics",
    "label",
    "kategorie",
    "categorie",
    "categoria",
    "rubrik",
    "rubrique",
    "schlagwort",
    "etiqueta",
    "sitemap",
];

impl PathKind {
    /// The kind by a page's own address, if that is known.
    pub fn of_page(own: &PageAddress<'_>) -> PathKind {
        if own.is_known() {
            PathKind::of(own.path)
        } else {
            PathKind::Unclear
        }
    }

    /// `path` without a slash at its end.
    fn of(path: &str) -> PathKind {
        let path = path.strip_prefix('/').unwrap_or(path);
        if path.is_empty() || path.len() == 2 || path.starts_with("index.") {
            return PathKind::Home;
        }
        if let Some(query) = path.strip_prefix('?') {
            let lists = ["s=", "q=", "paged=", "cat=", "tag=", "m="];
            return if lists.iter().any(|key| query.starts_with(key)) {
                PathKind::List
            } else {
                PathKind::Unclear
            };
        }
        let segments: Vec<&str> = path.split('/').take(16).collect();
        let last = segments.last().copied().unwrap_or_default();
        let is_number = |s: &&str| s.bytes().all(|b| b.is_ascii_digit());
        if segments.len() <= 3 && segments.iter().all(is_number) && segments[0].len() == 4 {
            return PathKind::List;
        }
        let words = last
            .split(['-', '_', '+'])
            .filter(|w| !w.is_empty())
            .count();
        let digits = last.bytes().filter(u8::is_ascii_digit).count();
        if words >= 4 || digits >= 4 {
            return PathKind::Article;
        }
        let before_last = segments.iter().rev().skip(1).take(2);
        if LISTS.contains(&last) || before_last.into_iter().any(|s| LISTS.contains(s)) {
            return PathKind::List;
        }
        PathKind::Unclear
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_tell_lists_from_articles() {
        let check = |path, expected| assert_eq!(PathKind::of(path), expected, "{path}");
        check("", PathKind::Home);
        check("/en", PathKind::Home);
        check("/index.html", PathKind::Home);
        check("/category/culture", PathKind::List);
        check("/tag/boats/page/2", PathKind::List);
        check("/2025/03", PathKind::List);
        check("/?s=boats", PathKind::List);
        check("/?p=77", PathKind::Unclear);
        check("/2025/03/04/the-ferry-is-late-again", PathKind::Article);
        check("/news/88121.html", PathKind::Article);
        check("/about", PathKind::Unclear);
    }

    #[test]
    fn what_a_page_claims_to_be() {
        let page = Page::from_html(
            "<meta property=og:type content=article><script type=application/ld+json>\
             {\"@graph\":[{\"@type\": [\"NewsArticle\"], \"isAccessibleForFree\" : \"False\"},\
             {\"@type\":\"ItemList\"}]}</script><body class='x error404 home'>",
        );
        let mut claims = Claims::default();
        claims.json(&page);
        for n in page.elements() {
            claims.meta(&page, n);
            claims.body(&page, n);
        }
        assert_eq!((claims.article, claims.listing), (2, 2));
        assert!(claims.is_sold && claims.error && !claims.published);
    }
}
