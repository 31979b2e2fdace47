//! The limits of `forest`, searched on sites of some publishers and measured on those of others.

use super::unseen::UnseenScores;
use super::{Folds, TuneLabArgs};
use crate::training::{FOLDS, FoldTrees};
use forest_core::learn::{ForestLimits, Method, SignifierSource};
use forest_core::onepage::BlockModel;
use forest_eval::eval::{EvalSite, Setup, SplitMix64};
use forest_eval::tune::{Individual, Optimiser, POPULATION, TunePlan, fittest, tune};
use forest_sources::gold::Collection;
use forest_text::pipeline::{Parameter, ParameterKind, Setting};
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;

/// Pages of a site that a wrapper is learned from where it is scored on the others.
const LEARN_ON: usize = 5;

/// A limit: its name, the lowest and the highest value that is tried, their distance, and its
/// place.
type LimitRow = (&'static str, [f64; 3], fn(&mut ForestLimits) -> &mut f32);

/// The limits that are searched.
const LIMITS: [LimitRow; 12] = [
    ("fits", [0.3, 0.8, 0.05], |l| &mut l.fits),
    ("piece_gain", [0.0, 0.05, 0.005], |l| &mut l.piece_gain),
    ("longevity", [0.0, 3.0, 0.25], |l| &mut l.longevity),
    ("strip_cost", [0.0, 0.005, 0.0005], |l| &mut l.strip_cost),
    ("stripped_cost", [0.0, 0.2, 0.02], |l| &mut l.stripped_cost),
    ("noise", [0.2, 0.7, 0.05], |l| &mut l.noise),
    ("noise_of_tag", [0.1, 0.6, 0.05], |l| &mut l.noise_of_tag),
    ("noise_of_page", [0.05, 0.5, 0.05], |l| &mut l.noise_of_page),
    ("strip_pages", [0.05, 0.5, 0.05], |l| &mut l.strip_pages),
    ("max_loss", [0.05, 0.5, 0.05], |l| &mut l.max_loss),
    ("repeated", [0.2, 0.8, 0.05], |l| &mut l.repeated),
    ("nearly_all", [0.5, 1.0, 0.05], |l| &mut l.nearly_all),
];

fn parameters() -> Vec<Parameter> {
    let of_row = |(name, [from, to, step], _): &LimitRow| Parameter {
        name: (*name).into(),
        kind: ParameterKind::Number {
            limits: (*from, *to),
            searched: (*from, *to),
            step: *step,
        },
        group: None,
        is_searched: true,
    };
    LIMITS.iter().map(of_row).collect()
}

/// The limits of a setting.
fn limits(parameters: &[Parameter], setting: &Setting) -> ForestLimits {
    let mut limits = ForestLimits::default();
    for ((row, parameter), &place) in LIMITS.iter().zip(parameters).zip(setting) {
        *(row.2)(&mut limits) = parameter.value_at(place) as f32;
    }
    limits
}

/// The setting that is nearest to the program's limits.
fn shipped(parameters: &[Parameter]) -> Setting {
    let mut limits = ForestLimits::default();
    let rows = LIMITS.iter().zip(parameters);
    rows.map(|(row, parameter)| parameter.place_of(f64::from(*(row.2)(&mut limits))))
        .collect()
}

/// A site with trees that have not seen its publisher.
struct LimitSite {
    collection: usize,
    fold: u64,
    publisher: String,
    site: EvalSite,
    trees: Arc<BlockModel>,
}

impl LimitSite {
    fn all(folds: &Folds<'_>, trees: &FoldTrees) -> forest_eval::Result<Vec<LimitSite>> {
        let sites = folds.collections.iter().enumerate();
        let sites = sites.flat_map(|(at, of)| of.sites().iter().map(move |site| (at, of, site)));
        let all: Vec<(usize, &Collection, _)> = sites.collect();
        all.into_par_iter()
            .map(|(collection, of, site)| {
                let publisher = folds.publishers.publisher(of.name(), &site.name);
                Ok(LimitSite {
                    collection,
                    fold: trees.fold(of.name(), &site.name),
                    publisher: publisher.to_owned(),
                    site: EvalSite::read(of, site)?,
                    trees: trees.unseen(of.name(), &site.name),
                })
            })
            .collect()
    }

    /// F1 by 2-grams and by words of its pages: learned from all of them, and from the first
    /// ones on the others.
    fn f1(&self, limits: ForestLimits) -> Vec<[f64; 2]> {
        let mut setup = Setup::of(Method::Forest, SignifierSource::default());
        let trees = Arc::clone(&self.trees);
        setup.options = setup.options.with_model(trees).with_limits(limits);
        setup.options = setup.options.with_fields(false);
        let learned = self.site.run(&setup);
        let unseen = self.site.run(&setup.unseen(LEARN_ON));
        let both = learned.into_iter().chain(unseen);
        both.map(|page| [page.score.two_gram.f1, page.score.word_lcs.f1])
            .collect()
    }
}

/// The scores of sites under the limits that are theirs.
fn scores(sites: &[&LimitSite], of: impl Fn(&LimitSite) -> ForestLimits + Sync) -> UnseenScores {
    let by_site: Vec<Vec<[f64; 2]>> = sites.par_iter().map(|site| site.f1(of(site))).collect();
    let pages = sites.iter().zip(by_site).flat_map(|(site, f1)| {
        let publisher = (site.collection, site.publisher.clone());
        f1.into_iter().map(move |f1| (f1, publisher.clone()))
    });
    UnseenScores::of_pages(pages.collect())
}

/// Sites that are not of a fold, with `size` pages: the collections take turns.
fn sample(sites: &[LimitSite], fold: u64, size: usize, seed: u64) -> Vec<&LimitSite> {
    let mut random = SplitMix64::new(seed);
    let mut turns: Vec<Vec<&LimitSite>> = Vec::new();
    for site in sites.iter().filter(|site| site.fold != fold) {
        turns.resize_with(turns.len().max(site.collection + 1), Vec::new);
        turns[site.collection].push(site);
    }
    turns.iter_mut().for_each(|turn| random.shuffle(turn));
    let mut drawn: Vec<&LimitSite> = Vec::new();
    let mut pages = 0;
    while pages < size && turns.iter().any(|turn| !turn.is_empty()) {
        let round = turns.iter_mut().filter_map(Vec::pop);
        for site in round {
            pages += site.site.samples().len();
            drawn.push(site);
        }
    }
    drawn
}

/// Prints the limits that are found for each fold, and what they gain on its sites.
pub fn report(args: &TuneLabArgs, folds: &Folds<'_>, trees: &Path) -> anyhow::Result<()> {
    let trees = FoldTrees::kept_in(trees, folds.collections)?;
    let sites = LimitSite::all(folds, &trees)?;
    let parameters = parameters();
    let all: Vec<&LimitSite> = sites.iter().collect();
    let first = scores(&all, |_| ForestLimits::default());
    super::print_row("the program's", "", std::slice::from_ref(&first), None);
    let mut of_seeds = Vec::new();
    let mut fitness = 0.0;
    let mut found = String::new();
    for seed in 1..=args.seeds {
        let mut best = Vec::new();
        for fold in 0..FOLDS {
            let sample = sample(&sites, fold, args.sample, seed);
            let one = search(args, seed, &parameters, &sample);
            fitness += one.fitness / (args.seeds * FOLDS) as f64;
            let limits = limits(&parameters, &one.proposal.setting);
            let line = format!(
                "- seed {seed}, fold {fold}, {:.4}: {limits:?}\n",
                one.fitness
            );
            eprint!("{line}");
            found.push_str(&line);
            best.push(limits);
        }
        of_seeds.push(scores(&all, |site| best[site.fold as usize]));
    }
    let fitness = format!("{fitness:.4}");
    super::print_row("tuned", &fitness, &of_seeds, Some(&first));
    println!("\n{found}");
    Ok(())
}

fn search(
    args: &TuneLabArgs,
    seed: u64,
    parameters: &[Parameter],
    sample: &[&LimitSite],
) -> Individual {
    let plan = TunePlan {
        optimiser: args
            .optimisers
            .first()
            .copied()
            .unwrap_or(Optimiser::Evolution),
        seed,
        population: POPULATION,
        generations: args.generations,
        patience: args.patience,
    };
    let history = tune(parameters, &[shipped(parameters)], &plan, |proposals| {
        let fitness = proposals.iter().map(|one| {
            let limits = limits(parameters, &one.setting);
            scores(sample, |_| limits).macro_average()[1]
        });
        Ok::<_, std::convert::Infallible>(fitness.collect())
    });
    let Ok(history) = history;
    fittest(&history).cloned().expect("a first generation")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_of_the_program_are_among_those_that_are_tried() {
        let parameters = parameters();
        let setting = shipped(&parameters);
        let mut nearest = limits(&parameters, &setting);
        let mut known = ForestLimits::default();
        for (row, parameter) in LIMITS.iter().zip(&parameters) {
            assert_eq!(
                (row.2)(&mut nearest),
                (row.2)(&mut known),
                "{}",
                parameter.name
            );
        }
    }
}
