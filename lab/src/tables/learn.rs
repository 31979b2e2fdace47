//! Learning the trees from labelled tables, with smartcore's random forests.
//!
//! Each forest is a regression on 0 and 1, so that a leaf is the probability of its class
//! and the mean over the trees is more than a vote. What smartcore learns is read
//! through serde and written in the format that `forest` reads.

use super::labelled::LabelledTable;
use super::made_up::{MadeUpTable, make};
use crate::model_file::ModelFile;
use forest::onepage::PageDigest;
use forest::page::{Mask, Page};
use forest::prose::TextOptions;
use forest::prose::table::features::{CELL_NAMES, CellRow, PAPER, TABLE_NAMES, TableRow, WANG_HU};
use forest::prose::table::training::TableFeatures;
use forest::prose::table::trees::{DATA, FOREST_CLASSES};
use forest::prose::table::{CellClass, Grid};
use html5ever::local_name;
use serde_json::Value;
use smartcore::ensemble::random_forest_regressor::{
    RandomForestRegressor, RandomForestRegressorParameters,
};
use smartcore::linalg::basic::matrix::DenseMatrix;
use std::fmt::Write;

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

/// TableTrees of the forest of tables. More give the same figures in cross-validation
/// and a larger file.
const TABLE_TREES: usize = 200;

/// TableTrees of each forest of cells: what 50,000 cells leave time for.
const CELL_TREES: usize = 60;

/// Features that a split of tables may choose from, drawn anew for each split: a
/// little more than the usual root of their number.
const TABLE_CHOICE: usize = 10;

/// The same of cells: few features part the rare classes, so more are drawn.
const CELL_CHOICE: usize = 20;

/// Tables in a leaf at least.
const TABLE_LEAF: usize = 2;

/// Cells in a leaf at least.
const CELL_LEAF: usize = 3;

/// Splits above a leaf of a cell's tree at the most: bounds the file and the time.
const CELL_DEPTH: u16 = 12;

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
    seed: u64,
}

impl Default for TableLearnOptions {
    fn default() -> Self {
        TableLearnOptions {
            features: FeatureSet::default(),
            made_up: MADE_UP,
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
fn made_up(count: u64) -> Vec<Example> {
    let example = |seed| {
        let MadeUpTable { html, classes } = make(seed);
        let page = Page::from_html(&html);
        let table = page.nodes().find(|&n| page.is(n, &local_name!("table")))?;
        let grid = Grid::of(&page, table, &Mask::all(&page), &TextOptions::default());
        let classes: Vec<Option<CellClass>> = classes.into_iter().map(Some).collect();
        Some(Example::new(
            TableFeatures::of(&page, table, &grid),
            &classes,
        ))
    };
    (0..count).filter_map(example).collect()
}

/// Learns all forests from labelled tables and from some that are made up; gives
/// them as a file. The same tables in the same order give the same bytes.
///
/// # Errors
///
/// The error of smartcore.
pub fn learn(labelled: &[&Example], options: &TableLearnOptions) -> Result<String, String> {
    let made_up = made_up(options.made_up);
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
    let parameters = RandomForestRegressorParameters::default()
        .with_n_trees(TABLE_TREES)
        .with_m(TABLE_CHOICE)
        .with_min_samples_leaf(TABLE_LEAF)
        .with_seed(options.seed);
    set.write_forest(&TABLE_NAMES, parameters, &mut file)?;
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
        let parameters = RandomForestRegressorParameters::default()
            .with_n_trees(CELL_TREES)
            .with_m(CELL_CHOICE)
            .with_min_samples_leaf(CELL_LEAF)
            .with_max_depth(CELL_DEPTH)
            .with_seed(options.seed);
        set.write_forest(&CELL_NAMES, parameters, &mut file)?;
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
        parameters: RandomForestRegressorParameters,
        file: &mut ModelFile,
    ) -> Result<(), String> {
        if self.rows.is_empty() {
            file.line("0");
            return Ok(());
        }
        if let Ok(kind) = std::env::var("LAB_LEARNER") {
            return self.write_bagged(names, &kind, file);
        }
        let matrix = DenseMatrix::from_2d_vec(&self.rows).map_err(|e| e.to_string())?;
        let (targets, weights) = (&self.targets, &self.weights);
        let forest = RandomForestRegressor::fit_with_weights(&matrix, targets, weights, parameters);
        let forest = forest.map_err(|e| e.to_string())?;
        let value = serde_json::to_value(&forest).map_err(|e| e.to_string())?;
        let trees = find(&value, "trees").and_then(Value::as_array);
        for tree in trees.ok_or("smartcore's forest has no trees")? {
            let nodes = tree["nodes"].as_array().ok_or("a tree has no nodes")?;
            file.line(&tree_line(names, nodes)?);
        }
        Ok(())
    }
}

impl TrainingSet {
    fn write_bagged(&self, names: &[&str], kind: &str, file: &mut ModelFile) -> Result<(), String> {
        use forust_ml::gradientbooster::{GradientBooster, GrowPolicy};
        let is_table = names.len() == TABLE_NAMES.len();
        let parts: Vec<f64> = kind
            .split(',')
            .map(|p| p.parse().expect("number"))
            .collect();
        let (subsample, table_columns, cell_columns, leaf) =
            (parts[0] as f32, parts[1], parts[2], parts[3] as f32);
        let count = self.rows[0].len();
        let columns: Vec<f64> = (0..count)
            .flat_map(|f| self.rows.iter().map(move |row| f64::from(row[f])))
            .collect();
        let matrix = forust_ml::Matrix::new(&columns, self.rows.len(), count);
        let mean = self.weights.iter().sum::<f64>() / self.weights.len() as f64;
        let weights: Vec<f64> = self.weights.iter().map(|w| w / mean).collect();
        for tree in 0..(if is_table { TABLE_TREES } else { CELL_TREES }) {
            let mut booster = GradientBooster::default()
                .set_objective_type(forust_ml::objective::ObjectiveType::SquaredLoss)
                .set_iterations(1)
                .set_learning_rate(1.0)
                .set_max_leaves(usize::MAX)
                .set_max_depth(if is_table {
                    usize::MAX
                } else {
                    usize::from(CELL_DEPTH)
                })
                .set_l2(0.0)
                .set_gamma(0.0)
                .set_min_leaf_weight(leaf * 2.0)
                .set_nbins(256)
                .set_subsample(subsample)
                .set_sample_method(forust_ml::sampler::SampleMethod::Random)
                .set_colsample_bytree(if is_table {
                    table_columns
                } else {
                    cell_columns
                })
                .set_seed(tree as u64 + 1000)
                .set_parallel(false);
            booster.grow_policy = GrowPolicy::DepthWise;
            booster
                .fit(&matrix, &self.targets, &weights, None)
                .map_err(|e| e.to_string())?;
            let base = booster.base_score as f32;
            let percent = |weight: f32| ((base + weight) * 100.0).round() + 0.0;
            file.line(&crate::training::tree_line(
                &booster.trees[0],
                names,
                percent,
            ));
        }
        Ok(())
    }
}

/// The value of a key, at any depth; the first in document order.
fn find<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if let Value::Object(map) = value {
            if let Some(found) = map.get(key) {
                return Some(found);
            }
            open.extend(map.values());
        }
    }
    None
}

/// A tree as a line: nodes in preorder. smartcore goes on splitting where all
/// leaves below are equal; such a split is one leaf here.
fn tree_line(names: &[&str], nodes: &[Value]) -> Result<String, String> {
    let mut line = String::new();
    // The percent that all leaves below a node have. Children come after parents.
    let mut same: Vec<Option<i64>> = vec![None; nodes.len()];
    let children = |at: usize| {
        let child = |name: &str| Some(nodes[at][name].as_u64()? as usize);
        let both = child("true_child").zip(child("false_child"));
        both.filter(|&(below, above)| at < below.min(above) && below.max(above) < nodes.len())
    };
    for at in (0..nodes.len()).rev() {
        same[at] = match children(at) {
            Some((below, above)) => same[below].filter(|_| same[below] == same[above]),
            None => {
                let output = nodes[at]["output"]
                    .as_f64()
                    .ok_or("a leaf without a value")?;
                Some((output * 100.0).round() as i64)
            }
        };
    }
    let mut open = vec![0];
    let mut gap = "";
    while let Some(at) = open.pop() {
        line.push_str(gap);
        gap = " ";
        match (same.get(at).ok_or("a tree without nodes")?, children(at)) {
            (Some(percent), _) => {
                let _ = write!(line, "{percent}");
            }
            (None, Some((below, above))) => {
                let feature = nodes[at]["split_feature"].as_u64().unwrap_or_default() as usize;
                let name = names.get(feature).ok_or("a feature without a name")?;
                let threshold = nodes[at]["split_value"].as_f64().ok_or("no threshold")?;
                let _ = write!(line, "{name}<={}", short(threshold));
                open.extend([above, below]);
            }
            (None, None) => return Err("a split without children".to_owned()),
        }
    }
    Ok(line)
}

/// A number with three decimals, or four digits where it is large, without zeros at
/// its end.
fn short(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest::page::NodeId;
    use forest::prose::table::classify::{classes_by, data_likelihood};
    use forest::prose::table::trees::TableTrees;

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
            let row = match data {
                true => format!("<tr><td>Row {n}<td>{n}5<td>{n}7"),
                false => "<tr><td><a href=x>Go on</a><td><img src=y>".to_owned(),
            };
            let head = if data {
                "<tr><th>Name<th>Height<th>Age"
            } else {
                ""
            };
            let (page, table, grid) = table(&format!("<table>{head}{}", row.repeat(3)));
            let class = |cell: &forest::prose::table::Cell| {
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
    fn splits_that_change_nothing_are_not_written() {
        let node = |output: f64, children: Option<(u64, u64)>| {
            serde_json::json!({
                "output": output, "split_feature": 1, "split_value": children.map(|_| 0.25),
                "true_child": children.map(|c| c.0), "false_child": children.map(|c| c.1),
            })
        };
        let check = |nodes: &[Value], expected: &str| {
            assert_eq!(tree_line(&["a", "b"], nodes).as_deref(), Ok(expected));
        };
        check(&[node(0.5, None)], "50");
        check(
            &[node(0.5, Some((1, 2))), node(0.0, None), node(1.0, None)],
            "b<=0.25 0 100",
        );
        let same = [node(0.5, Some((1, 2))), node(0.2, None), node(0.201, None)];
        check(&same, "20");
        let nested = [
            node(0.5, Some((1, 2))),
            node(0.1, Some((3, 4))),
            node(0.9, None),
            node(0.1, None),
            node(0.1, None),
        ];
        check(&nested, "b<=0.25 10 90");
        check(&[node(0.5, Some((0, 9)))], "50");
    }

    #[test]
    fn each_cell_that_is_made_up_has_a_class() {
        for seed in 0..300 {
            let made = make(seed);
            let (_, _, grid) = table(&made.html);
            assert_eq!(grid.cells.len(), made.classes.len(), "{}", made.html);
            for (cell, class) in grid.cells.iter().zip(&made.classes) {
                let neutral = *class == CellClass::Neutral;
                assert!(!neutral || cell.text.is_empty(), "{}", made.html);
            }
        }
        assert_ne!(make(1).html, make(2).html);
        assert_eq!(make(1).html, make(1).html);
    }
}
