//! Parsing and printing for the commands that read an archive.

use crate::cli::{Exit, Global};
use forest_archive::ArchiveReader;
use forest_core::extract::Status;
use forest_html::text::{fold, visible};
use std::io::{self, IsTerminal};

/// Parses a status, named as in the record.
pub fn status(name: &str) -> Result<Status, String> {
    serde_json::from_value(name.into())
        .map_err(|_| "there are ok, degraded, fallback, empty, blocked and error".to_owned())
}

/// Returns true if stdout takes colours: on a terminal, unless NO_COLOR is set.
pub fn colours() -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    io::stdout().is_terminal() && !unwanted
}

/// A title or an address on one line of a terminal.
pub fn line(text: &str) -> String {
    visible(&fold(text)).into_owned()
}

/// Says that nothing was found; if the archive does not know the site, names its sites.
pub fn nothing(
    message: &str,
    site: Option<&str>,
    archive: &ArchiveReader,
    global: &Global,
) -> anyhow::Result<Exit> {
    let sites = archive.sites()?;
    match site {
        Some(site) if !sites.iter().any(|(name, _)| name == site) => {
            let known: Vec<String> = sites.iter().take(10).map(|(name, _)| line(name)).collect();
            let known = match known.as_slice() {
                [] => "none".to_owned(),
                known => known.join(", "),
            };
            global.say(format_args!(
                "{message}: the archive has no articles of {}; its sites: {known}",
                line(site)
            ));
        }
        _ => global.say(message),
    }
    Ok(Exit::Nothing)
}
