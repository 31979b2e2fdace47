//! `forest history`: the versions of an article.

use super::archive_dir::ArchiveArgs;
use super::stored::{colours, line};
use crate::cli::when::time;
use crate::cli::{Exit, Global};
use forest_archive::diff::{CONTEXT_WORDS, Diff, json as hunks_json, terminal};
use forest_archive::export::versions_channel;
use forest_archive::{ArticleVersion, StoredArticle};
use forest_core::feed::write::{self, write};
use forest_html::error::counted;
use forest_html::text::word_count;
use serde_json::{Value, json};

/// Show the versions of an article and their edits
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Edits are shown as [-old-]{+new+}, with some words around them.

Examples:
  forest history https://news.example.org/ferry
  forest history https://news.example.org/ferry --format atom > ferry.xml")]
pub struct HistoryArgs {
    /// Show the article with this address, which may be any of its addresses.
    #[arg(value_name = "URL")]
    url: String,
    /// Write this format.
    #[arg(long, value_enum, default_value_t)]
    format: EditFormat,
    #[command(flatten)]
    archive: ArchiveArgs,
}

/// The format of edits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum EditFormat {
    /// Text for a person.
    #[default]
    Text,
    /// JSON for a program.
    Json,
    /// A feed for a feed reader.
    Atom,
}

pub fn run(args: HistoryArgs, global: &Global) -> anyhow::Result<Exit> {
    let archive = args.archive.reader(global)?;
    let Some(article) = archive.article(&args.url)? else {
        global.say(format_args!(
            "the archive has no article at {}",
            line(&args.url)
        ));
        return Ok(Exit::Nothing);
    };
    let versions = archive.versions(article.id)?;
    let out = match args.format {
        EditFormat::Text => text(&article, &versions),
        EditFormat::Json => whole_json(&article, &versions).to_string() + "\n",
        EditFormat::Atom => write(
            &versions_channel(&article, &versions),
            write::SyndicationFormat::Atom,
        ),
    };
    global.print(out.as_bytes())?;
    Ok(Exit::Done)
}

fn text(article: &StoredArticle, versions: &[ArticleVersion]) -> String {
    let mut out = line(&article.url) + "\n";
    for (at, version) in versions.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &versions[at]);
        out.push_str(&head(version));
        out.push_str(&edits(before, version, colours()));
    }
    out
}

/// Number, time, status and length of a version, and its title.
fn head(version: &ArticleVersion) -> String {
    let title = version.record.title.as_deref().unwrap_or("(no title)");
    format!(
        "\nversion {}  {}  {}  {}\n{}\n",
        version.number,
        time(version.at),
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

fn whole_json(article: &StoredArticle, versions: &[ArticleVersion]) -> Value {
    let list = versions.iter().enumerate().map(|(at, version)| {
        let before = at.checked_sub(1).map(|at| &versions[at]);
        version_json(before, version)
    });
    json!({
        "url": article.url,
        "site": article.site,
        "first_seen": article.first_seen.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true),
        "versions": list.collect::<Vec<_>>(),
    })
}

/// A version as JSON, with its edits of the version before.
pub fn version_json(before: Option<&ArticleVersion>, version: &ArticleVersion) -> Value {
    let mut out = json!({
        "version": version.number,
        "at": time(version.at),
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
