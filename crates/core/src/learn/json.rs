//! Templates for sites whose text stands in the JSON of their pages.
//!
//! Takes a sample, and what was learned from its elements; gives what is learned from its
//! JSON, if more than half of the pages have a text there that is far longer than what their
//! elements show. A value is a leaf or an array of the JSON tree; its path, in which indices
//! are `*`, is its pattern. The values become elements that are as deep as their paths are
//! long, and are ranked as FOREST ranks elements ([`rank`](crate::rank)). A value that stands on
//! another page, too, is no article. Then the pages have the value at the best path as their
//! body, and are learned from as others are.

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
use forest_html::page::json::{JsonTie, JsonValue, PageJson, may_hold, may_outdo};
use forest_html::page::plain::escape;
use forest_html::page::{JsonPlace, Page};
use forest_html::text::metric_tokens;
use std::collections::{BTreeMap, BTreeSet};

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
        values.sort_by_key(|v| {
            (
                v.place.clone(),
                v.tie < JsonTie::Address,
                usize::MAX - v.words,
            )
        });
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
    leave_out_repeated(&mut candidates);
    if !is_most(candidates.len()) {
        return None;
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

/// Leaves out values whose text is one on another page, too, and pages without any other. Pages
/// that have all values in common are one page that came twice.
fn leave_out_repeated(candidates: &mut Vec<JsonCandidate<'_>>) {
    let texts = |candidate: &JsonCandidate<'_>| -> Vec<String> {
        let values = candidate.values.iter();
        values.map(|value| candidate.json.text(value)).collect()
    };
    let pages: Vec<Vec<String>> = candidates.iter().map(texts).collect();
    let different: BTreeSet<&[String]> = pages.iter().map(Vec::as_slice).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for page in different {
        let of_page: BTreeSet<&str> = page.iter().map(String::as_str).collect();
        for text in of_page {
            *counts.entry(text).or_default() += 1;
        }
    }
    for (candidate, texts) in candidates.iter_mut().zip(&pages) {
        let mut texts = texts.iter();
        candidate
            .values
            .retain(|_| texts.next().is_some_and(|text| counts[&**text] == 1));
    }
    candidates.retain(|candidate| !candidate.values.is_empty());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::learn as learn_wrapper;
    use serde_json::json;

    const STORIES: [(&str, &str); 5] = [
        (
            "Ferry leaves later",
            "The ferry to the islands leaves an hour later, said the harbour master, and passengers wait.",
        ),
        (
            "Bridge closed again",
            "The swing bridge stays closed for repair, and lorries drive around the bay through the village.",
        ),
        (
            "Lighthouse painted red",
            "The lighthouse was painted red by two climbers who hung from ropes while gulls attacked them.",
        ),
        (
            "Orchard lost to frost",
            "The orchard on the hill lost its blossom to frost in a single night, and cider will be scarce.",
        ),
        (
            "Library opens Sundays",
            "The library opens on Sundays from spring, with tea in the reading room and a story for children.",
        ),
    ];

    /// A shell with an article, and what is most read on the site, which tells of all articles.
    fn page(at: usize, url: &str) -> SamplePage {
        let (title, text) = STORIES[at];
        let story = format!("<p>{text} {title}, as the paper wrote on page {at}.</p>").repeat(2);
        let read: Vec<_> = STORIES
            .iter()
            .map(|(title, text)| json!({ "text": format!("{title}. {title}: {text}") }))
            .collect();
        let state =
            json!({ "page": { "story": { "headline": title, "html": story }, "read": read } });
        let html = format!(
            "<title>{title}</title><div id=root></div><script type=application/json id=s>{}</script>",
            state.to_string().replace("</", "<\\/")
        );
        SamplePage::new(Page::from_html(&html), url)
    }

    fn check(pages: &[SamplePage]) {
        let LearnOutcome::Learned(learned) = learn_wrapper(pages, &LearnOptions::default()) else {
            panic!("nothing is learned");
        };
        let places = learned.wrapper.templates.iter();
        let paths: Vec<&str> = places
            .filter_map(|template| Some(&*template.json.as_ref()?.path))
            .collect();
        assert_eq!(paths, ["/page/story/html"]);
    }

    #[test]
    fn a_value_that_stands_on_another_page_is_no_article() {
        let pages: Vec<SamplePage> = (0..5).map(|at| page(at, &format!("p{at}"))).collect();
        check(&pages);
    }

    #[test]
    fn a_page_that_came_twice_has_its_article_all_the_same() {
        let mut pages: Vec<SamplePage> = (0..5).map(|at| page(at, &format!("p{at}"))).collect();
        pages.push(page(4, "again"));
        check(&pages);
    }
}
