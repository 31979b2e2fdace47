//! The selectors for a predicate about the element itself.

use super::selector::{Cases, CssResult, MAX_SELECTORS, SimpleSelector, refuse};
use super::write::{ident, string};
use crate::wrapper::xpath::expr::{DFS, attribute, attribute_step, function, is, literal, primary};
use xpath_eval::{
    Axis, EqualityOp, Expr, FunctionCall, NodeTest, PathExpr, PrimaryExpr, QName, Step,
};

/// The selectors for a predicate about the element itself.
pub(super) fn cases(expr: &Expr, negated: bool) -> CssResult<Cases> {
    let one = |css: String| Ok(vec![vec![SimpleSelector::of(css, negated)]]);
    match expr {
        Expr::And(a, b) if !negated => all_of(&cases(a, false)?, &cases(b, false)?),
        Expr::Or(a, b) if negated => all_of(&cases(a, true)?, &cases(b, true)?),
        Expr::And(a, b) | Expr::Or(a, b) => {
            let mut either = cases(a, negated)?;
            either.extend(cases(b, negated)?);
            Ok(either)
        }
        Expr::Equality(a, op, b) => {
            let (of, text) = match (literal(b), literal(a)) {
                (Some(text), _) => (a, text),
                (_, Some(text)) => (b, text),
                _ => return refuse("it compares with something that is no text"),
            };
            if function(of).is_some_and(|call| is(call, "name") || is(call, "local-name")) {
                let negated = negated != (*op == EqualityOp::Ne);
                return Ok(vec![vec![SimpleSelector::of_tag(tag_of(text)?, negated)]]);
            }
            let equal = match (attribute(of), ending(of, text)) {
                (Some("id"), _) if is_token(text) => of_id(text),
                (Some(name), _) => compared(name, "", text)?,
                (None, Some(name)) => compared(name, "$", text)?,
                _ => return refuse("it compares something else than an attribute"),
            };
            match (op, attribute(of)) {
                (EqualityOp::Eq, _) => one(equal),
                (EqualityOp::Ne, Some(name)) if !negated => {
                    let mut not = one(equal)?;
                    not[0][0].negated = true;
                    all_of(&vec![vec![has_attribute(name)?]], &not)
                }
                _ => refuse("it compares with != in a way that CSS cannot"),
            }
        }
        Expr::Path(PathExpr::Location(path)) => match &path.steps[..] {
            [step] if step.predicates.is_empty() && !path.is_absolute => match step {
                Step {
                    axis: Axis::SelfAxis,
                    node_test:
                        NodeTest::QName(QName {
                            prefix: None,
                            local,
                        }),
                    ..
                } => Ok(vec![vec![SimpleSelector::of_tag(tag_of(local)?, negated)]]),
                step => match attribute_step(step) {
                    Some(name) => {
                        let mut simple = has_attribute(name)?;
                        simple.negated = negated;
                        Ok(vec![vec![simple]])
                    }
                    None => refuse("it asks what is around or inside the element"),
                },
            },
            _ => refuse("it asks what is around or inside the element"),
        },
        Expr::Path(PathExpr::Filter(filter)) if filter.predicates.is_empty() => {
            match &filter.primary {
                PrimaryExpr::Parenthesized(inner) => cases(inner, negated),
                PrimaryExpr::Function(call) => match (&*call.name.local, &call.args[..]) {
                    ("not", [inner]) => cases(inner, !negated),
                    ("boolean", [inner]) => cases(inner, negated),
                    ("contains" | "starts-with", [of, text]) => one(containing(call, of, text)?),
                    (name, _) => Err(format!("it uses {name}()")),
                },
                _ => refuse("it counts among those that fit a condition"),
            }
        }
        _ => refuse("it counts or calculates"),
    }
}

/// Both conditions.
fn all_of(a: &Cases, b: &Cases) -> CssResult<Cases> {
    if a.len() * b.len() > MAX_SELECTORS {
        return refuse("it would become too many selectors");
    }
    let both = |x: &Vec<SimpleSelector>| {
        let x = x.clone();
        b.iter().map(move |y| [&x[..], y].concat())
    };
    Ok(a.iter().flat_map(both).collect())
}

/// `contains()` and `starts-with()`.
fn containing(call: &FunctionCall, of: &Expr, text: &Expr) -> CssResult<String> {
    let Some(text) = literal(text) else {
        return refuse("it looks for something that is no fixed text");
    };
    if let Some(name) = attribute(of) {
        let operator = if is(call, "contains") { "*" } else { "^" };
        return compared(name, operator, text);
    }
    if is(call, "contains")
        && let Some(name) = padded(of)
    {
        let token = text.strip_prefix(' ').and_then(|t| t.strip_suffix(' '));
        return match token {
            Some(token) if is_token(token) && name == "class" => Ok(format!(".{}", ident(token))),
            Some(token) if is_token(token) => compared(name, "~", token),
            _ => refuse("it looks for several words at once"),
        };
    }
    match function(of) {
        Some(inner) if is(inner, "translate") => {
            refuse("it compares a value with some of its letters changed, by translate()")
        }
        Some(inner) => Err(format!("it looks into {}()", inner.name.local)),
        None => refuse("it looks at the text of the element"),
    }
}

/// The attribute in `concat(' ', normalize-space(@name), ' ')`.
fn padded(expr: &Expr) -> Option<&str> {
    let concat = function(expr).filter(|call| is(call, "concat"))?;
    let [before, inner, after] = &concat.args[..] else {
        return None;
    };
    if literal(before) != Some(" ") || literal(after) != Some(" ") {
        return None;
    }
    match function(inner) {
        Some(call) if is(call, "normalize-space") => attribute(call.args.first()?),
        _ => attribute(inner),
    }
}

/// The attribute in `substring(@name, string-length(@name) - n)`, where `n` is one
/// less than the text has characters.
fn ending<'e>(expr: &'e Expr, text: &str) -> Option<&'e str> {
    let substring = function(expr).filter(|call| is(call, "substring"))?;
    let [
        of,
        Expr::Additive(length, xpath_eval::AdditiveOp::Sub, less),
    ] = &substring.args[..]
    else {
        return None;
    };
    let name = attribute(of)?;
    let length = function(length).filter(|call| is(call, "string-length"))?;
    let PrimaryExpr::Number(less) = primary(less)? else {
        return None;
    };
    let fits = *less + 1.0 == text.chars().count() as f64;
    (fits && attribute(length.args.first()?) == Some(name)).then_some(name)
}

pub(super) fn has_attribute(name: &str) -> CssResult<SimpleSelector> {
    checked_attribute(name)?;
    Ok(SimpleSelector::of(format!("[{}]", ident(name)), false))
}

fn compared(name: &str, operator: &str, text: &str) -> CssResult<String> {
    checked_attribute(name)?;
    if text.is_empty() && !operator.is_empty() {
        return refuse("it looks for an empty text");
    }
    Ok(format!("[{}{operator}={}]", ident(name), string(text)))
}

fn checked_attribute(name: &str) -> CssResult<()> {
    if name == DFS {
        refuse("it asks for a place among all elements of the page, @dfs")
    } else {
        Ok(())
    }
}

/// The name of an element. HTML's are in lower case, and CSS would find them by
/// upper case too.
pub(super) fn tag_of(name: &str) -> CssResult<String> {
    if name.chars().any(|c| c.is_ascii_uppercase()) {
        refuse("it names an element in upper case, which HTML has not")
    } else {
        Ok(ident(name))
    }
}

pub(super) fn of_id(id: &str) -> String {
    format!("#{}", ident(id))
}

/// Returns true if a text can be a word of a class.
pub(super) fn is_token(text: &str) -> bool {
    !text.is_empty() && !text.contains(char::is_whitespace)
}
