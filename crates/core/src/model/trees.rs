//! Decision trees, and forests of them: Breiman, *Random forests*, Machine Learning 45, 2001.
//! The answer of a forest is the mean of one leaf of each tree.

use foldhash::{HashMap, HashMapExt};
use std::ops::Range;

/// The names of the features of a row, in their order.
#[derive(Debug, Default, PartialEq)]
pub(super) struct FeatureNames {
    pub names: Vec<String>,
    places: HashMap<String, u16>,
}

impl FeatureNames {
    pub fn of(line: &str) -> FeatureNames {
        let names: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut places = HashMap::with_capacity(names.len());
        places.extend(names.iter().cloned().zip(0..));
        FeatureNames { names, places }
    }
}

/// One node of a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
struct TreeNode {
    /// The threshold, or a leaf's value.
    value: f32,
    feature: u16,
    /// Nodes from here to the one where the feature is not below the threshold; 0 for
    /// a leaf.
    skip: u16,
}

/// A split of a tree.
#[derive(Debug, Clone)]
pub(super) struct TreeSplit {
    pub feature: usize,
    pub threshold: f32,
    /// The leaves where the feature is below the threshold.
    pub left: Range<usize>,
}

/// Trees over rows of features.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct DecisionTrees {
    nodes: Vec<TreeNode>,
    roots: Vec<u32>,
}

impl DecisionTrees {
    pub(super) fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// Adds the tree of a line.
    ///
    /// # Errors
    ///
    /// The reason why the line is no tree.
    pub(super) fn add(&mut self, line: &str, features: &FeatureNames) -> Result<(), String> {
        self.roots.push(self.nodes.len() as u32);
        // Nodes whose subtree below the threshold is being read, innermost last.
        let mut open: Vec<usize> = Vec::new();
        let mut done = false;
        for word in line.split(' ') {
            if done {
                return Err("more than one tree".to_owned());
            }
            let at = self.nodes.len();
            let node = node(word, features)?;
            self.nodes.push(node);
            if word.contains('<') {
                open.push(at);
                continue;
            }
            // The leaf ends the subtrees that it is the last node of.
            while let Some(&split) = open.last()
                && self.nodes[split].skip != 0
            {
                open.pop();
            }
            match open.last() {
                Some(&split) => {
                    let skip = self.nodes.len() - split;
                    self.nodes[split].skip = u16::try_from(skip).map_err(|_| "a tree too large")?;
                }
                None => done = true,
            }
        }
        if done {
            Ok(())
        } else {
            Err("a tree without end".to_owned())
        }
    }

    /// The feature and the threshold of each split.
    pub(super) fn splits(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        let splits = self.nodes.iter().filter(|node| node.skip != 0);
        splits.map(|node| (usize::from(node.feature), node.value))
    }

    /// The first node of each tree.
    pub(super) fn roots(&self) -> impl Iterator<Item = usize> + '_ {
        self.roots.iter().map(|&root| root as usize)
    }

    /// The leaves of the tree at `root` from left to right; its splits go into `splits`.
    pub(super) fn leaves_of(&self, root: usize, splits: &mut Vec<TreeSplit>) -> Vec<f32> {
        let mut leaves = Vec::new();
        // Splits whose left subtree is being read, with the node behind it.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut left = 1;
        for (at, node) in self.nodes.iter().enumerate().skip(root) {
            while let Some((split, _)) = open.pop_if(|(_, behind)| *behind == at) {
                let split: &mut TreeSplit = &mut splits[split];
                split.left.end = leaves.len();
            }
            left -= 1;
            if node.skip == 0 {
                leaves.push(node.value);
            } else {
                left += 2;
                open.push((splits.len(), at + usize::from(node.skip)));
                splits.push(TreeSplit {
                    feature: usize::from(node.feature),
                    threshold: node.value,
                    left: leaves.len()..leaves.len(),
                });
            }
            if left == 0 {
                break;
            }
        }
        leaves
    }

    /// The value of the leaf of one tree that a row comes to.
    pub(super) fn leaf(&self, root: u32, row: &[f32]) -> f32 {
        let mut at = root as usize;
        loop {
            let node = self.nodes[at];
            if node.skip == 0 {
                return node.value;
            }
            let below = row[usize::from(node.feature)] < node.value;
            at += if below { 1 } else { usize::from(node.skip) };
        }
    }
}

/// Rows that walk down a tree side by side: a step of one does not wait for the others.
/// On 256 rows eight take half of the time of one; four and sixteen gain nothing.
const ROWS_TOGETHER: usize = 8;

impl DecisionTrees {
    /// Adds to each of `sums` the leaves of the trees at `roots` that its row comes to.
    /// `rows` are indices into `features`.
    fn add_leaves<const N: usize>(
        &self,
        roots: &[u32],
        features: &[[f32; N]],
        rows: &[usize],
        sums: &mut [f32],
    ) {
        let none = [0.0; N];
        for &root in roots {
            let chunks = rows.chunks(ROWS_TOGETHER);
            for (rows, sums) in chunks.zip(sums.chunks_mut(ROWS_TOGETHER)) {
                let mut together = [&none; ROWS_TOGETHER];
                for (row, &index) in together.iter_mut().zip(rows) {
                    *row = &features[index];
                }
                for (leaf, sum) in self.leaves(root, together).into_iter().zip(sums) {
                    *sum += leaf;
                }
            }
        }
    }

    /// The values of the leaves of one tree that rows come to. No step branches.
    fn leaves<const N: usize>(
        &self,
        root: u32,
        rows: [&[f32; N]; ROWS_TOGETHER],
    ) -> [f32; ROWS_TOGETHER] {
        let mut at = [root; ROWS_TOGETHER];
        loop {
            let mut moved = 0;
            for (at, row) in at.iter_mut().zip(rows) {
                let node = self.nodes[*at as usize];
                let feature = usize::from(node.feature).min(N - 1);
                let below = 0_u32.wrapping_sub(u32::from(row[feature] < node.value));
                // A leaf has nothing to skip and stays where it is.
                let skip = u32::from(node.skip);
                let step = (skip & !below) | (skip.min(1) & below);
                *at += step;
                moved |= step;
            }
            if moved == 0 {
                return at.map(|at| self.nodes[at as usize].value);
            }
        }
    }
}

/// The node of a word, its skip still 0.
fn node(word: &str, features: &FeatureNames) -> Result<TreeNode, String> {
    let Some((name, threshold)) = word.split_once('<') else {
        return Ok(TreeNode {
            value: number(word)?,
            feature: 0,
            skip: 0,
        });
    };
    let feature = features.places.get(name);
    let feature = *feature.ok_or_else(|| format!("no feature `{name}`"))?;
    let value = match threshold.strip_prefix('=') {
        // Below the next number is at most this one.
        Some(threshold) => number(threshold)?.next_up(),
        None => number(threshold)?,
    };
    Ok(TreeNode {
        value,
        feature,
        skip: 0,
    })
}

/// A finite number.
pub(super) fn number(word: &str) -> Result<f32, String> {
    let number = word.parse::<f32>().ok().filter(|n| n.is_finite());
    number.ok_or_else(|| format!("`{word}` is no number"))
}

/// A random forest.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RandomForest(pub(super) DecisionTrees);

impl RandomForest {
    /// The mean of the trees for one row, 0 to 1.
    pub fn mean(&self, row: &[f32]) -> f32 {
        let roots = &self.0.roots;
        let sum: f32 = roots.iter().map(|&root| self.0.leaf(root, row)).sum();
        sum / roots.len() as f32 / 100.0
    }

    /// The means of the trees for the rows at some indices. A tree is asked for all of
    /// them before the next one: it is in the processor's cache then.
    pub fn means<const N: usize>(&self, rows: &[[f32; N]], asked: &[usize]) -> Vec<f32> {
        let mut sums = vec![0.0; asked.len()];
        self.0.add_leaves(&self.0.roots, rows, asked, &mut sums);
        for sum in &mut sums {
            *sum /= self.0.roots.len() as f32 * 100.0;
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forest_answers_with_the_mean_of_its_trees() {
        let check = |trees: &str, words: f32, expected: f32| {
            let mut forest = RandomForest::default();
            let features = FeatureNames::of("words links");
            for line in trees.lines() {
                forest.0.add(line, &features).expect(line);
            }
            let row = [words, 2.0];
            assert!((forest.mean(&row) - expected).abs() < 1e-6);
            assert_eq!(forest.means(&[[9.0; 2], row], &[1]), [expected]);
        };
        check("50", 0.0, 0.5);
        check("50\n100", 0.0, 0.75);
        let nested = "words<=1 words<=0.5 10 20 links<=2 30 40";
        check(nested, 0.5, 0.1);
        check(nested, 0.6, 0.2);
        check(nested, 1.1, 0.3);
        check(&nested.replace("links<=2", "links<2"), 1.1, 0.4);
    }
}
