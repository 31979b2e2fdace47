//! `forest feed`: a site's articles as a feed.

use super::archive_dir::ArchiveArgs;
use super::stored::{Out, nothing};
use super::{Exit, Global};
use forest::archive::Reader;
use forest::archive::export::{DEFAULT_ENTRIES, site_channel};
use forest::feed::write::{self, write};
use std::io::Write;
use std::path::PathBuf;

/// Write a feed with the whole articles of a site
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The newest articles of the archive, with all of their text, for any feed reader.

Examples:
  forest feed news.example.org --out whole.xml
  forest feed news.example.org --format json --limit 10")]
pub struct FeedArgs {
    /// The site, as the archive names it.
    #[arg(value_name = "SITE")]
    site: String,
    /// The feed's format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// So many articles at the most.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_ENTRIES)]
    limit: usize,
    /// Write to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    archive: ArchiveArgs,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Atom 1.0.
    #[default]
    Atom,
    /// RSS 2.0.
    Rss,
    /// JSON Feed 1.1.
    Json,
}

pub fn run(args: FeedArgs, global: &Global) -> anyhow::Result<Exit> {
    let archive = Reader::open(&args.archive.dir(global)?)?;
    let Some(channel) = site_channel(&archive, &args.site, args.limit)? else {
        return nothing("no articles", Some(&args.site), &archive, global);
    };
    let format = match args.format {
        Format::Atom => write::Format::Atom,
        Format::Rss => write::Format::Rss,
        Format::Json => write::Format::Json,
    };
    let mut out = Out::new(args.out.as_deref(), global)?;
    out.write_all(write(&channel, format).as_bytes())?;
    out.finish()?;
    Ok(Exit::Done)
}
