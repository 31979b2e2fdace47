//! An article of a book, as XHTML that loads nothing from elsewhere.
//!
//! Takes the clean HTML of an article; gives a document whose pictures are files of the book, whose
//! links lead to the web or into it, and whose other attributes are those that books allow.

use super::xml_text::escaped;
use crate::{ArticleVersion, StoredArticle};
use chrono::{DateTime, Utc};
use forest_core::feed::FeedItem;
use forest_core::render::{item_html, name_pictures, paragraphs};
use forest_html::page::{NodeId, Page};
use forest_text::filter::{Descent, FilterEngine, FilterSettings, PageEdit, PageFilter};
use forest_text::prose::xhtml::xhtml;
use std::collections::{BTreeSet, HashMap};
use url::Url;

/// The folder of pictures in a book.
pub(super) const PICTURES: &str = "pictures/";

/// Attributes that stay on any element.
const ATTRIBUTES: [&str; 8] = [
    "alt", "class", "content", "dir", "lang", "name", "rel", "title",
];

const MATHML: &str = "http://www.w3.org/1998/Math/MathML";

/// An article of a book.
#[derive(Debug)]
pub(super) struct Chapter {
    pub key: String,
    pub title: String,
    /// The day by which it is dated.
    pub day: String,
    pub language: Option<String>,
    /// The time of its version.
    pub at: DateTime<Utc>,
    pub has_formulas: bool,
    /// Its document.
    pub xhtml: String,
}

impl Chapter {
    /// The chapter of a version. `html`: its clean HTML; `fuller`: an item of its feed that says
    /// more; `names`: the files of its pictures, by their addresses.
    pub fn of(
        article: &StoredArticle,
        version: &ArticleVersion,
        html: Option<String>,
        fuller: Option<&FeedItem>,
        names: HashMap<String, String>,
    ) -> Chapter {
        let record = &version.record;
        let title = record.title.as_deref().map(str::trim);
        let title = title.filter(|title| !title.is_empty());
        let title = title.unwrap_or(&article.url);
        let html = match fuller {
            Some(item) => name_pictures(&item_html(item), names),
            None => html.unwrap_or_else(|| paragraphs(&record.text)),
        };
        let published = record.date_published.as_deref();
        let published = published.and_then(|date| date.get(..10));
        let day =
            published.map_or_else(|| version.at.format("%Y-%m-%d").to_string(), str::to_owned);
        let html = record.head(title).cut_html(&html);
        let page = Page::from_html(&document(
            (title, &day, article),
            (&record.authors, record.language.as_deref()),
            &html,
        ));
        let xhtml = as_xhtml(&page);
        Chapter {
            key: article.key.clone(),
            title: title.to_owned(),
            day,
            language: record.language.clone(),
            at: version.at,
            has_formulas: xhtml.contains("<math"),
            xhtml,
        }
    }
}

/// The whole HTML of a chapter.
fn document(
    (title, day, article): (&str, &str, &StoredArticle),
    (authors, language): (&[String], Option<&str>),
    html: &str,
) -> String {
    let language = language.map(|tag| format!(" lang=\"{}\"", escaped(tag)));
    let (title, authors) = (escaped(title), escaped(&authors.join(", ")));
    let (by, about) = match authors.as_str() {
        "" => (String::new(), String::new()),
        authors => (
            format!("<meta name=\"author\" content=\"{authors}\">"),
            format!("{authors} · "),
        ),
    };
    format!(
        "<!DOCTYPE html><html{}><head><title>{title}</title>{by}\
         <link rel=\"stylesheet\" href=\"style.css\"></head>\
         <body><h1 dir=\"auto\">{title}</h1>\
         <p class=\"about\">{about}{} · <a href=\"{}\">{}</a></p>{html}</body></html>",
        language.unwrap_or_default(),
        escaped(day),
        escaped(&article.url),
        escaped(&article.site)
    )
}

fn as_xhtml(page: &Page) -> String {
    let ids = page.elements().filter_map(|n| page.attr(n, "id"));
    let filter = BookNodes {
        ids: ids.map(str::to_owned).collect(),
    };
    let engine = FilterEngine::new(FilterSettings::none()).with_filter(filter);
    let left = engine.filter(page).document("");
    xhtml(&Page::from_html(&left)).text
}

/// Leaves what a book may have.
#[derive(Debug)]
struct BookNodes {
    /// The ids of the article, to which its links may lead.
    ids: BTreeSet<String>,
}

impl BookNodes {
    fn keeps(&self, tag: &str, name: &str, value: &str) -> bool {
        let is_number =
            || (1..=5).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_digit());
        match (tag, name) {
            ("link", "href") => true,
            ("a", "href") => match value.strip_prefix('#') {
                Some(id) => self.ids.contains(id),
                None => Url::parse(value)
                    .is_ok_and(|url| matches!(url.scheme(), "http" | "https" | "mailto")),
            },
            ("img", "src") => value.starts_with(PICTURES),
            ("img", "width" | "height") | ("td" | "th", "colspan" | "rowspan") => is_number(),
            ("ol", "start") => value.parse::<i32>().is_ok(),
            (_, "id") => !value.is_empty() && !value.contains(char::is_whitespace),
            (_, name) => ATTRIBUTES.contains(&name),
        }
    }
}

impl PageFilter for BookNodes {
    fn name(&self) -> &'static str {
        "nodes of a book"
    }

    fn edit(&self, element: NodeId, page: &mut PageEdit<'_>) {
        let Some(name) = page.page().name(element) else {
            return;
        };
        // The attributes of formulas are those of the project's own writer.
        if *name.ns == *MATHML {
            return;
        }
        let tag = &*name.local;
        let attrs = page.attrs(element);
        let dropped = attrs.filter(|(_, name, value)| !self.keeps(tag, name, value));
        let dropped: Vec<usize> = dropped.map(|(place, ..)| place).collect();
        for place in dropped {
            page.drop_attr(element, place);
        }
    }

    fn delete(&self, node: NodeId, page: &mut PageEdit<'_>) -> Descent {
        let is_picture = page.tag(node).is_some_and(|tag| **tag == *"img");
        if is_picture && page.attr(node, "src").is_none() {
            let text = page.attr(node, "alt").unwrap_or_default().trim();
            let text = match text {
                "" => "[Picture]".to_owned(),
                text => format!("[Picture: {text}]"),
            };
            page.replace(node, &text);
            return Descent::Skip;
        }
        Descent::Children
    }

    fn filters_portals(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(html: &str, expected: &str) {
        let page = Page::from_html(&format!("<title>T</title><body>{html}"));
        let xhtml = as_xhtml(&page);
        let (_, body) = xhtml.split_once("<body>").expect("a body");
        assert_eq!(body, format!("{expected}</body></html>\n"), "{html}");
        roxmltree::Document::parse_with_options(
            &xhtml,
            roxmltree::ParsingOptions {
                allow_dtd: true,
                ..Default::default()
            },
        )
        .expect("XML");
    }

    #[test]
    fn a_chapter_loads_nothing_from_elsewhere() {
        check(
            "<p align=left onclick=x>One<br><img src=\"pictures/1.png\" alt=\"A & b\" width=4 height=\"50%\">",
            "<p>One<br /><img src=\"pictures/1.png\" alt=\"A &amp; b\" width=\"4\" /></p>",
        );
        check(
            "<h1 dir=auto>T</h1><p class=about>a · <a href=\"http://a.example/\">b</a></p>",
            "<h1 dir=\"auto\">T</h1><p class=\"about\">a · <a href=\"http://a.example/\">b</a></p>",
        );
        check(
            "<p><img src=\"https://a.example/1.png\" alt=\"A ferry\"><img src=x></p>",
            "<p>[Picture: A ferry][Picture]</p>",
        );
        check(
            "<p id=\"a b\"><a href=\"#n\">1</a> <a href=\"#gone\">2</a> <a href=\"javascript:1\">3</a> <a href=\"https://a.example/?a&amp;b\">4</a></p><p id=n>5</p>",
            "<p><a href=\"#n\">1</a> <a>2</a> <a>3</a> <a href=\"https://a.example/?a&amp;b\">4</a></p><p id=\"n\">5</p>",
        );
    }
}
