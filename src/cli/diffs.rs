//! `forest diffs`: what was edited.

use super::archive_dir::ArchiveArgs;
use super::history::{Format, edits, time, version_json};
use super::stored::{colours, line, nothing};
use super::when::When;
use super::{Exit, Global};
use forest::archive::export::changes_channel;
use forest::archive::{ArchiveReader, ArticleVersion, StoredArticle};
use forest::feed::write::{self, write};
use serde_json::json;

/// Show what was edited in the articles of the archive
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Edits are shown as [-old-]{+new+}, in the order in which they were seen; as JSON a line
an edit.

Examples:
  forest diffs --since 24h
  forest diffs --since 2026-11-01 --site news.example.org --format atom > edits.xml")]
pub struct DiffsArgs {
    /// From when on: a day, a time, or how long ago (12h, 7d).
    #[arg(long, value_name = "WHEN")]
    since: When,
    /// Only articles of this site.
    #[arg(long, value_name = "SITE")]
    site: Option<String>,
    /// How to show it.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    archive: ArchiveArgs,
}

pub fn run(args: DiffsArgs, global: &Global) -> anyhow::Result<Exit> {
    let archive = ArchiveReader::open(&args.archive.dir(global)?)?;
    let (since, site) = (args.since.time(), args.site.as_deref());
    let mut count = 0;
    if args.format == Format::Atom {
        // A reader of feeds takes one without entries for a feed, and no bytes for an
        // error.
        let channel = changes_channel(&archive, since, site)?;
        count = channel.entries.len();
        global.print(write(&channel, write::Format::Atom).as_bytes())?;
    } else {
        // What cannot be written ends the walk after it.
        let mut written = Ok(());
        let colours = colours();
        archive.changed_since(since, &mut |article, before, after| {
            if written.is_ok() && site.is_none_or(|site| article.site == site) {
                count += 1;
                let shown = match args.format {
                    Format::Json => json_line(&article, &before, &after),
                    _ => text(&article, &before, &after, colours),
                };
                written = global.print(shown.as_bytes());
            }
            Ok(())
        })?;
        written?;
    }
    match count {
        0 => nothing("no edits", site, &archive, global),
        _ => Ok(Exit::Done),
    }
}

fn text(
    article: &StoredArticle,
    before: &ArticleVersion,
    after: &ArticleVersion,
    colours: bool,
) -> String {
    let title = after.record.title.as_deref().unwrap_or("(no title)");
    format!(
        "{}  version {}  {}\n{}\n{}\n",
        time(after),
        after.number,
        line(&article.url),
        line(title),
        edits(Some(before), after, colours)
    )
}

fn json_line(article: &StoredArticle, before: &ArticleVersion, after: &ArticleVersion) -> String {
    let mut out = json!({"url": article.url, "site": article.site});
    let edit = version_json(Some(before), after);
    if let (Some(out), serde_json::Value::Object(edit)) = (out.as_object_mut(), edit) {
        out.extend(edit);
    }
    out.to_string() + "\n"
}
