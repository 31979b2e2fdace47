//! The archive's part of `forest site`: its pages and its wrappers.

use super::archive_dir::ArchiveArgs;
use super::stored::nothing;
use crate::cli::Global;
use anyhow::bail;
use forest_archive::{ArchiveReader, paths};
use forest_sources::sources::PageContent;
use std::path::PathBuf;

/// Pages of an archive.
#[derive(Debug, clap::Args)]
pub struct ArchivedPagesArgs {
    /// Try it on the newest archived pages of this site.
    #[arg(long, value_name = "SITE")]
    site: Option<String>,
    /// Use the archive in this folder for --site [default: the user's own].
    #[arg(long, value_name = "DIR", requires = "site")]
    archive: Option<PathBuf>,
}

impl ArchivedPagesArgs {
    /// The newest pages of the site, `most` at the most; `None` without --site. Says so if there
    /// are none.
    pub fn pages(
        &self,
        typed: &[String],
        most: usize,
        global: &Global,
    ) -> anyhow::Result<Option<Vec<PageContent>>> {
        let Some(site) = &self.site else {
            return Ok(None);
        };
        if let Some(typed) = typed.first() {
            bail!("--site reads the pages of an archive: leave out {typed}");
        }
        let dir = match &self.archive {
            Some(dir) => dir.clone(),
            None => ArchiveArgs::default().dir(global)?,
        };
        let reader = ArchiveReader::open(&dir)?;
        let pages = reader.latest_pages(site, most)?;
        if pages.is_empty() {
            nothing("nothing to try it on", Some(site), &reader, global)?;
        }
        let content = pages.into_iter().map(|page| PageContent {
            url: Some(page.raw.url),
            bytes: page.raw.body,
            content_type: page.raw.content_type,
            ..PageContent::default()
        });
        Ok(Some(content.collect()))
    }
}

/// The archive in which a wrapper is searched.
#[derive(Debug, Clone, clap::Args)]
pub struct WrapperArchiveArgs {
    /// Search the wrapper in this archive.
    #[arg(long, value_name = "DIR", conflicts_with = "sites")]
    archive: Option<PathBuf>,
}

impl WrapperArchiveArgs {
    /// The folder of the named archive's wrappers.
    pub fn named(&self) -> Option<PathBuf> {
        self.archive.as_deref().map(paths::sites)
    }

    /// The folder of the wrappers of the user's own archive.
    pub fn of_user(global: &Global) -> Option<PathBuf> {
        let dir = ArchiveArgs::default().dir(global).ok()?;
        Some(paths::sites(&dir))
    }
}
