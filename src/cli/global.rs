//! What all commands share.

use std::fmt::Display;
use std::io::Write;

/// Options of all commands.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Everywhere")]
pub struct GlobalArgs {
    /// Say only what went wrong.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Say more (-vv: even more), on stderr.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
}

/// What all commands share.
#[derive(Debug)]
pub struct Global {
    quiet: bool,
}

impl Global {
    /// Sets up logging.
    ///
    /// # Errors
    ///
    /// None yet.
    pub fn new(args: GlobalArgs) -> anyhow::Result<Global> {
        let level = match args.verbose {
            0 => tracing::Level::WARN,
            1 => tracing::Level::DEBUG,
            _ => tracing::Level::TRACE,
        };
        // The first subscriber stays; there is no other.
        let _ = tracing_subscriber::fmt()
            .with_max_level(level)
            .with_writer(std::io::stderr)
            .without_time()
            .try_init();
        Ok(Global { quiet: args.quiet })
    }

    /// Whether only what went wrong is to be said.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// A line for the person at the terminal; not with `--quiet`.
    pub fn say(&self, line: impl Display) {
        if !self.quiet {
            self.warn(line);
        }
    }

    /// A line about something that went wrong, whatever was asked for.
    pub fn warn(&self, line: impl Display) {
        print_line(line);
    }
}

/// A line on stderr. If nobody reads it, so be it.
fn print_line(line: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// An error with its causes, on stderr.
pub fn print_error(error: &anyhow::Error) {
    print_line(format_args!("forest: {error:#}"));
}
