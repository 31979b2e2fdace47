//! A place among siblings.

use super::cases::{function, is};
use xpath_eval::{EqualityOp, Expr, FilterExpr, PathExpr, PrimaryExpr};

/// A place among siblings.
#[derive(Clone, Copy)]
pub(super) enum Place {
    First(u32),
    Last,
}

impl Place {
    pub fn shown(self, of_type: bool) -> String {
        let kind = if of_type { "of-type" } else { "child" };
        match self {
            Place::First(n) => format!(":nth-{kind}({n})"),
            Place::Last => format!(":last-{kind}"),
        }
    }
}

/// `[2]`, `[last()]`, `[position()=2]`.
pub(super) fn place(predicate: &Expr) -> Option<Place> {
    match predicate {
        Expr::Path(PathExpr::Filter(FilterExpr {
            primary,
            predicates,
        })) if predicates.is_empty() => match primary {
            PrimaryExpr::Number(n) if *n >= 1.0 && n.fract() == 0.0 && *n < 1e6 => {
                Some(Place::First(*n as u32))
            }
            PrimaryExpr::Function(call) if is(call, "last") => Some(Place::Last),
            _ => None,
        },
        Expr::Equality(a, EqualityOp::Eq, b) => match (function(a), function(b)) {
            (Some(call), _) if is(call, "position") => place(b),
            (_, Some(call)) if is(call, "position") => place(a),
            _ => None,
        },
        _ => None,
    }
}
