//! A harvest in a program without a server: it has no `--serve`.

use crate::cli::Global;
use forest_harvest::Metrics;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// No pages are served.
#[derive(Debug, clap::Args)]
pub struct PagesArgs {}

/// There is none.
#[derive(Debug)]
pub enum PagesServer {}

impl PagesArgs {
    pub fn is_given(&self) -> bool {
        false
    }

    pub fn serve(
        &self,
        _: (&Path, PathBuf),
        _: Arc<Metrics>,
        _: bool,
        _: &Global,
    ) -> anyhow::Result<Option<PagesServer>> {
        Ok(None)
    }
}
