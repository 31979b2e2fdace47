//! The `forest` command: parse, run, exit code.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod cli;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let exit = cli::run(cli::Cli::parse());
    ExitCode::from(exit.code())
}
