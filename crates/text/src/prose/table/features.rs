//! The features of a table and of each of its cells: a row of numbers for the trees.
//!
//! Tables: the features of Wang and Hu (*A machine learning based approach for
//! table detection on the Web*, 2002, section 3) but for their word groups, the
//! paper's five, and others. Cells: Wang and Hu's at the level of a cell, the
//! paper's three, and others.

mod of_cells;
mod of_table;

pub(super) use of_cells::cell_rows;
pub(super) use of_table::table_row;

/// The number of a table's features that are Wang and Hu's.
pub const WANG_HU: usize = 15;

/// The number of those that are Wang and Hu's or the paper's.
pub const PAPER: usize = WANG_HU + 6;

/// Names of the features of a table: Wang and Hu's, the paper's, the others.
pub const TABLE_NAMES: [&str; 52] = [
    // Wang and Hu: layout.
    "columns-mean",
    "columns-deviation",
    "rows-mean",
    "rows-deviation",
    "chars-mean",
    "chars-deviation",
    "length-consistency",
    // Wang and Hu: contents.
    "image",
    "form",
    "hyperlink",
    "alphabetical",
    "digit",
    "empty",
    "others",
    "type-consistency",
    // The paper.
    "empty-row",
    "empty-column",
    "has-form",
    "has-caption",
    "th",
    "nested",
    // This project.
    "rows",
    "columns",
    "cells",
    "regular-rows",
    "chars",
    "chars-max",
    "filled",
    "link-chars",
    "links-a-cell",
    "images-a-cell",
    "blocks-a-cell",
    "scripts",
    "prose",
    "short",
    "number-columns",
    "column-consistency",
    "first-row-unlike",
    "first-row-bold",
    "first-column-words",
    "first-column-distinct",
    "first-column-colon",
    "th-share",
    "thead",
    "scope",
    "border",
    "padding",
    "width",
    "layout-role",
    "data-class",
    "layout-class",
    "merged",
];

/// Names of the features of a cell.
pub const CELL_NAMES: [&str; 77] = [
    // Where it stands.
    "row",
    "row-from-end",
    "row-in-body",
    "column",
    "column-from-end",
    "rows",
    "columns",
    "row-span",
    "column-span",
    "width",
    "alone",
    "row-filled",
    // How it is marked.
    "th",
    "scope-row",
    "scope-column",
    "head",
    "foot",
    "bold",
    "light",
    "painted",
    "header-class",
    "row-th",
    "row-bold",
    "row-painted",
    "column-th",
    "column-bold",
    "table-th",
    "unlike-below",
    "unlike-right",
    "unlike-row",
    "unlike-column",
    // What it holds: the paper's height and length, and others.
    "lines",
    "line-length",
    "chars",
    "words",
    "chars-to-row",
    "chars-to-column",
    "number",
    "digits",
    "signs",
    "empty",
    "prose",
    "links",
    "images",
    "colon",
    "note",
    "year",
    // Wang and Hu: content types of neighbours, row and column.
    "same-below",
    "same-right",
    "same-above",
    "same-left",
    "type-row",
    "type-column",
    "row-number",
    "row-years",
    "row-empty",
    "row-chars",
    "row-distinct",
    "row-unlike-columns",
    "row-colon",
    "column-number",
    "column-empty",
    "column-chars",
    "column-distinct",
    "column-colon",
    "column-counts",
    "column-year",
    "column-links",
    "first-column-number",
    "first-column-distinct",
    "first-column-chars",
    // The paper: merged cells in row and column.
    "row-merged",
    "column-merged",
    // Roles.
    "from-subject",
    "first-row-unlike",
    "first-row-th",
    "repeats-header",
];

/// The features of a table.
pub type TableRow = [f32; TABLE_NAMES.len()];

/// The features of a cell.
pub type CellRow = [f32; CELL_NAMES.len()];

/// A share; 0 if the whole is 0.
fn share(part: impl Into<f64>, of: impl Into<f64>) -> f32 {
    let of = of.into();
    if of > 0.0 {
        (part.into() / of) as f32
    } else {
        0.0
    }
}

/// Mean and standard deviation; zeros without values.
fn mean_and_deviation(values: impl Iterator<Item = f64> + Clone) -> (f32, f32) {
    let (count, sum) = values
        .clone()
        .fold((0_u32, 0.0), |(n, sum), x| (n + 1, sum + x));
    if count == 0 {
        return (0.0, 0.0);
    }
    let mean = sum / f64::from(count);
    let squares: f64 = values.map(|x| (x - mean) * (x - mean)).sum();
    (mean as f32, (squares / f64::from(count)).sqrt() as f32)
}

/// Counts without an upper end on a logarithmic scale, on which trees need few splits.
fn log(count: impl Into<f64>) -> f32 {
    count.into().ln_1p() as f32
}
