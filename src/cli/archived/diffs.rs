//! `forest diffs`: the edits of articles.

use super::archive_dir::ArchiveArgs;
use super::history::EditFormat;
use super::stored::{colours, line, nothing};
use crate::cli::when::{When, time};
use crate::cli::{Exit, Global};
use forest_archive::export::changes_channel;
use forest_archive::history::{edits, version_json};
use forest_archive::{ArticleVersion, StoredArticle};
use forest_core::feed::write::{self, write};
use serde_json::{Value, json};

/// Show the edits of articles of the archive
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Edits are shown as [-old-]{+new+}, in the order in which they were seen; as JSON a line
an edit.

Examples:
  forest diffs --since 24h
  forest diffs --since 2026-11-01 --site news.example.org --format atom > edits.xml")]
pub struct DiffsArgs {
    /// Show edits from this time on: a day, a time, or a span before now (12h, 7d).
    #[arg(long, value_name = "WHEN")]
    since: When,
    /// Show only articles of this site.
    #[arg(long, value_name = "SITE")]
    site: Option<String>,
    /// Write this format.
    #[arg(long, value_enum, default_value_t)]
    format: EditFormat,
    #[command(flatten)]
    archive: ArchiveArgs,
}

pub fn run(args: DiffsArgs, global: &Global) -> anyhow::Result<Exit> {
    let archive = args.archive.reader(global)?;
    let (since, site) = (args.since.time(), args.site.as_deref());
    let mut count = 0;
    if args.format == EditFormat::Atom {
        // A reader of feeds takes one without entries for a feed, and no bytes for an
        // error.
        let channel = changes_channel(&archive, since, site)?;
        count = channel.entries.len();
        global.print(write(&channel, write::SyndicationFormat::Atom).as_bytes())?;
    } else {
        // The callback cannot stop the walk: an error of stdout is kept until its end.
        let mut written = Ok(());
        let colours = colours();
        archive.changed_since(since, &mut |article, before, after| {
            if written.is_ok() && site.is_none_or(|site| article.site == site) {
                count += 1;
                written = match args.format {
                    EditFormat::Json => global.print_json(&json(&article, &before, &after)),
                    _ => global.print(text(&article, &before, &after, colours).as_bytes()),
                };
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
        time(after.at),
        after.number,
        line(&article.url),
        line(title),
        edits(Some(before), after, colours)
    )
}

fn json(article: &StoredArticle, before: &ArticleVersion, after: &ArticleVersion) -> Value {
    let mut out = json!({"url": article.url, "site": article.site});
    if let (Some(out), Value::Object(edit)) =
        (out.as_object_mut(), version_json(Some(before), after))
    {
        out.extend(edit);
    }
    out
}
