//! The loop of a search: generations of proposals, and their fitness.

use super::evolution::Evolution;
use super::individual::{Individual, Origin, Proposal, fittest, ranked};
use super::model::ParzenModel;
use super::optimiser::{self, Optimiser};
use super::plan::TunePlan;
use crate::eval::SplitMix64;
use forest_text::pipeline::{Parameter, Setting};
use std::collections::HashSet;

/// Draws of a child that has not been tried, before one is drawn at random.
const DRAWS: usize = 50;

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
            let all = plan.population * (plan.generations + 1);
            let budget = all.saturating_sub(first.len());
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
