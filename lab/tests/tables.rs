//! `forest-lab tables` and `train-tables`: learning from labelled tables, and scoring.

use assert_cmd::Command;

/// A folder in which commands run.
struct Bench(tempfile::TempDir);

/// The end of a command.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Bench {
    fn new() -> Bench {
        Bench(tempfile::tempdir().expect("a folder"))
    }

    fn put(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.0.path().join(name), text).expect("written");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.path().join(name)).expect("text")
    }

    fn run(&self, args: &[&str]) -> Ran {
        let mut command = Command::cargo_bin("forest-lab").expect("the program is built");
        let output = command.current_dir(self.0.path()).args(args).output();
        let output = output.expect("it ran");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Ran {
            code: output.status.code().expect("a code"),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

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
    let bench = Bench::new();
    bench.put("tables.jsonl", tables());
    let ran = bench.run(&["tables", "tables.jsonl", "--json"]);
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
    let ran = bench.run(&["tables", "tables.jsonl"]);
    assert!(
        ran.out.contains("tables whose label is certain"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("precision"), "{}", ran.out);
}

#[test]
fn trees_are_learned_and_used() {
    let bench = Bench::new();
    bench.put("tables.jsonl", tables());
    let train = ["train-tables", "tables.jsonl", "--made-up", "0"];
    let ran = bench.run(&[&train[..], &["--out", "trees.txt"]].concat());
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    let trees = bench.read("trees.txt");
    assert!(trees.starts_with("forest model 1\n"));
    // The same tables give the same bytes.
    assert_eq!(bench.run(&train).out, trees);
    let eval = ["tables", "tables.jsonl", "--trees", "trees.txt", "--json"];
    assert_eq!(json(&bench.run(&eval).out)["cells"]["header"]["f1"], 1.0);
    // Other trees, other answers: these say no to everything.
    let is_tree =
        |line: &&str| line.starts_with(|c: char| c.is_ascii_digit()) || line.contains('<');
    let none: String = trees
        .lines()
        .filter(|line| !is_tree(line))
        .map(
            |line| match line.starts_with("forest ") && line != "forest model 1" {
                true => format!("{line}\n0\n"),
                false => format!("{line}\n"),
            },
        )
        .collect();
    bench.put("trees.txt", none);
    // A table that names its columns holds data, whatever the trees say.
    assert_eq!(json(&bench.run(&eval).out)["tables"]["data"]["recall"], 1.0);
    let unnamed = tables().replace("<th>", "<td>").replace("</th>", "</td>");
    bench.put("tables.jsonl", unnamed);
    let scores = json(&bench.run(&eval).out);
    assert_eq!(scores["tables"]["data"]["recall"], 0.0);
    bench.put("trees.txt", "forest model 2\n");
    let ran = bench.run(&eval);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("trees.txt: line 1"), "{}", ran.err);
}

#[test]
fn each_table_is_scored_once_a_repeat() {
    let bench = Bench::new();
    bench.put("tables.jsonl", tables());
    let folds = ["--folds", "2", "--repeats", "2", "--made-up", "0"];
    let ran = bench.run(&[&["tables", "tables.jsonl"][..], &folds].concat());
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
    let bench = Bench::new();
    bench.put("tables.jsonl", "\n{\"label\": \"data\"}\n");
    let ran = bench.run(&["tables", "tables.jsonl"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("tables.jsonl: line 2: "), "{}", ran.err);
    let ran = bench.run(&["tables", "none.jsonl"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("cannot read none.jsonl"), "{}", ran.err);
    bench.put("empty.jsonl", "");
    assert_eq!(bench.run(&["tables", "empty.jsonl"]).code, 2);
}
