//! The pages that a template is for.
//!
//! A site's pages are of several layouts, and what selects the article of one selects a scrap, or
//! the list, on another. A template that was learned from one [cluster](crate::cluster) of several
//! says by which structural patterns its pages are known, and is not asked on a page that has
//! fewer than half of them.

use crate::cluster::{LayoutPatterns, layout_patterns};
use crate::kind::PageKind;
use forest_html::page::Page;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Patterns of a template at the most: it takes some, as a page may lack one, and a redesign of
/// the menu others.
const MAX_PATTERNS: usize = 8;

/// Share of the template's own pages that have a pattern at the least.
const OWN: f64 = 0.9;

/// Share of the site's other pages that have it at the most.
const OTHERS: f64 = 0.2;

/// Share of the patterns that a page has at the least.
const HALF: f64 = 0.5;

/// Which pages a template is for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TemplateAudience {
    /// Structural patterns that its pages have and others of the site lack, as `5 div.story`: an
    /// element's level, its tag, and the first word of its class, else its id, without digits.
    pub patterns: Vec<String>,
    /// The kind of its pages; absent: that of the wrapper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<PageKind>,
    /// Words of its article in the middle of the sample by length; absent: that of the wrapper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median: Option<usize>,
}

impl TemplateAudience {
    /// The patterns that tell pages apart from the others of their site; `None` if no pattern does.
    pub fn telling_apart(own: &[&Page], others: &[&Page]) -> Option<TemplateAudience> {
        let counts = |pages: &[&Page]| {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for pattern in pages.iter().flat_map(|page| layout_patterns(page)) {
                *counts.entry(pattern).or_default() += 1;
            }
            counts
        };
        let elsewhere = counts(others);
        let share = |count: usize, of: &[&Page]| count as f64 / of.len().max(1) as f64;
        // What has a name is likelier to last than a tag on its level.
        let is_nameless = |pattern: &str| !pattern.contains(['.', '#']);
        let mut telling: Vec<(usize, bool, Reverse<usize>, String)> = counts(own)
            .into_iter()
            .filter(|(_, count)| share(*count, own) >= OWN)
            .map(|(pattern, count)| {
                let others = elsewhere.get(&pattern).copied().unwrap_or(0);
                (others, is_nameless(&pattern), Reverse(count), pattern)
            })
            .filter(|(count, ..)| share(*count, others) <= OTHERS)
            .collect();
        telling.sort();
        telling.truncate(MAX_PATTERNS);
        let patterns: Vec<String> = telling.into_iter().map(|(.., pattern)| pattern).collect();
        (!patterns.is_empty()).then_some(TemplateAudience {
            patterns,
            ..TemplateAudience::default()
        })
    }

    /// The share of the patterns that a page has, if it has enough to be one of the template's.
    fn fit(&self, page: &LayoutPatterns) -> Option<f64> {
        let here = self
            .patterns
            .iter()
            .filter(|pattern| page.contains(*pattern));
        let share = here.count() as f64 / self.patterns.len().max(1) as f64;
        (share >= HALF || self.patterns.is_empty()).then_some(share)
    }
}

/// The templates that may speak on a page, by their audiences, best first; those that say nothing
/// of their pages keep their order, behind those that know the page.
pub(super) fn speaking<'a>(
    audiences: impl Iterator<Item = (usize, Option<&'a TemplateAudience>)>,
    page: &Page,
) -> Vec<usize> {
    let mut patterns = None;
    let fit = |(at, audience): (usize, Option<&TemplateAudience>)| {
        let Some(audience) = audience else {
            return Some((at, 0.0));
        };
        let patterns = patterns.get_or_insert_with(|| layout_patterns(page));
        Some((at, audience.fit(patterns)?))
    };
    let mut speaking: Vec<(usize, f64)> = audiences.filter_map(fit).collect();
    speaking.sort_by(|a, b| b.1.total_cmp(&a.1));
    speaking.into_iter().map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wrapper::Wrapper;

    fn pages(html: &[&str]) -> Vec<Page> {
        html.iter().map(|html| Page::from_html(html)).collect()
    }

    #[test]
    fn patterns_that_others_lack_tell_pages_apart() {
        let check = |own: &[&str], others: &[&str], expected: Option<&[&str]>| {
            let (own, others) = (pages(own), pages(others));
            let (own, others): (Vec<_>, Vec<_>) = (own.iter().collect(), others.iter().collect());
            let found = TemplateAudience::telling_apart(&own, &others);
            let found = found.map(|audience| audience.patterns);
            assert_eq!(
                found.as_deref().map(|f| f.iter().map(|p| &**p).collect()),
                expected.map(<[_]>::to_vec)
            );
        };
        let (a, b) = (
            "<nav></nav><b>t</b><div class=a-1><p>x</div>",
            "<nav></nav><main class=b><p>x</main>",
        );
        check(&[a, a], &[b], Some(&["2 div.a-", "2 b"]));
        check(&[b, b], &[a, "<div class=a-7>"], Some(&["2 main.b"]));
        check(&[a, b], &[], Some(&["1 body", "2 nav", "3 p"]));
        check(&[a, b], &[a], None);
    }

    #[test]
    fn the_template_that_knows_the_page_speaks_first_and_none_where_none_does() {
        let yaml = "format: 2\nsite: a\ntemplates:\n- body: [//div]\n- body: [//p]\n  \
                    for: {patterns: [2 div.a, 3 u]}\n- body: [//i]\n  for: {patterns: [2 div.b]}\n";
        let check = |yaml: &str, html: &str, expected: Option<usize>| {
            let matcher = Wrapper::from_yaml(yaml)
                .expect("yaml")
                .wrapper
                .compile()
                .expect("it");
            let found = matcher.find(&Page::from_html(html));
            assert_eq!(found.map(|found| found.template), expected, "{html}");
        };
        check(yaml, "<div class=a><p>x <i>y</i></div>", Some(1));
        check(yaml, "<div class=b><p>x <i>y</i></div>", Some(2));
        check(yaml, "<div class=c><p>x <i>y</i></div>", Some(0));
        let only = &yaml.replace("- body: [//div]\n", "");
        check(only, "<div class=c><p>x <i>y</i></div>", None);
        check(
            &only.replace("  for: {patterns: [2 div.b]}\n", ""),
            "<div class=c><b><i>y</i>",
            Some(1),
        );
    }

    #[test]
    fn a_file_says_it_again() {
        let yaml = "format: 2\nsite: a\ntemplates:\n- body: [//p]\n  for: {patterns: [2 div.a], kind: forum}\n";
        let mut wrapper = Wrapper::from_yaml(yaml).expect("yaml").wrapper;
        let said = wrapper.templates[0].audience.as_mut();
        said.expect("it").median = Some(40);
        let again = Wrapper::from_yaml(&wrapper.to_yaml()).expect("own");
        assert!(!again.edited && wrapper.to_yaml().starts_with("format: 2"));
        let by_hand = Wrapper::from_yaml(&wrapper.to_yaml_by_hand())
            .expect("own")
            .wrapper;
        let audience = |wrapper: &Wrapper| wrapper.templates[0].audience.clone().expect("one");
        assert_eq!(
            (audience(&again.wrapper).median, audience(&by_hand).median),
            (Some(40), None)
        );
        assert_eq!(audience(&by_hand).kind, Some(PageKind::Forum));
    }
}
