//! The plan of a search.

use super::optimiser::Optimiser;

/// Individuals of a generation.
pub const POPULATION: usize = 30;

/// Generations after the first at the most.
pub const GENERATIONS: usize = 50;

/// Generations in a row without improvement that end a search.
pub const PATIENCE: usize = 5;

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
