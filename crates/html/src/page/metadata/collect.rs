//! The one pass over a page's elements.

use super::super::{Kind, NodeId, Page};
use super::borders::without_kicker;
use super::clean::{MAX_NAME_BYTES, MAX_VALUES};
use super::jsonld::JsonLd;
use super::origin::PageOrigin;
use super::regions::Regions;
use html5ever::{local_name, ns};
use std::borrow::Cow;

/// Headings of a page that are compared with its title: so many of the first level, and so many
/// of all others, of which a menu may have more.
const MAX_HEADINGS: usize = 32;

/// Links to the home page whose text is kept.
const MAX_HOME_LINKS: usize = 32;

/// Last parts of names of `meta` that hold the day of publication, whoever's they are.
const PUBLISHED: [&str; 9] = [
    "published",
    "published_time",
    "article_published_time",
    "publishtime",
    "publish_time",
    "pubdate",
    "publishdate",
    "iso-8601-publish-date",
    "uploaded",
];

/// And of those that hold authors.
const AUTHORS: [&str; 4] = ["author", "authors", "author_name", "article_author"];

/// Names of one attribute that are read.
pub(super) const MAX_PROPERTIES: usize = 4;

/// Candidates in the order in which they were found, each with its source's rank.
#[derive(Debug, Default)]
pub(super) struct RankedValues<'a>(Vec<(u8, &'a str)>);

impl<'a> RankedValues<'a> {
    fn offer(&mut self, rank: u8, value: &'a str) {
        if self.0.len() < MAX_VALUES && !value.trim().is_empty() {
            self.0.push((rank, value));
        }
    }

    /// The candidates, best source first.
    pub fn iter(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let mut ranked = self.0.clone();
        ranked.sort_by_key(|&(rank, _)| rank);
        ranked.into_iter().map(|(_, value)| value)
    }

    pub fn get(&self) -> Option<&'a str> {
        self.iter().next()
    }
}

/// A heading: its text, and whether it is an `h1`.
#[derive(Debug)]
pub(super) struct Heading<'a> {
    pub node: NodeId,
    pub text: Cow<'a, str>,
    pub first_level: bool,
    /// It leads to the home page: it is the site's name.
    pub leads_home: bool,
}

/// The values that were found, as slices of the page.
#[derive(Debug, Default)]
pub(super) struct MetadataFacts<'a> {
    pub json: JsonLd,
    pub titles: RankedValues<'a>,
    pub headings: Vec<Heading<'a>>,
    /// Texts of links to the home page or to a directory below it that the page is in:
    /// names of the site and its sections.
    pub home_links: Vec<&'a str>,
    pub description: RankedValues<'a>,
    pub og_description: Option<&'a str>,
    pub authors: Vec<&'a str>,
    /// Those of names of one vendor.
    pub authors_of_vendors: Vec<&'a str>,
    /// Who publishes the page, and its copyright.
    pub publishers: Vec<&'a str>,
    pub published: RankedValues<'a>,
    pub modified: RankedValues<'a>,
    pub language: RankedValues<'a>,
    pub og_images: Vec<&'a str>,
    pub images: Vec<&'a str>,
    pub og_site_name: Option<&'a str>,
    pub application: Option<&'a str>,
    pub canonical: RankedValues<'a>,
    pub og_url: Option<&'a str>,
    pub og_type: Option<&'a str>,
    pub generator: Option<&'a str>,
    pub article_tags: Vec<&'a str>,
    pub keywords: Vec<&'a str>,
    pub rel_tags: Vec<&'a str>,
    regions: Regions,
}

impl<'a> MetadataFacts<'a> {
    pub fn collect(page: &'a Page) -> MetadataFacts<'a> {
        let mut facts = MetadataFacts::default();
        let place = PageOrigin::of_url(page.url().unwrap_or_default());
        for n in page.nodes() {
            if page.kind(n) == Kind::Element {
                facts.element(page, n, place);
            }
        }
        facts
    }

    fn element(&mut self, page: &'a Page, n: NodeId, place: PageOrigin<'_>) {
        let Some(tag) = page.tag(n) else { return };
        match *tag {
            local_name!("meta") => self.meta(page, n),
            local_name!("html") => {
                let lang = page.attrs(n).find(|(q, _)| q.local == local_name!("lang"));
                let lang = lang.map(|(_, value)| value).or(page.attr(n, "xml:lang"));
                self.language.offer(0, lang.unwrap_or_default());
            }
            local_name!("title") => self.titles.offer(9, page.text(n)),
            local_name!("script") => {
                let kind = page.attr(n, "type").unwrap_or_default().trim();
                if kind.eq_ignore_ascii_case("application/ld+json") {
                    self.json.add(page.text(n));
                }
            }
            local_name!("link") => self.link(page, n),
            local_name!("h1") | local_name!("h2") | local_name!("h3") => {
                self.heading(page, n, place)
            }
            local_name!("time") => self.time(page, n),
            _ => {}
        }
        self.regions.enter(page, n, tag);
        for attr in page.attr_range(n) {
            if attr.name.ns != ns!() {
                continue;
            }
            let value = || page.value(attr);
            match attr.name.local {
                local_name!("itemprop") if *tag != local_name!("meta") => {
                    self.item(page, n, value());
                }
                local_name!("rel") if *tag == local_name!("a") => self.anchor(page, n, value()),
                local_name!("href") if *tag == local_name!("a") && place.is_above(value()) => {
                    self.home_link(page, n);
                }
                _ => {}
            }
        }
    }

    fn meta(&mut self, page: &'a Page, n: NodeId) {
        let content = page.attr(n, "content").or_else(|| page.attr(n, "value"));
        let Some(content) = content.filter(|c| !c.trim().is_empty()) else {
            return;
        };
        for attr in ["property", "name", "itemprop", "http-equiv"] {
            if let Some(names) = page.attr(n, attr) {
                for name in names.split_ascii_whitespace().take(MAX_PROPERTIES) {
                    self.named(&name.to_ascii_lowercase(), content);
                }
            }
        }
    }

    /// A `meta`: its name in lower case and what it says.
    fn named(&mut self, name: &str, content: &'a str) {
        let push = |list: &mut Vec<&'a str>| {
            if list.len() < MAX_VALUES {
                list.push(content);
            }
        };
        let first = |slot: &mut Option<&'a str>| {
            slot.get_or_insert(content);
        };
        match name {
            "og:title" => self.titles.offer(1, content),
            "citation_title" => self.titles.offer(2, content),
            "dc.title" | "dcterms.title" => self.titles.offer(3, content),
            "parsely-title" | "sailthru.title" => self.titles.offer(4, content),
            "twitter:title" => self.titles.offer(5, content),
            "headline" => self.titles.offer(6, content),

            "og:description" => first(&mut self.og_description),
            "description" => self.description.offer(0, content),
            "twitter:description" => self.description.offer(1, content),
            "dc.description" | "dcterms.description" => self.description.offer(2, content),

            "author" | "article:author" | "citation_author" | "dc.creator" | "dcterms.creator"
            | "parsely-author" | "sailthru.author" | "byl" => push(&mut self.authors),

            "publisher" | "copyright" | "article:publisher" | "dc.publisher"
            | "dcterms.publisher" => {
                push(&mut self.publishers);
            }

            "article:published_time" | "og:published_time" | "og:article:published_time" => {
                self.published.offer(0, content);
            }
            "datepublished" | "article:published" | "og:pubdate" => {
                self.published.offer(1, content)
            }
            "parsely-pub-date"
            | "sailthru.date"
            | "citation_publication_date"
            | "citation_date"
            | "dc.date.issued"
            | "dcterms.issued"
            | "dc.date.created"
            | "dcterms.created"
            | "pubdate"
            | "publishdate"
            | "publish-date"
            | "publish_date"
            | "published_date"
            | "published-date"
            | "publication_date"
            | "publicationdate"
            | "article_date_original"
            | "cxenseparse:recs:publishtime"
            | "datecreated"
            | "originalpublicationdate"
            | "rnews:datepublished" => {
                self.published.offer(2, content);
            }
            "date" | "dc.date" | "dcterms.date" | "ptime" | "last_published_date" => {
                self.published.offer(3, content);
            }

            "article:modified_time" | "og:modified_time" | "datemodified" => {
                self.modified.offer(0, content);
            }
            "og:updated_time" | "dc.date.modified" | "dcterms.modified" | "lastmod"
            | "rnews:datemodified" => self.modified.offer(1, content),
            "last-modified" | "revised" => self.modified.offer(2, content),

            "content-language" => self.language.offer(1, content),
            "og:locale" => self.language.offer(2, content),
            "dc.language" | "dcterms.language" | "language" => self.language.offer(3, content),

            "og:image" | "og:image:url" | "og:image:secure_url" => push(&mut self.og_images),
            "twitter:image" | "twitter:image:src" => push(&mut self.images),
            "og:site_name" => first(&mut self.og_site_name),
            "application-name" => first(&mut self.application),
            "og:url" => first(&mut self.og_url),
            "og:type" => first(&mut self.og_type),
            "generator" => first(&mut self.generator),

            "article:tag" => push(&mut self.article_tags),
            "news_keywords" | "parsely-tags" | "sailthru.tags" => {
                // A value for news robots: it takes precedence over the general one.
                self.keywords.insert(0, content);
                self.keywords.truncate(1);
            }
            "keywords" if self.keywords.is_empty() => push(&mut self.keywords),
            _ => {
                // Names of one vendor: `vendor:uploaded`.
                let own = name.rsplit([':', '.']).next().unwrap_or(name);
                if PUBLISHED.contains(&own) {
                    self.published.offer(6, content);
                }
                if AUTHORS.contains(&own) {
                    push(&mut self.authors_of_vendors);
                }
            }
        }
    }

    fn link(&mut self, page: &'a Page, n: NodeId) {
        let (Some(rel), Some(href)) = (page.attr(n, "rel"), page.attr(n, "href")) else {
            return;
        };
        for rel in rel.split_ascii_whitespace() {
            if rel.eq_ignore_ascii_case("canonical") {
                self.canonical.offer(0, href);
            } else if rel.eq_ignore_ascii_case("image_src") && self.images.len() < MAX_VALUES {
                self.images.push(href);
            }
        }
    }

    fn heading(&mut self, page: &'a Page, n: NodeId, place: PageOrigin<'_>) {
        /// Elements around a heading that may be its link.
        const MAX_AROUND: usize = 4;
        let text = page.text(n).trim();
        let first_level = page.is(n, &local_name!("h1"));
        let alike = self
            .headings
            .iter()
            .filter(|heading| heading.first_level == first_level);
        if text.is_empty() || alike.count() == MAX_HEADINGS {
            return;
        }
        let has_elements = page
            .subtree(n)
            .skip(1)
            .any(|n| page.kind(n) == Kind::Element);
        let is_home = |n: NodeId| {
            page.is(n, &local_name!("a"))
                && page.attr(n, "href").is_some_and(|to| place.is_above(to))
        };
        let is_short = text.len() <= MAX_NAME_BYTES;
        let leads_home = || {
            let inside = has_elements && page.subtree(n).any(is_home);
            inside || page.ancestors(n).take(MAX_AROUND).any(is_home)
        };
        self.headings.push(Heading {
            node: n,
            text: if has_elements && is_short {
                Cow::Owned(without_kicker(page, n).replace('\n', " "))
            } else {
                Cow::Borrowed(text)
            },
            first_level,
            leads_home: first_level && is_short && leads_home(),
        });
    }

    fn time(&mut self, page: &'a Page, n: NodeId) {
        if let Some(datetime) = page.attr(n, "datetime")
            && page.attr(n, "pubdate").is_some()
        {
            self.published.offer(5, datetime);
        }
    }

    fn item(&mut self, page: &'a Page, n: NodeId, props: &str) {
        for prop in props.split_ascii_whitespace().take(MAX_PROPERTIES) {
            match prop {
                "datePublished" => self.published.offer(4, value(page, n)),
                "dateModified" => self.modified.offer(3, value(page, n)),
                "headline" => self.titles.offer(6, value(page, n)),
                _ => {}
            }
        }
    }

    fn home_link(&mut self, page: &'a Page, n: NodeId) {
        if self.home_links.len() == MAX_HOME_LINKS {
            return;
        }
        let text = page.text(n).trim();
        let logo = || page.children(n).find_map(|img| page.attr(img, "alt"));
        self.home_links.push(if text.is_empty() {
            logo().unwrap_or_default()
        } else {
            text
        });
    }

    fn anchor(&mut self, page: &'a Page, n: NodeId, rels: &str) {
        for rel in rels.split_ascii_whitespace() {
            if rel == "tag" && !self.regions.in_side(n) && self.rel_tags.len() < MAX_VALUES {
                self.rel_tags.push(page.text(n));
            }
        }
    }
}

/// The value of a microdata property.
pub(super) fn value(page: &Page, n: NodeId) -> &str {
    ["content", "datetime"]
        .iter()
        .find_map(|attr| page.attr(n, attr))
        .unwrap_or_else(|| page.text(n))
}
