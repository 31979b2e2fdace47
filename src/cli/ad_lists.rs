//! Lists of advertisements: files of the user's, and lists from the web in the data folder.

use super::Global;
use super::net::Network;
use super::when::now;
use anyhow::Context;
use forest_core::feed::sniff;
use forest_fetch::AdListFolder;
use forest_html::error::{counted, span};
use forest_sources::sources::DocumentFetcher;
use forest_text::filter::AdList;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use url::Url;

/// The lists that were read.
pub struct ReadLists {
    pub ads: Arc<AdList>,
    /// Each file with its hosts and rules that no other before has, and its unread lines.
    pub files: Vec<(PathBuf, usize, usize)>,
}

/// The list that comes with the program, the lists in the data folder, and those of `files`.
///
/// # Errors
///
/// If a file cannot be read.
pub fn read_from(folder: Option<&AdListFolder>, files: &[PathBuf]) -> anyhow::Result<ReadLists> {
    let stored = folder.map_or(Ok(Vec::new()), AdListFolder::lists)?;
    let mut list = (*AdList::shipped()).clone();
    let mut read = Vec::new();
    for path in stored.iter().chain(files) {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let before = list.len();
        let unread = list.add(&String::from_utf8_lossy(&bytes));
        read.push((path.clone(), list.len() - before, unread));
    }
    Ok(ReadLists {
        ads: Arc::new(list),
        files: read,
    })
}

/// [`read_from`] the user's data folder. Lines that are not understood give a warning a file.
///
/// # Errors
///
/// If a file cannot be read.
pub fn read(files: &[PathBuf], global: &Global) -> anyhow::Result<Arc<AdList>> {
    let read = read_from(AdListFolder::of_user().ok().as_ref(), files)?;
    for (path, _, unread) in &read.files {
        if *unread > 0 {
            global.warn(format_args!(
                "{}: {}",
                path.display(),
                not_understood(*unread)
            ));
        }
    }
    Ok(read.ads)
}

/// Fetches a list and puts it into the data folder, if it has changed. A list that is there
/// stays when the server cannot be reached; a warning has its age.
///
/// # Errors
///
/// If the list cannot be fetched and is not there, or cannot be written.
pub fn update(url: &Url, network: &Network, global: &Global) -> anyhow::Result<()> {
    let folder = AdListFolder::of_user()?;
    network.allow(url)?;
    let age = folder.fetched(url).map(|fetched| span(now() - fetched));
    match folder.update(url, now(), rules_of, |known| network.get_list(url, known)) {
        Ok(rules) => {
            let rules = counted(rules, "host or rule", "hosts and rules");
            global.say(format_args!("{}: {rules}", folder.path(url).display()));
            Ok(())
        }
        Err(error) => {
            let Some(age) = age else {
                return Err(error.context(url.to_string()));
            };
            global.warn_failed(&error.context(url.to_string()));
            global.warn(format_args!("the list of {age} ago stays in use"));
            Ok(())
        }
    }
}

/// The number of the hosts and rules of a list; the reason why it is none.
pub fn rules_of(bytes: &[u8]) -> Result<usize, String> {
    let text = String::from_utf8_lossy(bytes);
    let mut list = AdList::default();
    list.add(&text);
    // A page in the place of the list, such as of a network that wants a login.
    let is_markup = text.trim_start().starts_with('<');
    if list.is_empty() || is_markup {
        let kind = sniff(bytes).name();
        return Err(format!(
            "this is {kind} without a host: give a hosts file, or rules such as `||host^`"
        ));
    }
    Ok(list.len())
}

/// The number of lines that were not read, and the remedy.
fn not_understood(unread: usize) -> String {
    let lines = counted(unread, "line is not understood", "lines are not understood");
    if cfg!(feature = "adblock") {
        return lines;
    }
    format!("{lines}: a build with the feature `adblock` reads more rules of EasyList's syntax")
}

/// The name of a file for people.
pub fn name_of(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
