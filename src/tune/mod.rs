//! The evolutionary tuner: parameters of one-page methods and pipelines, optimised on pages
//! whose right text is known. Gottron 2009, sections 4 to 6.
//!
//! Takes the parameters of a [`Blueprint`](crate::pipeline::Blueprint), a [`TunePlan`] and a
//! function that gives the fitness of settings; gives the [history](Individual): every setting
//! that was tried, in order. One seed gives one history, on any number of threads: the function
//! gets the settings of a generation at once and may share them out.
//!
//! ```text
//! random settings and injected ones -> fitness -> the fittest are parents
//!        -> children: recombined or mutated -> fitness -> ... until nothing improves
//! ```
//!
//! - [`tune`]: the loop; `optimiser`: the [optimisers](Optimiser) by name; `evolution`: parents
//!   and children; `model`: a model of the good values.
//! - [`Fitness`]: from the scores of pages to the fitness of a setting.
//! - [`sample`]: the pages that fitness is measured on; [`TunePages`]: these pages, kept.
//! - [`TuneLog`]: the history as lines, and what an interrupted run left of it.
//!
//! **As published** (`evolution`): random settings within the ranges, injected individuals,
//! recombination of two of the better individuals, mutation by random deviations, an end after
//! several generations without improvement.
//!
//! **What the paper leaves open**, and what was chosen:
//!
//! - Ranges and steps: those of [`Parameter`](crate::pipeline::Parameter): shares of 0 to 1 by
//!   0.01, neighbourhoods of 1 to 100 entries, of TTR 1 to 10 lines, λ of 0 to 3 by 0.05.
//!   A value that is recombined or mutated stays on its steps; beyond an end it is the end.
//! - Population: 30; the injected individuals are among the first 30.
//! - Parents: the fittest third of a population's size of *all* individuals so far, so that
//!   the best is never lost; of equals the one that was tried first.
//! - Children: as many as the population has; each is recombined or mutated with probability
//!   1/2.
//! - Recombination: each value comes from either of two different parents.
//! - Mutation: one value at random deviates, and each other with probability 1/n. The
//!   deviation is normal, a tenth of the range, at least one step; a name or a flag becomes
//!   another one.
//! - Duplicates: a child that was tried before is drawn again, after 50 draws at random;
//!   nothing is evaluated twice. If everything was tried, the search ends.
//! - The end: five generations in a row without a better fittest individual, or the limit.
//!
//! **Its future work** (`adaptive`, section 6): values of one group are recombined by their
//! mean; the deviation grows by a quarter after a generation in which more than a fifth of the
//! children were fitter than the last parent, and shrinks by a fifth otherwise (the rule of one
//! fifth of Rechenberg 1973); there is a parent less after an improvement and one more without.
//! The structure of pipelines as parameters is
//! [`Blueprint::structure`](crate::pipeline::Blueprint::structure), fitness with a bound on the
//! other value [`Fitness::Recall`] and [`Fitness::Precision`].
//!
//! Other optimisers, on the same number of settings: `random` draws them, `grid` lays them
//! evenly over the ranges, `tpe` is a tree of Parzen estimators (Bergstra et al. 2011).

mod evolution;
mod fitness;
mod log;
mod model;
mod optimiser;
mod pages;
mod sample;
#[cfg(test)]
mod tests;

use crate::eval::SplitMix64;
use crate::pipeline::{Parameter, Setting};
use evolution::Evolution;
use model::ParzenModel;
use std::collections::HashSet;

pub use fitness::Fitness;
pub use log::{TuneLog, whole_lines};
pub use optimiser::Optimiser;
pub use pages::TunePages;
pub use sample::{PagePlace, listed, sample};

/// Individuals of a generation.
pub const POPULATION: usize = 30;

/// Generations after the first at the most.
pub const GENERATIONS: usize = 50;

/// Generations in a row without improvement that end a search.
pub const PATIENCE: usize = 5;

/// Draws of a child that has not been tried, before one is drawn at random.
const DRAWS: usize = 50;

/// The way to search, and for how long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TunePlan {
    /// The optimiser.
    pub optimiser: Optimiser,
    /// The seed of all that is random.
    pub seed: u64,
    /// Individuals of a generation, at least 1.
    pub population: usize,
    /// Generations after the first at the most.
    pub generations: usize,
    /// Generations in a row without improvement that end the search; a grid goes on.
    pub patience: usize,
}

impl Default for TunePlan {
    fn default() -> TunePlan {
        TunePlan {
            optimiser: Optimiser::default(),
            seed: 1,
            population: POPULATION,
            generations: GENERATIONS,
            patience: PATIENCE,
        }
    }
}

/// The way an individual came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Given from outside.
    Injected,
    /// Drawn.
    Random,
    /// Values of two parents.
    Recombined,
    /// A parent with deviations.
    Mutated,
    /// A point of the grid.
    Grid,
    /// Drawn from a model of the better individuals.
    Model,
}

/// A setting that is to be tried.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The generation, from 0.
    pub generation: usize,
    /// The way it came about.
    pub origin: Origin,
    /// Its values.
    pub setting: Setting,
}

/// A setting that was tried.
#[derive(Debug, Clone, PartialEq)]
pub struct Individual {
    /// The setting.
    pub proposal: Proposal,
    /// Its fitness; more is better.
    pub fitness: f64,
}

/// Searches for fit settings. `evaluate` gives the fitness of each proposal of a generation.
///
/// # Errors
///
/// The first one of `evaluate`.
pub fn tune<E>(
    space: &[Parameter],
    injected: &[Setting],
    plan: &TunePlan,
    mut evaluate: impl FnMut(&[Proposal]) -> Result<Vec<f64>, E>,
) -> Result<Vec<Individual>, E> {
    let mut search = Search::new(space, injected, plan);
    let mut stale = 0;
    for generation in 0..=plan.generations {
        let proposals = search.propose(generation);
        if proposals.is_empty() {
            break;
        }
        let fitness = evaluate(&proposals)?;
        let before = fittest(&search.history).map(|best| best.fitness);
        let tried = proposals.into_iter().zip(fitness);
        let tried = tried.map(|(proposal, fitness)| Individual { proposal, fitness });
        search.history.extend(tried);
        let now = fittest(&search.history).map(|best| best.fitness);
        stale = if now > before { 0 } else { stale + 1 };
        if stale >= plan.patience && plan.optimiser != Optimiser::Grid {
            break;
        }
    }
    Ok(search.history)
}

/// The individuals from the fittest on; of equals the one that was tried first.
pub fn ranked(history: &[Individual]) -> Vec<&Individual> {
    let mut ranked: Vec<&Individual> = history.iter().collect();
    ranked.sort_by(|a, b| b.fitness.total_cmp(&a.fitness));
    ranked
}

/// The first of the [`ranked`].
pub fn fittest(history: &[Individual]) -> Option<&Individual> {
    history.iter().reduce(|best, one| {
        if one.fitness > best.fitness {
            one
        } else {
            best
        }
    })
}

/// A search in progress.
struct Search<'a> {
    space: &'a [Parameter],
    plan: &'a TunePlan,
    random: SplitMix64,
    /// Settings that are to be tried first, last one first: injected ones or a grid's.
    given: Vec<Proposal>,
    seen: HashSet<Setting>,
    history: Vec<Individual>,
    evolution: Evolution,
    model: ParzenModel,
}

impl<'a> Search<'a> {
    fn new(space: &'a [Parameter], injected: &[Setting], plan: &'a TunePlan) -> Search<'a> {
        let given = |origin: Origin, setting: Setting| Proposal {
            generation: 0,
            origin,
            setting,
        };
        let injected = injected.iter().cloned();
        let mut first: Vec<Proposal> = injected.map(|s| given(Origin::Injected, s)).collect();
        if plan.optimiser == Optimiser::Grid {
            let budget = plan.population * (plan.generations + 1) - first.len();
            let points = optimiser::grid(space, budget).into_iter();
            first.extend(points.map(|s| given(Origin::Grid, s)));
        }
        first.reverse();
        Search {
            space,
            plan,
            random: SplitMix64::new(plan.seed),
            given: first,
            seen: HashSet::new(),
            history: Vec::new(),
            evolution: Evolution::new(plan),
            model: ParzenModel::new(space),
        }
    }

    /// The settings of a generation; fewer than the population if there are no others.
    fn propose(&mut self, generation: usize) -> Vec<Proposal> {
        let last = self.history.last().map_or(0, |one| one.proposal.generation);
        let of_last = |one: &&Individual| one.proposal.generation == last;
        let newest: Vec<Individual> = self.history.iter().filter(of_last).cloned().collect();
        match self.plan.optimiser {
            Optimiser::Adaptive if generation > 0 => self.evolution.adapt(&self.history, last),
            Optimiser::Tpe => self.model.learn(&newest),
            _ => {}
        }
        let mut proposals = Vec::new();
        while proposals.len() < self.plan.population && self.seen.len() < self.size() {
            let Some((origin, setting)) = self.draw(generation) else {
                break;
            };
            if self.seen.insert(setting.clone()) {
                proposals.push(Proposal {
                    generation,
                    origin,
                    setting,
                });
            }
        }
        proposals
    }

    /// The number of settings that there are.
    fn size(&self) -> usize {
        let steps = self.space.iter().map(Parameter::steps);
        steps.fold(1, usize::saturating_mul)
    }

    /// A setting to try next; `None` if a grid has no more.
    fn draw(&mut self, generation: usize) -> Option<(Origin, Setting)> {
        if let Some(given) = self.given.pop() {
            return Some((given.origin, given.setting));
        }
        let optimiser = self.plan.optimiser;
        if optimiser == Optimiser::Grid {
            return None;
        }
        if generation > 0 && optimiser != Optimiser::Random {
            let ranked = ranked(&self.history);
            for _ in 0..DRAWS {
                let (origin, setting) = match optimiser {
                    Optimiser::Tpe => (Origin::Model, self.model.draw(&mut self.random)),
                    _ => self.evolution.child(self.space, &ranked, &mut self.random),
                };
                if !self.seen.contains(&setting) {
                    return Some((origin, setting));
                }
            }
        }
        let place = |parameter: &Parameter| self.random.below(parameter.steps());
        Some((Origin::Random, self.space.iter().map(place).collect()))
    }
}
