//! The quality of an extractor: metrics of one page, and figures over many.
//!
//! Takes texts, an extractor's and those that count as right, and gives
//! precision, recall and F1 under two definitions that carry their names:
//!
//! * **set of word 2-grams** ([`TwoGrams`]), FOREST's own measure (section 4);
//! * **longest common subsequence of words** ([`word_lcs`]; Gottron 2007, and
//!   2009, section 3).
//!
//! Words are [`metric_tokens`](forest_html::text::metric_tokens) under both. A page
//! may have several acceptable texts (with or without its headline): under each
//! measure the one with the best F1 counts. [`Summary`] has the figures over
//! pages and [`bootstrap_over_sites`] bounds how far they would move with other
//! sites. The papers' experiments and the reports of `docs/` are made by the lab next
//! door, the package `forest-lab` in `lab/`. `lists` scores wrappers of lists by their items'
//! links, titles and dates.
//!
//! # Departures
//!
//! FOREST takes its confidence interval from the normal approximation over 90
//! sites; here sites are resampled, as the means of small collections are not
//! normal. Several acceptable texts a page are this project's. A text of one
//! word has no 2-gram and is compared by its word.

mod check;
mod dump;
mod fields;
mod gate;
mod kinds;
mod metrics;
mod overview;
mod lists;
mod random;
mod run;
mod setup;
mod site;
mod strips;
mod svg;
mod summary;
mod table;
#[cfg(test)]
mod tests;

pub use check::{CheckedWrapper, check_pages};
pub use dump::dump;
pub use fields::fields;
pub use gate::{Floor, Floors, GateFault, Pinned, PinnedLists};
pub use kinds::{KindTable, kinds};
pub use lists::{ListTable, lists};
pub use metrics::{GoldTexts, PageScore};
pub use overview::Overview;
pub use run::{ScoredText, run};
pub use setup::Setup;
pub use strips::strips;
pub use summary::{Distribution, MeanInterval, RESAMPLES, Summary, bootstrap_over_sites, by_site};
pub use table::{MethodFigures, MethodTable};

pub use fields::RightFields;
pub use metrics::{Score, TwoGrams, word_lcs};
pub use random::SplitMix64;
pub use run::SiteMethod;
pub use setup::Split;
pub use site::EvalSite;
pub use summary::{PERCENTILES, percentile};
pub use svg::{BOTTOM, COLOURS, LEFT, Svg, WIDTH};
pub use table::six;
