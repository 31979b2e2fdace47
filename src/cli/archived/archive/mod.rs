//! `forest archive`: the archive itself.
//!
//! - `backup`: copies it.
//! - `cdx`: writes the index of its WARC files.
//! - `export`: writes its articles for other programs.
//! - `forget`: removes articles.
//! - `import`: adds pages of other programs' web archives.
//! - `reextract`: extracts its pages again with the current wrappers.
//! - `verify`: compares its parts.

mod backup;
mod cdx;
mod export;
mod forget;
mod import;
mod pictures;
mod reextract;
mod verify;
mod wacz;

use crate::cli::{Exit, Global};

/// Maintain an archive, import pages and export articles
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  forest archive verify
  forest archive backup /mnt/backup/forest
  forest archive export --site news.example.org > articles.jsonl")]
pub struct ArchiveCommandArgs {
    #[command(subcommand)]
    command: ArchiveCommand,
}

subcommands!(ArchiveCommand {
    Backup(backup::BackupArgs) => backup::run,
    Cdx(cdx::CdxArgs) => cdx::run,
    Export(export::ArchiveExportArgs) => export::run,
    Forget(forget::ForgetArgs) => forget::run,
    Import(import::WarcImportArgs) => import::run,
    Reextract(reextract::ReextractArgs) => reextract::run,
    Verify(verify::VerifyArgs) => verify::run,
});

pub fn run(args: ArchiveCommandArgs, global: &Global) -> anyhow::Result<Exit> {
    args.command.run(global)
}
