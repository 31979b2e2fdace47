//! The options that name an archive.

use crate::cli::Global;
use anyhow::Context;
use etcetera::BaseStrategy;
use forest_archive::{ArchiveOptions, ArchiveReader, paths};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The archive of a command.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ArchiveArgs {
    /// Use the archive in this folder [default: forest/archive in the user's data folder].
    #[arg(long, value_name = "DIR")]
    archive: Option<PathBuf>,
}

/// The address at which pages are served unless another one is named.
pub const READER_ADDRESS: &str = "127.0.0.1:7878";

impl ArchiveArgs {
    /// The folder: the one of the option, of the config file, or in the user's data folder.
    pub fn dir(&self, global: &Global) -> anyhow::Result<PathBuf> {
        if let Some(dir) = self.archive.as_ref().or(global.config().archive.as_ref()) {
            return Ok(dir.clone());
        }
        let base = etcetera::choose_base_strategy()
            .context("there is no folder for user data here: name one with --archive")?;
        Ok(base.data_dir().join("forest").join("archive"))
    }

    /// The command that keeps the archive up to date for as long as it runs.
    pub fn harvest_command(&self) -> String {
        let named = self.archive.as_ref();
        let named = named.map(|dir| format!(" --archive {}", dir.display()));
        format!("forest harvest run{}", named.unwrap_or_default())
    }

    /// The folder, if there is an archive that can be read. One that nobody named on the command
    /// line may be missing; a fault of it is a warning.
    ///
    /// # Errors
    ///
    /// If the archive of the option cannot be read.
    pub fn dir_of_existing(&self, global: &Global) -> anyhow::Result<Option<PathBuf>> {
        if let Some(dir) = &self.archive {
            ArchiveReader::open(dir)?;
            return Ok(Some(dir.clone()));
        }
        // A system without folders of its users has no archive there.
        let dir = self.dir(global).ok().filter(|dir| dir.is_dir());
        let Some(dir) = dir else { return Ok(None) };
        match ArchiveReader::open(&dir) {
            Ok(_) => Ok(Some(dir)),
            Err(why) => {
                let what = format!("the archive {} is not served", dir.display());
                global.warn_failed(&anyhow::Error::new(why).context(what));
                Ok(None)
            }
        }
    }

    /// Opens the archive to read it.
    pub fn reader(&self, global: &Global) -> anyhow::Result<ArchiveReader> {
        Ok(ArchiveReader::open(&self.dir(global)?)?)
    }
}

/// An archive that is written, and the folder of its wrappers.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct WrittenArchiveArgs {
    /// Use the wrappers in this folder [default: sites in the archive].
    #[arg(long, value_name = "DIR")]
    sites: Option<PathBuf>,
    #[command(flatten)]
    archive: ArchiveArgs,
}

impl WrittenArchiveArgs {
    /// The folder of the archive.
    pub fn dir(&self, global: &Global) -> anyhow::Result<PathBuf> {
        self.archive.dir(global)
    }

    /// The folder of the wrappers of the archive in `dir`.
    pub fn sites(&self, dir: &Path) -> PathBuf {
        self.sites.clone().unwrap_or_else(|| paths::sites(dir))
    }

    /// The options to open it with.
    pub fn options(&self, global: &Global) -> ArchiveOptions {
        let options = forest_harvest::archive_options();
        // The word of crawlers for one that obeys robots.txt.
        let mut about = global.config().warcinfo.clone();
        about
            .entry("robots".to_owned())
            .or_insert_with(|| "classic".to_owned());
        let options = options.with_warcinfo(about);
        match &self.sites {
            Some(sites) => options.with_sites(sites),
            None => options,
        }
    }
}

/// The result of a command for programs.
#[derive(Debug, Clone, clap::Args)]
pub struct ResultArgs {
    /// Write the result to stdout as one JSON object, too.
    #[arg(long)]
    pub json: bool,
}

impl ResultArgs {
    /// Prints the result, if it is wanted.
    pub fn print(&self, global: &Global, result: impl FnOnce() -> Value) -> anyhow::Result<()> {
        if self.json {
            global.print_json(&result())?;
        }
        Ok(())
    }
}
