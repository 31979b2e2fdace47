//! The command line: one file a command. Reads and writes the user's files.
//!
//! Takes the arguments; gives data on stdout, everything else on stderr, and an
//! [`Exit`]. A command's file has its arguments (`<Name>Args`) and
//! `run(args, global)`; a command adds itself to [`Command`] and [`dispatch`].
//!
//! - [`exit`]: what the exit codes mean.
//! - [`global`]: what all commands share: quiet, verbose, the config file.

mod completions;
mod eval;
mod exit;
mod global;
mod man;

pub use exit::Exit;
pub use global::{Global, GlobalArgs};

use clap::{Parser, Subcommand};

/// Learns one wrapper per web site from its feed, and extracts articles with it.
#[derive(Debug, Parser)]
#[command(
    name = "forest",
    version,
    propagate_version = true,
    after_help = EXIT_CODES,
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
const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  nothing was found, the learner abstained, or every input failed
  2  wrong usage, or an error
  3  some inputs were empty, blocked or failed; each is reported on stderr";

#[derive(Debug, Subcommand)]
enum Command {
    Eval(eval::EvalArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

fn dispatch(command: Command, global: &Global) -> anyhow::Result<Exit> {
    match command {
        Command::Eval(args) => eval::run(args, global),
        Command::Completions(args) => completions::run(args, global),
        Command::Man(args) => man::run(args, global),
    }
}

/// Runs what was asked for. An error is reported on stderr; output that nobody
/// reads any more (a broken pipe) is a success.
pub fn run(cli: Cli) -> Exit {
    let result = Global::new(cli.global).and_then(|global| dispatch(cli.command, &global));
    match result {
        Ok(exit) => exit,
        Err(error) if exit::is_broken_pipe(&error) => Exit::Done,
        Err(error) => {
            global::print_error(&error);
            Exit::Error
        }
    }
}
