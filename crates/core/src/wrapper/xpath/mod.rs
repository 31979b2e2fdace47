//! XPath 1.0 over a page.
//!
//! - `css`: an expression as a CSS selector, if CSS can express it.
//! - `direct`: what the learner and most people write, in time linear in the page.
//! - `engine`: everything else, by the XPath engine, within a budget of steps.
//! - `backwards`: an expression as a condition of a node.
//! - `expr`: parts of an expression that the others ask for.
//! - `check`: names that XPath 1.0 does not have, and what an expression gives.
//!
//! The one module that knows the XPath engine. The page is shown to it as an HTML
//! document without namespaces: element and attribute names are local names, the
//! contents of a `template` are its children, the document type is not shown. Each
//! content element has a virtual attribute `dfs`, the paper's index.
//!
//! Bounds: an expression is at most [`MAX_BYTES`] long, nests at most
//! [`MAX_NESTING`] deep and has at most [`MAX_OPERATORS`] operators, for the
//! engine parses and evaluates by recursion. All expressions together take a bounded number of
//! steps on a page; one that wants more selects nothing, and the page's budget names it.

mod backwards;
#[cfg(test)]
mod budget_tests;
mod check;
mod css;
mod direct;
mod engine;
mod expr;

pub use css::Css;

pub use backwards::backwards;

use crate::error::{Error, ErrorKind, Result};
use direct::Direct;
use engine::{BYTES_A_STEP, PageNode, StepCost, evaluate};
use expr::split_outside;
use forest_html::page::{NodeId, Page};
use xpath_eval::{Expr, Node, Value};

/// Bytes of an expression at the most.
pub const MAX_BYTES: usize = 16 * 1024;

/// Levels of brackets and parentheses at the most.
pub const MAX_NESTING: usize = 64;

/// Operators and steps at the most.
pub const MAX_OPERATORS: usize = 512;

/// A compiled XPath 1.0 expression.
#[derive(Debug, Clone)]
pub struct XPath {
    source: String,
    expr: Expr,
    cost: StepCost,
    direct: Option<Direct>,
}

/// A value of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum XPathValue {
    /// An element or a text node.
    Node(NodeId),
    /// The value of an attribute, or a string or number that the expression computes.
    Text(String),
}

/// Why a text is no expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct XPathFault {
    /// The fault.
    pub reason: String,
    /// Where it shows, in bytes from the beginning, if it shows somewhere.
    pub byte: Option<usize>,
}

impl XPath {
    /// Compiles an expression.
    ///
    /// # Errors
    ///
    /// If it is no XPath 1.0 expression, or over one of the bounds.
    ///
    /// ```
    /// use forest_core::wrapper::xpath::XPath;
    ///
    /// assert!(XPath::parse("//div[@id='a']").is_ok());
    /// let error = XPath::parse("//div[@id='a'").unwrap_err();
    /// assert!(error.to_string().contains("//div[@id='a'"));
    /// ```
    pub fn parse(source: &str) -> Result<XPath> {
        XPath::compile(source).map_err(|fault| -> Error {
            ErrorKind::XPath {
                expression: source.chars().take(200).collect(),
                reason: fault.reason,
            }
            .into()
        })
    }

    /// [`parse`](Self::parse) for one who knows where the expression stands.
    ///
    /// # Errors
    ///
    /// As there.
    ///
    /// ```
    /// use forest_core::wrapper::xpath::XPath;
    ///
    /// assert_eq!(XPath::compile("//p[1").unwrap_err().byte, Some(5));
    /// ```
    pub fn compile(source: &str) -> Result<XPath, XPathFault> {
        check_bounds(source).map_err(|reason| XPathFault { reason, byte: None })?;
        let expr = xpath_eval::parse(source).map_err(|e| XPathFault {
            reason: e.message.clone(),
            byte: Some(e.position.min(source.len())),
        })?;
        Ok(XPath {
            source: source.to_owned(),
            cost: StepCost::of(source, &expr),
            direct: Direct::of(&expr),
            expr,
        })
    }

    /// The expression as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The elements and text nodes that the expression selects, in document order;
    /// the owners of selected attributes. Nothing where it gives no node set.
    pub fn nodes(&self, page: &Page) -> Vec<NodeId> {
        self.selected(page, |_| true)
    }

    /// [`nodes`](Self::nodes) without the owners of attributes: an expression that
    /// selects attributes selects no text.
    pub fn own_nodes(&self, page: &Page) -> Vec<NodeId> {
        self.selected(page, |node| !node.is_attribute())
    }

    fn selected(&self, page: &Page, keep: impl Fn(&PageNode<'_>) -> bool) -> Vec<NodeId> {
        match self.directly(page) {
            // It selects no attributes.
            Some(nodes) => nodes,
            None => self.by_engine(page, keep),
        }
    }

    fn by_engine(&self, page: &Page, keep: impl Fn(&PageNode<'_>) -> bool) -> Vec<NodeId> {
        let selected = self.evaluate_at(page, page.root(), |value| match value {
            Value::NodeSet(set) => set.into_iter().filter(keep).map(|n| n.id).collect(),
            _ => Vec::new(),
        });
        let mut nodes = selected.unwrap_or_default();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// The string-values of what the expression selects, in document order; the
    /// value itself where it gives a string or a number. White space is folded,
    /// empty strings are left out.
    pub fn strings(&self, page: &Page) -> Vec<String> {
        if let Some(nodes) = self.directly(page) {
            let bytes: usize = nodes.iter().map(|&n| page.text(n).len()).sum();
            if !self.may_take(page, bytes as u64 / BYTES_A_STEP) {
                return Vec::new();
            }
            let texts = nodes
                .into_iter()
                .map(|n| forest_html::text::fold(page.text(n)));
            return texts.filter(|text| !text.is_empty()).collect();
        }
        let strings = self.evaluate_at(page, page.root(), |value| match value {
            Value::NodeSet(set) => {
                let strings = in_document_order(set).into_iter().map(Node::string_value);
                strings.collect()
            }
            Value::String(_) | Value::Number(_) => vec![value.to_xpath_string()],
            Value::Boolean(_) => Vec::new(),
        });
        let strings = strings.unwrap_or_default();
        let mut folded: Vec<String> = strings.iter().map(|s| forest_html::text::fold(s)).collect();
        folded.retain(|s| !s.is_empty());
        folded
    }

    /// The nodes that are selected without the engine.
    fn directly(&self, page: &Page) -> Option<Vec<NodeId>> {
        let direct = self.direct.as_ref()?;
        if !self.may_take(page, direct.steps(page)) {
            return Some(Vec::new());
        }
        let nodes = direct.nodes(page);
        // Long texts are counted as they are read.
        Some(if self.may_take(page, 0) {
            nodes
        } else {
            Vec::new()
        })
    }

    /// Spends steps of the page's budget; false, and nothing spent, where no more are left.
    fn may_take(&self, page: &Page, steps: u64) -> bool {
        let budget = page.expression_budget();
        let may = budget.left() > steps;
        if may {
            budget.spend(steps);
        } else {
            budget.exceed(&self.source);
        }
        may
    }

    /// `None` for an error of evaluation, such as an unknown function, and where it is too much
    /// for the page.
    fn evaluate_at<R>(
        &self,
        page: &Page,
        context: NodeId,
        take: impl FnOnce(Value<PageNode<'_>>) -> R,
    ) -> Option<R> {
        evaluate((&self.source, &self.expr, self.cost), page, context, take)
    }

    /// The values of the expression with `context` as its context node, in document order.
    pub fn values_at(&self, page: &Page, context: NodeId) -> Vec<XPathValue> {
        let values = self.evaluate_at(page, context, |value| match value {
            Value::NodeSet(set) => {
                let values = in_document_order(set).into_iter();
                let values = values.map(|node| {
                    if node.is_attribute() {
                        XPathValue::Text(node.string_value())
                    } else {
                        XPathValue::Node(node.id)
                    }
                });
                values.collect()
            }
            Value::String(_) | Value::Number(_) => vec![XPathValue::Text(value.to_xpath_string())],
            Value::Boolean(_) => Vec::new(),
        });
        values.unwrap_or_default()
    }
}

fn in_document_order(mut set: Vec<PageNode<'_>>) -> Vec<PageNode<'_>> {
    set.sort_by(|a, b| Node::document_order(*a, *b));
    set
}

/// The alternatives of a union, each as it is written: the parts between the `|` that
/// stand in no brackets and no literal.
///
/// ```
/// use forest_core::wrapper::xpath::alternatives;
///
/// assert_eq!(alternatives("//a[b | c] | //d['|']"), ["//a[b | c]", "//d['|']"]);
/// ```
pub fn alternatives(source: &str) -> Vec<&str> {
    split_outside(source, '|')
}

/// Looks at an expression outside its literals.
fn check_bounds(source: &str) -> Result<(), String> {
    if source.len() > MAX_BYTES {
        return Err(format!("longer than {MAX_BYTES} bytes"));
    }
    let (mut depth, mut operators) = (0_usize, 0);
    let mut in_word = false;
    let mut chars = source.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' | '\'' => {
                chars.by_ref().take_while(|&d| d != c).for_each(drop);
            }
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '-' | '+' | '*' | '|' | '=' | '<' | '>' | '/' | ',' | '$' => operators += 1,
            _ => {}
        }
        // A word counts as an operator where it starts: `or`, `and`, names.
        let word = c.is_alphanumeric();
        operators += usize::from(word && !in_word);
        in_word = word || matches!(c, '-' | '_' | '.' | ':' | '@');
        if depth > MAX_NESTING {
            return Err(format!("nested deeper than {MAX_NESTING} brackets"));
        }
        if operators > MAX_OPERATORS {
            return Err(format!("more than {MAX_OPERATORS} names and operators"));
        }
    }
    Ok(())
}
