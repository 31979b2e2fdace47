//! An expression as a CSS selector, if CSS can express the same, and the reverse.
//!
//! CSS can express: steps to children, descendants and following siblings; names;
//! and of an element itself: its id, a token of its class (the idiom
//! `contains(concat(' ', normalize-space(@class), ' '), ' x ')`), that an attribute
//! is there, equals, contains, begins or ends with something, its place among its
//! siblings; all this with `and`, `or`, `not()`, unions and a last step to an
//! attribute. The rest is refused with the reason; nothing is approximated.
//!
//! - `cases`: what a predicate says of the element itself.
//! - `place`: its place among its siblings.
//! - `write`: names and texts as CSS writes them.
//! - `read`, `parse`: a selector as an expression.
//!
//! [Selectors Level 3](https://www.w3.org/TR/selectors-3/), so that all engines
//! read it. Of values that HTML compares without regard to case (`type`, `lang`)
//! a browser selects more than the expression.

mod cases;
mod parse;
mod place;
mod read;
mod selector;
#[cfg(test)]
mod tests;
mod write;

use super::XPath;
use super::expr::{attribute_step, is, literal};
use cases::{cases, has_attribute, is_token, of_id, tag_of};
use place::{SiblingPosition, place};
use selector::{
    Cases, ComplexSelector, CompoundSelector, CssResult, MAX_SELECTORS, SimpleSelector, refuse,
};
use xpath_eval::{
    Axis, Expr, FilterExpr, LocationPath, NodeTest, PathExpr, PrimaryExpr, QName, Step,
};

/// The CSS selectors of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Css {
    /// The selectors of the elements: those that one of them selects.
    pub selectors: Vec<String>,
    /// The attribute of them that the expression gives, if it gives one.
    pub attribute: Option<String>,
}

impl Css {
    /// The selectors as one, with commas.
    pub fn selector(&self) -> String {
        self.selectors.join(", ")
    }
}

impl XPath {
    /// The CSS selector that selects the same elements.
    ///
    /// # Errors
    ///
    /// Why CSS has none.
    ///
    /// ```
    /// use forest_core::wrapper::xpath::XPath;
    ///
    /// let css = |x: &str| XPath::parse(x).unwrap().to_css();
    /// assert_eq!(css("//div[@id='a']/p | //h1").unwrap().selector(), "div#a > p, h1");
    /// assert_eq!(css("//meta[@name='x']/@content").unwrap().attribute.unwrap(), "content");
    /// assert!(css("//p/..").unwrap_err().contains("upwards"));
    /// ```
    pub fn to_css(&self) -> Result<Css, String> {
        let mut selected = of_expr(&self.expr)?;
        let attribute = selected.attribute.take();
        let mut shown: Vec<String> = Vec::new();
        for complex in selected.complexes {
            let one = complex.shown();
            if !shown.contains(&one) {
                shown.push(one);
            }
        }
        Ok(Css {
            selectors: shown,
            attribute,
        })
    }
}

/// Elements, or an attribute of each.
struct SelectedElements {
    complexes: Vec<ComplexSelector>,
    attribute: Option<String>,
}

fn of_expr(expr: &Expr) -> CssResult<SelectedElements> {
    match expr {
        Expr::Union(a, b) => {
            let (mut a, b) = (of_expr(a)?, of_expr(b)?);
            if a.attribute != b.attribute {
                return refuse("it gives different attributes");
            }
            a.complexes.extend(b.complexes);
            bounded(a)
        }
        Expr::Path(PathExpr::Location(path)) => of_steps(None, &path.steps),
        Expr::Path(PathExpr::Filter(filter)) => of_filter(filter),
        Expr::Path(PathExpr::FilterLocation(filter, LocationPath { steps, .. })) => {
            of_steps(Some(of_filter(filter)?.complexes), steps)
        }
        _ => refuse("it gives no elements"),
    }
}

fn bounded(selected: SelectedElements) -> CssResult<SelectedElements> {
    if selected.complexes.len() <= MAX_SELECTORS {
        Ok(selected)
    } else {
        refuse("it would become too many selectors")
    }
}

fn of_filter(filter: &FilterExpr) -> CssResult<SelectedElements> {
    let mut selected = match &filter.primary {
        PrimaryExpr::Parenthesized(inner) => of_expr(inner)?,
        PrimaryExpr::Function(call) if is(call, "id") => {
            match call.args.first().and_then(literal) {
                Some(id) if is_token(id) => SelectedElements {
                    complexes: vec![ComplexSelector {
                        before: String::new(),
                        last: CompoundSelector {
                            tag: None,
                            rest: vec![of_id(id)],
                        },
                    }],
                    attribute: None,
                },
                _ => return refuse("id() has several ids, or one that it looks up"),
            }
        }
        _ => return refuse("it gives a text, not elements"),
    };
    for predicate in &filter.predicates {
        if place(predicate).is_some() {
            return refuse("it counts what it finds on the whole page");
        }
        selected.complexes = narrowed(selected.complexes, &cases(predicate, false)?)?;
    }
    Ok(selected)
}

/// Walks on from `from`, or from the root.
fn of_steps(from: Option<Vec<ComplexSelector>>, steps: &[Step]) -> CssResult<SelectedElements> {
    let mut selectors = from;
    let mut deep = false;
    let mut attribute = None;
    for step in steps {
        if attribute.is_some() {
            return refuse("it goes on from an attribute");
        }
        match step {
            Step {
                axis: Axis::DescendantOrSelf,
                node_test: NodeTest::Node,
                predicates,
            } if predicates.is_empty() => deep = true,
            Step {
                axis: Axis::SelfAxis,
                node_test: NodeTest::Node,
                predicates,
            } if predicates.is_empty() => {}
            step if !deep && let Some(name) = attribute_step(step) => {
                let has = vec![vec![has_attribute(name)?]];
                let Some(owners) = selectors.take() else {
                    return refuse("the root has no attributes");
                };
                selectors = Some(narrowed(owners, &has)?);
                attribute = Some(name.to_owned());
            }
            _ => {
                selectors = Some(stepped(selectors, deep, step)?);
                deep = false;
            }
        }
    }
    match selectors {
        Some(complexes) if !deep => bounded(SelectedElements {
            complexes,
            attribute,
        }),
        _ => refuse("it gives other nodes than elements"),
    }
}

fn stepped(
    selectors: Option<Vec<ComplexSelector>>,
    deep: bool,
    step: &Step,
) -> CssResult<Vec<ComplexSelector>> {
    let mut predicates = &step.predicates[..];
    let first = predicates.first().and_then(place);
    let mut combinator = match step.axis {
        Axis::Child if deep => " ",
        Axis::Child => " > ",
        Axis::Descendant => " ",
        Axis::FollowingSibling if !deep && selectors.is_some() => " ~ ",
        Axis::Parent | Axis::Ancestor | Axis::AncestorOrSelf => {
            return refuse("it goes upwards");
        }
        Axis::Preceding | Axis::PrecedingSibling => return refuse("it goes backwards"),
        Axis::SelfAxis if !deep && selectors.is_some() => "",
        Axis::Attribute => return refuse("it gives several attributes"),
        _ => return refuse("it goes a way that CSS does not know"),
    };
    let mut own = CompoundSelector::default();
    match &step.node_test {
        NodeTest::AnyName => {}
        NodeTest::QName(QName {
            prefix: None,
            local,
        }) => own.tag = Some(tag_of(local)?),
        NodeTest::Text => return refuse("it gives texts, not elements"),
        _ => return refuse("it gives other nodes than elements"),
    }
    if let Some(place) = first {
        predicates = &predicates[1..];
        match (step.axis, place) {
            (Axis::Child, _) => own.push(place.shown(own.tag.is_some())),
            (Axis::FollowingSibling, SiblingPosition::First(1)) if own.tag.is_none() => {
                combinator = " + "
            }
            _ => return refuse("it counts nodes that are not all of one parent"),
        }
    }
    let mut out = match selectors {
        // From the root: what CSS means where it names no ancestor.
        None => {
            if !deep && step.axis == Axis::Child && own.tag.as_deref() != Some("html") {
                own.push(":root".to_owned());
            }
            vec![ComplexSelector {
                before: String::new(),
                last: own,
            }]
        }
        Some(mut selectors) if step.axis == Axis::SelfAxis => {
            if let Some(tag) = own.tag {
                selectors = narrowed(selectors, &vec![vec![SimpleSelector::of_tag(tag, false)]])?;
            }
            selectors
        }
        Some(selectors) => {
            let on = |complex: ComplexSelector| ComplexSelector {
                last: own.clone(),
                ..complex.followed_by(combinator)
            };
            selectors.into_iter().map(on).collect()
        }
    };
    for predicate in predicates {
        if place(predicate).is_some() {
            return refuse("it counts among those that fit a condition");
        }
        out = narrowed(out, &cases(predicate, false)?)?;
    }
    Ok(out)
}

/// Of each selector those elements that are one of the cases.
fn narrowed(complexes: Vec<ComplexSelector>, cases: &Cases) -> CssResult<Vec<ComplexSelector>> {
    if complexes.len() * cases.len() > MAX_SELECTORS {
        return refuse("it would become too many selectors");
    }
    let mut out = Vec::new();
    for complex in complexes {
        for case in cases {
            let mut one = complex.clone();
            if case.iter().all(|simple| one.last.add(simple.clone())) {
                out.push(one);
            }
        }
    }
    if out.is_empty() {
        refuse("it asks for what no element can be")
    } else {
        Ok(out)
    }
}
