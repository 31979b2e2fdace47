//! What all commands share: what is said on stderr, and the config file.

use super::config::Config;
use super::log::Log;
use super::progress::{Progress, Shows};
use super::shown::Shown;
use indicatif::MultiProgress;
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

/// What messages for a person are events of, in a log of JSON.
pub const TARGET: &str = "forest";

/// Options of all commands.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Everywhere")]
pub struct GlobalArgs {
    /// Say only what went wrong.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Say more, on stderr (-vv: even more).
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(super) verbose: u8,
    /// How messages look on stderr [default: text]: `json` is an object a line, with
    /// the time. With this or -v, and no terminal, long work says each minute how far it
    /// is.
    #[arg(long, global = true, value_name = "FORMAT")]
    pub(super) log: Option<Log>,
    /// Read options from this file [default: forest/config.yaml in the user's
    /// configuration folder, if it is there; FOREST_CONFIG names another].
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl GlobalArgs {
    /// How messages look.
    pub fn log(&self) -> Log {
        self.log.unwrap_or_default()
    }
}

/// What all commands share.
#[derive(Debug, Clone)]
pub struct Global {
    quiet: bool,
    #[cfg_attr(not(all(feature = "net", feature = "archive")), allow(dead_code))]
    verbose: bool,
    log: Log,
    config: Config,
    pub(super) bars: MultiProgress,
    pub(super) shows: Shows,
}

impl Global {
    /// Sets up logging and reads the config file.
    ///
    /// # Errors
    ///
    /// If the config file cannot be read or has a key that there is not.
    pub fn new(args: GlobalArgs) -> anyhow::Result<Global> {
        let log = args.log();
        let level = match args.verbose {
            // What would be said in words is an event there.
            0 if log == Log::Json && !args.quiet => tracing::Level::INFO,
            0 => tracing::Level::WARN,
            1 => tracing::Level::DEBUG,
            _ => tracing::Level::TRACE,
        };
        log.begin(level);
        Ok(Global {
            shows: Shows::of(&args, std::io::stderr().is_terminal()),
            quiet: args.quiet,
            verbose: args.verbose > 0,
            log,
            config: Config::read(args.config.as_deref())?,
            bars: MultiProgress::new(),
        })
    }

    /// The options that the user's config file sets.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What is said are events of a log of JSON.
    #[cfg_attr(not(all(feature = "net", feature = "archive")), allow(dead_code))]
    pub fn logs_json(&self) -> bool {
        self.log == Log::Json
    }

    /// A line for the person at the terminal; not with `--quiet`. What is in it
    /// stays on this line, see [`Shown`].
    pub fn say(&self, line: impl Display) {
        match self.log {
            _ if self.quiet => {}
            Log::Text => self.line(line),
            Log::Json => tracing::info!(target: TARGET, "{line}"),
        }
    }

    /// A line for who asked for more with `--verbose`.
    #[cfg_attr(not(all(feature = "net", feature = "archive")), allow(dead_code))]
    pub fn detail(&self, line: impl Display) {
        match self.log {
            Log::Text if self.verbose => self.line(line),
            Log::Text => {}
            Log::Json => tracing::debug!(target: TARGET, "{line}"),
        }
    }

    /// Several lines, all of them our own, as [`say`](Self::say) does one.
    pub fn say_lines(&self, lines: &str) {
        match self.log {
            Log::Text => lines.lines().for_each(|line| self.say(line)),
            Log::Json => self.say(lines),
        }
    }

    /// A line about something that went wrong, whatever was asked for.
    pub fn warn(&self, line: impl Display) {
        match self.log {
            Log::Text => self.line(line),
            Log::Json => tracing::warn!(target: TARGET, "{line}"),
        }
    }

    fn line(&self, line: impl Display) {
        self.bars.suspend(|| print_line(line));
    }

    /// Writes to stdout, beside a progress bar.
    ///
    /// # Errors
    ///
    /// If it cannot be written; a broken pipe is one of the reasons.
    pub fn print(&self, bytes: &[u8]) -> std::io::Result<()> {
        self.bars.suspend(|| {
            let mut out = std::io::stdout().lock();
            out.write_all(bytes)?;
            out.flush()
        })
    }

    /// How far work has come that may take long: see [`Progress`]. `steps`: how many
    /// there are, if that is known.
    pub fn progress(&self, what: &'static str, steps: Option<usize>) -> Progress {
        let steps = steps.map(|n| n as u64);
        Progress::begin(self, what, steps, "{msg} {spinner} {pos} {elapsed}")
    }

    /// The same of work whose steps nobody counts.
    pub fn busy(&self, what: &'static str) -> Progress {
        Progress::begin(self, what, None, "{msg} {spinner} {elapsed}")
    }
}

/// A line on stderr. If nobody reads it, so be it.
pub(super) fn print_line(line: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{}", Shown(line));
}

/// An error with its causes, on stderr.
pub fn print_error(error: &anyhow::Error, log: Log) {
    match log {
        Log::Text => print_line(format_args!("forest: {}", told(error))),
        Log::Json => tracing::error!(target: TARGET, "{}", told(error)),
    }
}

/// An error with its causes, but for those that it names itself.
fn told(error: &anyhow::Error) -> String {
    let mut told = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if told.contains(&cause) {
            continue;
        }
        if !told.is_empty() {
            told.push_str(": ");
        }
        told.push_str(&cause);
    }
    told
}
