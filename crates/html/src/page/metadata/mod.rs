//! The description that a page gives of itself: title, authors, dates, language, images.
//!
//! Takes a [`Page`], gives its [`Metadata`] from JSON-LD, OpenGraph, the other
//! `meta` vocabularies in use (Dublin Core, Highwire's `citation_`, Parse.ly,
//! Sailthru), microdata, `time`, `link`, `title` and `lang`. One pass over the
//! page's elements. Names of classes are read for authors and dates alone (`byline`), where
//! nothing else says them.
//!
//! Each field comes from the first source that has it, in the order in which
//! [`Metadata`] lists them. Everything is bounded: [`MAX_VALUES`] authors, tags
//! and images, a megabyte of JSON-LD.

mod byline;
mod class_names;
mod clean;
mod collect;
mod date;
mod jsonld;
mod months;
mod names;
mod origin;
mod record;
mod regions;
#[cfg(test)]
mod tests;
mod title;

pub use byline::author_within;
pub use clean::MAX_VALUES;
pub use date::{Date, same_day};
pub use names::names;
pub use record::Metadata;

use super::Page;
use super::links::Base;
use super::plain::text_of_html;
use crate::text::Language;
use crate::text::{fold, same_words};
use byline::Bylines;
use clean::{MAX_NAME_BYTES, clean, is_handle, is_url, name};
use collect::MetadataFacts;
use std::cell::LazyCell;

impl Page {
    /// The page's description of itself; read on the first call, then kept.
    pub fn metadata(&self) -> &Metadata {
        self.metadata.get_or_init(|| read(self))
    }
}

fn read(page: &Page) -> Metadata {
    let base = Base::of(page);
    let facts = MetadataFacts::collect(page);
    let resolved = |url: &str| base.resolve(url).map(|url| url.into_owned());
    let canonical = facts.canonical.get().and_then(resolved);
    let urls: Vec<&str> = page.url().into_iter().chain(canonical.as_deref()).collect();
    let about = facts.json.about(&urls);
    let string = |key| about.string(key);

    let site_name = first_name([facts.og_site_name, about.site_name(), facts.application]);
    let language = first_name([facts.language.get(), string("inLanguage")]);
    let text_language = language
        .as_deref()
        .map_or(Language::Unknown, Language::from_tag);
    let mut titles: Vec<&str> = about.headline().into_iter().collect();
    titles.extend(facts.titles.iter());
    // Most heads name author and date: then nobody looks for them in the body.
    let bylines = LazyCell::new(|| Bylines::of(page));
    let json_authors = about.strings("author", MAX_VALUES);
    let heads = [&*json_authors, &facts.authors];
    let (authors, source_of_authors) = authors(heads, &bylines, site_name.as_deref());
    let stated_date = first_date(
        text_language,
        string("datePublished")
            .into_iter()
            .chain(facts.published.iter())
            .chain(string("dateCreated"))
            .chain(string("uploadDate"))
            .chain(facts.time)
            .chain(day_in(page.url().or(canonical.as_deref()))),
    );
    let is_read = |date: &Option<Date>| date.as_ref().is_some_and(|date| date.rfc3339.is_some());
    let date_is_stated = is_read(&stated_date);
    let date_beside_text = (!date_is_stated)
        .then(|| first_date(text_language, bylines.dates.iter().copied()))
        .flatten()
        .filter(|date| date.rfc3339.is_some());
    let is_date_beside_text = date_beside_text.is_some();
    let date_published = date_beside_text.or(stated_date);
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
        authors,
        authors_beside_text: source_of_authors == AuthorSource::BesideText,
        date_published,
        date_beside_text: is_date_beside_text,
        date_modified: first_date(
            text_language,
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
        article_body: about
            .article_body()
            .map(|body| fold(&text_of_html(body)))
            .filter(|body| !body.is_empty()),
        og_type: facts.og_type.map(clean).filter(|text| !text.is_empty()),
        generator: facts.generator.map(clean).filter(|text| !text.is_empty()),
        schema_types: facts.json.first_types(),
        is_sold: facts.json.is_sold(),
    }
}

/// The source of the authors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AuthorSource {
    /// JSON-LD or `meta`.
    Head,
    /// Markup in the body that states it, or no source but the site's own name.
    Stated,
    /// A class, a link or a line in the body.
    BesideText,
}

/// The authors of the first source that names any, and the source: JSON-LD, `meta`, bylines.
/// The site is an author only where no source names another.
fn authors<'a>(
    heads: [&[&str]; 2],
    bylines: &LazyCell<Bylines<'a>, impl FnOnce() -> Bylines<'a>>,
    site: Option<&str>,
) -> (Vec<String>, AuthorSource) {
    let is_site = |name: &String| site.is_some_and(|site| same_words(name, site));
    let names = |list: &[&str]| {
        let list = list.iter().copied();
        list.filter(|name| !is_url(name) && !is_handle(name))
            .collect_names()
    };
    let mut of_site = Vec::new();
    for list in heads {
        let names = names(list);
        if !names.iter().all(is_site) {
            return (names, AuthorSource::Head);
        }
        if of_site.is_empty() {
            of_site = names;
        }
    }
    let list = bylines.authors();
    let list: Vec<&str> = list.iter().map(String::as_str).collect();
    let source = if bylines.are_stated() {
        AuthorSource::Stated
    } else {
        AuthorSource::BesideText
    };
    let names = names(&list);
    if of_site.is_empty() || !names.iter().all(is_site) {
        (names, source)
    } else {
        (of_site, AuthorSource::Stated)
    }
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

/// The day in the path of an address: `/2024/03/05/`, `/2024-03-05-`.
pub fn day_in(url: Option<&str>) -> Option<&str> {
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
