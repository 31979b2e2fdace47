//! Parts of a parsed expression, and of its text, that several questions ask for.

use xpath_eval::{
    Axis, Expr, FilterExpr, FunctionCall, LocationPath, NodeTest, PathExpr, PrimaryExpr, QName,
    Step,
};

/// The virtual attribute's name.
pub(super) const DFS: &str = "dfs";

/// The expressions that an expression is made of, outside of paths and predicates: both
/// sides of an operator, the inside of parentheses, the arguments of a function.
pub(super) fn operands(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Or(a, b)
        | Expr::And(a, b)
        | Expr::Equality(a, _, b)
        | Expr::Relational(a, _, b)
        | Expr::Additive(a, _, b)
        | Expr::Multiplicative(a, _, b)
        | Expr::Union(a, b) => vec![&**a, &**b],
        Expr::Negate(inner) => vec![&**inner],
        Expr::Path(PathExpr::Location(_)) => Vec::new(),
        Expr::Path(PathExpr::Filter(filter) | PathExpr::FilterLocation(filter, _)) => {
            match &filter.primary {
                PrimaryExpr::Parenthesized(inner) => vec![&**inner],
                PrimaryExpr::Function(call) => call.args.iter().collect(),
                _ => Vec::new(),
            }
        }
    }
}

/// The path of an expression, if it is one or ends in one.
pub(super) fn path(expr: &Expr) -> Option<&LocationPath> {
    match expr {
        Expr::Path(PathExpr::Location(path) | PathExpr::FilterLocation(_, path)) => Some(path),
        _ => None,
    }
}

/// The primary expression that an expression is or begins with, and its predicates.
pub(super) fn filter(expr: &Expr) -> Option<&FilterExpr> {
    match expr {
        Expr::Path(PathExpr::Filter(filter) | PathExpr::FilterLocation(filter, _)) => Some(filter),
        _ => None,
    }
}

/// Visits an expression and all that it is made of, predicates included, each before its parts,
/// in the order of the text.
pub(super) fn visit<'e>(expr: &'e Expr, see: &mut dyn FnMut(&'e Expr)) {
    see(expr);
    let predicates = filter(expr)
        .into_iter()
        .flat_map(|filter| &filter.predicates);
    for inner in operands(expr).into_iter().chain(predicates) {
        visit(inner, see);
    }
    for step in path(expr).into_iter().flat_map(|path| &path.steps) {
        for predicate in &step.predicates {
            visit(predicate, see);
        }
    }
}

/// The function that an expression calls, if it does nothing else.
pub(super) fn function(expr: &Expr) -> Option<&FunctionCall> {
    match primary(expr)? {
        PrimaryExpr::Function(call) => Some(call),
        _ => None,
    }
}

/// The text in a literal.
pub(super) fn literal(expr: &Expr) -> Option<&str> {
    match primary(expr)? {
        PrimaryExpr::Literal(text) => Some(text),
        _ => None,
    }
}

/// The primary expression that an expression is, without predicates.
pub(super) fn primary(expr: &Expr) -> Option<&PrimaryExpr> {
    match expr {
        Expr::Path(PathExpr::Filter(FilterExpr {
            primary,
            predicates,
        })) if predicates.is_empty() => Some(primary),
        _ => None,
    }
}

/// Returns true for a call of the function `name`.
pub(super) fn is(call: &FunctionCall, name: &str) -> bool {
    call.name.prefix.is_none() && call.name.local == name
}

/// The name in `@name`.
pub(super) fn attribute(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Path(PathExpr::Location(path)) if !path.is_absolute => match &path.steps[..] {
            [step] => attribute_step(step),
            _ => None,
        },
        _ => None,
    }
}

/// The name of the attribute that a step without predicates leads to.
pub(super) fn attribute_step(step: &Step) -> Option<&str> {
    match step {
        Step {
            axis: Axis::Attribute,
            node_test:
                NodeTest::QName(QName {
                    prefix: None,
                    local,
                }),
            predicates,
        } if predicates.is_empty() => Some(local),
        _ => None,
    }
}

/// Returns true of an expression whose value is a set of nodes.
pub(super) fn gives_nodes(expr: &Expr) -> bool {
    match expr {
        Expr::Union(..) | Expr::Path(PathExpr::Location(_) | PathExpr::FilterLocation(..)) => true,
        Expr::Path(PathExpr::Filter(filter)) => match &filter.primary {
            PrimaryExpr::Parenthesized(inner) => gives_nodes(inner),
            PrimaryExpr::Function(call) => call.name.local == "id",
            _ => false,
        },
        _ => false,
    }
}

/// The parts of an expression between the marks that stand in no brackets, parentheses
/// or literals.
pub(super) fn split_outside(source: &str, mark: char) -> Vec<&str> {
    let (mut parts, mut begin, mut depth) = (Vec::new(), 0, 0_usize);
    let mut chars = source.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' | '\'' => {
                chars.by_ref().take_while(|&(_, d)| d != c).for_each(drop);
            }
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            c if c == mark && depth == 0 => {
                parts.push(source[begin..at].trim());
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(source[begin..].trim());
    parts
}
