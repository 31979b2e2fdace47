//! `forest history`: the versions of an article.

use super::archive_dir::ArchiveArgs;
use super::stored::{colours, line};
use crate::cli::{Exit, Global};
use forest_archive::export::versions_channel;
use forest_archive::history::{history_json, history_text};
use forest_core::feed::write::{self, write};

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
        EditFormat::Text => history_text(&article, &versions, colours()),
        EditFormat::Json => history_json(&article, &versions).to_string() + "\n",
        EditFormat::Atom => write(
            &versions_channel(&article, &versions),
            write::SyndicationFormat::Atom,
        ),
    };
    global.print(out.as_bytes())?;
    Ok(Exit::Done)
}
