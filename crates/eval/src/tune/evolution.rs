//! Parents and children: recombination and mutation (Gottron 4), and their adaptation
//! (Gottron 6).

use super::individual::{Individual, Origin};
use super::optimiser::Optimiser;
use super::plan::TunePlan;
use crate::eval::SplitMix64;
use forest_text::pipeline::{Parameter, Setting};

/// The share of a population's size that are parents: the fittest third.
const PARENTS: f64 = 1.0 / 3.0;

/// The deviation of a mutation, as a share of a parameter's range.
const DEVIATION: f64 = 0.1;

/// The range of an adapted deviation: from a step of a hundred to nearly any value.
const DEVIATIONS: (f64, f64) = (0.01, 0.3);

/// The share of fitter children above which the deviation grows (Rechenberg 1973).
const SUCCESS: f64 = 0.2;

/// The process's own parameters.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Evolution {
    population: usize,
    parents: usize,
    deviation: f64,
    /// Values of one group are recombined by their mean.
    by_mean: bool,
}

impl Evolution {
    pub fn new(plan: &TunePlan) -> Evolution {
        Evolution {
            population: plan.population,
            parents: ((plan.population as f64 * PARENTS).round() as usize).max(2),
            deviation: DEVIATION,
            by_mean: plan.optimiser == Optimiser::Adaptive,
        }
    }

    /// Adapts the deviation and the number of parents to the success of a generation.
    pub fn adapt(&mut self, history: &[Individual], generation: usize) {
        let (newest, before): (Vec<_>, Vec<_>) = history
            .iter()
            .partition(|one| one.proposal.generation == generation);
        let mut fitness: Vec<f64> = before.iter().map(|one| one.fitness).collect();
        fitness.sort_unstable_by(|a, b| b.total_cmp(a));
        let (Some(best), Some(last)) = (
            fitness.first(),
            fitness.get(self.parents.min(fitness.len()).saturating_sub(1)),
        ) else {
            return;
        };
        let fitter = newest.iter().filter(|one| one.fitness > *last).count();
        let is_success = fitter as f64 > SUCCESS * newest.len() as f64;
        let factor = if is_success { 1.25 } else { 0.8 };
        self.deviation = (self.deviation * factor).clamp(DEVIATIONS.0, DEVIATIONS.1);
        let is_better = newest.iter().any(|one| one.fitness > *best);
        let parents = if is_better {
            self.parents - 1
        } else {
            self.parents + 1
        };
        self.parents = parents.clamp(2, (self.population / 2).max(2));
    }

    /// A child of the fittest.
    pub fn child(
        &self,
        space: &[Parameter],
        ranked: &[&Individual],
        random: &mut SplitMix64,
    ) -> (Origin, Setting) {
        let parents = &ranked[..self.parents.min(ranked.len())];
        let first = random.below(parents.len());
        let setting = |at: usize| &parents[at].proposal.setting;
        if parents.len() == 1 || random.below(2) == 0 {
            return (Origin::Mutated, self.mutated(space, setting(first), random));
        }
        let second = (first + 1 + random.below(parents.len() - 1)) % parents.len();
        let child = self.recombined(space, setting(first), setting(second), random);
        (Origin::Recombined, child)
    }

    fn recombined(
        &self,
        space: &[Parameter],
        first: &Setting,
        second: &Setting,
        random: &mut SplitMix64,
    ) -> Setting {
        let values = space.iter().zip(first.iter().zip(second));
        let value = |(parameter, (a, b)): (&Parameter, (&usize, &usize))| {
            if self.by_mean && parameter.group.is_some() && parameter.is_ordered() {
                // The half goes up or down at random, or the mean would drift.
                (a + b + random.below(2)) / 2
            } else if random.below(2) == 0 {
                *a
            } else {
                *b
            }
        };
        values.map(value).collect()
    }

    fn mutated(&self, space: &[Parameter], parent: &Setting, random: &mut SplitMix64) -> Setting {
        let surely = random.below(space.len());
        let mut child = parent.clone();
        for (at, parameter) in space.iter().enumerate() {
            if at == surely || random.below(space.len()) == 0 {
                child[at] = self.deviated(parameter, parent[at], random);
            }
        }
        child
    }

    /// Another value of a parameter.
    fn deviated(&self, parameter: &Parameter, place: usize, random: &mut SplitMix64) -> usize {
        let last = parameter.steps() - 1;
        if last == 0 {
            return place;
        }
        if !parameter.is_ordered() {
            return (place + 1 + random.below(last)) % (last + 1);
        }
        let steps = random.normal() * self.deviation * last as f64;
        let steps = if steps < 0.0 {
            steps.min(-1.0)
        } else {
            steps.max(1.0)
        };
        (place as f64 + steps).round().clamp(0.0, last as f64) as usize
    }
}
