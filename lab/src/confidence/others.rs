//! Features that were tried and are not used: the report has their effect beside that of
//! those that are.

use forest_core::baseline::boilerpipe;
use forest_core::learn::{SamplePage, link_quota, words};
use forest_core::wrapper::{Evidence, Matcher, Wrapper};
use forest_html::page::{Mask, Page, View};
use forest_html::text::Interner;
use forest_text::pipeline::Preset;
use std::collections::HashSet;

/// Their names.
pub const OTHERS: [&str; 8] = [
    "the title's words in the text",
    "the summary's pairs of words in the text",
    "agreement with the JSON-LD's text",
    "length beyond the wrapper's",
    "links beyond the wrapper's",
    "F1 to expect of the template, and its share of the sample",
    "agreement with boilerpipe",
    "agreement with TCCB",
];

/// Their numbers, some have several.
pub fn of(sample: &SamplePage, wrapper: &Wrapper, matcher: &Matcher) -> Vec<Vec<f64>> {
    let page = &sample.page;
    let Some(found) = matcher.find(page) else {
        return vec![Vec::new(); OTHERS.len()];
    };
    let kept = &found.kept;
    let mut interner = Interner::default();
    let text: String = kept.texts(page).map(|n| page.text(n)).collect();
    let text = interner.ids(&text);
    let template = &wrapper.templates[found.template];
    let pages: usize = wrapper.templates.iter().map(|t| t.pages).sum();
    let relevance = template
        .evidence
        .as_ref()
        .and_then(Evidence::expected_f1)
        .unwrap_or(0.0);
    let length = words(page, kept) as f64;
    let (mut beyond, mut linked) = (vec![0.0, 0.0], 0.0);
    if let Some(expect) = &wrapper.expect {
        // Twenty words more or less mean nothing in a short text.
        let ratio = |a: f64, b: f64| ((a + 20.0) / (b + 20.0)).ln().clamp(0.0, 3.0);
        let [least, most] = expect.words.map(|n| n as f64);
        beyond = vec![ratio(least, length), ratio(length, most)];
        linked = (link_quota(page, kept) - expect.link_quota[1]).max(0.0);
    }
    let item = sample.item.clone().unwrap_or_default();
    let title = interner.ids(&item.title);
    let summary = interner.ids(&item.summary);
    let body = interner.ids(page.metadata().article_body.as_deref().unwrap_or_default());
    vec![
        covered(&text, &title, 1),
        covered(&text, &summary, 2),
        covered(&text, &body, 2),
        beyond,
        vec![linked],
        vec![relevance, template.pages as f64 / pages.max(1) as f64],
        agreement(page, kept, &boilerpipe::article(&View::whole(page))),
        agreement(page, kept, &Preset::Tccb.method().article(page)),
    ]
}

/// The share of the runs of `run` words of `other` that the text has, and 1 if `other` has
/// one.
fn covered(text: &[u32], other: &[u32], run: usize) -> Vec<f64> {
    let known: HashSet<&[u32]> = text.windows(run).collect();
    let wanted: HashSet<&[u32]> = other.windows(run).collect();
    if wanted.is_empty() {
        return vec![0.0, 0.0];
    }
    let found = wanted.intersection(&known).count();
    vec![found as f64 / wanted.len() as f64, 1.0]
}

/// The share of the words that are kept that the other keeps too, and of the other's.
fn agreement(page: &Page, kept: &Mask, other: &Mask) -> Vec<f64> {
    let mut both = kept.clone();
    both.intersect(other);
    let common = words(page, &both) as f64;
    let share = |mask| common / (words(page, mask) as f64).max(1.0);
    vec![share(kept), share(other)]
}
