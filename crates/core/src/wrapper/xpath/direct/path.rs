//! Paths, their steps and the conditions of these: as they are written, and made ready for a page.

use super::axis::{backwards, follow, is_followed};
use super::own::OwnCondition;
use super::searched::{SearchedText, has_other_space, is_space};
use crate::wrapper::xpath::expr::{DFS, attribute, function, is, literal, primary};
use forest_html::page::{Kind, Mask, NodeId, Page};
use html5ever::LocalName;
use xpath_eval::{Axis, EqualityOp, Expr, LocationPath, NodeTest, PathExpr, PrimaryExpr};

/// Steps from the root, or from the node that a condition is about.
#[derive(Debug, Clone)]
pub(super) struct DirectPath {
    steps: Vec<DirectStep>,
}

#[derive(Debug, Clone)]
struct DirectStep {
    axis: Axis,
    test: DirectTest,
    conditions: Vec<DirectCondition>,
}

/// The nodes that a step may select.
#[derive(Debug, Clone, PartialEq, Eq)]
enum DirectTest {
    Name(LocalName),
    Element,
    Text,
    Any,
}

/// A condition of a step.
#[derive(Debug, Clone)]
enum DirectCondition {
    Own(OwnCondition),
    TextContains(SearchedText),
    There(DirectPath),
    Not(Box<DirectCondition>),
    All(Vec<DirectCondition>),
    Any(Vec<DirectCondition>),
}

impl DirectPath {
    pub fn of(path: &LocationPath) -> Option<DirectPath> {
        let mut steps: Vec<DirectStep> = Vec::with_capacity(path.steps.len());
        for step in &path.steps {
            let mut axis = step.axis;
            // `//a`, which is `descendant-or-self::node()/child::a`. No condition of this form
            // asks for a place.
            let is_below = axis == Axis::Child || axis == Axis::Descendant;
            if is_below && steps.pop_if(|before| before.is_all_below()).is_some() {
                axis = Axis::Descendant;
            }
            let test = DirectTest::of(&step.node_test)?;
            let conditions = step.predicates.iter().map(DirectCondition::of);
            let conditions: Vec<DirectCondition> = conditions.collect::<Option<_>>()?;
            // The string-value of a comment is no text of the page.
            if test == DirectTest::Any && conditions.iter().any(DirectCondition::reads_text) {
                return None;
            }
            steps.push(DirectStep {
                axis: is_followed(axis).then_some(axis)?,
                test,
                conditions,
            });
        }
        (!steps.is_empty()).then_some(DirectPath { steps })
    }

    /// Passes over a page that the steps and their conditions take.
    pub fn passes(&self) -> u64 {
        let of_step = |step: &DirectStep| {
            let conditions = step.conditions.iter().map(DirectCondition::passes);
            1 + conditions.sum::<u64>()
        };
        self.steps.iter().map(of_step).sum()
    }

    /// The nodes that the path selects from the root.
    pub fn nodes(&self, page: &Page) -> Vec<NodeId> {
        let mut nodes = vec![page.root()];
        for step in &self.steps {
            nodes = step.selected(page, step.axis, &nodes);
        }
        nodes
    }

    /// The nodes from which the path selects something: its steps backwards, from all nodes
    /// that the last may select.
    fn origins(&self, page: &Page) -> Mask {
        let mut origins = Mask::none(page);
        let mut steps = self.steps.iter().rev();
        let Some(last) = steps.next() else {
            return origins;
        };
        let all = [page.root()];
        let mut nodes = last.selected(page, Axis::DescendantOrSelf, &all);
        let mut axis = last.axis;
        for step in steps {
            nodes = step.selected(page, backwards(axis), &nodes);
            axis = step.axis;
        }
        follow(page, backwards(axis), &nodes, |n| origins.keep(n));
        origins
    }
}

impl DirectStep {
    /// True of `descendant-or-self::node()`.
    fn is_all_below(&self) -> bool {
        self.axis == Axis::DescendantOrSelf
            && self.test == DirectTest::Any
            && self.conditions.is_empty()
    }

    /// The nodes on an axis from others that the step may select, in document order.
    fn selected(&self, page: &Page, axis: Axis, from: &[NodeId]) -> Vec<NodeId> {
        let checks = prepare_all(&self.conditions, page);
        let mut out = Vec::new();
        follow(page, axis, from, |n| {
            if self.test.fits(page, n) && checks.iter().all(|check| check.holds(page, n)) {
                out.push(n);
            }
        });
        if !matches!(
            axis,
            Axis::Descendant | Axis::DescendantOrSelf | Axis::SelfAxis
        ) {
            out.sort_unstable();
            out.dedup();
        }
        out
    }
}

impl DirectTest {
    fn of(test: &NodeTest) -> Option<DirectTest> {
        Some(match test {
            NodeTest::QName(name) if name.prefix.is_none() => {
                DirectTest::Name(LocalName::from(&*name.local))
            }
            NodeTest::AnyName => DirectTest::Element,
            NodeTest::Text => DirectTest::Text,
            NodeTest::Node => DirectTest::Any,
            _ => return None,
        })
    }

    fn fits(&self, page: &Page, n: NodeId) -> bool {
        match self {
            DirectTest::Name(tag) => page.name(n).is_some_and(|name| name.local == *tag),
            DirectTest::Element => page.kind(n) == Kind::Element,
            DirectTest::Text => page.kind(n) == Kind::Text,
            DirectTest::Any => !matches!(page.kind(n), Kind::Doctype | Kind::Fragment),
        }
    }
}

/// A condition made ready for one page.
enum Check<'c> {
    Own(&'c OwnCondition),
    Among(Mask),
    /// The places of a phrase in the page's text, in bytes.
    Holds(Vec<(usize, usize)>),
    Not(Box<Check<'c>>),
    All(Vec<Check<'c>>),
    Any(Vec<Check<'c>>),
}

impl Check<'_> {
    fn holds(&self, page: &Page, n: NodeId) -> bool {
        match self {
            Check::Own(condition) => condition.is_met(page, n),
            Check::Among(nodes) => nodes.contains(n),
            Check::Holds(places) => {
                let span = page.text_span(n);
                let first = places.partition_point(|&(start, _)| start < span.start);
                places.get(first).is_some_and(|&(_, end)| end <= span.end)
            }
            Check::Not(inner) => !inner.holds(page, n),
            Check::All(parts) => parts.iter().all(|part| part.holds(page, n)),
            Check::Any(parts) => parts.iter().any(|part| part.holds(page, n)),
        }
    }
}

impl DirectCondition {
    fn of(expr: &Expr) -> Option<DirectCondition> {
        match expr {
            Expr::And(a, b) => Some(DirectCondition::All(vec![Self::of(a)?, Self::of(b)?])),
            Expr::Or(a, b) => Some(DirectCondition::Any(vec![Self::of(a)?, Self::of(b)?])),
            Expr::Equality(a, op, b) => match (literal(a), literal(b)) {
                (None, Some(text)) => equal(a, *op, text).map(DirectCondition::Own),
                (Some(text), None) => equal(b, *op, text).map(DirectCondition::Own),
                _ => None,
            },
            Expr::Path(PathExpr::Location(path)) if !path.is_absolute => {
                if let Some(name) = own_attribute(expr) {
                    return Some(DirectCondition::Own(OwnCondition::Has(name.into())));
                }
                DirectPath::of(path).map(DirectCondition::There)
            }
            _ => match primary(expr)? {
                PrimaryExpr::Parenthesized(inner) => Self::of(inner),
                PrimaryExpr::Function(call) => match &call.args[..] {
                    [inner] if is(call, "not") => {
                        Some(DirectCondition::Not(Box::new(Self::of(inner)?)))
                    }
                    [inner] if is(call, "boolean") => Self::of(inner),
                    [of, part] if is(call, "contains") => contains(of, literal(part)?),
                    [of, start] if is(call, "starts-with") => {
                        let start = literal(start).filter(|start| !start.is_empty())?;
                        let name = own_attribute(of)?;
                        Some(DirectCondition::Own(OwnCondition::StartsWith(
                            name.into(),
                            start.into(),
                        )))
                    }
                    _ => None,
                },
                _ => None,
            },
        }
    }

    fn reads_text(&self) -> bool {
        match self {
            DirectCondition::TextContains(_)
            | DirectCondition::Own(OwnCondition::Text(_) | OwnCondition::ExactText(_)) => true,
            DirectCondition::Not(inner) => inner.reads_text(),
            DirectCondition::All(parts) | DirectCondition::Any(parts) => {
                parts.iter().any(Self::reads_text)
            }
            _ => false,
        }
    }

    fn passes(&self) -> u64 {
        match self {
            DirectCondition::There(path) => path.passes() + 1,
            DirectCondition::Not(inner) => inner.passes(),
            DirectCondition::All(parts) | DirectCondition::Any(parts) => {
                parts.iter().map(Self::passes).sum()
            }
            _ => 1,
        }
    }

    fn prepare(&self, page: &Page) -> Check<'_> {
        match self {
            DirectCondition::There(path) => Check::Among(path.origins(page)),
            DirectCondition::TextContains(phrase) => {
                Check::Holds(phrase.places(page.text(page.root())))
            }
            DirectCondition::Not(inner) => Check::Not(Box::new(inner.prepare(page))),
            DirectCondition::All(parts) => Check::All(prepare_all(parts, page)),
            DirectCondition::Any(parts) => Check::Any(prepare_all(parts, page)),
            DirectCondition::Own(condition) => Check::Own(condition),
        }
    }
}

fn prepare_all<'c>(conditions: &'c [DirectCondition], page: &Page) -> Vec<Check<'c>> {
    let each = conditions.iter().map(|condition| condition.prepare(page));
    each.collect()
}

/// The condition that a value equals a text, or does not.
fn equal(of: &Expr, op: EqualityOp, text: &str) -> Option<OwnCondition> {
    if let Some(name) = own_attribute(of) {
        return Some(match op {
            EqualityOp::Eq => OwnCondition::Is(name.into(), text.into()),
            EqualityOp::Ne => OwnCondition::IsOther(name.into(), text.into()),
        });
    }
    if op != EqualityOp::Eq {
        return None;
    }
    if is_child_text(of) {
        return Some(OwnCondition::ChildText(text.into()));
    }
    if own_text(of)? {
        return (!has_other_space(text)).then(|| OwnCondition::Text(text.into()));
    }
    Some(OwnCondition::ExactText(text.into()))
}

/// The condition that a value contains a text. The empty one is contained in all.
fn contains(of: &Expr, part: &str) -> Option<DirectCondition> {
    if part.is_empty() {
        return None;
    }
    if let Some(name) = own_attribute(of) {
        return Some(DirectCondition::Own(OwnCondition::Contains(
            name.into(),
            part.into(),
        )));
    }
    if is_child_text(of) {
        return Some(DirectCondition::Own(OwnCondition::FirstTextContains(
            part.into(),
        )));
    }
    if let Some(is_folded) = own_text(of) {
        let phrase = SearchedText {
            text: part.into(),
            is_folded,
        };
        return phrase
            .may_stand()
            .then_some(DirectCondition::TextContains(phrase));
    }
    let call = function(of)?;
    match &call.args[..] {
        [inner, from, to] if is(call, "translate") => {
            let takes_digits = literal(from)? == "0123456789" && literal(to)?.is_empty();
            let name = own_attribute(inner).filter(|_| takes_digits)?;
            Some(DirectCondition::Own(OwnCondition::ContainsWithoutDigits(
                name.into(),
                part.into(),
            )))
        }
        [before, inner, rest @ ..] if is(call, "concat") && literal(before) == Some(" ") => {
            let is_whole = match rest {
                [] => false,
                [behind] if literal(behind) == Some(" ") => true,
                _ => return None,
            };
            spaced(inner, is_whole, part).map(DirectCondition::Own)
        }
        _ => None,
    }
}

/// The condition that an attribute between spaces, or behind one, contains a text.
fn spaced(of: &Expr, is_whole: bool, part: &str) -> Option<OwnCondition> {
    if let Some(name) = own_attribute(of) {
        return is_whole.then(|| OwnCondition::SpacedContains(name.into(), part.into()));
    }
    let call = function(of).filter(|call| is(call, "normalize-space"))?;
    let [inner] = &call.args[..] else { return None };
    let name = own_attribute(inner)?;
    let token = part.strip_prefix(' ')?;
    let token = if is_whole {
        token.strip_suffix(' ')?
    } else {
        token
    };
    if token.is_empty() || token.contains(is_space) {
        return None;
    }
    Some(if is_whole {
        OwnCondition::Token(name.into(), token.into())
    } else {
        OwnCondition::TokenStart(name.into(), token.into())
    })
}

/// The name of an attribute of the page; [`DFS`] is left out.
fn own_attribute(expr: &Expr) -> Option<&str> {
    attribute(expr).filter(|&name| name != DFS)
}

/// True of `text()`.
fn is_child_text(expr: &Expr) -> bool {
    let Expr::Path(PathExpr::Location(path)) = expr else {
        return false;
    };
    let [step] = &path.steps[..] else {
        return false;
    };
    !path.is_absolute
        && step.axis == Axis::Child
        && step.node_test == NodeTest::Text
        && step.predicates.is_empty()
}

/// True of the context node's text with its white space normalized, false of the text as it
/// is; `None` of anything else.
fn own_text(expr: &Expr) -> Option<bool> {
    if let Expr::Path(PathExpr::Location(path)) = expr {
        let [step] = &path.steps[..] else {
            return None;
        };
        let is_self = !path.is_absolute
            && step.axis == Axis::SelfAxis
            && step.node_test == NodeTest::Node
            && step.predicates.is_empty();
        return is_self.then_some(false);
    }
    let call = function(expr)?;
    let is_folded = is(call, "normalize-space");
    if !is_folded && !is(call, "string") {
        return None;
    }
    match &call.args[..] {
        [] => Some(is_folded),
        [inner] => own_text(inner).map(|inner| inner || is_folded),
        _ => None,
    }
}
