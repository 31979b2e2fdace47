//! Tests of the three styles.

use super::*;
use forest_html::page::{Mask, Page};
use html5ever::local_name;

/// The lines of a table. A cell's class is the letter in its `class` as in the gold
/// (H, D, N, T, F, X); without one, a `th` is a header, an empty `td` over row
/// headers neutral, any other `td` data.
pub(super) fn lines(style: TableStyle, across: bool, rows: &str) -> Vec<String> {
    let page = Page::from_html(&format!("<table>{rows}</table>"));
    let is_table = |&n: &forest_html::page::NodeId| page.tag(n) == Some(&local_name!("table"));
    let table = page.subtree(page.root()).find(is_table).expect("a table");
    let options = TextOptions {
        table_style: style,
        table_across: across,
        ..TextOptions::default()
    };
    let grid = Grid::of(&page, table, &Mask::all(&page), &options);
    let class = |cell: &crate::prose::table::Cell| match page.attr(cell.node, "class") {
        Some("H") => CellClass::Header,
        Some("N") => CellClass::Neutral,
        Some("T") => CellClass::Thema,
        Some("F") => CellClass::FinalImportant,
        Some("X") => CellClass::FinalNonImportant,
        Some(_) => CellClass::Data,
        None if page.is(cell.node, &local_name!("th")) => CellClass::Header,
        None => CellClass::Data,
    };
    let classes: Vec<CellClass> = grid.cells.iter().map(class).collect();
    let mut out = Vec::new();
    write(&grid, &classes, &options, &mut out);
    out
}

fn check(rows: &str, expected: &[&str]) {
    assert_eq!(lines(TableStyle::Clause, true, rows), expected, "{rows}");
}

fn check_rows(rows: &str, expected: &[&str]) {
    assert_eq!(lines(TableStyle::Sentence, false, rows), expected, "{rows}");
}

fn check_across(rows: &str, expected: &[&str]) {
    let plain = lines(TableStyle::Sentence, false, rows);
    let mut all = lines(TableStyle::Sentence, true, rows);
    all.retain(|line| !plain.contains(line));
    assert_eq!(all, expected, "{rows}");
}

fn check_markdown(rows: &str, expected: &[&str]) {
    assert_eq!(lines(TableStyle::Markdown, true, rows), expected, "{rows}");
}

/// The table of figures 1, 4 and 6.
const CONSOLES: &str = "<caption>Dimensions Comparison</caption>\
    <tr><td class=N><th>DS Lite<th>Original DS<th>PSP\
    <tr><th>Length<td>133.0mm<td>148.7mm<td>170.0mm\
    <tr><th>Width<td>73.9mm<td>84.7mm<td>74.0mm\
    <tr><th>Depth<td>21.5mm<td>28.8mm<td>23.0mm\
    <tr><th>Weight<td>218g<td>275g<td>260g";

#[test]
fn the_papers_table_letter_for_letter() {
    let clauses = [
        "Dimensions Comparison ;; DS Lite ; Length: 133.0mm / Original DS ; Length: 148.7mm / PSP ; Length: 170.0mm.",
        "Dimensions Comparison ;; DS Lite ; Width: 73.9mm / Original DS ; Width: 84.7mm / PSP ; Width: 74.0mm.",
        "Dimensions Comparison ;; DS Lite ; Depth: 21.5mm / Original DS ; Depth: 28.8mm / PSP ; Depth: 23.0mm.",
        "Dimensions Comparison ;; DS Lite ; Weight: 218g / Original DS ; Weight: 275g / PSP ; Weight: 260g.",
    ];
    check(CONSOLES, &clauses);
    // Figure 6 has the caption in a cell of its own.
    let caption = "<caption>Dimensions Comparison</caption>";
    for class in ["T", "H"] {
        let title = format!("<tr><td class={class} colspan=4>Dimensions Comparison");
        check(&CONSOLES.replace(caption, &title), &clauses);
    }
}

#[test]
fn the_papers_table_as_sentences() {
    check_rows(
        CONSOLES,
        &[
            "Length: DS Lite 133.0mm, Original DS 148.7mm, PSP 170.0mm (Dimensions Comparison).",
            "Width: DS Lite 73.9mm, Original DS 84.7mm, PSP 74.0mm (Dimensions Comparison).",
            "Depth: DS Lite 21.5mm, Original DS 28.8mm, PSP 23.0mm (Dimensions Comparison).",
            "Weight: DS Lite 218g, Original DS 275g, PSP 260g (Dimensions Comparison).",
        ],
    );
    // Its columns are subjects and its rows their properties: columns first.
    let all = lines(TableStyle::Sentence, true, CONSOLES);
    assert_eq!(
        all[0],
        "DS Lite: Length 133.0mm, Width 73.9mm, Depth 21.5mm, Weight 218g."
    );
    assert!(all[3].starts_with("Length: DS Lite"), "{all:?}");
}

#[test]
fn headers_above_only_or_beside_only_or_none() {
    check(
        "<tr><th>Boat<th>Crew<tr><td>Anna<td>4<tr><td>Berta<td>",
        &["Boat: Anna / Crew: 4.", "Boat: Berta."],
    );
    check(
        "<tr><th>Crew:<td>4<td>6<tr><th>Sails<td>2<td>3",
        &["Crew: 4 / Crew: 6.", "Sails: 2 / Sails: 3."],
    );
    check("<tr><td>a<td>b<tr><td>c<td>", &["a / b.", "c."]);
}

#[test]
fn a_header_over_row_headers_is_written_once() {
    check(
        "<tr><th>Boat<th>Crew<th>Sails<tr><th>Anna<td>4<td>2",
        &["Boat: Anna / Crew ; Anna: 4 / Sails ; Anna: 2."],
    );
}

#[test]
fn headers_of_several_rows_and_columns() {
    check(
        "<tr><td class=N rowspan=2><td class=N rowspan=2><th colspan=2>Crew<th rowspan=2>Sails\
         <tr><th>Day<th>Night\
         <tr><th rowspan=2>Anna<th>old<td>4<td>2<td>1<tr><th>new<td>5<td>3<td colspan=1>9",
        &[
            "Crew Day ; Anna, old: 4 / Crew Night ; Anna, old: 2 / Sails ; Anna, old: 1.",
            "Crew Day ; Anna, new: 5 / Crew Night ; Anna, new: 3 / Sails ; Anna, new: 9.",
        ],
    );
    // A datum over several columns has the headers of all, over all columns none.
    check(
        "<tr><th>Boat<th>Day<th>Night<tr><td>Anna<td colspan=2>4<tr><td colspan=3>Sold",
        &["Boat: Anna / Day, Night: 4.", "Sold."],
    );
}

#[test]
fn pairs_of_headers_and_data_in_one_row() {
    let rows = "<tr><th>Built<td>1911<th>Sold<td>1920";
    check(rows, &["Built: 1911 / Sold: 1920."]);
    check_rows(rows, &["Built 1911, Sold 1920."]);
}

#[test]
fn a_row_header_may_stand_behind_its_data() {
    check(
        "<tr><th>Place<th>Boat<th>Time<tr><td>1<th>Anna<td>9:10",
        &["Boat: Anna / Place ; Anna: 1 / Time ; Anna: 9:10."],
    );
    // Said twice, for the eye.
    check("<tr><th>Anna<td>9:10<th>Anna", &["Anna: 9:10."]);
    check(
        "<tr><th>Anna<td>9:10<th>Berta",
        &["Anna: 9:10 / Anna: Berta."],
    );
}

#[test]
fn neutral_cells_and_repeated_headers_are_silent() {
    check(
        "<tr><th>Boat<th>Crew<tr><td>Anna<td>4<tr><td class=X>Boat<td class=X>Crew\
         <tr><td>Berta<td>5<tr><td class=N>*<td class=N>",
        &["Boat: Anna / Crew: 4.", "Boat: Berta / Crew: 5."],
    );
}

#[test]
fn notes_follow_the_thema() {
    let rows = "<caption>Boats</caption><tr><th>Boat<th>Crew<tr><td>Anna<td>4\
                <tr><td class=F colspan=2>Source: the harbour";
    check(
        rows,
        &["Boats ;; Source: the harbour ;; Boat: Anna / Crew: 4."],
    );
    check_rows(
        rows,
        &["Boat Anna: Crew 4 (Boats).", "Source: the harbour."],
    );
}

#[test]
fn what_is_long_is_not_repeated() {
    let long = "word ".repeat(30);
    let long = long.trim();
    let rows = format!(
        "<caption>{long}</caption><tr><th>Boat<th>{long}<tr><td>Anna<td>4<tr><td class=F>{long}"
    );
    let cut = ["word"; super::bounds::MAX_HEADER_WORDS].join(" ");
    check(
        &rows,
        &[
            &format!("{long}."),
            &format!("Boat / {long}."),
            &format!("Boat: Anna / {cut}: 4."),
            &format!("{long}."),
        ],
    );
}

#[test]
fn another_block_of_headers_takes_over() {
    check(
        "<tr><th>Boat<th>Crew<tr><td>Anna<td>4<tr><th>Barge<th>Load<tr><td>Dora<td>90t",
        &["Boat: Anna / Crew: 4.", "Barge: Dora / Load: 90t."],
    );
}

#[test]
fn a_row_with_one_header_is_a_section() {
    check(
        "<tr><th>Boat<th>Crew<tr><th colspan=2>North<tr><td>Anna<td>4\
         <tr><th>South<td class=N><tr><td>Berta<td>5",
        &[
            "North ;; Boat: Anna / Crew: 4.",
            "South ;; Boat: Berta / Crew: 5.",
        ],
    );
    // Above headers of its own it is a title of these.
    check(
        "<caption>All</caption><tr><th colspan=2>North<tr><th>Boat<th>Crew<tr><td>Anna<td>4\
         <tr><th colspan=2>South<tr><th>Barge<th>Load<tr><td>Dora<td>90t",
        &[
            "All ;; North ;; Boat: Anna / Crew: 4.",
            "All ;; South ;; Barge: Dora / Load: 90t.",
        ],
    );
    // A thema further down is no less.
    check(
        "<tr><th>Boat<th>Crew<tr><td>Anna<td>4<tr><td class=T colspan=2>South<tr><td>Berta<td>5",
        &["Boat: Anna / Crew: 4.", "South ;; Boat: Berta / Crew: 5."],
    );
}

#[test]
fn headers_without_data_are_not_lost() {
    check("<tr><th>Boat<th>Crew", &["Boat / Crew."]);
    check(
        "<caption>All</caption><tr><th>Boat<th>Crew<tr><td><td>",
        &["All.", "Boat / Crew."],
    );
    check(
        "<tr><td>Anna<td>4<tr><th colspan=2>End",
        &["Anna / 4.", "End."],
    );
}

#[test]
fn headers_at_the_end_are_totals_or_written_before() {
    check(
        "<tr><th>Boat<th>Crew<tr><td>Anna<td>4<tr><td>Berta<td>5<tr><th>Total<th>9",
        &[
            "Boat: Anna / Crew: 4.",
            "Boat: Berta / Crew: 5.",
            "Boat: Total / Crew ; Total: 9.",
        ],
    );
    check(
        "<tr><th rowspan=2>Boat<th colspan=2>Crew<tr><th>Day<th>Night\
         <tr><td>Anna<td>4<td>2<tr><th>Boat<th>Day<th>Night",
        &["Boat: Anna / Crew Day: 4 / Crew Night: 2."],
    );
}

#[test]
fn a_sentence_begins_with_what_names_the_row() {
    // The first column of words that differ.
    check_rows(
        "<tr><th>Year<th>Port<th>Boat<th>Crew\
         <tr><td>1998<td>Kiel<td>Anna<td>4<tr><td>1999<td>Kiel<td>Berta<td>5",
        &[
            "Boat Anna: Year 1998, Port Kiel, Crew 4.",
            "Boat Berta: Year 1999, Port Kiel, Crew 5.",
        ],
    );
    // Without such, the first of numbers that differ.
    check_rows(
        "<tr><th>Port<th>Year<tr><td>Kiel<td>1998<tr><td>Kiel<td>1999",
        &["Year 1998: Port Kiel.", "Year 1999: Port Kiel."],
    );
}

#[test]
fn no_sentence_has_more_words_than_it_may() {
    let cells: String = (0..30).map(|n| format!("<td>{n} is here")).collect();
    let heads: String = (0..30).map(|n| format!("<th>Head {n}")).collect();
    let rows = format!("<tr><th>Boat{heads}<tr><th>Anna{cells}");
    let sentences = lines(TableStyle::Sentence, false, &rows);
    assert!(sentences.len() > 3);
    for sentence in &sentences {
        assert!(sentence.starts_with("Boat Anna: Head "), "{sentence}");
        assert!(
            sentence.split_whitespace().count() <= MAX_SENTENCE,
            "{sentence}"
        );
    }
    // One cell alone is too long.
    let long = "so many words, and more. ".repeat(20);
    let rows = format!("<tr><th>Boat<th>Story<tr><th>Anna<td>{long}");
    for across in [false, true] {
        let sentences = lines(TableStyle::Sentence, across, &rows);
        let words = |line: &String| line.split_whitespace().count();
        assert!(sentences.iter().all(|line| words(line) <= MAX_SENTENCE));
        assert!(
            sentences
                .iter()
                .all(|line| line.starts_with("Boat Anna: Story so many"))
        );
        assert_eq!(sentences.concat().matches("more").count(), 20);
    }
}

const MAX_SENTENCE: usize = super::bounds::MAX_WORDS;

#[test]
fn across_the_rows() {
    check_across(
        "<tr><th>Boat<th>Port<th>Crew<tr><th>Anna<td>Kiel<td>4\
         <tr><th>Berta<td>Bonn<td>5<tr><th>Cora<td>Kiel<td>6",
        &[
            "Port: Anna Kiel, Berta Bonn, Cora Kiel.",
            "Crew: Anna 4, Berta 5, Cora 6.",
            "Port Kiel: Boat Anna, Cora.",
            "Boat, Port, Crew: Anna, Kiel, 4; Berta, Bonn, 5; Cora, Kiel, 6.",
        ],
    );
    // One row has no others.
    check_across("<tr><th>Boat<th>Port<tr><th>Anna<td>Kiel", &[]);
    // A datum that all rows have does not distinguish them.
    check_across(
        "<tr><th>Boat<th>Port<tr><th>Anna<td>Kiel<tr><th>Berta<td>Kiel<tr><th>Cora<td>Kiel",
        &["Port: Anna Kiel, Berta Kiel, Cora Kiel."],
    );
}

#[test]
fn a_long_list_continues_with_its_last_item() {
    let rows: String = (0..30).map(|n| format!("<tr><th>Boat{n}<td>{n}")).collect();
    check_across(
        &format!("<tr><th>Boat<th>Crew{rows}"),
        &[
            "Crew: Boat0 0, Boat1 1, Boat2 2, Boat3 3, Boat4 4, Boat5 5, Boat6 6, Boat7 7, Boat8 8, Boat9 9, \
             Boat10 10, Boat11 11, Boat12 12, Boat13 13, Boat14 14, Boat15 15, Boat16 16, Boat17 17, Boat18 18.",
            "Crew: Boat18 18, Boat19 19, Boat20 20, Boat21 21, Boat22 22, Boat23 23, Boat24 24, Boat25 25, \
             Boat26 26, Boat27 27, Boat28 28, Boat29 29.",
        ],
    );
}

#[test]
fn markdown_for_people() {
    check_markdown(
        "<caption>Boats * of all</caption><tr><th>Boat<th>Crew<th>Port\
         <tr><td>An|na<td>4<td><tr><td>Berta<td><td>Kiel<tr><td class=F>No more",
        &[
            "Boats \\* of all",
            "",
            "| Boat | Crew | Port |",
            "| --- | --- | --- |",
            "| An\\|na | 4 |",
            "| Berta |  | Kiel |",
            "",
            "No more",
        ],
    );
    check_markdown(
        "<tr><td>Anna<td>Kiel",
        &["|  |  |", "| --- | --- |", "| Anna | Kiel |"],
    );
    check_markdown(
        "<tr><th>Boat<th>Crew<tr><td>Anna<td>4<tr><th>Barge<th>Load<tr><td>Dora<td>90t",
        &[
            "| Boat | Crew |",
            "| --- | --- |",
            "| Anna | 4 |",
            "",
            "| Barge | Load |",
            "| --- | --- |",
            "| Dora | 90t |",
        ],
    );
}

#[test]
fn a_table_without_text_gives_nothing() {
    for rows in [
        "",
        "<tr>",
        "<tr><td><td>",
        "<tr><th><th><tr><td><td>",
        "<caption></caption>",
    ] {
        for style in [
            TableStyle::Clause,
            TableStyle::Sentence,
            TableStyle::Markdown,
        ] {
            assert_eq!(lines(style, true, rows), [""; 0], "{rows}");
        }
    }
    check("<caption>Alone</caption>", &["Alone."]);
}

/// Bytes of text, bytes of lines; every style.
fn grown(rows: &str) {
    let page = Page::from_html(&format!("<table>{rows}</table>"));
    let text = forest_core::render::text(&page, &Mask::all(&page)).len();
    for style in [
        TableStyle::Clause,
        TableStyle::Sentence,
        TableStyle::Markdown,
    ] {
        let out = lines(style, true, rows);
        assert!(!out.is_empty(), "{style:?}");
        let bytes: usize = out.iter().map(|line| line.len() + 1).sum();
        assert!(bytes <= MAX_GROWTH * text, "{style:?}: {text} to {bytes}");
        if style == TableStyle::Sentence {
            let words = out.iter().map(|line| line.split_whitespace().count());
            assert!(words.max() <= Some(MAX_SENTENCE));
        }
    }
}

#[test]
fn the_output_is_bounded() {
    let header = "<th>A header of several words".repeat(50);
    let ones = "<td>1".repeat(50);
    grown(&format!("<tr>{header}{}", format!("<tr>{ones}").repeat(50)));
    let name = "A very long name of a row ".repeat(20);
    grown(&format!("<tr><th>{name}{ones}<tr><th>{name}{ones}"));
    // A datum that reaches over all rows and columns.
    let word = "word ".repeat(3000);
    grown(&format!(
        "<tr><td rowspan=999>{word}<td>1{}",
        "<tr><td>1".repeat(500)
    ));
    grown(&format!(
        "<tr><th colspan=1000>{word}<tr>{}",
        "<td>1".repeat(1000)
    ));
    // Ragged: one wide row, many short ones, and columns far to the right.
    grown(&format!("<tr>{ones}{}", "<tr><td>1".repeat(500)));
    grown(&"<tr><td colspan=300>1<td>2".repeat(30));
    // Headers without end beside data without end.
    grown(&format!("<tr>{}{ones}", "<th>A header".repeat(50)));
    // Titles and sections without end.
    grown(&"<tr><th colspan=2>A section with a name<tr><td>1<td>2".repeat(100));
    grown(&"<tr><td class=T>Thema<td class=F>A note<tr><td>1<td>2".repeat(100));
}

#[test]
fn spans_that_lie_do_no_harm() {
    for span in ["0", "-1", "2x", "1000", "9007199254740991"] {
        grown(&format!(
            "<tr><th colspan={span} rowspan={span}>Boat<th>Crew<tr><td rowspan={span}>Anna<td>4<tr><td>Berta"
        ));
    }
}

#[test]
fn bare_text_is_all_there() {
    let heads: String = (0..40)
        .map(|n| format!("<th>Header{n} of some length or other"))
        .collect();
    let ones: String = (0..40).map(|n| format!("<td>{n}")).collect();
    let rows = format!(
        "<tr><th>Name{heads}{}",
        format!("<tr><th>Anna{ones}").repeat(20)
    );
    for style in [
        TableStyle::Clause,
        TableStyle::Sentence,
        TableStyle::Markdown,
    ] {
        let text = lines(style, false, &rows).join("\n");
        for word in ["Anna", "Header7 of some length or other", "39"] {
            assert!(text.contains(word), "{style:?}: {word}");
        }
    }
}
