//! Other expressions of a body, for the time when its names are gone: most redesigns keep some name of
//! an element, and not the best one (`docs/experiments.md`, "Wrappers in the next era"). Strip rules stay
//! those of the first expression: where its names are gone, theirs are, too.

use super::FoundTemplate;
use super::body::of_names;
use super::evidence::{LikelyWords, PageEvidence, RemainingBlocks, SampleEvidence};
use super::select::{self, BodySelector};
use super::selectors::{SelectorId, SelectorTable, SelectorTest};
use super::strip;
use std::mem::discriminant;

/// Alternatives of a body at the most.
const MAX_ALTERNATIVES: usize = 3;

/// Names that are tried.
const MAX_NAMES: usize = 100;

/// Share of a page's words by which two texts that agree may differ.
const MAX_DIFFERENCE: f32 = 0.1;

/// The alternatives of a template's body in the order in which they are tried: names whose text
/// agrees with the body's on every page of the sample, and that select nothing where it selects
/// nothing.
pub(super) fn alternatives(
    found: &FoundTemplate,
    sample: &SampleEvidence<'_>,
) -> Vec<BodySelector> {
    let [own] = found.body[..] else {
        // Of a body in pieces each would need its own.
        return Vec::new();
    };
    let selectors = &sample.selectors;
    let texts: Vec<BodyText<'_>> = sample
        .pages
        .iter()
        .map(|page| BodyText::of(found, page))
        .collect();
    let mut left: Vec<BodySelector> = names_of_same_text(&texts, selectors)
        .into_iter()
        .map(|last| BodySelector { last, within: None })
        .filter(|&other| other != own && other.identifies(sample))
        .filter(|&other| texts.iter().all(|text| text.agrees(other)))
        .collect();
    let mut chosen: Vec<BodySelector> = Vec::new();
    while chosen.len() < MAX_ALTERNATIVES {
        // A name of another kind is more likely to outlive the ones before.
        let is_new = |other: &BodySelector| {
            let known = chosen.iter().chain([&own]);
            !known
                .into_iter()
                .any(|known| is_of_kind(*known, *other, selectors))
        };
        let best = left.iter().enumerate().max_by(|(_, a), (_, b)| {
            let key = |other: &BodySelector| (is_new(other), of_names(*other, selectors));
            let (of_a, of_b) = (key(a), key(b));
            let by_worth = of_a.0.cmp(&of_b.0).then(of_a.1.total_cmp(&of_b.1));
            by_worth.then_with(|| b.order(a, selectors))
        });
        let Some((at, _)) = best else { break };
        chosen.push(left.swap_remove(at));
    }
    chosen
}

fn is_of_kind(a: BodySelector, b: BodySelector, selectors: &SelectorTable) -> bool {
    discriminant(&selectors[a.last].test) == discriminant(&selectors[b.last].test)
}

/// The text that a body selects of a page.
struct BodyText<'e> {
    page: &'e PageEvidence<'e>,
    /// The page without what the strips take away.
    rest: RemainingBlocks<'e>,
    words: LikelyWords,
}

impl<'e> BodyText<'e> {
    fn of(found: &FoundTemplate, page: &'e PageEvidence<'e>) -> BodyText<'e> {
        BodyText {
            page,
            rest: strip::without(&found.strips, &found.body, page),
            words: found.on(page),
        }
    }

    /// True if another expression selects nearly the same.
    fn agrees(&self, other: BodySelector) -> bool {
        let elements = other.elements(self.page);
        self.is_near(select::amount(&elements, self.page, &self.rest))
    }

    /// True for nearly as many words, and nearly as many likely ones.
    fn is_near(&self, words: LikelyWords) -> bool {
        let is_near = |a: f32, b: f32| (a - b).abs() <= MAX_DIFFERENCE * self.words.words;
        is_near(words.words, self.words.words) && is_near(words.likely, self.words.likely)
    }
}

/// The names of the elements that hold the body's text on the first page that has it.
fn names_of_same_text(texts: &[BodyText<'_>], selectors: &SelectorTable) -> Vec<SelectorId> {
    let Some(text) = texts.iter().find(|text| text.words.words > 0.0) else {
        return Vec::new();
    };
    let is_name = |&&selector: &&SelectorId| {
        let element = &selectors[selector];
        let lasts = matches!(
            element.test,
            SelectorTest::Any
                | SelectorTest::Class(_)
                | SelectorTest::Id(_)
                | SelectorTest::IdStart(_)
                | SelectorTest::ClassStart(_)
                | SelectorTest::Role(..)
        );
        lasts && element.is_named() && !selectors.is_running(selector)
    };
    let elements = text.page.elements.iter();
    let holding = elements.filter(|e| e.part.is_none() && text.is_near(text.rest.held(e)));
    let names = holding.flat_map(|element| element.selectors.iter().filter(is_name));
    let mut names: Vec<SelectorId> = names.take(MAX_NAMES).copied().collect();
    names.sort_unstable();
    names.dedup();
    names
}
