//! `forest site try`.

use super::User;
use super::site::page;

fn user() -> User {
    let user = User::new();
    for n in 1..=3 {
        user.put(&format!("pages/small.example/{n}.html"), page(n));
    }
    user.put("pages/small.example/4.html", "<p>\u{1b}[2JEvil</p>");
    user
}

#[test]
fn what_an_expression_selects_is_shown_by_page() {
    let user = user();
    let tried = user.run(&["site", "try", "--xpath", "//div[@class='story']/p", "pages"]);
    tried.ends(0, &["selects something on 3 of 4 pages"]);
    let out = &tried.out;
    assert!(
        out.contains("small.example/1: 4 nodes, 96 words\n    Story 1 is about"),
        "{out}"
    );
    assert!(out.contains("    and 1 more\n"), "{out}");
    assert!(out.contains("small.example/4: 0 nodes, 0 words\n"), "{out}");
    assert!(out.lines().all(|line| line.chars().count() < 90), "{out}");
    let css = user.run(&["site", "try", "--css", "div.story > p", "pages"]);
    assert_eq!(&css.ends(0, &[]).out, out);
    let evil = user.run(&["site", "try", "--css", "p", "pages/small.example/4.html"]);
    assert!(!evil.ends(0, &[]).out.contains('\u{1b}'), "{}", evil.out);
}

#[test]
fn json_is_a_line_a_page() {
    let user = user();
    let json = ["site", "try", "--json", "--texts", "1", "--xpath"];
    let run = |rest: &[&str]| user.run(&[&json, rest].concat());
    let records = run(&["//a/@href", "pages", "--limit", "2"])
        .ends(0, &["--limit"])
        .records();
    assert_eq!(records.len(), 2);
    assert_eq!(records[0]["count"], 2);
    assert_eq!(records[0]["texts"], serde_json::json!(["/"]));
    let records = run(&["count(//p)", "pages"]).ends(0, &[]).records();
    assert_eq!(records[0]["texts"], serde_json::json!(["4"]));
    run(&["//video", "pages"]).ends(1, &["on 0 of 4 pages"]);
}

#[test]
fn a_fault_is_named_with_its_place_and_the_remedy() {
    let user = user();
    let fault = |option, expression, parts: &[&str]| {
        user.run(&["site", "try", option, expression, "pages"])
            .ends(2, parts);
    };
    fault(
        "--xpath",
        "//p[",
        &["--xpath, at its end", "`//p[`", "is written like"],
    );
    fault(
        "--xpath",
        "div.story > p:first-child",
        &["give it with --css"],
    );
    fault(
        "--xpath",
        "//p[matches(@id,'a')]",
        &["column 5", "no function matches()", "contains()"],
    );
    fault("--css", "//p", &["column 1", "give it with --xpath"]);
    fault(
        "--css",
        "p:hover",
        &["column 2, at `:hover`", "is not known here"],
    );
    user.run(&["site", "try", "pages"]).ends(2, &["--xpath"]);
    user.run(&["site", "try", "--css", "p"])
        .ends(2, &["give pages"]);
    user.run(&["site", "try", "--css", "p", "none/"])
        .ends(2, &["none/"]);
}

#[test]
fn what_cannot_be_read_is_named() {
    let user = user();
    user.put("pages/small.example/5.html", "%PDF-1.4 x");
    user.run(&["site", "try", "--css", "p", "pages"])
        .ends(3, &["5: this is a PDF"]);
}

#[test]
fn the_pages_may_be_an_archive_s() {
    let user = user();
    let pages = "pages/small.example";
    user.run(&["apply", pages, "--archive", "store"]);
    let lines: Vec<String> = (1..=3)
        .map(|n| {
            serde_json::json!({"url": format!("https://small.example/{n}"), "html": page(n)})
                .to_string()
        })
        .collect();
    user.put("pages.jsonl", lines.join("\n"));
    user.run(&["apply", "pages.jsonl", "--archive", "store"])
        .ends(0, &[]);
    let run = |rest: &[&str]| {
        user.run(&[&["site", "try", "--css", "p", "--archive", "store"], rest].concat())
    };
    let tried = run(&["--site", "small.example"]);
    tried.ends(0, &["on 3 of 3 pages"]);
    assert!(
        tried.out.contains("https://small.example/3: 4 nodes"),
        "{}",
        tried.out
    );
    run(&["--site", "small.example", "--limit", "1"]).ends(0, &["on 1 of 1 page;", "--limit"]);
    run(&["--site", "none.example"]).ends(1, &["small.example"]);
    run(&["pages"]).ends(2, &["--site"]);
    run(&["pages", "--site", "small.example"]).ends(2, &["leave out pages"]);
}
