//! The evolutionary tuner: parameters of one-page methods and pipelines, optimised on pages
//! whose right text is known. Gottron 2009, sections 4 to 6.
//!
//! Takes the parameters of a [`Blueprint`](forest_text::pipeline::Blueprint), a [`TunePlan`] and a
//! function that gives the fitness of settings; gives the [history](Individual): every setting
//! that was tried, in order. One seed gives one history, on any number of threads: the function
//! gets the settings of a generation at once and may share them out.
//!
//! ```text
//! random settings and injected ones -> fitness -> the fittest are parents
//!        -> children: recombined or mutated -> fitness -> ... until nothing improves
//! ```
//!
//! - [`tune()`]: the loop, in `search`; [`TunePlan`]: the way; `optimiser`: the [optimisers](Optimiser) by name; `evolution`: parents
//!   and children; `model`: a model of the good values.
//! - [`Fitness`]: from the scores of pages to the fitness of a setting.
//! - [`sample()`]: the pages that fitness is measured on; [`TunePages`]: these pages, kept.
//! - [`TuneLog`]: the history as lines, and what an interrupted run left of it.
//! - [`Tuned`]: the result: in `tables` as Markdown, in `charts` as SVG, beside Gottron's own
//!   figures (`paper`).
//!
//! **As published** (`evolution`): random settings within the ranges, injected individuals,
//! recombination of two of the better individuals, mutation by random deviations, an end after
//! several generations without improvement.
//!
//! **What the paper leaves open**, and what was chosen:
//!
//! - Ranges and steps: those of [`Parameter`](forest_text::pipeline::Parameter): shares of 0 to 1 by
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
//! [`Blueprint::structure`](forest_text::pipeline::Blueprint::structure), fitness with a bound on the
//! other value [`Fitness::Recall`] and [`Fitness::Precision`].
//!
//! Other optimisers, on the same number of settings: `random` draws them, `grid` lays them
//! evenly over the ranges, `tpe` is a tree of Parzen estimators (Bergstra et al. 2011).

mod charts;
mod evolution;
mod fitness;
mod individual;
mod log;
mod model;
mod optimiser;
mod pages;
mod paper;
mod plan;
mod sample;
mod search;
mod tables;
mod target;
#[cfg(test)]
mod tests;
mod tuned;

pub use fitness::Fitness;
pub use individual::{Individual, Proposal, fittest, ranked};
pub use log::{TuneLog, whole_lines};
pub use optimiser::Optimiser;
pub use pages::TunePages;
pub use plan::{GENERATIONS, PATIENCE, POPULATION, TunePlan};
pub use sample::{PagePlace, listed, sample};
pub use search::tune;
pub use target::TuneTarget;
pub use tuned::Tuned;
