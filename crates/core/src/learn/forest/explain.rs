//! The effect of each strip rule, and the reason for it.

use super::evidence::{LikelyWords, SampleEvidence};
use crate::learn::expect::is_linked;
use crate::wrapper::{StripEvidence, StripReason, Template, Trace};
use foldhash::HashMap;
use forest_html::page::{Mask, NodeId, Page};
use forest_html::text::fold;
use forest_html::text::word_count;

/// A page that a template carries: its place in the sample, and what the template
/// takes on it.
#[derive(Debug, Clone, Copy)]
pub(in crate::learn) struct CarriedPage<'a> {
    pub at: usize,
    pub page: &'a Page,
    pub trace: &'a Trace,
}

/// The evidence for the strips of a template, from the pages that it carries.
pub(in crate::learn) fn strips(
    template: &Template,
    carried: &[CarriedPage<'_>],
    sample: Option<&SampleEvidence<'_>>,
) -> Vec<StripEvidence> {
    let bodies = carried
        .iter()
        .map(|c| Mask::subtrees(c.page, &c.trace.found.nodes));
    let mut left: Vec<Mask> = bodies.collect();
    let rules = template.strip.iter().enumerate();
    let evidence = rules.map(|(at, rule)| {
        let mut taken = StripEffect::default();
        for (carried, left) in carried.iter().zip(&mut left) {
            taken.add(*carried, &carried.trace.strips[at], left, sample);
        }
        StripEvidence {
            xpath: rule.xpath.clone(),
            pages: taken.pages,
            words: taken.words,
            why: taken.why(),
        }
    });
    evidence.collect()
}

/// The effect of a strip rule on a sample.
#[derive(Debug, Default)]
struct StripEffect {
    pages: usize,
    words: usize,
    /// Words in links.
    linked: usize,
    /// Of each text its words, the pages that it is taken from, and the last of these.
    texts: HashMap<String, (usize, usize, usize)>,
    scored: LikelyWords,
}

impl StripEffect {
    /// Takes the subtrees of `nodes` out of what is `left` of a page's body.
    fn add(
        &mut self,
        CarriedPage { at, page, trace }: CarriedPage<'_>,
        nodes: &[NodeId],
        left: &mut Mask,
        sample: Option<&SampleEvidence<'_>>,
    ) {
        let before = self.words;
        for &n in nodes {
            let bodies = &trace.found.nodes;
            if bodies.iter().all(|&body| !page.contains(body, n)) {
                continue;
            }
            for text in page.content_texts(n).filter(|&text| left.contains(text)) {
                let words = word_count(page.text(text));
                self.words += words;
                self.linked += usize::from(is_linked(page, text)) * words;
                let known = self.texts.entry(fold(page.text(text)));
                let (all, pages, last) = known.or_insert((0, 0, usize::MAX));
                *all += words;
                if *last != at {
                    (*pages, *last) = (*pages + 1, at);
                }
            }
            if let Some(sample) = sample.filter(|_| left.contains(n)) {
                self.scored.add(sample.words_in(at, n));
            }
            left.drop_subtree(page, n);
        }
        self.pages += usize::from(self.words > before);
    }

    fn why(&self) -> StripReason {
        let repeated = self.texts.values().filter(|(_, pages, _)| *pages > 1);
        let repeated: usize = repeated.map(|(words, ..)| words).sum();
        if 2 * repeated > self.words {
            StripReason::Repeats
        } else if 2 * self.linked > self.words {
            StripReason::Links
        } else if self.scored.words > 0.0 && self.scored.share() < 0.5 {
            StripReason::Unlikely
        } else {
            StripReason::Mixed
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::SamplePage;
    use crate::learn::forest::ForestLimits;
    use crate::onepage::{BlockModel, BlockScores};
    use crate::wrapper::Wrapper;
    use std::borrow::Cow;

    const STORIES: [&str; 3] = [
        "It rained for nine days, and on the tenth the river was in the cellar of the old mill, \
         said the miller, who had carried his flour to the church in time.",
        "Weavers of the northern town dye wool with madder and woad, and the wool dries on long \
         lines, as it did when the town was known for it far beyond the mountains.",
        "A lighthouse keeper wrote letters about storms, and the lamp burned on while ships \
         passed the reef, and the keeper counted every ship that came home.",
    ];

    /// Checks the effect of strip rules on three pages that have `extra` in their body.
    fn check(strips: &[&str], extra: impl Fn(usize) -> String, expected: &[(usize, usize, &str)]) {
        let samples: Vec<SamplePage> = (0..3)
            .map(|n| {
                let story = STORIES[n];
                let page = Page::from_html(&format!(
                    "<title>Story</title><p class=out>No part of it</p>\
                     <article><p>{story}</p><p>{n}: {story}</p>{}</article>",
                    extra(n)
                ));
                SamplePage::new(page, n.to_string())
            })
            .collect();
        let pages: Vec<&Page> = samples.iter().map(|sample| &*sample.page).collect();
        let template = Template {
            body: vec!["//article".to_owned()],
            strip: strips.iter().map(|&strip| strip.into()).collect(),
            ..Template::default()
        };
        let wrapper = Wrapper {
            templates: vec![template.clone()],
            ..Wrapper::default()
        };
        let matcher = wrapper.compile().expect("compiles");
        let traces = pages.iter().map(|page| matcher.trace(page).expect("fits"));
        let traces: Vec<Trace> = traces.collect();
        let carried = pages.iter().zip(&traces).enumerate();
        let carried = carried.map(|(at, (page, trace))| CarriedPage { at, page, trace });
        let scored = samples.iter().map(|sample| {
            let scores = BlockScores::of(&sample.page, BlockModel::shipped());
            (sample, Cow::Owned(scores))
        });
        let sample = SampleEvidence::of(scored.collect(), ForestLimits::default());
        let found = super::strips(&template, &carried.collect::<Vec<_>>(), Some(&sample));
        let found: Vec<(usize, usize, String)> = found
            .iter()
            .map(|strip| (strip.pages, strip.words, strip.why.to_string()))
            .collect();
        let expected: Vec<(usize, usize, String)> = expected
            .iter()
            .map(|&(pages, words, why)| (pages, words, why.to_owned()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_stands_on_several_pages_repeats() {
        let share = |_| "<div class=share>Share this <a href=/s>story</a></div>".to_owned();
        check(&["//div"], share, &[(3, 9, "repeats")]);
        // On one page only, and most of it in a link.
        let once = |n| match n {
            1 => share(n),
            _ => String::new(),
        };
        check(&["//div"], once, &[(1, 3, "unlike the article")]);
    }

    #[test]
    fn what_differs_may_be_links() {
        let more = |n| format!("<ul><li><a href=/{n}>Other{n} story{n}</a><li>x{n}</ul>");
        check(&["//ul"], more, &[(3, 9, "links")]);
        check(
            &["//ul//a", "//ul"],
            more,
            &[(3, 6, "links"), (3, 3, "unlike the article")],
        );
    }

    #[test]
    fn what_two_rules_take_counts_for_the_first() {
        let share = |_| "<div>Share <b>this story</b></div>".to_owned();
        check(
            &["//b", "//div", "//b", "//p[@class='out']"],
            share,
            &[
                (3, 6, "repeats"),
                (3, 3, "repeats"),
                (0, 0, "mixed"),
                (0, 0, "mixed"),
            ],
        );
    }

    #[test]
    fn a_story_that_is_stripped_is_not_said_to_be_unlike_it() {
        let none = |_| String::new();
        check(&["//article/p[1]"], none, &[(3, 90, "mixed")]);
    }
}
