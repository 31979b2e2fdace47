//! The expectations of learned strip rules: the matches of the sample, with room around them. A rule
//! keeps its place if, page by page, what the other pages teach fits the page that is held back.

use super::explain::CarriedPage;
use crate::wrapper::{LINK_WORDS, StripExpect, StripMatch, StripRule};
use forest_html::page::NodeId;
use std::collections::BTreeSet;

/// The factor by which a match may have fewer words than those of the sample.
const FEWER_WORDS: usize = 3;

/// The factor by which it may have more: comments come as they come. With three, two sites of
/// 129 lose a tenth of F1 on pages that were not learned from.
const WORDS_FACTOR: usize = 10;

/// And words more than that: a box of three words may have another button.
const MORE_WORDS: usize = 10;

/// The amount by which the share of links may differ.
const LINKS: f64 = 0.5;

/// Matches that tell the kinds of element in them.
const KIND_MATCHES: usize = 3;

/// Kinds of element that boilerplate may begin with where it begins with another on the sample.
const FLOW: [&str; 4] = ["form", "h", "p", "ul"];

/// Pages with matches from which on a rule is tried on each of them.
const TRIED_PAGES: usize = 3;

/// Share of the matches on held-back pages that the others must let expect.
const HELD: f64 = 0.5;

/// The rule at `at` of its template with its expectation by the pages that the template
/// carries: `None` if the pages do not agree on what it takes. A rule without a match
/// expects anything.
pub(in crate::learn) fn expecting(
    rule: &StripRule,
    at: usize,
    carried: &[CarriedPage<'_>],
) -> Option<StripRule> {
    let by_page = carried.iter().map(|carried| matches(rule, at, carried));
    let by_page: Vec<Vec<StripMatch>> = by_page.filter(|of| !of.is_empty()).collect();
    let is_held = |held_back: usize| {
        let others = by_page
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != held_back);
        let expect = covering(others.flat_map(|(_, of)| of));
        let own = &by_page[held_back];
        own.iter().filter(|of| expect.holds(of)).count()
    };
    let all: usize = by_page.iter().map(Vec::len).sum();
    let held: usize = (0..by_page.len()).map(is_held).sum();
    if by_page.len() >= TRIED_PAGES && (held as f64) < HELD * all as f64 {
        return None;
    }
    let mut expect = (all > 0).then(|| covering(by_page.iter().flatten()));
    if let Some(StripExpect {
        kinds: Some(kinds), ..
    }) = &mut expect
        && rule.takes_siblings()
    {
        kinds.extend(FLOW.map(str::to_owned));
        kinds.sort_unstable();
        kinds.dedup();
    }
    Some(StripRule {
        xpath: rule.xpath.clone(),
        expect,
    })
}

/// The matches of a rule in the body of a page, those with words.
fn matches(rule: &StripRule, at: usize, carried: &CarriedPage<'_>) -> Vec<StripMatch> {
    let (page, bodies) = (carried.page, &carried.trace.found.nodes);
    let mut tops: Vec<NodeId> = Vec::new();
    for &n in &carried.trace.strips[at] {
        let is_inside = bodies.iter().any(|&body| page.contains(body, n));
        if is_inside && tops.last().is_none_or(|&last| !page.contains(last, n)) {
            tops.push(n);
        }
    }
    let matches = rule.matches(page, &tops).into_iter();
    let matches = matches.map(|nodes| rule.look(page, nodes));
    matches.filter(|of| of.words > 0).collect()
}

/// The expectation that all these matches fit.
fn covering<'m>(matches: impl Iterator<Item = &'m StripMatch>) -> StripExpect {
    let mut words: Option<[usize; 2]> = None;
    let mut links: Option<[f64; 2]> = None;
    let mut kinds = BTreeSet::new();
    let (mut count, mut digits) = (0, true);
    for of in matches {
        let [least, most] = words.unwrap_or([of.words; 2]);
        words = Some([least.min(of.words), most.max(of.words)]);
        if of.words >= LINK_WORDS {
            let [least, most] = links.unwrap_or([of.links(); 2]);
            links = Some([least.min(of.links()), most.max(of.links())]);
        }
        kinds.extend(of.kinds.iter().map(|&kind| kind.to_owned()));
        count += 1;
        digits &= of.digits;
    }
    let round = |share: f64| (share.clamp(0.0, 1.0) * 100.0).round() / 100.0;
    let kinds = kinds.into_iter().collect();
    let digits = digits && count > 0;
    StripExpect {
        // A listing is as long as it is.
        words: words.filter(|_| !digits).map(|[least, most]| {
            [
                least / FEWER_WORDS,
                most.saturating_mul(WORDS_FACTOR).saturating_add(MORE_WORDS),
            ]
        }),
        links: links.map(|[least, most]| [round(least - LINKS), round(most + LINKS)]),
        kinds: (count >= KIND_MATCHES).then_some(kinds),
        digits,
        ..StripExpect::default()
    }
}
