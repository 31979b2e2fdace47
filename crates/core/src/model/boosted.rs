//! Boosted trees, asked for 32 rows at once.
//!
//! - The trees: Friedman, *Greedy function approximation: a gradient boosting machine*, Annals
//!   of Statistics 29, 2001. The score of a row is the base plus one leaf of each tree;
//!   `1 / (1 + e^-score)` is the probability.
//! - The way to their leaves: Lucchese, Nardini, Orlando, Perego, Tonellotto, Venturini,
//!   *QuickScorer*, SIGIR 2015. No tree is walked down. A tree has one bit for each of its
//!   leaves, from left to right. A split that is not below its threshold clears the bits of its
//!   left subtree; the first bit that is left is the leaf.
//!
//! **Departure.** The paper takes one row and one machine word a tree. Here a feature is a byte,
//! the number of thresholds that it is not below, and the bits of 32 rows lie side by side,
//! eight leaves a byte, so that few vector instructions ask a split for 32 rows.

use super::trees::DecisionTrees;
use std::array;
use wide::i8x32;

/// Trees that are asked before it is looked at whether they are sure.
const ASKED_TOGETHER: usize = 25;

/// Score from which, up or down, boosted trees are sure: a probability of 0.98 or 0.02.
/// On the ten collections of the development gold no mean F1 of `onepage` is another for
/// it to three decimals, and half of the trees' time goes.
const SURE: f32 = 4.0;

/// A byte of each row that is asked at once.
type Lanes = i8x32;

/// Rows that are asked at once.
const LANES: usize = i8x32::LANES as usize;

/// Thresholds of a feature at the most: a rank is a signed byte.
const MAX_THRESHOLDS: usize = i8::MAX as usize;

/// Leaves of a tree at the most.
const MAX_LEAVES: usize = 64;

/// Boosted trees.
#[derive(Debug, Clone, PartialEq)]
pub struct BoostedTrees {
    base: f32,
    /// The thresholds of each feature, ascending.
    thresholds: Vec<Vec<f32>>,
    groups: Vec<TreeGroup>,
}

/// Trees that are asked together.
#[derive(Debug, Clone, Default, PartialEq)]
struct TreeGroup {
    /// The splits of each feature, in the order of their thresholds.
    splits: Vec<(usize, Vec<LeafSplit>)>,
    trees: Vec<TreeLeaves>,
    /// The leaves of all trees.
    leaves: Vec<f32>,
    /// Bytes of leaf bits of all trees.
    bytes: usize,
}

/// The leaves that a split takes away, as far as they are in one byte.
#[derive(Debug, Clone, Copy, PartialEq)]
struct LeafSplit {
    /// The byte among those of the group.
    byte: u16,
    /// The leaves go from rows with more than so many thresholds at or below the feature.
    rank: u8,
    /// Their bits.
    gone: u8,
}

/// The leaves of one tree.
#[derive(Debug, Clone, Copy, PartialEq)]
struct TreeLeaves {
    /// Its first leaf.
    first: usize,
    /// Its first byte, and the number of its bytes.
    byte: usize,
    bytes: usize,
}

impl BoostedTrees {
    /// Trees over rows of `features` features.
    ///
    /// # Errors
    ///
    /// If a tree has more than 64 leaves, or a feature more than 127 thresholds.
    pub(super) fn of(
        base: f32,
        trees: &DecisionTrees,
        features: usize,
    ) -> Result<BoostedTrees, String> {
        let mut thresholds = vec![Vec::new(); features];
        for (feature, threshold) in trees.splits() {
            thresholds[feature].push(threshold);
        }
        for of_feature in &mut thresholds {
            of_feature.sort_by(f32::total_cmp);
            of_feature.dedup();
            if of_feature.len() > MAX_THRESHOLDS {
                return Err(format!(
                    "a feature with more than {MAX_THRESHOLDS} thresholds"
                ));
            }
        }
        let roots: Vec<usize> = trees.roots().collect();
        let groups = roots.chunks(ASKED_TOGETHER);
        let groups = groups.map(|roots| TreeGroup::of(trees, roots, &thresholds));
        Ok(BoostedTrees {
            base,
            groups: groups.collect::<Result<_, _>>()?,
            thresholds,
        })
    }

    /// The probability of each row. Where the score of the first trees is 4 or more, up
    /// or down, the others are not asked.
    pub fn probabilities<const N: usize>(&self, rows: &[[f32; N]]) -> Vec<f32> {
        let mut scores = vec![self.base; rows.len()];
        let ranks = self.ranks(rows);
        let mut unsure: Vec<usize> = (0..rows.len()).collect();
        let same = array::from_fn(|byte| Lanes::splat(byte as u8 as i8));
        let none = [0; N];
        let mut lanes = [Lanes::default(); N];
        let mut bits = Vec::new();
        for group in &self.groups {
            for asked in unsure.chunks(LANES) {
                let mut together = [&none; LANES];
                for (row, &at) in together.iter_mut().zip(asked) {
                    *row = &ranks[at];
                }
                for (feature, lanes) in lanes.iter_mut().enumerate() {
                    let mut bytes = [0; LANES];
                    for (byte, row) in bytes.iter_mut().zip(together) {
                        *byte = row[feature];
                    }
                    *lanes = Lanes::new(bytes);
                }
                let sums = group.sums(&lanes, &same, &mut bits);
                for (&row, sum) in asked.iter().zip(sums) {
                    scores[row] += sum;
                }
            }
            unsure.retain(|&row| scores[row].abs() <= SURE);
        }
        let probability = |score: f32| 1.0 / (1.0 + (-score).exp());
        scores.into_iter().map(probability).collect()
    }

    /// For each row and feature the number of thresholds that it is not below.
    fn ranks<const N: usize>(&self, rows: &[[f32; N]]) -> Vec<[i8; N]> {
        // Blocks that stand together have most of their surroundings in common.
        let mut before = ([0.0_f32; N], [0_i8; N]);
        for (rank, (value, of_feature)) in before
            .1
            .iter_mut()
            .zip(before.0.iter().zip(&self.thresholds))
        {
            *rank = rank_of(*value, of_feature);
        }
        let mut ranks = Vec::with_capacity(rows.len());
        for row in rows {
            let (values, known) = &mut before;
            let features = row.iter().zip(values).zip(known.iter_mut());
            for (((value, last), rank), of_feature) in features.zip(&self.thresholds) {
                if value.to_bits() != last.to_bits() {
                    *last = *value;
                    *rank = rank_of(*value, of_feature);
                }
            }
            ranks.push(*known);
        }
        ranks
    }
}

/// The number of thresholds that a value is not below.
fn rank_of(value: f32, thresholds: &[f32]) -> i8 {
    thresholds.partition_point(|threshold| value >= *threshold || value.is_nan()) as i8
}

impl TreeGroup {
    fn of(
        trees: &DecisionTrees,
        roots: &[usize],
        thresholds: &[Vec<f32>],
    ) -> Result<TreeGroup, String> {
        let splits = (0..thresholds.len()).map(|feature| (feature, Vec::new()));
        let mut group = TreeGroup {
            splits: splits.collect(),
            ..TreeGroup::default()
        };
        for &root in roots {
            group.add(trees, root, thresholds)?;
        }
        group.splits.retain(|(_, splits)| !splits.is_empty());
        for (_, splits) in &mut group.splits {
            splits.sort_by_key(|split| split.rank);
        }
        Ok(group)
    }

    fn add(
        &mut self,
        trees: &DecisionTrees,
        root: usize,
        thresholds: &[Vec<f32>],
    ) -> Result<(), String> {
        let first = self.leaves.len();
        let mut splits = Vec::new();
        self.leaves.extend(trees.leaves_of(root, &mut splits));
        let count = self.leaves.len() - first;
        if count > MAX_LEAVES {
            return Err("a tree with more than 64 leaves".to_owned());
        }
        let bytes = count.div_ceil(8);
        for split in splits {
            let of_feature = &thresholds[split.feature];
            let rank = (rank_of(split.threshold, of_feature) - 1) as u8;
            // The bits of a run of leaves.
            let below = |leaf: usize| {
                1_u64
                    .checked_shl(leaf as u32)
                    .map_or(u64::MAX, |bit| bit - 1)
            };
            let gone = below(split.left.end) & !below(split.left.start);
            for (at, gone) in gone.to_le_bytes().into_iter().enumerate() {
                if gone != 0 {
                    self.splits[split.feature].1.push(LeafSplit {
                        byte: (self.bytes + at) as u16,
                        rank,
                        gone,
                    });
                }
            }
        }
        self.trees.push(TreeLeaves {
            first,
            byte: self.bytes,
            bytes,
        });
        self.bytes += bytes;
        Ok(())
    }

    /// The sum of the trees for each of 32 rows. `same` has the vectors of each byte, and
    /// `bits` is a buffer.
    fn sums<const N: usize>(
        &self,
        ranks: &[Lanes; N],
        same: &[Lanes; 256],
        bits: &mut Vec<Lanes>,
    ) -> [f32; LANES] {
        bits.clear();
        bits.resize(self.bytes, Lanes::splat(-1));
        for (feature, splits) in &self.splits {
            let ranks = ranks[*feature];
            for split in splits {
                let above = ranks.simd_gt(same[usize::from(split.rank)]);
                // The next thresholds are higher.
                if above.none() {
                    break;
                }
                let bits = &mut bits[usize::from(split.byte)];
                *bits &= !(above & same[usize::from(split.gone)]);
            }
        }
        let mut sums = [0.0; LANES];
        for tree in &self.trees {
            let leaves = first_leaves(&bits[tree.byte..tree.byte + tree.bytes]);
            let values = &self.leaves[tree.first..];
            for (leaf, sum) in leaves.into_iter().zip(&mut sums) {
                *sum += values[usize::from(leaf)];
            }
        }
        sums
    }
}

/// The first bit of each row that is set in the bytes of a tree.
fn first_leaves(bytes: &[Lanes]) -> [u8; LANES] {
    // The last byte with a bit, from the end on, and the number of bits before it.
    let (mut first, mut before) = (Lanes::default(), Lanes::default());
    for (at, byte) in bytes.iter().enumerate().rev() {
        let is_none = byte.simd_eq(Lanes::default());
        first = *byte | (first & is_none);
        before = is_none.select(before, Lanes::splat(8 * at as i8));
    }
    let (first, before) = (first.to_array(), before.to_array());
    array::from_fn(|lane| before[lane] as u8 + first[lane].trailing_zeros() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::trees::FeatureNames;
    use std::fmt::Write as _;

    fn trees(lines: &str) -> DecisionTrees {
        let mut trees = DecisionTrees::default();
        let features = FeatureNames::of("words links");
        for line in lines.lines() {
            trees.add(line, &features).expect(line);
        }
        trees
    }

    fn boosted(lines: &str) -> BoostedTrees {
        BoostedTrees::of(0.5, &trees(lines), 2).expect("small trees")
    }

    fn check(trees: &str, words: f32, links: f32, score: f32) {
        let expected = 1.0 / (1.0 + f32::exp(-score));
        let probability = boosted(trees).probabilities(&[[words, links]])[0];
        assert!((probability - expected).abs() < 1e-6, "{trees:?}");
    }

    #[test]
    fn leaves_are_added_up() {
        check("2", 0.0, 0.0, 2.5);
        check("2\n-1", 0.0, 0.0, 1.5);
    }

    #[test]
    fn a_row_goes_below_or_past() {
        let nested = "words<10 words<5 1 2 links<0.3 3 4";
        check(nested, 4.0, 0.0, 1.5);
        check(nested, 5.0, 0.0, 2.5);
        check(nested, 10.0, 0.0, 3.5);
        check(nested, 10.0, 0.3, 4.5);
    }

    #[test]
    fn trees_that_are_sure_end_it() {
        let first = "3\n".repeat(ASKED_TOGETHER);
        check(&format!("{first}-1000"), 0.0, 0.0, 150.5);
        let unsure = "0\n".repeat(ASKED_TOGETHER);
        check(&format!("{unsure}-2"), 0.0, 0.0, -1.5);
    }

    /// A tree with so many leaves whose splits lie to the left, to the right or at random.
    fn grown(leaves: usize, next: &mut impl FnMut() -> usize) -> String {
        if leaves == 1 {
            return format!("{} ", next() % 7);
        }
        let left = match next() % 3 {
            0 => 1,
            1 => leaves - 1,
            _ => 1 + next() % (leaves - 1),
        };
        let mut out = format!("{}<{} ", ["words", "links"][next() % 2], next() % 9);
        let _ = write!(out, "{}{}", grown(left, next), grown(leaves - left, next));
        out
    }

    #[test]
    fn each_row_has_the_leaf_that_a_walk_down_the_tree_comes_to() {
        let mut state = 7_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize
        };
        let values = [
            f32::NEG_INFINITY,
            -1.0,
            0.0,
            -0.0,
            1.0,
            2.5,
            4.0,
            8.0,
            9.0,
            f32::NAN,
        ];
        let rows: Vec<[f32; 2]> = (0..100).map(|n| [values[n / 10], values[n % 10]]).collect();
        for leaves in 1..=MAX_LEAVES {
            let lines: Vec<String> = (0..30).map(|_| grown(leaves, &mut next)).collect();
            let lines = lines.iter().map(|line| format!("{}\n", line.trim_end()));
            let trees = trees(&lines.collect::<String>());
            let boosted = BoostedTrees::of(-90.0, &trees, 2).expect("small trees");
            for (row, p) in rows.iter().zip(boosted.probabilities(&rows)) {
                let roots: Vec<usize> = trees.roots().take(ASKED_TOGETHER).collect();
                let sum: f32 = roots.iter().map(|&root| trees.leaf(root as u32, row)).sum();
                let score = -90.0 + sum;
                if score.abs() > SURE {
                    assert_eq!(p, 1.0 / (1.0 + (-score).exp()), "{leaves} {row:?}");
                }
            }
        }
    }

    #[test]
    fn trees_that_are_too_large_are_refused() {
        let mut next = || 1;
        let large = grown(MAX_LEAVES + 1, &mut next);
        let why = BoostedTrees::of(0.0, &trees(large.trim_end()), 2).expect_err("too large");
        assert!(why.contains("64 leaves"), "{why}");
        let lines: String = (0..256).map(|n| format!("words<{n} 1 2\n")).collect();
        let why = BoostedTrees::of(0.0, &trees(&lines), 2).expect_err("too many");
        assert!(why.contains("127 thresholds"), "{why}");
    }

    #[test]
    fn rows_do_not_change_each_other() {
        let trees = boosted(&"words<10 words<5 3 0.1 -4\n".repeat(ASKED_TOGETHER * 2));
        let rows: Vec<[f32; 2]> = (0..20).map(|n| [n as f32; 2]).collect();
        let alone: Vec<f32> = rows
            .iter()
            .map(|row| trees.probabilities(std::slice::from_ref(row))[0])
            .collect();
        assert_eq!(trees.probabilities(&rows), alone);
        assert!(trees.probabilities::<2>(&[]).is_empty());
    }
}
