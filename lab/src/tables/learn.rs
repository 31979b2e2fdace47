//! Learning the trees of tables and cells: random forests (Breiman, *Random forests*,
//! Machine Learning 45, 2001), by the learner of the boosted trees.
//!
//! Each tree is one step of boosting with the squared loss on some of the rows and
//! features, drawn anew. It is a regression on 0 and 1, so that a leaf is the probability
//! of its class and the mean over the trees is more than a vote.

use super::labelled::LabelledTable;
use super::made_up::{Kind, make};
use crate::model_file::ModelFile;
use crate::training::tree_line;
use forest_core::onepage::PageDigest;
use forest_text::prose::table::CellClass;
use forest_text::prose::table::features::{
    CELL_NAMES, CellRow, PAPER, TABLE_NAMES, TableRow, WANG_HU,
};
use forest_text::prose::table::training::TableFeatures;
use forest_text::prose::table::trees::{DATA, FOREST_CLASSES};
use forust_ml::Matrix;
use forust_ml::gradientbooster::{GradientBooster, GrowPolicy};
use forust_ml::objective::ObjectiveType;
use forust_ml::sampler::SampleMethod;

/// A table from which trees learn.
pub struct Example {
    table: TableRow,
    data: Option<bool>,
    digest: Option<PageDigest>,
    cells: Vec<(CellRow, CellClass, [bool; FOREST_CLASSES.len()])>,
    /// The weight of the table.
    weight: f64,
}

/// The features of a table that its trees are trained on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum FeatureSet {
    /// Those of Wang and Hu.
    WangHu,
    /// These and the paper's.
    Paper,
    /// All.
    #[default]
    All,
}

impl FeatureSet {
    fn count(self) -> usize {
        match self {
            FeatureSet::WangHu => WANG_HU,
            FeatureSet::Paper => PAPER,
            FeatureSet::All => TABLE_NAMES.len(),
        }
    }
}

/// Trees of the forest of tables. More give the same figures in cross-validation
/// and a larger file.
const TABLE_TREES: usize = 200;

/// Trees of each forest of cells: as many as 50,000 cells leave time for.
const CELL_TREES: usize = 60;

/// Share of the features that a tree of tables may choose from.
const TABLE_FEATURES: f64 = 0.3;

/// The same of cells: few features part the rare classes, so more are drawn.
const CELL_FEATURES: f64 = 0.4;

/// Share of the rows that a tree learns from: of as many draws with replacement, so many
/// different ones are expected.
const ROWS_A_TREE: f32 = 0.63;

/// Below so many rows a tree learns from all of them: a draw of no row at all would never
/// end.
const FEW_ROWS: usize = 50;

/// Weight of the rows in a leaf at least, in mean weights of a row.
const LEAF_WEIGHT: f32 = 1.0;

/// Splits above a leaf of a cell's tree at the most: bounds the file and the time.
const CELL_DEPTH: usize = 12;

/// Tables that are made up to learn cells from.
const MADE_UP: u64 = 150;

/// The weight of one of them beside a labelled one.
const MADE_UP_WEIGHT: f64 = 0.3;

/// The weight of a table whose label is uncertain.
const UNCERTAIN_WEIGHT: f64 = 0.5;

/// The settings of the learner.
#[derive(Debug, Clone)]
pub struct TableLearnOptions {
    features: FeatureSet,
    made_up: u64,
    without: Option<Kind>,
    seed: u64,
}

impl Default for TableLearnOptions {
    fn default() -> Self {
        TableLearnOptions {
            features: FeatureSet::default(),
            made_up: MADE_UP,
            without: None,
            seed: 0,
        }
    }
}

impl TableLearnOptions {
    /// With other features of tables.
    #[must_use]
    pub fn with_features(mut self, features: FeatureSet) -> TableLearnOptions {
        self.features = features;
        self
    }

    /// With more or fewer tables that are made up.
    #[must_use]
    pub fn with_made_up(mut self, count: u64) -> TableLearnOptions {
        self.made_up = count;
        self
    }

    /// With no made-up table of a kind.
    #[must_use]
    pub fn without(mut self, kind: Kind) -> TableLearnOptions {
        self.without = Some(kind);
        self
    }

    /// The number of tables that are made up to learn cells from.
    pub fn made_up(&self) -> u64 {
        self.made_up
    }

    /// With other random draws.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> TableLearnOptions {
        self.seed = seed;
        self
    }
}

impl Example {
    /// A labelled table.
    pub fn of(table: &LabelledTable) -> Example {
        let features = TableFeatures::of(&table.page, table.table, &table.grid);
        let mut example = Example::new(features, table.cells.as_deref().unwrap_or_default());
        example.data = Some(table.data);
        example.digest = Some(table.digest);
        example.weight = if table.uncertain {
            UNCERTAIN_WEIGHT
        } else {
            1.0
        };
        example
    }

    /// A table with the classes of its cells, in the order of the grid's cells.
    fn new(features: TableFeatures, classes: &[Option<CellClass>]) -> Example {
        let cells = features.cells.into_iter().zip(features.asked).zip(classes);
        let cells = cells.filter_map(|((row, asked), class)| Some((row, (*class)?, asked)));
        Example {
            table: features.table,
            data: None,
            digest: None,
            cells: cells.collect(),
            weight: MADE_UP_WEIGHT,
        }
    }
}

/// Tables made up to learn the classes of cells from.
fn made_up(count: u64, without: Option<Kind>) -> Vec<Example> {
    let example = |seed| {
        let made = make(seed, without);
        let (page, table, grid) = made.read()?;
        let features = TableFeatures::of(&page, table, &grid);
        Some(Example::new(features, &made.right()))
    };
    (0..count).filter_map(example).collect()
}

/// Learns all forests from labelled tables and from some that are made up; gives
/// them as a file. The same tables in the same order give the same bytes.
///
/// # Errors
///
/// The error of the learner.
pub fn learn(labelled: &[&Example], options: &TableLearnOptions) -> Result<String, String> {
    let made_up = made_up(options.made_up, options.without);
    let examples = || labelled.iter().copied().chain(&made_up);
    let mut file = ModelFile::new(labelled.iter().filter_map(|e| e.digest), true);
    file.features(&TABLE_NAMES);
    file.forest(DATA);
    let features = options.features.count();
    let mut set = TrainingSet::default();
    for example in examples() {
        if let Some(data) = example.data {
            set.add(&example.table[..features], data, example.weight);
        }
    }
    let forest = Forest {
        trees: TABLE_TREES,
        features: TABLE_FEATURES,
        depth: usize::MAX,
        seed: options.seed,
    };
    set.write_forest(&TABLE_NAMES, &forest, &mut file)?;
    file.features(&CELL_NAMES);
    for (at, class) in FOREST_CLASSES.into_iter().enumerate() {
        let mut set = TrainingSet::default();
        for example in examples() {
            // A long table counts more than a short one, but not as its length.
            let weight = example.weight / (example.cells.len().max(1) as f64).sqrt();
            for (row, own, _) in example.cells.iter().filter(|(_, _, may)| may[at]) {
                set.add(row, *own == class, weight);
            }
        }
        file.forest(class.name());
        let forest = Forest {
            trees: CELL_TREES,
            features: CELL_FEATURES,
            depth: CELL_DEPTH,
            seed: options.seed,
        };
        set.write_forest(&CELL_NAMES, &forest, &mut file)?;
    }
    Ok(file.finish())
}

/// The rows that a forest learns from.
#[derive(Default)]
struct TrainingSet {
    rows: Vec<Vec<f32>>,
    targets: Vec<f64>,
    weights: Vec<f64>,
}

impl TrainingSet {
    fn add(&mut self, row: &[f32], is: bool, weight: f64) {
        self.rows.push(row.to_vec());
        self.targets.push(f64::from(u8::from(is)));
        self.weights.push(weight);
    }

    /// Learns a forest and writes its trees. A forest that has nothing to learn from
    /// always answers no.
    fn write_forest(
        &self,
        names: &[&str],
        forest: &Forest,
        file: &mut ModelFile,
    ) -> Result<(), String> {
        let Some(first) = self.rows.first() else {
            file.line("0");
            return Ok(());
        };
        let columns: Vec<f64> = (0..first.len())
            .flat_map(|feature| self.rows.iter().map(move |row| f64::from(row[feature])))
            .collect();
        let matrix = Matrix::new(&columns, self.rows.len(), first.len());
        let mean = self.weights.iter().sum::<f64>() / self.weights.len() as f64;
        let weights: Vec<f64> = self.weights.iter().map(|w| w / mean).collect();
        for tree in 0..forest.trees {
            let mut learner = forest.learner(tree as u64);
            if self.rows.len() < FEW_ROWS {
                learner = learner.set_subsample(1.0);
            }
            let fitted = learner.fit(&matrix, &self.targets, &weights, None);
            fitted.map_err(|e| e.to_string())?;
            let base = learner.base_score as f32;
            // Not -0.
            let percent = |weight: f32| ((base + weight) * 100.0).round() + 0.0;
            file.line(&tree_line(&learner.trees[0], names, percent));
        }
        Ok(())
    }
}

/// The settings of a forest.
struct Forest {
    trees: usize,
    /// Share of the features that a tree may choose from.
    features: f64,
    /// Splits above a leaf at the most.
    depth: usize,
    seed: u64,
}

impl Forest {
    /// The learner of one tree.
    fn learner(&self, tree: u64) -> GradientBooster {
        let mut learner = GradientBooster::default()
            .set_objective_type(ObjectiveType::SquaredLoss)
            .set_iterations(1)
            .set_learning_rate(1.0)
            .set_max_leaves(usize::MAX)
            .set_max_depth(self.depth)
            .set_l2(0.0)
            .set_gamma(0.0)
            .set_min_leaf_weight(LEAF_WEIGHT)
            .set_nbins(256)
            .set_subsample(ROWS_A_TREE)
            .set_sample_method(SampleMethod::Random)
            .set_colsample_bytree(self.features)
            .set_seed(self.seed * 1_000_000 + 1000 + tree)
            .set_parallel(false);
        learner.grow_policy = GrowPolicy::DepthWise;
        learner
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_html::page::{Mask, NodeId, Page};
    use forest_text::prose::TextOptions;
    use forest_text::prose::table::Grid;
    use forest_text::prose::table::classify::{classes_by, data_likelihood};
    use forest_text::prose::table::trees::TableTrees;
    use html5ever::local_name;

    /// A page with one table, and its grid.
    fn table(html: &str) -> (Page, NodeId, Grid) {
        let page = Page::from_html(html);
        let table = page.nodes().find(|&n| page.is(n, &local_name!("table")));
        let table = table.expect("a table");
        let grid = Grid::of(&page, table, &Mask::all(&page), &TextOptions::default());
        (page, table, grid)
    }

    /// Twelve tables: rows of numbers under a header, or a link and a picture.
    fn examples() -> Vec<Example> {
        let of = |n: usize| {
            let data = n.is_multiple_of(2);
            let row = if data {
                format!("<tr><td>Row {n}<td>{n}5<td>{n}7")
            } else {
                "<tr><td><a href=x>Go on</a><td><img src=y>".to_owned()
            };
            let head = if data {
                "<tr><th>Name<th>Height<th>Age"
            } else {
                ""
            };
            let (page, table, grid) = table(&format!("<table>{head}{}", row.repeat(3)));
            let class = |cell: &forest_text::prose::table::Cell| {
                let header = cell.row == 0 || cell.column == 0;
                Some(if header {
                    CellClass::Header
                } else {
                    CellClass::Data
                })
            };
            let cells: Vec<Option<CellClass>> = grid.cells.iter().map(class).collect();
            let cells = data.then_some(cells.as_slice());
            let features = TableFeatures::of(&page, table, &grid);
            let mut example = Example::new(features, cells.unwrap_or_default());
            (example.data, example.weight) = (Some(data), 1.0);
            example
        };
        (0..12).map(of).collect()
    }

    #[test]
    fn what_was_learned_is_read_back() {
        let examples = examples();
        let examples: Vec<&Example> = examples.iter().collect();
        let options = TableLearnOptions::default().with_made_up(0);
        let file = learn(&examples, &options).expect("learned");
        assert_eq!(learn(&examples, &options).as_ref(), Ok(&file));
        assert_ne!(
            learn(&examples, &options.clone().with_seed(7)),
            Ok(file.clone())
        );
        let trees = TableTrees::read(&file).expect("a file");
        let (page, data, grid) =
            table("<table><tr><th>Tree<th>Size<tr><td>Oak<td>8<tr><td>Elm<td>9");
        assert!(data_likelihood(&page, data, &grid, &trees) > 0.5);
        let classes = classes_by(&page, &grid, &trees);
        let headers = classes.iter().filter(|&&class| class == CellClass::Header);
        assert_eq!(headers.count(), 4, "{classes:?}");
        let (page, layout, grid) = table("<table><tr><td><a href=x>Back</a><td><img src=y>");
        assert!(data_likelihood(&page, layout, &grid, &trees) < 0.5);
    }

    #[test]
    fn each_cell_that_is_made_up_has_a_class() {
        for seed in 0..300 {
            let made = make(seed, None);
            let (_, _, grid) = table(&made.html);
            assert_eq!(grid.cells.len(), made.classes.len(), "{}", made.html);
            for (cell, class) in grid.cells.iter().zip(&made.classes) {
                let neutral = *class == CellClass::Neutral;
                assert!(!neutral || cell.text.is_empty(), "{}", made.html);
            }
        }
        assert_ne!(make(1, None).html, make(2, None).html);
        assert_eq!(make(1, None).html, make(1, None).html);
    }
}
