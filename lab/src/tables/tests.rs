use super::labelled::LabelledTable;
use super::scores::*;
use forest_text::prose::table::CellClass;

/// The classes that the letters give the cells of a table, `-` for none.
fn check(html: &str, cells: &str, expected: &str) {
    let line = serde_json::json!({
        "html": html,
        "label": "data",
        "cells": serde_json::from_str::<serde_json::Value>(cells).expect(cells),
    });
    let table = LabelledTable::read(&line.to_string()).expect(html);
    let letter = |class: &Option<CellClass>| {
        class.map_or('-', |class| match class {
            CellClass::Header => 'H',
            CellClass::Data => 'D',
            CellClass::Neutral => 'N',
            CellClass::Thema => 'T',
            CellClass::FinalImportant => 'F',
            CellClass::FinalNonImportant => 'X',
        })
    };
    let classes = table.cells.expect("labelled");
    assert_eq!(
        classes.iter().map(letter).collect::<String>(),
        expected,
        "{html}"
    );
}

#[test]
fn each_letter_meets_its_cell() {
    let table = "<table><tr><td colspan=2>a<tr><td>b<td rowspan=2>c<tr><td>d</table>";
    check(table, r#"[["T"], ["H", "D"], ["H"]]"#, "THDH");
    check(table, r#"[["T"], [], ["H", "D"], ["X"]]"#, "THDX");
    check("<table><tr><tr><td>a</table>", r#"[["N"]]"#, "N");
}

#[test]
fn rows_that_the_labels_do_not_know_have_no_class() {
    let stray = "<table><tr><td>a</td></tr><td>b</td><td>c</td><tr><td>d</table>";
    check(stray, r#"[["T"], ["F"]]"#, "T--F");
    check("<table><tr><td>a</table>", r#"[["H", "D", "D"]]"#, "-");
}

#[test]
fn a_nested_table_stands_in_another() {
    let line = r#"{"html": "<table><tr><td>a</table>", "label": "layout", "uncertain": true,
        "leaf_of_nested": true, "cells": null, "more": 1}"#;
    let table = LabelledTable::read(&line.replace('\n', "")).expect("a table");
    assert_eq!(table.page.level(table.table), 6);
    assert_eq!(table.grid.cells.len(), 1);
    assert!(table.uncertain && !table.data);
}

#[test]
fn what_is_wrong_with_a_file_is_told_with_its_line() {
    let good = r#"{"html": "<table></table>", "label": "data"}"#;
    for bad in [
        r#"{"html": "", "label": "data"}"#,
        "{",
        r#"{"html": "<table>", "label": "x"}"#,
    ] {
        let why = LabelledTable::read_all(&format!("{good}\n\n{bad}"))
            .err()
            .expect(bad);
        assert!(why.starts_with("line 3: "), "{why}");
    }
}

#[test]
fn precision_recall_and_f1_of_a_class() {
    let mut counts = Confusion::new(&["a", "b"]);
    for (right, answer, times) in [(0, 0, 6), (0, 1, 2), (1, 0, 4), (1, 1, 3)] {
        for _ in 0..times {
            counts.add(right, answer);
        }
    }
    // 6 of 10 answers are right, 6 of 8 are found; 12 / 18.
    let [precision, recall, f1] = counts.figures(0);
    assert!((precision - 0.6).abs() < 1e-9 && (recall - 0.75).abs() < 1e-9);
    assert!((f1 - 2.0 / 3.0).abs() < 1e-9);
    assert_eq!(Confusion::new(&["a"]).figures(0), [0.0; 3]);
}
