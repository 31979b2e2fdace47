//! Properties of the lines of any table.

use super::bounds::{MAX_GROWTH, MAX_WORDS};
use super::tests::lines;
use crate::prose::TableStyle;
use proptest::prelude::*;

/// A cell: its class, its spans, its text.
fn cell() -> impl Strategy<Value = (char, u32, u32, String)> {
    let class = prop::sample::select(vec!['D', 'D', 'D', 'D', 'H', 'H', 'N', 'T', 'F', 'X']);
    let span = || prop_oneof![8 => Just(1_u32), 1 => 2_u32..5, 1 => Just(1000)];
    let word = prop::sample::select(vec![
        "Anna", "built", "1911", "(in", "Kiel)", "4", "—", "a:", "b;", "sold.", "汉字", "x|y",
    ]);
    let line = prop::collection::vec(word, 0..7).prop_map(|words| words.join(" "));
    let text = prop_oneof![
        9 => prop::collection::vec(line.clone(), 0..3).prop_map(|lines| lines.join("<br>")),
        1 => prop::collection::vec(line, 20..40).prop_map(|lines| lines.join(" and ")),
    ];
    (class, span(), span(), text)
}

fn tables() -> impl Strategy<Value = Vec<Vec<(char, u32, u32, String)>>> {
    prop::collection::vec(prop::collection::vec(cell(), 0..7), 0..9)
}

/// The words of a text without the signs at their ends.
fn words(text: &str) -> Vec<String> {
    let is_sign = |c: char| !c.is_alphanumeric();
    let words = text.split(is_sign).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_table(rows in tables(), caption in "[a-c ]{0,9}", across: bool) {
        let mut html = format!("<caption>{caption}</caption>");
        let mut text = caption.trim().len();
        let mut data = Vec::new();
        let mut all = words(&caption);
        for row in &rows {
            html.push_str("<tr>");
            for (class, columns, rows, cell) in row {
                html.push_str(&format!(
                    "<td class={class} colspan={columns} rowspan={rows}>{cell}</td>"
                ));
                let cell = cell.replace("<br>", " ");
                text += cell.len();
                if *class == 'D' {
                    data.extend(words(&cell));
                }
                all.extend(words(&cell));
            }
        }
        for style in [TableStyle::Clause, TableStyle::Sentence, TableStyle::Markdown] {
            let out = lines(style, across, &html);
            let bytes: usize = out.iter().map(|line| line.len() + 1).sum();
            prop_assert!(bytes <= MAX_GROWTH * text, "{style:?}: {text} to {bytes}\n{html}");
            let written = words(&out.join(" "));
            for word in &written {
                prop_assert!(all.contains(word), "{style:?}: {word} is not in the table\n{html}");
            }
            for word in &data {
                prop_assert!(written.contains(word), "{style:?}: {word} is lost\n{html}");
            }
            for line in &out {
                let count = line.split_whitespace().count();
                prop_assert!(style != TableStyle::Sentence || count <= MAX_WORDS, "{line}");
                prop_assert!(!line.contains('\n'));
                prop_assert!(style == TableStyle::Markdown || line == line.trim() && !line.is_empty());
            }
        }
    }
}
