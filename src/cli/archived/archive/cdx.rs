//! `forest archive cdx`: the index of the archive's WARC files.

use crate::cli::archived::archive_dir::ArchiveArgs;
use crate::cli::output::OutputSink;
use crate::cli::{Exit, Global};
use forest_archive::export;
use forest_html::error::counted;
use std::path::PathBuf;

/// Write the index of the stored pages, as players read it
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A line of CDXJ a page: its key (SURT), its time, and in JSON where its record is. The lines are
sorted.

Examples:
  forest archive cdx --out index.cdxj")]
pub struct CdxArgs {
    /// Write to this file [default: stdout].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    archive: ArchiveArgs,
}

pub fn run(args: CdxArgs, global: &Global) -> anyhow::Result<Exit> {
    let reader = args.archive.reader(global)?;
    let lines = export::cdx_lines(&reader)?;
    let mut out = OutputSink::open(args.out.as_deref(), global)?;
    for line in &lines {
        out.add(line.as_bytes())?;
    }
    out.finish()?;
    global.say(format_args!("{}", counted(lines.len(), "page", "pages")));
    Ok(Exit::Done)
}
