//! The options that choose a wrapper, and the earlier wrappers in its history.

use crate::cli::archived::WrapperArchiveArgs;
use crate::cli::when::day_or_time;
use crate::cli::{Global, sites};
use anyhow::{Context, bail};
use chrono::{DateTime, FixedOffset};
use forest_core::wrapper::{Retired, Wrapper, WrapperFile};
use std::path::{Path, PathBuf};

/// The wrapper of a command.
#[derive(Debug, Clone, clap::Args)]
pub struct WrapperArgs {
    /// Use the wrapper of this site, or in this file.
    #[arg(value_name = "SITE|FILE")]
    site: String,
    /// Search the wrapper in this folder [default: sites, then that of the archive].
    #[arg(long, value_name = "DIR")]
    sites: Option<PathBuf>,
    #[command(flatten)]
    archive: WrapperArchiveArgs,
}

impl WrapperArgs {
    /// The file, and its content.
    pub fn read(&self, global: &Global) -> anyhow::Result<(PathBuf, WrapperFile)> {
        let typed = Path::new(&self.site);
        let is_file = typed.is_file() || typed.extension().is_some_and(|e| e == "yaml");
        let paths = if is_file {
            vec![typed.to_owned()]
        } else {
            let dirs = self.dirs(global).into_iter();
            dirs.map(|dir| sites::path_of(&dir, &self.site)).collect()
        };
        for path in &paths {
            if let Some(file) = sites::read(path)? {
                return Ok((path.clone(), file));
            }
        }
        let paths = paths.iter().map(|path| path.display().to_string());
        let paths: Vec<String> = paths.collect();
        bail!(
            "there is no such file as {}: name a site that was learned, or its file",
            paths.join(", nor ")
        )
    }

    /// The folders in which the wrapper may be.
    fn dirs(&self, global: &Global) -> Vec<PathBuf> {
        let named = self.sites.as_ref();
        if let Some(sites) = self.archive.named() {
            return vec![sites];
        }
        let mut dirs = vec![sites::dir(named, global)];
        if named.is_none() {
            dirs.extend(WrapperArchiveArgs::of_user(global));
        }
        dirs
    }
}

/// A typed date: RFC 3339, or a day, which begins at midnight UTC.
pub fn date(typed: &str) -> Result<DateTime<FixedOffset>, String> {
    day_or_time(typed)
        .ok_or_else(|| format!("{typed} is no date: give a day as 2026-05-01, or RFC 3339"))
}

/// The wrapper that was active at `date`; without a date, the last retired one. `None` if
/// there is only the active one.
pub fn earlier(wrapper: &Wrapper, date: Option<DateTime<FixedOffset>>) -> Option<&Retired> {
    match date {
        Some(date) => wrapper.at(date),
        None => wrapper.history.first(),
    }
}

/// The time at which a wrapper was learned, for a message.
pub fn learned(learned: Option<&str>) -> &str {
    learned.unwrap_or("at an unknown time")
}

/// The reason why there is no earlier wrapper.
pub fn none(path: &Path, date: Option<DateTime<FixedOffset>>) -> String {
    let path = path.display();
    match date {
        Some(date) => format!(
            "{path}: at {} this wrapper was active already",
            date.to_rfc3339()
        ),
        None => format!("{path}: its history is empty"),
    }
}

/// Checks that the expressions of an earlier wrapper compile.
pub fn checked(wrapper: &Wrapper, path: &Path) -> anyhow::Result<()> {
    wrapper
        .compile()
        .with_context(|| format!("{}: the earlier wrapper", path.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_utc() {
        let check = |typed: &str, expected: &str| {
            assert_eq!(
                date(typed).map(|date| date.to_rfc3339()).as_deref(),
                Ok(expected)
            );
        };
        check("2026-05-01", "2026-05-01T00:00:00+00:00");
        check("2026-05-01T02:00:00+02:00", "2026-05-01T02:00:00+02:00");
        for bad in ["", "yesterday", "2026-13-01", "1.5.2026"] {
            assert!(date(bad).is_err(), "{bad}");
        }
    }
}
