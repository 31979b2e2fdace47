//! Templates for sites whose text stands in the JSON of their pages.
//!
//! Takes a sample, and what was learned from its elements; gives what is learned from its
//! JSON, if more than half of the pages have a text there that is far longer than what their
//! elements show. A value is a leaf or an array of the JSON tree; its path, in which indices
//! are `*`, is its pattern. Paths are ranked as FOREST ranks elements (equation 5):
//!
//! ```text
//! R(path) = sum over d of J * U (value, d) * p * level(path)
//!
//! d      the pages with a value at the path
//! p      number of those pages
//! level  number of steps of the path
//! ```
//!
//! Then the pages have the value at the best path as their body, and are learned from as
//! others are.

use super::induce::signifiers;
use super::method::Method;
use super::options::{LearnOptions, MIN_PAGES};
use super::page::{SamplePage, SampleVerdict};
use super::{LearnOutcome, Learned, learn_as_shown};
use crate::page::json::{JsonValue, PageJson, may_hold};
use crate::page::plain::escape;
use crate::page::{JsonPlace, Page};
use crate::pattern::TermCounts;
use crate::rank::{jeffreys_density, unexpectedness};
use crate::render::text;
use crate::signifier::{SampleTerms, Signifiers};
use std::collections::BTreeMap;

/// Bytes of a script that holds an article.
const MIN_BYTES: usize = 200;

/// Values of a page that are ranked, the longest ones.
const MAX_VALUES: usize = 40;

/// Bytes of text of a page that are ranked.
const MAX_TEXT_BYTES: usize = 2_000_000;

/// A page of the sample whose JSON may hold its text.
struct JsonCandidate<'p> {
    sample: &'p SamplePage,
    at: usize,
    json: PageJson<'p>,
    /// At most one for each place.
    values: Vec<JsonValue>,
    /// The values' texts, one paragraph each.
    texts: Page,
}

impl<'p> JsonCandidate<'p> {
    /// The page, if its JSON has a text that outdoes what its elements show.
    fn of(at: usize, sample: &'p SamplePage, shown: &str) -> Option<JsonCandidate<'p>> {
        if !may_hold(&sample.page, MIN_BYTES.max(shown.len())) {
            return None;
        }
        let json = PageJson::of(&sample.page);
        let mut values = json.values();
        values.retain(|value| json.outdoes(value, shown));
        values.sort_by_key(|v| (v.place.clone(), !v.has_headline, usize::MAX - v.words));
        values.dedup_by(|a, b| a.place == b.place);
        values.sort_by_key(|value| usize::MAX - value.words);
        values.truncate(MAX_VALUES);
        let mut html = String::new();
        for value in &values {
            let text = json.text(value);
            html.push_str("<p>");
            if html.len() + text.len() <= MAX_TEXT_BYTES {
                escape(&text, &mut html);
            }
        }
        (!values.is_empty()).then(|| JsonCandidate {
            sample,
            at,
            json,
            values,
            texts: Page::from_html(&html),
        })
    }
}

/// The wrapper for the pages' JSON, if that has far more text than their elements, of which
/// `shown` was learned.
pub(super) fn learn(
    pages: &[&SamplePage],
    shown: &LearnOutcome,
    options: &LearnOptions,
) -> Option<Learned> {
    if options.method != Method::Forest {
        return None;
    }
    let (matcher, verdicts) = match shown {
        LearnOutcome::Learned(learned) => (learned.wrapper.compile().ok(), &learned.verdicts),
        LearnOutcome::Abstained(abstention) => (None, &abstention.verdicts),
    };
    let own = pages.iter().zip(verdicts).enumerate();
    let own = own.filter(|(_, (_, verdict))| !matches!(verdict, SampleVerdict::OtherHost { .. }));
    let own: Vec<(usize, &SamplePage)> = own.map(|(at, (page, _))| (at, *page)).collect();
    let candidates = own.iter().filter_map(|&(at, sample)| {
        if sample.page.json_place().is_some() {
            return None;
        }
        let found = matcher.as_ref().and_then(|m| m.find(&sample.page));
        let kept = found.map(|found| found.kept);
        let shown = text(
            &sample.page,
            kept.as_ref().unwrap_or(&sample.page.article().kept),
        );
        JsonCandidate::of(at, sample, &shown)
    });
    let candidates: Vec<JsonCandidate<'_>> = candidates.collect();
    let is_most = |pages: usize| 2 * pages > own.len();
    // A path is a pattern only if several pages have it, whatever else is learned from one.
    let needed = options.min_pages.max(MIN_PAGES);
    if candidates.len() < needed || !is_most(candidates.len()) {
        return None;
    }
    let place = best_place(&candidates, options, &is_most)?;
    let made = candidates.iter().filter_map(|candidate| {
        let value = candidate.json.at(&place)?;
        let mut page = SamplePage::new(candidate.json.page(&value), &*candidate.sample.name);
        page.sha256.clone_from(&candidate.sample.sha256);
        page.item.clone_from(&candidate.sample.item);
        Some((candidate.at, page))
    });
    let made: Vec<(usize, SamplePage)> = made.collect();
    let learned_from: Vec<&SamplePage> = made.iter().map(|(_, page)| page).collect();
    let LearnOutcome::Learned(mut learned) = learn_as_shown(&learned_from, options) else {
        return None;
    };
    let mut of_json = made
        .iter()
        .map(|(at, _)| *at)
        .zip(learned.verdicts)
        .peekable();
    let all = verdicts.iter().enumerate().map(|(at, verdict)| {
        let here = of_json
            .next_if(|(of, _)| *of == at)
            .map(|(_, verdict)| verdict);
        match verdict {
            _ if here.is_some() => here.unwrap_or(SampleVerdict::Good),
            SampleVerdict::Good => SampleVerdict::NearlyEmpty { words: 0 },
            verdict => verdict.clone(),
        }
    });
    learned.verdicts = all.collect();
    Some(*learned)
}

/// The place with the highest R of those that enough pages have.
fn best_place(
    pages: &[JsonCandidate<'_>],
    options: &LearnOptions,
    is_most: &dyn Fn(usize) -> bool,
) -> Option<JsonPlace> {
    let texts: Vec<&Page> = pages.iter().map(|page| &page.texts).collect();
    let samples: Vec<&SamplePage> = pages.iter().map(|page| page.sample).collect();
    let terms = SampleTerms::of(&texts);
    let (signifiers, _) = signifiers(&samples, &terms, options);
    let mut by_place: BTreeMap<&JsonPlace, Vec<f64>> = BTreeMap::new();
    for (at, page) in pages.iter().enumerate() {
        let counts = counts(&page.texts, at, &terms, &signifiers[at]);
        let of_page = counts
            .iter()
            .fold(TermCounts::default(), |sum, of| TermCounts {
                signifiers: sum.signifiers + of.signifiers,
                others: sum.others + of.others,
            });
        for (value, &of) in page.values.iter().zip(&counts) {
            let j = jeffreys_density(of.signifiers, of.others);
            let of_place = by_place.entry(&value.place).or_default();
            of_place.push(j * unexpectedness(of, of_page));
        }
    }
    let relevance = |(place, of): (&JsonPlace, &Vec<f64>)| {
        let level = place.path.matches('/').count();
        of.iter().sum::<f64>() * (of.len() * level) as f64
    };
    let often = by_place.iter().filter(|(_, of)| is_most(of.len()));
    let best = often.max_by(|a, b| {
        let by_relevance = relevance((a.0, a.1)).total_cmp(&relevance((b.0, b.1)));
        by_relevance.then_with(|| b.0.cmp(a.0))
    });
    best.map(|(place, _)| (*place).clone())
}

/// The signifiers and other terms of each paragraph of a page.
fn counts(page: &Page, at: usize, terms: &SampleTerms, signifiers: &Signifiers) -> Vec<TermCounts> {
    let paragraphs: Vec<_> = page
        .body()
        .map_or(Vec::new(), |body| page.children(body).collect());
    let mut counts = vec![TermCounts::default(); paragraphs.len()];
    let of_page = terms.page(at);
    for &text in of_page.texts() {
        let Some(paragraph) = paragraphs
            .iter()
            .rposition(|&p| page.contains(p, text.node))
        else {
            continue;
        };
        for &term in of_page.of(text) {
            match signifiers.position(term) {
                Some(_) => counts[paragraph].signifiers += 1,
                None => counts[paragraph].others += 1,
            }
        }
    }
    counts
}
