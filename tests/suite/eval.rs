//! The command `forest eval`: tables, dumps, the gate, exit codes.

use crate::collection::small;
use assert_cmd::Command;
use std::fs;
use std::path::Path;

fn forest(dir: &Path, args: &str) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("forest").expect("the program is built");
    command.current_dir(dir).args(args.split(' ')).assert()
}

pub(crate) fn stdout(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
}

pub(crate) fn stderr(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).expect("UTF-8")
}

#[test]
fn a_line_a_method_and_a_line_a_site() {
    let root = small();
    let run = forest(
        root.path(),
        "eval small --method paper --method description --by-site",
    );
    let out = stdout(&run.success());
    assert!(out.starts_with("small "), "{out}");
    let line = |name: &str| {
        out.lines()
            .find(|l| l.starts_with(name))
            .expect(name)
            .to_owned()
    };
    assert!(line("paper-tfidf").starts_with("paper-tfidf     8     0       0 | 1.000 1.000 1.000"));
    assert!(line("description").contains("    8     0       0 | "));
    assert!(line("two.example").contains("    4"), "{out}");
}

#[test]
fn an_overview_of_methods_by_collections() {
    let root = small();
    let args = "eval small --method description --method paper --overview";
    let out = stdout(&forest(root.path(), args).success());
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "| method | small (8) | macro P | R | F1 |");
    assert!(
        lines[2].starts_with("| `paper-tfidf` | 1.000 / 1.000 |"),
        "{out}"
    );
    assert!(lines[3].starts_with("| `description` |"), "{out}");
    forest(root.path(), &format!("{args} --json")).code(2);
}

#[test]
fn the_default_method_is_that_of_learn() {
    let root = small();
    let out = stdout(&forest(root.path(), "eval small --json").success());
    let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let method = &json["collections"][0]["methods"][0];
    let default = forest_core::learn::Method::default();
    assert_eq!(method["method"], format!("{default}-tfidf"));
    assert_eq!(method["two_gram"]["f1"], 1.0);
    assert_eq!(method["sites"][1]["site"], "two.example");
}

#[test]
fn dumps_have_a_line_a_page_in_the_order_of_ids() {
    let root = small();
    let args = "eval small --method paper-nodfs --method boilerpipe --signifiers feed --dump out";
    forest(root.path(), args).success();
    let out = root.path().join("out/small");
    let other = fs::read_to_string(out.join("boilerpipe-feed.jsonl")).expect("the dump");
    assert!(
        other
            .lines()
            .all(|line| line.ends_with("\"confidence\":null}"))
    );
    let dump = fs::read_to_string(out.join("paper-nodfs-feed.jsonl")).expect("the dump");
    let ids: Vec<String> = dump
        .lines()
        .map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let keys: Vec<&String> = line.as_object().expect("an object").keys().collect();
            assert_eq!(keys, ["id", "text", "title", "status", "confidence"]);
            let sure = line["confidence"].as_f64();
            assert!(
                sure.is_some_and(|sure| (0.0..=1.0).contains(&sure)),
                "{line}"
            );
            line["id"].as_str().expect("a string").to_owned()
        })
        .collect();
    assert_eq!(ids.len(), 8);
    assert!(ids.is_sorted() && ids[0] == "one.example/0", "{ids:?}");
}

#[test]
fn a_dump_has_the_scores_of_blocks_if_they_are_asked_for() {
    let root = small();
    forest(
        root.path(),
        "eval small --method onepage --dump out --blocks",
    )
    .success();
    let dump = fs::read_to_string(root.path().join("out/small/onepage-tfidf.jsonl")).expect("dump");
    let line: serde_json::Value =
        serde_json::from_str(dump.lines().next().expect("a line")).expect("JSON");
    let blocks = line["blocks"].as_array().expect("blocks");
    assert!(blocks.len() > 1, "{line}");
    let kept = line["text"].as_str().expect("a text");
    for block in blocks {
        let (text, p) = (block["text"].as_str(), block["probability"].as_f64());
        let (text, p) = (text.expect("a text"), p.expect("a probability"));
        assert!(!text.is_empty() && text.chars().count() <= 80);
        assert!((0.0..=1.0).contains(&p), "{line}");
        assert!(p < 0.5 || kept.contains(text), "{p} {text}");
    }
}

#[test]
fn unseen_pages_are_those_behind_the_first() {
    let root = small();
    forest(
        root.path(),
        "eval small --method paper --learn-on 3 --dump out",
    )
    .success();
    let dump = fs::read_to_string(root.path().join("out/small/paper-tfidf.jsonl")).expect("dump");
    let scored: Vec<&str> = dump
        .lines()
        .map(|l| &l[..l.find(',').unwrap_or(0)])
        .collect();
    assert_eq!(
        scored,
        ["{\"id\":\"one.example/3\"", "{\"id\":\"two.example/3\""]
    );
}

#[test]
fn the_gate_holds_until_something_falls() {
    let root = small();
    let pin = "eval small --method paper --gate floors.toml --write-floors";
    forest(root.path(), pin).success();
    let passed = forest(root.path(), "eval --gate floors.toml").success();
    assert!(stderr(&passed).contains("no figure below its floor"));

    let path = root.path().join("floors.toml");
    let floors = fs::read_to_string(&path).expect("floors");
    assert!(floors.contains("f1 = 0.998"), "{floors}");
    fs::write(&path, floors.replace("f1 = 0.998", "f1 = 1.5")).expect("floors");
    let fell = forest(root.path(), "eval small --gate floors.toml").code(1);
    let message = stderr(&fell);
    assert!(
        message.contains(
            "small: paper-tfidf: mean 2-gram F1 fell to 1.0000, below its floor of 1.500"
        ),
        "{message}"
    );

    fs::write(&path, floors).expect("floors");
    fs::remove_file(root.path().join("small/one.example/0.json")).expect("gold");
    let changed = forest(root.path(), "eval --gate floors.toml").code(1);
    let message = stderr(&changed);
    assert!(
        message.contains("7 scored pages, 8 are pinned"),
        "{message}"
    );
    assert!(message.contains("the corpus has changed"), "{message}");
}

#[test]
fn the_gate_holds_lists_too() {
    let root = small();
    let site = "by-month.example";
    let gold = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("gold/lists")
        .join(site);
    let lists = root.path().join("lists").join(site);
    for snapshot in fs::read_dir(gold).expect("gold") {
        let snapshot = snapshot.expect("a snapshot");
        let to = lists.join(snapshot.file_name());
        fs::create_dir_all(&to).expect("a folder");
        for file in fs::read_dir(snapshot.path()).expect("gold") {
            let file = file.expect("a file");
            fs::copy(file.path(), to.join(file.file_name())).expect("a copy");
        }
    }
    let unpinned = "eval lists --lists --gate floors.toml";
    fs::write(root.path().join("floors.toml"), "version = 1\n").expect("floors");
    let run = forest(root.path(), unpinned).code(1);
    assert!(stderr(&run).contains("lists: no floors for this path"));
    let pin = "eval lists --lists --gate floors.toml --write-floors";
    forest(root.path(), pin).success();
    for checked in ["eval --lists --gate floors.toml", unpinned] {
        let passed = forest(root.path(), checked).success();
        assert!(stderr(&passed).contains("1 collection, no figure below"));
    }
    forest(
        root.path(),
        "eval small --method paper --gate floors.toml --write-floors",
    )
    .success();
    let path = root.path().join("floors.toml");
    let floors = fs::read_to_string(&path).expect("floors");
    fs::write(&path, floors.replace("recall = 0.998", "recall = 1.5")).expect("floors");
    let fell = forest(root.path(), "eval --gate floors.toml").code(1);
    let message = stderr(&fell);
    assert!(
        message.contains(
            "lists: one snapshot: recall of items fell to 1.0000, below its floor of 1.500"
        ),
        "{message}"
    );
}

#[test]
fn a_collection_without_floors_fails_the_gate() {
    let root = small();
    fs::write(root.path().join("floors.toml"), "version = 1\n").expect("floors");
    let run = forest(root.path(), "eval small --gate floors.toml").code(1);
    assert!(stderr(&run).contains("no floors for this path"));
}

#[test]
fn presets_and_pipelines_have_labels_dumps_and_floors() {
    let root = small();
    fs::write(
        root.path().join("p.yaml"),
        "format: 1\npipeline:\n  serial: [lqf, bte]\n",
    )
    .expect("a pipeline");
    let methods =
        "--method lqf-old --method lqf-new --method pipeline:precise --method pipeline:p.yaml";
    let args = format!("eval small {methods} --dump out --gate floors.toml --write-floors");
    let out = stdout(&forest(root.path(), &args).success());
    let labels = ["lqf-old", "lqf", "pipeline:precise", "pipeline:p.yaml"];
    for label in labels {
        assert!(
            out.lines()
                .any(|line| line.starts_with(&format!("{label} "))),
            "{label}: {out}"
        );
    }
    let mut dumps: Vec<String> = fs::read_dir(root.path().join("out/small"))
        .expect("the dumps")
        .map(|entry| {
            entry
                .expect("a file")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    dumps.sort();
    let names = ["lqf-old", "lqf", "pipeline_p.yaml", "pipeline_precise"];
    assert_eq!(dumps, names.map(|name| format!("{name}-tfidf.jsonl")));
    let floors = fs::read_to_string(root.path().join("floors.toml")).expect("floors");
    assert!(
        floors.contains("[collection.floors.\"pipeline:p.yaml\"]"),
        "{floors}"
    );
    let passed = forest(root.path(), "eval --gate floors.toml").success();
    assert!(stderr(&passed).contains("no figure below its floor"));
    fs::remove_file(root.path().join("p.yaml")).expect("removed");
    let gone = forest(root.path(), "eval --gate floors.toml").code(2);
    assert!(
        stderr(&gone).contains("no file p.yaml"),
        "{}",
        stderr(&gone)
    );
}

#[test]
fn a_wrong_argument_is_named() {
    let root = small();
    for (args, message) in [
        ("eval nowhere", "nowhere"),
        ("eval small --method magic", "paper-nodfs"),
        ("eval small --signifiers magic", "words:FILE"),
        ("eval small --gate nowhere.toml", "nowhere.toml"),
        ("eval small small", "two collections are named `small`"),
        (
            "eval small --gate small/one.example/0.json",
            "not a file of floors",
        ),
        ("eval", "GOLD"),
    ] {
        let run = forest(root.path(), args).code(2);
        assert!(stderr(&run).contains(message), "{args}: {}", stderr(&run));
    }
}
