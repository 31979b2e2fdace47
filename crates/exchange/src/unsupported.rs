//! Expressions that a format cannot express: refused, or left out and named.

use crate::error::{Error, ErrorKind, Result};
use forest_core::wrapper::Wrapper;
use std::borrow::Cow;

/// The treatment of expressions that the format of an export cannot express.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum UnsupportedPolicy {
    /// The export is refused, with the reason for each expression.
    #[default]
    Refused,
    /// They are left out and named, if a body remains.
    LeftOut,
}

/// The expressions that could not be expressed so far.
#[derive(Debug)]
pub(super) struct UnsupportedParts {
    policy: UnsupportedPolicy,
    format: &'static str,
    named: Vec<String>,
}

impl UnsupportedParts {
    pub fn of(format: &'static str, policy: UnsupportedPolicy) -> UnsupportedParts {
        UnsupportedParts {
            policy,
            format,
            named: Vec::new(),
        }
    }

    /// Returns true if the rest is exported without the unsupported expressions.
    pub fn is_left_out(&self) -> bool {
        self.policy == UnsupportedPolicy::LeftOut
    }

    pub fn name(&mut self, what: &str, why: &str) {
        let what: String = what.chars().take(200).collect();
        let named = format!("{what}: {why}");
        if !self.named.contains(&named) {
            self.named.push(named);
        }
    }

    /// The wrapper without its templates for values of a page's JSON, which are named.
    pub fn without_json<'w>(&mut self, wrapper: &'w Wrapper) -> Cow<'w, Wrapper> {
        let mut shown = Cow::Borrowed(wrapper);
        for place in wrapper.templates.iter().filter_map(|t| t.json.as_ref()) {
            let what = format!("json {} {}", place.script, place.path);
            self.name(&what, "it is a value of the page's own JSON, no element");
            let templates = &mut shown.to_mut().templates;
            templates.retain(|template| template.json.is_none());
        }
        shown
    }

    /// The expressions left out of an export that has a body, or the refusal.
    pub fn finish(mut self, wrapper: &Wrapper, has_body: bool) -> Result<Vec<String>> {
        if !has_body {
            self.name("body", "none of it can be expressed");
        }
        let refused =
            !has_body || (self.policy == UnsupportedPolicy::Refused && !self.named.is_empty());
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
