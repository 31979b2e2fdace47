//! `forest archive backup`: a copy of the archive.

use crate::cli::archive_dir::ArchiveArgs;
use crate::cli::{Exit, Global};
use anyhow::bail;
use forest::archive::{ArchiveReader, paths};
use forest::error::counted;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Copy the archive, while a harvest may run
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The copy is an archive like this one, as it was at one moment; its search index is made
when it is searched. An earlier copy in the folder is brought up to date.

Examples:
  forest archive backup /mnt/backup/forest")]
pub struct BackupArgs {
    /// The folder of the copy.
    #[arg(value_name = "DIR")]
    to: PathBuf,
    /// The folder of the wrappers [default: sites in the archive].
    #[arg(long, value_name = "DIR")]
    sites: Option<PathBuf>,
    /// What was copied, as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    archive: ArchiveArgs,
}

/// A folder that need not be there yet, without links.
fn there(path: &Path) -> std::io::Result<PathBuf> {
    match (path.canonicalize(), path.file_name()) {
        (Err(error), Some(name)) if error.kind() == std::io::ErrorKind::NotFound => {
            let parent = path.parent().filter(|parent| *parent != Path::new(""));
            Ok(there(parent.unwrap_or(Path::new(".")))?.join(name))
        }
        (found, _) => found,
    }
}

pub fn run(args: BackupArgs, global: &Global) -> anyhow::Result<Exit> {
    let dir = args.archive.dir(global)?;
    let reader = ArchiveReader::open(&dir)?;
    if let (Ok(from), Ok(to)) = (dir.canonicalize(), there(&args.to)) {
        if from == to {
            bail!("{}: this is the archive itself", args.to.display());
        }
        if to.starts_with(&from) {
            bail!(
                "{} is within the archive: name a folder elsewhere",
                args.to.display()
            );
        }
    }
    let sites = args.sites.unwrap_or_else(|| paths::sites(&dir));
    let progress = global.progress("copying files", None);
    let done = reader.backup(&dir, &sites, &args.to, &mut |done, all| {
        progress.at(done, all);
    })?;
    drop(progress);
    if args.json {
        let json = json!({
            "files": done.files,
            "copied": done.copied,
            "bytes": done.bytes,
            "wrappers": done.wrappers,
        });
        global.print(format!("{json}\n").as_bytes())?;
    }
    global.say(format_args!(
        "{}, {} of them copied ({} bytes), {}",
        counted(done.files, "WARC file", "WARC files"),
        done.copied,
        done.bytes,
        counted(done.wrappers, "wrapper", "wrappers")
    ));
    Ok(Exit::Done)
}
