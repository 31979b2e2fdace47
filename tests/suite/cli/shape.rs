//! Wrappers with only `strip` and `keep`.

use super::site::page;
use super::{User, statuses};

const RULES: &str = "format: 1\nsite: small.example\ntemplates:\n- strip: ['//p[2]']\n  \
    keep: [\"//div[@class='footer']\"]\n";

fn user() -> User {
    let user = User::new();
    let lines: Vec<String> = (1..=5)
        .map(|n| {
            let url = format!("https://small.example/{n}");
            serde_json::json!({"url": url, "html": page(n)}).to_string()
        })
        .collect();
    user.put("pages.jsonl", lines.join("\n"));
    user
}

#[test]
fn apply_check_and_learn_know_them() {
    let user = user();
    let text =
        |records: &[serde_json::Value]| records[0]["text"].as_str().expect("text").to_owned();
    let plain = text(&user.run(&["apply", "pages.jsonl"]).records());
    user.put("sites/small.example.yaml", RULES);
    let applied = user.run(&["apply", "pages.jsonl"]);
    let records = applied.ends(0, &[]).records();
    assert_eq!(statuses(&records), ["fallback"; 5]);
    assert_eq!(records[0]["wrapper"]["xpath"], "");
    let corrected = text(&records);
    assert_eq!(
        plain.lines().count(),
        corrected.lines().count(),
        "{corrected}"
    );
    assert!(
        corrected.ends_with("reserved by the small site."),
        "{corrected}"
    );
    user.run(&["site", "check", "sites/", "pages.jsonl"])
        .ends(0, &[]);
    user.run(&["learn", "pages.jsonl"])
        .ends(2, &["edited by hand", "--force"]);
    assert_eq!(user.read("sites/small.example.yaml"), RULES);
    user.run(&["learn", "pages.jsonl", "--force"]).ends(0, &[]);
    let back = ["site", "rollback", "small.example"];
    user.run(&back).ends(0, &[]);
    assert!(user.read("sites/small.example.yaml").contains("keep:"));
}

#[test]
fn archived_pages_are_read_again_by_them() {
    let user = user();
    user.run(&["apply", "pages.jsonl", "--archive", "store"])
        .ends(0, &[]);
    user.put("store/sites/small.example.yaml", RULES);
    user.run(&["archive", "reextract", "--archive", "store"])
        .ends(0, &["5 read again, 5 of them with another text"]);
    let export = user.run(&["archive", "export", "--archive", "store"]);
    let records = export.ends(0, &[]).records();
    assert!(
        records[0]["text"]
            .as_str()
            .expect("text")
            .ends_with("small site.")
    );
}
