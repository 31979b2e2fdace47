//! The description that a page gives of itself: title, authors, dates, language, images.
//!
//! Takes a [`Page`], gives its [`Metadata`] from JSON-LD, OpenGraph, the other
//! `meta` vocabularies in use (Dublin Core, Highwire's `citation_`, Parse.ly,
//! Sailthru), microdata, `time`, `link`, `title` and `lang`. One pass over the
//! page's elements. Names of classes are read for authors and dates alone (`byline`,
//! `dateline`), where nothing else says them.
//!
//! Each field comes from the first source that has it, in the order in which
//! [`Metadata`] lists them. Everything is bounded: [`MAX_VALUES`] authors, tags
//! and images, a megabyte of JSON-LD.

mod borders;
mod byline;
#[cfg(test)]
mod byline_tests;
mod class_names;
mod clean;
mod collect;
mod date;
mod dateline;
#[cfg(test)]
mod dateline_tests;
mod day_words;
mod jsonld;
mod name_words;
mod names;
mod origin;
mod record;
mod regions;
#[cfg(test)]
mod tests;
mod title;
#[cfg(test)]
mod title_tests;

pub use byline::author_within;
pub use clean::MAX_VALUES;
pub use date::{Date, DateStyle, same_day};
pub use names::names;
pub use record::Metadata;

use super::links::Base;
use super::plain::text_of_html;
use super::{NodeId, Page};
use crate::text::{fold, same_words};
use byline::Bylines;
use clean::{MAX_NAME_BYTES, clean, is_handle, is_url, name, without_markup};
use collect::MetadataFacts;
use name_words::{is_company, is_surface};
use std::cell::LazyCell;
use url::Url;

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
    let shown_style = DateStyle::of(language.as_deref(), page.url().or(canonical.as_deref()));
    let date_style = shown_style.without_order();
    let mut titles: Vec<&str> = about.headline().into_iter().collect();
    titles.extend(facts.titles.iter());
    // Most heads name author and date: then nobody looks for them in the body.
    let url = page.url().and_then(|url| Url::parse(url).ok());
    let title = title::title(&titles, &facts, site_name.as_deref(), url.as_ref());
    let heading = LazyCell::new(|| title::heading_of(title.as_deref(), &facts));
    let bylines = LazyCell::new(|| Bylines::of(page, *heading));
    let json_authors = about.people("author", MAX_VALUES);
    let json_authors: Vec<&str> = json_authors.iter().map(String::as_str).collect();
    let heads = [&*json_authors, &facts.authors, &facts.authors_of_vendors];
    let is_publisher = |name: &str| is_publisher(name, site_name.as_deref(), &facts.publishers);
    let host = url.as_ref().and_then(Url::host_str);
    let is_weak = |name: &str| is_weak_author(name, host);
    let (authors, source_of_authors) = authors(heads, &bylines, is_publisher, is_weak);
    let are_near_title = source_of_authors == AuthorSource::BesideText && bylines.are_near_title();
    let said_date = first_date(
        date_style,
        string("datePublished")
            .into_iter()
            .chain(facts.published.iter())
            .chain(string("dateCreated"))
            .chain(string("uploadDate")),
    );
    let shown_date = || {
        let in_address = day_in(page.url().or(canonical.as_deref()));
        shown_date(page, *heading, (in_address, &titles), shown_style)
    };
    let is_read = |date: &Option<Date>| date.as_ref().is_some_and(|date| date.rfc3339.is_some());
    let (date_published, is_date_beside_text) = if is_read(&said_date) {
        (said_date, false)
    } else {
        match shown_date() {
            Some((date, is_beside_text)) => (Some(date), is_beside_text),
            None => (said_date, false),
        }
    };
    Metadata {
        title,
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
        authors_near_title: are_near_title,
        date_published,
        date_beside_text: is_date_beside_text,
        date_modified: first_date(
            date_style,
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
/// The publisher is an author only where no source names another. Full names beside the title
/// replace weak ones of the head.
fn authors(
    heads: [&[&str]; 3],
    bylines: &LazyCell<Bylines, impl FnOnce() -> Bylines>,
    is_publisher: impl Fn(&str) -> bool,
    is_weak: impl Fn(&str) -> bool,
) -> (Vec<String>, AuthorSource) {
    let names = |list: &[&str]| {
        let list = list.iter().copied();
        let list = list.filter(|name| !is_url(name) && !is_handle(name));
        let list = list.map(without_markup).collect::<Vec<_>>();
        let mut names = list.iter().map(|name| &**name).collect_names();
        names.retain(|name| !is_surface(name));
        names
    };
    let shown = || {
        let list = bylines.authors();
        names(&list.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let source = || {
        if bylines.are_stated() {
            AuthorSource::Stated
        } else {
            AuthorSource::BesideText
        }
    };
    let mut of_publisher = Vec::new();
    for list in heads {
        let mut names = names(list);
        if !names.iter().all(|name| is_publisher(name)) {
            names.retain(|name| !is_publisher(name));
            if names.iter().all(|name| is_weak(name)) && bylines.are_beside_title() {
                let shown = shown();
                let is_full = |name: &String| !is_weak(name) && !is_publisher(name);
                if !shown.is_empty() && shown.len() <= MAX_SHOWN && shown.iter().all(is_full) {
                    return (shown, source());
                }
            }
            return (names, AuthorSource::Head);
        }
        if of_publisher.is_empty() {
            of_publisher = names;
        }
    }
    let (names, source) = (shown(), source());
    if of_publisher.is_empty() || !names.iter().all(|name| is_publisher(name)) {
        (names, source)
    } else {
        (of_publisher, AuthorSource::Stated)
    }
}

/// Authors beside a title that stand for weak names of the head, at the most.
const MAX_SHOWN: usize = 4;

/// True for a name of the head that gives way to a full one beside the title: a user's (`jdoe`,
/// `Todd`), or one that is written as the site's host is.
fn is_weak_author(name: &str, host: Option<&str>) -> bool {
    let name = name.trim();
    let is_one_word = name.is_ascii() && !name.contains([' ', '-', '.']);
    is_one_word || host.is_some_and(|host| title::is_of_host(name, host))
}

/// True if a name is the site's, its publisher's, or a company's.
fn is_publisher(name: &str, site: Option<&str>, publishers: &[&str]) -> bool {
    /// Bytes of a name that is looked for in a line of copyright.
    const MIN_BYTES: usize = 4;
    let name = name.trim();
    let is_in = |line: &&str| {
        let line = fold(line);
        name.len() >= MIN_BYTES && line.contains(name)
    };
    site.is_some_and(|site| same_words(name, site))
        || is_company(name)
        || publishers.iter().any(is_in)
}

/// The day that a page shows or that its address names, and whether it stands in the text
/// alone. What nothing says to be the page's own gives way to the address, unless that has the same
/// day in another zone.
fn shown_date(
    page: &Page,
    title: Option<NodeId>,
    (in_address, titles): (Option<&str>, &[&str]),
    style: DateStyle,
) -> Option<(Date, bool)> {
    let in_address = in_address.map(Date::read);
    let in_address = in_address.filter(|date| date.rfc3339.is_some());
    let shown = dateline::find_day(page, title, style);
    let shown = shown.filter(|shown| {
        let is_near = |address: &Date| shown.date.days_from(address).is_some_and(|days| days <= 1);
        shown.is_sure || in_address.as_ref().is_none_or(is_near)
    });
    match shown {
        Some(shown) => Some((shown.date, !shown.is_stated)),
        None => in_address
            .map(|date| (date, false))
            .or_else(|| Some((day_at_end(titles, style)?, true))),
    }
}

/// The day at an end of a title: `23.05.2011 | Rain`.
fn day_at_end(titles: &[&str], style: DateStyle) -> Option<Date> {
    let parts = titles.iter().flat_map(|title| {
        let parts = title.split(['|', '–', '—']).chain(title.split(" - "));
        parts.map(str::trim)
    });
    let days = parts.filter_map(|part| dateline::day_alone(part, style));
    days.into_iter().next()
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
fn first_date<'a>(style: DateStyle, candidates: impl Iterator<Item = &'a str>) -> Option<Date> {
    let mut first = None;
    for raw in candidates.filter(|raw| raw.len() <= MAX_NAME_BYTES) {
        let date = Date::read_in(raw, style);
        if date.rfc3339.is_some() {
            return Some(date);
        }
        first = first
            .or(Some(date))
            .filter(|date: &Date| !date.raw.is_empty());
    }
    first
}
