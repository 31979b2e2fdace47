//! `forest site rollback`: makes an earlier wrapper of a site the active one.

use super::earlier::{WrapperArgs, checked, date, earlier, learned, none};
use crate::cli::when::{now, time};
use crate::cli::{Exit, Global, output};
use anyhow::bail;
use chrono::{DateTime, FixedOffset};

/// Make an earlier wrapper of a site the active one
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The active wrapper goes to the head of the history, so that a second rollback undoes the
first.

Exit: 0 done, 1 there is no earlier wrapper, 2 an error: the file was edited by hand.

Examples:
  forest site rollback example.org
  forest site rollback sites/example.org.yaml --to 2026-05-01")]
pub struct RollbackArgs {
    #[command(flatten)]
    chosen: WrapperArgs,
    /// Take the wrapper that was active at this time: a day, or RFC 3339 [default: the last
    /// earlier one].
    #[arg(long, value_name = "DATE", value_parser = date)]
    to: Option<DateTime<FixedOffset>>,
    /// Replace a file that was edited by hand.
    #[arg(long)]
    force: bool,
    /// Write the result as one JSON object.
    #[arg(long)]
    json: bool,
}

pub fn run(args: RollbackArgs, global: &Global) -> anyhow::Result<Exit> {
    let (path, file) = args.chosen.read(global)?;
    if file.edited && !args.force {
        bail!(
            "{} was edited by hand and is left alone; --force replaces it",
            path.display()
        );
    }
    let Some(old) = earlier(&file.wrapper, args.to).cloned() else {
        global.warn(none(&path, args.to));
        return Ok(Exit::Nothing);
    };
    let replaced = file.wrapper.learned.clone();
    let back = file.wrapper.rolled_back(&old, &time(now()));
    checked(&back, &path)?;
    output::write(&path, back.to_yaml().as_bytes())?;
    if args.json {
        global.print_json(&serde_json::json!({
            "site": back.site,
            "file": path,
            "learned": back.learned,
            "retired": replaced,
        }))?;
    } else {
        global.say(format_args!(
            "{}: the wrapper learned {} is active again; that learned {} is in the history",
            path.display(),
            learned(back.learned.as_deref()),
            learned(replaced.as_deref())
        ));
    }
    Ok(Exit::Done)
}
