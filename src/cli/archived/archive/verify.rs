//! `forest archive verify`: compares files, tables and index.

use crate::cli::archived::archive_dir::{ResultArgs, WrittenArchiveArgs};
use crate::cli::when::now;
use crate::cli::{Exit, Global};
use anyhow::bail;
use forest_archive::search::index_damage;
use forest_archive::{Archive, Verified};
use forest_html::error::counted;
use serde_json::json;
use std::path::Path;

/// Check that WARC files, tables and search index agree
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The exit code is 1 if a part is damaged. --rebuild makes tables and index again from the
WARC files. A damaged WARC file is never cut: restore it from a backup. Without a backup,
--salvage keeps the file under another name (.damaged) and writes its whole records to a
new file in its place.

Examples:
  forest archive verify
  forest archive verify --rebuild
  forest archive verify --salvage")]
pub struct VerifyArgs {
    /// Rebuild the tables and the search index from the WARC files first.
    #[arg(long)]
    rebuild: bool,
    /// Leave out the damaged parts of the WARC files, and rebuild the tables and the
    /// search index from the rest.
    #[arg(long)]
    salvage: bool,
    #[command(flatten)]
    result: ResultArgs,
    #[command(flatten)]
    archive: WrittenArchiveArgs,
}

pub fn run(args: VerifyArgs, global: &Global) -> anyhow::Result<Exit> {
    let dir = args.archive.dir(global)?;
    if !dir.join("warc").is_dir() {
        bail!("no archive in {}", dir.display());
    }
    let progress = global.progress("verifying", None);
    let opened = if args.salvage {
        salvage(&dir, &args, global)
    } else {
        open(&dir, &args, global)
    };
    let mut archive = match opened {
        Err(error) if error.is_archive_broken() => {
            drop(progress);
            let damage = vec![error.to_string()];
            return report(&Verified::default(), &damage, &args, global);
        }
        opened => opened?,
    };
    let rebuilt = args.rebuild || args.salvage;
    if rebuilt {
        archive = complete(archive, global)?;
    }
    let found = archive.verify()?;
    let mut damage: Vec<String> = found.damage.iter().map(ToString::to_string).collect();
    if damage.is_empty() {
        let reader = archive.reader()?;
        damage.extend(index_damage(&dir, &reader, found.articles, rebuilt)?);
    }
    drop(progress);
    report(&found, &damage, &args, global)
}

fn open(dir: &Path, args: &VerifyArgs, global: &Global) -> forest_archive::Result<Archive> {
    let options = || args.archive.options(global);
    match Archive::open(dir, options()) {
        Ok(archive) if args.rebuild => archive.rebuild(),
        Err(error) if args.rebuild && !error.is_archive_locked() => {
            Archive::rebuilt(dir, options())
        }
        opened => opened,
    }
}

/// Finishes an interrupted removal, and restores missing wrappers.
fn complete(archive: Archive, global: &Global) -> forest_archive::Result<Archive> {
    let archive = match archive.remembered()? {
        0 => archive,
        _ => archive.forget(&[], now())?.0,
    };
    for path in archive.restore_wrappers()? {
        global.say(format_args!("{} put back", path.display()));
    }
    Ok(archive)
}

fn salvage(dir: &Path, args: &VerifyArgs, global: &Global) -> forest_archive::Result<Archive> {
    let (archive, report) = Archive::salvage(dir, args.archive.options(global), now())?;
    for path in &report.damaged {
        global.warn(format_args!("{}: the damaged file", path.display()));
    }
    if report.missing > 0 {
        let missing = counted(report.missing, "WARC file was", "WARC files were");
        global.warn(format_args!("{missing} not there"));
    }
    global.say(format_args!(
        "{} written anew: {} bytes skipped, {} left out, of no use without them, {} read again, {} \
         told anew",
        counted(report.damaged.len(), "WARC file", "WARC files"),
        report.skipped,
        counted(report.left_out, "whole record", "whole records"),
        counted(report.read_again, "text", "texts"),
        counted(report.revisited, "visit", "visits")
    ));
    Ok(archive)
}

fn report(
    found: &Verified,
    damage: &[String],
    args: &VerifyArgs,
    global: &Global,
) -> anyhow::Result<Exit> {
    for line in damage {
        global.warn(line);
    }
    args.result.print(global, || {
        json!({
            "files": found.files,
            "records": found.records,
            "articles": found.articles,
            "versions": found.versions,
            "damage": damage,
        })
    })?;
    global.say(format_args!(
        "{}, {}, {}, {}: {}",
        counted(found.files, "WARC file", "WARC files"),
        counted(found.records, "record", "records"),
        counted(found.articles, "article", "articles"),
        counted(found.versions, "version", "versions"),
        match damage.len() {
            0 => "all is well".to_owned(),
            n => counted(n, "damage", "damages"),
        }
    ));
    Ok(Exit::Nothing.unless(damage.is_empty()))
}
