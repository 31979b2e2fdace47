//! The methods that turn sample pages into a wrapper. Pure.
//!
//! Takes [`SamplePage`]s: parsed pages with what a feed said of them; gives an
//! [`LearnOutcome`]: what was [`Learned`], or why the learner abstains. A page that is
//! not fit to learn from is left out with a [`SampleVerdict`] that says why.
//!
//! - [`method`](mod@method): what can be asked for, by name.
//! - `reservoir`: which pages of a crawl are looked at, some of each host.
//! - `sample`: which pages are good.
//! - `clusters`: a wrapper of a site's clusters of pages, a sample of each.
//! - `forest`: the expected F1 by block scores, over the whole sample.
//! - `induce`: terms, signifiers, patterns, ranking, expression.
//! - `json`: the value of the pages' own JSON that is their text, by the same terms.
//! - [`fields`](mod@fields): title, authors, date and tags.
//! - [`list`]: the wrapper of a page that lists articles.
//! - `labels`: what a person says of nodes of the sample is obeyed; `correct`: by a wrapper that is
//!   not learned again.
//! - [`paging`]: links to an article's next page and to the whole of it.
//! - `baseline`: the paper's baselines that look at one page: SIGFEED, DESCRIPTION.
//!
//! **Departures.** The paper learns from whatever its feeds gave; here pages of
//! other hosts, near-identical pages, pages that hold no article (challenges, logins,
//! error pages, lists: [`refusal`](crate::refusal)) and pages that are no
//! HTML or nearly empty are left out first. Of the 1,766 pages of the development
//! gold's sites that is ten: eight without text and two copies.

mod baseline;
mod clusters;
mod correct;
mod expect;
pub mod fields;
mod forest;
mod induce;
mod json;
pub mod list;
mod labels;
mod method;
pub mod paging;
mod options;
mod page;
mod reservoir;
mod sample;
#[cfg(test)]
mod tests;
pub use baseline::{description, sigfeed};
pub use clusters::{ClusterLeftOut, ClusterReport, ClusterResult, ClusterSample, learn_clusters};
pub use correct::correct;
pub use expect::{link_quota, words};
pub use forest::ForestLimits;
use forest::RefusedStrip;
pub use induce::{Induction, induce};
pub use labels::LabelReason;
pub use method::{Method, SignifierSource, UnknownMethod};
pub use options::{LearnOptions, MIN_PAGES};
pub use page::{SamplePage, SampleVerdict};
pub use paging::Paging;
pub use reservoir::{HostReservoir, ReservoirBounds, SampledPage};
pub use sample::{keep_good, sort_out};

use crate::extract::{Article, Extractor, Options, tests_of};
use crate::kind::PageKind;
use crate::wrapper::{Evidence, SampleRef, StripRule, Template, Trace, Wrapper};
use expect::expected;
use forest::SampleEvidence;
use forest_html::error::counted;
use std::fmt;

/// Pages of a sample unless something else is asked for: the plateau of FOREST,
/// figure 5.
pub const DEFAULT_SAMPLE: usize = 10;

/// Pages of a feed that are looked at for each page of the sample: most of them may be
/// copies, lists, or of other hosts.
pub const TRIES_A_PAGE: usize = 20;

/// Pages that outweigh what one of them shows alone: from so many on the template is told
/// from the article ([`sort_out`] asks for as many).
const AGREEING_PAGES: usize = 4;

/// And the mean F1 that they must let expect: the least that a wrapper must be worth to
/// take another one's place, too (`drift::relearn`).
const AGREED: f64 = 0.7;

/// The result of learning from a sample.
#[derive(Debug)]
pub enum LearnOutcome {
    /// A wrapper.
    Learned(Box<Learned>),
    /// No wrapper, for a reason.
    Abstained(Abstention),
}

/// A wrapper and where it comes from.
#[derive(Debug)]
pub struct Learned {
    /// The wrapper.
    pub wrapper: Wrapper,
    /// The verdict on each page of the sample, in its order.
    pub verdicts: Vec<SampleVerdict>,
    /// The patterns behind it. Its pages are the good ones of the sample, in order.
    pub induction: Induction,
    /// For each template the strips that were looked at and not taken, of most words first,
    /// if articles were [asked for](LearnOptions::with_articles) and the method is `forest`.
    pub refused_strips: Vec<Vec<RefusedStrip>>,
    /// The articles of the good pages of the sample, in order, if they were
    /// [asked for](LearnOptions::with_articles).
    pub articles: Vec<Article>,
    /// A sentence for each label that no expression obeys.
    pub warnings: Vec<String>,
}

/// Why nothing was learned.
#[derive(Debug)]
pub struct Abstention {
    /// The reason.
    pub reason: AbstentionReason,
    /// The verdict on each page of the sample, in its order.
    pub verdicts: Vec<SampleVerdict>,
}

/// Why a learner abstains.
#[derive(Debug, Clone, PartialEq)]
pub enum AbstentionReason {
    /// Fewer good pages than are needed.
    TooFewPages {
        /// Good pages.
        good: usize,
        /// Pages that are needed.
        needed: usize,
    },
    /// No page holds a signifier in its body.
    NoSignifiers,
    /// The pages show their articles, and have no names in common that say where.
    NoNames,
    /// The method extracts from pages as they come and learns nothing.
    LearnsNothing {
        /// The method.
        method: Method,
    },
}

impl fmt::Display for AbstentionReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AbstentionReason::TooFewPages { good, needed } => write!(
                f,
                "{} in the sample, {} needed: give a feed with more items, or a folder or a \
                 list of pages of the site",
                counted(*good, "good page", "good pages"),
                counted(*needed, "is", "are")
            ),
            AbstentionReason::NoSignifiers => f.write_str(
                "no page holds a signifier: try --signifiers feed, metadata or words:FILE",
            ),
            AbstentionReason::NoNames => f.write_str(
                "no name of an element that two of its pages share is around their text: without \
                 a wrapper `forest apply` reads each page by its own shape",
            ),
            AbstentionReason::LearnsNothing { method } => write!(
                f,
                "method {method} looks at one page at a time and learns no wrapper: \
                 use it with `apply --method {method}`"
            ),
        }
    }
}

/// Learns a wrapper from a sample: leaves out what is not fit to learn from, then
/// induces.
pub fn learn(pages: &[SamplePage], options: &LearnOptions) -> LearnOutcome {
    learn_from(&pages.iter().collect::<Vec<_>>(), options)
}

/// [`learn`] from pages that stand elsewhere.
pub fn learn_from(pages: &[&SamplePage], options: &LearnOptions) -> LearnOutcome {
    let outcome = learn_as_shown(pages, options);
    match json::learn(pages, &outcome, options) {
        Some(learned) => LearnOutcome::Learned(Box::new(learned)),
        None => outcome,
    }
}

/// [`learn_from`] the pages' elements as they are.
fn learn_as_shown(pages: &[&SamplePage], options: &LearnOptions) -> LearnOutcome {
    let (site, verdicts) = sort_out(pages, options.site.as_deref(), options.any_host);
    match learned_from(pages, site, &verdicts, options) {
        Ok(learned) => LearnOutcome::Learned(Box::new(Learned {
            verdicts,
            ..learned
        })),
        Err(reason) => LearnOutcome::Abstained(Abstention { reason, verdicts }),
    }
}

fn learned_from(
    pages: &[&SamplePage],
    site: String,
    verdicts: &[SampleVerdict],
    options: &LearnOptions,
) -> Result<Learned, AbstentionReason> {
    let judged = pages.iter().zip(verdicts);
    let good = judged.filter(|(_, verdict)| **verdict == SampleVerdict::Good);
    let good: Vec<&SamplePage> = good.map(|(page, _)| *page).collect();
    if !options.method.learns() {
        let method = options.method;
        return Err(AbstentionReason::LearnsNothing { method });
    }
    if good.len() < options.min_pages {
        return Err(AbstentionReason::TooFewPages {
            good: good.len(),
            needed: options.min_pages,
        });
    }
    let evidence = (options.method == Method::Forest).then(|| {
        let scored = good.iter().map(|p| (*p, options.scores(&p.page)));
        SampleEvidence::of(scored.collect(), options.limits)
    });
    let induction = induce(&good, options);
    let of_forest = evidence
        .as_ref()
        .map(|sample| forest::templates(sample, &induction));
    let (mut templates, refused): (Vec<Template>, Vec<_>) =
        of_forest.unwrap_or_default().into_iter().unzip();
    if templates.is_empty()
        && evidence
            .as_ref()
            .is_some_and(|sample| f64::from(sample.alone()) >= AGREED)
    {
        return Err(AbstentionReason::NoNames);
    }
    if templates.is_empty() {
        // If no block is likely to be an article's, the paper's ranking decides.
        templates.extend(induction.template());
    }
    if templates.is_empty() {
        return Err(AbstentionReason::NoSignifiers);
    }
    for template in &mut templates {
        template.json = good[0].page.json_place().cloned();
    }
    let (mut fields, mut paging) = (fields::LearnedFields::default(), Paging::default());
    if options.fields() {
        fields = fields::learn(&good);
        for template in &mut templates {
            fields.put_into(template);
        }
        paging = paging::learn(&good, pages);
    }
    let with_signifiers = good.iter().zip(&induction.signifiers);
    let sample = with_signifiers.map(|(page, signifiers)| SampleRef {
        url: page.name.clone(),
        sha256: page.sha256.clone(),
        signifiers: signifiers.join(" "),
    });
    let mut wrapper = Wrapper {
        site,
        feed: options.feed.clone(),
        learned: options.learned.clone(),
        by: Some(concat!("forest ", env!("CARGO_PKG_VERSION")).to_owned()),
        sample: sample.collect(),
        templates,
        next_page: paging.next_page,
        single_page: paging.single_page,
        ..Wrapper::default()
    };
    let learned = strips_of(&wrapper);
    let labels = labels::obey(&mut wrapper, &good, options);
    let mut traces = traces(&wrapper, &good)?;
    if expect_of_strips(&mut wrapper, &learned, &traces, &good) {
        traces = self::traces(&wrapper, &good)?;
    }
    if options.fields() {
        let images = fields::images::learn(&good, &traces);
        for template in &mut wrapper.templates {
            template.images.clone_from(&images);
        }
    }
    look_at_sample(&mut wrapper, &traces, &good, evidence.as_ref());
    labels.leave_evidence(&mut wrapper);
    if let Some(expect) = &mut wrapper.expect {
        (expect.tags, expect.shared) = (fields.tags_of_site, fields.shared);
    }
    let mut articles = Vec::new();
    if options.articles
        && let Ok(extractor) = Extractor::new(wrapper.clone())
    {
        let article = |p: &&SamplePage| extractor.extract_scored(&p.page, &Options::default());
        articles.extend(good.iter().map(article));
        wrapper.tests = tests_of(&articles);
    }
    Ok(Learned {
        wrapper,
        verdicts: Vec::new(),
        induction,
        refused_strips: refused,
        articles,
        warnings: labels.warnings,
    })
}

/// The trace of a wrapper on each page.
fn traces(wrapper: &Wrapper, good: &[&SamplePage]) -> Result<Vec<Option<Trace>>, AbstentionReason> {
    let Ok(matcher) = wrapper.compile() else {
        debug_assert!(false, "learned expressions compile");
        return Err(AbstentionReason::NoSignifiers);
    };
    Ok(good.iter().map(|p| matcher.trace(&p.page)).collect())
}

/// The pages that a template carries.
fn carried_by<'a>(
    template: usize,
    traces: &'a [Option<Trace>],
    good: &[&'a SamplePage],
) -> Vec<forest::CarriedPage<'a>> {
    let seen = good.iter().zip(traces).enumerate();
    let seen = seen.filter_map(|(at, (sample, trace))| {
        let trace = trace
            .as_ref()
            .filter(|trace| trace.found.template == template)?;
        let page = &*sample.page;
        Some(forest::CarriedPage { at, page, trace })
    });
    seen.collect()
}

/// The strip rules of each template.
fn strips_of(wrapper: &Wrapper) -> Vec<Vec<StripRule>> {
    let templates = wrapper.templates.iter();
    templates.map(|template| template.strip.clone()).collect()
}

/// Puts down what the `learned` strip rules expect, and drops those whose pages do not agree on
/// it. True if one was dropped.
fn expect_of_strips(
    wrapper: &mut Wrapper,
    learned: &[Vec<StripRule>],
    traces: &[Option<Trace>],
    good: &[&SamplePage],
) -> bool {
    let mut drops = false;
    for (t, (template, learned)) in wrapper.templates.iter_mut().zip(learned).enumerate() {
        let carried = carried_by(t, traces, good);
        let rules = std::mem::take(&mut template.strip).into_iter().enumerate();
        let kept = rules.filter_map(|(at, rule)| {
            if learned.contains(&rule) {
                forest::expecting(&rule, at, &carried)
            } else {
                Some(rule)
            }
        });
        let before = traces
            .iter()
            .flatten()
            .find(|trace| trace.found.template == t);
        template.strip = kept.collect();
        drops |= before.is_some_and(|trace| trace.strips.len() > template.strip.len());
    }
    drops
}

/// Puts down what the new wrapper does on its sample: which pages each template carries,
/// what it takes on them, and what they look like.
fn look_at_sample(
    wrapper: &mut Wrapper,
    traces: &[Option<Trace>],
    good: &[&SamplePage],
    evidence: Option<&SampleEvidence<'_>>,
) {
    let pages = good.iter().map(|sample| &*sample.page);
    wrapper.expect = expected(pages.clone().zip(traces));
    if let (Some(expect), Some(evidence)) = (&mut wrapper.expect, evidence)
        && good.len() >= AGREEING_PAGES
        && wrapper.templates.iter().all(is_agreed_on)
    {
        expect.agreement = evidence.agreement(traces);
    }
    if let Some(expect) = &mut wrapper.expect {
        expect.kind = kind_of_most(good);
    }
    for (t, template) in wrapper.templates.iter_mut().enumerate() {
        let carried = carried_by(t, traces, good);
        template.pages = carried.len();
        let strips = forest::strips(template, &carried, evidence);
        let Some(of_template) = &mut template.evidence else {
            continue;
        };
        of_template.strips = strips;
        if carried.len() < good.len() {
            of_template.pages = carried.iter().map(|c| c.at).collect();
        }
    }
}

/// The kind of more than half of the pages, unless they are articles.
fn kind_of_most(good: &[&SamplePage]) -> Option<PageKind> {
    let kinds = good.iter().map(|sample| sample.page.page_kind().kind());
    let kinds: Vec<PageKind> = kinds.collect();
    let others = PageKind::ALL.into_iter().skip(1);
    let pages = |kind: &PageKind| kinds.iter().filter(|of_page| *of_page == kind).count();
    let most = others.max_by_key(pages)?;
    (2 * pages(&most) > good.len()).then_some(most)
}

/// True if the pages of a sample together leave little doubt that a template is right.
fn is_agreed_on(template: &Template) -> bool {
    let expected = template.evidence.as_ref().and_then(Evidence::expected_f1);
    expected.is_some_and(|f1| f1 >= AGREED)
}
