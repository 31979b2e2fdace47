//! Selectors of elements that are hidden (feature `adblock`): the part of CSS that lists of
//! advertisements use most, without pseudo-classes and siblings.

use super::edit::PageEdit;
use forest_html::page::NodeId;
use std::collections::HashMap;

/// Compounds of a selector at the most.
const MAX_COMPOUNDS: usize = 16;

/// Comparisons of an element with a compound, for a page at the most: then no more elements
/// of it are hidden. An ordinary page takes some 10,000.
const MAX_COMPARISONS: usize = 5_000_000;

/// A selector: compounds from the element itself to its ancestors.
#[derive(Debug, Clone, PartialEq, Eq)]
struct HideSelector {
    element: HideCompound,
    /// Each with the way to it from the one before.
    above: Vec<(HideCombinator, HideCompound)>,
}

/// The way from an element to one above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HideCombinator {
    Parent,
    Ancestor,
}

/// `a#b.c[d^="e"]`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct HideCompound {
    tag: Option<String>,
    id: Option<String>,
    classes: Vec<String>,
    attrs: Vec<HideAttr>,
}

/// The condition of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
struct HideAttr {
    name: String,
    /// The operator before `=`, `=` if it stands alone, or `None` if any value will do.
    operator: Option<char>,
    value: String,
    ignores_case: bool,
}

/// Selectors by a part that an element has to have.
#[derive(Debug, Default)]
pub(super) struct HideTable {
    by_part: HashMap<String, Vec<HideSelector>>,
}

/// True for a list of selectors that can be used.
pub(super) fn is_selector(text: &str) -> bool {
    parse(text).is_some()
}

impl HideTable {
    /// A table of lists of selectors; those that cannot be used are left out.
    pub(super) fn of(lists: impl IntoIterator<Item = impl AsRef<str>>) -> HideTable {
        let mut table = HideTable::default();
        for selector in lists
            .into_iter()
            .filter_map(|list| parse(list.as_ref()))
            .flatten()
        {
            let part = selector.element.part();
            table.by_part.entry(part).or_default().push(selector);
        }
        table
    }

    /// The elements of a page that are hidden, without those in others that are.
    pub(super) fn hidden(&self, page: &PageEdit<'_>) -> Vec<NodeId> {
        let mut left = MAX_COMPARISONS;
        let mut hidden = Vec::new();
        if self.by_part.is_empty() {
            return hidden;
        }
        let all = page.page();
        let mut nodes = all.walk(all.root());
        while let Some(n) = nodes.next() {
            if !page.is_kept(n) {
                nodes.pass_over(n);
            } else if all
                .tag(n)
                .is_some_and(|tag| !matches!(&**tag, "html" | "body"))
                && self.hides(n, page, &mut left)
            {
                hidden.push(n);
                nodes.pass_over(n);
            }
        }
        hidden
    }

    fn hides(&self, n: NodeId, page: &PageEdit<'_>, left: &mut usize) -> bool {
        let mut parts: Vec<String> = Vec::new();
        for (_, name, value) in page.attrs(n) {
            match name {
                "id" => parts.push(format!("#{value}")),
                "class" => {
                    let classes = value.split_ascii_whitespace();
                    parts.extend(classes.map(|class| format!(".{class}")));
                }
                _ => {}
            }
            parts.push(format!("[{name}"));
        }
        parts.extend(page.tag(n).map(|tag| tag.to_string()));
        let mut selectors = parts
            .iter()
            .filter_map(|part| self.by_part.get(part))
            .flatten();
        selectors.any(|selector| selector.hides(n, page, left))
    }
}

impl HideSelector {
    fn hides(&self, n: NodeId, page: &PageEdit<'_>, left: &mut usize) -> bool {
        self.element.is_of(n, page, left) && is_under(&self.above, n, page, left)
    }
}

/// True if an element stands below elements of the compounds. As deep as a selector is long.
fn is_under(
    above: &[(HideCombinator, HideCompound)],
    n: NodeId,
    page: &PageEdit<'_>,
    left: &mut usize,
) -> bool {
    let Some(((combinator, compound), rest)) = above.split_first() else {
        return true;
    };
    let most = match combinator {
        HideCombinator::Parent => 1,
        HideCombinator::Ancestor => usize::MAX,
    };
    let above = |n: &NodeId| page.page().parent_element(*n);
    let mut ancestors = std::iter::successors(above(&n), above).take(most);
    ancestors.any(|outer| compound.is_of(outer, page, left) && is_under(rest, outer, page, left))
}

impl HideCompound {
    /// The part by which the table finds it: an element of it has this part.
    fn part(&self) -> String {
        let id = self.id.as_ref().map(|id| format!("#{id}"));
        let class = self.classes.first().map(|class| format!(".{class}"));
        let attr = self.attrs.first().map(|attr| format!("[{}", attr.name));
        let part = id.or(class).or(attr);
        part.or_else(|| self.tag.clone()).unwrap_or_default()
    }

    fn is_of(&self, n: NodeId, page: &PageEdit<'_>, left: &mut usize) -> bool {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        let has_class = |wanted: &String| {
            let classes = page.attr(n, "class").unwrap_or_default();
            classes
                .split_ascii_whitespace()
                .any(|class| class == wanted)
        };
        let is_tag = |wanted: &String| page.tag(n).is_some_and(|tag| **tag == **wanted);
        self.tag.as_ref().is_none_or(is_tag)
            && { self.id.as_ref() }.is_none_or(|id| page.attr(n, "id") == Some(id))
            && self.classes.iter().all(has_class)
            && { self.attrs.iter() }.all(|attr| {
                page.attr(n, &attr.name)
                    .is_some_and(|value| attr.is_of(value))
            })
    }
}

impl HideAttr {
    fn is_of(&self, value: &str) -> bool {
        if self.ignores_case {
            let lower = value.to_lowercase();
            return is_value(self.operator, &lower, &self.value.to_lowercase());
        }
        is_value(self.operator, value, &self.value)
    }
}

/// The comparisons of Selectors 4, 6.1 and 6.2.
fn is_value(operator: Option<char>, value: &str, wanted: &str) -> bool {
    match operator {
        None => true,
        Some('=') => value == wanted,
        Some('~') => value.split_ascii_whitespace().any(|word| word == wanted),
        Some('|') => {
            let rest = value.strip_prefix(wanted);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        }
        Some(_) if wanted.is_empty() => false,
        Some('^') => value.starts_with(wanted),
        Some('$') => value.ends_with(wanted),
        Some(_) => value.contains(wanted),
    }
}

/// The selectors of a list; `None` for what is not read.
fn parse(text: &str) -> Option<Vec<HideSelector>> {
    let mut reader = SelectorText { rest: text.trim() };
    let mut selectors = vec![reader.selector()?];
    while reader.take(",") {
        selectors.push(reader.selector()?);
    }
    reader.rest.is_empty().then_some(selectors)
}

/// The part of a selector that is still to be read.
struct SelectorText<'s> {
    rest: &'s str,
}

impl<'s> SelectorText<'s> {
    fn take(&mut self, what: &str) -> bool {
        let rest = self.rest.strip_prefix(what);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// True if there was white space.
    fn space(&mut self) -> bool {
        let before = self.rest.len();
        self.rest = self.rest.trim_ascii_start();
        self.rest.len() < before
    }

    fn selector(&mut self) -> Option<HideSelector> {
        self.space();
        let mut element = self.compound()?;
        let mut above = Vec::new();
        loop {
            let space = self.space();
            let combinator = if self.take(">") {
                self.space();
                HideCombinator::Parent
            } else if space && !self.rest.is_empty() && !self.rest.starts_with(',') {
                HideCombinator::Ancestor
            } else {
                break;
            };
            above.insert(
                0,
                (
                    combinator,
                    std::mem::replace(&mut element, self.compound()?),
                ),
            );
            if above.len() >= MAX_COMPOUNDS {
                return None;
            }
        }
        // It would hide each element.
        (element != HideCompound::default()).then_some(HideSelector { element, above })
    }

    fn compound(&mut self) -> Option<HideCompound> {
        let before = self.rest.len();
        let mut compound = HideCompound::default();
        if !self.take("*") {
            compound.tag = self.name().map(str::to_ascii_lowercase);
        }
        loop {
            if self.take("#") {
                let id = self.name()?.to_owned();
                if compound.id.replace(id).is_some() {
                    return None;
                }
            } else if self.take(".") {
                compound.classes.push(self.name()?.to_owned());
            } else if self.take("[") {
                compound.attrs.push(self.attr()?);
            } else {
                break;
            }
        }
        (self.rest.len() < before).then_some(compound)
    }

    fn name(&mut self) -> Option<&'s str> {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        let end = self.rest.find(|c| !is_name(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!name.is_empty()).then_some(name)
    }

    fn attr(&mut self) -> Option<HideAttr> {
        self.space();
        let mut attr = HideAttr {
            name: self.name()?.to_ascii_lowercase(),
            operator: None,
            value: String::new(),
            ignores_case: false,
        };
        self.space();
        if self.take("]") {
            return Some(attr);
        }
        let operators = ["=", "~=", "|=", "^=", "$=", "*="];
        let operator = operators.into_iter().find(|operator| self.take(operator))?;
        attr.operator = operator.chars().next();
        self.space();
        attr.value = self.value()?.to_owned();
        self.space();
        attr.ignores_case = self.take("i") || self.take("I");
        if !attr.ignores_case {
            let _ = self.take("s") || self.take("S");
        }
        self.space();
        self.take("]").then_some(attr)
    }

    fn value(&mut self) -> Option<&'s str> {
        let quote = ['"', '\'']
            .into_iter()
            .find(|&quote| self.rest.starts_with(quote));
        let Some(quote) = quote else {
            return self.name();
        };
        let (value, rest) = self.rest[1..].split_once(quote)?;
        self.rest = rest;
        (!value.contains('\\')).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::FilterSettings;
    use forest_html::page::Page;
    use forest_html::page::view::View;

    /// The ids of the elements that are hidden, outermost ones alone.
    fn hidden(selector: &str) -> Vec<String> {
        let page = Page::from_html(
            "<div id=a class='ad box'><p id=b class=ad>x</p></div><div id=c class=Ad data-x=One>\
             <a id=d href='https://track.example/1'>x</a></div><section id=e><p id=f><a id=g>y",
        );
        let edit = PageEdit::new(&View::whole(&page), &FilterSettings::none());
        let hidden = HideTable::of([selector]).hidden(&edit);
        { hidden.into_iter() }
            .map(|n| page.attr(n, "id").unwrap_or_default().to_owned())
            .collect()
    }

    #[test]
    fn selectors_find_their_elements() {
        let check = |selector: &str, expected: &[&str]| {
            assert_eq!(hidden(selector), expected, "{selector}");
        };
        check(".ad", &["a"]);
        check("p.ad", &["b"]);
        check("P.ad", &["b"]);
        check(".ad.box", &["a"]);
        check("div .ad", &["b"]);
        check("div > .ad", &["b"]);
        check("section > a", &[]);
        check("section a", &["g"]);
        check("div>p.ad, section a", &["b", "g"]);
        check("#e p #g", &["g"]);
        check("body > div", &["a", "c"]);
        check("[data-x]", &["c"]);
        check("[data-x=\"one\"]", &[]);
        check("[data-x=one i]", &["c"]);
        check("a[href^=\"https://track.\"]", &["d"]);
        check("a[href$='/1']", &["d"]);
        check("a[href*=track]", &["d"]);
        check("a[href*='']", &[]);
        check("[class~=box]", &["a"]);
        check("[class|=ad]", &["b"]);
        check("html, body", &[]);
    }

    #[test]
    fn other_selectors_are_not_read() {
        for selector in [
            "",
            "*",
            "a:hover",
            "a::before",
            "a + b",
            "a ~ b",
            ".a\\:b",
            "a,",
            "a >",
            "[a",
            "[a=]",
            "[a='b]",
            "a b, ",
            "#a#b",
            "a{}",
            &"a ".repeat(40),
        ] {
            assert!(!is_selector(selector), "{selector}");
        }
        assert!(is_selector("* .ad") && is_selector("*[a]"));
    }

    #[test]
    fn hostile_selectors_and_pages_take_a_bounded_time() {
        let deep = format!("{}<p class=x>", "<div class=a>".repeat(400)).repeat(50);
        let page = Page::from_html(&deep);
        let edit = PageEdit::new(&View::whole(&page), &FilterSettings::none());
        let selector = format!("#no {}.x", ".a ".repeat(14));
        assert!(is_selector(&selector));
        assert!(HideTable::of([selector]).hidden(&edit).is_empty());
    }
}
