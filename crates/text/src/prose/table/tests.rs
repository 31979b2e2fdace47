//! Tests of tables with the shipped trees.

use super::classify::{DATA_FROM, classes_by, data_likelihood, leaf_tables};
use super::trees::TableTrees;
use super::{CellClass, Grid, classes_if_data};
use crate::prose::TextOptions;
use forest_html::page::{Mask, NodeId, Page};
use html5ever::local_name;

fn is_data(page: &Page, table: NodeId, grid: &Grid) -> bool {
    data_likelihood(page, table, grid, TableTrees::shipped()) >= DATA_FROM
}

fn classes(page: &Page, grid: &Grid) -> Vec<CellClass> {
    classes_by(page, grid, TableTrees::shipped())
}

/// The innermost table of a page, and its grid.
fn table(html: &str) -> (Page, NodeId, Grid) {
    let page = Page::from_html(html);
    let mut tables = page.nodes().filter(|&n| page.is(n, &local_name!("table")));
    let table = tables.next_back().expect("a table");
    let grid = Grid::of(&page, table, &Mask::all(&page), &TextOptions::default());
    (page, table, grid)
}

/// The classes of a table's cells, a word a row: the first letters of the paper's
/// names, F for finalImportant and X for finalNonImportant.
fn check(rows: &str, expected: &str) {
    let (page, _, grid) = table(&format!("<table>{rows}</table>"));
    let classes = classes(&page, &grid);
    assert_eq!(classes.len(), grid.cells.len());
    let mut shown = String::new();
    let mut last = 0;
    for (cell, class) in grid.cells.iter().zip(&classes) {
        if std::mem::replace(&mut last, cell.row) != cell.row {
            shown.push(' ');
        }
        shown.push(match class {
            CellClass::Header => 'H',
            CellClass::Data => 'D',
            CellClass::Neutral => 'N',
            CellClass::Thema => 'T',
            CellClass::FinalImportant => 'F',
            CellClass::FinalNonImportant => 'X',
        });
    }
    assert_eq!(shown, expected, "{rows}");
}

/// A row of cells that are parted by `|`.
fn row(tag: &str, cells: &str) -> String {
    let cells = cells
        .split('|')
        .map(|cell| format!("<{tag}>{cell}</{tag}>"));
    format!("<tr>{}</tr>", cells.collect::<String>())
}

/// Rows of `td`, parted by `/`.
fn rows(rows: &str) -> String {
    rows.split('/').map(|cells| row("td", cells)).collect()
}

const HARBOURS: &str = "Vik|120|4.5 m/Solnes|85|3.0 m/Ternhavn|310|7.2 m/Aldra|42|2.8 m";

#[test]
fn headers_above_and_at_the_left() {
    check(
        &(row("th", "Harbour|Berths|Depth") + &rows(HARBOURS)),
        "HHH HDD HDD HDD HDD",
    );
    // They are recognised only by their contents.
    check(
        &(rows("Harbour|Berths|Depth") + &rows(HARBOURS)),
        "HHH HDD HDD HDD HDD",
    );
    check(
        &(row("th", "|Berths|Depth") + &rows(HARBOURS)),
        "NHH HDD HDD HDD HDD",
    );
}

#[test]
fn names_and_values_without_a_header_row() {
    check(
        &rows("Built:|1911/Length:|48 m/Owner:|Ternhavn Ferries/Engine:|Steam"),
        "HD HD HD HD",
    );
}

#[test]
fn names_behind_places() {
    let places = "1|Alda Rinn|71:03/2|Mette Voll|71:44/3|Jorun Hagg|72:10/4|Siv Lunde|73:59";
    check(
        &(row("th", "Pos|Skier|Time") + &rows(places)),
        "HHH DHD DHD DHD DHD",
    );
}

#[test]
fn headers_over_two_rows() {
    let head = "<tr><th rowspan=2>Harbour<th colspan=2>Traffic<tr><th>Ships<th>Tons";
    check(
        &(head.to_owned() + &rows(HARBOURS)),
        "HH HH HDD HDD HDD HDD",
    );
}

#[test]
fn what_holds_for_the_whole_table() {
    let title = "<tr><th colspan=3>Harbours of the northern coast";
    let note = "<tr><td colspan=3>Source: harbour office, count of ships in the spring";
    let head = row("th", "Harbour|Berths|Depth");
    check(
        &(title.to_owned() + &head + &rows(HARBOURS) + note),
        "T HHH HDD HDD HDD HDD F",
    );
}

#[test]
fn a_header_row_that_is_repeated() {
    let head = row("th", "Harbour|Berths|Depth");
    let table = format!("{head}{}{head}", rows(HARBOURS));
    check(&table, "HHH HDD HDD HDD HDD XXX");
}

#[test]
fn empty_cells_for_the_looks_and_missing_data() {
    // A column without a name or a datum; a missing depth.
    let spaced = "Vik||120|4.5 m/Solnes||85|/Ternhavn||310|7.2 m/Aldra||42|2.8 m";
    check(
        &(row("th", "Harbour||Berths|Depth") + &rows(spaced)),
        "HNHH HNDD HNDD HNDD HNDD",
    );
}

#[test]
fn a_row_whose_data_are_missing_is_no_header() {
    let missing = format!("{HARBOURS}/Oddevik||/Kalvnes|64|3.1 m");
    let expected = "HHH HDD HDD HDD HDD HDD HDD";
    check(
        &(row("th", "Harbour|Berths|Depth") + &rows(&missing)),
        expected,
    );
}

#[test]
fn pictures_in_a_column_without_a_name_are_for_the_looks() {
    let pictures = HARBOURS.replace('/', "/<img src=i>|");
    let pictures = format!("<img src=i>|{pictures}");
    let expected = "NHHH NHDD NHDD NHDD NHDD";
    check(
        &(row("th", "|Harbour|Berths|Depth") + &rows(&pictures)),
        expected,
    );
}

#[test]
fn nothing_to_classify() {
    check("", "");
    check("<tr></tr><tr></tr>", "");
}

#[test]
fn leaf_tables_hold_no_table() {
    let check = |html: &str, expected: &[&str]| {
        let page = Page::from_html(html);
        let leaves = leaf_tables(&page);
        let ids: Vec<_> = leaves.iter().filter_map(|&n| page.attr(n, "id")).collect();
        assert_eq!(ids, expected, "{html}");
    };
    check("<p>none", &[]);
    check("<table id=a></table><table id=b></table>", &["a", "b"]);
    let outer = "<table id=a><tr><td><table id=b></table><td><table id=c></table></table>";
    check(outer, &["b", "c"]);
    check(
        &format!("<table id=z><tr><td>{outer}</table><table id=d>"),
        &["b", "c", "d"],
    );
    let deep: String = (0..1000)
        .map(|n| format!("<table id=t{n}><tr><td>"))
        .collect();
    assert_eq!(leaf_tables(&Page::from_html(&deep)).len(), 1);
}

/// Checks if a table holds data.
fn check_data(html: &str, expected: bool) {
    let (page, table, grid) = table(html);
    assert_eq!(is_data(&page, table, &grid), expected, "{html}");
}

#[test]
fn data_and_layout() {
    let head = row("th", "Harbour|Berths|Depth");
    check_data(
        &format!("<table class=data>{head}{}</table>", rows(HARBOURS)),
        true,
    );
    check_data(
        &format!(
            "<table>{}</table>",
            rows(&format!("Harbour|Berths|Depth/{HARBOURS}"))
        ),
        true,
    );
    let menu = "<tr><td><a href=a>News</a> <a href=b>Sport</a><td><img src=logo.gif>";
    check_data(
        &format!("<table width='100%' cellpadding=0 border=0>{menu}</table>"),
        false,
    );
    let columns = "words that go on and on in a column of text ".repeat(20);
    let columns = format!("<tr><td valign=top><p>{columns}</p><td valign=top><p>{columns}</p>");
    check_data(
        &format!("<table width='100%' border=0>{columns}</table>"),
        false,
    );
    let form = "<tr><td>Search<td><form><input name=q><input type=submit></form>";
    check_data(&format!("<table border=0>{form}</table>"), false);
    check_data("<table></table>", false);
    check_data("<table><tr><td>alone</table>", false);
}

#[test]
fn a_table_that_names_its_columns_holds_data_however_few() {
    let named = |rows: &str| format!("<table><tr><th>Town<th>Rain{rows}</table>");
    check_data(&named("<tr><td>Kiel<td>much<tr><td>Bonn<td>some"), true);
    check_data(&named("<tr><th>Kiel<td>much"), true);
    // No row of data, and rows that do not fill the columns.
    check_data(&named(""), false);
    check_data(
        &named("<tr><td colspan=2>Kiel<tr><td colspan=2>Bonn"),
        false,
    );
    check_data(
        "<table><tr><td>Town<td>Rain<tr><td>Kiel<td>much</table>",
        false,
    );
}

#[test]
fn what_is_seen_once_is_what_is_seen_twice() {
    for rows in [rows(HARBOURS), row("td", "one"), String::new()] {
        let (page, node, grid) = table(&format!("<table>{rows}</table>"));
        let twice = is_data(&page, node, &grid).then(|| classes(&page, &grid));
        assert_eq!(classes_if_data(&page, node, &grid), twice, "{rows}");
    }
}

#[test]
fn hostile_tables_have_an_answer() {
    let spans = "<tr><td colspan=1000 rowspan=9999>a<th colspan=9007199254740991>1".repeat(50);
    let empty = "<tr><td><td><td>".repeat(200);
    let wide = format!("<tr>{}", "<td>1".repeat(5000));
    for rows in [spans, empty, wide] {
        let (page, node, grid) = table(&format!("<table>{rows}</table>"));
        is_data(&page, node, &grid);
        assert_eq!(classes(&page, &grid).len(), grid.cells.len());
    }
}
