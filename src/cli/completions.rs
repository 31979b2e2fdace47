//! `forest completions`: completions for a shell.

use super::{Cli, Exit, Global};
use clap::CommandFactory;
use std::io::Write;

/// Print completions for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  forest completions bash > ~/.local/share/bash-completion/completions/forest
  forest completions zsh > ~/.zfunc/_forest
  forest completions fish > ~/.config/fish/completions/forest.fish")]
pub struct CompletionsArgs {
    /// The shell.
    shell: clap_complete::Shell,
}

pub fn run(args: CompletionsArgs, _: &Global) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "forest", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(Exit::Done)
}
