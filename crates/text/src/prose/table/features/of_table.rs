//! The features of a table.

use super::super::Grid;
use super::super::facts::{CellContent, CellFacts, ContentType, WORDS};
use super::super::lines::TableFacts;
use super::{TABLE_NAMES, TableRow, log, mean_and_deviation, share};
use forest_html::page::{NodeId, Page};
use html5ever::local_name;

/// Characters from which a cell is no longer short: three words or so.
const SHORT_CHARS: u32 = 24;

/// Half of the range of [`consistency`].
const HALF: f32 = 0.5;

/// The features of a table, in the order of their names.
pub(in super::super) fn table_row(
    page: &Page,
    table: NodeId,
    grid: &Grid,
    lines: &TableFacts,
) -> TableRow {
    let facts = &lines.facts;
    let cells = facts.len() as u32;
    let count = |is: fn(&CellFacts) -> bool| facts.iter().filter(|f| is(f)).count() as u32;
    let sum = |of: fn(&CellFacts) -> u32| facts.iter().map(|f| f64::from(of(f))).sum::<f64>();
    let filled = count(|f| !f.is_empty());
    let rows = lines.rows.iter().filter(|row| row.cells > 0);
    let all_columns = columns(grid, facts);

    let mut out = Vec::with_capacity(TABLE_NAMES.len());
    // Wang and Hu: layout.
    let (mean, deviation) = mean_and_deviation(rows.clone().map(|row| f64::from(row.cells)));
    out.extend([log(mean), deviation]);
    let in_columns = all_columns.iter().map(|column| f64::from(column.cells));
    let (mean, deviation) = mean_and_deviation(in_columns);
    out.extend([log(mean), log(deviation)]);
    let (mean, deviation) = mean_and_deviation(facts.iter().map(|f| f64::from(f.chars)));
    out.extend([log(mean), log(deviation)]);
    out.push(length_consistency(grid, lines, &all_columns));
    // Wang and Hu: contents.
    let mut types = [0_u32; ContentType::COUNT];
    for f in facts {
        types[f.content_type() as usize] += 1;
    }
    out.extend(types.map(|n| share(n, cells)));
    out.push(type_consistency(grid, lines));
    // The paper.
    let empty_row = rows
        .clone()
        .map(|row| share(row.cells - row.filled, row.cells));
    out.push(empty_row.fold(0.0, f32::max));
    let empty_column = all_columns
        .iter()
        .map(|c| share(c.cells - c.filled, c.cells));
    out.push(empty_column.fold(0.0, f32::max));
    out.push(f32::from(u8::from(sum(|f| f.controls) > 0.0)));
    out.push(f32::from(u8::from(!grid.caption.is_empty())));
    out.push(log(count(|f| f.th)));
    let nested = page
        .ancestors(table)
        .skip(1)
        .any(|n| page.is(n, &local_name!("table")));
    out.push(f32::from(u8::from(nested)));
    // This project.
    out.extend([log(grid.rows()), log(grid.columns), log(cells)]);
    let widest = rows.clone().map(|row| row.cells).max().unwrap_or(0);
    let regular = rows.clone().filter(|row| row.cells == widest).count() as u32;
    out.push(share(regular, grid.rows()));
    let chars = sum(|f| f.chars);
    out.push(log(chars));
    out.push(log(facts.iter().map(|f| f.chars).max().unwrap_or(0)));
    out.push(share(filled, cells));
    out.push(share(sum(|f| f.link_chars), chars).min(1.0));
    out.push(share(sum(|f| f.links), cells));
    out.push(share(sum(|f| f.images), cells));
    out.push(share(sum(|f| f.blocks), cells));
    out.push(sum(|f| f.scripts).min(3.0) as f32);
    out.push(share(count(|f| f.holds == CellContent::Prose), filled));
    out.push(share(
        count(|f| !f.is_empty() && f.chars <= SHORT_CHARS),
        filled,
    ));
    let with =
        |is: fn(CellContent) -> bool| lines.columns.iter().filter(|c| is(c.kind())).count() as u32;
    let filled_columns = with(|kind| kind != CellContent::Nothing);
    out.push(share(
        with(|kind| kind == CellContent::Number),
        filled_columns,
    ));
    let agree = lines.columns.iter().filter(|c| c.filled > 1);
    let agree = agree.map(|c| f64::from(share(c.numbers.max(c.words).max(c.prose), c.filled)));
    out.push(mean_and_deviation(agree).0);
    out.push(first_row_unlike(grid, lines));
    let first = lines
        .rows
        .get(lines.leading as usize)
        .copied()
        .unwrap_or_default();
    out.push(share(first.bold.max(first.th), first.cells));
    let column = lines.columns.first().copied().unwrap_or_default();
    out.push(share(column.words, column.cells));
    out.push(share(column.distinct, column.filled));
    out.push(share(column.colons, column.filled));
    out.push(share(count(|f| f.th), cells));
    out.push(f32::from(u8::from(count(|f| f.in_head) > 0)));
    out.push(share(count(|f| f.scope_row || f.scope_column), cells));
    out.extend(attributes(page, table));
    let merged: u32 = lines.rows.iter().map(|row| row.merged).sum();
    out.push(share(merged, cells));
    out.try_into().expect("as many as there are names")
}

/// The features by the table's own attributes.
fn attributes(page: &Page, table: NodeId) -> [f32; 6] {
    let attr = |name| page.attr(table, name);
    let number = |name| {
        let value = attr(name)?.trim().trim_end_matches("px");
        value.parse::<f32>().ok()
    };
    let style = attr("style").unwrap_or_default().to_ascii_lowercase();
    let border = match number("border") {
        Some(border) => border.clamp(0.0, 3.0),
        None if style.contains("border") => 1.0,
        None => -1.0,
    };
    let padding = number("cellpadding").map_or(-1.0, |n| n.clamp(0.0, 10.0));
    let width = match attr("width") {
        Some(width) if width.contains('%') => 1.0,
        Some(_) => 2.0,
        None => 0.0,
    };
    let role = attr("role").unwrap_or_default();
    let role = matches!(role, "presentation" | "none" | "navigation");
    let names = [attr("class"), attr("id"), attr("summary")].map(Option::unwrap_or_default);
    let names = names.join(" ").to_ascii_lowercase();
    let has = |parts| {
        f32::from(u8::from(
            WORDS.words(parts).any(|part| names.contains(part)),
        ))
    };
    let (data, layout) = (has("data-names"), has("layout-names"));
    [
        border,
        padding,
        width,
        f32::from(u8::from(role)),
        data,
        layout,
    ]
}

/// Sums over every cell that begins in a column.
#[derive(Clone, Copy, Default)]
struct ColumnSums {
    cells: u32,
    filled: u32,
    chars: u32,
}

fn columns(grid: &Grid, facts: &[CellFacts]) -> Vec<ColumnSums> {
    let mut columns = vec![ColumnSums::default(); grid.columns as usize];
    for (cell, facts) in grid.cells.iter().zip(facts) {
        let column = &mut columns[cell.column as usize];
        column.cells += 1;
        column.filled += u32::from(!facts.is_empty());
        column.chars += facts.chars;
    }
    columns.retain(|column| column.cells > 0);
    columns
}

/// Wang and Hu's consistency of a length in a line whose mean is given:
/// `0.5 - min(|length - mean| / mean, 1)`.
fn consistency(chars: u32, mean: f32) -> f32 {
    if mean == 0.0 {
        return HALF;
    }
    HALF - ((chars as f32 - mean).abs() / mean).min(1.0)
}

/// Wang and Hu's cumulative length consistency: the better one of rows and columns.
fn length_consistency(grid: &Grid, lines: &TableFacts, all_columns: &[ColumnSums]) -> f32 {
    // Columns in which no cell begins were left out.
    let mut index = vec![0; grid.columns as usize];
    for cell in &grid.cells {
        index[cell.column as usize] = 1;
    }
    let mut next = 0;
    for at in &mut index {
        (*at, next) = (next, next + *at);
    }
    let (mut rows, mut columns) = (0.0, 0.0);
    for (cell, facts) in grid.cells.iter().zip(&lines.facts) {
        let row = &lines.rows[cell.row as usize];
        rows += consistency(facts.chars, share(row.chars, row.cells));
        let column = &all_columns[index[cell.column as usize]];
        columns += consistency(facts.chars, share(column.chars, column.cells));
    }
    share(f64::from(f32::max(rows, columns)), grid.cells.len() as u32)
}

/// Wang and Hu's content type consistency: cells of their row's or column's most
/// frequent type count 1, others -1; the better one of rows and columns.
fn type_consistency(grid: &Grid, lines: &TableFacts) -> f32 {
    let count = |line: fn(&super::super::Cell) -> u32, lines_count: u32| {
        let mut types = vec![[0_u32; ContentType::COUNT]; lines_count as usize];
        for (cell, facts) in grid.cells.iter().zip(&lines.facts) {
            types[line(cell) as usize][facts.content_type() as usize] += 1;
        }
        let most = types.iter().map(|t| t.iter().copied().max().unwrap_or(0));
        most.sum::<u32>()
    };
    let cells = grid.cells.len() as u32;
    let most = count(|c| c.row, grid.rows()).max(count(|c| c.column, grid.columns));
    share(2.0 * f64::from(most) - f64::from(cells), cells)
}

/// Share of the columns in which the kind of content of the first full row differs from
/// that of the rows below it.
fn first_row_unlike(grid: &Grid, lines: &TableFacts) -> f32 {
    let first = grid.cells.iter().zip(&lines.facts);
    let first = first.filter(|(cell, _)| cell.row == lines.leading);
    let (mut unlike, mut all) = (0_u32, 0_u32);
    for (cell, facts) in first {
        all += 1;
        let column = lines.columns[cell.column as usize].kind();
        unlike += u32::from(column != CellContent::Nothing && facts.holds != column);
    }
    share(unlike, all)
}

#[cfg(test)]
mod tests {
    use super::super::super::classify::lines_of;
    use super::*;
    use crate::prose::TextOptions;
    use forest_html::page::Mask;

    /// A feature of a table.
    fn check(html: &str, name: &str, expected: f32) {
        let page = Page::from_html(html);
        let mut tables = page.nodes().filter(|&n| page.is(n, &local_name!("table")));
        let table = tables.next_back().expect("a table");
        let grid = Grid::of(&page, table, &Mask::all(&page), &TextOptions::default());
        let at = TABLE_NAMES.iter().position(|n| *n == name).expect(name);
        let value = table_row(&page, table, &grid, &lines_of(&page, &grid))[at];
        assert!((value - expected).abs() < 1e-4, "{name} {value}: {html}");
    }

    #[test]
    fn features_worked_by_hand() {
        let table = "<table><tr><td>ab<td>abcd<tr><td>ab<td>1234</table>";
        // Columns: every cell is as long as its column's mean, 0.5 each.
        check(table, "length-consistency", 0.5);
        // Rows have 2 of 2 and 1 of 2, columns 2 of 2 and 1 of 2: (3 - 1) / 4.
        check(table, "type-consistency", 0.5);
        check(table, "digit", 0.25);
        check(table, "alphabetical", 0.75);
        // The mean of 2, 4, 2, 4 is 3; ln(1 + 3).
        check(table, "chars-mean", 4.0_f32.ln());
        check(table, "nested", 0.0);
        check(&format!("<table><tr><td>{table}</table>"), "nested", 1.0);
        let sparse =
            "<table border=1 role=presentation><tr><th>a<td><td><tr><td>b<td><td>c</table>";
        check(sparse, "empty-row", 2.0 / 3.0);
        check(sparse, "empty-column", 1.0);
        check(sparse, "th", 2.0_f32.ln());
        check(sparse, "th-share", 1.0 / 6.0);
        check(sparse, "border", 1.0);
        check(sparse, "layout-role", 1.0);
        let links = "<table class=nav><tr><td><a href=x>abc</a>d<td><input></table>";
        check(links, "link-chars", 0.75);
        check(links, "hyperlink", 0.5);
        check(links, "form", 0.5);
        check(links, "has-form", 1.0);
        check(links, "layout-class", 1.0);
    }

    #[test]
    fn a_row_of_names_above_numbers_is_unlike_them() {
        let table = |first| format!("<table>{first}<tr><td>Oak<td>7<tr><td>Elm<td>9</table>");
        check(&table("<tr><td>Tree<td>Age"), "first-row-unlike", 0.5);
        check(&table("<tr><td>Ash<td>8"), "first-row-unlike", 0.0);
    }
}
