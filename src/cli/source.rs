//! Sources as a user gives them: the options, and the messages.

use super::Global;
use super::net::{NetArgs, Network};
use anyhow::bail;
use forest_core::feed::Section;
use forest_fetch::SecretSource;
use forest_sources::sources::{SitemapScope, Sources};
use std::path::PathBuf;
use std::sync::Arc;

/// Options for reading sources.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct SourceArgs {
    /// Read the pages of a local feed file from this folder [default: the feed's folder].
    #[arg(long, value_name = "DIR")]
    pages: Option<PathBuf>,
    /// Of a sitemap, take the pages below this path: /news/ [default: all; to learn from, those of
    /// the section with the most pages].
    #[arg(long, value_name = "PATH")]
    section: Option<String>,
}

impl SourceArgs {
    /// Sources that are fetched as `net` says.
    ///
    /// # Errors
    ///
    /// If there is no folder `--pages`.
    pub fn sources(self, net: NetArgs, global: &Global) -> anyhow::Result<Sources> {
        self.sources_with(None, net, global)
    }

    /// The same, with secrets that are sent to their sites.
    ///
    /// # Errors
    ///
    /// As [`sources`](Self::sources).
    pub fn sources_with(
        self,
        secrets: Option<Arc<dyn SecretSource>>,
        net: NetArgs,
        global: &Global,
    ) -> anyhow::Result<Sources> {
        let scope = |section: Option<Section>| SitemapScope {
            section: section.unwrap_or_default(),
            ..SitemapScope::default()
        };
        let web = Network::new(net.clone(), global).with_secrets(secrets);
        self.with_scope(web, &net, global, scope)
    }

    /// The same, of whose sitemaps a sample is taken.
    ///
    /// # Errors
    ///
    /// As [`sources`](Self::sources).
    pub fn sampled(self, net: NetArgs, global: &Global) -> anyhow::Result<Sources> {
        let web = Network::new(net.clone(), global);
        self.with_scope(web, &net, global, SitemapScope::sample)
    }

    fn with_scope(
        self,
        web: Network,
        net: &NetArgs,
        global: &Global,
        scope: impl FnOnce(Option<Section>) -> SitemapScope,
    ) -> anyhow::Result<Sources> {
        if let Some(dir) = &self.pages
            && !dir.is_dir()
        {
            bail!("--pages {}: there is no such folder", dir.display());
        }
        let section = self.section.as_deref().map(Section::below);
        let page_limit = net.page_limit(global);
        let web = Arc::new(web);
        let global = global.clone();
        let warn = Arc::new(move |warning: &forest_sources::sources::SourceWarning| {
            if warning.is_news() {
                global.say(warning);
            } else {
                global.warn(warning);
            }
        });
        Ok(Sources::new(web, page_limit, warn)
            .with_pages(self.pages)
            .with_sitemaps(scope(section)))
    }
}
