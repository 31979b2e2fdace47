//! `forest archive export`: articles for other programs.

use crate::cli::archive_dir::ArchiveArgs;
use crate::cli::stored::{Out, nothing, status};
use crate::cli::when::When;
use crate::cli::{Exit, Global};
use forest::archive::{Filter, Reader, export};
use forest::extract::Status;
use std::path::PathBuf;

/// Write the articles of the archive for other programs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The latest version of each article, in the order of sites and of when it was first seen.

Examples:
  forest archive export > articles.jsonl
  forest archive export --site news.example.org --since 2026-01-01 --out articles.jsonl
  forest archive export --format parquet --out articles.parquet")]
pub struct ExportArgs {
    /// jsonl: a line of JSON an article. parquet: columns, if this program was built
    /// with the feature `parquet`.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Only articles of this site.
    #[arg(long, value_name = "SITE")]
    site: Option<String>,
    /// Only articles whose latest version came from then on: a day, a time, or how long
    /// ago (12h, 7d).
    #[arg(long, value_name = "WHEN")]
    since: Option<When>,
    /// Only articles whose latest version came before then.
    #[arg(long, value_name = "WHEN")]
    until: Option<When>,
    /// Only articles of this status; may be given again.
    #[arg(long, value_name = "STATUS", value_parser = status)]
    status: Vec<Status>,
    /// Write to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    archive: ArchiveArgs,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    #[default]
    Jsonl,
    Parquet,
}

pub fn run(args: ExportArgs, global: &Global) -> anyhow::Result<Exit> {
    let archive = Reader::open(&args.archive.dir(global)?)?;
    let filter = Filter {
        site: args.site.clone(),
        since: args.since.map(When::time),
        until: args.until.map(When::time),
        statuses: args.status,
    };
    let mut out = Out::new(args.out.as_deref(), global)?;
    let count = match args.format {
        Format::Jsonl => export::jsonl(&archive, &filter, &mut out)?,
        Format::Parquet => parquet(&archive, &filter, &mut out)?,
    };
    if count == 0 {
        return nothing("no articles", args.site.as_deref(), &archive, global);
    }
    out.finish()?;
    Ok(Exit::Done)
}

#[cfg(feature = "parquet")]
fn parquet(archive: &Reader, filter: &Filter, out: &mut Out) -> anyhow::Result<usize> {
    Ok(export::parquet(archive, filter, out)?)
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &Reader, _: &Filter, _: &mut Out) -> anyhow::Result<usize> {
    anyhow::bail!(
        "this forest was built without Parquet; build it with --features parquet, or export jsonl"
    )
}
