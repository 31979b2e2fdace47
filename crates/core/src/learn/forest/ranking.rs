//! The patterns of a sample as FOREST ranks them, beside the expressions found by names.
//!
//! The most relevant patterns give candidates for a body, whatever share of the article
//! they hold; and of candidates with nearly the same F1 to expect the one is taken whose
//! elements have the more relevant pattern. `docs/experiments.md` has what each is worth.

use super::evidence::{PageEvidence, SampleEvidence};
use super::select::{self, BodySelector};
use crate::learn::induce::{Induction, PatternStanding};
use crate::rank::RankedPattern;
use foldhash::{HashMap, HashSet};
use forest_html::page::NodeId;

/// Patterns that give candidates, the most relevant ones.
const CANDIDATE_PATTERNS: usize = 20;

/// The patterns of a sample, the most relevant first.
pub(super) struct PatternRanking<'i> {
    induction: &'i Induction,
    ranked: Vec<RankedPattern<'i>>,
    /// The expressions that select the elements of the most relevant patterns on two pages
    /// or more, in their order of preference.
    pub candidates: Vec<BodySelector>,
}

impl<'i> PatternRanking<'i> {
    pub fn of(induction: &'i Induction, sample: &SampleEvidence<'_>) -> PatternRanking<'i> {
        let ranked = induction.ranked();
        PatternRanking {
            induction,
            candidates: candidates(&ranked, sample),
            ranked,
        }
    }

    /// The pattern that most elements of a body have, on these pages.
    pub fn standing(
        &self,
        body: &[BodySelector],
        pages: &[&PageEvidence<'_>],
    ) -> Option<PatternStanding> {
        let of_page = |page: &&PageEvidence<'_>| {
            let tops = select::tops(body, page);
            let nodes = tops.into_iter().map(|at| page.elements[at].node);
            nodes.map(|node| (page.index, node)).collect::<Vec<_>>()
        };
        let elements: Vec<(usize, NodeId)> = pages.iter().flat_map(of_page).collect();
        self.induction.standing(&elements, &self.ranked)
    }
}

fn candidates(ranked: &[RankedPattern<'_>], sample: &SampleEvidence<'_>) -> Vec<BodySelector> {
    let mut pages_with: HashMap<BodySelector, usize> = HashMap::default();
    for chosen in ranked
        .iter()
        .take(CANDIDATE_PATTERNS)
        .flat_map(|r| &r.chosen)
    {
        let page = &sample.pages[chosen.occurrence.page];
        let Some(at) = page.element_at(chosen.occurrence.node) else {
            continue;
        };
        let mut of_element: HashSet<BodySelector> = HashSet::default();
        select::steps_to(page, at, &sample.selectors, &mut of_element);
        for expression in of_element {
            *pages_with.entry(expression).or_default() += 1;
        }
    }
    let several = pages_with.into_iter().filter(|(_, pages)| *pages > 1);
    let mut all: Vec<BodySelector> = several.map(|(expression, _)| expression).collect();
    all.sort_by(|a, b| a.order(b, &sample.selectors));
    all
}
