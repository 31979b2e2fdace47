//! The versions of an article and their edits, as text and as JSON.

use crate::diff::{CONTEXT_WORDS, Diff, json as hunks_json, terminal};
use crate::{ArticleVersion, StoredArticle};
use chrono::SecondsFormat;
use forest_html::error::counted;
use forest_html::text::{fold, visible, word_count};
use serde_json::{Value, json};

/// The versions of an article and their edits, for a person.
pub fn history_text(article: &StoredArticle, versions: &[ArticleVersion], colours: bool) -> String {
    let mut out = line(&article.url) + "\n";
    for (at, version) in versions.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &versions[at]);
        out.push_str(&head(version));
        out.push_str(&edits(before, version, colours));
    }
    out
}

/// Number, time, status and length of a version, and its title.
fn head(version: &ArticleVersion) -> String {
    let title = version.record.title.as_deref().unwrap_or("(no title)");
    format!(
        "\nversion {}  {}  {}  {}\n{}\n",
        version.number,
        version.at.to_rfc3339_opts(SecondsFormat::Secs, true),
        status_name(version),
        counted(words(version), "word", "words"),
        line(title),
    )
}

/// The edits of a version; an empty text for the first one.
pub fn edits(before: Option<&ArticleVersion>, after: &ArticleVersion, colours: bool) -> String {
    let Some(before) = before else {
        return String::new();
    };
    let mut out = String::new();
    let titles = |version: &ArticleVersion| version.record.title.clone().unwrap_or_default();
    let title = Diff::of(&titles(before), &titles(after));
    if !title.is_empty() {
        out.push_str("title: ");
        out.push_str(&terminal(&title.hunks(usize::MAX), colours));
    }
    let text = Diff::of(&before.record.text, &after.record.text);
    out.push_str(&terminal(&text.hunks(CONTEXT_WORDS), colours));
    out
}

/// The same for a program.
pub fn history_json(article: &StoredArticle, versions: &[ArticleVersion]) -> Value {
    let list = versions.iter().enumerate().map(|(at, version)| {
        let before = at.checked_sub(1).map(|at| &versions[at]);
        version_json(before, version)
    });
    json!({
        "url": article.url,
        "site": article.site,
        "first_seen": article.first_seen.to_rfc3339_opts(SecondsFormat::AutoSi, true),
        "versions": list.collect::<Vec<_>>(),
    })
}

/// A version as JSON, with its edits of the version before.
pub fn version_json(before: Option<&ArticleVersion>, version: &ArticleVersion) -> Value {
    let mut out = json!({
        "version": version.number,
        "at": version.at.to_rfc3339_opts(SecondsFormat::Secs, true),
        "status": version.record.status,
        "title": version.record.title,
        "words": words(version),
        "wrapper": version.wrapper,
    });
    if let Some(before) = before {
        let diff = Diff::of(&before.record.text, &version.record.text);
        let (inserted, deleted) = diff.words_changed();
        out["title_before"] = json!(before.record.title);
        out["words_inserted"] = inserted.into();
        out["words_deleted"] = deleted.into();
        out["hunks"] = hunks_json(&diff.hunks(CONTEXT_WORDS));
    }
    out
}

fn words(version: &ArticleVersion) -> usize {
    word_count(&version.record.text)
}

fn status_name(version: &ArticleVersion) -> String {
    let name = json!(version.record.status);
    name.as_str().unwrap_or_default().to_owned()
}

/// A title or an address on one line of a terminal.
fn line(text: &str) -> String {
    visible(&fold(text)).into_owned()
}
