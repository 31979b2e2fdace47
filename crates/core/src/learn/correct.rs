//! A wrapper that obeys further labels, and is otherwise as it was: it is not learned again.
//!
//! Its evidence of bodies and fields stays that of the sample that it was learned from. What its
//! rules take from the pages, and what a normal page looks like, is of the pages given.

use super::labels::{LabelReason, obey};
use super::{
    AbstentionReason, LearnOptions, SampleEvidence, SamplePage, SampleVerdict, look_at_sample,
    sort_out,
};
use crate::extract::{Article, Extractor, Options, tests_of};
use crate::wrapper::{Label, LabelRole, SampleRef, Trace, Wrapper};
use std::collections::HashSet;

/// A wrapper that obeys labels.
#[derive(Debug)]
pub struct CorrectedWrapper {
    /// The wrapper.
    pub wrapper: Wrapper,
    /// A sentence for each label that no expression obeys.
    pub warnings: Vec<String>,
    /// The reason for the expression of each label; `None` for a label without one.
    pub reasons: Vec<Option<LabelReason>>,
}

/// Makes a wrapper obey these labels on pages of its site, in the place of those that it has.
///
/// # Errors
///
/// If no page is fit to learn from.
pub fn correct(
    wrapper: &Wrapper,
    labels: Vec<Label>,
    pages: &[SamplePage],
    options: &LearnOptions,
) -> Result<CorrectedWrapper, AbstentionReason> {
    let all: Vec<&SamplePage> = pages.iter().collect();
    let (_, verdicts) = sort_out(&all, Some(&wrapper.site), options.any_host);
    let judged = all.into_iter().zip(&verdicts);
    let good = judged.filter(|(_, verdict)| **verdict == SampleVerdict::Good);
    let good: Vec<&SamplePage> = good.map(|(page, _)| page).collect();
    if good.is_empty() {
        return Err(AbstentionReason::TooFewPages { good: 0, needed: 1 });
    }
    let learned_strips = learned_strips(wrapper);
    let mut options = options.clone().with_labels(labels);
    options.keep = wrapper.own_keeps();
    let mut new = wrapper.clone();
    let obeyed = obey(&mut new, &good, &options);
    if options.labels.is_empty() {
        new.labels.clear();
    }
    let Ok(matcher) = new.compile() else {
        debug_assert!(false, "learned expressions compile");
        return Err(AbstentionReason::NoSignifiers);
    };
    let sample = good.iter().map(|page| SampleRef {
        url: page.name.clone(),
        sha256: page.sha256.clone(),
        signifiers: String::new(),
    });
    new.sample = sample.collect();
    let traces: Vec<Option<Trace>> = good.iter().map(|p| matcher.trace(&p.page)).collect();
    let scored = good.iter().map(|p| (*p, options.scores(&p.page)));
    let evidence = SampleEvidence::of(scored.collect(), options.limits);
    look_at_sample(&mut new, &traces, &good, Some(&evidence));
    for template in &mut new.templates {
        if let Some(evidence) = &mut template.evidence {
            let is_learned = |xpath: &String| learned_strips.contains(xpath);
            evidence.strips.retain(|strip| is_learned(&strip.xpath));
        }
    }
    if let (Some(expect), Some(known)) = (&mut new.expect, &wrapper.expect) {
        expect.tags.clone_from(&known.tags);
        expect.shared.clone_from(&known.shared);
    }
    if let Ok(extractor) = Extractor::new(new.clone()) {
        let article = |p: &&SamplePage| extractor.extract_scored(&p.page, &Options::default());
        let articles: Vec<Article> = good.iter().map(article).collect();
        new.tests = tests_of(&articles);
    }
    Ok(CorrectedWrapper {
        wrapper: new,
        warnings: obeyed.warnings,
        reasons: obeyed.reasons,
    })
}

/// The strips that were learned, which leave figures to the writers; labels and persons made
/// the others.
fn learned_strips(wrapper: &Wrapper) -> HashSet<String> {
    let evidence = wrapper.templates.iter().flat_map(|t| &t.evidence);
    let strips = evidence.flat_map(|evidence| &evidence.strips);
    let of_label = |xpath: &String| {
        let mut labels = wrapper.labels.iter();
        labels.any(|label| {
            label.role == LabelRole::NotArticle && label.expression.as_ref() == Some(xpath)
        })
    };
    let strips = strips.map(|strip| strip.xpath.clone());
    strips.filter(|xpath| !of_label(xpath)).collect()
}
