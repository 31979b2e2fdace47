//! The archive's part of the commands in a program without one: no options and no pages.

use super::Global;
use super::net::NetArgs;
use forest_core::extract::Extractor;
use forest_fetch::SecretSource;
use forest_sources::record::ArticleRecord;
use forest_sources::sources::{LoadedPage, PageContent};
use std::path::PathBuf;
use std::sync::Arc;

/// No pictures are stored.
#[derive(Debug, Clone, clap::Args)]
pub struct ImageArgs {}

/// No pages are stored.
#[derive(Debug, clap::Args)]
pub struct KeeperArgs {}

/// There is none.
#[derive(Debug)]
pub enum PageKeeper {}

/// No pages of an archive.
#[derive(Debug, clap::Args)]
pub struct ArchivedPagesArgs {}

/// No wrapper is in an archive.
#[derive(Debug, Clone, clap::Args)]
pub struct WrapperArchiveArgs {}

impl KeeperArgs {
    pub fn sites(&self) -> Option<PathBuf> {
        None
    }

    pub fn secrets(&self) -> anyhow::Result<Option<Arc<dyn SecretSource>>> {
        Ok(None)
    }

    pub fn open(&self, _: &ImageArgs) -> anyhow::Result<Option<PageKeeper>> {
        Ok(None)
    }
}

impl PageKeeper {
    pub fn add(
        &mut self,
        _: &LoadedPage,
        _: &ArticleRecord,
        _: Option<Arc<Extractor>>,
    ) -> anyhow::Result<()> {
        match *self {}
    }

    pub fn write(&mut self) -> anyhow::Result<()> {
        match *self {}
    }

    pub fn finish(
        self,
        _: &ImageArgs,
        _: &NetArgs,
        _: &[String],
        _: &Global,
    ) -> anyhow::Result<()> {
        match self {}
    }
}

impl ArchivedPagesArgs {
    pub fn pages(
        &self,
        _: &[String],
        _: usize,
        _: &Global,
    ) -> anyhow::Result<Option<Vec<PageContent>>> {
        Ok(None)
    }
}

impl WrapperArchiveArgs {
    pub fn named(&self) -> Option<PathBuf> {
        None
    }

    pub fn of_user(_: &Global) -> Option<PathBuf> {
        None
    }
}
