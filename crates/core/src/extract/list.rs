//! The items of a list of articles, by the wrapper of the list.
//!
//! Takes a page and a [`ListWrapper`]; gives an item for each article that the list links to,
//! in the order of the page, each once.

use crate::error::Result;
use crate::extract::Status;
use crate::render::image_url;
use crate::wrapper::list::{BlockMatcher, ListMatcher, ListWrapper};
use crate::wrapper::without_nested;
use crate::wrapper::xpath::{XPath, XPathValue};
use forest_html::address::{page_key, web_address};
use forest_html::page::json::{JsonRecordPlace, PageRecords};
use forest_html::page::links::Base;
use forest_html::page::metadata::{Date, day_in, names};
use forest_html::page::plain::{text_of_html, text_without};
use forest_html::page::{Kind, MAX_GROWTH, NodeId, Page};
use forest_html::text::{Language, fold};
use html5ever::{LocalName, local_name};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::collections::HashSet;
use std::fmt;
use url::Url;

/// Items of a page at the most: archives of all articles of a site have some thousands.
pub const MAX_LIST_ITEMS: usize = 5000;

/// Letters of a title, and of the names of authors, at the most; the rest is cut off.
const MAX_TITLE_CHARS: usize = 500;

/// Letters of a summary at the most; a list that shows whole articles has their beginnings.
const MAX_SUMMARY_CHARS: usize = 2000;

/// Bytes of a text in which a date is looked for.
const MAX_DATE_BYTES: usize = 200;

/// Bytes of a page's text by which its language is told.
const MAX_SAMPLE_BYTES: usize = 10_000;

/// Kinds of headings that complete a date: its month, its year.
const MAX_PERIOD_KINDS: usize = 2;

/// Headings above an item that are looked at: the months of a year before its first.
const MAX_PERIODS_BACK: usize = 40;

/// An item of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListItem {
    /// Its place on the page, from 1 on.
    pub position: usize,
    /// The address of its article.
    pub url: String,
    /// Its title.
    pub title: Option<String>,
    /// Its date, RFC 3339; a day alone is its midnight, UTC.
    pub date: Option<String>,
    /// The words of the list on the article.
    pub summary: Option<String>,
    /// The address of its picture.
    pub image: Option<String>,
    /// Its authors, with commas between them.
    pub author: Option<String>,
    /// [`Status::Ok`], or [`Status::Degraded`] for an item without a title.
    pub status: Status,
}

/// The items of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListedItems {
    /// The items in the order of the page.
    pub items: Vec<ListItem>,
    /// The address of the list's next page.
    pub next: Option<String>,
    /// Warnings for its reader.
    pub warnings: Vec<ListWarning>,
}

/// Something about the items of a page that their reader should know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListWarning {
    /// The expression selects more elements than are read.
    TooManyItems {
        /// The selected elements.
        found: usize,
    },
    /// The page has more JSON than is read: later items may be left out.
    JsonCut,
    /// The wrapper's expressions took all the steps that a page is given: items or fields are
    /// left out.
    TooMuch,
    /// The texts of the items are longer than the bound for a page's output: the later items
    /// were left out.
    TooLong,
    /// Items without a link to a page of the Web were left out.
    WithoutLink {
        /// Their number.
        items: usize,
    },
}

impl fmt::Display for ListWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ListWarning::TooManyItems { found } => write!(
                f,
                "of the list's items, {found}, the first {MAX_LIST_ITEMS} are read: is it a list of \
                 articles?"
            ),
            ListWarning::JsonCut => {
                f.write_str("the page has more JSON than is read: later items may be left out")
            }
            ListWarning::TooMuch => f.write_str(
                "the wrapper's expressions are too much for this page: items or fields are left \
                 out; look for one that asks for all elements before or behind others",
            ),
            ListWarning::TooLong => write!(
                f,
                "the items' texts are longer than {MAX_GROWTH} times the page: the later items \
                 are left out; look at the wrapper's expressions"
            ),
            ListWarning::WithoutLink { items } => {
                let items = forest_html::error::counted(*items, "item", "items");
                write!(f, "{items} without a link left out")
            }
        }
    }
}

/// A list's wrapper made ready.
#[derive(Debug, Clone)]
pub struct ListExtractor {
    matcher: ListMatcher,
    wrapper: ListWrapper,
}

impl ListExtractor {
    /// Compiles a wrapper.
    ///
    /// # Errors
    ///
    /// If one of its expressions is no XPath 1.0.
    pub fn new(wrapper: ListWrapper) -> Result<ListExtractor> {
        let matcher = wrapper.compile()?;
        Ok(ListExtractor { matcher, wrapper })
    }

    /// The wrapper.
    pub fn wrapper(&self) -> &ListWrapper {
        &self.wrapper
    }

    fn strips(&self, page: &Page) -> Vec<NodeId> {
        let strips = self.matcher.strip.iter();
        let mut nodes: Vec<NodeId> = strips.flat_map(|x| x.own_nodes(page)).collect();
        nodes.sort_unstable();
        without_nested(page, nodes)
    }

    /// The elements of the items, each with its block; of nested ones the outer, of one
    /// element the first block.
    fn elements_without(&self, page: &Page, strips: &[NodeId]) -> Vec<(NodeId, &BlockMatcher)> {
        let is_stripped = |n: NodeId| {
            let before = strips.partition_point(|&strip| strip <= n);
            before > 0 && page.contains(strips[before - 1], n)
        };
        let blocks = self.matcher.blocks.iter();
        let mut items: Vec<(NodeId, &BlockMatcher)> = blocks
            .flat_map(|block| {
                let items = block.item.own_nodes(page).into_iter();
                items.map(move |n| (n, block))
            })
            .collect();
        items.retain(|&(n, _)| page.kind(n) == Kind::Element && !is_stripped(n));
        items.sort_by_key(|(n, _)| *n);
        let mut last: Option<NodeId> = None;
        items.retain(|&(n, _)| {
            let is_outer = last.is_none_or(|last| !page.contains(last, n));
            if is_outer {
                last = Some(n);
            }
            is_outer
        });
        items
    }

    /// The items of a page.
    pub fn apply(&self, page: &Page) -> ListedItems {
        let Some(of) = &self.wrapper.json else {
            return ListedItems {
                next: self.next(page),
                ..self.on_page(page)
            };
        };
        let place = JsonRecordPlace {
            script: of.script.clone(),
            path: of.path.clone(),
        };
        let records = PageRecords::of(page);
        let made = records.page(&place, of.address.as_deref());
        let mut listed = made.map_or_else(ListedItems::default, |made| self.on_page(&made));
        if records.is_cut {
            listed.warnings.push(ListWarning::JsonCut);
        }
        listed.next = self.next(page);
        listed
    }

    fn on_page(&self, page: &Page) -> ListedItems {
        let own = list_address(page);
        let strips = self.strips(page);
        let mut elements = self.elements_without(page, &strips);
        let mut out = ListedItems::default();
        if elements.len() > MAX_LIST_ITEMS {
            let found = elements.len();
            out.warnings.push(ListWarning::TooManyItems { found });
            elements.truncate(MAX_LIST_ITEMS);
        }
        let reader = ItemReader {
            page,
            base: Base::of(page).or(own.as_deref()),
            strips: strips.into_iter().collect(),
            periods: self.periods(page),
            language: language(page),
            spoken: OnceCell::new(),
        };
        let mut room = page.source_bytes().saturating_mul(MAX_GROWTH);
        // A link to the list itself leads to no article.
        let mut known: HashSet<String> = own.as_deref().map(page_key).into_iter().collect();
        let mut without_link = 0;
        for (element, block) in elements {
            let Some((link, url)) = reader.link(element, block) else {
                without_link += 1;
                continue;
            };
            if !known.insert(page_key(&url)) {
                continue;
            }
            let mut item = reader.item(element, block, link, url);
            item.position = out.items.len() + 1;
            let Some(left) = room.checked_sub(item.text_bytes()) else {
                out.warnings.push(ListWarning::TooLong);
                break;
            };
            room = left;
            out.items.push(item);
        }
        if without_link > 0 {
            let items = without_link;
            out.warnings.push(ListWarning::WithoutLink { items });
        }
        if page.expression_budget().exceeded_by().is_some() {
            out.warnings.push(ListWarning::TooMuch);
        }
        out
    }

    fn periods(&self, page: &Page) -> Vec<NodeId> {
        let period = self.matcher.period.as_ref();
        period.map_or_else(Vec::new, |x| x.own_nodes(page))
    }

    fn next(&self, page: &Page) -> Option<String> {
        let mut values = self.matcher.next.as_ref()?.values_at(page, page.root());
        let own = list_address(page);
        let base = Base::of(page).or(own.as_deref());
        let next = values
            .drain(..)
            .find_map(|value| address_of(page, &value, &base))?;
        let own = own.as_deref().map(page_key);
        (own.as_deref() != Some(&*page_key(&next))).then_some(next)
    }
}

/// The address of a list's page: its own, else the one that it says is its own, else that of its
/// base. A saved page may have no other.
pub fn list_address(page: &Page) -> Option<String> {
    let own = page.url().map(str::to_owned);
    let said = || {
        let canonical = page.metadata().canonical.as_deref();
        web_address(canonical?).map(String::from)
    };
    let base = || Some(Base::of(page).url()?.to_string());
    own.or_else(said).or_else(base)
}

/// The text of an element whose parts stand in elements of their own, with a space between two:
/// day, month and year of a date. `None` if it has one part, or many.
pub fn spaced_text(page: &Page, n: NodeId) -> Option<String> {
    const MAX_PARTS: usize = 6;
    let texts = page.subtree(n).filter(|&n| page.kind(n) == Kind::Text);
    let texts = texts
        .map(|n| page.text(n).trim())
        .filter(|text| !text.is_empty());
    let parts: Vec<&str> = texts.take(MAX_PARTS + 1).collect();
    (2..=MAX_PARTS)
        .contains(&parts.len())
        .then(|| parts.join(" "))
}

/// The language that a page says it is in, which abbreviated months are read in.
pub fn language(page: &Page) -> Language {
    let tag = page.metadata().language.as_deref();
    tag.map_or(Language::Unknown, Language::from_tag)
}

/// The language of the page's text.
pub fn spoken(page: &Page) -> Language {
    let text = page.body().map_or("", |body| page.text(body));
    let sample = &text[..text.floor_char_boundary(MAX_SAMPLE_BYTES)];
    Language::detect(sample, None)
}

/// The address that a link, or an attribute, has.
fn address_of(page: &Page, value: &XPathValue, base: &Base) -> Option<String> {
    let href = match value {
        XPathValue::Text(text) => text,
        XPathValue::Node(n) if page.kind(*n) == Kind::Text => page.text(*n),
        XPathValue::Node(n) => page.attr(*n, "href")?,
    };
    let url = base.resolve(href)?;
    // Without a base a relative address stays as it is.
    let is_page = web_address(&url).is_some() || Url::parse(&url).is_err();
    is_page.then(|| url.into_owned())
}

/// Reads the fields of a page's items.
struct ItemReader<'a> {
    page: &'a Page,
    base: Base,
    strips: HashSet<NodeId>,
    periods: Vec<NodeId>,
    language: Language,
    spoken: OnceCell<Language>,
}

impl ItemReader<'_> {
    /// The link of an item: its element, if it is one, and its address.
    fn link(&self, item: NodeId, block: &BlockMatcher) -> Option<(Option<NodeId>, String)> {
        let mut values: Vec<XPathValue> = Vec::new();
        for xpath in &block.link {
            values.extend(xpath.values_at(self.page, item));
        }
        if block.link.is_empty() {
            let links = self.page.subtree(item);
            values.extend(links.filter(|&n| self.is_link(n)).map(XPathValue::Node));
        }
        values.into_iter().find_map(|value| {
            let url = address_of(self.page, &value, &self.base)?;
            let element = match value {
                XPathValue::Node(n) => Some(n),
                XPathValue::Text(_) => None,
            };
            Some((element, url))
        })
    }

    fn is_link(&self, n: NodeId) -> bool {
        self.page.is(n, &local_name!("a")) && self.page.attr(n, "href").is_some()
    }

    fn item(
        &self,
        item: NodeId,
        block: &BlockMatcher,
        link: Option<NodeId>,
        url: String,
    ) -> ListItem {
        let title = self.first(&block.title, item);
        let title = title
            .or_else(|| self.text(link?))
            .or_else(|| self.label(link?));
        let title = title.map(|title| cut(without_day(escaped_once(title)), MAX_TITLE_CHARS));
        let summary = self.first(&block.summary, item);
        let authors = self.first(&block.author, item);
        let authors = authors.map(|byline| names(&byline).join(", "));
        let status = match title {
            Some(_) => Status::Ok,
            None => Status::Degraded,
        };
        ListItem {
            position: 0,
            date: self.date(item, block).or_else(|| date_in(&url)),
            url,
            title,
            summary: summary.map(|text| cut(text, MAX_SUMMARY_CHARS)),
            image: self.image(item, block),
            author: authors
                .filter(|names| !names.is_empty())
                .map(|names| cut(names, MAX_TITLE_CHARS)),
            status,
        }
    }

    /// The text of the first expression that gives one.
    fn first(&self, expressions: &[XPath], item: NodeId) -> Option<String> {
        let mut values = expressions
            .iter()
            .flat_map(|x| x.values_at(self.page, item));
        values.find_map(|value| match value {
            XPathValue::Node(n) => self.text(n),
            XPathValue::Text(text) => filled(fold(&text)),
        })
    }

    fn text(&self, n: NodeId) -> Option<String> {
        filled(text_without(self.page, n, &|n| self.strips.contains(&n)))
    }

    /// The words of a link without text: its `title`, or the description of its picture.
    fn label(&self, link: NodeId) -> Option<String> {
        let alt = |n: NodeId| self.page.attr(n, "alt");
        let own = self.page.attr(link, "title").into_iter();
        let mut labels = own.chain(self.page.subtree(link).filter_map(alt));
        labels.find_map(|label| filled(fold(label)))
    }

    fn date(&self, item: NodeId, block: &BlockMatcher) -> Option<String> {
        let mut dates = block.date.iter();
        dates.find_map(|(xpath, format)| {
            let values = xpath.values_at(self.page, item);
            values.into_iter().find_map(|value| {
                let read = |raw: &str| {
                    let raw = &raw[..raw.floor_char_boundary(MAX_DATE_BYTES)];
                    self.read_date(raw, format.as_deref(), item)
                };
                match value {
                    XPathValue::Node(n) => {
                        read(&self.text(n)?).or_else(|| read(&spaced_text(self.page, n)?))
                    }
                    XPathValue::Text(text) => read(&fold(&text)),
                }
            })
        })
    }

    fn read_date(&self, raw: &str, format: Option<&str>, item: NodeId) -> Option<String> {
        let read = |raw: &str| match format {
            None | Some("rfc3339") => {
                let date = Date::read_in(raw, self.language).rfc3339;
                date.or_else(|| Date::read_in(raw, self.spoken()).rfc3339)
            }
            Some(format) => Date::read_as(raw, format).rfc3339,
        };
        read(raw).or_else(|| self.completed(raw, item, read))
    }

    /// The language of the page's text, which may be another than the page says.
    fn spoken(&self) -> Language {
        *self.spoken.get_or_init(|| spoken(self.page))
    }

    /// A date that the headings above its item complete: the last of each kind, the nearest
    /// first, as a month below its year.
    fn completed(
        &self,
        raw: &str,
        item: NodeId,
        read: impl Fn(&str) -> Option<String>,
    ) -> Option<String> {
        let above = self.periods.partition_point(|&heading| heading < item);
        let mut kinds: Vec<(Option<&LocalName>, Option<&str>)> = Vec::new();
        let mut text = raw.to_owned();
        for &heading in self.periods[..above].iter().rev().take(MAX_PERIODS_BACK) {
            let kind = (self.page.tag(heading), self.page.attr(heading, "class"));
            if kinds.contains(&kind) {
                continue;
            }
            kinds.push(kind);
            text = format!("{text} {}", self.text(heading)?);
            if let Some(date) = read(&text) {
                return Some(date);
            }
            if kinds.len() == MAX_PERIOD_KINDS {
                break;
            }
        }
        None
    }

    fn image(&self, item: NodeId, block: &BlockMatcher) -> Option<String> {
        let mut values = block
            .image
            .iter()
            .flat_map(|x| x.values_at(self.page, item));
        values.find_map(|value| match value {
            XPathValue::Text(url) => Some(self.base.resolve(&url)?.into_owned()),
            XPathValue::Node(n) => {
                let mut images = self.page.subtree(n);
                images.find_map(|n| Some(image_url(self.page, n, &self.base)?.into_owned()))
            }
        })
    }
}

/// A title that was escaped once more than needed as it was: `A &amp; B`. Names that a title may
/// be about, `&lt;` and `&nbsp;`, stay where they stand alone.
fn escaped_once(title: String) -> String {
    let is_twice = ["&amp;", "&quot;", "&#"]
        .iter()
        .any(|part| title.contains(part));
    if is_twice && !title.contains('<') {
        text_of_html(&title)
    } else {
        title
    }
}

/// A title without a day, and a time, that stand before it: `[2011-12-11 23:13] Title`.
fn without_day(title: String) -> String {
    let rest = title.trim_start_matches(['[', '(']);
    let end = rest.find(|c: char| !(c.is_ascii_digit() || "-/.: ".contains(c)));
    let Some((day, after)) = end.map(|end| rest.split_at(end)) else {
        return title;
    };
    let is_day = day.starts_with(|c: char| c.is_ascii_digit())
        && day.bytes().filter(u8::is_ascii_digit).count() >= 8
        && Date::read(day.trim()).rfc3339.is_some();
    let after = after.trim_start_matches(|c: char| " ])|:-–—»".contains(c));
    if is_day && !after.is_empty() {
        after.to_owned()
    } else {
        title
    }
}

/// The day that an address names, as a date.
pub fn date_in(url: &str) -> Option<String> {
    Date::read(day_in(Some(url))?).rfc3339
}

fn filled(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// The first `chars` letters.
fn cut(mut text: String, chars: usize) -> String {
    if let Some((at, _)) = text.char_indices().nth(chars) {
        text.truncate(at);
    }
    text
}

impl ListItem {
    /// Bytes of its texts.
    fn text_bytes(&self) -> usize {
        let texts = [&self.title, &self.summary, &self.author];
        texts.into_iter().flatten().map(String::len).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_html::page::Source;

    fn apply(fields: &str, html: &str) -> ListedItems {
        let yaml = format!("format: 1\nkind: list\nsite: a.example\n{fields}");
        let wrapper = ListWrapper::from_yaml(&yaml).expect("yaml").wrapper;
        let source = Source {
            url: Some("https://a.example/news/"),
            ..Source::default()
        };
        let page = Page::parse(html.as_bytes(), source);
        ListExtractor::new(wrapper).expect("compiles").apply(&page)
    }

    #[test]
    fn fields_are_relative_to_their_item() {
        let html = "<h1>News</h1><ul><li class=n><img src=/1.jpg><h2><a href=1>First</a></h2>\
            <time datetime=2024-05-06>x</time><p>So <i>it</i> is.<span class=ad>Buy</span><p class=by>By Jane Doe\
            <li class=n><h2><a href=/2?utm_source=a>Second</a></h2><time datetime=2024-05-05></time>\
            <li class=n>none<li class=n><a href=https://a.example/2>again</a></ul><a rel=next href='?p=2'>more</a>";
        let listed = apply(
            "item: //li[@class='n']\nlink: [.//a]\ntitle: [.//h2]\ndate: [{xpath: .//time/@datetime}]\n\
             summary: ['.//p[not(@class)]']\nimage: [.//img]\nauthor: ['.//p[@class=\"by\"]']\n\
             next: //a[@rel='next']\nstrip: [\"//span[@class='ad']\"]\n",
            html,
        );
        let first = ListItem {
            position: 1,
            url: "https://a.example/news/1".to_owned(),
            title: Some("First".to_owned()),
            date: Some("2024-05-06T00:00:00Z".to_owned()),
            summary: Some("So it is.".to_owned()),
            image: Some("https://a.example/1.jpg".to_owned()),
            author: Some("Jane Doe".to_owned()),
            status: Status::Ok,
        };
        assert_eq!(listed.items[0], first);
        assert_eq!(listed.items.len(), 2);
        assert_eq!(listed.items[1].title.as_deref(), Some("Second"));
        assert_eq!(listed.next.as_deref(), Some("https://a.example/news/?p=2"));
        assert_eq!(listed.warnings, [ListWarning::WithoutLink { items: 1 }]);
    }

    #[test]
    fn headings_complete_dates() {
        let html = "<h2>May 2024</h2><ul><li><b>6</b> <a href=1>A</a></ul>\
                    <h2>April 2024</h2><ul><li><b>30</b> <a href=2>B</a></ul>";
        let listed = apply("item: //li\ndate: [{xpath: ./b}]\nperiod: //h2\n", html);
        let dates: Vec<_> = listed
            .items
            .iter()
            .map(|item| item.date.as_deref())
            .collect();
        let expected = ["2024-05-06T00:00:00Z", "2024-04-30T00:00:00Z"];
        assert_eq!(dates, expected.map(Some));
    }

    #[test]
    fn months_stand_below_their_year() {
        let html = "<h2>2013</h2><dl><dt>Dezember<dd><i>25</i><a href=1>A</a><dt>August<dd><i>20</i>\
                    <a href=2>B</a></dl><h2>2012</h2><dl><dt>Mai<dd><i>3</i><a href=3>C</a></dl>\
                    <p>Der Hafen ist geschlossen, und die Schiffe warten auf besseres Wetter.";
        let listed = apply(
            "item: //dd\nlink: [./a]\ndate: [{xpath: ./i}]\nperiod: //dt | //h2\n",
            html,
        );
        let dates = listed
            .items
            .iter()
            .map(|item| &item.date.as_deref().unwrap_or_default()[..10]);
        let expected = ["2013-12-25", "2013-08-20", "2012-05-03"];
        assert_eq!(dates.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_day_before_a_title_is_no_part_of_it() {
        let check =
            |title: &str, expected: &str| assert_eq!(without_day(title.to_owned()), expected);
        check("[2011-12-11 23:13] The mill", "The mill");
        check("2011-12-11 - The mill", "The mill");
        check("2011 in pictures", "2011 in pictures");
        check("2011-12-11", "2011-12-11");
        check("1984, a novel", "1984, a novel");
    }

    #[test]
    fn a_title_is_escaped_once() {
        let check = |title: &str, expected: &str| {
            assert_eq!(escaped_once(title.to_owned()), expected);
        };
        check(
            "The &quot;mill&quot; &amp; the sea&#039;s end",
            "The \"mill\" & the sea's end",
        );
        check("R&D; a mill", "R&D; a mill");
        check("What &nbsp; is", "What &nbsp; is");
        check("Is <b>&amp;</b> so?", "Is <b>&amp;</b> so?");
    }

    #[test]
    fn an_item_may_be_its_own_link_and_have_its_day_in_the_address() {
        let listed = apply(
            "item: //a\n",
            "<a href=/2024/05/06/x>A</a><a href=/y><img alt=B></a>",
        );
        assert_eq!(
            listed.items[0].date.as_deref(),
            Some("2024-05-06T00:00:00Z")
        );
        assert_eq!(listed.items[1].title.as_deref(), Some("B"));
    }

    #[test]
    fn items_and_texts_are_bounded() {
        let many: String = (0..100_000).map(|n| format!("<a href={n}>x</a>")).collect();
        let listed = apply("item: //a\n", &many);
        assert_eq!(listed.items.len(), MAX_LIST_ITEMS);
        assert_eq!(
            listed.warnings,
            [ListWarning::TooManyItems { found: 100_000 }]
        );
        let html: String = (0..1000)
            .map(|n| format!("<a href={n}>word {n} </a>"))
            .collect();
        let listed = apply("item: //a\nsummary: [//body]\n", &html);
        assert!(listed.items.len() < 1000);
        assert!(listed.warnings.contains(&ListWarning::TooLong));
    }
}
