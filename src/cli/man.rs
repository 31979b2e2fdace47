//! `forest man`: the manual page, or that of a command.

use super::{Cli, Exit, Global};
use anyhow::Context;
use clap::CommandFactory;
use std::io::Write;

/// Print the manual page.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  forest man > ~/.local/share/man/man1/forest.1
  forest man learn | man -l -")]
pub struct ManArgs {
    /// The command whose page it is; without, that of forest itself.
    command: Option<String>,
}

pub fn run(args: ManArgs, _: &Global) -> anyhow::Result<Exit> {
    let mut forest = Cli::command();
    forest.build();
    let command = match &args.command {
        None => forest,
        Some(name) => {
            let found = forest.find_subcommand(name).cloned();
            let known: Vec<&str> = forest.get_subcommands().map(|c| c.get_name()).collect();
            found
                .with_context(|| format!("no command `{name}`; there are: {}", known.join(", ")))?
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    std::io::stdout().lock().write_all(&page)?;
    Ok(Exit::Done)
}
