//! Core XPath: what the learner and most people write, in time linear in the page.
//!
//! ```text
//! expression = path *( "|" path )                    absolute paths
//! path       = *( axis "::" test *( "[" condition "]" ) )
//! axis       = child, descendant, descendant-or-self, self, parent, ancestor, ancestor-or-self,
//!              following-sibling, preceding-sibling
//! test       = name, *, text(), node()
//! condition  = "@a", "@a='v'", contains and starts-with of "@a", its class tokens, "." or "text()"
//!            / a relative path, which is there
//!            / and, or, not() of conditions
//! ```
//!
//! Gottlob, Koch, Pichler: *Efficient algorithms for processing XPath queries* (VLDB 2002),
//! section 5: a step leads from a set of nodes to a set of nodes, and the nodes for which a
//! relative path is there are found by its steps backwards, each once for the page. So an
//! expression takes O(page · expression), where the engine walks each node's axes anew: for
//! `//h2/following-sibling::p` that is the square of the siblings. **Measured**: to follow the
//! bodies and strips that `forest` learns of `big9` on their sample takes an eleventh of the
//! instructions that the engine takes.
//!
//! Expressions that count positions or nodes, compute, or give attributes are left to the engine.

mod axis;
mod own;
mod path;
mod searched;
#[cfg(test)]
mod tests;

use super::expr::primary;
use forest_html::page::{NodeId, Page};
use path::DirectPath;
use xpath_eval::{Expr, PathExpr, PrimaryExpr};

/// An expression of this form: the paths of a union.
#[derive(Debug, Clone)]
pub(super) struct Direct(Vec<DirectPath>);

/// Nodes that a pass over a page looks at in the time of a step of the engine.
const NODES_A_STEP: u64 = 16;

impl Direct {
    /// `None` for an expression of another form.
    pub fn of(expr: &Expr) -> Option<Direct> {
        let mut paths = Vec::new();
        add_paths(expr, &mut paths)?;
        Some(Direct(paths))
    }

    /// The steps that the expression takes on a page, of those of the
    /// [budget](Page::expression_budget).
    pub fn steps(&self, page: &Page) -> u64 {
        let passes: u64 = self.0.iter().map(DirectPath::passes).sum();
        passes * (1 + page.len() as u64 / NODES_A_STEP)
    }

    /// The selected nodes, in document order.
    pub fn nodes(&self, page: &Page) -> Vec<NodeId> {
        let mut paths = self.0.iter().map(|path| path.nodes(page));
        let mut out = paths.next().unwrap_or_default();
        for nodes in paths {
            out.extend(nodes);
        }
        if self.0.len() > 1 {
            out.sort_unstable();
            out.dedup();
        }
        out
    }
}

fn add_paths(expr: &Expr, out: &mut Vec<DirectPath>) -> Option<()> {
    match expr {
        Expr::Union(a, b) => {
            add_paths(a, out)?;
            add_paths(b, out)
        }
        Expr::Path(PathExpr::Location(path)) if path.is_absolute => {
            out.push(DirectPath::of(path)?);
            Some(())
        }
        _ => match primary(expr)? {
            PrimaryExpr::Parenthesized(inner) => add_paths(inner, out),
            _ => None,
        },
    }
}
