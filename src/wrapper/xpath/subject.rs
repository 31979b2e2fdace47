//! The elements that an expression may select, as far as their names and attributes say it.

use super::XPath;
use super::expr::{DFS, attribute, attribute_step, function, is, literal, operands, primary};
use crate::page::slice::{ElementCondition, WantedAttribute, WantedElement, WantedRole};
use xpath_eval::{
    Axis, Expr, FilterExpr, FunctionCall, NodeTest, PathExpr, PrimaryExpr, QName, Step,
};

/// The digits, which `translate` takes out of names that sites number.
const DIGITS: &str = "0123456789";

/// Functions of values that an attribute gives.
const OF_VALUES: [&str; 10] = [
    "boolean",
    "concat",
    "contains",
    "last",
    "local-name",
    "name",
    "not",
    "position",
    "starts-with",
    "translate",
];

/// A necessary condition of the elements that an expression selects.
#[derive(Debug, Clone, Default)]
pub(crate) struct Subject {
    condition: ElementCondition,
    /// Conditions of ancestors.
    within: Vec<ElementCondition>,
    /// The expression asks for the text of the element, too.
    pub asks_text: bool,
    /// The siblings of the element are selected instead.
    pub is_beside: bool,
    /// The expression asks for siblings of elements, or for their place among them.
    pub asks_siblings: bool,
}

impl Subject {
    fn ask(&mut self, name: &str, part: &str, without_digits: bool) {
        self.condition.attributes.push(WantedAttribute {
            name: name.into(),
            part: part.into(),
            without_digits,
        });
    }

    pub fn wanted(&self, role: WantedRole) -> WantedElement {
        WantedElement {
            condition: self.condition.clone(),
            within: self.within.clone(),
            role,
        }
    }
}

impl XPath {
    /// The elements that the expression may select; `None` if it asks for more than names and
    /// attributes of elements, of their ancestors and siblings, and for the text of the last.
    pub(crate) fn subjects(&self) -> Option<Vec<Subject>> {
        let mut out = Vec::new();
        add(&self.expr, &mut out)?;
        Some(out)
    }
}

fn add(expr: &Expr, out: &mut Vec<Subject>) -> Option<()> {
    match expr {
        Expr::Union(a, b) => {
            add(a, out)?;
            add(b, out)
        }
        Expr::Path(PathExpr::Location(path)) => {
            out.push(of_steps(&path.steps)?);
            Some(())
        }
        Expr::Path(PathExpr::Filter(FilterExpr {
            primary: PrimaryExpr::Parenthesized(inner),
            predicates,
            // Of what is wanted, the places in a slice are those in the page.
        })) if predicates.iter().all(is_of_attributes) => add(inner, out),
        _ => None,
    }
}

fn of_steps(steps: &[Step]) -> Option<Subject> {
    let mut subject: Option<Subject> = None;
    let mut asks_siblings = false;
    for step in steps {
        asks_siblings |= step.axis == Axis::FollowingSibling && !is_to_siblings(step)
            || step.predicates.iter().any(asks_place);
        if subject
            .as_ref()
            .is_some_and(|s| s.asks_text && !is_to_siblings(step) || s.is_beside)
        {
            return None;
        }
        match step {
            step if is_to_siblings(step) => subject.as_mut()?.is_beside = true,
            Step {
                axis: Axis::DescendantOrSelf | Axis::SelfAxis,
                node_test: NodeTest::Node,
                predicates,
            } if predicates.is_empty() => {}
            step if let Some(name) = attribute_step(step) => {
                subject.as_mut()?.ask(name, "", false);
            }
            Step {
                axis: Axis::Child | Axis::Descendant | Axis::FollowingSibling,
                node_test,
                predicates,
            } => {
                let mut next = Subject::default();
                if let Some(before) = subject.take() {
                    next.within = before.within;
                    if step.axis != Axis::FollowingSibling {
                        next.within.push(before.condition);
                    }
                }
                match node_test {
                    NodeTest::AnyName => {}
                    NodeTest::QName(QName {
                        prefix: None,
                        local,
                    }) => {
                        next.condition.tag = Some(local.as_str().into());
                    }
                    _ => return None,
                }
                for predicate in predicates {
                    narrow(predicate, &mut next)?;
                }
                subject = Some(next);
            }
            _ => return None,
        }
    }
    let subject = subject?;
    Some(Subject {
        asks_siblings,
        ..subject
    })
}

/// True of a predicate that may ask for the place of an element: a number, or a function of
/// places.
fn asks_place(predicate: &Expr) -> bool {
    let is_number = match predicate {
        Expr::Additive(..) | Expr::Multiplicative(..) | Expr::Negate(_) => true,
        _ => match primary(predicate) {
            Some(PrimaryExpr::Number(_) | PrimaryExpr::Variable(_)) => true,
            Some(PrimaryExpr::Parenthesized(inner)) => asks_place(inner),
            Some(PrimaryExpr::Function(call)) => is(call, "string-length"),
            _ => false,
        },
    };
    is_number || has_place(predicate)
}

fn has_place(expr: &Expr) -> bool {
    let of_place = |call| is(call, "position") || is(call, "last");
    function(expr).is_some_and(of_place) || operands(expr).into_iter().any(has_place)
}

fn is_to_siblings(step: &Step) -> bool {
    matches!(step.axis, Axis::FollowingSibling | Axis::PrecedingSibling)
        && step.node_test == NodeTest::Node
        && step.predicates.is_empty()
}

/// Adds what a predicate says for certain.
fn narrow(expr: &Expr, subject: &mut Subject) -> Option<()> {
    match expr {
        Expr::And(a, b) => {
            narrow(a, subject)?;
            return narrow(b, subject);
        }
        Expr::Equality(a, op, b) if *op == xpath_eval::EqualityOp::Eq => {
            let pair = literal(b).map(|text| (a, text));
            let pair = pair.or_else(|| literal(a).map(|text| (b, text)));
            if let Some((of, text)) = pair {
                if is_own_text(of) {
                    subject.asks_text = true;
                    return Some(());
                }
                require(of, text, subject);
            }
        }
        _ => {}
    }
    if let Some(call) = function(expr)
        && (is(call, "contains") || is(call, "starts-with"))
        && let [of, text] = &call.args[..]
        && let Some(text) = literal(text)
    {
        require(of, text, subject);
    }
    if let Some(name) = attribute(expr) {
        subject.ask(name, "", false);
    }
    is_of_attributes(expr).then_some(())
}

/// True of `normalize-space()`.
fn is_own_text(expr: &Expr) -> bool {
    function(expr).is_some_and(|call| is(call, "normalize-space") && call.args.is_empty())
}

/// A part of the value of the attribute that `of` is made from.
fn require(of: &Expr, text: &str, subject: &mut Subject) {
    let mut at = of;
    let (mut is_changed, mut without_digits) = (false, false);
    loop {
        if let Some(name) = attribute(at) {
            let first = text.split_whitespace().next().filter(|_| !is_changed);
            subject.ask(name, first.unwrap_or_default(), without_digits);
            return;
        }
        let Some(call) = function(at) else { return };
        if is(call, "translate") {
            let [_, from, to] = &call.args[..] else {
                return;
            };
            let takes_digits = literal(from) == Some(DIGITS) && literal(to) == Some("");
            without_digits |= takes_digits;
            is_changed |= !takes_digits;
        }
        let is_concat = is(call, "concat");
        let mut args = call.args.iter();
        let inner = args.find(|arg| !is_concat || literal(arg).is_none());
        match inner {
            Some(inner) if !is(call, "string-length") => at = inner,
            _ => return,
        }
    }
}

/// True of an expression about nothing but attributes, the name and the place of an element.
fn is_of_attributes(expr: &Expr) -> bool {
    let is_plain = match expr {
        Expr::Union(..) => false,
        Expr::Path(PathExpr::Location(path)) => match (&path.steps[..], path.is_absolute) {
            ([step], false) => {
                let is_self = step.axis == Axis::SelfAxis
                    && matches!(step.node_test, NodeTest::QName(_))
                    && step.predicates.is_empty();
                is_self || attribute_step(step).is_some_and(|name| name != DFS)
            }
            _ => false,
        },
        Expr::Path(_) => match primary(expr) {
            Some(PrimaryExpr::Function(call)) => is_of_values(call),
            Some(PrimaryExpr::Variable(_)) | None => false,
            Some(_) => true,
        },
        _ => true,
    };
    is_plain && operands(expr).into_iter().all(is_of_attributes)
}

/// True of a function of nothing but its arguments, the name and the place of an element.
fn is_of_values(call: &FunctionCall) -> bool {
    let needs_argument = ["normalize-space", "string-length", "substring"];
    if needs_argument.iter().any(|name| is(call, name)) {
        return !call.args.is_empty();
    }
    OF_VALUES.iter().any(|name| is(call, name))
}
