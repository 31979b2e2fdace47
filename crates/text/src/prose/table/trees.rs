//! The random forests that say what a table and its cells are.

use super::CellClass;
use super::features::{CELL_NAMES, TABLE_NAMES};
use forest_core::model::{Model, RandomForest};
use std::sync::LazyLock;

/// The name of the forest of tables in a file; those of cells have their classes' names.
pub const DATA: &str = "data";

/// The classes of cells that have a forest. All other cells are data. Rules decide which empty
/// cells are neutral and which rows repeat a header.
pub const FOREST_CLASSES: [CellClass; 3] = [
    CellClass::Header,
    CellClass::Thema,
    CellClass::FinalImportant,
];

/// All forests.
#[derive(Debug, Clone, PartialEq)]
pub struct TableTrees {
    /// The probability that a table is one of data.
    pub(super) data: RandomForest,
    /// The probability of a cell's class, in the order of [`FOREST_CLASSES`].
    pub(super) cells: [RandomForest; FOREST_CLASSES.len()],
}

impl TableTrees {
    /// The trees that come with the program.
    pub fn shipped() -> &'static TableTrees {
        static SHIPPED: LazyLock<TableTrees> = LazyLock::new(|| {
            TableTrees::read(include_str!("trees.txt")).expect("the file is tested")
        });
        &SHIPPED
    }

    /// Reads a file of a learned model.
    ///
    /// # Errors
    ///
    /// The reason why it is no file of such trees, with the line.
    pub fn read(text: &str) -> Result<TableTrees, String> {
        let model = Model::read(text)?;
        let [header, thema, last] =
            FOREST_CLASSES.map(|class| model.forest(class.name(), &CELL_NAMES));
        Ok(TableTrees {
            data: model.forest(DATA, &TABLE_NAMES)?,
            cells: [header?, thema?, last?],
        })
    }
}
