//! Sentences of the six languages that are known best, and what holds for all.

use super::sentences;
use crate::text::Language;
use proptest::prelude::*;

/// The cases of a file: the sentences of each.
fn cases(file: &str) -> Vec<Vec<&str>> {
    file.split("\n\n")
        .map(|case| {
            let lines = case.lines().map(str::trim);
            lines
                .filter(|line| !line.is_empty() && !line.starts_with('#'))
                .collect::<Vec<_>>()
        })
        .filter(|case| !case.is_empty())
        .collect()
}

/// Every case comes out as it is written, with `between` its sentences.
fn check(file: &str, language: Language, between: &str) {
    let cases = cases(file);
    assert!(cases.len() >= 60, "{}", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let text = case.join(between);
        let found = sentences(&text, &[], language);
        if found != *case {
            wrong.push(format!("{case:?}\n    {found:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} wrong:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

#[test]
fn english() {
    check(
        include_str!("../../../../../tests/data/sentences/en.txt"),
        Language::English,
        " ",
    );
}

#[test]
fn french() {
    check(
        include_str!("../../../../../tests/data/sentences/fr.txt"),
        Language::French,
        " ",
    );
}

#[test]
fn german() {
    check(
        include_str!("../../../../../tests/data/sentences/de.txt"),
        Language::German,
        " ",
    );
}

#[test]
fn spanish() {
    check(
        include_str!("../../../../../tests/data/sentences/es.txt"),
        Language::Spanish,
        " ",
    );
}

#[test]
fn chinese() {
    check(
        include_str!("../../../../../tests/data/sentences/zh.txt"),
        Language::Chinese,
        "",
    );
}

#[test]
fn japanese() {
    check(
        include_str!("../../../../../tests/data/sentences/ja.txt"),
        Language::Japanese,
        "",
    );
}

#[test]
fn lines_stay_apart_and_fixed_ones_whole() {
    let text = "a\nB. C.\n\n Xx ; y: Zz. Ww. \nOne. Two.";
    let fixed_at = text.find("Xx").expect("there");
    let fixed = fixed_at..fixed_at + "Xx ; y: Zz. Ww.".len();
    assert_eq!(
        sentences(text, &[fixed], Language::English),
        ["a", "B. C.", "Xx ; y: Zz. Ww.", "One.", "Two."]
    );
    assert!(sentences("", &[], Language::English).is_empty());
    assert!(sentences(" \n\r\n", &[], Language::English).is_empty());
}

#[test]
fn a_long_line_is_linear() {
    for unit in [
        ".",
        "a.",
        "a. ",
        "A. ",
        "。",
        "（",
        "「。",
        "\"",
        "（。）",
        ". \" ",
        "1. ",
    ] {
        let line = unit.repeat(100_000);
        for language in [Language::English, Language::Japanese] {
            sentences(&line, &[], language);
        }
    }
}

proptest! {
    #[test]
    fn nothing_is_lost_or_changed(
        text in "[a-dA-D0-9 .!?…\"”»«“„()\\[\\]。？」「）（’'\\n:,-]{0,60}",
        language in 0..Language::ALL.len(),
    ) {
        let found = sentences(&text, &[], Language::ALL[language]).concat();
        let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        prop_assert_eq!(bare(&found), bare(&text));
    }

    #[test]
    fn a_sentence_is_one_sentence(
        text in "[a-cA-C1-2]{1,3}([ .!?\"]{1,2}[a-cA-C1-2]{1,3}){0,8}[.!?]",
    ) {
        for sentence in sentences(&text, &[], Language::English) {
            prop_assert_eq!(sentences(sentence, &[], Language::English), vec![sentence]);
        }
    }
}

/// Found by the property with more cases; the line was cut before its beginning.
#[test]
fn a_bracket_from_an_earlier_sentence() {
    for language in [Language::Arabic, Language::Chinese] {
        assert_eq!(sentences("（… ’？）", &[], language).concat(), "（…’？）");
    }
}
