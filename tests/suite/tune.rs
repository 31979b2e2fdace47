//! The command `forest tune`: one seed gives the same bytes, an interrupted search is gone on
//! with, presets are read back.

use crate::eval::{stderr, stdout};
use assert_cmd::Command;
use std::fs;
use std::path::Path;

const GOLD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/gold");

/// A search of 18 settings on six pages.
const SEARCH: &str = "--population 6 --generations 2 --patience 9";

/// The pages of a search.
const SAMPLE: [&str; 2] = ["--sample", "6"];

fn tune(dir: &Path, args: &str) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("forest").expect("the program is built");
    command.current_dir(dir).args(["tune", GOLD]);
    command.args(SEARCH.split(' ')).args(args.split(' '));
    if !args.contains("--sample") {
        command.args(SAMPLE);
    }
    command.assert()
}

#[test]
fn a_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let dir = tempfile::tempdir().expect("a folder");
    let run = |threads: &str| {
        let mut command = Command::cargo_bin("forest").expect("the program is built");
        command
            .current_dir(dir.path())
            .env("RAYON_NUM_THREADS", threads);
        command.args(["tune", GOLD, "--method", "tccb", "--resume", threads]);
        let run = command
            .args(SEARCH.split(' '))
            .args(SAMPLE)
            .assert()
            .success();
        let history = fs::read_to_string(dir.path().join(threads)).expect("a history");
        (stdout(&run), history)
    };
    let (out, history) = run("1");
    assert_eq!((out.clone(), history.clone()), run("4"));
    assert!(out.starts_with("tccb by evolution, seed 1: 18 settings in 3 generations, 6 pages"));
    assert!(out.contains("| fittest 1 | "), "{out}");
    assert!(out.contains("| `injected 1: 25; 0.75` | "), "{out}");
    assert!(out.contains("| `tccb` | "), "{out}");
    assert_eq!(history.lines().count(), 1 + 18);
    let injected = history.lines().nth(1).expect("an individual");
    assert!(injected.starts_with(
        r#"{"generation":0,"origin":"injected","values":{"radius":25,"threshold":0.75}"#
    ));
    let other = tune(dir.path(), "--method tccb --seed 2").success();
    assert_ne!(stdout(&other), out);
}

#[test]
fn an_interrupted_search_is_gone_on_with() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("h.jsonl");
    let search = "--method lqf --resume h.jsonl";
    let whole_out = stdout(&tune(dir.path(), search).success());
    let whole = fs::read_to_string(&path).expect("a history");
    // Killed in a line, between two lines, in the head, and before anything was written.
    let half = whole.len() / 2;
    let line = whole[..half].rfind('\n').expect("lines") + 1;
    for kept in [half, line, 10, 0, whole.len()] {
        fs::write(&path, &whole[..kept]).expect("written");
        assert_eq!(
            stdout(&tune(dir.path(), search).success()),
            whole_out,
            "{kept}"
        );
        assert_eq!(
            fs::read_to_string(&path).expect("a history"),
            whole,
            "{kept}"
        );
    }
    let other = tune(dir.path(), &format!("{search} --seed 2")).code(2);
    let message = stderr(&other);
    assert!(
        message.contains("h.jsonl") && message.contains("another search"),
        "{message}"
    );
    assert_eq!(fs::read_to_string(&path).expect("a history"), whole);
}

#[test]
fn a_preset_is_a_pipeline_for_eval() {
    let dir = tempfile::tempdir().expect("a folder");
    for method in ["sw", "pipeline", "pipeline:balanced", "crunch"] {
        let args = format!("--method {method} --out best.yaml --report out");
        let run = tune(dir.path(), &args).success();
        assert!(stdout(&run).contains("| fittest 1 | "), "{method}");
        let mut eval = Command::cargo_bin("forest").expect("the program is built");
        eval.current_dir(dir.path())
            .args(["eval", GOLD, "--overview"]);
        let eval = eval
            .args(["--method", "pipeline:best.yaml"])
            .assert()
            .success();
        // The figures of the report are those of the preset.
        let figures = |text: &str, label: &str| {
            let row = text.lines().find(|l| l.starts_with(&format!("| `{label}")));
            let row = row.unwrap_or_else(|| panic!("{label}: {text}"));
            row.split_once(" | ").expect("cells").1.to_owned()
        };
        assert_eq!(
            figures(&stdout(&eval), "pipeline:best.yaml"),
            figures(&stdout(&run), "fittest 1"),
            "{method}"
        );
    }
    let report = fs::read_to_string(dir.path().join("out/report.md")).expect("a report");
    for name in ["fitness.svg", "tried-link_ratio-least_links.svg"] {
        assert!(report.contains(&format!("({name})")), "{report}");
        let svg = fs::read_to_string(dir.path().join("out").join(name)).expect("a chart");
        roxmltree::Document::parse(&svg).expect("XML");
    }
    let history = fs::read_to_string(dir.path().join("out/history.jsonl")).expect("a history");
    assert_eq!(history.lines().count(), 1 + 18);
}

#[test]
fn wrong_usage_names_the_remedy() {
    let dir = tempfile::tempdir().expect("a folder");
    let check = |args: &str, part: &str| {
        let message = stderr(&tune(dir.path(), args).code(2));
        assert!(message.contains(part), "{args}: {message}");
    };
    check("--method bte", "has no parameters: name lqf");
    check("--method forest", "forest is no one-page method");
    check(
        "--method lqf --parameters radius",
        "known: threshold, discards",
    );
    check(
        "--method pipeline --parameters at_least",
        "searches nodes and all their parameters",
    );
    check("--method lqf --fitness best", "recall@p>=X");
    fs::write(dir.path().join("list"), "gold/none/1\n").expect("written");
    check("--method lqf --sample list", "no scored page `gold/none/1`");
}
