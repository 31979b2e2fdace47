//! `--archive` of `apply`: pages and their articles into an archive.

use super::images::ImageArgs;
use crate::cli::Global;
use crate::cli::net::NetArgs;
use forest_archive::paths;
use forest_core::extract::Extractor;
use forest_fetch::{FetchOptions, SecretSource};
use forest_harvest::report::picture_failure;
use forest_harvest::{ArchiveSecrets, PageStore, RequisiteOptions, SystemClock};
use forest_sources::record::ArticleRecord;
use forest_sources::sources::{LoadedPage, address};
use std::path::PathBuf;
use std::sync::Arc;

/// The archive that pages are stored in.
#[derive(Debug, clap::Args)]
pub struct KeeperArgs {
    /// Store the pages and their articles in this archive, too, with the text before
    /// --prose; pages without an address are not stored. Without --sites, sites without a
    /// wrapper in the folder use that of the archive.
    #[arg(long, value_name = "DIR")]
    archive: Option<PathBuf>,
}

impl KeeperArgs {
    /// The folder of the archive's wrappers.
    pub fn sites(&self) -> Option<PathBuf> {
        self.archive.as_deref().map(paths::sites)
    }

    /// The secrets of the archive's sites.
    pub fn secrets(&self) -> anyhow::Result<Option<Arc<dyn SecretSource>>> {
        let Some(dir) = &self.archive else {
            return Ok(None);
        };
        let secrets = ArchiveSecrets::open(dir, Arc::new(SystemClock))?;
        Ok(Some(Arc::new(secrets)))
    }

    /// Opens the archive, if there is to be one.
    pub fn open(&self, images: &ImageArgs) -> anyhow::Result<Option<PageKeeper>> {
        let pictures = images.options_with(self.archive.is_some())?;
        let Some(dir) = &self.archive else {
            return Ok(None);
        };
        let store = PageStore::open(dir)?;
        let secrets = self.secrets()?;
        Ok(Some(PageKeeper {
            store,
            pictures,
            secrets,
        }))
    }
}

/// Stores pages, and the pictures of their articles.
#[derive(Debug)]
pub struct PageKeeper {
    store: PageStore,
    pictures: Option<RequisiteOptions>,
    secrets: Option<Arc<dyn SecretSource>>,
}

impl PageKeeper {
    /// Adds a page with its record and the wrapper that found it.
    pub fn add(
        &mut self,
        page: &LoadedPage,
        record: &ArticleRecord,
        extractor: Option<Arc<Extractor>>,
    ) -> anyhow::Result<()> {
        let mut article = record.article.clone();
        if let Some(plain) = &record.plain {
            article.text.clone_from(plain);
        }
        Ok(self.store.add(page, article, &record.parts, extractor)?)
    }

    /// Writes the added pages.
    pub fn write(&mut self) -> anyhow::Result<()> {
        Ok(self.store.write()?)
    }

    /// Fetches the pictures, and says what was stored.
    pub fn finish(
        mut self,
        images: &ImageArgs,
        net: &NetArgs,
        sources: &[String],
        global: &Global,
    ) -> anyhow::Result<()> {
        if let Some(options) = self.pictures {
            let fetcher = images.fetcher(net.fetch_options(global, FetchOptions::DELAY))?;
            if let Some(secrets) = self.secrets {
                fetcher.keep_secrets(secrets);
            }
            let typed = sources.iter().filter_map(|typed| address(typed));
            typed.for_each(|url| fetcher.allow(&url));
            let mut on_picture = |url: &str, error: Option<&str>| {
                if let Some(why) = error {
                    global.warn(picture_failure(url, why));
                }
            };
            let tally = self.store.gather(&fetcher, options, &mut on_picture)?;
            global.say(format_args!("stored: {tally}"));
        }
        global.say(self.store.finish()?);
        Ok(())
    }
}
