//! Decision trees as lines of text.
//!
//! A line is a tree, its nodes in preorder: a split goes on with the next node where a
//! row's feature is below its threshold, and past that node's subtree where it is not.
//! A number alone is a leaf. What a split looks like is its reader's business.

/// One node of a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Node {
    /// The threshold, or a leaf's value.
    value: f32,
    feature: u16,
    /// Nodes from here to the one where the feature is not below the threshold; 0 for
    /// a leaf.
    skip: u16,
}

/// Trees over rows of features.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct DecisionTrees {
    nodes: Vec<Node>,
    roots: Vec<u32>,
}

impl DecisionTrees {
    /// Adds the tree of a line. `split` reads a word as a feature and its threshold;
    /// none, if it is a leaf.
    ///
    /// # Errors
    ///
    /// What is wrong with the line.
    pub(crate) fn add(
        &mut self,
        line: &str,
        split: impl Fn(&str) -> Result<Option<(u16, f32)>, String>,
    ) -> Result<(), String> {
        self.roots.push(self.nodes.len() as u32);
        // Nodes whose subtree below the threshold is being read, innermost last.
        let mut open: Vec<usize> = Vec::new();
        let mut done = false;
        for word in line.split(' ') {
            if done {
                return Err("more than one tree".to_owned());
            }
            let at = self.nodes.len();
            if let Some((feature, value)) = split(word)? {
                self.nodes.push(Node {
                    value,
                    feature,
                    skip: 0,
                });
                open.push(at);
                continue;
            }
            self.nodes.push(Node {
                value: number(word)?,
                feature: 0,
                skip: 0,
            });
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

    /// Where each tree begins.
    pub(crate) fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// The value of the leaf of one tree that a row comes to.
    pub(crate) fn leaf(&self, root: u32, row: &[f32]) -> f32 {
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
    pub(crate) fn add_leaves<const N: usize>(
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

/// A finite number.
///
/// # Errors
///
/// If the word is none.
pub(crate) fn number(word: &str) -> Result<f32, String> {
    let number = word.parse::<f32>().ok().filter(|n| n.is_finite());
    number.ok_or_else(|| format!("`{word}` is no number"))
}
