//! Finds, their names, and what these give on all pages.

use super::field::{ArticleField, MAX_KEYS};
use super::selector::{FieldSelector, FieldStep};
use super::selector_set::SelectorSet;
use super::truth::{MAX_VALUE_BYTES, Truth, readings};
use crate::learn::page::SamplePage;
use foldhash::{HashMap, HashMapExt};
use forest_html::page::metadata::MAX_VALUES;
use forest_html::page::{NodeId, Page};
use html5ever::local_name;

/// Ancestors of a find whose names are tried.
const MAX_OUTER: usize = 5;

/// Names of an element that are tried together with an ancestor's.
const MAX_INNER: usize = 2;

/// A stand-in for a text that is too long to be a value; it is never right.
const TOO_LONG: &str = "";

/// An expression and its values on each page of the sample.
#[derive(Debug)]
pub(super) struct FieldCandidate<'p> {
    pub key: FieldSelector<'p>,
    /// By page, in document order; of a field with one value the first.
    pub values: Vec<Vec<&'p str>>,
}

/// The names of all finds, by field, each once, in the order of pages and documents.
pub(super) fn collect<'p>(
    pages: &[&'p SamplePage],
    truths: &[Truth],
) -> HashMap<ArticleField, Vec<FieldSelector<'p>>> {
    let mut out: HashMap<ArticleField, Vec<FieldSelector<'p>>> = HashMap::new();
    let mut known: HashMap<(ArticleField, FieldSelector<'p>), ()> = HashMap::new();
    for field in ArticleField::ALL {
        out.insert(field, Vec::new());
    }
    for (sample, truth) in pages.iter().zip(truths) {
        let page = &sample.page;
        // An element that holds nothing but another one has the same text.
        let mut last: &str = "";
        let mut last_finds = [None; ArticleField::ALL.len()];
        for n in page.elements() {
            for (attr, text) in readings(page, n) {
                if text.len() > MAX_VALUE_BYTES {
                    continue;
                }
                let text = text.trim();
                if !std::ptr::eq(text, last) {
                    (last, last_finds) = (text, Default::default());
                }
                for (field, is_find) in ArticleField::ALL.into_iter().zip(&mut last_finds) {
                    let keys = out.get_mut(&field).expect("a list for each field");
                    // The metadata does not confirm itself.
                    let is_metadata = page.is(n, &local_name!("meta")) && !truth.is_by_feed(field);
                    if is_metadata || keys.len() >= MAX_KEYS {
                        continue;
                    }
                    if !*is_find.get_or_insert_with(|| truth.is_find(field, text)) {
                        continue;
                    }
                    for key in keys_of(page, n, attr) {
                        if known.insert((field, key), ()).is_none() {
                            keys.push(key);
                        }
                    }
                }
            }
        }
    }
    out
}

/// The expressions that an element is selected by.
fn keys_of<'p>(page: &'p Page, n: NodeId, attr: Option<&'static str>) -> Vec<FieldSelector<'p>> {
    let own = FieldStep::all(page, n);
    let key = |outer, inner| FieldSelector { outer, inner, attr };
    let alone = own.iter().filter(|step| step.is_name());
    let mut out: Vec<FieldSelector<'p>> = alone.map(|&step| key(None, step)).collect();
    let above = page.ancestors(n).skip(1);
    let named = above.map(|up| FieldStep::all(page, up)).filter(|steps| {
        steps.iter().any(FieldStep::is_name) && !matches!(steps[0].tag, "html" | "body")
    });
    for outer in named.take(MAX_OUTER).flatten().filter(FieldStep::is_name) {
        out.extend(
            own.iter()
                .take(MAX_INNER)
                .map(|&inner| key(Some(outer), inner)),
        );
    }
    out
}

/// The values of each selector on each page: one pass over a page's elements for all.
pub(super) fn values<'p>(
    pages: &[&'p SamplePage],
    keys: HashMap<ArticleField, Vec<FieldSelector<'p>>>,
) -> HashMap<ArticleField, Vec<FieldCandidate<'p>>> {
    let mut found: Vec<(ArticleField, FieldCandidate<'p>)> = Vec::new();
    for field in ArticleField::ALL {
        let keys = keys.get(&field).into_iter().flatten();
        found.extend(keys.map(|&key| {
            let values = vec![Vec::new(); pages.len()];
            (field, FieldCandidate { key, values })
        }));
    }
    let selection = SelectorSet::new(found.iter().map(|(_, found)| found.key).collect());
    for (at_page, sample) in pages.iter().enumerate() {
        let page = &sample.page;
        selection.on(page, |at, n| {
            let (field, FieldCandidate { key, values }) = &mut found[at];
            let values = &mut values[at_page];
            let most = if field.is_list() { MAX_VALUES } else { 1 };
            if values.len() < most {
                let read = match key.attr {
                    None => Some(page.text(n)),
                    Some(attr) => page.attr(n, attr),
                };
                let read = read.filter(|text| text.contains(|c: char| !c.is_whitespace()));
                values.extend(read.map(|text| match text.len() {
                    ..=MAX_VALUE_BYTES => text,
                    _ => TOO_LONG,
                }));
            }
        });
    }
    let mut out: HashMap<ArticleField, Vec<FieldCandidate<'p>>> = HashMap::new();
    for (field, found) in found {
        out.entry(field).or_default().push(found);
    }
    out
}
