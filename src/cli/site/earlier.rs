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
    /// The folder of wrappers [default: sites, then that of the archive].
    #[arg(long, value_name = "DIR")]
    sites: Option<PathBuf>,
    /// The archive whose wrapper it is.
    #[cfg(feature = "archive")]
    #[arg(long, value_name = "DIR", conflicts_with = "sites")]
    archive: Option<PathBuf>,
}

impl Chosen {
    /// The file, and what it holds.
    pub fn read(&self, global: &Global) -> anyhow::Result<(PathBuf, WrapperFile)> {
        let typed = Path::new(&self.site);
        let is_file = typed.is_file() || typed.extension().is_some_and(|e| e == "yaml");
        let paths = match is_file {
            true => vec![typed.to_owned()],
            false => {
                let dirs = self.dirs(global).into_iter();
                dirs.map(|dir| sites::path_of(&dir, &self.site)).collect()
            }
        };
        for path in &paths {
            if let Some(file) = sites::read(path)? {
                return Ok((path.clone(), file));
            }
        }
        let paths: Vec<String> = paths
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        bail!(
            "there is no such file as {}: name a site that was learned, or its file",
            paths.join(", nor ")
        )
    }

    /// The folders in which the wrapper may be.
    fn dirs(&self, global: &Global) -> Vec<PathBuf> {
        let named = self.sites.as_ref();
        #[cfg(feature = "archive")]
        if let Some(archive) = &self.archive {
            return vec![forest::archive::paths::sites(archive)];
        }
        let dir = named.or(global.config().sites.as_ref());
        let dir = dir.cloned().unwrap_or_else(|| sites::DEFAULT.into());
        #[cfg(feature = "archive")]
        if let (None, Ok(archive)) = (
            named,
            crate::cli::archive_dir::ArchiveArgs::default().dir(global),
        ) {
            return vec![dir, forest::archive::paths::sites(&archive)];
        }
        vec![dir]
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
