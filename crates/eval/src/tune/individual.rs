//! Settings that are to be tried, and those that were.

use forest_text::pipeline::Setting;

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
