//! Templates for sites whose text stands in the JSON of their pages.
//!
//! Takes a sample, and what was learned from its elements; gives what is learned from its
//! JSON, if more than half of the pages have a text there that is far longer than what their
//! elements show. A value is a leaf or an array of the JSON tree; its path, in which indices
//! are `*`, is its pattern. The values become elements that are as deep as their paths are
//! long, and are ranked as FOREST ranks elements ([`rank`](crate::rank)). Then the pages have the value at the best path as their body, and are learned from as
//! others are.

use super::induce::signifiers;
use super::method::Method;
use super::options::{LearnOptions, MIN_PAGES};
use super::page::{SamplePage, SampleVerdict};
use super::{LearnOutcome, Learned, learn_as_shown};
use crate::pattern::{PatternOptions, patterns};
use crate::rank::{LevelFactor, MeasureName, rank};
use crate::render::text;
use crate::signifier::SampleTerms;
use crate::wrapper::Matcher;
use forest_html::page::json::{JsonValue, PageJson, may_hold, may_outdo};
use forest_html::page::plain::escape;
use forest_html::page::{JsonPlace, Page};
use forest_html::text::metric_tokens;
use std::collections::BTreeSet;

/// The attribute with the index of a value's place.
const PLACE: &str = "data-place";

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
}

impl<'p> JsonCandidate<'p> {
    /// The page, if its JSON has a text that outdoes what its elements show: what the wrapper
    /// takes of them, if there is one.
    fn of(
        at: usize,
        sample: &'p SamplePage,
        wrapper: Option<&Matcher>,
    ) -> Option<JsonCandidate<'p>> {
        if sample.page.json_place().is_some() || !may_hold(&sample.page, 0) {
            return None;
        }
        let kept = wrapper
            .and_then(|m| m.find(&sample.page))
            .map(|found| found.kept);
        let kept = kept.as_ref().unwrap_or_else(|| &sample.page.article().kept);
        let shown = text(&sample.page, kept);
        if !may_outdo(&sample.page, &shown) {
            return None;
        }
        let json = PageJson::of(&sample.page);
        let mut values = json.outdoing(&metric_tokens(&shown));
        values.sort_by_key(|v| (v.place.clone(), !v.has_headline, usize::MAX - v.words));
        values.dedup_by(|a, b| a.place == b.place);
        values.sort_by_key(|value| usize::MAX - value.words);
        values.truncate(MAX_VALUES);
        (!values.is_empty()).then_some(JsonCandidate {
            sample,
            at,
            json,
            values,
        })
    }

    /// The values as elements, as deep as they are in the JSON tree, each with the index of its
    /// place.
    fn as_elements(&self, places: &[&JsonPlace]) -> Page {
        let mut html = String::new();
        for value in &self.values {
            let text = self.json.text(value);
            if html.len() + text.len() > MAX_TEXT_BYTES {
                continue;
            }
            let depth = value.place.path.matches('/').count();
            let place = places.partition_point(|place| **place < value.place);
            html.push_str(&"<div>".repeat(depth));
            html.push_str(&format!("<p {PLACE}={place}>"));
            escape(&text, &mut html);
            html.push_str("</p>");
            html.push_str(&"</div>".repeat(depth));
        }
        Page::from_html(&html)
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
    let is_most = |pages: usize| 2 * pages > own.len();
    let (mut candidates, mut others) = (Vec::new(), 0);
    for &(at, sample) in &own {
        match JsonCandidate::of(at, sample, matcher.as_ref()) {
            Some(candidate) => candidates.push(candidate),
            None => others += 1,
        }
        if !is_most(own.len() - others) {
            return None;
        }
    }
    // A path is a pattern only if several pages have it, whatever else is learned from one.
    let needed = options.min_pages.max(MIN_PAGES);
    if candidates.len() < needed {
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

/// The most relevant place of those that enough pages have.
fn best_place(
    pages: &[JsonCandidate<'_>],
    options: &LearnOptions,
    is_most: &dyn Fn(usize) -> bool,
) -> Option<JsonPlace> {
    let values = pages.iter().flat_map(|page| &page.values);
    let places: BTreeSet<&JsonPlace> = values.map(|value| &value.place).collect();
    let places: Vec<&JsonPlace> = places.into_iter().collect();
    let texts: Vec<Page> = pages.iter().map(|page| page.as_elements(&places)).collect();
    let texts: Vec<&Page> = texts.iter().collect();
    let samples: Vec<&SamplePage> = pages.iter().map(|page| page.sample).collect();
    let terms = SampleTerms::of(&texts);
    let (signifiers, _) = signifiers(&samples, &terms, options);
    let whole_values = PatternOptions::default().with_tolerant(false);
    let patterns = patterns(&texts, &terms, &signifiers, whole_values);
    let measure = MeasureName::Informativeness.measure();
    let ranked = rank(&patterns, measure, LevelFactor::Level);
    let often = ranked.iter().filter(|ranked| is_most(ranked.pages()));
    let mut found = often.filter_map(|ranked| ranked.pattern.element_type.attribute(PLACE));
    let place = found.next()?.parse::<usize>().ok()?;
    places.get(place).map(|place| (*place).clone())
}
