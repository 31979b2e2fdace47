//! What a page says of itself: title, authors, dates, language, images.
//!
//! Takes a [`Page`], gives its [`Metadata`] from JSON-LD, OpenGraph, the other
//! `meta` vocabularies in use (Dublin Core, Highwire's `citation_`, Parse.ly,
//! Sailthru), microdata, `time`, `link`, `title` and `lang`. One pass over the
//! page's elements; nothing is guessed from names of classes.
//!
//! Each field comes from the first source that has it, in the order in which
//! [`Metadata`] lists them. Everything is bounded: [`MAX_VALUES`] authors, tags
//! and images, a megabyte of JSON-LD.

mod collect;
mod date;
mod jsonld;
mod months;
mod names;
#[cfg(test)]
mod tests;
mod title;

pub use date::{Date, same_day};
use names::is_handle;
pub use names::names;

use super::Page;
use super::links::Base;
use super::plain::{fold, text_of_html};
use crate::text::Language;
use collect::Facts;
use jsonld::{ARTICLE_BODY, JsonLd, ScriptSet};
use std::sync::OnceLock;

/// Authors, tags and images of a page that are kept: more are lists of links.
pub const MAX_VALUES: usize = 64;

/// Bytes of a title, an author's or site's name or a tag; what is longer is none.
const MAX_NAME_BYTES: usize = 1000;

/// What a page says of itself. Strings have their white space folded and
/// entities that were escaped twice decoded; none is empty.
///
/// ```
/// use forest::page::Page;
/// use forest::page::metadata::metadata;
///
/// let page = Page::from_html(
///     "<html lang=en><title>Rain | The Paper</title><meta property=og:site_name content='The Paper'>
///      <meta name=author content='A. Reporter'><time itemprop=datePublished datetime=2024-03-05>today</time>",
/// );
/// let metadata = metadata(&page);
/// assert_eq!(metadata.title.as_deref(), Some("Rain"));
/// assert_eq!(metadata.authors, ["A. Reporter"]);
/// assert_eq!(metadata.date_published.as_ref().unwrap().rfc3339.as_deref().unwrap(), "2024-03-05T00:00:00Z");
/// assert_eq!(metadata.language.as_deref(), Some("en"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// JSON-LD `headline`, `og:title`, `citation_title`, `dc.title`, Parse.ly and
    /// Sailthru, `twitter:title`, `itemprop=headline`, `title`, the first heading that is not
    /// the site's name (`h1` before `h2` and `h3`).
    /// The site's name is cut off where the page proves what it is: its
    /// `og:site_name` and the like, its host, the text of its links to the home
    /// page or to the section it is in, or a heading that is the rest.
    pub title: Option<String>,
    /// `og:description`, JSON-LD, `meta name=description`, `twitter:description`.
    pub description: Option<String>,
    /// JSON-LD `author`, `meta` (`author`, `article:author`, `citation_author`,
    /// `dc.creator`, ...), `itemprop=author`, `rel=author`. Addresses and `@handles` are no
    /// names.
    pub authors: Vec<String>,
    /// JSON-LD, `article:published_time`, the other vocabularies,
    /// `itemprop=datePublished`, `time` with `pubdate`, the first `time` with a
    /// `datetime`, the day in the page's address (`/2024/03/05/`). A source that can
    /// be read comes before one that cannot.
    pub date_published: Option<Date>,
    /// JSON-LD, `article:modified_time`, `og:updated_time`, the other
    /// vocabularies, `itemprop=dateModified`.
    pub date_modified: Option<Date>,
    /// A language tag as the page has it: `html lang`, `content-language`,
    /// `og:locale`, JSON-LD `inLanguage`, `dc.language`.
    pub language: Option<String>,
    /// `og:image`, JSON-LD `image`, `twitter:image`, `link rel=image_src`;
    /// absolute where the page's address is known.
    pub images: Vec<String>,
    /// `og:site_name`, JSON-LD `WebSite` or `publisher`, `application-name`.
    pub site_name: Option<String>,
    /// `link rel=canonical`, `og:url`, JSON-LD `url`; absolute where the page's
    /// address is known.
    pub canonical: Option<String>,
    /// `article:tag`, JSON-LD `keywords`, `news_keywords`, Parse.ly and Sailthru,
    /// `keywords`, `rel=tag` outside of side bars, menus and footers (`aside`, `nav` and
    /// `footer` that are not in an `article` or a `main`).
    pub tags: Vec<String>,
}

/// The parts that were read of a page so far: each is read once.
#[derive(Debug, Default)]
pub(super) struct Cache {
    json: OnceLock<JsonLd>,
    metadata: OnceLock<Metadata>,
    article_body: OnceLock<Option<String>>,
}

fn json(page: &Page) -> &JsonLd {
    page.cache.json.get_or_init(|| JsonLd::of(page))
}

/// The metadata of a page, read when it is first asked for.
pub fn metadata(page: &Page) -> &Metadata {
    page.cache.metadata.get_or_init(|| read(page))
}

fn read(page: &Page) -> Metadata {
    let base = Base::of(page);
    let facts = Facts::collect(page);
    let resolved = |url: &str| base.resolve(url).map(|url| url.into_owned());
    let canonical = facts.canonical.get().and_then(resolved);
    let urls: Vec<&str> = page.url().into_iter().chain(canonical.as_deref()).collect();
    let about = json(page).about(ScriptSet::Declared, &urls);
    let string = |key| about.string(key);

    let site_name = first_name([facts.og_site_name, about.site_name(), facts.application]);
    let language = first_name([facts.language.get(), string("inLanguage")]);
    let spoken = language
        .as_deref()
        .map_or(Language::Unknown, Language::from_tag);
    let mut titles: Vec<&str> = about.headline().into_iter().collect();
    titles.extend(facts.titles.iter());
    Metadata {
        title: title::title(&titles, &facts, site_name.as_deref(), page.url()),
        description: [
            facts.og_description,
            string("description"),
            facts.description.get(),
        ]
        .into_iter()
        .flatten()
        .map(clean)
        .find(|text| !text.is_empty()),
        authors: first_list([
            &about.strings("author", MAX_VALUES),
            &facts.authors,
            &facts.item_authors,
        ])
        .filter(|name| !is_url(name) && !is_handle(name))
        .collect_names(),
        date_published: first_date(
            spoken,
            [string("datePublished")]
                .into_iter()
                .flatten()
                .chain(facts.published.iter())
                .chain(
                    [string("dateCreated"), string("uploadDate")]
                        .into_iter()
                        .flatten(),
                )
                .chain(facts.time)
                .chain(day_in(page.url().or(canonical.as_deref()))),
        ),
        date_modified: first_date(
            spoken,
            string("dateModified")
                .into_iter()
                .chain(facts.modified.iter()),
        ),
        language,
        images: {
            let mut images = Vec::new();
            let json = about.strings("image", MAX_VALUES);
            for url in facts.og_images.iter().chain(&json).chain(&facts.images) {
                if let Some(url) = resolved(url)
                    && images.len() < MAX_VALUES
                    && !images.contains(&url)
                {
                    images.push(url);
                }
            }
            images
        },
        canonical: canonical.or_else(|| facts.og_url.or(string("url")).and_then(resolved)),
        tags: {
            let json = about.strings("keywords", MAX_VALUES);
            let lists: [&[&str]; 4] =
                [&facts.article_tags, &json, &facts.keywords, &facts.rel_tags];
            first_list(lists)
                .flat_map(|list| list.split([',', ';', '、', '，']))
                .collect_names()
        },
        site_name,
    }
}

/// The article's text as the page's JSON-LD has it (`articleBody`), white space
/// folded and without markup; `None` where it has none.
///
/// ```
/// use forest::page::Page;
/// use forest::page::metadata::article_body;
///
/// let page = Page::from_html(
///     "<script type=application/ld+json>{\"@type\":\"NewsArticle\",\"articleBody\":\"<p>It  rained.\"}</script>",
/// );
/// assert_eq!(article_body(&page), Some("It rained."));
/// ```
pub fn article_body(page: &Page) -> Option<&str> {
    let read = || {
        let urls: Vec<&str> = page.url().into_iter().collect();
        let about = json(page).about(ScriptSet::WithBody, &urls);
        let body = about.string(ARTICLE_BODY).map(text_of_html)?;
        Some(fold(&body)).filter(|body| !body.is_empty())
    };
    page.cache.article_body.get_or_init(read).as_deref()
}

/// White space folded, and entities decoded that are still there: content systems
/// escape twice. Text with a `<` is left alone, it may speak of tags.
fn clean(text: &str) -> String {
    if text.contains('&') && text.contains(';') && !text.contains('<') {
        return text_of_html(text).replace('\n', " ");
    }
    fold(text)
}

fn name(text: &str) -> Option<String> {
    if text.len() > MAX_NAME_BYTES {
        return None;
    }
    Some(clean(text)).filter(|text| !text.is_empty())
}

fn first_name<'a>(candidates: impl IntoIterator<Item = Option<&'a str>>) -> Option<String> {
    candidates.into_iter().flatten().find_map(name)
}

/// The first list that has a name.
fn first_list<'a, const N: usize>(lists: [&'a [&'a str]; N]) -> impl Iterator<Item = &'a str> {
    let is_name = |text: &&str| !text.trim().is_empty() && !is_url(text) && !is_handle(text);
    lists
        .into_iter()
        .find(|list| list.iter().any(is_name))
        .into_iter()
        .flatten()
        .copied()
}

/// Names without repetition.
trait CollectNames {
    fn collect_names(self) -> Vec<String>;
}

impl<'a, I: Iterator<Item = &'a str>> CollectNames for I {
    fn collect_names(self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in self.take(MAX_VALUES).filter_map(name) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

fn is_url(text: &str) -> bool {
    let text = text.trim_start();
    ["http://", "https://", "//", "www."]
        .iter()
        .any(|start| text.starts_with(start))
}

/// The day in the path of an address: `/2024/03/05/`, `/2024-03-05-`.
fn day_in(url: Option<&str>) -> Option<&str> {
    const DAY: usize = "2024/03/05".len();
    let url = url?;
    let starts = url.match_indices('/').map(|(at, _)| at + 1);
    starts.into_iter().find_map(|at| {
        let day = url.get(at..at + DAY)?;
        let is_day = day.bytes().enumerate().all(|(at, b)| match at {
            4 | 7 => b == day.as_bytes()[4] && matches!(b, b'/' | b'-'),
            _ => b.is_ascii_digit(),
        });
        let ends = !url[at + DAY..].starts_with(|c: char| c.is_ascii_digit());
        (is_day && ends).then_some(day)
    })
}

/// The first date that can be read, else the first.
fn first_date<'a>(language: Language, candidates: impl Iterator<Item = &'a str>) -> Option<Date> {
    let mut first = None;
    for raw in candidates.filter(|raw| raw.len() <= MAX_NAME_BYTES) {
        let date = Date::read_in(raw, language);
        if date.rfc3339.is_some() {
            return Some(date);
        }
        first = first
            .or(Some(date))
            .filter(|date: &Date| !date.raw.is_empty());
    }
    first
}
