//! Learned models: one format, one reader.
//!
//! A file is text. It names the pages that it was trained on, and has one part or more:
//! boosted trees, a forest, or the weights of a linear model.
//!
//! ```text
//! forest model 1
//! corpus 5f2a...
//! pages 00a1b2c301f2...
//! features words link-share
//! boosted article -1.5
//! words<10 -0.7 link-share<0.3 0.9 -0.2
//! forest header
//! words<=4 3 97
//! features right whole
//! linear title 3.2 0.5 -1
//! ```
//!
//! | line | holds |
//! | --- | --- |
//! | `corpus` | the SHA-256 of the training pages, 64 hexadecimal digits |
//! | `pages` | the [`PageDigest`] of each training page, eight digits each, ascending |
//! | `features` | the names of the features of all parts up to the next such line |
//! | `boosted` | name and base score of boosted trees; a line a tree follows |
//! | `forest` | name of a random forest; a line a tree follows, its leaves in percent |
//! | `linear` | name of a linear model, its constant, and a weight a feature |
//!
//! A tree is a list of nodes in preorder. `feature<threshold` goes on with the next node
//! where the feature is below the threshold, `feature<=threshold` also where it is equal;
//! elsewhere both go past the next node's subtree. A number alone is a leaf.

mod boosted;
mod corpus;
mod trees;

pub use boosted::BoostedTrees;
pub use corpus::{Corpus, PageDigest};
pub use trees::RandomForest;

use std::sync::Arc;
use trees::{DecisionTrees, FeatureNames, number};

/// First line of a file.
const HEADER: &str = "forest model 1";

/// A file that has been read.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    corpus: Corpus,
    parts: Vec<ModelPart>,
}

/// A part of a file.
#[derive(Debug, Clone, PartialEq)]
struct ModelPart {
    name: String,
    /// The number of the line that it begins in.
    line: usize,
    features: Arc<FeatureNames>,
    numbers: Numbers,
}

/// The numbers of a part.
#[derive(Debug, Clone, PartialEq)]
enum Numbers {
    /// The base score, and the trees.
    Boosted(f32, DecisionTrees),
    Forest(RandomForest),
    /// The constant, then a weight a feature.
    Linear(Vec<f64>),
}

impl Numbers {
    /// The trees that lines may be added to.
    fn trees(&mut self) -> Option<&mut DecisionTrees> {
        match self {
            Numbers::Boosted(_, trees) => Some(trees),
            Numbers::Forest(forest) => Some(&mut forest.0),
            Numbers::Linear(_) => None,
        }
    }
}

impl Model {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// The number of the line that is wrong, and why it is wrong.
    pub fn read(text: &str) -> Result<Model, String> {
        let mut lines = (1..).zip(text.lines());
        if lines.next().is_none_or(|(_, line)| line != HEADER) {
            return Err(format!("line 1: not `{HEADER}`"));
        }
        let mut model = Model {
            corpus: Corpus::default(),
            parts: Vec::new(),
        };
        let mut features = Arc::new(FeatureNames::default());
        for (at, line) in lines {
            let added = model.add_line(at, line, &mut features);
            added.map_err(|why| format!("line {at}: {why}"))?;
        }
        Ok(model)
    }

    fn add_line(
        &mut self,
        at: usize,
        line: &str,
        features: &mut Arc<FeatureNames>,
    ) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let numbers = match word {
            "corpus" => return self.corpus.set_digest(rest),
            "pages" => return self.corpus.set_pages(rest),
            "features" => {
                *features = Arc::new(FeatureNames::of(rest));
                return Ok(());
            }
            "boosted" | "forest" | "linear" => rest,
            _ => {
                let part = self.parts.last_mut();
                let trees = part.and_then(|part| part.numbers.trees());
                return trees.ok_or("a tree of no part")?.add(line, features);
            }
        };
        let (name, numbers) = numbers.split_once(' ').unwrap_or((numbers, ""));
        self.parts.push(ModelPart {
            name: name.to_owned(),
            line: at,
            features: Arc::clone(features),
            numbers: match word {
                "boosted" => Numbers::Boosted(number(numbers)?, DecisionTrees::default()),
                "forest" => Numbers::Forest(RandomForest::default()),
                _ => Numbers::Linear(weights(numbers, features.names.len() + 1)?),
            },
        });
        Ok(())
    }

    /// The pages that the model was trained on.
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    /// The boosted trees with a name, for rows of `features`.
    ///
    /// # Errors
    ///
    /// If they are missing, empty, too large or made for other features.
    pub fn boosted(&self, name: &str, features: &[&str]) -> Result<BoostedTrees, String> {
        match self.part(name, features)? {
            Numbers::Boosted(base, trees) if !trees.is_empty() => {
                BoostedTrees::of(*base, trees, features.len())
            }
            _ => Err(format!("`{name}` has no boosted trees")),
        }
    }

    /// The random forest with a name, for rows of `features`.
    ///
    /// # Errors
    ///
    /// If it is missing, empty or made for other features.
    pub fn forest(&self, name: &str, features: &[&str]) -> Result<RandomForest, String> {
        match self.part(name, features)? {
            Numbers::Forest(forest) if !forest.0.is_empty() => Ok(forest.clone()),
            _ => Err(format!("`{name}` has no forest")),
        }
    }

    /// The constant and the weights of the linear model with a name, of `features`.
    ///
    /// # Errors
    ///
    /// If it is missing or made for other features.
    pub fn linear(&self, name: &str, features: &[&str]) -> Result<&[f64], String> {
        match self.part(name, features)? {
            Numbers::Linear(weights) => Ok(weights),
            _ => Err(format!("`{name}` has no weights")),
        }
    }

    fn part(&self, name: &str, features: &[&str]) -> Result<&Numbers, String> {
        let part = self.parts.iter().find(|part| part.name == name);
        let part = part.ok_or_else(|| format!("no part `{name}`"))?;
        if part.features.names == features {
            Ok(&part.numbers)
        } else {
            Err(format!("line {}: made for other features", part.line))
        }
    }
}

fn weights(text: &str, count: usize) -> Result<Vec<f64>, String> {
    let weight = |word: &str| -> Result<f64, String> {
        let number = word.parse().ok().filter(|n: &f64| n.is_finite());
        number.ok_or_else(|| format!("`{word}` is no weight"))
    };
    let weights: Vec<f64> = text.split(' ').map(weight).collect::<Result<_, _>>()?;
    if weights.len() == count {
        Ok(weights)
    } else {
        Err(format!("{} weights, {count} are wanted", weights.len()))
    }
}

/// The log-odds of a row by a linear model: its constant plus the weighted features.
pub fn log_odds(weights: &[f64], row: &[f64]) -> f64 {
    let weighted = weights[1..].iter().zip(row).map(|(w, x)| w * x);
    weights[0] + weighted.sum::<f64>()
}

/// The names of a table of features, in its order.
pub(crate) const fn feature_names<F, const N: usize>(
    table: &[(&'static str, F); N],
) -> [&'static str; N] {
    let mut names = [""; N];
    let mut i = 0;
    while i < N {
        names[i] = table[i].0;
        i += 1;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "forest model 1\ncorpus 0f\npages 00000001ffffffff\nfeatures a b\n\
        boosted x 0.5\na<1 1 2\nforest y\nb<=1 10 30\n50\nfeatures c\nlinear z 1 -2.5\n";

    #[test]
    fn each_part_is_read_with_its_features() {
        let model = Model::read(FILE).expect("a model");
        let boosted = model.boosted("x", &["a", "b"]).expect("boosted");
        let half = |score: f32| 1.0 / (1.0 + (-score).exp());
        let rows = [[0.0, 0.0], [1.0, 0.0]];
        assert_eq!(boosted.probabilities(&rows), [half(1.5), half(2.5)]);
        let forest = model.forest("y", &["a", "b"]).expect("a forest");
        let mean = |b: f32| forest.mean(&[0.0, b]);
        assert_eq!([mean(1.0), mean(1.0_f32.next_up())], [0.3, 0.4]);
        assert_eq!(model.linear("z", &["c"]), Ok(&[1.0, -2.5][..]));
        assert_eq!(log_odds(&[1.0, -2.0], &[0.5]), 0.0);
    }

    #[test]
    fn a_model_names_the_pages_that_it_was_trained_on() {
        let model = Model::read(FILE).expect("a model");
        assert_eq!(model.corpus().digest(), "0f");
        assert!(!model.corpus().has(PageDigest::of(b"a page")));
        let page = PageDigest::of(b"a page");
        let seen = FILE.replace("00000001ffffffff", &format!("00000001{page}"));
        assert!(Model::read(&seen).expect("a model").corpus().has(page));
    }

    #[test]
    fn a_broken_file_names_the_line() {
        let cases = [
            ("", "line 1: not `forest model 1`"),
            ("forest model 2", "line 1"),
            (&FILE.replace("0.5", "x"), "line 5: `x` is no number"),
            (
                &FILE.replace("a<1 1 2", "a<1 1"),
                "line 6: a tree without end",
            ),
            (
                &FILE.replace("a<1 1 2", "1 2"),
                "line 6: more than one tree",
            ),
            (&FILE.replace("a<1", "c<1"), "line 6: no feature `c`"),
            (&FILE.replace("a<1", "a<x"), "line 6: `x` is no number"),
            (&FILE.replace("a<1 1 2", "inf"), "line 6: `inf`"),
            (
                &FILE.replace("-2.5", "-2.5 1"),
                "line 11: 3 weights, 2 are wanted",
            ),
            (&FILE.replace("-2.5", "x"), "line 11: `x` is no weight"),
            ("forest model 1\n1", "line 2: a tree of no part"),
            (
                &FILE.replace("ffffffff", "fff"),
                "line 3: no digests of pages",
            ),
            (&FILE.replace("00000001", "é0000001"), "line 3: no digests"),
        ];
        for (text, expected) in cases {
            let why = Model::read(text).expect_err(text);
            assert!(why.starts_with(expected), "{why}");
        }
    }

    #[test]
    fn a_part_that_is_not_there_is_named() {
        let model = Model::read(FILE).expect("a model");
        let why = |result: Result<BoostedTrees, String>| result.expect_err("no such part");
        assert_eq!(why(model.boosted("w", &["a", "b"])), "no part `w`");
        let other = why(model.boosted("x", &["b"]));
        assert_eq!(other, "line 5: made for other features");
        let forest = why(model.boosted("y", &["a", "b"]));
        assert_eq!(forest, "`y` has no boosted trees");
    }
}
