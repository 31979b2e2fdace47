//! `forest archive`: the archive itself.
//!
//! - `export`: its articles for other programs.

mod export;

use super::{Exit, Global};
use clap::Subcommand;

/// Look after an archive, and take articles out of it
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  forest archive export --site news.example.org > articles.jsonl")]
pub struct ArchiveCommandArgs {
    #[command(subcommand)]
    command: ArchiveCommand,
}

#[derive(Debug, Subcommand)]
enum ArchiveCommand {
    Export(export::ExportArgs),
}

pub fn run(args: ArchiveCommandArgs, global: &Global) -> anyhow::Result<Exit> {
    match args.command {
        ArchiveCommand::Export(args) => export::run(args, global),
    }
}
