//! A place among siblings.

use crate::wrapper::xpath::expr::{function, is, primary};
use xpath_eval::{EqualityOp, Expr, PrimaryExpr};

/// A place among siblings.
#[derive(Clone, Copy)]
pub(super) enum SiblingPosition {
    First(u32),
    Last,
}

impl SiblingPosition {
    pub fn shown(self, of_type: bool) -> String {
        let kind = if of_type { "of-type" } else { "child" };
        match self {
            SiblingPosition::First(n) => format!(":nth-{kind}({n})"),
            SiblingPosition::Last => format!(":last-{kind}"),
        }
    }
}

/// `[2]`, `[last()]`, `[position()=2]`.
pub(super) fn place(predicate: &Expr) -> Option<SiblingPosition> {
    if let Expr::Equality(a, EqualityOp::Eq, b) = predicate {
        return match (function(a), function(b)) {
            (Some(call), _) if is(call, "position") => place(b),
            (_, Some(call)) if is(call, "position") => place(a),
            _ => None,
        };
    }
    match primary(predicate)? {
        PrimaryExpr::Number(n) if *n >= 1.0 && n.fract() == 0.0 && *n < 1e6 => {
            Some(SiblingPosition::First(*n as u32))
        }
        PrimaryExpr::Function(call) if is(call, "last") => Some(SiblingPosition::Last),
        _ => None,
    }
}
