//! The command line: one file a command. Reads and writes the user's files.
//!
//! Takes the arguments; gives data on stdout, everything else on stderr, and an
//! [`Exit`]. A command's file has its arguments (`<Name>Args`) and
//! `run(args, global)`; a command adds itself to [`Command`].
//!
//! - [`archived`]: the commands of an archive, and the archive's part of the others.
//! - [`choices`]: options with a few named values.
//! - [`exit`]: the meaning of the exit codes.
//! - [`global`]: the options of all commands, messages, data on stdout, the config file.
//! - [`log`]: messages as text or JSON.
//! - [`output`]: files and folders that a command writes.
//! - [`progress`]: the progress of long work.
//! - [`source`]: SOURCE, from the words of a command line to pages.
//! - [`stdin`]: short inputs.

/// Defines the enum of a command's subcommands and the method that runs one of them. Those of
/// another enum may stand among them.
macro_rules! subcommands {
    ($name:ident { $($(#[$meta:meta])* $variant:ident($args:ty) => $run:path,)* }
        $(flatten { $(#[$of:meta])* $group:ident($inner:ty), }
        { $($(#[$last:meta])* $later:ident($its:ty) => $does:path,)* })?
    ) => {
        #[derive(Debug, clap::Subcommand)]
        pub enum $name {
            $($(#[$meta])* $variant($args),)*
            $($(#[$of])* #[command(flatten)] $group($inner),
            $($(#[$last])* $later($its),)*)?
        }

        impl $name {
            // The docs of a variant are its help.
            #[allow(unused_doc_comments)]
            pub fn run(self, global: &$crate::cli::Global) -> anyhow::Result<$crate::cli::Exit> {
                match self {
                    $($(#[$meta])* $name::$variant(args) => $run(args, global),)*
                    $($(#[$of])* $name::$group(command) => command.run(global),
                    $($(#[$last])* $name::$later(args) => $does(args, global),)*)?
                }
            }
        }
    };
}

mod apply;
#[cfg(feature = "archive")]
mod archived;
#[cfg(not(feature = "archive"))]
#[path = "without_archive.rs"]
mod archived;
mod choices;
mod completions;
mod config;
mod eval;
mod exit;
mod filter;
mod filter_settings;
mod ad_lists;
mod global;
mod learn;
mod log;
mod man;
mod methods;
mod net;
mod output;
mod progress;
mod push;
#[cfg(feature = "serve")]
mod serve;
mod signifiers;
mod site;
mod sites;
mod source;
#[cfg(feature = "archive")]
mod stdin;
mod text;
mod tune;
mod when;

use exit::Exit;
use global::Global;
use global::GlobalArgs;

use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

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
struct Cli {
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
  3  some inputs were empty, blocked or failed, or more than a tenth of a site's pages
     fit no template that was learned; each is reported on stderr

Config file: forest/config.yaml in the user's configuration folder, or the file that
--config or FOREST_CONFIG names. It is YAML; options on the command line go before it:
  sites: ~/forest/sites        headers: {Accept-Language: el}
  user_agent: my-reader/1.0    delay: 2         timeout: 60
  method: forest               format: jsonl    jobs: 4
  archive: ~/forest/archive    max_page_bytes: 20000000
  warcinfo: {operator: J. Doe, isPartOf: news}   # of new WARC files; robots is `classic`
  notify: [ntfy+https://ntfy.example/news]       notify_on: [drift, relearned]";

subcommands!(Command {
    Learn(learn::LearnArgs) => learn::run,
    Apply(apply::ApplyArgs) => apply::run,
    Text(text::TextArgs) => text::run,
    Filter(filter::FilterArgs) => filter::run,
    #[cfg(feature = "serve")]
    Serve(serve::ServeArgs) => serve::run,
    Eval(eval::EvalArgs) => eval::run,
    Tune(tune::TuneArgs) => tune::run,
    Site(site::SiteArgs) => site::run,
    Push(push::PushArgs) => push::run,
} flatten {
    #[cfg(feature = "archive")]
    Archived(archived::ArchivedCommand),
} {
    Completions(completions::CompletionsArgs) => completions::run,
    Man(man::ManArgs) => man::run,
});

/// The `forest` command: parses the arguments of the process, runs it, gives its exit code.
pub fn main() -> ExitCode {
    ExitCode::from(main_with(std::env::args_os()))
}

/// [`main`] with these arguments, the program's name first: the exit code. Wrong usage ends
/// the process.
pub fn main_with(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    run(Cli::parse_from(arguments)).code()
}

/// Runs the command. An error is reported on stderr; a broken pipe of stdout is a success.
fn run(cli: Cli) -> Exit {
    let result = Global::new(cli.global).and_then(|global| cli.command.run(&global));
    match result {
        Ok(exit) => exit,
        Err(error) if exit::is_broken_pipe(&error) => Exit::Done,
        Err(error) => {
            global::print_error(&error);
            Exit::Error
        }
    }
}
