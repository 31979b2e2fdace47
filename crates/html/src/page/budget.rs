//! The work that expressions may do on one page.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Steps that all expressions together may take on a page. A step is a node that an expression
/// looks at, or as much other work: all of them are about a second.
const MAX_STEPS: u64 = 50_000_000;

/// The steps that are left to a page's expressions, and the first expression that wanted more.
///
/// Expressions come from strangers (imported rules, the workshop) and meet pages of strangers,
/// and XPath lets a line of text ask for n³ steps.
#[derive(Debug)]
pub struct ExpressionBudget {
    left: AtomicU64,
    exceeded_by: OnceLock<Box<str>>,
}

impl Default for ExpressionBudget {
    fn default() -> Self {
        ExpressionBudget {
            left: AtomicU64::new(MAX_STEPS),
            exceeded_by: OnceLock::new(),
        }
    }
}

impl ExpressionBudget {
    /// The steps that are left.
    pub fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// Takes `steps` off. Where fewer are left, none are from then on.
    pub fn spend(&self, steps: u64) {
        let take = |left: u64| Some(left.saturating_sub(steps));
        // It never refuses.
        let _ = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
    }

    /// Names `expression` as too much for the page, if it is the first.
    pub fn exceed(&self, expression: &str) {
        self.exceeded_by.get_or_init(|| expression.into());
    }

    /// The first expression that was too much for the page.
    pub fn exceeded_by(&self) -> Option<&str> {
        self.exceeded_by.get().map(|expression| &**expression)
    }
}
