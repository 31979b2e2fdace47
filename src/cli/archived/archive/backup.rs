//! `forest archive backup`: copies the archive.

use crate::cli::archived::archive_dir::{ResultArgs, WrittenArchiveArgs};
use crate::cli::{Exit, Global};
use anyhow::bail;
use forest_archive::{ArchiveReader, paths};
use forest_html::error::counted;
use std::path::{Path, PathBuf};

/// Copy the archive, while a harvest may run
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The copy is an archive in the state of one moment, without a search index, which the first
search of it makes. An earlier copy in the folder is updated. The secrets of sites
(secrets.json) and the devices of apps (devices.json) are left out, since a backup may lie
where others read it.

Examples:
  forest archive backup /mnt/backup/forest")]
pub struct BackupArgs {
    /// Write the copy to this folder.
    #[arg(value_name = "DIR")]
    to: PathBuf,
    #[command(flatten)]
    result: ResultArgs,
    #[command(flatten)]
    archive: WrittenArchiveArgs,
}

/// The path without links of a folder that need not exist yet.
fn real_path(path: &Path) -> std::io::Result<PathBuf> {
    match (path.canonicalize(), path.file_name()) {
        (Err(error), Some(name)) if error.kind() == std::io::ErrorKind::NotFound => {
            let parent = path.parent().filter(|parent| *parent != Path::new(""));
            Ok(real_path(parent.unwrap_or(Path::new(".")))?.join(name))
        }
        (found, _) => found,
    }
}

pub fn run(args: BackupArgs, global: &Global) -> anyhow::Result<Exit> {
    let dir = args.archive.dir(global)?;
    let reader = ArchiveReader::open(&dir)?;
    if let (Ok(from), Ok(to)) = (dir.canonicalize(), real_path(&args.to)) {
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
    let sites = args.archive.sites(&dir);
    let progress = global.progress("copying files", None);
    let report = reader.backup(&dir, &sites, &args.to, &mut |report, all| {
        progress.at(report, all)
    })?;
    drop(progress);
    args.result
        .print(global, || json_of!(report, files, copied, bytes, wrappers))?;
    global.say(format_args!(
        "{}, {} of them copied ({} bytes), {}",
        counted(report.files, "WARC file", "WARC files"),
        report.copied,
        report.bytes,
        counted(report.wrappers, "wrapper", "wrappers")
    ));
    if paths::secrets(&dir).exists() {
        global.say("left out: the secrets of sites; keep a copy of secrets.json where nobody else can read it");
    }
    Ok(Exit::Done)
}
