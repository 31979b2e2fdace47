//! Reading labelled tables.

use forest_core::onepage::PageDigest;
use forest_html::page::{Mask, NodeId, Page};
use forest_text::prose::TextOptions;
use forest_text::prose::table::{CellClass, Grid};
use html5ever::local_name;
use serde::Deserialize;

/// A line of a file.
#[derive(Deserialize)]
struct LabelLine {
    #[serde(default)]
    host: String,
    html: String,
    label: Label,
    #[serde(default)]
    uncertain: Option<bool>,
    #[serde(default)]
    leaf_of_nested: Option<bool>,
    #[serde(default)]
    cells: Option<Vec<Vec<Letter>>>,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Label {
    Data,
    Layout,
}

#[derive(Deserialize, Clone, Copy)]
enum Letter {
    H,
    D,
    N,
    T,
    F,
    X,
}

impl Letter {
    fn class(self) -> CellClass {
        match self {
            Letter::H => CellClass::Header,
            Letter::D => CellClass::Data,
            Letter::N => CellClass::Neutral,
            Letter::T => CellClass::Thema,
            Letter::F => CellClass::FinalImportant,
            Letter::X => CellClass::FinalNonImportant,
        }
    }
}

/// A table with its right answers.
pub struct LabelledTable {
    /// The host of its page.
    pub host: String,
    /// True if it holds data.
    pub data: bool,
    /// True if its reader was unsure.
    pub uncertain: bool,
    /// The classes of the grid's cells, where they are labelled. A cell of a row
    /// without labels has none.
    pub cells: Option<Vec<Option<CellClass>>>,
    /// The digest of its HTML.
    pub digest: PageDigest,
    /// A page with nothing but the table.
    pub page: Page,
    /// The table.
    pub table: NodeId,
    /// Its cells.
    pub grid: Grid,
}

impl LabelledTable {
    /// Reads a file: a table a line, empty lines between them.
    ///
    /// # Errors
    ///
    /// The reason why a line is no labelled table, with its number.
    pub fn read_all(text: &str) -> Result<Vec<LabelledTable>, String> {
        let lines = text.lines().zip(1..);
        let lines = lines.filter(|(line, _)| !line.trim().is_empty());
        lines
            .map(|(line, number)| {
                LabelledTable::read(line).map_err(|why| format!("line {number}: {why}"))
            })
            .collect()
    }

    /// Reads a line.
    ///
    /// # Errors
    ///
    /// The reason why it is no labelled table.
    pub fn read(line: &str) -> Result<LabelledTable, String> {
        let line: LabelLine = serde_json::from_str(line).map_err(|e| e.to_string())?;
        let digest = PageDigest::of(line.html.as_bytes());
        let page = Page::from_html(&match line.leaf_of_nested {
            Some(true) => format!("<table><tr><td>{}</td></tr></table>", line.html),
            _ => line.html,
        });
        let mut tables = page.nodes().filter(|&n| page.is(n, &local_name!("table")));
        let table = tables.next_back().ok_or("no table in its html")?;
        let grid = Grid::of(&page, table, &Mask::all(&page), &TextOptions::default());
        let cells = line.cells.map(|rows| in_order(&rows, &grid));
        Ok(LabelledTable {
            host: line.host,
            data: line.label == Label::Data,
            uncertain: line.uncertain == Some(true),
            cells,
            digest,
            page,
            table,
            grid,
        })
    }
}

/// Labelled rows that are looked ahead for when one is not where it should be.
const AHEAD: usize = 4;

/// The classes in the order of the grid's cells. Readers of broken tables differ in
/// the rows that they see: a labelled row belongs to the next row with as many
/// cells, where one is near.
fn in_order(labelled: &[Vec<Letter>], grid: &Grid) -> Vec<Option<CellClass>> {
    let mut starts: Vec<usize> = Vec::new();
    let mut last = None;
    for (at, cell) in grid.cells.iter().enumerate() {
        if last.replace(cell.row) != Some(cell.row) {
            starts.push(at);
        }
    }
    starts.push(grid.cells.len());
    let mut classes = vec![None; grid.cells.len()];
    let mut rows = starts.windows(2);
    for labels in labelled.iter().filter(|labels| !labels.is_empty()) {
        let mut ahead = rows.clone().take(AHEAD);
        let Some(skipped) = ahead.position(|row| row[1] - row[0] == labels.len()) else {
            continue;
        };
        if let Some(row) = rows.nth(skipped) {
            for (class, label) in classes[row[0]..row[1]].iter_mut().zip(labels) {
                *class = Some(label.class());
            }
        }
    }
    classes
}
