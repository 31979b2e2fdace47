//! `forest tables`: learning from labelled tables, and scoring.

use super::User;

/// Labelled tables of four hosts: harbours with their berths, and menus.
fn tables() -> String {
    let mut lines = String::new();
    for n in 0..4 {
        let rows: String = (0..4)
            .map(|row| format!("<tr><td>Harbour {n}{row}</td><td>{row}{n}5</td></tr>"))
            .collect();
        let data = serde_json::json!({
            "id": format!("d{n}"), "host": format!("host{n}.example"), "label": "data",
            "html": format!("<table><tr><th>Name</th><th>Berths</th></tr>{rows}</table>"),
            "cells": [["H", "H"], ["H", "D"], ["H", "D"], ["H", "D"], ["H", "D"]],
        });
        let menu = "<table width='100%' border=0><tr><td><a href=a>News</a><td><img src=b></table>";
        let layout = serde_json::json!({
            "id": format!("l{n}"), "host": format!("host{n}.example"), "label": "layout",
            "html": menu, "cells": null, "uncertain": n == 3,
        });
        lines += &format!("{data}\n{layout}\n");
    }
    lines
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect(text)
}

#[test]
fn the_programs_trees_are_scored() {
    let user = User::new();
    user.put("tables.jsonl", tables());
    let ran = user.run(&["tables", "eval", "tables.jsonl", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let scores = json(&ran.out);
    for (of, class) in [
        ("tables", "data"),
        ("tables", "layout"),
        ("cells", "header"),
    ] {
        assert_eq!(scores[of][class]["f1"], 1.0, "{of} {class}: {scores}");
    }
    let classes = scores["cells"].as_object().expect("an object");
    let names: Vec<&str> = classes.keys().map(String::as_str).collect();
    let expected = [
        "header",
        "data",
        "neutral",
        "finalImportant",
        "finalNonImportant",
        "thema",
    ];
    assert_eq!(names, expected);
    let ran = user.run(&["tables", "eval", "tables.jsonl"]);
    assert!(
        ran.out.contains("tables whose label is certain"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("precision"), "{}", ran.out);
}

#[cfg(feature = "train")]
#[test]
fn trees_are_learned_and_used() {
    let user = User::new();
    user.put("tables.jsonl", tables());
    let train = ["tables", "train", "tables.jsonl", "--made-up", "0"];
    let ran = user.run(&[&train[..], &["--out", "trees.txt"]].concat());
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    let trees = user.read("trees.txt");
    assert!(trees.starts_with("forest table trees 1\n"));
    // The same tables give the same bytes.
    assert_eq!(user.run(&train).out, trees);
    let eval = [
        "tables",
        "eval",
        "tables.jsonl",
        "--trees",
        "trees.txt",
        "--json",
    ];
    assert_eq!(json(&user.run(&eval).out)["cells"]["header"]["f1"], 1.0);
    // Other trees, other answers: these say no to everything.
    let none: String = trees
        .lines()
        .take(3)
        .chain([
            "forest data",
            "0",
            "forest header",
            "0",
            "forest thema",
            "0",
        ])
        .chain(["forest finalImportant", "0"])
        .map(|line| format!("{line}\n"))
        .collect();
    user.put("trees.txt", none);
    // A table that names its columns holds data, whatever the trees say.
    assert_eq!(json(&user.run(&eval).out)["tables"]["data"]["recall"], 1.0);
    let unnamed = tables().replace("<th>", "<td>").replace("</th>", "</td>");
    user.put("tables.jsonl", unnamed);
    let scores = json(&user.run(&eval).out);
    assert_eq!(scores["tables"]["data"]["recall"], 0.0);
    user.put("trees.txt", "forest table trees 2\n");
    let ran = user.run(&eval);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("trees.txt: line 1"), "{}", ran.err);
}

#[cfg(feature = "train")]
#[test]
fn each_table_is_scored_once_a_repeat() {
    let user = User::new();
    user.put("tables.jsonl", tables());
    let folds = ["--folds", "2", "--repeats", "2", "--made-up", "0"];
    let ran = user.run(&[&["tables", "eval", "tables.jsonl"][..], &folds].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let counts = |line: &str| {
        let numbers = line.split_whitespace().skip(1);
        numbers
            .map_while(|n| n.parse::<u32>().ok())
            .take(2)
            .sum::<u32>()
    };
    let tables: Vec<u32> = ran.out.lines().skip(2).take(2).map(counts).collect();
    assert_eq!(tables, [8, 8], "{}", ran.out);
}

#[test]
fn what_is_wrong_with_the_tables_is_told() {
    let user = User::new();
    user.put("tables.jsonl", "\n{\"label\": \"data\"}\n");
    let ran = user.run(&["tables", "eval", "tables.jsonl"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("tables.jsonl: line 2: "), "{}", ran.err);
    let ran = user.run(&["tables", "eval", "none.jsonl"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("cannot read none.jsonl"), "{}", ran.err);
    user.put("empty.jsonl", "");
    assert_eq!(user.run(&["tables", "eval", "empty.jsonl"]).code, 2);
}
