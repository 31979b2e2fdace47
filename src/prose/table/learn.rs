//! Learning the trees from labelled tables, with smartcore's random forests.
//!
//! Each forest is a regression on 0 and 1, so that a leaf says how likely its class
//! is and the mean over the trees is more than a vote. What smartcore learns is read
//! through serde and written in the form of [`trees`](super::trees).

use super::classify::{features_of, lines_of, may_be};
use super::features::{CELL_NAMES, CellRow, PAPER, TABLE_NAMES, TableRow, WANG_HU, cell_rows};
use super::made::{Made, make};
use super::trees::{FOREST_CLASSES, Trees};
use super::{CellClass, Grid};
use crate::page::{Mask, NodeId, Page};
use crate::prose::TextOptions;
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
    cells: Vec<(CellRow, CellClass, [bool; FOREST_CLASSES.len()])>,
    /// How much the table counts.
    weight: f64,
}

/// Which features of a table its trees are told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
const TABLE_TREES: usize = 100;

/// Trees of each forest of cells: what 50,000 cells leave time for.
const CELL_TREES: usize = 40;

/// Features that a split of tables may choose from, drawn anew for each split: a
/// little more than the usual root of their number.
const TABLE_CHOICE: usize = 10;

/// The same of cells: few features tell the rare classes, so more are drawn.
const CELL_CHOICE: usize = 20;

/// Tables in a leaf at least.
const TABLE_LEAF: usize = 2;

/// Cells in a leaf at least.
const CELL_LEAF: usize = 3;

/// Splits above a leaf of a cell's tree at the most: bounds the file and the time.
const CELL_DEPTH: u16 = 12;

/// Tables that are made up to learn cells from.
const MADE_UP: u64 = 150;

/// How much one of them counts beside a labelled one.
const MADE_UP_WEIGHT: f64 = 0.3;

/// How much a table counts whose label is uncertain.
const UNCERTAIN_WEIGHT: f64 = 0.5;

/// How trees learn.
#[derive(Debug, Clone, Default)]
pub struct LearnOptions {
    features: FeatureSet,
    seed: u64,
}

impl LearnOptions {
    /// With other features of tables.
    #[must_use]
    pub fn with_features(mut self, features: FeatureSet) -> LearnOptions {
        self.features = features;
        self
    }

    /// With other random draws.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> LearnOptions {
        self.seed = seed;
        self
    }
}

impl Example {
    /// A labelled table; `cells` in the order of the grid's cells.
    pub fn of(
        page: &Page,
        table: NodeId,
        grid: &Grid,
        data: bool,
        uncertain: bool,
        cells: Option<&[Option<CellClass>]>,
    ) -> Example {
        let weight = if uncertain { UNCERTAIN_WEIGHT } else { 1.0 };
        Example::weighed(page, table, grid, Some(data), cells, weight)
    }

    fn weighed(
        page: &Page,
        table: NodeId,
        grid: &Grid,
        data: Option<bool>,
        cells: Option<&[Option<CellClass>]>,
        weight: f64,
    ) -> Example {
        let lines = lines_of(page, grid);
        let rows = match cells {
            Some(_) => cell_rows(grid, &lines),
            None => Vec::new(),
        };
        let cells = rows.into_iter().zip(cells.unwrap_or_default());
        let cells = cells.enumerate().filter_map(|(at, (row, class))| {
            let may = FOREST_CLASSES.map(|class| may_be(class, &lines, grid, at));
            Some((row, (*class)?, may))
        });
        Example {
            table: features_of(page, table, grid),
            data,
            cells: cells.collect(),
            weight,
        }
    }
}

/// Tables made up to learn the classes of cells from.
fn made_up() -> Vec<Example> {
    let example = |seed| {
        let Made { html, classes } = make(seed);
        let page = Page::from_html(&html);
        let table = page.nodes().find(|&n| page.is(n, &local_name!("table")))?;
        let grid = Grid::of(&page, table, &Mask::all(&page), &TextOptions::default());
        let classes: Vec<Option<CellClass>> = classes.into_iter().map(Some).collect();
        let (classes, weight) = (Some(classes.as_slice()), MADE_UP_WEIGHT);
        Some(Example::weighed(&page, table, &grid, None, classes, weight))
    };
    (0..MADE_UP).filter_map(example).collect()
}

/// Learns all forests from labelled tables and from some that are made up; gives
/// them as a file. The same tables in the same order give the same bytes.
///
/// # Errors
///
/// What smartcore says.
pub fn learn(labelled: &[&Example], options: &LearnOptions) -> Result<String, String> {
    let made_up = made_up();
    let examples = || labelled.iter().copied().chain(&made_up);
    let mut file = Trees::heading();
    let features = options.features.count();
    let mut set = Set::default();
    for example in examples() {
        if let Some(data) = example.data {
            set.add(&example.table[..features], data, example.weight);
        }
    }
    let _ = writeln!(file, "forest {}", Trees::DATA);
    let parameters = RandomForestRegressorParameters::default()
        .with_n_trees(TABLE_TREES)
        .with_m(TABLE_CHOICE)
        .with_min_samples_leaf(TABLE_LEAF)
        .with_seed(options.seed);
    set.write_forest(&TABLE_NAMES, parameters, &mut file)?;
    for (at, class) in FOREST_CLASSES.into_iter().enumerate() {
        let mut set = Set::default();
        for example in examples() {
            // A long table counts more than a short one, but not as its length.
            let weight = example.weight / (example.cells.len().max(1) as f64).sqrt();
            for (row, own, _) in example.cells.iter().filter(|(_, _, may)| may[at]) {
                set.add(row, *own == class, weight);
            }
        }
        let _ = writeln!(file, "forest {}", class.name());
        let parameters = RandomForestRegressorParameters::default()
            .with_n_trees(CELL_TREES)
            .with_m(CELL_CHOICE)
            .with_min_samples_leaf(CELL_LEAF)
            .with_max_depth(CELL_DEPTH)
            .with_seed(options.seed);
        set.write_forest(&CELL_NAMES, parameters, &mut file)?;
    }
    Ok(file)
}

/// What a forest learns from.
#[derive(Default)]
struct Set {
    rows: Vec<Vec<f32>>,
    targets: Vec<f64>,
    weights: Vec<f64>,
}

impl Set {
    fn add(&mut self, row: &[f32], is: bool, weight: f64) {
        self.rows.push(row.to_vec());
        self.targets.push(f64::from(u8::from(is)));
        self.weights.push(weight);
    }

    /// Learns a forest and writes its trees. A forest that has nothing to learn from
    /// always says no.
    fn write_forest(
        &self,
        names: &[&str],
        parameters: RandomForestRegressorParameters,
        file: &mut String,
    ) -> Result<(), String> {
        if self.rows.is_empty() {
            file.push_str("0\n");
            return Ok(());
        }
        let matrix = DenseMatrix::from_2d_vec(&self.rows).map_err(|e| e.to_string())?;
        let (targets, weights) = (&self.targets, &self.weights);
        let forest = RandomForestRegressor::fit_with_weights(&matrix, targets, weights, parameters);
        let forest = forest.map_err(|e| e.to_string())?;
        let value = serde_json::to_value(&forest).map_err(|e| e.to_string())?;
        let trees = find(&value, "trees").and_then(Value::as_array);
        for tree in trees.ok_or("smartcore's forest has no trees")? {
            let nodes = tree["nodes"].as_array().ok_or("a tree has no nodes")?;
            write_tree(file, names, nodes)?;
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

/// Writes a tree as a line: nodes in preorder. smartcore goes on splitting where all
/// leaves below say the same; such a split is one leaf here.
fn write_tree(file: &mut String, names: &[&str], nodes: &[Value]) -> Result<(), String> {
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
        file.push_str(gap);
        gap = " ";
        match (same.get(at).ok_or("a tree without nodes")?, children(at)) {
            (Some(percent), _) => {
                let _ = write!(file, "{percent}");
            }
            (None, Some((below, above))) => {
                let feature = nodes[at]["split_feature"].as_u64().unwrap_or_default() as usize;
                let name = names.get(feature).ok_or("a feature without a name")?;
                let threshold = nodes[at]["split_value"].as_f64().ok_or("no threshold")?;
                let _ = write!(file, "{name}<={}", short(threshold));
                open.extend([above, below]);
            }
            (None, None) => return Err("a split without children".to_owned()),
        }
    }
    file.push('\n');
    Ok(())
}

/// A number with three decimals, or four digits where it is large, without zeros at
/// its end.
fn short(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
