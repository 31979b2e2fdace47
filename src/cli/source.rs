//! Sources as a user gives them: the options, and the messages.

use super::Global;
use super::net::{NetArgs, Network};
use anyhow::bail;
#[cfg(feature = "archive")]
use forest_harvest::inputs::{self, RefusedReason};
use forest_sources::sources::Sources;
#[cfg(feature = "archive")]
use forest_sources::sources::address;
use std::path::PathBuf;
use std::sync::Arc;
#[cfg(feature = "archive")]
use url::Url;

/// Options for reading sources.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct SourceArgs {
    /// Read the pages of a local feed file from this folder [default: the feed's folder].
    #[arg(long, value_name = "DIR")]
    pages: Option<PathBuf>,
}

impl SourceArgs {
    /// Sources that are fetched as `net` says.
    ///
    /// # Errors
    ///
    /// If there is no folder `--pages`.
    pub fn sources(self, net: NetArgs, global: &Global) -> anyhow::Result<Sources> {
        if let Some(dir) = &self.pages
            && !dir.is_dir()
        {
            bail!("--pages {}: there is no such folder", dir.display());
        }
        let page_limit = net.page_limit(global);
        let web = Arc::new(Network::new(net, global));
        let global = global.clone();
        let warn = Arc::new(move |warning: &forest_sources::sources::SourceWarning| {
            if warning.is_news() {
                global.say(warning);
            } else {
                global.warn(warning);
            }
        });
        Ok(Sources::new(web, page_limit, warn).with_pages(self.pages))
    }
}

/// The address of a typed feed: normalised; with `https`, if it is a bare host. `None` if it
/// is no address.
#[cfg(feature = "archive")]
pub fn feed_address(typed: &str) -> Option<Url> {
    match inputs::address(typed) {
        Ok(url) => Some(url),
        Err(RefusedReason::NoAddress | RefusedReason::Scheme) => address(typed),
        Err(_) => None,
    }
}

/// The address of a feed in the archive: normalised, if it is an address.
#[cfg(feature = "archive")]
pub fn feed_url(typed: &str) -> String {
    inputs::address(typed).map_or_else(|_| typed.to_owned(), String::from)
}
