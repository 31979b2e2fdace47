//! A page as the XPath engine sees it, and the end of an evaluation that is too much for it.
//!
//! XPath 1.0 lets `//*[count(//*[count(//*)>1])>1]` ask for n³ steps, and
//! `//h2/following-sibling::p` for a set of n² nodes before it is made unique. The engine has no
//! hook to end an evaluation, but sees a page through [`PageNode`] only. So that is where work is
//! counted: a node that is handed out is a step, and so are some bytes of a string-value. Where the
//! page's steps are spent, or one evaluation was handed more nodes than a set may have, the
//! evaluation is left by unwinding, without a panic's message; the engine keeps nothing that
//! outlives it. Programs that abort where others unwind end with such an expression.
//!
//! Between two looks at the page the engine's work is bounded by the expression, and
//! [`StepCost`] makes its steps the dearer: operators, functions that pass over a string again,
//! `translate`, which looks each character up in a list, and comparisons of two sets, of each node
//! with each.

use super::expr::{DFS, gives_nodes, is, literal, visit};
use forest_html::page::{Kind, NodeId, Page};
use html5ever::ns;
use std::any::Any;
use std::cell::Cell;
use std::cmp::Ordering;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use xpath_eval::{
    EvaluationContext, ExpandedName, Expr, FilterExpr, NodeKind, PathExpr, PrimaryExpr, Value,
};

/// Nodes that one evaluation is handed at the most: a set of them takes 160 MB.
const MAX_NODES: u64 = 10_000_000;

/// Bytes of a string-value that cost a step: a pass over a byte takes some 3 ns.
pub(super) const BYTES_A_STEP: u64 = 4;

/// The steps that looks at a page take under one expression.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepCost {
    /// Steps for a node.
    node: u64,
    /// Passes over a string-value.
    passes: u64,
    /// The second argument of a `translate` is no literal, so that it may be as long as the page.
    translates_any: bool,
    /// Two sets of nodes are compared.
    compares_sets: bool,
}

/// Operators and calls that take as long as a look at a node.
const OPERATIONS_A_STEP: u64 = 4;

/// Characters that `translate` looks through in the time of a pass.
const CHARS_A_PASS: u64 = 8;

impl StepCost {
    pub fn of(source: &str, expr: &Expr) -> StepCost {
        let (mut operations, mut calls, mut looked_through) = (0, 0, 0);
        let mut cost = StepCost {
            node: 0,
            passes: 0,
            translates_any: false,
            compares_sets: false,
        };
        visit(expr, &mut |inner| {
            operations += 1;
            match inner {
                Expr::Equality(a, _, b) | Expr::Relational(a, _, b) => {
                    cost.compares_sets |= gives_nodes(a) && gives_nodes(b);
                }
                Expr::Path(
                    PathExpr::Filter(FilterExpr { primary, .. })
                    | PathExpr::FilterLocation(FilterExpr { primary, .. }, _),
                ) => {
                    let PrimaryExpr::Function(call) = primary else {
                        return;
                    };
                    calls += 1;
                    if is(call, "translate") {
                        match call.args.get(1).and_then(literal) {
                            Some(from) => looked_through += from.chars().count() as u64,
                            None => cost.translates_any = true,
                        }
                    }
                }
                _ => {}
            }
        });
        cost.node = 1 + operations / OPERATIONS_A_STEP + source.len() as u64 / 256;
        cost.passes = (1 + calls / 2) * (1 + looked_through / CHARS_A_PASS);
        cost
    }
}

/// The payload with which an evaluation is left.
struct TooMuch;

/// One evaluation of an expression on a page.
#[derive(Debug)]
struct Evaluation<'a> {
    page: &'a Page,
    cost: StepCost,
    steps: Cell<u64>,
    nodes: Cell<u64>,
    /// String-values since a node was last handed out: while two sets are compared, there are
    /// as many as they have nodes.
    compared: Cell<u64>,
}

impl Evaluation<'_> {
    fn spend(&self, steps: u64) {
        match self.steps.get().checked_sub(steps) {
            Some(left) => self.steps.set(left),
            None => {
                self.steps.set(0);
                resume_unwind(Box::new(TooMuch));
            }
        }
    }

    fn hand_out(&self) {
        self.compared.set(0);
        match self.nodes.get().checked_sub(1) {
            Some(left) => self.nodes.set(left),
            None => resume_unwind(Box::new(TooMuch)),
        }
        self.spend(self.cost.node);
    }

    fn read(&self, value: &str) {
        let mut steps = 1 + value.len() as u64 * self.cost.passes / BYTES_A_STEP;
        if self.cost.translates_any {
            let longest = self.page.text(self.page.root()).len() as u64;
            steps = steps.saturating_mul(1 + longest / CHARS_A_PASS);
        }
        if self.cost.compares_sets {
            self.compared.set(self.compared.get() + 1);
            steps += self.compared.get() / 8;
        }
        self.spend(steps);
    }
}

/// The value of an expression at a node, as `take` takes it; `None` for an error of evaluation,
/// such as an unknown function, and where it is too much for the page, whose
/// [budget](Page::expression_budget) then names it.
pub(super) fn evaluate<R>(
    (source, expr, cost): (&str, &Expr, StepCost),
    page: &Page,
    context: NodeId,
    take: impl FnOnce(Value<PageNode<'_>>) -> R,
) -> Option<R> {
    let budget = page.expression_budget();
    // The other half is for the expressions that follow.
    let steps = budget.left() / 2;
    let evaluation = Evaluation {
        page,
        cost,
        steps: Cell::new(steps),
        nodes: Cell::new(MAX_NODES),
        compared: Cell::new(0),
    };
    let result = catch_unwind(AssertUnwindSafe(|| {
        let context = PageNode {
            evaluation: &evaluation,
            id: context,
            attr: AttrId::NONE,
        };
        let value = xpath_eval::evaluate(expr, &EvaluationContext::new(context));
        value.ok().map(take)
    }));
    budget.spend(steps - evaluation.steps.get());
    result.unwrap_or_else(|payload: Box<dyn Any + Send>| {
        if !payload.is::<TooMuch>() {
            resume_unwind(payload);
        }
        budget.exceed(source);
        None
    })
}

/// Which attribute of an element: none, the virtual one, or one of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct AttrId(u32);

impl AttrId {
    const NONE: AttrId = AttrId(0);
    const DFS: AttrId = AttrId(1);

    fn own(index: usize) -> AttrId {
        AttrId(index as u32 + 2)
    }

    /// The index among the element's attributes.
    fn index(self) -> Option<usize> {
        self.0.checked_sub(2).map(|index| index as usize)
    }
}

/// A node of a page as the engine sees it: 16 bytes, as sets are lists of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageNode<'a> {
    evaluation: &'a Evaluation<'a>,
    pub id: NodeId,
    attr: AttrId,
}

impl PartialEq for PageNode<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.attr == other.attr
    }
}

impl Eq for PageNode<'_> {}

impl<'a> PageNode<'a> {
    pub fn is_attribute(self) -> bool {
        self.attr != AttrId::NONE
    }

    fn page(self) -> &'a Page {
        self.evaluation.page
    }

    /// Another node of the page, handed out.
    fn at(self, id: NodeId) -> Self {
        self.evaluation.hand_out();
        PageNode {
            id,
            attr: AttrId::NONE,
            ..self
        }
    }

    fn own_attr(self) -> Option<(&'a str, &'a str)> {
        let mut attrs = self.page().attrs(self.id);
        let (name, value) = attrs.nth(self.attr.index()?)?;
        Some((&name.local, value))
    }

    fn local_name(self) -> Option<&'a str> {
        match self.attr {
            AttrId::NONE => self.page().name(self.id).map(|name| &*name.local),
            AttrId::DFS => Some(DFS),
            _ => self.own_attr().map(|(name, _)| name),
        }
    }

    fn dfs_value(self) -> String {
        self.page()
            .dfs(self.id)
            .map_or_else(String::new, |dfs| dfs.0.to_string())
    }
}

impl<'a> xpath_eval::Node<'a> for PageNode<'a> {
    fn kind(self) -> NodeKind {
        if self.is_attribute() {
            return NodeKind::Attribute;
        }
        match self.page().kind(self.id) {
            Kind::Document | Kind::Fragment => NodeKind::Root,
            Kind::Element => NodeKind::Element,
            Kind::Text => NodeKind::Text,
            Kind::Comment | Kind::Doctype => NodeKind::Comment,
            Kind::Instruction => NodeKind::ProcessingInstruction,
        }
    }

    fn parent(self) -> Option<Self> {
        if self.is_attribute() {
            return Some(self.at(self.id));
        }
        let parent = self.page().parent(self.id)?;
        Some(self.at(match self.page().kind(parent) {
            Kind::Fragment => self.page().parent(parent)?,
            _ => parent,
        }))
    }

    fn children(self) -> impl Iterator<Item = Self> + 'a {
        let page = self.page();
        let first = NodeId(self.id.0 + 1);
        let has_fragment = first < page.end(self.id) && page.kind(first) == Kind::Fragment;
        let top = if has_fragment { first } else { self.id };
        let top = (!self.is_attribute()).then_some(top);
        top.into_iter()
            .flat_map(move |top| page.children(top))
            .filter(move |&n| page.kind(n) != Kind::Doctype)
            .map(move |n| self.at(n))
    }

    fn attributes(self) -> impl Iterator<Item = Self> + 'a {
        let is_element = !self.is_attribute() && self.page().kind(self.id) == Kind::Element;
        let dfs = (is_element && self.page().dfs(self.id).is_some()).then_some(AttrId::DFS);
        let real = self
            .page()
            .attrs(self.id)
            .enumerate()
            .filter(|(_, (name, _))| name.ns == ns!() && *name.local != *DFS)
            .map(|(i, _)| AttrId::own(i))
            .filter(move |_| is_element);
        dfs.into_iter().chain(real).map(move |attr| {
            self.evaluation.hand_out();
            PageNode { attr, ..self }
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
        let dfs;
        let value = match self.attr {
            AttrId::NONE => match self.page().kind(self.id) {
                Kind::Comment | Kind::Doctype | Kind::Instruction => self.page().note(self.id),
                _ => self.page().text(self.id),
            },
            AttrId::DFS => {
                dfs = self.dfs_value();
                &dfs
            }
            _ => self.own_attr().map_or("", |(_, value)| value),
        };
        self.evaluation.read(value);
        f(value)
    }

    fn is_id_attribute(self) -> bool {
        self.is_attribute() && self.local_name() == Some("id")
    }
}
