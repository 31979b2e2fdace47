//! Structural patterns by relevance. FOREST 3.3 to 3.5.
//!
//! Takes the [`Pattern`]s of a sample and a [`Measure`]; gives them ranked
//! ([`RankedPattern`]), each with the numbers that its rank comes from and, on demand,
//! with its [`Explanation`].
//!
//! ```text
//! R(sp) = sum over d of I(sp, d) * p * level(sp)                  (equations 5, 7)
//!
//! d      the documents in which the pattern occurs
//! I      the measure: J * U for FOREST (equation 4), Cov for COVERAGE (equation 6)
//! p      number of those documents, 1..
//! level  number of element ancestors, 0 for html, so that html is never chosen
//! ```
//!
//! If several elements of one page have a pattern, the paper is silent: the one
//! with the highest measure counts, the first of them in document order.
//!
//! Ties break by the dfs index of the first page's element, the smaller first.
//!
//! A measure is a trait, so that another stands beside those of the paper without
//! touching how patterns are summed and sorted.

mod explain;
mod measure;
#[cfg(test)]
mod tests;

pub use explain::Explanation;
pub use measure::{Measure, MeasureName, jeffreys_density, unexpectedness};

pub use measure::{Coverage, Density, Informativeness, Unexpectedness};

use crate::pattern::{Occurrence, Pattern};

/// The level as a factor of relevance: without it, for the experiment of
/// FOREST, section 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LevelFactor {
    /// Relevance grows with the level, as in equation 5.
    #[default]
    Level,
    /// All levels count the same.
    None,
}

/// The element that stands for a pattern on one page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChosenElement {
    /// The element and its counts.
    pub occurrence: Occurrence,
    /// Its measure, at least 0.
    pub value: f64,
}

/// A pattern with its relevance.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedPattern<'a> {
    /// The pattern.
    pub pattern: &'a Pattern,
    /// R, at least 0.
    pub relevance: f64,
    /// One element for each page that has the pattern; p of them.
    pub chosen: Vec<ChosenElement>,
}

impl RankedPattern<'_> {
    /// p: number of pages that have the pattern.
    pub fn pages(&self) -> usize {
        self.chosen.len()
    }

    /// The dfs indices of the elements, each once, ascending.
    pub fn dfs_set(&self) -> Vec<u32> {
        let mut set: Vec<u32> = self.chosen.iter().map(|c| c.occurrence.dfs.0).collect();
        set.sort_unstable();
        set.dedup();
        set
    }

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

/// Algorithm 1: all patterns, the most relevant first.
pub fn rank<'a>(
    patterns: &'a [Pattern],
    measure: &dyn Measure,
    level_factor: LevelFactor,
) -> Vec<RankedPattern<'a>> {
    let mut ranked: Vec<RankedPattern<'a>> = patterns
        .iter()
        .map(|pattern| relevance(pattern, measure, level_factor))
        .collect();
    ranked.sort_by(|a, b| {
        b.relevance
            .total_cmp(&a.relevance)
            .then_with(|| first(a).cmp(&first(b)))
    });
    ranked
}

fn first(ranked: &RankedPattern<'_>) -> Option<(usize, u32)> {
    ranked
        .chosen
        .first()
        .map(|c| (c.occurrence.page, c.occurrence.dfs.0))
}

fn relevance<'a>(
    pattern: &'a Pattern,
    measure: &dyn Measure,
    level_factor: LevelFactor,
) -> RankedPattern<'a> {
    let mut chosen: Vec<ChosenElement> = Vec::new();
    for &occurrence in &pattern.occurrences {
        let value = measure.of(&occurrence);
        match chosen.last_mut() {
            Some(last) if last.occurrence.page == occurrence.page => {
                if value > last.value {
                    *last = ChosenElement { occurrence, value };
                }
            }
            _ => chosen.push(ChosenElement { occurrence, value }),
        }
    }
    let sum: f64 = chosen.iter().map(|c| c.value).sum();
    let factor = match level_factor {
        LevelFactor::Level => f64::from(pattern.level),
        LevelFactor::None => 1.0,
    };
    RankedPattern {
        pattern,
        relevance: sum * chosen.len() as f64 * factor,
        chosen,
    }
}
