//! `forest apply` on files.

use crate::cli::site::page;
use crate::cli::{User, gold, statuses};
use forest_text::pipeline::AnyMethod;
use std::process::Stdio;

#[test]
fn a_record_a_page_in_the_order_of_names() {
    let user = User::with_wrapper(10);
    let applied = user.run(&["apply", "small.example"]);
    applied.ends(0, &["10 pages: 10 ok"]);
    let records = applied.records();
    let ids: Vec<_> = records.iter().map(|r| r["id"].as_str()).collect();
    let expected: Vec<_> = (0..10).map(|n| format!("small.example/{n}")).collect();
    assert_eq!(
        ids,
        expected.iter().map(|id| Some(&**id)).collect::<Vec<_>>()
    );
    let first = &records[0];
    let text = first["text"].as_str().expect("text");
    assert!(text.starts_with("Story 0\nStory 0 is about ") && !text.contains("rights"));
    assert_eq!(first["site"], "small.example");
    assert_eq!(first["title"], "Story 0");
    assert_eq!(first["date_fetched"], serde_json::Value::Null);
    assert_eq!(first["wrapper"]["site"], "small.example");
}

#[test]
fn the_same_bytes_for_any_number_of_jobs() {
    let user = User::new();
    // The pages of the questions have no layout in common.
    user.run(&["learn", &gold(""), "-q"])
        .ends(3, &["questions: nothing learned"]);
    let apply = |jobs: &str| {
        user.run(&["apply", &gold(""), "--jobs", jobs, "--with-html"])
            .out
    };
    let one = apply("1");
    assert!(one.lines().count() >= 140, "{}", one.lines().count());
    for jobs in ["2", "4"] {
        assert!(apply(jobs) == one, "{jobs} jobs");
    }
}

#[test]
fn prose_is_what_forest_text_writes() {
    let user = User::new();
    let body = "<h1>Ferries</h1><p>The ferry is late<br>again<table><tr><th>Pier<th>Hour\
                <tr><td>Old<td>9<tr><td>New<td>10</table><p>Take:<ul><li>salt<li>oil</ul>";
    let html = format!("<html lang=en><title>Ferries</title><nav>Home</nav><main>{body}</main>");
    user.put("a.example/1.html", html);
    user.put("body.html", body);
    let yaml = "format: 1\nsite: a.example\ntemplates:\n- body: [//main]\n";
    user.put("w.yaml", yaml);
    let apply = ["apply", "a.example/1.html", "--wrapper", "w.yaml"];
    let plain = user.run(&apply).records()[0].clone();
    assert!(
        plain["text"]
            .as_str()
            .is_some_and(|t| t.starts_with("Ferries\nThe ferry is late\nagain"))
    );
    let prose = user.run(&[&apply[..], &["--prose"]].concat()).records()[0].clone();
    let text = prose["text"].as_str().expect("text");
    assert!(
        text.starts_with("Ferries.\nThe ferry is late again.\n"),
        "{text}"
    );
    assert!(text.ends_with("\nTake: salt, oil."), "{text}");
    let alone = user.run(&["text", "body.html"]).out;
    assert_eq!(format!("{text}\n"), alone);
    // All other fields are unchanged.
    let mut other = prose.clone();
    other["text"] = plain["text"].clone();
    assert_eq!(other, plain);
    // The title is not repeated.
    let written = user.run(&[&apply[..], &["--prose", "--format", "text"]].concat());
    assert_eq!(written.out, alone);
    user.put("s.yaml", "flatten_lists: false\n");
    let set = user.run(&[&apply[..], &["--prose", "--settings", "s.yaml"]].concat());
    assert!(
        set.records()[0]["text"]
            .as_str()
            .is_some_and(|t| t.ends_with("Take:\nsalt.\noil."))
    );
    user.run(&[&apply[..], &["--settings", "s.yaml"]].concat())
        .ends(2, &["--prose"]);
    user.put("bad.yaml", "\nflaten: 1\n");
    user.run(&[&apply[..], &["--prose", "--settings", "bad.yaml"]].concat())
        .ends(2, &["bad.yaml", "line 2", "flaten"]);
}

#[test]
fn a_page_without_an_article_is_empty() {
    let user = User::with_wrapper(10);
    user.put(
        "small.example/about.html",
        "<title>404 Not Found</title><h1>Not Found</h1>",
    );
    let applied = user.run(&["apply", "small.example"]);
    applied.ends(
        3,
        &["small.example/about: empty", "11 pages: 1 empty, 10 ok"],
    );
    let records = applied.records();
    assert_eq!(statuses(&records)[10], "empty");
    assert_eq!(records[10]["text"], "");
    let alone = user.run(&["apply", "small.example/about.html"]);
    alone.ends(1, &["empty"]);
    assert_eq!(alone.records().len(), 1);
}

#[test]
fn a_page_that_no_template_fits_is_a_declared_fallback() {
    let user = User::with_wrapper(10);
    let other = page(1)
        .replace("class=", "data-was=")
        .replace("id=", "data-id=");
    user.put("small.example/moved.html", other);
    let applied = user.run(&["apply", "small.example/moved.html"]);
    applied.ends(0, &["1 page: 1 fallback"]);
    let record = &applied.records()[0];
    assert!(record["wrapper"].is_null() && record["site"] == "small.example");
    assert!(record["warnings"].to_string().contains("no template"));
}

#[test]
fn a_text_that_is_no_article_is_degraded_with_a_warning() {
    let user = User::with_wrapper(10);
    let text: String = (0..9)
        .map(|n| {
            format!("<p>The ferry to island {n} leaves an hour later from Monday on, they said.")
        })
        .collect();
    let page = format!(
        "<title>Ferries</title><ul><li><a href=/>Home</a></ul><h1>Ferries</h1><p class=lead>All is late.</p>\
         <article>{text}</article>"
    );
    user.put("small.example/ferries.html", page);
    let yaml = "format: 1\nsite: small.example\ntemplates:\n- body: [\"//p[@class='lead']\"]\n";
    user.put("teaser.yaml", yaml);
    let page = "small.example/ferries.html";
    let applied = user.run(&["apply", page, "--wrapper", "teaser.yaml"]);
    applied.ends(
        0,
        &[
            "ferries: degraded: what the wrapper found is",
            "1 page: 1 degraded",
        ],
    );
    let record = &applied.records()[0];
    assert_eq!(record["text"], "All is late.");
    assert!(
        record["confidence"].as_f64().is_some_and(|sure| sure < 0.5),
        "{record}"
    );
    assert!(
        record["warnings"].to_string().contains("likely less"),
        "{record}"
    );
    let title = record["field_confidence"]["title"].as_f64();
    assert!(
        title.is_some_and(|sure| (0.0..=1.0).contains(&sure)),
        "{record}"
    );
    assert!(record["field_confidence"]["authors"].is_null(), "{record}");
}

#[test]
fn a_page_without_a_wrapper_falls_back_and_names_the_remedy() {
    let user = User::with_wrapper(10);
    user.put("other.example/1.html", page(1));
    let applied = user.run(&["apply", "other.example", "small.example"]);
    applied.ends(0, &["11 pages: 1 fallback, 10 ok"]);
    let records = applied.records();
    assert_eq!(statuses(&records)[..2], ["fallback", "ok"]);
    let warnings = records[0]["warnings"].to_string();
    assert!(
        warnings.contains("no wrapper for other.example") && warnings.contains("forest learn"),
        "{warnings}"
    );
    assert!(records[0]["confidence"].as_f64().is_some_and(|c| c > 0.5));
    let named = user.run(&[
        "apply",
        "other.example",
        "--wrapper",
        "sites/small.example.yaml",
    ]);
    named.ends(0, &[]);
    user.run(&["apply", "other.example", "--wrapper", "none.yaml"])
        .ends(2, &["none.yaml"]);
    user.put("sites/other.example.yaml", "format: 9\n");
    user.run(&["apply", "other.example"])
        .ends(1, &["other.example.yaml", "format 9"]);
}

#[test]
fn the_address_goes_before_the_folder() {
    let user = User::with_wrapper(10);
    user.put("saved/1.html", page(1));
    user.put("saved/1.json", r#"{"url": "https://small.example/1"}"#);
    let applied = user.run(&["apply", "saved"]);
    applied.ends(0, &[]);
    let record = &applied.records()[0];
    assert_eq!(record["id"], "saved/1");
    assert_eq!(record["fetched_url"], "https://small.example/1");
}

#[test]
fn formats() {
    let user = User::with_wrapper(10);
    let check = |format: &str, start: &str, times: &str, count: usize| {
        let applied = user.run(&["apply", "small.example", "--format", format]);
        applied.ends(0, &[]);
        assert!(applied.out.starts_with(start), "{}", applied.out);
        assert_eq!(applied.out.matches(times).count(), count, "{}", applied.out);
        applied.out
    };
    check("text", "Story 0\n\nStory 0 is about", "is about", 40);
    check("markdown", "# Story 0\n\n", "is about", 40);
    check(
        "html",
        "<!DOCTYPE html>",
        "<article data-id=\"small.example/",
        10,
    );
    let json = check("json", "[\n{", "\"schema\":1", 10);
    let array: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(array.as_array().map(Vec::len), Some(10));
    user.run(&["apply", "small.example", "--format", "pdf"])
        .ends(2, &["pdf", "markdown"]);
}

#[test]
fn files_and_folders() {
    let user = User::with_wrapper(10);
    let stdout = user.run(&["apply", "small.example"]).out;
    let to_file = user.run(&["apply", "small.example", "--out", "all.jsonl"]);
    to_file.ends(0, &[]);
    assert_eq!(to_file.out, "");
    assert!(user.read("all.jsonl") == stdout);
    let folder = [
        "apply",
        "small.example",
        "--format",
        "markdown",
        "--out",
        "md/",
    ];
    user.run(&folder).ends(0, &[]);
    assert_eq!(user.names("md").len(), 10);
    assert!(user.read("md/small.example_3.md").starts_with("# Story 3"));
    user.run(&["apply", "small.example", "--out", "nowhere/all.jsonl"])
        .ends(2, &["nowhere/all.jsonl"]);
    // No unfinished file is left.
    let names = user.names("");
    assert_eq!(names, ["all.jsonl", "md", "sites", "small.example"]);
    #[cfg(unix)]
    {
        let to_stream = user.run(&["apply", "small.example", "--out", "/dev/stdout"]);
        to_stream.ends(0, &[]);
        assert!(to_stream.out == stdout);
    }
}

#[test]
fn methods_page_by_page_need_no_wrapper() {
    let user = User::new();
    let site = gold("harbour-gazette.example");
    let page_by_page = AnyMethod::all().filter(|method| !method.learns());
    for method in page_by_page.map(|method| method.to_string()) {
        let applied = user.run(&["apply", &site, "--method", &method]);
        applied.ends(0, &["ok"]);
        let records = applied.records();
        assert!(records.len() >= 10, "{method}");
        let text = records[0]["text"].as_str().expect("text");
        assert!(text.contains("crane"), "{method}: {text}");
    }
    user.run(&["apply", &site, "--method", "paper"])
        .ends(2, &["forest learn --method paper"]);
    user.run(&["apply", &site, "--method", "sigfeed", "--wrapper", "x"])
        .ends(2, &["--wrapper"]);
}

#[test]
fn a_pipeline_in_a_file() {
    let user = User::new();
    let site = gold("harbour-gazette.example");
    user.put(
        "mine/p.yaml",
        "format: 1\npipeline:\n  union: [bte, lqf: {threshold: 0.1}]\n",
    );
    let applied = user.run(&["apply", &site, "--method", "pipeline:mine/p.yaml"]);
    applied.ends(0, &["ok"]);
    let text = &applied.records()[0]["text"];
    assert!(text.as_str().expect("text").contains("crane"), "{text}");
    // The message has the file, the line, the key and the expected value.
    user.put(
        "bad.yaml",
        "format: 1\npipeline:\n  union:\n    - lqf: {threshold: 23}\n",
    );
    let bad = user.run(&["apply", &site, "--method", "pipeline:bad.yaml"]);
    bad.ends(
        2,
        &[
            "bad.yaml: not a pipeline: line 4: pipeline.union[0].lqf.threshold: 23",
            "0 to 1",
        ],
    );
    user.put("noise.yaml", [0xff, 0xfe, 0x00]);
    user.put("long.yaml", "#".repeat(1_000_000));
    for (name, parts) in [
        (
            "none.yaml",
            ["no file none.yaml", "balanced, precise, thorough"],
        ),
        ("", ["no file", "balanced, precise, thorough"]),
        ("noise.yaml", ["noise.yaml", "UTF-8"]),
        ("long.yaml", ["long.yaml", "more than 16000"]),
        ("mine", ["cannot read the pipeline mine", "directory"]),
    ] {
        let method = format!("pipeline:{name}");
        user.run(&["apply", &site, "--method", &method])
            .ends(2, &parts);
    }
    user.run(&["learn", &site, "--method", "pipeline:precise"])
        .ends(2, &["apply --method pipeline:precise"]);
}

#[test]
fn pages_on_stdin() {
    let user = User::with_wrapper(10);
    let line = serde_json::json!({"url": "https://small.example/x", "html": page(3)});
    let input = format!("{line}\nnonsense\n\n{line}\n");
    let applied = user.run_with(&["apply", "-"], input);
    applied.ends(3, &["line 2"]);
    let records = applied.records();
    assert_eq!(statuses(&records), ["ok", "error", "ok"]);
    assert_eq!(records[0]["id"], "https://small.example/x");
}

#[test]
fn nobody_reads_on_and_that_is_fine() {
    let user = User::new();
    let mut command = user.command();
    command.args(["apply", &gold(""), "--method", "boilerpipe"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().expect("it runs");
    // The output is larger than a pipe's buffer.
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(!errors.contains("panicked"), "{errors}");
}

#[test]
fn pages_of_other_kinds_than_asked_for_say_what_they_are() {
    let user = User::new();
    let page = gold("harbour-gazette.example/crane-sale.html");
    let apply = |kinds: &str| {
        let applied = user.run(&["apply", &page, "--method", "onepage", "--kinds", kinds]);
        applied.records().remove(0)
    };
    let kept = apply("forum,article");
    assert_eq!(
        (kept["status"].as_str(), kept["kind"].as_str()),
        (Some("ok"), Some("article"))
    );
    let other = apply("forum");
    assert_eq!(
        (other["status"].as_str(), other["text"].as_str()),
        (Some("empty"), Some(""))
    );
    let error = other["error"].as_str().expect("a reason");
    assert!(error.contains("`article`"), "{error}");
}
