//! `forest site diff` and `forest site rollback`.

use super::User;
use super::site::page;

const FILE: &str = "sites/small.example.yaml";

/// A site that was learned, got another design, and was learned again.
fn redesigned() -> User {
    let user = User::new();
    for (folder, class) in [("old", "story"), ("new", "report")] {
        for n in 0..6 {
            let html = page(n).replace("class=\"story\"", &format!("class=\"{class}\""));
            user.put(&format!("{folder}/{n}.html"), html);
        }
        user.run(&["learn", folder, "--site", "small.example"])
            .ends(0, &[]);
    }
    user
}

#[test]
fn what_differs_is_shown_in_xpath_and_in_text() {
    let user = redesigned();
    let out = user.run(&["site", "diff", "small.example", "new"]);
    out.ends(0, &[]);
    let lines: Vec<&str> = out.out.lines().collect();
    assert!(
        lines[0].starts_with("small.example: learned "),
        "{}",
        out.out
    );
    let has = |start: &str, part: &str| {
        let found = lines
            .iter()
            .any(|l| l.starts_with(start) && l.contains(part));
        assert!(found, "{start} {part}: {}", out.out);
    };
    has("template 0", "");
    has("  - body: ", "story");
    has("  + body: ", "report");
    has("new/0: 0 words before, ", "0 only before");
    has("  + Story 0 is about", "…");
    has("0 of 6 pages give the same text", "");
    let out = user.run(&["site", "diff", FILE, "old", "--json"]);
    let diff = &out.ends(0, &[]).records()[0];
    assert_eq!(diff["changes"][0]["field"], "body");
    assert_eq!(diff["changes"][0]["side"], "old");
    let page = &diff["pages"][0];
    assert_eq!(
        (&page["id"], &page["new"]["words"]),
        (&"old/0".into(), &0.into())
    );
    assert_eq!(page["old"]["words"], page["old"]["only"]);
    // Without pages no page is reported.
    let out = user.run(&["site", "diff", "small.example"]);
    out.ends(0, &[]);
    assert!(!out.out.contains("pages"), "{}", out.out);
}

#[test]
fn one_command_puts_the_old_one_back_and_another_the_new_one() {
    let user = redesigned();
    let articles = |folder: &str| {
        let out = user.run(&["apply", folder, "--wrapper", FILE]);
        let all = out.records();
        all.iter()
            .filter(|article| article["status"] == "ok")
            .count()
    };
    assert_eq!((articles("old"), articles("new")), (0, 6));
    user.run(&["site", "rollback", "small.example"])
        .ends(0, &["active again"]);
    assert_eq!((articles("old"), articles("new")), (6, 0));
    let out = user.run(&["site", "rollback", FILE, "--json"]);
    assert_eq!(out.ends(0, &[]).records()[0]["site"], "small.example");
    assert_eq!((articles("old"), articles("new")), (0, 6));
    assert_eq!(user.read(FILE).matches("until:").count(), 3);
    // The wrapper of a day: before the first one it is the first.
    user.run(&["site", "rollback", FILE, "--to", "2001-01-01"])
        .ends(0, &[]);
    assert_eq!((articles("old"), articles("new")), (6, 0));
    assert_eq!(user.names("sites"), ["small.example.yaml"]);
}

/// Wrappers of a harvest: in an archive, the user's default or a named one.
#[test]
fn a_site_of_an_archive_is_found_by_its_name() {
    let user = redesigned();
    user.run(&["apply", "new", "--archive", "store"])
        .ends(0, &[]);
    std::fs::rename(user.path("sites"), user.path("store/sites")).expect("moved");
    user.run(&["site", "diff", "small.example"])
        .ends(2, &["no such file", "forest/archive"]);
    user.run(&["site", "diff", "small.example", "--archive", "store"])
        .ends(0, &[]);
    user.put("config.yaml", "archive: store\n");
    let named = ["--config", "config.yaml", "site"];
    let run = |rest: &[&str]| user.run(&named.iter().chain(rest).copied().collect::<Vec<_>>());
    run(&["rollback", "small.example"]).ends(0, &["active again"]);
    // A wrapper of the folder comes first.
    user.put(
        "sites/small.example.yaml",
        "format: 1\nsite: small.example\ntemplates: []\n",
    );
    run(&["diff", "small.example"]).ends(1, &["history is empty"]);
    // The archive's wrappers read what is stored there.
    std::fs::remove_dir_all(user.path("sites")).expect("removed");
    for n in 0..2 {
        let url = format!("{{\"url\": \"https://small.example/{n}\"}}");
        user.put(&format!("old/{n}.json"), url);
    }
    let records = user.run(&["apply", "old", "--archive", "store"]).records();
    assert_eq!(records[0]["status"], "ok");
    let other = user.run(&["apply", "old", "--archive", "store", "--sites", "none"]);
    assert_eq!(other.records()[0]["status"], "fallback");
}

/// A WARC has pages of many sites.
#[test]
fn only_pages_of_the_site_are_compared() {
    let user = redesigned();
    let line = |host: &str, n: usize| {
        let url = format!("https://{host}/{n}");
        serde_json::json!({"url": url, "html": page(n)}).to_string()
    };
    let lines = [line("small.example", 1), line("other.example", 2)].join("\n");
    let out = user.run_with(&["site", "diff", "small.example", "-", "--json"], lines);
    let diff = &out.ends(0, &[]).records()[0];
    let pages = diff["pages"].as_array().expect("pages");
    assert_eq!(pages.len(), 1, "{pages:?}");
}

#[test]
fn what_cannot_be_put_back_leaves_the_file_as_it_is() {
    let user = redesigned();
    let before = user.read(FILE);
    user.run(&["site", "rollback", FILE, "--to", "2999-01-01"])
        .ends(1, &["active already"]);
    user.run(&["site", "rollback", FILE, "--to", "tomorrow"])
        .ends(2, &["no date"]);
    user.run(&["site", "rollback", "other.example"])
        .ends(2, &["no such file"]);
    assert_eq!(user.read(FILE), before);
    // Edited by hand.
    let edited = before.replace("site: small.example", "site: small.example # mine");
    user.put(FILE, &edited);
    user.run(&["site", "rollback", FILE])
        .ends(2, &["edited by hand", "--force"]);
    assert_eq!(user.read(FILE), edited);
    user.run(&["site", "rollback", FILE, "--force"])
        .ends(0, &[]);
    // There is no earlier wrapper to restore or to compare with.
    user.put(
        "w.yaml",
        "format: 1\nsite: a.example\ntemplates:\n- body: [//p]\n",
    );
    user.run(&["site", "diff", "w.yaml"])
        .ends(1, &["history is empty"]);
    user.run(&["site", "rollback", "w.yaml", "--force"])
        .ends(1, &["history is empty"]);
}
