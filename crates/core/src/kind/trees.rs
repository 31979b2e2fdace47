//! The boosted trees that give the probability of each kind: one set a kind, against all others.

use super::features::{FEATURE_COUNT, KindRow, NAMES};
use super::scores::{KindScores, PageKind};
use crate::model::{BoostedTrees, Corpus, Model};
use std::sync::LazyLock;

/// The trees, read from a file, and the pages that they were trained on.
#[derive(Debug, Clone, PartialEq)]
pub struct KindModel {
    /// In the order of [`PageKind::ALL`].
    kinds: Vec<BoostedTrees>,
    corpus: Corpus,
}

impl KindModel {
    /// The trees that come with the program.
    pub fn shipped() -> &'static KindModel {
        static SHIPPED: LazyLock<KindModel> = LazyLock::new(|| {
            KindModel::read(include_str!("trees.txt")).expect("the file is tested")
        });
        &SHIPPED
    }

    /// Reads a file of a learned model.
    ///
    /// # Errors
    ///
    /// The reason why it is no file of such trees, with the line.
    pub fn read(text: &str) -> Result<KindModel, String> {
        let model = Model::read(text)?;
        let kinds = PageKind::NAMES.iter();
        let kinds = kinds.map(|name| model.boosted(name, &NAMES));
        Ok(KindModel {
            kinds: kinds.collect::<Result<_, _>>()?,
            corpus: model.corpus().clone(),
        })
    }

    /// The pages that the trees were trained on.
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    /// The probability of each kind of a page with these features.
    pub fn scores(&self, row: &[f32]) -> KindScores {
        let row: &KindRow = row.try_into().expect("a row of all features");
        let mut scores = [0.0; PageKind::COUNT];
        for (score, trees) in scores.iter_mut().zip(&self.kinds) {
            *score = trees.probabilities::<FEATURE_COUNT>(&[*row])[0];
        }
        KindScores::in_proportion(scores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_html::page::Page;

    #[test]
    fn the_shipped_trees_are_read() {
        let model = KindModel::shipped();
        assert!(!model.corpus().digest().is_empty());
        let row = crate::kind::feature_row(&Page::from_html("<p>It rained for nine days."));
        let sum: f32 = model.scores(&row).probabilities().iter().sum();
        assert!((sum - 1.0).abs() < 1e-5, "{sum}");
    }

    #[test]
    fn a_file_without_a_kind_is_refused() {
        let text = include_str!("trees.txt").replace("boosted forum", "boosted other");
        let why = KindModel::read(&text).expect_err("a kind is missing");
        assert_eq!(why, "no part `forum`");
    }
}
