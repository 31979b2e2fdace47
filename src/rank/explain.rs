//! Where a relevance comes from, as a tree.

use super::{LevelFactor, Measure, RankedPattern};
use serde::Serialize;

/// A number, what it is, and the numbers that it was computed from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The number.
    pub value: f64,
    /// What it is.
    pub description: String,
    /// What it was computed from.
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

impl RankedPattern<'_> {
    /// The relevance of this pattern under the measure and level factor that it was
    /// ranked with.
    pub fn explain(&self, measure: &dyn Measure, level_factor: LevelFactor) -> Explanation {
        let sum: f64 = self.chosen.iter().map(|c| c.value).sum();
        let mut of_pages = Explanation::leaf(sum, "sum of the measure over the pages");
        for chosen in &self.chosen {
            let o = &chosen.occurrence;
            let mut page = measure.explain(o);
            page.description = format!("page {}, dfs {}: {}", o.page, o.dfs.0, page.description);
            of_pages = of_pages.detail(page);
        }
        let root = Explanation::leaf(
            self.relevance,
            format!(
                "R, relevance (equation 5) of {} on level {}",
                self.pattern.element_type, self.pattern.level
            ),
        )
        .detail(of_pages)
        .with(self.pages() as f64, "p, pages that have the pattern");
        match level_factor {
            LevelFactor::Level => root.with(f64::from(self.pattern.level), "level"),
            LevelFactor::None => root,
        }
    }
}
