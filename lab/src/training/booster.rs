//! Learns the boosted trees, and writes trees.

use super::blocks::Example;
use super::publisher::hash;
use crate::model_file::ModelFile;
use forest_core::onepage;
use forust_ml::gradientbooster::{GradientBooster, GrowPolicy};
use forust_ml::tree::Tree;
use forust_ml::{Matrix, objective::ObjectiveType};
use std::fmt::Write as _;

/// Trees, and leaves of each. More of either gained less than 0.002 of F1 in five
/// folds, and cost time on every page.
const TREES: usize = 250;
const LEAVES: usize = 40;
const LEARNING_RATE: f32 = 0.05;
const FEATURES_A_TREE: f64 = 0.2;
const BLOCKS_A_TREE: f32 = 0.8;

/// Words below which only some blocks are used, and how many of ten.
const FEW_WORDS: usize = 5;
const OF_TEN: u64 = 3;

/// Rows of features with their labels and weights, to learn boosted trees from.
#[derive(Debug, Default)]
pub struct TrainingRows<'a> {
    rows: Vec<&'a [f32]>,
    labels: Vec<f64>,
    weights: Vec<f64>,
}

impl<'a> TrainingRows<'a> {
    /// Adds a row.
    pub fn push(&mut self, row: &'a [f32], label: f64, weight: f64) {
        self.rows.push(row);
        self.labels.push(label);
        self.weights.push(weight);
    }

    /// The trees that `learner` makes of them.
    pub fn fit(&self, mut learner: GradientBooster) -> GradientBooster {
        let mean = self.weights.iter().sum::<f64>() / self.weights.len() as f64;
        let weights: Vec<f64> = self.weights.iter().map(|w| w / mean).collect();
        let width = self.rows[0].len();
        let columns: Vec<f64> = (0..width)
            .flat_map(|f| self.rows.iter().map(move |row| f64::from(row[f])))
            .collect();
        let matrix = Matrix::new(&columns, self.rows.len(), width);
        learner
            .fit(&matrix, &self.labels, &weights, None)
            .expect("the examples are a matrix");
        learner
    }
}

/// The learner of trees for blocks, with so many leaves a tree at the most.
pub fn block_learner(leaves: usize) -> GradientBooster {
    let mut booster = GradientBooster::default()
        .set_objective_type(ObjectiveType::LogLoss)
        .set_iterations(TREES)
        .set_max_leaves(leaves)
        .set_max_depth(usize::MAX)
        .set_learning_rate(LEARNING_RATE)
        .set_l2(5.0)
        .set_min_leaf_weight(5.0)
        .set_nbins(64)
        .set_subsample(BLOCKS_A_TREE)
        .set_sample_method(forust_ml::sampler::SampleMethod::Random)
        .set_colsample_bytree(FEATURES_A_TREE)
        .set_seed(1)
        .set_parallel(true);
    booster.grow_policy = GrowPolicy::LossGuide;
    booster
}

/// Trees for the blocks of these pages.
pub fn train(examples: &[&Example]) -> GradientBooster {
    let names = onepage::feature_names();
    let words = names.iter().position(|n| *n == "words").expect("a feature");
    let mut rows = TrainingRows::default();
    for (e, example) in examples.iter().enumerate() {
        for (i, block) in example.blocks.iter().enumerate() {
            let mut weight = example.weights[i];
            if (block.features[words] as usize) < FEW_WORDS {
                if hash(&format!("{e} {i}")) / 7 % 10 >= OF_TEN {
                    continue;
                }
                weight *= 10.0 / OF_TEN as f64;
            }
            rows.push(&block.features, example.labels[i], weight);
        }
    }
    rows.fit(block_learner(LEAVES))
}

/// The trees as a file, with the pages that they were trained on.
pub fn file(booster: &GradientBooster, examples: &[&Example]) -> String {
    let names = onepage::feature_names();
    let mut file = ModelFile::new(examples.iter().map(|e| e.digest), true);
    file.features(names);
    write_boosted(&mut file, "article", booster, names);
    file.finish()
}

/// Writes boosted trees as a part of a file.
pub fn write_boosted(file: &mut ModelFile, part: &str, booster: &GradientBooster, names: &[&str]) {
    file.boosted(part, booster.base_score as f32);
    for tree in &booster.trees {
        file.line(&tree_line(tree, names, |weight| {
            (weight * 1e4).round() / 1e4
        }));
    }
}

/// A tree as a line: nodes in preorder, with the values that `value` makes of the leaves'
/// weights. A split whose leaves all have one value is one leaf.
pub fn tree_line(tree: &Tree, names: &[&str], value: impl Fn(f32) -> f32) -> String {
    let mut line = String::new();
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        let node = &tree.nodes[at];
        match same_value(tree, at, &value) {
            Some(value) => write!(line, " {value}").expect("a string"),
            None => {
                let (name, threshold) = (names[node.split_feature], node.split_value as f32);
                write!(line, " {name}<{threshold}").expect("a string");
                open.extend([node.right_child, node.left_child]);
            }
        }
    }
    line.trim_start().to_owned()
}

/// The value that all leaves below a node have; `None` if they differ.
fn same_value(tree: &Tree, root: usize, value: &impl Fn(f32) -> f32) -> Option<f32> {
    let mut open = vec![root];
    let mut same = None;
    while let Some(at) = open.pop() {
        let node = &tree.nodes[at];
        if !node.is_leaf {
            open.extend([node.right_child, node.left_child]);
            continue;
        }
        let value = value(node.weight_value);
        if *same.get_or_insert(value) != value {
            return None;
        }
    }
    same
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_that_change_nothing_are_not_written() {
        let rows: Vec<f64> = (0..40).map(f64::from).collect();
        let matrix = Matrix::new(&rows, rows.len(), 1);
        let line = |targets: &[f64]| {
            let mut booster = GradientBooster::default()
                .set_objective_type(ObjectiveType::SquaredLoss)
                .set_iterations(1)
                .set_learning_rate(1.0)
                .set_max_depth(1)
                .set_l2(0.0)
                .set_parallel(false);
            let weights = vec![1.0; targets.len()];
            booster.fit(&matrix, targets, &weights, None).expect("fits");
            let base = booster.base_score as f32;
            tree_line(&booster.trees[0], &["a"], |weight| {
                (base + weight).round() + 0.0
            })
        };
        let step = |low: f64, high: f64| -> Vec<f64> {
            rows.iter()
                .map(|x| if *x < 20.0 { low } else { high })
                .collect()
        };
        let split = line(&step(0.0, 10.0));
        assert!(
            split.starts_with("a<") && split.ends_with(" 0 10"),
            "{split}"
        );
        // Both leaves round to one value.
        assert_eq!(line(&step(4.9, 5.1)), "5");
    }
}
