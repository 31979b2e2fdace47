//! The options of all commands, messages on stderr, data on stdout, and the config file.

use super::config::Config;
use super::log::{LogFormat, TARGET};
use super::progress::{ProgressDisplay, WorkProgress};
use forest_html::error::with_causes;
use indicatif::MultiProgress;
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use tracing::Level;

/// Options of all commands.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Everywhere")]
pub struct GlobalArgs {
    /// Show only warnings and errors on stderr.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Show more on stderr (-vv: still more).
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Write messages on stderr in this format; `json` is an object a line, with the time.
    /// With this option or -v, and without a terminal, long work prints its progress each
    /// minute [default: text].
    #[arg(long, global = true, value_name = "FORMAT")]
    log: Option<LogFormat>,
    /// Read options from this file; the variable FOREST_CONFIG names another [default:
    /// forest/config.yaml in the user's configuration folder, if it exists].
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// The state that all commands share.
#[derive(Debug, Clone)]
pub struct Global {
    log: LogFormat,
    config: Config,
    bars: MultiProgress,
    display: ProgressDisplay,
}

impl Global {
    /// Sets up the log and reads the config file.
    ///
    /// # Errors
    ///
    /// If the config file cannot be read or has an unknown key.
    pub fn new(args: GlobalArgs) -> anyhow::Result<Global> {
        let log = args.log.unwrap_or_default();
        let bars = MultiProgress::new();
        let messages = match args.verbose {
            0 if args.quiet => Level::WARN,
            0 => Level::INFO,
            1 => Level::DEBUG,
            _ => Level::TRACE,
        };
        let library = match log {
            LogFormat::Text if args.verbose == 0 => Level::WARN,
            _ => messages,
        };
        log.begin(library, messages, &bars);
        let is_terminal = std::io::stderr().is_terminal();
        Ok(Global {
            display: ProgressDisplay::of(args.quiet, args.verbose > 0, args.log, is_terminal),
            log,
            config: Config::read(args.config.as_deref())?,
            bars,
        })
    }

    /// The options that the user's config file sets.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns true if messages are events of a log of JSON.
    pub fn logs_json(&self) -> bool {
        self.log == LogFormat::Json
    }

    /// A message for the user; none with `--quiet`. It stays on one line, see
    /// [`OneLine`](forest_html::text::OneLine).
    pub fn say(&self, line: impl Display) {
        tracing::info!(target: TARGET, "{line}");
    }

    /// A message for users of `--verbose`.
    pub fn detail(&self, line: impl Display) {
        tracing::debug!(target: TARGET, "{line}");
    }

    /// Several lines of the program's own, shown as [`say`](Self::say) shows one.
    pub fn say_lines(&self, lines: &str) {
        if self.logs_json() {
            self.say(lines);
        } else {
            lines.lines().for_each(|line| self.say(line));
        }
    }

    /// A warning, shown with all flags.
    pub fn warn(&self, line: impl Display) {
        tracing::warn!(target: TARGET, "{line}");
    }

    /// Warns of an input that failed, with the causes of its error.
    pub fn warn_failed(&self, error: &anyhow::Error) {
        self.warn(format_args!("forest: {}", with_causes(error.as_ref())));
    }

    /// Writes to stdout, beside progress bars.
    ///
    /// # Errors
    ///
    /// If stdout cannot be written, for example because of a broken pipe.
    pub fn print(&self, bytes: &[u8]) -> std::io::Result<()> {
        self.bars.suspend(|| {
            let mut out = std::io::stdout().lock();
            out.write_all(bytes)?;
            out.flush()
        })
    }

    /// Writes a value to stdout as a line of JSON.
    ///
    /// # Errors
    ///
    /// As [`print`](Self::print).
    pub fn print_json(&self, value: &serde_json::Value) -> std::io::Result<()> {
        self.print(format!("{value}\n").as_bytes())
    }

    /// The progress of work that may take long, of `steps` steps if that is known.
    pub fn progress(&self, what: &'static str, steps: Option<usize>) -> WorkProgress {
        let steps = steps.map(|n| n as u64);
        let template = "{msg} {spinner} {pos} {elapsed}";
        WorkProgress::begin(self.display, &self.bars, what, steps, template)
    }

    /// The progress of work without steps.
    pub fn busy(&self, what: &'static str) -> WorkProgress {
        let template = "{msg} {spinner} {elapsed}";
        WorkProgress::begin(self.display, &self.bars, what, None, template)
    }
}

/// Shows an error with its causes on stderr.
pub fn print_error(error: &anyhow::Error) {
    tracing::error!(target: TARGET, "{}", with_causes(error.as_ref()));
}
