//! The claims of a page about itself: OpenGraph, schema.org, the class of its body, its
//! address.

use super::target::PageAddress;
use crate::page::{NodeId, Page};
use html5ever::local_name;

/// Bytes of JSON-LD that are looked at, all scripts together.
const MAX_JSON_BYTES: usize = 200_000;

/// The claims of a page.
#[derive(Debug, Default)]
pub(super) struct Claims<'a> {
    /// `og:type` is `article`, or JSON-LD or the body's class say so.
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
    json_bytes: usize,
    json_article: bool,
    json_listing: bool,
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

    pub fn script(&mut self, page: &'a Page, n: NodeId) {
        let kind = page.attr(n, "type").unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/ld+json") {
            return;
        }
        let json = page.text(n);
        self.json_bytes = self.json_bytes.saturating_add(json.len());
        if self.json_bytes > MAX_JSON_BYTES {
            return;
        }
        for after in json.split("\"@type\"").skip(1) {
            match quoted(after) {
                "NewsArticle"
                | "Article"
                | "BlogPosting"
                | "ReportageNewsArticle"
                | "OpinionNewsArticle"
                | "LiveBlogPosting"
                | "TechArticle"
                | "Recipe"
                    if !self.json_article =>
                {
                    self.json_article = true;
                    self.article += 1;
                }
                "CollectionPage" | "ItemList" | "SearchResultsPage" | "Blog"
                    if !self.json_listing =>
                {
                    self.json_listing = true;
                    self.listing += 1;
                }
                _ => {}
            }
        }
        if let Some((_, after)) = json.split_once("\"isAccessibleForFree\"") {
            let value = after.trim_start_matches([':', ' ', '"', '\n', '\r', '\t']);
            self.is_sold |= value
                .as_bytes()
                .get(..5)
                .is_some_and(|v| v.eq_ignore_ascii_case(b"false"));
        }
    }
}

/// The first string after a key, the first of a list.
fn quoted(after: &str) -> &str {
    let value = after.trim_start_matches([':', '[', ' ', '\n', '\r', '\t']);
    let inner = value.strip_prefix('"').unwrap_or_default();
    inner.split('"').next().unwrap_or_default()
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
    /// Of a page's own address, where that is known.
    pub fn of_page(own: &PageAddress<'_>) -> PathKind {
        match own.is_known() {
            true => PathKind::of(own.path),
            false => PathKind::Unclear,
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
            return match lists.iter().any(|key| query.starts_with(key)) {
                true => PathKind::List,
                false => PathKind::Unclear,
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
        for n in page.elements() {
            claims.meta(&page, n);
            claims.script(&page, n);
            claims.body(&page, n);
        }
        assert_eq!((claims.article, claims.listing), (2, 2));
        assert!(claims.is_sold && claims.error && !claims.published);
    }
}
