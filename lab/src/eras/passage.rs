//! The fates of the wrappers of one era in another.

use super::names::NameKind;
use super::page::{STILL, WORKING, mean, mean_of};
use super::rewrites::Rewrite;
use forest_core::drift::Verdict;

/// The fate of an expression in the next era.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fate {
    /// Mean F1 of 0.9 times that in its own era, and of 0.5.
    Works,
    /// Less, but what it selects is the article for the most part (mean F1 of 0.5
    /// over the pages on which it selects text).
    Partly,
    /// It selects no text on any page.
    Nothing,
    /// The selected text is not the article.
    Wrong,
}

impl Fate {
    /// The fate by the mean F1 in the own era and the next era's pages: the F1 of
    /// each, `None` where no text is selected.
    pub fn of(own: f64, next: &[Option<f64>]) -> Fate {
        let selected: Vec<f64> = next.iter().flatten().copied().collect();
        let all = mean_of(next);
        if all >= WORKING && all >= STILL * own {
            Fate::Works
        } else if selected.is_empty() {
            Fate::Nothing
        } else if mean(&selected) >= WORKING {
            Fate::Partly
        } else {
            Fate::Wrong
        }
    }
}

/// A wrapper of one era in the next.
#[derive(Debug, Clone, PartialEq)]
pub struct Tried {
    /// Its origin.
    pub rewrite: Rewrite,
    /// The body expression that matched most pages of its own era.
    pub xpath: String,
    /// Mean 2-gram F1 over the pages that it comes from.
    pub own: f64,
    /// The same over the pages of the next era; a page without a text is 0.
    pub next: f64,
    /// Its fate.
    pub fate: Fate,
    /// The verdict of [`mod@forest_core::drift`] in the next era, without gold.
    pub verdict: Verdict,
}

/// A name of an element that holds an era's articles as well as the wrapper does, in
/// the next era.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The kind of the name.
    pub kind: NameKind,
    /// The expression.
    pub xpath: String,
    /// Its fate.
    pub fate: Fate,
}

/// An era, or the half of one, and the fate of its wrappers in another.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// The collection.
    pub collection: String,
    /// The era that was learned from.
    pub from: String,
    /// The era that follows; `None`: the other half of the same.
    pub to: Option<String>,
    /// Pages with gold that were learned from, and that were tried.
    pub pages: [usize; 2],
    /// The wrappers that work in their own era.
    pub tried: Vec<Tried>,
    /// The names that do.
    pub names: Vec<Named>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fate_is_told_by_what_is_selected() {
        for (own, next, fate) in [
            (1.0, vec![Some(0.9), Some(0.9)], Fate::Works),
            (0.5, vec![Some(0.5)], Fate::Works),
            (0.5, vec![Some(0.48)], Fate::Wrong),
            (1.0, vec![Some(0.89)], Fate::Partly),
            (1.0, vec![Some(0.9), None], Fate::Partly),
            (1.0, vec![None, None], Fate::Nothing),
            (1.0, vec![Some(0.1), None], Fate::Wrong),
            (1.0, vec![Some(0.0)], Fate::Wrong),
        ] {
            assert_eq!(Fate::of(own, &next), fate, "{own} {next:?}");
        }
    }
}
