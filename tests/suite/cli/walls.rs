//! An article that is applied into an archive again when its page shows less of it.

use super::User;

const STORY: &str = "The ferry to the island leaves an hour later from Monday, said the harbour master to the paper.";

/// The record of an input with an address.
fn page(sentences: usize, rest: &str) -> String {
    let story = |n: usize| format!("<p>{n}: {STORY}</p>");
    let story: String = (0..sentences).map(story).collect();
    let html =
        format!("<title>The ferry</title><h1>The ferry</h1><article>{story}</article>{rest}");
    serde_json::json!({"url": "https://small.example/ferry", "html": html}).to_string()
}

#[test]
fn a_teaser_takes_no_articles_place() {
    let user = User::new();
    let apply = |sentences, rest: &str, said: &str| {
        let out = user.run_with(&["apply", "-", "--archive", "store"], page(sentences, rest));
        out.ends(0, &[said]);
    };
    apply(12, "", "1 new article, 0 new versions");
    let ask = "<div class=paywall>1 € a week</div>";
    let none = "0 new articles, 0 new versions, 0 known, 1 without an article";
    apply(5, ask, none);
    apply(5, ask, "0 new articles, 0 new versions, 1 known");
    let said = user.run(&["archive", "export", "--archive", "store"]);
    let text = said.ends(0, &[]).records()[0]["text"].to_string();
    assert_eq!(text.matches("harbour master").count(), 12, "{text}");
    user.run(&["archive", "reextract", "--archive", "store"])
        .ends(0, &[]);
    apply(12, "", "0 new articles, 0 new versions, 1 known");
    // Without a wall it is what its author says now.
    apply(5, "", "0 new articles, 1 new version");
}
