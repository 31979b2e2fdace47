//! Boosted decision trees: Friedman, *Greedy function approximation: a gradient
//! boosting machine*, Annals of Statistics 29, 2001.
//!
//! The score of a row is the sum of one leaf of each tree; `1 / (1 + e^-score)` is
//! the probability. The file is text, a line a tree, each a list of nodes in
//! preorder: `feature<threshold` goes on with the next node where the feature is
//! below the threshold and past that node's subtree where it is not; a number
//! alone is a leaf.
//!
//! ```text
//! forest trees 1
//! words link-share
//! base -1.5
//! words<10 -0.7 link-share<0.3 0.9 -0.2
//! ```

use super::features::{FeatureRow, NAMES};
use crate::model::{DecisionTrees, number};
use foldhash::HashMap;
use std::sync::LazyLock;

/// First line of a file.
const HEADER: &str = "forest trees 1";

/// BlockModel that are asked before it is looked at whether they are sure.
const ASKED_TOGETHER: usize = 25;

/// Score from which, up or down, trees are sure: a probability of 0.98 or 0.02. On
/// the ten collections of the development gold no mean F1 is another for it to three
/// decimals, and half of the trees' time goes.
const SURE: f32 = 4.0;

/// BlockModel that have been read.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockModel {
    base: f32,
    trees: DecisionTrees,
}

impl BlockModel {
    /// The trees that come with the program.
    pub fn shipped() -> &'static BlockModel {
        static SHIPPED: LazyLock<BlockModel> = LazyLock::new(|| {
            BlockModel::read(include_str!("trees.txt")).expect("the file is tested")
        });
        &SHIPPED
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If the file is broken: the line and the reason.
    pub fn read(text: &str) -> Result<BlockModel, String> {
        let mut lines = text.lines();
        if lines.next() != Some(HEADER) {
            return Err(format!("line 1: not `{HEADER}`"));
        }
        let features: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
        if features != NAMES {
            return Err("line 2: made for other features".to_owned());
        }
        let base = lines.next().and_then(|line| line.strip_prefix("base "));
        let base = base
            .and_then(|base| base.parse().ok())
            .ok_or("line 3: no base")?;
        let index: HashMap<&str, u16> = NAMES.iter().copied().zip(0..).collect();
        let mut trees = DecisionTrees::default();
        let split = |word: &str| match word.split_once('<') {
            Some((name, threshold)) => {
                let feature = index.get(name).copied();
                let feature = feature.ok_or_else(|| format!("no feature `{name}`"))?;
                Ok(Some((feature, number(threshold)?)))
            }
            None => Ok(None),
        };
        for (i, line) in lines.enumerate() {
            trees
                .add(line, split)
                .map_err(|why| format!("line {}: {why}", i + 4))?;
        }
        Ok(BlockModel { base, trees })
    }

    /// The probability of each row. Where the first trees are [`SURE`], the others are
    /// not asked. A tree is asked for all rows before the next one: it is in the
    /// processor's cache then, and the walks of different rows do not wait for each
    /// other.
    pub(super) fn probabilities(&self, rows: &[FeatureRow]) -> Vec<f32> {
        let mut scores = vec![self.base; rows.len()];
        let mut unsure: Vec<usize> = (0..rows.len()).collect();
        let mut sums = Vec::new();
        for trees in self.trees.roots().chunks(ASKED_TOGETHER) {
            sums.clear();
            sums.resize(unsure.len(), 0.0);
            self.trees.add_leaves(trees, rows, &unsure, &mut sums);
            for (&row, sum) in unsure.iter().zip(&sums) {
                scores[row] += sum;
            }
            unsure.retain(|&row| scores[row].abs() <= SURE);
        }
        let probability = |score: f32| 1.0 / (1.0 + (-score).exp());
        scores.into_iter().map(probability).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::features::FEATURE_COUNT;
    use super::*;

    #[test]
    fn trees_that_are_sure_end_it() {
        let first = "3\n".repeat(ASKED_TOGETHER);
        check(&format!("{first}-1000"), 0.0, 0.0, 150.5);
        let unsure = "0\n".repeat(ASKED_TOGETHER);
        check(&format!("{unsure}-2"), 0.0, 0.0, -1.5);
    }

    #[test]
    fn rows_do_not_change_each_other() {
        let trees = BlockModel::read(&file(
            &"words<10 words<5 3 0.1 -4\n".repeat(ASKED_TOGETHER * 2),
        ));
        let trees = trees.expect("trees");
        let rows: Vec<FeatureRow> = (0..20).map(|n| [n as f32; FEATURE_COUNT]).collect();
        let alone: Vec<f32> = rows
            .iter()
            .map(|row| trees.probabilities(std::slice::from_ref(row))[0])
            .collect();
        assert_eq!(trees.probabilities(&rows), alone);
        assert!(trees.probabilities(&[]).is_empty());
    }

    fn file(trees: &str) -> String {
        format!("{HEADER}\n{}\nbase 0.5\n{trees}", NAMES.join(" "))
    }

    fn check(trees: &str, words: f32, link_share: f32, score: f32) {
        let trees = BlockModel::read(&file(trees)).expect(trees);
        let mut row = [0.0; FEATURE_COUNT];
        (row[0], row[1]) = (words, link_share);
        let expected = 1.0 / (1.0 + f32::exp(-score));
        assert!(
            (trees.probabilities(&[row])[0] - expected).abs() < 1e-6,
            "{trees:?}"
        );
    }

    #[test]
    fn leaves_are_added_up() {
        check("2", 0.0, 0.0, 2.5);
        check("2\n-1", 0.0, 0.0, 1.5);
    }

    #[test]
    fn a_row_goes_below_or_past() {
        let nested = "words<10 words<5 1 2 link-share<0.3 3 4";
        check(nested, 4.0, 0.0, 1.5);
        check(nested, 5.0, 0.0, 2.5);
        check(nested, 10.0, 0.0, 3.5);
        check(nested, 10.0, 0.3, 4.5);
    }

    #[test]
    fn a_broken_file_names_the_line() {
        let cases = [
            ("", "line 1"),
            ("forest trees 1\nwords\nbase 1", "line 2"),
            (&file("").replace("base 0.5", "base x"), "line 3"),
            (&file("1\nwords<10 1"), "line 5: a tree without end"),
            (&file("1 2"), "line 4: more than one tree"),
            (&file("size<10 1 2"), "line 4: no feature `size`"),
            (&file("words<x 1 2"), "line 4: `x`"),
            (&file("inf"), "line 4: `inf`"),
        ];
        for (text, expected) in cases {
            let why = BlockModel::read(text).expect_err(text);
            assert!(why.starts_with(expected), "{why}");
        }
    }
}
