//! `forest archive export`: articles as text, Markdown and HTML, near-duplicates, and
//! fields on request.

use super::User;
use crate::story;
use serde_json::{Value, json};

/// A page with one of the made-up stories, and `first` in front of it.
fn page(url: &str, title: &str, first: &str, n: usize) -> String {
    let story: String = story::paragraphs("", n)
        .iter()
        .map(|paragraph| format!("<p>{paragraph}</p>"))
        .collect();
    let html = format!(
        "<html lang=en><title>{title}</title><body><h1>{title}</h1><article>{first}{story}</article></body></html>"
    );
    json!({"url": url, "html": html}).to_string()
}

/// Three articles of two sites; the one that came last is nearly the first one.
fn user() -> User {
    let user = User::new();
    let pages = [
        page(
            "https://b.example/1",
            "The ferry",
            "<p>It is <b>late</b> &amp; slow.</p>",
            1,
        ),
        page("https://b.example/2", "The organ", "", 2),
        page("https://a.example/copy", "The late ferry", "", 1),
    ];
    for page in pages {
        user.run_with(&["apply", "-", "--archive", "store"], page)
            .ends(0, &["1 new article"]);
    }
    user
}

fn export(user: &User, args: &[&str]) -> super::Ran {
    user.run(&[&["archive", "export", "--archive", "store"], args].concat())
}

#[test]
fn articles_are_exported_as_text_markdown_and_html() {
    let user = user();
    let text = export(&user, &["--format", "text"]);
    let text = &text.ends(0, &[]).out;
    assert!(
        text.starts_with("The late ferry\n\nOn the day number1"),
        "{text}"
    );
    assert!(text.contains("\n\n\nThe ferry\n\n"), "{text}");
    assert!(text.contains("It is late & slow."), "{text}");
    let markdown = export(&user, &["--format", "markdown"]);
    let markdown = &markdown.ends(0, &[]).out;
    assert!(markdown.starts_with("# The late ferry\n\n"), "{markdown}");
    assert!(markdown.contains("It is **late** & slow."), "{markdown}");
    let html = export(&user, &["--format", "html"]);
    let html = &html.ends(0, &[]).out;
    assert!(html.starts_with("<!DOCTYPE html>\n<meta charset"), "{html}");
    assert_eq!(html.matches("<article ").count(), 3);
    assert!(
        html.contains("<p>It is <b>late</b> &amp; slow.</p>"),
        "{html}"
    );
    // To a file the same.
    export(&user, &["--format", "html", "--out", "all.html"]).ends(0, &[]);
    assert_eq!(&user.read("all.html"), html);
}

#[test]
fn a_folder_gets_a_file_an_article() {
    let user = user();
    export(&user, &["--format", "markdown", "--out", "md/"]).ends(0, &[]);
    let names = user.names("md");
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names.iter().all(|name| name.ends_with(".md")), "{names:?}");
    let organ = names.iter().find(|name| name.contains("b.example_2"));
    let organ = user.read(&format!("md/{}", organ.expect("its file")));
    assert!(
        organ.starts_with("# The organ\n\nOn the day number2"),
        "{organ}"
    );
    assert!(!organ.contains("number1"), "{organ}");
    export(&user, &["--out", "lines/"]).ends(0, &[]);
    assert_eq!(user.names("lines").len(), 3);
    export(
        &user,
        &["--format", "text", "--out", "none/", "--site", "c.example"],
    )
    .ends(1, &["no articles of c.example"]);
}

#[test]
fn near_duplicates_of_other_sites_are_told_and_left_out() {
    let user = user();
    let marked = export(&user, &["--with", "duplicate_of"]);
    let marked: Vec<(Value, Value)> = marked
        .ends(0, &[])
        .records()
        .into_iter()
        .map(|mut record| (record["url"].take(), record["duplicate_of"].take()))
        .collect();
    let first = "https://b.example/1";
    assert_eq!(
        marked,
        [
            (json!("https://a.example/copy"), json!(first)),
            (json!(first), Value::Null),
            (json!("https://b.example/2"), Value::Null),
        ]
    );
    let left = export(&user, &["--dedup"]);
    let left = left.ends(0, &["left out as near-duplicates: 1"]).records();
    assert_eq!(left.len(), 2);
    assert!(left[0].get("duplicate_of").is_none());
    let text = export(&user, &["--dedup", "--format", "text"]);
    assert!(!text.ends(0, &[]).out.contains("The late ferry"));
    // Whose original is not exported stays.
    let alone = export(&user, &["--dedup", "--site", "a.example"]);
    assert_eq!(alone.ends(0, &[]).records().len(), 1);
}

#[test]
fn records_have_paragraphs_words_and_sentences_on_request() {
    let user = user();
    let args = [
        "--with",
        "paragraphs,word_count,sentences",
        "--site",
        "b.example",
    ];
    let record = &export(&user, &args).ends(0, &[]).records()[0];
    let text: Vec<char> = record["text"].as_str().expect("a text").chars().collect();
    let paragraphs = record["paragraphs"].as_array().expect("paragraphs");
    assert_eq!(paragraphs.last(), Some(&json!(story::paragraphs("", 1)[5])));
    let words = record["word_count"].as_u64().expect("a number");
    assert!((200..350).contains(&words), "{words}");
    let sentences: Vec<String> = record["sentences"]
        .as_array()
        .expect("sentences")
        .iter()
        .map(|ends| {
            let at = |nth: usize| ends[nth].as_u64().expect("a number") as usize;
            text[at(0)..at(1)].iter().collect()
        })
        .collect();
    assert!(
        sentences.contains(&"It is late & slow.".to_owned()),
        "{sentences:?}"
    );
    assert_eq!(
        sentences.len(),
        1 + 12 + usize::from(sentences[0] == "The ferry")
    );
    export(&user, &["--format", "text", "--with", "sentences"]).ends(2, &["jsonl", "--with"]);
}
