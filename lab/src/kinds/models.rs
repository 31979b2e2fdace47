//! The learners of kinds, and of the main text of pages that are no articles.

use super::examples::{KindExample, KindExamples};
use crate::model_file::ModelFile;
use crate::training::{Example, FOLDS, TrainingRows, block_learner, write_boosted};
use forest_core::kind::{self, KindModel, KindScores, PageKind};
use forest_core::onepage::{self, OtherBlockModel, OtherKindsModel, PageDigest, ScoredPage};
use forust_ml::gradientbooster::{GradientBooster, GrowPolicy};
use forust_ml::objective::ObjectiveType;
use std::sync::Arc;

/// Trees for each kind, and leaves of each.
const KIND_TREES: usize = 150;
const KIND_LEAVES: usize = 12;

/// Leaves of the trees for blocks: few pages teach them.
const BLOCK_LEAVES: usize = 24;

/// Weight of the pages with gold that are no articles: few beside the articles.
const OTHER_WEIGHT: f64 = 2.0;

/// The models as files.
pub struct KindFiles {
    pub kinds: String,
    pub blocks: String,
}

/// For each fold the models that have not seen its publishers.
pub struct KindFolds {
    models: Vec<Arc<OtherKindsModel>>,
    /// The scores of each example, by trees that have not seen it.
    scores: Vec<KindScores>,
    /// The same, as if it had no address.
    nameless: Vec<KindScores>,
}

impl KindFolds {
    /// Trains the models of each fold.
    pub fn train(examples: &KindExamples) -> KindFolds {
        let kinds: Vec<String> = (0..FOLDS)
            .map(|fold| kinds_file(&examples.kinds, Some(fold)))
            .collect();
        let models: Vec<KindModel> = kinds.iter().map(|file| read_kinds(file)).collect();
        let unseen =
            |example: &KindExample| models[example.fold as usize].scores(&example.features);
        let scores: Vec<KindScores> = examples.kinds.iter().map(unseen).collect();
        let nameless = examples.kinds.iter().map(|example| {
            let features = kind::without_address(&example.features);
            models[example.fold as usize].scores(&features)
        });
        let nameless: Vec<KindScores> = nameless.collect();
        let blocks = (0..FOLDS).map(|fold| {
            let file = blocks_file(examples, &scores, Some(fold));
            OtherBlockModel::read(&file).expect("a file as it is written")
        });
        let blocks: Vec<OtherBlockModel> = blocks.collect();
        let models = models.into_iter().zip(blocks);
        KindFolds {
            models: models
                .map(|(kinds, blocks)| Arc::new(OtherKindsModel { kinds, blocks }))
                .collect(),
            scores,
            nameless,
        }
    }

    /// The scores of an example, by trees that have not seen it.
    pub fn scores(&self, at: usize) -> &KindScores {
        &self.scores[at]
    }

    /// The same, as if it had no address.
    pub fn nameless(&self, at: usize) -> &KindScores {
        &self.nameless[at]
    }

    /// A page with models that have not seen its publisher.
    pub fn unseen<'p>(&self, example: &'p Example) -> ScoredPage<'p> {
        let models = Arc::clone(&self.models[example.fold as usize]);
        ScoredPage::from(&example.page).with_other_kinds(models)
    }

    /// The models that have seen all pages.
    pub fn all(&self, examples: &KindExamples) -> KindFiles {
        KindFiles {
            kinds: kinds_file(&examples.kinds, None),
            blocks: blocks_file(examples, &self.scores, None),
        }
    }
}

fn read_kinds(file: &str) -> KindModel {
    KindModel::read(file).expect("a file as it is written")
}

/// The file of the trees for kinds that have not seen a fold.
fn kinds_file(examples: &[KindExample], unseen: Option<u64>) -> String {
    let names = kind::feature_names();
    let seen: Vec<&KindExample> = examples
        .iter()
        .filter(|example| Some(example.fold) != unseen)
        .collect();
    let mut file = ModelFile::new(seen.iter().map(|example| example.digest), true);
    file.features(names);
    // Many pages come without an address: each teaches as it is, and as if it had none.
    let nameless: Vec<Vec<f32>> = seen
        .iter()
        .map(|example| kind::without_address(&example.features))
        .collect();
    for kind in PageKind::ALL {
        let mut rows = TrainingRows::default();
        for (example, nameless) in seen.iter().zip(&nameless) {
            let is_kind = example.kind == kind;
            let weight = match example.kind {
                PageKind::Article => 1.0,
                _ => OTHER_WEIGHT,
            };
            let label = f64::from(u8::from(is_kind));
            rows.push(&example.features, label, example.weight * weight);
            rows.push(nameless, label, example.weight * weight);
        }
        write_boosted(&mut file, kind.name(), &rows.fit(kind_learner()), names);
    }
    file.finish()
}

fn kind_learner() -> GradientBooster {
    let mut learner = GradientBooster::default()
        .set_objective_type(ObjectiveType::LogLoss)
        .set_iterations(KIND_TREES)
        .set_max_leaves(KIND_LEAVES)
        .set_max_depth(usize::MAX)
        .set_learning_rate(0.05)
        .set_l2(3.0)
        .set_min_leaf_weight(0.1)
        .set_nbins(32)
        .set_subsample(0.8)
        .set_sample_method(forust_ml::sampler::SampleMethod::Random)
        .set_colsample_bytree(0.2)
        .set_seed(1)
        .set_parallel(true);
    learner.grow_policy = GrowPolicy::LossGuide;
    learner
}

fn other_block_learner() -> GradientBooster {
    let learner = block_learner(BLOCK_LEAVES).set_min_leaf_weight(1.0);
    learner.set_colsample_bytree(0.3)
}

/// The file of the trees for blocks that have not seen a fold. The pages that are no articles
/// teach, and of the articles those that `scores` takes for something else.
fn blocks_file(examples: &KindExamples, scores: &[KindScores], unseen: Option<u64>) -> String {
    let names = onepage::other_feature_names();
    let mut digests: Vec<PageDigest> = Vec::new();
    let mut taught: Vec<(Vec<f32>, f64, f64)> = Vec::new();
    for (example, scores) in examples.kinds.iter().zip(scores) {
        let Some(page) = example.page.map(|at| &examples.pages[at]) else {
            continue;
        };
        let is_other = example.kind != PageKind::Article || !scores.is_article();
        if Some(example.fold) == unseen || !is_other {
            continue;
        }
        digests.push(example.digest);
        let rows = onepage::features_of_kind(&page.page, scores);
        for (i, row) in rows.into_iter().enumerate() {
            taught.push((row, page.labels[i], page.weights[i]));
        }
    }
    let mut rows = TrainingRows::default();
    for (row, label, weight) in &taught {
        rows.push(row, *label, *weight);
    }
    let mut file = ModelFile::new(digests, true);
    file.features(names);
    write_boosted(&mut file, "other", &rows.fit(other_block_learner()), names);
    file.finish()
}
