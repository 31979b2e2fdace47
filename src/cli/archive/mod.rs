//! `forest archive`: the archive itself.
//!
//! - `backup`: a copy of it.
//! - `export`: its articles for other programs.
//! - `forget`: addresses that are to be gone.
//! - `import`: pages of other programs' web archives.
//! - `reextract`: today's wrappers on yesterday's pages.
//! - `verify`: whether its parts agree.

mod backup;
mod export;
mod forget;
#[cfg(feature = "net")]
mod import;
mod pictures;
mod reextract;
mod verify;
mod wacz;

use super::{Exit, Global};
use clap::Subcommand;

/// Look after an archive, and take articles out of it
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

#[derive(Debug, Subcommand)]
enum ArchiveCommand {
    Backup(backup::BackupArgs),
    Export(export::ExportArgs),
    Forget(forget::ForgetArgs),
    #[cfg(feature = "net")]
    Import(import::ImportArgs),
    Reextract(reextract::ReextractArgs),
    Verify(verify::VerifyArgs),
}

pub fn run(args: ArchiveCommandArgs, global: &Global) -> anyhow::Result<Exit> {
    match args.command {
        ArchiveCommand::Backup(args) => backup::run(args, global),
        ArchiveCommand::Export(args) => export::run(args, global),
        ArchiveCommand::Forget(args) => forget::run(args, global),
        #[cfg(feature = "net")]
        ArchiveCommand::Import(args) => import::run(args, global),
        ArchiveCommand::Reextract(args) => reextract::run(args, global),
        ArchiveCommand::Verify(args) => verify::run(args, global),
    }
}

/// Now.
fn now() -> chrono::DateTime<chrono::Utc> {
    chrono::DateTime::from(std::time::SystemTime::now())
}

/// How an archive is opened to be written.
fn options(sites: Option<&std::path::Path>) -> forest::archive::ArchiveOptions {
    let options = forest::archive::ArchiveOptions::default();
    match sites {
        Some(sites) => options.with_sites(sites),
        None => options,
    }
}
