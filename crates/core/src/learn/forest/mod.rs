//! `forest`: expressions with the highest F1 to expect by block scores over the whole
//! sample.
//!
//! Takes good sample pages, gives the [`Template`]s of their site. The evidence is
//! the block scores of [`onepage`](crate::onepage): the probability that each block of
//! each page is the article's. The model errs on some blocks of each page, but not on the same ones of all
//! pages; an expression that selects the same part of every page averages its
//! errors out. Text that stands on several pages word by word is the template's,
//! whatever its score.
//!
//! - `evidence`: blocks with probabilities, and what is repeated.
//! - `alternatives`: other expressions of the body, for pages of a later design.
//! - `below`: the boxes below the text that pages have alike.
//! - `captions`: the blocks that are captions of pictures.
//! - `links`: the items that are nothing but a link.
//! - `selectors`: tests of an element that are likely to last.
//! - `names`: the expressions of an element by such tests.
//! - `elements`: the elements that hold these blocks, by their selectors.
//! - `select`: expressions, and the elements of the sample that they select.
//! - `body`: the body's expression, in several pieces where need be.
//! - `ranking`: the patterns as FOREST ranks them.
//! - `strip`: the parts inside of it that are not the article's.
//! - `refused`: the strips that were not taken.
//! - `limits`: the limits of all these.
//! - `explain`: the effect of each strip rule, and the reason for it.
//!
//! **Measured** with models that have not seen the site's publisher (`docs/experiments.md`):
//! mean 2-gram F1 over the eight collections 0.967, `onepage` alone 0.961,
//! `paper` 0.892.
//!
//! **Departures** from FOREST: the F1 to expect, 2·E[right] / (selected + E[article]),
//! averaged over the pages, chooses among the elements of the most relevant patterns and
//! those that names select; the relevance R of the pattern decides where it is nearly the same.
//! Captions of pictures are no text: +0.0006 on the pages learned from, -0.0011 on unseen ones,
//! all of it one page; +0.006 on `big9`. Items of lists that are
//! nothing but a link are less likely: no change on the pages learned from, +0.0012 on unseen ones.
//! A body has alternatives: 26 of 64 wrappers work in their site's next era, 19 without them.

mod alternatives;
mod below;
mod body;
mod captions;
mod evidence;
mod expects;
mod elements;
mod explain;
mod limits;
mod links;
mod names;
mod ranking;
mod protected;
mod refused;
mod select;
mod selectors;
mod strip;
#[cfg(test)]
mod tests;

use super::induce::{Induction, PatternStanding};
use super::method::SignifierSource;
use crate::wrapper::{Evidence, RunnerUp, Template};
use evidence::PageEvidence;
pub(super) use evidence::SampleEvidence;
pub(super) use expects::expecting;
pub(super) use explain::{CarriedPage, strips};
pub use limits::ForestLimits;
pub(super) use names::SampleNames;
use ranking::PatternRanking;
pub use refused::RefusedStrip;

/// Templates of one site at the most.
const MAX_TEMPLATES: usize = 4;

/// Pages that a further template needs.
const MIN_PAGES: usize = 2;

/// The templates of a sample, in the order in which they are tried; none if no block of
/// its pages is likely to be an article's.
pub(super) fn templates(
    sample: &SampleEvidence<'_>,
    induction: &Induction,
) -> Vec<(Template, Vec<RefusedStrip>)> {
    let ranking = PatternRanking::of(induction, sample);
    let mut left: Vec<&PageEvidence<'_>> = sample.pages.iter().collect();
    let mut templates: Vec<FoundTemplate> = Vec::new();
    while templates.len() < MAX_TEMPLATES {
        let needed = if templates.is_empty() { 1 } else { MIN_PAGES };
        if left.len() < needed {
            break;
        }
        let Some(mut found) = body::find(&left, sample, &ranking) else {
            break;
        };
        if body::says_nothing(&found, sample) {
            break;
        }
        let before = left.len();
        let fits = |page: &&PageEvidence<'_>| page.f1(found.on(page)) >= sample.limits.fits;
        let (fitting, others): (Vec<_>, Vec<_>) = left.iter().copied().partition(fits);
        if fitting.len() < needed || others.len() == before {
            break;
        }
        let f1: f32 = fitting.iter().map(|page| page.f1(found.on(page))).sum();
        found.f1 = f1 / fitting.len() as f32;
        found.standing = ranking.standing(&found.body, &fitting);
        left = others;
        place(&mut templates, found, &sample.pages);
    }
    let signifiers = induction.source();
    let as_template = |found: FoundTemplate| {
        let refused = if induction.explains() {
            found.refused(sample)
        } else {
            Vec::new()
        };
        (found.template(sample, signifiers), refused)
    };
    templates.into_iter().map(as_template).collect()
}

/// The template of one layout.
#[derive(Debug)]
struct FoundTemplate {
    /// Expressions whose union is the body.
    body: Vec<select::BodySelector>,
    /// Mean F1 to expect over the pages that it fits.
    f1: f32,
    runner_up: Option<(String, f32)>,
    /// The pattern of its elements, if they have one.
    standing: Option<PatternStanding>,
    strips: Vec<strip::Strip>,
}

impl FoundTemplate {
    /// The words that it selects on a page.
    fn on(&self, page: &PageEvidence<'_>) -> evidence::LikelyWords {
        let rest = strip::without(&self.strips, &self.body, page);
        select::amount(&select::tops(&self.body, page), page, &rest)
    }

    /// The strips that were not taken, on the pages on which it selects something.
    fn refused(&self, sample: &SampleEvidence<'_>) -> Vec<RefusedStrip> {
        let own = sample.pages.iter().filter(|page| self.on(page).words > 0.0);
        let own: Vec<&PageEvidence<'_>> = own.collect();
        strip::refused(&self.body, &self.strips, &own, sample)
    }

    fn template(self, sample: &SampleEvidence<'_>, signifiers: &SignifierSource) -> Template {
        let selectors = &sample.selectors;
        let xpath: Vec<String> = self.body.iter().map(|e| e.xpath(selectors)).collect();
        let others = alternatives::alternatives(&self, sample);
        let others = others.iter().map(|other| other.xpath(selectors));
        let strips = self.strips.iter();
        Template {
            body: [xpath.join(" | ")].into_iter().chain(others).collect(),
            strip: strips
                .map(|s| s.xpath(&self.body, selectors).into())
                .collect(),
            evidence: Some(Evidence {
                method: "forest".to_owned(),
                signifiers: signifiers.to_string(),
                expected_f1: Some(round(self.f1)),
                runner_up: self.runner_up.map(|(xpath, f1)| RunnerUp {
                    xpath,
                    expected_f1: Some(round(f1)),
                    relevance: None,
                }),
                ..self
                    .standing
                    .map_or_else(Evidence::default, PatternStanding::evidence)
            }),
            ..Template::default()
        }
    }
}

/// Adds a template. The first that selects text is taken, so one that selects
/// something on pages of others must come behind them.
fn place(templates: &mut Vec<FoundTemplate>, found: FoundTemplate, evidence: &[PageEvidence<'_>]) {
    let wrong = |a: &FoundTemplate, b: &FoundTemplate| {
        // Pages on which `a` selects something and `b` would be the better one.
        let pages = evidence.iter().filter(|page| {
            let (of_a, of_b) = (a.on(page), b.on(page));
            of_a.words > 0.0 && page.f1(of_b) > page.f1(of_a)
        });
        pages.count()
    };
    let at = templates
        .iter()
        .position(|known| wrong(known, &found) > wrong(&found, known));
    templates.insert(at.unwrap_or(templates.len()), found);
}

fn round(value: f32) -> f64 {
    (f64::from(value) * 1e4).round() / 1e4
}
