//! Expressions that are followed without the engine: those that the learner writes.
//!
//! ```text
//! expression = path *( " | " path )
//! path       = 1*( "//" step ) [ "/following-sibling::node()" / "/preceding-sibling::node()" ]
//! step       = tag [ "[" test *( " and " test ) "]" ]
//! test       = "@" name "=" literal
//!            / "starts-with(@" name "," literal ")"
//!            / "normalize-space()=" literal
//!            / "contains(concat(' ',normalize-space(@" name "),' ')," literal ")"
//!            / "contains(concat(' ',normalize-space(@" name "))," literal ")"
//!            / "contains(translate(@" name ",'0123456789','')," literal ")"
//! ```
//!
//! Each path takes one pass over the page's elements. **Measured**: to follow the bodies
//! and strips that `forest` learns of `big9` on their sample takes an eleventh of the
//! instructions that the engine takes, which builds strings and sets of nodes for every
//! element and every test.

use super::expr::DFS;
use crate::page::{Kind, NodeId, Page};
use foldhash::HashSet;
use html5ever::LocalName;

/// An expression of this form.
#[derive(Debug, Clone)]
pub(super) struct Direct(Vec<DirectPath>);

#[derive(Debug, Clone)]
struct DirectPath {
    steps: Vec<DirectStep>,
    siblings: Option<Siblings>,
}

#[derive(Debug, Clone)]
struct DirectStep {
    tag: LocalName,
    tests: Vec<DirectTest>,
}

#[derive(Debug, Clone)]
enum DirectTest {
    Is(Box<str>, Box<str>),
    StartsWith(Box<str>, Box<str>),
    Token(Box<str>, Box<str>),
    TokenStart(Box<str>, Box<str>),
    /// Digits of the attribute's value do not count.
    Contains(Box<str>, Box<str>),
    Text(Box<str>),
}

/// Which siblings of what is selected are meant instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Siblings {
    Before,
    Behind,
}

impl Direct {
    /// `None` for an expression of another form.
    pub fn parse(source: &str) -> Option<Direct> {
        let mut rest = source;
        let mut paths = Vec::new();
        loop {
            paths.push(path(&mut rest)?);
            if rest.is_empty() {
                return Some(Direct(paths));
            }
            rest = rest.strip_prefix(" | ")?;
        }
    }

    /// The selected nodes, in document order.
    pub fn nodes(&self, page: &Page) -> Vec<NodeId> {
        let mut out = Vec::new();
        for path in &self.0 {
            let selected = path.elements(page);
            match path.siblings {
                None => out.extend(selected),
                Some(which) => siblings(page, &selected, which, &mut out),
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }
}

impl DirectPath {
    /// The elements that the steps select, in document order.
    fn elements(&self, page: &Page) -> Vec<NodeId> {
        let Some((last, outer)) = self.steps.split_last() else {
            return Vec::new();
        };
        // One past the last node in an element that each step selects.
        let mut open = vec![NodeId(0); outer.len()];
        let mut out = Vec::new();
        for n in page.elements() {
            let Some(name) = page.name(n) else { continue };
            let is_in = |step: usize, open: &[NodeId]| step == 0 || n < open[step - 1];
            let selects = |step: &DirectStep| step.tag == name.local && step.fits(page, n);
            if is_in(outer.len(), &open) && selects(last) {
                out.push(n);
            }
            for (at, step) in outer.iter().enumerate().rev() {
                if is_in(at, &open) && selects(step) {
                    open[at] = open[at].max(page.end(n));
                }
            }
        }
        out
    }
}

impl DirectStep {
    fn fits(&self, page: &Page, n: NodeId) -> bool {
        self.tests.iter().all(|test| match test {
            DirectTest::Is(name, value) => page.attr(n, name) == Some(value),
            DirectTest::StartsWith(name, start) => {
                page.attr(n, name).is_some_and(|v| v.starts_with(&**start))
            }
            DirectTest::Token(name, token) => tokens_of(page, n, name).any(|own| own == &**token),
            DirectTest::TokenStart(name, start) => {
                tokens_of(page, n, name).any(|own| own.starts_with(&**start))
            }
            DirectTest::Contains(name, part) => page.attr(n, name).is_some_and(|value| {
                if value.contains(|c: char| c.is_ascii_digit()) {
                    value
                        .replace(|c: char| c.is_ascii_digit(), "")
                        .contains(&**part)
                } else {
                    value.contains(&**part)
                }
            }),
            DirectTest::Text(text) => is_normalized(page.text(n), text),
        })
    }
}

fn tokens_of<'p>(page: &'p Page, n: NodeId, name: &str) -> impl Iterator<Item = &'p str> {
    let value = page.attr(n, name).unwrap_or_default();
    value.split(is_space).filter(|token| !token.is_empty())
}

/// Returns true if `text` is `normalized` once its white space is.
fn is_normalized(text: &str, normalized: &str) -> bool {
    let mut rest = Some(normalized);
    for (at, word) in text
        .split(is_space)
        .filter(|word| !word.is_empty())
        .enumerate()
    {
        rest = match at {
            0 => rest,
            _ => rest.and_then(|rest| rest.strip_prefix(' ')),
        };
        rest = rest.and_then(|rest| rest.strip_prefix(word));
        if rest.is_none() {
            return false;
        }
    }
    rest == Some("")
}

/// White space as XPath has it.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// The siblings of elements, which are in document order: of one parent's children the
/// first has all that stand behind any of them, and the last all before.
fn siblings(page: &Page, selected: &[NodeId], which: Siblings, out: &mut Vec<NodeId>) {
    let mut parents = HashSet::default();
    let mut add = |n: NodeId| {
        let Some(parent) = page.parent(n).filter(|parent| parents.insert(*parent)) else {
            return;
        };
        let all = page.children(parent);
        let all = all.filter(|&sibling| page.kind(sibling) != Kind::Doctype);
        match which {
            Siblings::Before => out.extend(all.take_while(|&sibling| sibling < n)),
            Siblings::Behind => out.extend(all.skip_while(|&sibling| sibling <= n)),
        }
    };
    match which {
        Siblings::Before => selected.iter().rev().for_each(|&n| add(n)),
        Siblings::Behind => selected.iter().for_each(|&n| add(n)),
    }
}

fn path(rest: &mut &str) -> Option<DirectPath> {
    let mut steps = Vec::new();
    while let Some(behind) = rest.strip_prefix("//") {
        *rest = behind;
        steps.push(step(rest)?);
    }
    let forms = [
        ("/following-sibling::node()", Siblings::Behind),
        ("/preceding-sibling::node()", Siblings::Before),
    ];
    let mut siblings = None;
    for (form, which) in forms {
        if siblings.is_none() && take(rest, form).is_some() {
            siblings = Some(which);
        }
    }
    (!steps.is_empty()).then_some(DirectPath { steps, siblings })
}

fn step(rest: &mut &str) -> Option<DirectStep> {
    let tag = LocalName::from(name(rest)?);
    let mut tests = Vec::new();
    if take(rest, "[").is_some() {
        tests.push(test(rest)?);
        while take(rest, " and ").is_some() {
            tests.push(test(rest)?);
        }
        take(rest, "]")?;
    }
    // What goes on, as `text()` and `a:b` do, is no tag.
    let ends = rest.is_empty() || rest.starts_with('/') || rest.starts_with(" | ");
    ends.then_some(DirectStep { tag, tests })
}

fn test(rest: &mut &str) -> Option<DirectTest> {
    if take(rest, "@").is_some() {
        let name = attribute(rest)?;
        take(rest, "=")?;
        return Some(DirectTest::Is(name, literal(rest)?.into()));
    }
    if take(rest, "normalize-space()=").is_some() {
        return Some(DirectTest::Text(literal(rest)?.into()));
    }
    if take(rest, "starts-with(@").is_some() {
        let name = attribute(rest)?;
        take(rest, ",")?;
        let start = literal(rest).filter(|start| !start.is_empty())?;
        take(rest, ")")?;
        return Some(DirectTest::StartsWith(name, start.into()));
    }
    if take(rest, "contains(translate(@").is_some() {
        let name = attribute(rest)?;
        take(rest, ",'0123456789',''),")?;
        let part = literal(rest).filter(|part| !part.is_empty())?;
        take(rest, ")")?;
        return Some(DirectTest::Contains(name, part.into()));
    }
    take(rest, "contains(concat(' ',normalize-space(@")?;
    let name = attribute(rest)?;
    take(rest, ")")?;
    let is_whole = take(rest, ",' '").is_some();
    take(rest, "),")?;
    let spaced = literal(rest)?;
    take(rest, ")")?;
    let token = spaced.strip_prefix(' ')?;
    let token = if is_whole {
        token.strip_suffix(' ')?
    } else {
        token
    };
    if token.is_empty() || token.contains(is_space) {
        return None;
    }
    Some(if is_whole {
        DirectTest::Token(name, token.into())
    } else {
        DirectTest::TokenStart(name, token.into())
    })
}

fn take(rest: &mut &str, expected: &str) -> Option<()> {
    *rest = rest.strip_prefix(expected)?;
    Some(())
}

/// The name of an attribute of the page; [`DFS`] is left out.
fn attribute(rest: &mut &str) -> Option<Box<str>> {
    let name = name(rest).filter(|&name| name != DFS)?;
    Some(name.into())
}

fn name<'s>(rest: &mut &'s str) -> Option<&'s str> {
    let is_in_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    let len = rest.bytes().take_while(|b| is_in_name(b)).count();
    let (name, behind) = rest.split_at(len);
    *rest = behind;
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        .then_some(name)
}

fn literal<'s>(rest: &mut &'s str) -> Option<&'s str> {
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let (value, behind) = rest[1..].split_once(quote)?;
    *rest = behind;
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::super::XPath;
    use super::*;

    const PAGE: &str = "<!doctype html><!--c--><body class=' post12  a\tb '><div id=x class=a>1<p \
        class='a c7'>It  is<!--n-->\n so<p role=note>2<i>3</i></div>4<div id=x-2><p class='aa \
        c7x'>5<svg><a class=a>6</a></svg><template><p class=a>7</p>8<p id=x>9</p></template>\
        <p width=3 align=left class='post-12'>It is so</div>";

    /// That an expression selects directly what the engine selects.
    fn check(source: &str) {
        let page = Page::from_html(PAGE);
        let xpath = XPath::parse(source).expect("an expression");
        let direct = xpath.direct.as_ref().expect("followed directly");
        assert_eq!(
            direct.nodes(&page),
            xpath.by_engine(&page, |_| true),
            "{source}"
        );
    }

    #[test]
    fn it_selects_what_the_engine_selects() {
        let class = |tag: &str, token: &str| {
            format!("//{tag}[contains(concat(' ',normalize-space(@class),' '),' {token} ')]")
        };
        let mut all = vec![
            "//p".to_owned(),
            "//div//p".to_owned(),
            "//div//div".to_owned(),
            "//body//div//p//i".to_owned(),
            "//none//p".to_owned(),
            "//div[@id='x']".to_owned(),
            "//div[@id=\"x\"]//p[@role='note']".to_owned(),
            "//p[@width='3' and @align='left']".to_owned(),
            "//div[starts-with(@id,'x-')]".to_owned(),
            "//p[normalize-space()='It is so']".to_owned(),
            "//p[normalize-space()='It is']".to_owned(),
            "//p[normalize-space()='']".to_owned(),
            "//p[contains(concat(' ',normalize-space(@class)),' c')]".to_owned(),
            "//body[contains(translate(@class,'0123456789',''),'post ')]".to_owned(),
            "//p[contains(translate(@class,'0123456789',''),'st-') and @align='left']".to_owned(),
        ];
        for (tag, token) in [
            ("p", "a"),
            ("a", "a"),
            ("body", "b"),
            ("p", "c7"),
            ("p", "c"),
        ] {
            all.push(class(tag, token));
        }
        let plain = all.clone();
        for (path, other) in plain.iter().zip(plain.iter().rev()) {
            all.push(format!("{path}/following-sibling::node()"));
            all.push(format!("{path} | {other}/preceding-sibling::node()"));
        }
        all.iter().for_each(|source| check(source));
    }

    #[test]
    fn other_forms_are_left_to_the_engine() {
        for source in [
            "//text()",
            "//a/b",
            "/html",
            "//div[1]",
            "//div[@dfs='3']",
            "//a/@href",
            "//*[@id='x']",
            "//div[@id]",
            "(//p)[1]",
            "//p[@a='x' or @b='y']",
            "//p[contains(concat(' ',normalize-space(@class),' '),' a b ')]",
            "//p[contains(concat(' ',normalize-space(@class),' '),'a')]",
            "//p[contains(translate(@class,'0123456789',''),'')]",
            "//p[starts-with(@id,'')]",
            "//p | string(//a)",
        ] {
            assert!(Direct::parse(source).is_none(), "{source}");
        }
    }
}
