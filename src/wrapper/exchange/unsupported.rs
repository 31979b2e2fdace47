//! Expressions that a format cannot say: refused, or left out and named.

use crate::error::{Error, ErrorKind, Result};
use crate::wrapper::Wrapper;

/// The treatment of expressions that the format of an export cannot say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum UnsupportedPolicy {
    /// It is refused, each expression with the reason.
    #[default]
    Refused,
    /// It is left out and named, as long as a body is left.
    LeftOut,
}

/// The expressions that could not be said so far.
#[derive(Debug)]
pub(super) struct UnsupportedParts {
    how: UnsupportedPolicy,
    format: &'static str,
    named: Vec<String>,
}

impl UnsupportedParts {
    pub fn of(format: &'static str, how: UnsupportedPolicy) -> UnsupportedParts {
        UnsupportedParts {
            how,
            format,
            named: Vec::new(),
        }
    }

    /// Returns true if the rest is to be said without it.
    pub fn is_left_out(&self) -> bool {
        self.how == UnsupportedPolicy::LeftOut
    }

    pub fn name(&mut self, what: &str, why: &str) {
        let what: String = what.chars().take(200).collect();
        let named = format!("{what}: {why}");
        if !self.named.contains(&named) {
            self.named.push(named);
        }
    }

    /// The expressions left out of an export that has a body, or the refusal.
    pub fn finish(mut self, wrapper: &Wrapper, has_body: bool) -> Result<Vec<String>> {
        if !has_body {
            self.name("body", "nothing of it can be said");
        }
        let refused =
            !has_body || (self.how == UnsupportedPolicy::Refused && !self.named.is_empty());
        if refused {
            Err(self.refusal(wrapper))
        } else {
            Ok(self.named)
        }
    }

    fn refusal(self, wrapper: &Wrapper) -> Error {
        ErrorKind::Unsupported {
            site: wrapper.site.clone(),
            format: self.format,
            refused: self.named,
        }
        .into()
    }
}
