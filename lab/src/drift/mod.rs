//! The check for drift: how often it notices that a wrapper no longer fits its site.
//!
//! Takes a collection in which sites stand in several designs, learns a wrapper of each
//! era, and gives the pages of every later era to the very code of
//! `forest site check` ([`mod@forest_core::drift`]), which has no gold. The truth is gold's: a
//! site has *drifted* where the old wrapper's mean F1 (2-grams of words) on the new pages
//! is below [`case::RIGHT`], a page without a text being 0. What has not changed is an era whose
//! pages are split in two, learned from one half and checked on the other, both ways: an
//! alarm there is false, whatever the F1.
//!
//! A redesign that is not everywhere yet is half of an era that the wrapper has not seen,
//! with as many pages of the next era, one after the other.
//!
//! The pages go one by one through a [`SiteWatch`] as well, which counts the pages until it
//! raises an alarm. Then the site is learned again by [`relearn`], as a harvest would, from
//! the pages that were checked, and the wrapper that is active then is held against one
//! that is learned afresh from them.
//!
//! - `case`: a wrapper on the pages of another time.
//! - `table`: the figures.

mod case;
mod table;
#[cfg(test)]
mod tests;

use crate::collections::{GoldArgs, ReportArgs, learning_methods};
use crate::eras::order::{self, Brand, Era};
use crate::training;
use case::{DriftCase, EraStep, Relearned, mean};
use chrono::DateTime;
use forest_core::drift::relearn::{Decision, RelearnTrial, relearn};
use forest_core::drift::{self, PageObservation, PageSign, SiteWatch, Verdict};
use forest_core::extract::Extractor;
use forest_core::learn::{LearnOptions, LearnOutcome, Method, SamplePage, learn_from};
use forest_core::onepage::BlockModel;
use forest_core::render::text;
use forest_eval::Result;
use forest_eval::eval::{EvalSite, GoldTexts};
use forest_sources::gold::{Collection, Gold, GoldSite};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use table::DriftTable;

/// Count how often drift is noticed, without gold
///
/// Learns a wrapper of each era of a site, and gives the pages of later eras, and of the
/// other half of its own, to the code of `forest site check`.
#[derive(Debug, clap::Args)]
pub struct DriftArgs {
    #[command(flatten)]
    gold: GoldArgs,
    /// A method that learns; several can be given [default: forest].
    #[arg(short, long = "method", value_name = "M")]
    methods: Vec<Method>,
    /// Learn and check each site with trees of `onepage` that have not seen its
    /// publisher: five folds, trained on these collections.
    #[arg(long)]
    folds: bool,
    #[command(flatten)]
    report: ReportArgs,
}

/// Runs the command.
pub fn run(args: &DriftArgs) -> anyhow::Result<()> {
    let methods = learning_methods(&args.methods, &[Method::Forest])?;
    let collections = args.gold.open()?;
    let folds = if args.folds {
        Some(training::FoldTrees::train(&collections)?)
    } else {
        None
    };
    let trees = |collection: &Collection, site: &GoldSite| {
        let folds = folds.as_ref()?;
        Some(folds.unseen(collection.name(), &site.name))
    };
    let mut cases = Vec::new();
    for method in &methods {
        for collection in &collections {
            cases.extend(drift(collection, method, &trees)?);
        }
    }
    let table = DriftTable(&cases);
    let by_site = || table.by_site();
    args.report.print("cases", || table.json(), &table, by_site)
}

/// Pages of an era that are needed to learn from the half of them.
const HALVES: usize = 2;

/// The trees of `onepage` for a site of a collection.
pub type TreesOf<'a> = dyn Fn(&Collection, &GoldSite) -> Option<Arc<BlockModel>> + Sync + 'a;

/// Learns each era of each site of a collection, and checks it on later eras and on the
/// halves of its own. `trees` may give the learner and the check other trees than
/// those that come with the program: those that have not seen a site.
///
/// # Errors
///
/// If a file of the collection cannot be read.
pub fn drift(
    collection: &Collection,
    method: &Method,
    trees: &TreesOf<'_>,
) -> Result<Vec<DriftCase>> {
    let brands = order::all(collection);
    let cases: Result<Vec<Vec<DriftCase>>> = brands
        .par_iter()
        .map(|brand| of_brand(collection, brand, method, trees))
        .collect();
    Ok(cases?.into_iter().flatten().collect())
}

/// A page with its gold.
type GoldSample<'a> = (&'a SamplePage, &'a Gold);

/// A wrapper with the pages that it was learned from.
struct LearnedWrapper<'a> {
    extractor: Extractor,
    own: Vec<GoldSample<'a>>,
}

fn of_brand(
    collection: &Collection,
    brand: &Brand,
    method: &Method,
    trees: &TreesOf<'_>,
) -> Result<Vec<DriftCase>> {
    let sites: BTreeSet<usize> = brand.iter().map(|era| era.site).collect();
    let read = |site: usize| {
        let read = EvalSite::read(collection, &collection.sites()[site])?;
        Ok((site, read))
    };
    let sites: BTreeMap<usize, EvalSite> = sites.into_iter().map(read).collect::<Result<_>>()?;
    let pages = |era: &Era| -> Vec<GoldSample<'_>> {
        let site = &sites[&era.site];
        let known = era.pages.iter().flat_map(|&at| site.scored(at..at + 1));
        known.collect()
    };
    let mut out = Vec::new();
    for (at, era) in brand.iter().enumerate() {
        let mut options = LearnOptions::default()
            .with_method(*method)
            .with_min_pages(1)
            .with_any_host(true);
        if let Some(trees) = trees(collection, &collection.sites()[era.site]) {
            options = options.with_model(trees);
        }
        let all = pages(era);
        let next = brand.get(at + 1);
        let case = |learner: &LearnedWrapper<'_>, to: &Era, step, pages: &[GoldSample<'_>]| {
            let mut case = checked(learner, pages, &options);
            case.collection = collection.name().to_owned();
            case.from.clone_from(&era.name);
            case.to.clone_from(&to.name);
            case.step = step;
            case
        };
        if all.len() >= HALVES {
            let (one, other) = all.split_at(all.len() / 2);
            for (own, rest) in [(one, other), (other, one)] {
                let Some(learner) = learned(own, &options) else {
                    continue;
                };
                out.push(case(&learner, era, EraStep::Half, rest));
                if let Some(next) = next {
                    let new = pages(next);
                    let both = rest.iter().zip(&new);
                    let mixed: Vec<GoldSample<'_>> = both.flat_map(|(a, b)| [*a, *b]).collect();
                    out.push(case(&learner, next, EraStep::Mixed, &mixed));
                }
            }
        }
        if next.is_none() {
            continue;
        }
        let Some(learner) = learned(&all, &options) else {
            continue;
        };
        for (later, to) in brand.iter().enumerate().skip(at + 1) {
            let step = if later == at + 1 {
                EraStep::Next
            } else {
                EraStep::Later
            };
            let pages = pages(to);
            if !pages.is_empty() {
                out.push(case(&learner, to, step, &pages));
            }
        }
    }
    Ok(out)
}

fn learned<'a>(pages: &[GoldSample<'a>], options: &LearnOptions) -> Option<LearnedWrapper<'a>> {
    let LearnOutcome::Learned(learned) = learn_from(&samples(pages), options) else {
        return None;
    };
    Some(LearnedWrapper {
        extractor: Extractor::new(learned.wrapper).ok()?,
        own: pages.to_vec(),
    })
}

fn samples<'a>(pages: &[GoldSample<'a>]) -> Vec<&'a SamplePage> {
    pages.iter().map(|(page, _)| *page).collect()
}

/// F1 of what a wrapper selects, without any fall-back.
fn f1(extractor: &Extractor, (sample, gold): &GoldSample<'_>) -> f64 {
    let found = extractor.matcher().find(&sample.page);
    let text = found.map_or_else(String::new, |found| text(&sample.page, &found.kept));
    score(gold, &text)
}

fn score(gold: &Gold, text: &str) -> f64 {
    let mut gold = GoldTexts::new(gold.refs.iter().map(String::as_str));
    gold.score("", text).two_gram.f1
}

fn mean_f1(extractor: &Extractor, pages: &[GoldSample<'_>]) -> f64 {
    mean(
        &pages
            .iter()
            .map(|page| f1(extractor, page))
            .collect::<Vec<_>>(),
    )
}

fn checked(
    learner: &LearnedWrapper<'_>,
    pages: &[GoldSample<'_>],
    options: &LearnOptions,
) -> DriftCase {
    let extractor = &learner.extractor;
    let look = |(sample, _): &GoldSample<'_>| {
        let item = sample.item_text();
        options.with_scored(&sample.page, |page| {
            drift::observe(extractor, &sample.name, page, item.as_deref(), |_| None)
        })
    };
    let seen: Vec<PageObservation> = pages.iter().map(look).collect();
    let verdict = |seen: &[PageObservation]| {
        drift::report(extractor.wrapper(), extractor.matcher(), seen).verdict
    };
    let mut blind = seen.clone();
    blind.iter_mut().for_each(|seen| seen.item = None);
    let mut watch = SiteWatch::default();
    let mut alarm = |seen: &PageObservation| {
        watch.see(
            DateTime::UNIX_EPOCH,
            PageSign::of(extractor.wrapper(), seen),
        );
        watch.verdict() == Verdict::Drift
    };
    let alarm_after = seen.iter().position(&mut alarm);
    DriftCase {
        collection: String::new(),
        method: options.method(),
        from: String::new(),
        to: String::new(),
        step: EraStep::Half,
        own: mean_f1(extractor, &learner.own),
        f1: pages.iter().map(|page| f1(extractor, page)).collect(),
        verdict: verdict(&seen),
        without_feed: verdict(&blind),
        alarm_after: alarm_after.map(|at| at + 1),
        relearned: learned_again(learner, pages, options),
        seen,
    }
}

fn learned_again(
    learner: &LearnedWrapper<'_>,
    pages: &[GoldSample<'_>],
    options: &LearnOptions,
) -> Relearned {
    let (stored, newest) = (samples(&learner.own), samples(pages));
    let trial = RelearnTrial {
        old: &learner.extractor,
        stored: &stored,
        newest: &newest,
        is_asked: false,
    };
    let (how, f1) = match relearn(&trial, options, "") {
        Decision::Promote(promotion) => {
            let new = Extractor::new(promotion.wrapper);
            let f1 = new.map_or(0.0, |new| mean_f1(&new, pages));
            (Some(promotion.old_templates), f1)
        }
        Decision::Keep(_) => (None, mean_f1(&learner.extractor, pages)),
    };
    let afresh = learned(pages, options);
    let fallen_back = |(sample, gold): &GoldSample<'_>| {
        let kept = options.fall_back(&sample.page);
        score(gold, &text(&sample.page, &kept))
    };
    Relearned {
        one_page: mean(&pages.iter().map(fallen_back).collect::<Vec<_>>()),
        how,
        f1,
        afresh: afresh.map_or(0.0, |afresh| mean_f1(&afresh.extractor, pages)),
    }
}
