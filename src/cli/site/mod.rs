//! `forest site`: the wrappers themselves.
//!
//! - `check`: tests whether they still find articles.
//! - `diff`: compares one with an earlier one.
//! - `relearn`: learns one again from the pages of an archive.
//! - `rollback`: makes an earlier one the active one.
//! - `import`: reads other programs' rule files.
//! - `export`: writes other programs' rule files.
//! - `trial`: shows the nodes that an expression selects.

mod check;
mod diff;
mod earlier;
mod export;
mod import;
mod rollback;
mod rules;
mod trial;

use super::{Exit, Global};

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

subcommands!(SiteCommand {
    Check(check::CheckArgs) => check::run,
    Diff(diff::DiffArgs) => diff::run,
    Export(export::RuleExportArgs) => export::run,
    Import(import::RuleImportArgs) => import::run,
    #[cfg(feature = "archive")]
    Relearn(super::archived::relearn::RelearnArgs) => super::archived::relearn::run,
    Rollback(rollback::RollbackArgs) => rollback::run,
    Try(trial::TryArgs) => trial::run,
});

pub fn run(args: SiteArgs, global: &Global) -> anyhow::Result<Exit> {
    args.command.run(global)
}
