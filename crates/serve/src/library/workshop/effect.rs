//! The effect of a draft on a page of the sample: its article before and after, and which rule
//! takes or gives the words.

use forest_archive::diff::{CONTEXT_WORDS, Diff, html as diff_html};
use forest_core::drift::extract_and_observe;
use forest_core::explain::{NodeMark, marks};
use forest_core::extract::{Article, Extractor, Options, one_page};
use forest_core::learn::SamplePage;
use forest_html::page::{Kind, NodeId};
use forest_html::text::{metric_tokens, word_count};
use std::collections::BTreeMap;

/// Rules of a page that are named.
const MAX_RULES: usize = 8;

/// The result of a wrapper on a page.
#[derive(Debug)]
pub(super) struct PageResult {
    pub article: Article,
    pub words: usize,
    /// The F1 to expect of the text; `None` without a wrapper.
    pub expected_f1: Option<f64>,
}

impl PageResult {
    pub fn of(extractor: Option<&Extractor>, sample: &SamplePage) -> PageResult {
        let options = Options::default();
        let (article, expected_f1) = match extractor {
            Some(extractor) => {
                let item = sample.item_text();
                let (article, seen) = extract_and_observe(
                    extractor,
                    &sample.name,
                    &sample.page,
                    item.as_deref(),
                    &options,
                );
                (article, Some(seen.expected_f1))
            }
            None => (one_page(&sample.page, &options), None),
        };
        PageResult {
            words: word_count(&article.text),
            article,
            expected_f1,
        }
    }
}

/// The words that a rule takes from a page, or gives it.
#[derive(Debug, Default)]
pub(super) struct RuleEffect {
    pub lost: usize,
    pub gained: usize,
}

/// The difference between two results on a page.
#[derive(Debug)]
pub(super) struct PageEffect {
    pub kept: usize,
    pub lost: usize,
    pub gained: usize,
    /// By the name of the rule.
    pub rules: Vec<(String, RuleEffect)>,
    /// The differences of the texts as HTML, made of escaped text.
    pub diff: String,
}

impl PageEffect {
    pub fn of(
        sample: &SamplePage,
        (old, new): (Option<&Extractor>, Option<&Extractor>),
        (before, after): (&PageResult, &PageResult),
    ) -> PageEffect {
        let (kept, lost, gained) = counts(&before.article.text, &after.article.text);
        let diff = Diff::of(&before.article.text, &after.article.text);
        PageEffect {
            kept,
            lost,
            gained,
            rules: match (old, new) {
                (Some(old), Some(new)) if lost + gained > 0 => rules(sample, old, new),
                _ => Vec::new(),
            },
            diff: if diff.is_empty() {
                String::new()
            } else {
                diff_html(&diff.hunks(CONTEXT_WORDS))
            },
        }
    }

    pub fn is_change(&self) -> bool {
        !self.diff.is_empty()
    }
}

/// Words of both texts, of the old one alone and of the new one alone, with multiplicity.
fn counts(old: &str, new: &str) -> (usize, usize, usize) {
    let (old, new) = (metric_tokens(old), metric_tokens(new));
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for word in old.iter() {
        *left.entry(word).or_default() += 1;
    }
    let mut kept = 0;
    for word in new.iter() {
        if let Some(count) = left.get_mut(word).filter(|count| **count > 0) {
            *count -= 1;
            kept += 1;
        }
    }
    (kept, old.len() - kept, new.len() - kept)
}

/// The mark of each node of a page under a wrapper, and the expressions that gave them.
pub(super) struct MarkedPage {
    pub marks: Vec<NodeMark>,
    strips: Vec<String>,
    body: String,
}

impl MarkedPage {
    pub fn of(extractor: &Extractor, sample: &SamplePage) -> MarkedPage {
        let (page, matcher) = (&sample.page, extractor.matcher());
        let trace = matcher.trace(page);
        let found = trace.as_ref().map(|trace| &trace.found);
        let fields = found.map(|found| matcher.fields(page, found));
        let template = found.map(|found| &extractor.wrapper().templates[found.template]);
        MarkedPage {
            marks: marks(page, trace.as_ref(), &fields.unwrap_or_default()),
            strips: template.map_or_else(Vec::new, |template| {
                let rules = template.strip.iter();
                rules.map(|rule| rule.xpath.clone()).collect()
            }),
            body: found.map_or_else(String::new, |found| matcher.expression(found).to_owned()),
        }
    }

    /// The rule behind a node that is no part of the article, or is one.
    fn rule(&self, n: NodeId) -> String {
        match self.marks[n.index()] {
            NodeMark::Strip(at) => match self.strips.get(usize::from(at)) {
                Some(strip) => format!("strip {strip}"),
                None => "strip".to_owned(),
            },
            _ => format!("body {}", self.body),
        }
    }

    fn is_kept(&self, n: NodeId) -> bool {
        matches!(self.marks[n.index()], NodeMark::Body | NodeMark::Field(_))
    }
}

fn rules(sample: &SamplePage, old: &Extractor, new: &Extractor) -> Vec<(String, RuleEffect)> {
    let page = &sample.page;
    let (before, after) = (MarkedPage::of(old, sample), MarkedPage::of(new, sample));
    let mut rules: BTreeMap<String, RuleEffect> = BTreeMap::new();
    let texts = page.nodes().filter(|&n| page.kind(n) == Kind::Text);
    for n in texts.filter(|&n| page.is_content(n)) {
        let (was, is) = (before.is_kept(n), after.is_kept(n));
        if was == is {
            continue;
        }
        let words = word_count(page.text(n));
        if was {
            rules.entry(after.rule(n)).or_default().lost += words;
        } else {
            let rule = match before.marks[n.index()] {
                NodeMark::Strip(_) => format!("no longer {}", before.rule(n)),
                _ => after.rule(n),
            };
            rules.entry(rule).or_default().gained += words;
        }
    }
    let mut rules: Vec<_> = rules.into_iter().collect();
    rules.retain(|(_, effect)| effect.lost + effect.gained > 0);
    rules.sort_by_key(|(_, effect)| std::cmp::Reverse(effect.lost + effect.gained));
    rules.truncate(MAX_RULES);
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_as_often_as_they_stand() {
        assert_eq!(counts("ad ad one two", "one two three ad"), (3, 1, 1));
        assert_eq!(counts("", "a"), (0, 0, 1));
        assert_eq!(counts("a", "a"), (1, 0, 0));
    }
}
