//! Expressions that need no engine: those that name elements on the way down from the
//! root by their tag and attributes, as learned ones do.
//!
//! A union of paths of steps to children (`/x`) and descendants (`//x`), each with a
//! name or `*` and conditions of the element itself: that it has an attribute, that the
//! attribute equals, contains or begins with a text, that a token of it is a text or
//! begins with one; `and`, `or`, `not()`. Anything else is left to the engine.
//!
//! One pass over the page's nodes for each path. Over the 35 pages of `fundus_eval` with
//! `forest`'s wrappers, the engine alone took 0.38 of the time of a parse.

use super::DFS;
use super::css::{attribute, function, is, is_token, literal, padded};
use crate::page::{Kind, NodeId, Page};
use html5ever::ns;
use xpath_eval::{
    Axis, EqualityOp, Expr, FilterExpr, LocationPath, NodeTest, PathExpr, PrimaryExpr, QName, Step,
};

/// White space of XPath.
const SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

/// The paths of a union.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Direct(Vec<Vec<Down>>);

/// A step down.
#[derive(Debug, Clone, PartialEq)]
struct Down {
    /// To any descendant, not only to children.
    is_deep: bool,
    /// `None` for `*`.
    name: Option<String>,
    tests: Vec<Test>,
}

/// A condition of an element.
#[derive(Debug, Clone, PartialEq)]
enum Test {
    Has(String),
    Equals(String, String),
    Contains(String, String),
    Starts(String, String),
    /// A token of the attribute is the text.
    Token(String, String),
    /// A token of the attribute begins with the text.
    TokenStarts(String, String),
    Not(Box<Test>),
    Both(Box<Test>, Box<Test>),
    Either(Box<Test>, Box<Test>),
}

impl Direct {
    /// `None` where the expression needs the engine.
    pub fn of(expr: &Expr) -> Option<Direct> {
        let mut paths = Vec::new();
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            match expr {
                Expr::Union(a, b) => open.extend([&**a, &**b]),
                Expr::Path(PathExpr::Location(path)) if path.is_absolute => {
                    paths.push(steps(path)?);
                }
                _ => return None,
            }
        }
        Some(Direct(paths))
    }

    /// The elements that are selected, in document order; `None` where the page needs
    /// the engine.
    pub fn nodes(&self, page: &Page) -> Option<Vec<NodeId>> {
        let mut out = Vec::new();
        for path in &self.0 {
            out.extend(select(path, page)?);
        }
        if self.0.len() > 1 {
            out.sort_unstable();
            out.dedup();
        }
        Some(out)
    }
}

/// The elements at the end of a path.
fn select(path: &[Down], page: &Page) -> Option<Vec<NodeId>> {
    // Of each step the elements so far, and the end of the last of their subtrees.
    let mut found: Vec<(Vec<NodeId>, NodeId)> = vec![(Vec::new(), NodeId(0)); path.len()];
    // Where something begins that is not shown, and where it ends, innermost last.
    let mut hidden: Vec<(NodeId, NodeId)> = Vec::new();
    let mut next = page.root();
    while next < page.end(page.root()) {
        let n = next;
        if let Some((_, end)) = hidden.pop_if(|(start, _)| *start == n) {
            next = end;
            continue;
        }
        next = NodeId(n.0 + 1);
        match page.kind(n) {
            Kind::Fragment => {
                // What a template or a shadow root holds is shown in the place of the
                // other children.
                let host = page.parent(n).filter(|host| host.0 + 1 == n.0)?;
                if page.end(n) < page.end(host) {
                    hidden.push((page.end(n), page.end(host)));
                }
                continue;
            }
            Kind::Element => {}
            _ => continue,
        }
        // The last step first, so that no element is its own ancestor.
        for (at, step) in path.iter().enumerate().rev() {
            let before = at.checked_sub(1).map(|before| &found[before]);
            let is_below = match (before, step.is_deep) {
                (None, true) => true,
                (None, false) => page.parent(n) == Some(page.root()),
                (Some((_, end)), true) => *end > n,
                (Some((before, _)), false) => shown_parent(page, n)
                    .is_some_and(|parent| before.binary_search(&parent).is_ok()),
            };
            if is_below && step.fits(page, n) {
                let (nodes, end) = &mut found[at];
                nodes.push(n);
                *end = page.end(n).max(*end);
            }
        }
    }
    found.pop().map(|(nodes, _)| nodes)
}

/// The parent; of what stands in a template or a shadow root its host.
fn shown_parent(page: &Page, n: NodeId) -> Option<NodeId> {
    let parent = page.parent(n)?;
    match page.kind(parent) {
        Kind::Fragment => page.parent(parent),
        _ => Some(parent),
    }
}

impl Down {
    fn fits(&self, page: &Page, n: NodeId) -> bool {
        let is_named = |name: &String| page.name(n).is_some_and(|own| *own.local == **name);
        self.name.as_ref().is_none_or(is_named) && self.tests.iter().all(|test| test.fits(page, n))
    }
}

impl Test {
    fn fits(&self, page: &Page, n: NodeId) -> bool {
        let value = |name: &str| {
            let mut attrs = page.attrs(n);
            let own = attrs.find(|(own, _)| own.ns == ns!() && *own.local == *name);
            own.map(|(_, value)| value)
        };
        let any = |name: &str, fits: &dyn Fn(&str) -> bool| value(name).is_some_and(fits);
        match self {
            Test::Has(name) => any(name, &|_| true),
            Test::Equals(name, text) => any(name, &|value| value == text),
            Test::Contains(name, text) => any(name, &|value| value.contains(&**text)),
            Test::Starts(name, text) => any(name, &|value| value.starts_with(&**text)),
            Test::Token(name, text) => {
                any(name, &|value| value.split(SPACE).any(|token| token == text))
            }
            Test::TokenStarts(name, text) => any(name, &|value| {
                value.split(SPACE).any(|token| token.starts_with(&**text))
            }),
            Test::Not(inner) => !inner.fits(page, n),
            Test::Both(a, b) => a.fits(page, n) && b.fits(page, n),
            Test::Either(a, b) => a.fits(page, n) || b.fits(page, n),
        }
    }
}

/// The steps of an absolute path.
fn steps(path: &LocationPath) -> Option<Vec<Down>> {
    let mut out = Vec::new();
    let mut is_deep = false;
    for step in &path.steps {
        match step {
            Step {
                axis: Axis::DescendantOrSelf,
                node_test: NodeTest::Node,
                predicates,
            } if predicates.is_empty() => is_deep = true,
            Step {
                axis: Axis::Child,
                node_test,
                predicates,
            } => {
                let name = match node_test {
                    NodeTest::AnyName => None,
                    NodeTest::QName(name) => Some(unprefixed(name)?),
                    _ => return None,
                };
                let tests: Option<Vec<Test>> = predicates.iter().map(test).collect();
                out.push(Down {
                    is_deep: std::mem::take(&mut is_deep),
                    name,
                    tests: tests?,
                });
            }
            _ => return None,
        }
    }
    (!is_deep && !out.is_empty()).then_some(out)
}

/// A condition of the element itself.
fn test(expr: &Expr) -> Option<Test> {
    let of_two = |a: &Expr, b: &Expr| Some((Box::new(test(a)?), Box::new(test(b)?)));
    match expr {
        Expr::And(a, b) => of_two(a, b).map(|(a, b)| Test::Both(a, b)),
        Expr::Or(a, b) => of_two(a, b).map(|(a, b)| Test::Either(a, b)),
        Expr::Equality(a, EqualityOp::Eq, b) => {
            let (of, text) = literal(b).map(|b| (a, b)).or(literal(a).map(|a| (b, a)))?;
            Some(Test::Equals(named(of)?, text.to_owned()))
        }
        Expr::Path(PathExpr::Location(_)) => named(expr).map(Test::Has),
        Expr::Path(PathExpr::Filter(FilterExpr {
            primary,
            predicates,
        })) if predicates.is_empty() => match primary {
            PrimaryExpr::Parenthesized(inner) => test(inner),
            PrimaryExpr::Function(call) if call.name.prefix.is_none() => {
                match (&*call.name.local, &call.args[..]) {
                    ("not", [inner]) => Some(Test::Not(Box::new(test(inner)?))),
                    ("contains", [of, text]) => containing(of, literal(text)?),
                    ("starts-with", [of, text]) => {
                        let text = literal(text).filter(|text| !text.is_empty())?;
                        Some(Test::Starts(named(of)?, text.to_owned()))
                    }
                    _ => None,
                }
            }
            _ => None,
        },
        _ => None,
    }
}

/// `contains(of, text)`.
fn containing(of: &Expr, text: &str) -> Option<Test> {
    if text.is_empty() {
        // Also true where there is no attribute.
        return None;
    }
    if attribute(of).is_some() {
        return Some(Test::Contains(named(of)?, text.to_owned()));
    }
    let start = text.strip_prefix(' ')?;
    let call = function(of).filter(|call| is(call, "concat"))?;
    let normalized = call.args.get(1).and_then(function);
    normalized.filter(|call| is(call, "normalize-space"))?;
    match (start.strip_suffix(' '), &call.args[..]) {
        (Some(token), [_, _, _]) if is_token(token) => {
            Some(Test::Token(known(padded(of)?)?, token.to_owned()))
        }
        (None, [before, _]) if is_token(start) && literal(before) == Some(" ") => {
            let inner = normalized?.args.first()?;
            Some(Test::TokenStarts(named(inner)?, start.to_owned()))
        }
        _ => None,
    }
}

/// The name in `@name`.
fn named(expr: &Expr) -> Option<String> {
    known(attribute(expr)?)
}

/// A name of an attribute that stands on the page.
fn known(name: &str) -> Option<String> {
    (name != DFS).then(|| name.to_owned())
}

fn unprefixed(name: &QName) -> Option<String> {
    name.prefix.is_none().then(|| name.local.clone())
}

#[cfg(test)]
mod tests {
    use crate::page::Page;
    use crate::wrapper::xpath::XPath;
    use proptest::prelude::*;

    /// Expressions, and whether they need the engine.
    const EXPRESSIONS: [(&str, bool); 34] = [
        ("//div", false),
        ("//*", false),
        ("/html/body/div", false),
        ("/*", false),
        ("/div", false),
        ("//div//p", false),
        ("//div/div", false),
        ("//div//div//p | //i", false),
        ("//*[@id]", false),
        ("//*[@id='a']", false),
        ("//*['a'=@id]", false),
        ("//*[@id='']", false),
        ("//*[@class='a b']", false),
        ("//*[contains(@class,'a')]", false),
        ("//*[starts-with(@class,'a')]//p", false),
        (
            "//*[contains(concat(' ',normalize-space(@class),' '),' a ')]",
            false,
        ),
        (
            "//*[contains(concat(' ', normalize-space(@class), ' '), ' b ')]/p",
            false,
        ),
        (
            "//*[contains(concat(' ',normalize-space(@class)),' a')]",
            false,
        ),
        ("//p[not(@class) or @id='b'][@id]", false),
        ("//div[@id and not(contains(@id,'a'))]", false),
        ("//svg//g", false),
        ("//div | //div//p | //div", false),
        ("//template//p", false),
        ("//*[@dfs='2']", true),
        ("//div[1]", true),
        ("//div[p]", true),
        ("(//div)[1]", true),
        ("//p/..", true),
        ("//p/text()", true),
        ("//p/@class", true),
        ("//*[contains(@class,'')]", true),
        ("//*[contains(concat(' ',@class,' '),' a ')]", true),
        (
            "//*[contains(concat(' ',normalize-space(@class),' '),' a b ')]",
            true,
        ),
        (
            "//*[contains(concat(' ',normalize-space(@class)),'a')]",
            true,
        ),
    ];

    fn check(html: &str) {
        let page = Page::from_html(html);
        for (source, needs_engine) in EXPRESSIONS {
            let direct = XPath::parse(source).expect(source);
            assert_eq!(direct.direct.is_none(), needs_engine, "{source}");
            let mut engine = direct.clone();
            engine.direct = None;
            assert_eq!(direct.nodes(&page), engine.nodes(&page), "{source}: {html}");
            assert_eq!(
                direct.own_nodes(&page),
                engine.own_nodes(&page),
                "{source}: {html}"
            );
            assert_eq!(
                direct.strings(&page),
                engine.strings(&page),
                "{source}: {html}"
            );
        }
    }

    #[test]
    fn the_engine_says_the_same() {
        check("");
        check(
            "<div id=a class='a b'><div class=\"\ta \"><p class=ab id>x</p></div></div><p id=b>y",
        );
        check("<div class='b\u{a0}a' id=''><p>x<svg><g class=a></g></svg><i>y</i></div>");
        check("<div><template><p class=a>x</p></template><div><p class=a>y</div></div>");
        check("<div id=a><template shadowrootmode=open><p>x</p></template><p>y</p></div><p>z");
        let nested = "<div><template shadowrootmode=open><p>w</p></template><p>x</p></div>";
        check(&format!(
            "<div id=a><template shadowrootmode=open>{nested}<p>y</p></template><p>y</p></div><div>{nested}</div><p>z"
        ));
    }

    proptest! {
        #[test]
        fn on_any_page(html in "(<(div|p|i|template|template shadowrootmode=open|/template|svg|g|/div|/p)( class=(a|b|'a b'|' ab  a'|''))?( id=(a|b|ab))?>|x){0,24}") {
            check(&html);
        }
    }
}
