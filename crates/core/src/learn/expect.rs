//! The look of the articles of a sample.

use crate::wrapper::{Expect, Trace};
use forest_html::page::{Mask, NodeId, Page};
use forest_html::text::word_count;

/// The lengths and link quotas of the articles of pages.
pub(super) fn expected<'a>(
    pages: impl Iterator<Item = (&'a Page, &'a Option<Trace>)>,
) -> Option<Expect> {
    let mut seen: Option<Expect> = None;
    let mut lengths = Vec::new();
    for (page, trace) in pages {
        let Some(Trace { found, .. }) = trace else {
            continue;
        };
        let words = words(page, &found.kept);
        lengths.push(words);
        let quota = link_quota(page, &found.kept);
        let expect = seen.get_or_insert(Expect {
            words: [words, words],
            link_quota: [quota, quota],
            ..Expect::default()
        });
        expect.words = [expect.words[0].min(words), expect.words[1].max(words)];
        expect.link_quota = [
            expect.link_quota[0].min(quota),
            expect.link_quota[1].max(quota),
        ];
    }
    lengths.sort_unstable();
    if let Some(expect) = &mut seen {
        expect.median = lengths.get(lengths.len() / 2).copied();
    }
    seen
}

/// Words (metric tokens) in the kept text.
pub fn words(page: &Page, kept: &Mask) -> usize {
    kept.texts(page).map(|n| word_count(page.text(n))).sum()
}

/// Share of the kept text's characters, white space left out, that stand in
/// links, to three decimals; 0 without text.
pub fn link_quota(page: &Page, kept: &Mask) -> f64 {
    let (mut all, mut linked) = (0_usize, 0_usize);
    for n in kept.texts(page) {
        let chars = page.text(n).chars().filter(|c| !c.is_whitespace()).count();
        all += chars;
        if is_linked(page, n) {
            linked += chars;
        }
    }
    (linked as f64 / all.max(1) as f64 * 1000.0).round() / 1000.0
}

/// True if a node stands in a link.
pub(super) fn is_linked(page: &Page, n: NodeId) -> bool {
    let is_link = |&up: &NodeId| {
        page.tag(up).is_some_and(|tag| &**tag == "a") && page.attr(up, "href").is_some()
    };
    page.ancestors(n).any(|up| is_link(&up))
}
