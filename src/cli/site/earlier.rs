//! A site's wrapper with its history: which file, and which of the earlier ones.

use crate::cli::{Global, sites};
use anyhow::{Context, bail};
use chrono::{DateTime, FixedOffset, NaiveDate};
use forest::wrapper::{Retired, Wrapper, WrapperFile};
use std::path::{Path, PathBuf};

/// Which wrapper.
#[derive(Debug, Clone, clap::Args)]
pub struct Chosen {
    /// The site, or the file of its wrapper.
    #[arg(value_name = "SITE|FILE")]
    site: String,
    /// The folder of wrappers.
    #[arg(long, value_name = "DIR")]
    sites: Option<PathBuf>,
}

impl Chosen {
    /// The file, and what it holds.
    pub fn read(&self, global: &Global) -> anyhow::Result<(PathBuf, WrapperFile)> {
        let typed = Path::new(&self.site);
        let is_file = typed.is_file() || typed.extension().is_some_and(|e| e == "yaml");
        let path = match is_file {
            true => typed.to_owned(),
            false => {
                let dir = self.sites.as_ref().or(global.config().sites.as_ref());
                let dir = dir.cloned().unwrap_or_else(|| sites::DEFAULT.into());
                sites::path_of(&dir, &self.site)
            }
        };
        match sites::read(&path)? {
            Some(file) => Ok((path, file)),
            None => bail!(
                "{}: there is no such file: name a site that was learned, or its file",
                path.display()
            ),
        }
    }
}

/// A date that was typed: RFC 3339, or a day, which begins at midnight UTC.
pub fn date(typed: &str) -> Result<DateTime<FixedOffset>, String> {
    if let Ok(date) = DateTime::parse_from_rfc3339(typed) {
        return Ok(date);
    }
    let day = NaiveDate::parse_from_str(typed, "%Y-%m-%d").ok();
    let midnight = day.and_then(|day| day.and_hms_opt(0, 0, 0));
    midnight
        .map(|time| time.and_utc().fixed_offset())
        .ok_or_else(|| format!("{typed} is no date: give a day as 2026-05-01, or RFC 3339"))
}

/// The wrapper that was in force at a time, without one the last that was retired; `None`
/// where there is no other than the one in force.
pub fn earlier(wrapper: &Wrapper, date: Option<DateTime<FixedOffset>>) -> Option<&Retired> {
    match date {
        Some(date) => wrapper.at(date),
        None => wrapper.history.first(),
    }
}

/// When a wrapper was learned, for a reader.
pub fn learned(learned: Option<&str>) -> &str {
    learned.unwrap_or("at an unknown time")
}

/// The reason why there is no earlier wrapper.
pub fn none(path: &Path, date: Option<DateTime<FixedOffset>>) -> String {
    let path = path.display();
    match date {
        Some(date) => format!(
            "{path}: at {} this wrapper was in force already",
            date.to_rfc3339()
        ),
        None => format!("{path}: its history is empty"),
    }
}

/// Reads the wrapper again as a program will that finds it.
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
