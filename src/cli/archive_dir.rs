//! Which archive.

use super::Global;
use anyhow::Context;
use etcetera::BaseStrategy;
use std::path::PathBuf;

/// The archive of a command.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ArchiveArgs {
    /// Folder of the archive [default: forest/archive in the user's data folder].
    #[arg(long, value_name = "DIR")]
    archive: Option<PathBuf>,
}

impl ArchiveArgs {
    /// The folder: the one that was named, that of the config file, or the user's own.
    pub fn dir(&self, global: &Global) -> anyhow::Result<PathBuf> {
        let named = self.archive.as_ref().or(global.config().archive.as_ref());
        match named {
            Some(dir) => Ok(dir.clone()),
            None => {
                let base = etcetera::choose_base_strategy()
                    .context("there is no folder for user data here: name one with --archive")?;
                Ok(base.data_dir().join("forest").join("archive"))
            }
        }
    }
}
