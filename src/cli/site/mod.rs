//! `forest site`: the wrappers themselves.
//!
//! - `check`: whether they still work.
//! - `import`: from other programs' rule files.
//! - `export`: to other programs.

mod check;
mod export;
mod import;
mod rules;

use super::{Exit, Global};
use clap::Subcommand;

/// Check wrappers, and exchange them with other programs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  forest site check sites/ saved/
  forest site import ftr-site-config/example.org.txt
  forest site export --to ftr sites/example.org.yaml --pages saved/")]
pub struct SiteArgs {
    #[command(subcommand)]
    command: SiteCommand,
}

#[derive(Debug, Subcommand)]
enum SiteCommand {
    Check(check::CheckArgs),
    Export(export::ExportArgs),
    Import(import::ImportArgs),
}

pub fn run(args: SiteArgs, global: &Global) -> anyhow::Result<Exit> {
    match args.command {
        SiteCommand::Check(args) => check::run(args, global),
        SiteCommand::Export(args) => export::run(args, global),
        SiteCommand::Import(args) => import::run(args, global),
    }
}
