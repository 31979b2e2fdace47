//! `forest site`: the wrappers themselves.
//!
//! - `check`: whether they still work.
//! - `diff`: what one says otherwise than an earlier one.
//! - `rollback`: an earlier one back in force.
//! - `import`: from other programs' rule files.
//! - `export`: to other programs.
//! - `trial`: what an expression selects.

mod check;
mod diff;
mod earlier;
mod export;
mod import;
mod rollback;
mod rules;
mod trial;

use super::{Exit, Global};
use clap::Subcommand;

/// Check wrappers, try expressions, compare and restore, and exchange with other programs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  forest site check sites/ saved/
  forest site try --xpath '//article//p' saved/
  forest site diff example.org saved/
  forest site rollback example.org
  forest site import ftr-site-config/example.org.txt
  forest site export --to ftr sites/example.org.yaml --pages saved/")]
pub struct SiteArgs {
    #[command(subcommand)]
    command: SiteCommand,
}

#[derive(Debug, Subcommand)]
enum SiteCommand {
    Check(check::CheckArgs),
    Diff(diff::DiffArgs),
    Export(export::ExportArgs),
    Import(import::ImportArgs),
    Rollback(rollback::RollbackArgs),
    Try(trial::TryArgs),
}

pub fn run(args: SiteArgs, global: &Global) -> anyhow::Result<Exit> {
    match args.command {
        SiteCommand::Check(args) => check::run(args, global),
        SiteCommand::Diff(args) => diff::run(args, global),
        SiteCommand::Export(args) => export::run(args, global),
        SiteCommand::Import(args) => import::run(args, global),
        SiteCommand::Rollback(args) => rollback::run(args, global),
        SiteCommand::Try(args) => trial::run(args, global),
    }
}
