//! Forests of decision trees: Breiman, *Random forests*, Machine Learning 45, 2001.
//!
//! A forest's answer is the mean of one leaf of each of its trees: how likely it is
//! that a table is one of data, or a cell of the forest's class. The file is text.
//! It names the features, then each forest and its trees, a line a tree: nodes in
//! preorder, `feature<=threshold` before the node where that holds and the one
//! where it does not; a number alone is a leaf, in percent.
//!
//! ```text
//! forest table trees 1
//! table columns-mean th ...
//! cell row column ...
//! forest data
//! th<=0.5 columns-mean<=1.2 3 60 97
//! forest header
//! ...
//! ```

use super::CellClass;
use super::features::{CELL_NAMES, TABLE_NAMES};
use crate::model::{DecisionTrees, number};
use std::sync::LazyLock;

/// First line of a file.
const HEADER: &str = "forest table trees 1";

/// The forest of tables; those of cells have their classes' names.
const DATA: &str = "data";

/// The classes of cells that have a forest. Data is what is left; which empty cell is
/// neutral and which row repeats a header is told by rules.
pub const FOREST_CLASSES: [CellClass; 3] = [
    CellClass::Header,
    CellClass::Thema,
    CellClass::FinalImportant,
];

/// Trees whose answers are averaged.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Forest(DecisionTrees);

/// All forests.
#[derive(Debug, Clone, PartialEq)]
pub struct Trees {
    pub(super) data: Forest,
    /// In the order of [`FOREST_CLASSES`].
    pub(super) cells: [Forest; FOREST_CLASSES.len()],
}

impl Trees {
    /// The trees that come with the program.
    pub fn shipped() -> &'static Trees {
        static SHIPPED: LazyLock<Trees> =
            LazyLock::new(|| Trees::read(include_str!("trees.txt")).expect("the file is tested"));
        &SHIPPED
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// What is wrong with it, with the line.
    pub fn read(text: &str) -> Result<Trees, String> {
        let mut trees = Trees {
            data: Forest::default(),
            cells: Default::default(),
        };
        let mut lines = text.lines().zip(1_usize..);
        if lines.next().is_none_or(|(line, _)| line != HEADER) {
            return Err(format!("line 1: not `{HEADER}`"));
        }
        let names: [(&str, &[&str]); 2] = [("table", &TABLE_NAMES), ("cell", &CELL_NAMES)];
        for (of, names) in names {
            let line = lines.next().map_or("", |(line, _)| line);
            let theirs = line.strip_prefix(of).unwrap_or_default().split_whitespace();
            if !theirs.eq(names.iter().copied()) {
                let line = if of == "table" { 2 } else { 3 };
                return Err(format!("line {line}: made for other features of a {of}"));
            }
        }
        let mut forest: Option<(&mut Forest, Index)> = None;
        let (table, cell) = (Index::of(&TABLE_NAMES), Index::of(&CELL_NAMES));
        for (line, number) in lines {
            if let Some(name) = line.strip_prefix("forest ") {
                let class = FOREST_CLASSES.iter().position(|class| class.name() == name);
                forest = match class {
                    _ if name == DATA => Some((&mut trees.data, table.clone())),
                    Some(class) => Some((&mut trees.cells[class], cell.clone())),
                    None => return Err(format!("line {number}: no forest `{name}`")),
                };
                continue;
            }
            let Some((forest, index)) = &mut forest else {
                return Err(format!("line {number}: a tree of no forest"));
            };
            forest
                .add(line, index)
                .map_err(|why| format!("line {number}: {why}"))?;
        }
        let is_empty = |forest: &Forest| forest.0.roots().is_empty();
        if is_empty(&trees.data) || trees.cells.iter().any(is_empty) {
            return Err("a forest has no trees".to_owned());
        }
        Ok(trees)
    }

    /// The beginning of a file, and of each forest in it.
    #[cfg(feature = "train")]
    pub(super) fn heading() -> String {
        let (table, cell) = (TABLE_NAMES.join(" "), CELL_NAMES.join(" "));
        format!("{HEADER}\ntable {table}\ncell {cell}\n")
    }

    /// The name of the forest of tables.
    #[cfg(feature = "train")]
    pub(super) const DATA: &str = DATA;
}

/// Names of features and their places, sorted by name.
#[derive(Clone)]
struct Index(Vec<(&'static str, u16)>);

impl Index {
    fn of(names: &[&'static str]) -> Index {
        let mut index: Vec<(&str, u16)> = names.iter().copied().zip(0..).collect();
        index.sort_unstable();
        Index(index)
    }

    fn place(&self, name: &str) -> Option<u16> {
        let at = self.0.binary_search_by_key(&name, |&(name, _)| name).ok()?;
        Some(self.0[at].1)
    }
}

impl Forest {
    fn add(&mut self, line: &str, index: &Index) -> Result<(), String> {
        self.0.add(line, |word| match word.split_once("<=") {
            Some((name, threshold)) => {
                let place = index.place(name);
                let place = place.ok_or_else(|| format!("no feature `{name}`"))?;
                // Below the next number is at most this one.
                Ok(Some((place, number(threshold)?.next_up())))
            }
            None => Ok(None),
        })
    }

    /// The answer for one row of features, from 0 to 1.
    pub fn answer(&self, row: &[f32]) -> f32 {
        let roots = self.0.roots();
        let sum: f32 = roots.iter().map(|&root| self.0.leaf(root, row)).sum();
        sum / roots.len() as f32 / 100.0
    }

    /// The answers for some of many rows. A tree is asked for all of them before the
    /// next one: it is in the processor's cache then.
    pub fn answers<const N: usize>(&self, rows: &[[f32; N]], asked: &[usize]) -> Vec<f32> {
        let mut sums = vec![0.0; asked.len()];
        for &root in self.0.roots() {
            for (sum, &row) in sums.iter_mut().zip(asked) {
                *sum += self.0.leaf(root, &rows[row]);
            }
        }
        for sum in &mut sums {
            *sum /= self.0.roots().len() as f32 * 100.0;
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with these trees of tables.
    fn file(trees: &str) -> String {
        let mut file = format!("{HEADER}\ntable {}\n", TABLE_NAMES.join(" "));
        file += &format!("cell {}\nforest data\n{trees}\n", CELL_NAMES.join(" "));
        for class in FOREST_CLASSES {
            file += &format!("forest {}\n0\n", class.name());
        }
        file
    }

    fn check(trees: &str, first: f32, second: f32, expected: f32) {
        let trees = Trees::read(&file(trees)).expect(trees);
        let mut row = [0.0; TABLE_NAMES.len()];
        (row[0], row[1]) = (first, second);
        assert!((trees.data.answer(&row) - expected).abs() < 1e-6);
        assert_eq!(trees.data.answers(&[[9.0; 52], row], &[1]), [expected]);
    }

    #[test]
    fn a_forest_answers_with_the_mean_of_its_trees() {
        check("50", 0.0, 0.0, 0.5);
        check("50\n100", 0.0, 0.0, 0.75);
        let nested = "columns-mean<=1 columns-mean<=0.5 10 20 columns-deviation<=2 30 40";
        check(nested, 0.5, 0.0, 0.1);
        check(nested, 0.6, 0.0, 0.2);
        check(nested, 1.1, 2.0, 0.3);
        check(nested, 1.1, 2.1, 0.4);
    }

    #[test]
    fn a_broken_file_names_the_line() {
        let cases = [
            ("", "line 1"),
            ("forest table trees 1\ntable x", "line 2"),
            (&file("1").replace("cell row", "cell"), "line 3"),
            (&file("th<=1 1"), "line 5: a tree without end"),
            (&file("1 2"), "line 5: more than one tree"),
            (&file("size<=1 1 2"), "line 5: no feature `size`"),
            (&file("th<=x 1 2"), "line 5: `x`"),
            (&file("inf"), "line 5: `inf`"),
            (
                &file("1").replace("forest data\n", ""),
                "line 4: a tree of no",
            ),
            (
                &file("1").replace("forest header", "forest heading"),
                "line 6: no forest",
            ),
            (
                &file("1").replace("forest data\n1\n", ""),
                "a forest has no trees",
            ),
        ];
        for (text, expected) in cases {
            let why = Trees::read(text).expect_err(text);
            assert!(why.starts_with(expected), "{why}");
        }
    }
}
