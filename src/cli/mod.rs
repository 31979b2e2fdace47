//! The command line: one file a command. Reads and writes the user's files.
//!
//! Takes the arguments; gives data on stdout, everything else on stderr, and an
//! [`Exit`]. A command's file has its arguments (`<Name>Args`) and
//! `run(args, global)`; a command adds itself to [`Command`] and [`dispatch`].
//!
//! - [`exit`]: what the exit codes mean.
//! - [`global`]: what all commands share: quiet, verbose, the config file.
//! - [`log`]: messages as text or JSON.
//! - [`progress`]: how far long work has come.
//! - [`shown`]: what came from outside, shown so that it forges nothing.

mod apply;
#[cfg(feature = "archive")]
mod archive;
#[cfg(feature = "archive")]
mod archive_dir;
mod completions;
mod config;
#[cfg(feature = "archive")]
mod diffs;
mod eval;
mod exit;
#[cfg(feature = "archive")]
mod feed;
mod global;
#[cfg(all(feature = "net", feature = "archive"))]
mod harvest;
#[cfg(feature = "archive")]
mod history;
#[cfg(all(feature = "net", feature = "archive"))]
mod images;
mod learn;
mod log;
mod man;
mod methods;
mod net;
mod output;
mod progress;
#[cfg(feature = "archive")]
mod rules;
mod shown;
#[cfg(feature = "archive")]
mod search;
mod signifiers;
mod site;
mod sites;
mod source;
#[cfg(feature = "archive")]
mod stored;
mod text;
#[cfg(feature = "archive")]
mod when;

pub use exit::Exit;
pub use global::{Global, GlobalArgs};

use clap::{Parser, Subcommand};

/// Learns one wrapper per web site from its feed, and extracts articles with it.
#[derive(Debug, Parser)]
#[command(
    name = "forest",
    version,
    propagate_version = true,
    after_help = AFTER_HELP,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub struct Cli {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: Command,
}

/// The end of the main help.
const AFTER_HELP: &str = "\
Exit codes:
  0  done
  1  nothing was found, the learner abstained, or every input failed
  2  wrong usage, or an error
  3  some inputs were empty, blocked or failed; each is reported on stderr

Config file, forest/config.yaml in the user's configuration folder, or the one that
--config or FOREST_CONFIG names (YAML; what the command line says comes first):
  sites: ~/forest/sites        headers: {Accept-Language: el}
  user_agent: my-reader/1.0    delay: 2         timeout: 60
  method: forest               format: jsonl    jobs: 4
  archive: ~/forest/archive    max_page_bytes: 20000000";

#[derive(Debug, Subcommand)]
enum Command {
    Learn(learn::LearnArgs),
    Apply(apply::ApplyArgs),
    Text(text::TextArgs),
    Eval(eval::EvalArgs),
    Site(site::SiteArgs),
    #[cfg(all(feature = "net", feature = "archive"))]
    Harvest(harvest::HarvestArgs),
    #[cfg(feature = "archive")]
    Archive(archive::ArchiveCommandArgs),
    #[cfg(feature = "archive")]
    Search(search::SearchArgs),
    #[cfg(feature = "archive")]
    History(history::HistoryArgs),
    #[cfg(feature = "archive")]
    Diffs(diffs::DiffsArgs),
    #[cfg(feature = "archive")]
    Feed(feed::FeedArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

fn dispatch(command: Command, global: &Global) -> anyhow::Result<Exit> {
    match command {
        Command::Learn(args) => learn::run(args, global),
        Command::Apply(args) => apply::run(args, global),
        Command::Text(args) => text::run(args, global),
        Command::Eval(args) => eval::run(args, global),
        Command::Site(args) => site::run(args, global),
        #[cfg(all(feature = "net", feature = "archive"))]
        Command::Harvest(args) => harvest::run(args, global),
        #[cfg(feature = "archive")]
        Command::Archive(args) => archive::run(args, global),
        #[cfg(feature = "archive")]
        Command::Search(args) => search::run(args, global),
        #[cfg(feature = "archive")]
        Command::History(args) => history::run(args, global),
        #[cfg(feature = "archive")]
        Command::Diffs(args) => diffs::run(args, global),
        #[cfg(feature = "archive")]
        Command::Feed(args) => feed::run(args, global),
        Command::Completions(args) => completions::run(args, global),
        Command::Man(args) => man::run(args, global),
    }
}

/// Runs what was asked for. An error is reported on stderr; output that nobody
/// reads any more (a broken pipe) is a success.
pub fn run(cli: Cli) -> Exit {
    let log = cli.global.log();
    let result = Global::new(cli.global).and_then(|global| dispatch(cli.command, &global));
    match result {
        Ok(exit) => exit,
        Err(error) if exit::is_broken_pipe(&error) => Exit::Done,
        Err(error) => {
            global::print_error(&error, log);
            Exit::Error
        }
    }
}
