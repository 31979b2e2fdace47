//! XPath 1.0 over a page.
//!
//! - `css`: an expression as a CSS selector, if CSS can express it.
//! - `direct`: what the learner writes, followed without the engine.
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
//! engine parses and evaluates by recursion.

mod backwards;
mod check;
mod css;
mod direct;
mod expr;
mod subject;

pub(crate) use css::Css;

lab! {
    pub use backwards::backwards;
}

use crate::error::{Error, ErrorKind, Result};
use crate::page::{Kind, NodeId, Page};
use direct::Direct;
use expr::{DFS, split_outside};
use html5ever::ns;
use std::cmp::Ordering;
use xpath_eval::{EvaluationContext, ExpandedName, Expr, NodeKind, Value};

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
    direct: Option<Direct>,
}

/// A value of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum XPathValue {
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
    /// use forest::wrapper::xpath::XPath;
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
    /// use forest::wrapper::xpath::XPath;
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
            expr,
            direct: Direct::parse(source),
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
        self.selected(page, |node| node.attr.is_none())
    }

    fn selected(&self, page: &Page, keep: impl Fn(&PageNode<'_>) -> bool) -> Vec<NodeId> {
        match self.directly(page) {
            // It selects no attributes.
            Some(nodes) => nodes,
            None => self.by_engine(page, keep),
        }
    }

    fn by_engine(&self, page: &Page, keep: impl Fn(&PageNode<'_>) -> bool) -> Vec<NodeId> {
        let mut nodes: Vec<NodeId> = match self.evaluate(page) {
            Some(Value::NodeSet(set)) => set.into_iter().filter(keep).map(|n| n.id).collect(),
            _ => Vec::new(),
        };
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// The string-values of what the expression selects, in document order; the
    /// value itself where it gives a string or a number. White space is folded,
    /// empty strings are left out.
    pub fn strings(&self, page: &Page) -> Vec<String> {
        if let Some(nodes) = self.directly(page) {
            let texts = nodes.into_iter().map(|n| crate::text::fold(page.text(n)));
            return texts.filter(|text| !text.is_empty()).collect();
        }
        let strings = match self.evaluate(page) {
            Some(Value::NodeSet(mut set)) => {
                set.sort_by(|a, b| xpath_eval::Node::document_order(*a, *b));
                set.into_iter()
                    .map(xpath_eval::Node::string_value)
                    .collect()
            }
            Some(value @ (Value::String(_) | Value::Number(_))) => vec![value.to_xpath_string()],
            _ => Vec::new(),
        };
        let mut folded: Vec<String> = strings.iter().map(|s| crate::text::fold(s)).collect();
        folded.retain(|s| !s.is_empty());
        folded
    }

    /// The nodes that are selected without the engine.
    fn directly(&self, page: &Page) -> Option<Vec<NodeId>> {
        Some(self.direct.as_ref()?.nodes(page))
    }

    fn evaluate<'a>(&self, page: &'a Page) -> Option<Value<PageNode<'a>>> {
        self.evaluate_at(page, page.root())
    }

    /// `None` for an error of evaluation, such as an unknown function.
    fn evaluate_at<'a>(&self, page: &'a Page, context: NodeId) -> Option<Value<PageNode<'a>>> {
        let context = PageNode {
            page,
            id: context,
            attr: None,
        };
        xpath_eval::evaluate(&self.expr, &EvaluationContext::new(context)).ok()
    }

    /// The values of the expression with `context` as its context node, in document order.
    pub(crate) fn values_at(&self, page: &Page, context: NodeId) -> Vec<XPathValue> {
        match self.evaluate_at(page, context) {
            Some(Value::NodeSet(mut set)) => {
                set.sort_by(|a, b| xpath_eval::Node::document_order(*a, *b));
                let value = |node: PageNode<'_>| match node.attr {
                    None => XPathValue::Node(node.id),
                    Some(_) => XPathValue::Text(xpath_eval::Node::string_value(node)),
                };
                set.into_iter().map(value).collect()
            }
            Some(value @ (Value::String(_) | Value::Number(_))) => {
                vec![XPathValue::Text(value.to_xpath_string())]
            }
            _ => Vec::new(),
        }
    }
}

/// The alternatives of a union, each as it is written: the parts between the `|` that
/// stand in no brackets and no literal.
///
/// ```
/// use forest::wrapper::xpath::alternatives;
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

/// Which attribute of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum AttrId {
    Dfs,
    /// Index among the element's attributes.
    Real(u32),
}

/// A node of a page as the engine sees it.
#[derive(Debug, Clone, Copy)]
struct PageNode<'a> {
    page: &'a Page,
    id: NodeId,
    attr: Option<AttrId>,
}

impl PartialEq for PageNode<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.attr == other.attr
    }
}

impl Eq for PageNode<'_> {}

impl<'a> PageNode<'a> {
    fn at(self, id: NodeId) -> Self {
        PageNode {
            page: self.page,
            id,
            attr: None,
        }
    }

    fn real_attr(self, index: u32) -> Option<(&'a str, &'a str)> {
        self.page
            .attrs(self.id)
            .nth(index as usize)
            .map(|(name, value)| (&*name.local, value))
    }

    fn local_name(self) -> Option<&'a str> {
        match self.attr {
            Some(AttrId::Dfs) => Some(DFS),
            Some(AttrId::Real(index)) => self.real_attr(index).map(|(name, _)| name),
            None => self.page.name(self.id).map(|name| &*name.local),
        }
    }

    fn dfs_value(self) -> String {
        self.page
            .dfs(self.id)
            .map_or_else(String::new, |dfs| dfs.0.to_string())
    }
}

impl<'a> xpath_eval::Node<'a> for PageNode<'a> {
    fn kind(self) -> NodeKind {
        if self.attr.is_some() {
            return NodeKind::Attribute;
        }
        match self.page.kind(self.id) {
            Kind::Document | Kind::Fragment => NodeKind::Root,
            Kind::Element => NodeKind::Element,
            Kind::Text => NodeKind::Text,
            Kind::Comment | Kind::Doctype => NodeKind::Comment,
            Kind::Instruction => NodeKind::ProcessingInstruction,
        }
    }

    fn parent(self) -> Option<Self> {
        if self.attr.is_some() {
            return Some(self.at(self.id));
        }
        let parent = self.page.parent(self.id)?;
        Some(self.at(match self.page.kind(parent) {
            Kind::Fragment => self.page.parent(parent)?,
            _ => parent,
        }))
    }

    fn children(self) -> impl Iterator<Item = Self> + 'a {
        let page = self.page;
        let first = NodeId(self.id.0 + 1);
        let top = match self.attr {
            // A node without children: its own only child is itself.
            Some(_) => None,
            None if first < page.end(self.id) && page.kind(first) == Kind::Fragment => Some(first),
            None => Some(self.id),
        };
        top.into_iter()
            .flat_map(move |top| page.children(top))
            .filter(move |&n| page.kind(n) != Kind::Doctype)
            .map(move |n| self.at(n))
    }

    fn attributes(self) -> impl Iterator<Item = Self> + 'a {
        let is_element = self.attr.is_none() && self.page.kind(self.id) == Kind::Element;
        let dfs = (is_element && self.page.dfs(self.id).is_some()).then_some(AttrId::Dfs);
        let real = self
            .page
            .attrs(self.id)
            .enumerate()
            .filter(|(_, (name, _))| name.ns == ns!() && *name.local != *DFS)
            .map(|(i, _)| AttrId::Real(i as u32))
            .filter(move |_| is_element);
        dfs.into_iter().chain(real).map(move |attr| PageNode {
            attr: Some(attr),
            ..self
        })
    }

    fn namespaces(self) -> impl Iterator<Item = Self> + 'a {
        std::iter::empty()
    }

    fn expanded_name(self) -> Option<ExpandedName> {
        self.local_name().map(|name| ExpandedName {
            namespace_uri: None,
            local_name: name.to_owned(),
        })
    }

    fn string_value(self) -> String {
        self.with_string_value(str::to_owned)
    }

    fn document_order(self, other: Self) -> Ordering {
        (self.id, self.attr).cmp(&(other.id, other.attr))
    }

    fn has_expanded_name(self, namespace_uri: Option<&str>, local_name: &str) -> bool {
        namespace_uri.is_none() && self.local_name() == Some(local_name)
    }

    fn with_string_value<R>(self, f: impl FnOnce(&str) -> R) -> R {
        match self.attr {
            Some(AttrId::Dfs) => f(&self.dfs_value()),
            Some(AttrId::Real(index)) => f(self.real_attr(index).map_or("", |(_, value)| value)),
            None => match self.page.kind(self.id) {
                Kind::Comment | Kind::Doctype | Kind::Instruction => f(self.page.note(self.id)),
                _ => f(self.page.text(self.id)),
            },
        }
    }

    fn is_id_attribute(self) -> bool {
        self.attr.is_some() && self.local_name() == Some("id")
    }
}
