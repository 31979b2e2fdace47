//! The claims of a page about itself: OpenGraph, schema.org, the class of its body.

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

/// The claims of a page.
#[derive(Debug, Default)]
pub(super) struct Claims<'a> {
    /// `og:type` is `article`, or JSON-LD or the body's class claim an article.
    pub article: u32,
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
                "error404" | "page-404" | "error-404" => self.error = true,
                _ => {}
            }
        }
    }

    /// The claims of the page's OpenGraph type and JSON-LD.
    pub fn described(&mut self, page: &Page) {
        let metadata = page.metadata();
        let og_type = metadata.og_type.as_deref();
        let is_article = og_type.is_some_and(|named| named.eq_ignore_ascii_case("article"));
        self.article += u32::from(is_article);
        let mut named = metadata.schema_types.iter();
        let is_article = named.any(|named| ARTICLE_TYPES.contains(&named.as_str()));
        self.article += u32::from(is_article);
        self.is_sold |= metadata.is_sold;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_claims_to_be() {
        let page = Page::from_html(
            "<meta property=og:type content=article><script type=application/ld+json>\
             {\"@graph\":[{\"@type\": [\"NewsArticle\"], \"isAccessibleForFree\" : \"False\"},\
             {\"@type\":\"ItemList\"}]}</script><body class='x error404 home'>",
        );
        let mut claims = Claims::default();
        claims.described(&page);
        for n in page.elements() {
            claims.meta(&page, n);
            claims.body(&page, n);
        }
        assert_eq!(claims.article, 2);
        assert!(claims.is_sold && claims.error && !claims.published);
    }
}
