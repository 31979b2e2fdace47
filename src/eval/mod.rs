//! How good an extractor is: metrics of one page, and figures over many.
//!
//! Takes texts, an extractor's and those that count as right, and gives
//! precision, recall and F1 under two definitions that carry their names:
//!
//! * **set of word 2-grams** ([`TwoGrams`]), FOREST's own measure (section 4);
//! * **longest common subsequence of words** ([`word_lcs`]; Gottron 2007, and
//!   2009, section 3).
//!
//! Words are [`metric_tokens`](crate::text::metric_tokens) under both. A page
//! may have several acceptable texts (with or without its headline): under each
//! measure the one with the best F1 counts. [`Summary`] has the figures over
//! pages and [`bootstrap_over_sites`] says how far they would move with other
//! sites. [`mod@eras`] says how long wrappers live, [`mod@drift`] whether it is noticed that one
//! does not, [`passages`] which texts answer
//! questions, [`mod@tables`] how often it is right what a table and its cells are.
//!
//! # Departures
//!
//! FOREST takes its confidence interval from the normal approximation over 90
//! sites; here sites are resampled, as the means of small collections are not
//! normal. Several acceptable texts a page are this project's. A text of one
//! word has no 2-gram and is compared by its word.

pub mod drift;
mod dump;
pub mod eras;
mod experiment;
mod fields;
mod gate;
mod metrics;
mod overview;
pub mod passages;
pub mod plot;
mod report;
mod run;
mod setup;
mod summary;
mod table;
pub mod tables;
#[cfg(test)]
mod tests;

pub use dump::dump;
pub use experiment::{Experiment, Trial, UnknownExperiment};
pub use fields::{FieldCount, FieldCounts, FieldTable, RightFields, SiteFields, fields};
pub use gate::{Fault, Floor, Floors, MARGIN, Pinned};
pub use metrics::{GoldTexts, PageScore, Score, TwoGrams, word_lcs};
pub use overview::Overview;
pub use report::{Outcome, Plan, Scores, Section, conduct, csv, report};
pub use run::{EvalSite, Extracted, run, scores};
pub use setup::{Setup, Share};
pub use summary::{
    Distribution, Interval, PERCENTILES, RESAMPLES, Summary, bootstrap_over_sites, by_site,
    percentile,
};
pub use table::{Row, Table};
