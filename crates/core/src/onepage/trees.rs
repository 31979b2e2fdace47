//! The boosted trees that give the probability that a block is the article's, or of the main text
//! of a page of another kind.

use super::features::{FeatureRow, NAMES, OTHER_NAMES, OtherFeatureRow};
use crate::model::{BoostedTrees, Corpus, Model};
use std::sync::LazyLock;

/// The trees' name in a file of a learned model.
const PART: &str = "article";

/// The same of the trees for pages of other kinds.
const OTHER_PART: &str = "other";

/// The trees, read from a file, and the pages that they were trained on.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockModel {
    boosted: BoostedTrees,
    corpus: Corpus,
}

impl BlockModel {
    /// The trees that come with the program.
    pub fn shipped() -> &'static BlockModel {
        static SHIPPED: LazyLock<BlockModel> = LazyLock::new(|| {
            BlockModel::read(include_str!("trees.txt")).expect("the file is tested")
        });
        &SHIPPED
    }

    /// Reads a file of a learned model.
    ///
    /// # Errors
    ///
    /// The reason why it is no file of such trees, with the line.
    pub fn read(text: &str) -> Result<BlockModel, String> {
        let model = Model::read(text)?;
        Ok(BlockModel {
            boosted: model.boosted(PART, &NAMES)?,
            corpus: model.corpus().clone(),
        })
    }

    /// The pages that the trees were trained on.
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    /// The probability of each row.
    pub(super) fn probabilities(&self, rows: &[FeatureRow]) -> Vec<f32> {
        self.boosted.probabilities(rows)
    }
}

/// The trees for pages that are more likely something else than an article.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherBlockModel {
    boosted: BoostedTrees,
}

impl OtherBlockModel {
    /// The trees that come with the program.
    pub fn shipped() -> &'static OtherBlockModel {
        static SHIPPED: LazyLock<OtherBlockModel> = LazyLock::new(|| {
            OtherBlockModel::read(include_str!("other_trees.txt")).expect("the file is tested")
        });
        &SHIPPED
    }

    /// Reads a file of a learned model.
    ///
    /// # Errors
    ///
    /// The reason why it is no file of such trees, with the line.
    pub fn read(text: &str) -> Result<OtherBlockModel, String> {
        let boosted = Model::read(text)?.boosted(OTHER_PART, &OTHER_NAMES)?;
        Ok(OtherBlockModel { boosted })
    }

    /// The probability of each row.
    pub(super) fn probabilities(&self, rows: &[OtherFeatureRow]) -> Vec<f32> {
        self.boosted.probabilities(rows)
    }
}
