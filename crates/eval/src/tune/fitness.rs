//! The fitness of a setting: a mean over the scores of pages.

use crate::eval::Score;
use std::fmt;
use std::str::FromStr;

/// The measure of fitness.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Fitness {
    /// Mean F1 by longest common subsequence of words, as the paper's.
    #[default]
    Lcs,
    /// Mean F1 by set of word 2-grams.
    F1,
    /// Mean recall where mean precision is at least this bound, both by words (Gottron 6).
    Recall(f64),
    /// Mean precision where mean recall is at least this bound.
    Precision(f64),
}

impl Fitness {
    /// The fitness of a setting with these scores, by 2-grams and by words, of pages; 0 of no
    /// pages. A setting that misses a bound has the negative of what is missing: it is less fit
    /// than any that meets it, and the fitter the nearer it is.
    ///
    /// ```
    /// use forest_eval::eval::Score;
    /// use forest_eval::tune::Fitness;
    /// let score = Score::of(4, 5, 6); // precision 0.8
    /// let recall: Fitness = "recall@p>=0.75".parse()?;
    /// assert_eq!(recall.of(&[(score, score)]), score.recall);
    /// let recall: Fitness = "recall@p>=0.9".parse()?;
    /// assert!((recall.of(&[(score, score)]) + 0.1).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(self, scores: &[(Score, Score)]) -> f64 {
        let mean = |part: fn(&(Score, Score)) -> f64| {
            scores.iter().map(part).sum::<f64>() / scores.len().max(1) as f64
        };
        let bounded = |value: f64, other: f64, bound: f64| {
            if other >= bound { value } else { other - bound }
        };
        let (precision, recall) = (mean(|s| s.1.precision), mean(|s| s.1.recall));
        match self {
            Fitness::Lcs => mean(|s| s.1.f1),
            Fitness::F1 => mean(|s| s.0.f1),
            Fitness::Recall(bound) => bounded(recall, precision, bound),
            Fitness::Precision(bound) => bounded(precision, recall, bound),
        }
    }
}

impl fmt::Display for Fitness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fitness::Lcs => f.write_str("lcs"),
            Fitness::F1 => f.write_str("f1"),
            Fitness::Recall(bound) => write!(f, "recall@p>={bound}"),
            Fitness::Precision(bound) => write!(f, "precision@r>={bound}"),
        }
    }
}

/// A text that names no measure of fitness.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown fitness `{0}`; known: lcs, f1, recall@p>=X, precision@r>=X with X from 0 to 1")]
pub struct UnknownFitness(String);

impl FromStr for Fitness {
    type Err = UnknownFitness;

    fn from_str(text: &str) -> Result<Fitness, UnknownFitness> {
        let bound = |prefix: &str| {
            let bound = text.strip_prefix(prefix)?.parse().ok()?;
            (0.0..=1.0).contains(&bound).then_some(bound)
        };
        match text {
            "lcs" => Some(Fitness::Lcs),
            "f1" => Some(Fitness::F1),
            _ => bound("recall@p>=")
                .map(Fitness::Recall)
                .or_else(|| bound("precision@r>=").map(Fitness::Precision)),
        }
        .ok_or_else(|| UnknownFitness(text.to_owned()))
    }
}
