//! Lists of advertisement servers: files of the user's, and lists from the web in the data
//! folder.

use super::net::{Network, RequestKind};
use super::when::now;
use super::{Global, output};
use crate::error::counted;
use crate::feed::sniff;
use crate::filter::AdList;
use crate::text::sha256_hex;
use anyhow::{Context, bail};
use chrono::{DateTime, Utc};
use etcetera::BaseStrategy;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use url::Url;

/// The list that comes with the program, the lists in the data folder, and those of `files`.
/// Lines that are not understood give a warning a file.
///
/// # Errors
///
/// If a file cannot be read.
pub fn read(files: &[PathBuf], global: &Global) -> anyhow::Result<Arc<AdList>> {
    let stored = stored()?;
    if files.is_empty() && stored.is_empty() {
        return Ok(AdList::shipped());
    }
    let mut list = (*AdList::shipped()).clone();
    for path in stored.iter().chain(files) {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let unread = list.add(&String::from_utf8_lossy(&bytes));
        if unread > 0 {
            global.warn(format_args!(
                "{}: {}",
                path.display(),
                not_understood(unread)
            ));
        }
    }
    Ok(Arc::new(list))
}

/// Fetches a list and puts it into the data folder. A list that is there stays when the
/// server cannot be reached; a warning has its age.
///
/// # Errors
///
/// If the list cannot be fetched and is not there, or cannot be written.
pub fn update(url: &Url, network: &Network<'_>, global: &Global) -> anyhow::Result<()> {
    let path = folder()?.join(format!("{}.txt", name_of(url)));
    network.allow(url)?;
    let fetched = network.get(url, RequestKind::Page);
    match fetched.and_then(|document| checked(&document.bytes)) {
        Ok((text, rules)) => {
            if let Some(folder) = path.parent() {
                output::make_folder(folder)?;
            }
            output::write(&path, text.as_bytes())?;
            let rules = counted(rules, "host or rule", "hosts and rules");
            global.say(format_args!("{}: {rules}", path.display()));
            Ok(())
        }
        Err(error) => {
            let Some(age) = age_of(&path) else {
                return Err(error.context(url.to_string()));
            };
            global.warn_failed(&error.context(url.to_string()));
            global.warn(format_args!("the list of {age} ago stays in use"));
            Ok(())
        }
    }
}

/// The number of lines that were not read, and the remedy.
fn not_understood(unread: usize) -> String {
    let lines = counted(unread, "line is not understood", "lines are not understood");
    if cfg!(feature = "adblock") {
        return lines;
    }
    format!("{lines}: a build with the feature `adblock` reads more rules of EasyList's syntax")
}

/// The text of a list, and the number of its hosts and rules; an error for what is none.
fn checked(bytes: &[u8]) -> anyhow::Result<(String, usize)> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut list = AdList::default();
    list.add(&text);
    if list.is_empty() {
        let kind = sniff(bytes).name();
        bail!("this is {kind} without a host: give a hosts file, or rules such as `||host^`");
    }
    Ok((text, list.len()))
}

/// The lists in the data folder, by name.
fn stored() -> anyhow::Result<Vec<PathBuf>> {
    let Ok(folder) = folder() else {
        return Ok(Vec::new());
    };
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).context(format!("cannot read {}", folder.display())),
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut lists: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    lists.sort();
    Ok(lists)
}

fn folder() -> anyhow::Result<PathBuf> {
    let base = etcetera::choose_base_strategy().context("there is no folder for user data here")?;
    Ok(base.data_dir().join("forest").join("ads"))
}

/// The name of a list's file: its host, and a digest of its address.
fn name_of(url: &Url) -> String {
    let digest = sha256_hex(url.as_str().as_bytes());
    format!("{}-{}", url.host_str().unwrap_or("list"), &digest[..12])
}

/// The time since a file was written, in the largest unit of which there is one.
fn age_of(path: &Path) -> Option<String> {
    let written: DateTime<Utc> = fs::metadata(path).ok()?.modified().ok()?.into();
    let age = (now() - written).max(chrono::TimeDelta::zero());
    let (number, one, many) = match (age.num_days(), age.num_hours()) {
        (0, 0) => (age.num_minutes(), "minute", "minutes"),
        (0, hours) => (hours, "hour", "hours"),
        (days, _) => (days, "day", "days"),
    };
    Some(counted(usize::try_from(number).ok()?, one, many).to_string())
}
