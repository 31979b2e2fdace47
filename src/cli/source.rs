//! Sources as a user gives them: the options, and the messages.

use super::Global;
use super::net::{NetArgs, Network};
use anyhow::bail;
use forest_sources::sources::Sources;
use std::path::PathBuf;
use std::sync::Arc;

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
