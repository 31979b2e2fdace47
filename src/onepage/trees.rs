//! The boosted trees that say how likely a block is the article's.

use super::features::{NAMES, Row};
use crate::model::{BoostedTrees, Corpus, Model};
use std::sync::LazyLock;

/// The trees' name in a file of a learned model.
const PART: &str = "article";

/// Trees that have been read.
#[derive(Debug, Clone, PartialEq)]
pub struct Trees {
    boosted: BoostedTrees,
    corpus: Corpus,
}

impl Trees {
    /// The trees that come with the program.
    pub fn shipped() -> &'static Trees {
        static SHIPPED: LazyLock<Trees> =
            LazyLock::new(|| Trees::read(include_str!("trees.txt")).expect("the file is tested"));
        &SHIPPED
    }

    /// Reads a file of a learned model.
    ///
    /// # Errors
    ///
    /// The reason why it is no file of such trees, with the line.
    pub fn read(text: &str) -> Result<Trees, String> {
        let model = Model::read(text)?;
        Ok(Trees {
            boosted: model.boosted(PART, &NAMES)?,
            corpus: model.corpus().clone(),
        })
    }

    /// The pages that the trees were trained on.
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    /// The probability of each row.
    pub(super) fn probabilities(&self, rows: &[Row]) -> Vec<f32> {
        self.boosted.probabilities(rows)
    }
}
