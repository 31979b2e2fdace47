//! The trees of `onepage`: training them, and trees that have not seen a publisher.
//!
//! - `publisher`: the publisher of a site, and its fold.
//! - `blocks`: pages with gold, their blocks with features and labels.
//! - `booster`: the learner.
//! - `folds`: for each fold the trees that have not seen its publishers.
//! - `onepage`: the command.

mod blocks;
mod booster;
mod folds;
mod onepage;
mod publisher;

pub use blocks::Example;
pub use booster::{TrainingRows, block_learner, tree_line, write_boosted};
pub use folds::{FoldTrees, examples};
pub use onepage::{OnepageArgs, run};
pub use publisher::{FOLDS, Publishers, hash};
