//! The terms of a relevance, as a tree.

use serde::Serialize;

/// A number with its name and the numbers that it was computed from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The number.
    pub value: f64,
    /// Its name.
    pub description: String,
    /// The numbers that it was computed from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<Explanation>,
}

impl Explanation {
    pub(super) fn leaf(value: f64, description: impl Into<String>) -> Explanation {
        Explanation {
            value,
            description: description.into(),
            details: Vec::new(),
        }
    }

    pub(super) fn with(self, value: f64, description: &str) -> Explanation {
        self.detail(Explanation::leaf(value, description))
    }

    pub(super) fn detail(mut self, detail: Explanation) -> Explanation {
        self.details.push(detail);
        self
    }
}
