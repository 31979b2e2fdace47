//! The links of a page that may lead to articles, its dates and its regions.

use crate::extract::list::list_address;
use foldhash::{HashMap, HashMapExt};
use forest_html::address::{Address, bare_host, page_key, site_of};
use forest_html::page::links::Base;
use forest_html::page::metadata::{Date, day_in};
use forest_html::page::{Kind, NodeId, Page};
use forest_html::text::{Language, fnv1a, fold, text_size};
use html5ever::local_name;

/// Links of a page that are looked at.
const MAX_LINKS: usize = 10_000;

/// Bytes of a text that may be a date.
const MAX_DATE_BYTES: usize = 80;

/// Words of a link above which more say nothing.
const MAX_WORDS: f32 = 12.0;

/// Elements around an empty link of which one may be its card.
const CARD_LEVELS: usize = 3;

/// Nodes of a card at the most.
const CARD_NODES: usize = 400;

/// Parts of addresses of pages that are no articles.
const NO_ARTICLE: [&str; 14] = [
    "tag",
    "tags",
    "category",
    "categories",
    "author",
    "authors",
    "page",
    "archive",
    "archives",
    "search",
    "login",
    "about",
    "contact",
    "feed",
];

/// A link within a site.
#[derive(Debug)]
pub(super) struct SiteLink {
    pub node: NodeId,
    /// Its page, as an index: links to one page have the same.
    pub target: usize,
    /// Words of its text or of what stands in its place, at most twelve.
    pub words: f32,
    /// It stands in a heading, or a heading in it.
    pub in_heading: bool,
    /// Its address looks like that of an article: long, dated or numbered.
    pub article_like: bool,
    /// It has the day of its article in its address.
    pub dated: bool,
    /// It stands in navigation, a side bar or the page's foot.
    pub aside: bool,
    /// How much it looks like the link of an item.
    pub weight: f32,
}

/// A page as the learner of lists sees it.
#[derive(Debug)]
pub(super) struct ListPage<'p> {
    pub page: &'p Page,
    /// Its links to pages of its site, in document order.
    pub links: Vec<SiteLink>,
    /// The keys of the links' pages.
    pub targets: Vec<String>,
    /// Nodes that are dates, in document order.
    pub dates: Vec<NodeId>,
    /// Bytes of text in its body.
    pub text_bytes: usize,
    /// More links than are looked at.
    pub cut: bool,
}

impl<'p> ListPage<'p> {
    pub fn of(page: &'p Page, language: Language) -> ListPage<'p> {
        let address = list_address(page);
        let base = Base::of(page).or(address.as_deref());
        let site = site_of(address.as_deref());
        let own = address.as_deref().map(page_key);
        let mut targets: Vec<String> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut links = Vec::new();
        let mut cut = false;
        let regions = AsideRegions::of(page);
        for &n in page.content_elements() {
            if !page.is(n, &local_name!("a")) {
                continue;
            }
            let Some(href) = page.attr(n, "href") else {
                continue;
            };
            if href.trim_start().starts_with('#') {
                continue;
            }
            let Some(url) = base.resolve(href) else {
                continue;
            };
            if !is_of_site(&url, site.as_deref()) {
                continue;
            }
            let key = page_key(&url);
            if own.as_ref() == Some(&key) || Address::of(&url).is_some_and(|url| url.is_home()) {
                continue;
            }
            if links.len() == MAX_LINKS {
                cut = true;
                break;
            }
            let fresh = targets.len();
            let target = *known.entry(key.clone()).or_insert(fresh);
            if target == fresh {
                targets.push(key);
            }
            links.push(site_link(page, n, target, &url, regions.holds(n)));
        }
        ListPage {
            page,
            links,
            targets,
            dates: dates(page, language),
            text_bytes: page.body().map_or(0, |body| page.text(body).len()),
            cut,
        }
    }

    /// The links in an element, as indices.
    pub fn links_in(&self, element: NodeId) -> std::ops::Range<usize> {
        let start = self.links.partition_point(|link| link.node < element);
        let end = self
            .links
            .partition_point(|link| link.node < self.page.end(element));
        start..end
    }

    /// True if a date stands in an element.
    pub fn has_date(&self, element: NodeId) -> bool {
        let at = self.dates.partition_point(|&date| date < element);
        self.dates
            .get(at)
            .is_some_and(|&date| date < self.page.end(element))
    }
}

/// True if an address is a page of the site, or of a site without a name.
fn is_of_site(url: &str, site: Option<&str>) -> bool {
    match (site, site_of(Some(url))) {
        (Some(site), Some(of)) => bare_host(&of) == bare_host(site),
        (None, None) => !url.contains(':'),
        _ => false,
    }
}

fn site_link(page: &Page, n: NodeId, target: usize, url: &str, aside: bool) -> SiteLink {
    let text = page.text(n);
    let overlaid = overlaid_heading(page, n);
    let words = match text.trim() {
        "" => overlaid.map_or_else(|| label_words(page, n), |n| text_size(page.text(n))),
        // A day of a calendar, a number of a page.
        text if !text.contains(char::is_alphabetic) => 0.0,
        text => text_size(text),
    };
    let says_nothing = words == 0.0;
    let is_heading = |n: NodeId| is_heading(page, n);
    let in_heading = overlaid.is_some()
        || page.ancestors(n).take(3).any(is_heading)
        || page.subtree(n).any(is_heading);
    let (article_like, denied) = address_kind(url);
    let rel = page.attr(n, "rel").unwrap_or_default();
    let words = words.min(MAX_WORDS);
    let mut weight = words / 4.0;
    weight += if in_heading { 3.0 } else { 0.0 };
    weight += if article_like && !says_nothing {
        1.5
    } else {
        0.0
    };
    weight += if rel.contains("bookmark") { 2.0 } else { 0.0 };
    weight -= if denied || rel.contains("tag") || rel.contains("author") {
        3.0
    } else {
        0.0
    };
    SiteLink {
        node: n,
        target,
        words,
        in_heading,
        article_like: article_like && !denied && !says_nothing,
        dated: day_in(Some(url)).is_some() && !says_nothing,
        aside,
        weight,
    }
}

/// The heading of the card that an empty link lies over: of the smallest element around it that
/// has text, and whose heading leads nowhere itself.
fn overlaid_heading(page: &Page, link: NodeId) -> Option<NodeId> {
    let has_text = |n: NodeId| !page.text(n).trim_ascii().is_empty();
    let is_picture = |n| {
        page.attr(n, "alt")
            .is_some_and(|alt| !alt.trim().is_empty())
    };
    if has_text(link) || page.subtree(link).any(is_picture) {
        return None;
    }
    let mut around = page.ancestors(link).skip(1).take(CARD_LEVELS);
    let card = around.find(|&n| has_text(n))?;
    if page.subtree(card).nth(CARD_NODES).is_some() {
        return None;
    }
    let mut headings = page.subtree(card).filter(|&n| is_heading(page, n));
    let heading = headings.next()?;
    let leads = page.subtree(heading).any(|n| page.is(n, &local_name!("a")));
    (!leads && headings.next().is_none()).then_some(heading)
}

/// Words of the pictures in a link: of them that are its text.
fn label_words(page: &Page, n: NodeId) -> f32 {
    let labels = page.subtree(n).filter_map(|n| page.attr(n, "alt"));
    labels.map(text_size).fold(0.0, f32::max).min(1.0)
}

pub(super) fn is_heading(page: &Page, n: NodeId) -> bool {
    page.tag(n).is_some_and(|tag| {
        let tag = tag.as_bytes();
        tag.len() == 2 && tag[0] == b'h' && (b'1'..=b'6').contains(&tag[1])
    })
}

/// If an address looks like that of an article, and if it is that of no article.
fn address_kind(url: &str) -> (bool, bool) {
    let path = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = path.split_once('/').map_or("", |(_, path)| path);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let last = parts.last().copied().unwrap_or_default();
    let is_no_article = |part: &&str| NO_ARTICLE.contains(&part.to_ascii_lowercase().as_str());
    let ends_in_fragment = url.contains('#');
    let denied = parts.iter().any(is_no_article) || ends_in_fragment;
    let digits = path.bytes().filter(u8::is_ascii_digit).count();
    let slug = last
        .split(['-', '_', '.'])
        .filter(|word| !word.is_empty())
        .count();
    let encoded = last.matches('%').count() >= 6;
    (
        digits >= 4 || slug >= 3 || encoded || last.ends_with(".html") || last.ends_with(".htm"),
        denied,
    )
}

/// Elements with what stands beside the main text.
struct AsideRegions(Vec<(NodeId, NodeId)>);

impl AsideRegions {
    fn of(page: &Page) -> AsideRegions {
        let mut found: Vec<(NodeId, NodeId)> = Vec::new();
        for &n in page.content_elements() {
            if found.last().is_some_and(|&(_, end)| n < end) {
                continue;
            }
            if is_aside(page, n) {
                found.push((n, page.end(n)));
            }
        }
        AsideRegions(found)
    }

    fn holds(&self, n: NodeId) -> bool {
        let at = self.0.partition_point(|&(start, _)| start <= n);
        at > 0 && n < self.0[at - 1].1
    }
}

/// True for navigation, side bars and feet, by tag or by a whole name.
///
/// The roles of `onepage` are features of a model: a part of a name counts wherever it stands
/// (`module`, `bottom`). As a verdict they lose items of one of 40 sites (recall 1.000 to 0.993,
/// precision 0.970 to 0.968).
fn is_aside(page: &Page, n: NodeId) -> bool {
    let Some(tag) = page.tag(n) else { return false };
    if matches!(&**tag, "nav" | "aside" | "footer") {
        // The foot of an item is no foot of the page.
        return !page
            .ancestors(n)
            .any(|up| page.is(up, &local_name!("article")));
    }
    if !matches!(&**tag, "div" | "ul" | "section" | "td" | "ol" | "header") {
        return false;
    }
    let names = ["id", "class", "role"]
        .into_iter()
        .filter_map(|name| page.attr(n, name));
    let mut tokens = names.flat_map(str::split_ascii_whitespace);
    tokens.any(|token| {
        let token = token.to_ascii_lowercase();
        let starts = [
            "nav",
            "menu",
            "sidebar",
            "footer",
            "breadcrumb",
            "tagcloud",
            "tag-cloud",
            "pagination",
        ];
        let is_whole = [
            "side",
            "complementary",
            "navigation",
            "contentinfo",
            "widget",
        ]
        .contains(&&*token);
        is_whole
            || starts.iter().any(|start| token.starts_with(start))
            || token.ends_with("-nav")
            || token.ends_with("-menu")
            || token.ends_with("-sidebar")
            || token.ends_with("-footer")
    })
}

/// The nodes whose whole text is a date, and `time` elements.
fn dates(page: &Page, language: Language) -> Vec<NodeId> {
    let mut read: HashMap<u64, bool> = HashMap::new();
    let mut is_date = |text: &str| {
        let short = text.len() <= MAX_DATE_BYTES && text.bytes().any(|b| b.is_ascii_digit());
        short
            && *read
                .entry(fnv1a(text.bytes()))
                .or_insert_with(|| Date::read_in(&fold(text), language).rfc3339.is_some())
    };
    let Some(body) = page.body() else {
        return Vec::new();
    };
    let nodes = page.subtree(body).filter(|&n| page.is_content(n));
    nodes
        .filter(|&n| match page.kind(n) {
            Kind::Text => is_date(page.text(n).trim()),
            Kind::Element => {
                page.is(n, &local_name!("time"))
                    || page.attr(n, "datetime").is_some()
                    || page.attr(n, "content").is_some_and(&mut is_date)
            }
            _ => false,
        })
        .collect()
}
