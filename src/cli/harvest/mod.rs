//! `forest harvest`: feeds over time.
//!
//! - `run`: the harvest itself.
//! - `refetch`: pages that are visited again at once.
//! - `feeds`: which feeds are harvested.
//! - `status`: how feeds and sites are doing.
//! - `tell`: what a harvest does, on stderr; `failures` and `polled`: the same in sum.
//! - `notify`: who else is told.
//! - `interrupt`: SIGTERM and SIGINT.
//! - `metrics_server`: figures for Prometheus.

mod bounded;
mod feeds;
mod interrupt;
mod metrics_server;
mod notify;
mod polled;
mod refetch;
mod run;
mod status;
mod failures;
mod tell;

use super::{Exit, Global};
use clap::Subcommand;

/// Poll feeds, keep every article and every version of it
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

#[derive(Debug, Subcommand)]
enum HarvestCommand {
    Run(run::RunArgs),
    Refetch(refetch::RefetchArgs),
    Add(feeds::AddArgs),
    Remove(feeds::RemoveArgs),
    Pause(feeds::PauseArgs),
    Resume(feeds::ResumeArgs),
    Rules(feeds::RulesArgs),
    List(feeds::ListArgs),
    Export(feeds::ExportArgs),
    Status(status::StatusArgs),
}

pub fn run(args: HarvestArgs, global: &Global) -> anyhow::Result<Exit> {
    match args.command {
        HarvestCommand::Run(args) => run::run(args, global),
        HarvestCommand::Refetch(args) => refetch::run(args, global),
        HarvestCommand::Add(args) => feeds::add(args, global),
        HarvestCommand::Remove(args) => feeds::remove(args, global),
        HarvestCommand::Pause(args) => feeds::pause(args, global),
        HarvestCommand::Resume(args) => feeds::resume(args, global),
        HarvestCommand::Rules(args) => feeds::rules(args, global),
        HarvestCommand::List(args) => feeds::list(args, global),
        HarvestCommand::Export(args) => feeds::export(args, global),
        HarvestCommand::Status(args) => status::run(args, global),
    }
}
