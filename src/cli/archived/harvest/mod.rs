//! `forest harvest`: feeds over time.
//!
//! - `run`: the harvest itself.
//! - `refetch`: pages of the archive, visited again at once.
//! - `backfill`: older articles of a site, by its lists.
//! - `feeds`: the feeds of the harvest.
//! - `secret`: headers and cookies that only a site itself gets.
//! - `status`: the status of feeds and sites.
//! - `typed_feed`: addresses of feeds as a user types them.
//! - `messages`: the events of a harvest on stderr.
//! - `notify`: notifications to addresses and programs.
//! - `interrupt`: SIGTERM and SIGINT.
//! - `metrics_server`: figures for Prometheus; `pages_server`: pages of the archive.

mod backfill;
mod feeds;
mod interrupt;
pub mod messages;
mod metrics_server;
pub mod notify;
#[cfg(feature = "serve")]
mod pages_server;
#[cfg(not(feature = "serve"))]
#[path = "without_pages_server.rs"]
mod pages_server;
mod refetch;
mod run;
mod secret;
mod status;
pub mod typed_feed;

use crate::cli::{Exit, Global};

/// Poll feeds, and keep every article with all of its versions
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  forest harvest add https://news.example.org/feed.xml
  forest harvest add subscriptions.opml
  forest harvest run --once
  forest harvest status")]
pub struct HarvestArgs {
    #[command(subcommand)]
    command: HarvestCommand,
}

subcommands!(HarvestCommand {
    Run(run::RunArgs) => run::run,
    Refetch(refetch::RefetchArgs) => refetch::run,
    Backfill(backfill::BackfillArgs) => backfill::run,
    Add(feeds::AddArgs) => feeds::add,
    /// Remove feeds from the harvest; their articles stay
    Remove(feeds::WhichArgs) => feeds::remove,
    /// Pause feeds
    Pause(feeds::WhichArgs) => feeds::pause,
    /// Resume feeds that were paused or ended, and visits of their pages that were given up
    Resume(feeds::WhichArgs) => feeds::resume,
    Rename(feeds::RenameArgs) => feeds::rename,
    Move(feeds::MoveArgs) => feeds::move_to,
    Rules(feeds::RulesArgs) => feeds::rules,
    List(feeds::ListArgs) => feeds::list,
    Export(feeds::OpmlArgs) => feeds::export,
    Secret(secret::SecretArgs) => secret::run,
    Status(status::StatusArgs) => status::run,
});

pub fn run(args: HarvestArgs, global: &Global) -> anyhow::Result<Exit> {
    args.command.run(global)
}
