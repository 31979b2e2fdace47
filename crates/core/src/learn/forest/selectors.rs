//! Selectors of elements: the parts of an element that are likely to be the same on other
//! pages, and on the same page in years.

use crate::pattern::{generated_part, is_plain_name};
use foldhash::HashMap;
use forest_html::page::{NodeId, Page};
use html5ever::{LocalName, QualName, local_name, ns};
use std::fmt;
use std::sync::Arc;

/// Bytes of an attribute's value that can identify: longer ones are data.
const MAX_VALUE_BYTES: usize = 80;

/// Names that are alike but for a number, from which on the number runs.
const MIN_RUNNING: usize = 3;

/// Class tokens of an element that are looked at.
const MAX_TOKENS: usize = 8;

/// An element by its tag and one test.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ElementSelector {
    pub tag: LocalName,
    pub test: SelectorTest,
}

/// A test of an element beside its tag. The order is that of preference
/// among equals.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum SelectorTest {
    /// `itemprop` or `role`, or the `name` of an `a`, with its value.
    Role(LocalName, Box<str>),
    /// A whole token of the class.
    Class(Box<str>),
    /// The id.
    Id(Box<str>),
    /// The beginning of the id: the number of the page follows.
    IdStart(Box<str>),
    /// The beginning of a token of the class: a generated part follows.
    ClassStart(Box<str>),
    /// The tag alone.
    Any,
    /// Another attribute, with its value: `width='600'`.
    Attribute(LocalName, Box<str>),
    /// Two such attributes.
    Looks(Box<[AttributeValue; 2]>),
    /// The element's text, white space normalised.
    Text(Box<str>),
    /// Nothing but digits and white space.
    Numbers,
}

/// An attribute that says how an element looks, with its value.
type AttributeValue = (LocalName, Box<str>);

/// A selector, as an index.
pub(super) type SelectorId = u32;

/// The selectors of a sample, each once.
#[derive(Debug, Default)]
pub(super) struct SelectorTable {
    by_simple: HashMap<ElementSelector, SelectorId>,
    simples: Vec<ElementSelector>,
    /// Those of the elements that are written alike: tag and telling attributes, with
    /// a NUL, which no page has, between them.
    by_tag: HashMap<String, OwnSelectors>,
    tag: String,
    /// For each whether its name has a running number.
    running: Vec<bool>,
}

/// The selectors of an element.
#[derive(Debug, Clone)]
pub(super) struct OwnSelectors {
    pub all: Arc<[SelectorId]>,
    /// All but that by the tag alone.
    pub beside_tag: Arc<[SelectorId]>,
}

/// Items by their selectors, those of each in the order in which they came.
#[derive(Debug)]
pub(super) struct BySelector<T> {
    /// The first item of each selector, and one past the last item of all.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> BySelector<T> {
    /// The items, which are gone through twice; `selectors` is one past the last selector.
    pub fn of(
        selectors: usize,
        items: impl Iterator<Item = (SelectorId, T)> + Clone,
    ) -> BySelector<T> {
        // First the numbers of items, two places on; then where each one's next item goes,
        // one place on.
        let mut starts = vec![0_u32; selectors + 2];
        for (selector, _) in items.clone() {
            starts[selector as usize + 2] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut out = vec![T::default(); starts[selectors + 1] as usize];
        for (selector, item) in items {
            let next = &mut starts[selector as usize + 1];
            out[*next as usize] = item;
            *next += 1;
        }
        BySelector { starts, items: out }
    }

    /// The items of a selector; none of one that came later.
    pub fn get(&self, selector: SelectorId) -> &[T] {
        let at = selector as usize;
        match self.starts.get(at..at + 2) {
            Some(&[start, end]) => &self.items[start as usize..end as usize],
            _ => &[],
        }
    }
}

impl SelectorTable {
    /// The selectors of an element.
    pub fn of(&mut self, page: &Page, n: NodeId) -> OwnSelectors {
        self.tag.clear();
        self.tag.push_str(page.tag(n).map_or("", |tag| tag));
        for (name, value) in page.attrs(n).filter(|(name, _)| is_telling(name)) {
            for part in ["\0", &name.local, "\0", value] {
                self.tag.push_str(part);
            }
        }
        if let Some(known) = self.by_tag.get(&self.tag) {
            return known.clone();
        }
        let simples = ElementSelector::of(page, n).into_iter();
        let all: Arc<[SelectorId]> = simples.map(|simple| self.id(simple)).collect();
        let is_beside_tag = |&selector: &SelectorId| self[selector].test != SelectorTest::Any;
        let own = OwnSelectors {
            beside_tag: all.iter().copied().filter(is_beside_tag).collect(),
            all,
        };
        self.by_tag.insert(self.tag.clone(), own.clone());
        own
    }

    /// The index of a selector.
    pub fn id(&mut self, simple: ElementSelector) -> SelectorId {
        match self.by_simple.get(&simple) {
            Some(&name) => name,
            None => {
                let name = self.simples.len() as SelectorId;
                self.simples.push(simple.clone());
                self.by_simple.insert(simple, name);
                name
            }
        }
    }

    /// Marks the ids and class tokens that differ by a number from so many others of the same
    /// tag that it runs: `cb1`, `cb2`, `cb3`. They are not the same thing on each page.
    pub fn mark_running(&mut self) {
        let mut alike: HashMap<(&LocalName, String), usize> = HashMap::default();
        let of = |simple: &'_ ElementSelector| without_numbers(simple);
        for simple in &self.simples {
            if let Some(name) = of(simple) {
                *alike.entry((&simple.tag, name)).or_default() += 1;
            }
        }
        let is_running = |simple: &ElementSelector| {
            let name = of(simple).map(|name| (&simple.tag, name));
            name.is_some_and(|name| alike[&name] >= MIN_RUNNING)
        };
        self.running = self.simples.iter().map(is_running).collect();
    }

    /// True if the name of a selector has a running number.
    pub fn is_running(&self, selector: SelectorId) -> bool {
        self.running
            .get(selector as usize)
            .copied()
            .unwrap_or_default()
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.simples.len()
    }
}

/// The id or class token of a selector with a `0` in the place of each number in it; `None`
/// without a number.
fn without_numbers(simple: &ElementSelector) -> Option<String> {
    let (SelectorTest::Id(name) | SelectorTest::Class(name)) = &simple.test else {
        return None;
    };
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if !c.is_ascii_digit() {
            out.push(c);
        } else if !out.ends_with('0') {
            out.push('0');
        }
    }
    out.contains('0').then_some(out)
}

impl std::ops::Index<SelectorId> for SelectorTable {
    type Output = ElementSelector;

    fn index(&self, name: SelectorId) -> &ElementSelector {
        &self.simples[name as usize]
    }
}

impl ElementSelector {
    /// The selectors of an element, each of which selects it.
    pub fn of(page: &Page, n: NodeId) -> Vec<ElementSelector> {
        let Some(tag) = sayable(page, n) else {
            return Vec::new();
        };
        let is_whole = |test: SelectorTest| matches!(test, SelectorTest::Id(_));
        let mut tests = vec![SelectorTest::Any];
        let mut looks: Vec<AttributeValue> = Vec::new();
        for (name, value) in page.attrs(n) {
            let value = value.trim();
            if !is_telling(name) || value.is_empty() || value.contains('\'') {
                continue;
            }
            match name.local {
                local_name!("class") => {
                    tests.extend(
                        value
                            .split_ascii_whitespace()
                            .take(MAX_TOKENS)
                            .filter_map(class),
                    );
                }
                local_name!("id") => tests.extend(id(value)),
                local_name!("itemprop") | local_name!("role") => {
                    tests.push(SelectorTest::Role(name.local.clone(), value.into()));
                }
                local_name!("name")
                    if *tag == local_name!("a") && id(value).is_some_and(is_whole) =>
                {
                    tests.push(SelectorTest::Role(name.local.clone(), value.into()));
                }
                local_name!("name") => {}
                _ if value.len() <= MAX_VALUE_BYTES => {
                    looks.push((name.local.clone(), value.into()));
                }
                _ => {}
            }
        }
        let single = |(name, value): &(LocalName, Box<str>)| {
            SelectorTest::Attribute(name.clone(), value.clone())
        };
        tests.extend(looks.iter().map(single));
        for (i, first) in looks.iter().enumerate() {
            let pair = |second: &AttributeValue| {
                SelectorTest::Looks(Box::new([first.clone(), second.clone()]))
            };
            tests.extend(looks[i + 1..].iter().map(pair));
        }
        let simple = |test| ElementSelector {
            tag: tag.clone(),
            test,
        };
        tests.into_iter().map(simple).collect()
    }

    /// True if it says more than a tag that any element may have.
    pub fn is_named(&self) -> bool {
        self.test != SelectorTest::Any
            || matches!(
                self.tag,
                local_name!("article")
                    | local_name!("main")
                    | local_name!("aside")
                    | local_name!("nav")
            )
    }
}

/// The tag of an element, if an expression can say it: `o:p` it cannot.
pub(super) fn sayable(page: &Page, n: NodeId) -> Option<&LocalName> {
    page.tag(n).filter(|tag| is_plain_name(tag))
}

/// True if an attribute can be in a selector.
fn is_telling(name: &QualName) -> bool {
    name.ns == ns!()
        && matches!(
            name.local,
            local_name!("class")
                | local_name!("id")
                | local_name!("itemprop")
                | local_name!("role")
                | local_name!("name")
                | local_name!("width")
                | local_name!("align")
                | local_name!("valign")
                | local_name!("bgcolor")
                | local_name!("cellpadding")
                | local_name!("cellspacing")
                | local_name!("height")
                | local_name!("border")
        )
}

/// The predicate, empty for the tag alone.
impl fmt::Display for ElementSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.tag)?;
        match &self.test {
            SelectorTest::Any => Ok(()),
            SelectorTest::Role(name, value) | SelectorTest::Attribute(name, value) => {
                write!(f, "[@{name}='{value}']")
            }
            SelectorTest::Looks(pair) => {
                let [(name, value), (other, of_other)] = &**pair;
                write!(f, "[@{name}='{value}' and @{other}='{of_other}']")
            }
            SelectorTest::Text(text) => write!(f, "[normalize-space()='{text}']"),
            SelectorTest::Numbers => f.write_str(
                "[normalize-space() and not(translate(normalize-space(),' 0123456789',''))]",
            ),
            SelectorTest::Id(value) => write!(f, "[@id='{value}']"),
            SelectorTest::IdStart(start) => write!(f, "[starts-with(@id,'{start}')]"),
            SelectorTest::Class(token) => write!(
                f,
                "[contains(concat(' ',normalize-space(@class),' '),' {token} ')]"
            ),
            SelectorTest::ClassStart(start) => write!(
                f,
                "[contains(concat(' ',normalize-space(@class)),' {start}')]"
            ),
        }
    }
}

/// The test of a class token. Utility classes (`xl:w-[640px]`, `mt-4`) say how
/// something looks and are no names.
fn class(token: &str) -> Option<SelectorTest> {
    if token.len() > MAX_VALUE_BYTES
        || token.contains([':', '[', ']', '/', '(', ')', '"', '%', '!', '@'])
    {
        return None;
    }
    match generated_part(token) {
        None => Some(SelectorTest::Class(token.into())),
        Some(0) => None,
        Some(at) => Some(SelectorTest::ClassStart(token[..at].into())),
    }
}

fn id(value: &str) -> Option<SelectorTest> {
    if value.len() > MAX_VALUE_BYTES || value.contains(char::is_whitespace) {
        return None;
    }
    match generated_part(value) {
        None => Some(SelectorTest::Id(value.into())),
        Some(0) => None,
        Some(at) => Some(SelectorTest::IdStart(value[..at].into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &[&str]) {
        let page = Page::from_html(html);
        let body = page.body().expect("body");
        let n = page.children(body).next().expect("an element");
        let got: Vec<String> = ElementSelector::of(&page, n)
            .iter()
            .map(ElementSelector::to_string)
            .collect();
        assert_eq!(got, expected, "{html}");
    }

    #[test]
    fn names_are_whole_tokens() {
        check(
            "<div class='story wide'>x",
            &[
                "div",
                "div[contains(concat(' ',normalize-space(@class),' '),' story ')]",
                "div[contains(concat(' ',normalize-space(@class),' '),' wide ')]",
            ],
        );
        check(
            "<div id=main itemprop=articleBody>x",
            &["div", "div[@id='main']", "div[@itemprop='articleBody']"],
        );
    }

    #[test]
    fn generated_parts_are_left_out() {
        check(
            "<div id=post-12345>x",
            &["div", "div[starts-with(@id,'post-')]"],
        );
        check(
            "<div class='article-body__container__3ypuX'>x",
            &[
                "div",
                "div[contains(concat(' ',normalize-space(@class)),' article-body__container__')]",
            ],
        );
        check(
            "<div class='css-1x2y3z xl:w-[640px] sc-1fwko-0'>x",
            &["div"],
        );
        check(
            "<div class='Story_section__xqaQs dbwULn feoRWP'>x",
            &[
                "div",
                "div[contains(concat(' ',normalize-space(@class)),' Story_section__')]",
            ],
        );
        check("<div id='20240506'>x", &["div"]);
        check("<div id=_1_tb_body class='-2-block'>x", &["div"]);
        check("<div id=tb_1>x", &["div", "div[@id='tb_1']"]);
        check(
            "<div class='h2 col-12'>x",
            &[
                "div",
                "div[contains(concat(' ',normalize-space(@class),' '),' h2 ')]",
                "div[contains(concat(' ',normalize-space(@class),' '),' col-12 ')]",
            ],
        );
    }

    #[test]
    fn tables_are_selected_by_their_looks() {
        check(
            "<table width=600 border=0 summary=x><td>x</table>",
            &[
                "table",
                "table[@width='600']",
                "table[@border='0']",
                "table[@width='600' and @border='0']",
            ],
        );
        check(
            "<a name=comments class=x1234></a>",
            &["a", "a[@name='comments']"],
        );
        check("<a name=c1234></a>", &["a"]);
    }

    #[test]
    fn numbers_run_from_three_names_on() {
        let mut table = SelectorTable::default();
        let html = "<pre id=cb1></pre><pre id=cb2></pre><pre id=cb12></pre><p id=h1><p id=h2>\
                    <div class='part-2-a'></div><div class='part-3-a'></div><div class='part-4-a'></div>";
        let page = Page::from_html(html);
        let elements: Vec<NodeId> = page.elements().skip(3).collect();
        let own: Vec<OwnSelectors> = elements.iter().map(|&n| table.of(&page, n)).collect();
        table.mark_running();
        let running = own.iter().map(|own| {
            let selectors = own.beside_tag.iter();
            selectors
                .filter(|selector| table.is_running(**selector))
                .count()
        });
        assert_eq!(running.collect::<Vec<_>>(), [1, 1, 1, 0, 0, 1, 1, 1]);
    }
}
